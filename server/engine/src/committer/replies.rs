//! The replies to a batch's requests, sent concurrently with the next batch.
//!
//! # Shape
//! One task sends the replies, while the committer decides the next batch. Old replays are looked up in the journal
//! first ([`OldReplays`]).
//!
//! # Limits
//! One such task a committer. The next replies wait for it.
//!
//! # Order
//! The last request first. A stream waits for the outcome of its oldest command: when it wakes, it finds the outcomes
//! of its other commands in the batch, and sends one message instead of several.

use std::sync::Arc;

use tokio::task::JoinHandle;

use super::decided::DecidedRequest;
use super::intake::Intake;
use super::old_replays::{OldReplay, OldReplayQueue, OldReplays};
use super::published_state::{PublishedState, StateAt};
use super::replica::Replica;
use super::request::CommandResult;
use super::verdict::Verdict;
use crate::answer::{Answer, NotExecuted, Outcome};

/// Batch size below which the replies are sent immediately and the callers run first, so that their next commands are
/// in the next statement. A statement of any size costs as much as some fifty commands.
const SMALL_BATCH_COMMANDS: usize = 128;

/// Maximum number of yields per batch.
const YIELDS_MAX: u32 = 4;

/// Batches without returning callers after which the committer stops yielding.
const FRUITLESS_MAX: u32 = 4;

/// Batches after which yielding is tried again.
const TRIED_EVERY: u32 = 64;

/// Tracks whether callers submit their next command immediately after a reply. In-process callers do. Socket clients do
/// not, and yielding for them would only delay the next batch.
#[derive(Default)]
struct YieldPolicy {
    /// Batches since one whose callers returned.
    fruitless: u32,
}

impl YieldPolicy {
    /// Returns `true` if yielding is likely to pay off.
    const fn is_likely(&self) -> bool {
        self.fruitless < FRUITLESS_MAX || self.fruitless.is_multiple_of(TRIED_EVERY)
    }

    /// Records the number of replies of a batch, and of requests that came during the yields.
    const fn record(&mut self, replied: usize, returned: usize) {
        self.fruitless = if returned * 2 >= replied {
            0
        } else {
            self.fruitless.wrapping_add(1)
        };
    }
}

/// The replies of one link.
pub(crate) struct Replies {
    published: Arc<PublishedState>,
    /// The task that sends the replies to the last batch.
    sending: Option<JoinHandle<()>>,
    yields: YieldPolicy,
    old_replays: OldReplays,
}

impl Replies {
    pub(crate) fn new(published: Arc<PublishedState>, old_replays: OldReplays) -> Self {
        Self {
            published,
            sending: None,
            yields: YieldPolicy::default(),
            old_replays,
        }
    }

    /// Publishes the state and replies to all requests of a batch. A caller that disconnected gets no reply.
    pub(crate) async fn send(
        &mut self,
        requests: Vec<DecidedRequest>,
        outcomes: Vec<Outcome>,
        replica: &Replica,
        intake: &Intake,
    ) {
        self.sent().await;
        let state = replica.state_at();
        self.published.show(state.clone());
        let old_replays = self.old_replays.queue();
        let replied = requests.len();
        if replied < SMALL_BATCH_COMMANDS {
            reply_all(requests, &outcomes, &state, &old_replays);
            return self.yield_to_callers(replied, intake).await;
        }
        self.sending = Some(tokio::spawn(async move {
            reply_all(requests, &outcomes, &state, &old_replays);
        }));
    }

    /// Yields the thread while callers submit their next commands.
    async fn yield_to_callers(&mut self, replied: usize, intake: &Intake) {
        let mut returned = 0;
        if self.yields.is_likely() {
            for _ in 0..YIELDS_MAX {
                let waiting = intake.waiting();
                tokio::task::yield_now().await;
                let more = intake.waiting().saturating_sub(waiting);
                returned += more;
                if more == 0 {
                    break;
                }
            }
        }
        self.yields.record(replied, returned);
    }

    /// Waits until the replies to the last batch are sent.
    async fn sent(&mut self) {
        if let Some(sending) = self.sending.take() {
            drop(sending.await);
        }
    }

    /// Waits until all replies are sent, including those to old replays.
    pub(crate) async fn finish(mut self) {
        self.sent().await;
        self.old_replays.finish().await;
    }
}

/// Replies to each request of a batch.
fn reply_all(
    requests: Vec<DecidedRequest>,
    outcomes: &[Outcome],
    state: &StateAt,
    old_replays: &OldReplayQueue,
) {
    let answered = |outcome: Outcome, replayed: bool| {
        Ok(CommandResult::Answer(Answer {
            outcome,
            replayed,
            link: Arc::clone(&state.state),
            as_of: state.batch,
        }))
    };
    let committed = |index: usize, replayed: bool| match outcomes.get(index) {
        Some(outcome) => answered(outcome.clone(), replayed),
        None => Err(NotExecuted::OutcomeUnknown),
    };
    let mut old = Vec::new();
    for request in requests.into_iter().rev() {
        let (request, verdict) = match request {
            DecidedRequest::State(request) => {
                drop(request.reply.send(Ok(state.clone())));
                continue;
            }
            DecidedRequest::Command(request, verdict) => (request, verdict),
        };
        let result = match verdict {
            Verdict::Committed(index) => committed(index, false),
            Verdict::CommittedAgain(index) => committed(index, true),
            Verdict::Again(outcome) => answered(*outcome, true),
            Verdict::Now(denied) | Verdict::Confirmed(denied) => Err(denied),
            Verdict::DoneBefore => Ok(CommandResult::DoneBefore),
            Verdict::Find(table, sequence) => {
                old.push(OldReplay {
                    table,
                    sequence,
                    request,
                    state: state.clone(),
                });
                continue;
            }
        };
        drop(request.reply.send(result));
    }
    // In their order, in which the journal is read.
    for replay in old.into_iter().rev() {
        old_replays.look_up(replay);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committer_yields_to_callers_that_return() {
        let mut yields = YieldPolicy::default();
        for _ in 0..3 * FRUITLESS_MAX {
            assert!(yields.is_likely());
            yields.record(32, 32);
        }
        for _ in 0..FRUITLESS_MAX {
            assert!(yields.is_likely());
            yields.record(32, 15);
        }
        let tried = (0..10 * TRIED_EVERY).filter(|_| {
            let likely = yields.is_likely();
            yields.record(32, 0);
            likely
        });
        assert_eq!(tried.count(), 10);
        yields.record(32, 16);
        assert!(yields.is_likely());
    }
}
