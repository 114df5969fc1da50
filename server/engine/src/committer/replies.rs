//! Answering a batch's askers, beside the next batch.
//!
//! # Shape
//! Old repeats are handed over to be looked up (`old_repeats.rs`); one task tells everybody else, and frees what the batch
//! replaced, while the committer decides the next one. That keeps all of it off the way of whoever waits.
//!
//! # What bounds it
//! One such task a committer: the next answers wait for it.

use std::sync::Arc;

use meterhouse_domain::state::LinkState;
use meterhouse_store::Journal;

use crate::answer::{Answer, Denied, Outcome};
use crate::committer::draft::Verdict;
use crate::committer::old_repeats::OldRepeat;
use crate::committer::published_state::Known;
use crate::committer::run_loop::{Ask, Committer, Reached, Work};

/// Below so many commands a batch's askers are told at once and may go on first, so that their next commands are in
/// the next statement: it costs as much as some fifty commands, whatever is in it.
const SMALL_BATCH_COMMANDS: usize = 128;

/// How often the thread is given up for them.
const TURNS_MAX: u32 = 4;

/// After so many batches whose askers did not come back at once, the next batch is sent without a turn for them.
const FRUITLESS_MAX: u32 = 4;

/// Then every so many batches it is tried again.
const TRIED_EVERY: u32 = 64;

/// What a batch replaced in memory: freed where nobody waits for it.
#[derive(Default)]
pub(crate) struct Spent {
    /// The state before it.
    pub(crate) state: Option<Arc<LinkState>>,
    /// Outcomes that are no longer among the last.
    pub(crate) outcomes: Vec<Outcome>,
}

/// Whether askers come back at once when they are told: those in this process do, those behind sockets don't, and what
/// their answers cost would keep the next batch from Postgres.
#[derive(Default)]
pub(crate) struct Returning {
    /// Batches since one whose askers came back.
    fruitless: u32,
}

impl Returning {
    /// Whether a turn for them is worth it.
    const fn is_likely(&self) -> bool {
        self.fruitless < FRUITLESS_MAX || self.fruitless.is_multiple_of(TRIED_EVERY)
    }

    /// A batch went by in which so many were told, and so many came back.
    const fn saw(&mut self, told: usize, came: usize) {
        self.fruitless = if came * 2 >= told {
            0
        } else {
            self.fruitless.wrapping_add(1)
        };
    }
}

impl<J: Journal> Committer<J> {
    /// Answers everybody. Whoever hung up is not told.
    pub(crate) async fn answer(
        &mut self,
        works: Vec<Work>,
        verdicts: Vec<Option<Verdict>>,
        outcomes: Vec<Outcome>,
    ) {
        let (works, verdicts) = self.hand_old_over(works, verdicts);
        self.answered().await;
        let state = Arc::clone(&self.memory.state);
        let batch = self.memory.head.batch;
        self.present.show(batch, &state);
        let spent = std::mem::take(&mut self.spent);
        let told = works.len();
        if told < SMALL_BATCH_COMMANDS {
            tell(works, verdicts, &outcomes, batch, &state);
            drop(spent);
            return self.let_askers_go_on(told).await;
        }
        self.answering = Some(tokio::spawn(async move {
            tell(works, verdicts, &outcomes, batch, &state);
            drop(spent);
        }));
    }

    /// Gives up the thread while those who were told come back.
    async fn let_askers_go_on(&mut self, told: usize) {
        let mut came = 0;
        if self.returning.is_likely() {
            for _ in 0..TURNS_MAX {
                let waiting = self.queue.len();
                tokio::task::yield_now().await;
                let more = self.queue.len().saturating_sub(waiting);
                came += more;
                if more == 0 {
                    break;
                }
            }
        }
        self.returning.saw(told, came);
    }

    /// Waits until the last batch's askers were told.
    pub(crate) async fn answered(&mut self) {
        if let Some(answering) = self.answering.take() {
            drop(answering.await);
        }
    }

    /// Has the old repeats among them looked up; they hear of it when that is done.
    fn hand_old_over(
        &mut self,
        works: Vec<Work>,
        verdicts: Vec<Option<Verdict>>,
    ) -> (Vec<Work>, Vec<Option<Verdict>>) {
        let is_old = |verdict: &Option<Verdict>| matches!(verdict, Some(Verdict::Find(..)));
        if !verdicts.iter().any(is_old) {
            return (works, verdicts);
        }
        let mut rest = (
            Vec::with_capacity(works.len()),
            Vec::with_capacity(works.len()),
        );
        for (work, verdict) in works.into_iter().zip(verdicts) {
            if let Some(Verdict::Find(table, sequence)) = verdict {
                let known = Known {
                    batch: self.memory.head.batch,
                    state: Arc::clone(&self.memory.state),
                };
                let repeat = OldRepeat {
                    table,
                    sequence,
                    work,
                    known,
                };
                self.old_repeats.look_up(&self.journal, repeat);
            } else {
                rest.0.push(work);
                rest.1.push(verdict);
            }
        }
        rest
    }
}

/// Tells each asker what became of it.
fn tell(
    works: Vec<Work>,
    verdicts: Vec<Option<Verdict>>,
    outcomes: &[Outcome],
    batch: u64,
    state: &Arc<LinkState>,
) {
    let answered = |outcome: Outcome, replayed: bool| {
        let link = Arc::clone(state);
        Ok(Reached::Outcome(Answer {
            outcome,
            replayed,
            link,
            as_of: batch,
        }))
    };
    let committed = |place: usize, replayed: bool| match outcomes.get(place) {
        Some(outcome) => answered(outcome.clone(), replayed),
        None => Err(Denied::OutcomeUnknown),
    };
    for (work, verdict) in works.into_iter().zip(verdicts) {
        let reply = match work.ask {
            Ask::Look { reply } => {
                let state = Arc::clone(state);
                drop(reply.send(Ok(Known { batch, state })));
                continue;
            }
            Ask::Command { reply, .. } => reply,
        };
        let reached = match verdict {
            Some(Verdict::Committed(place)) => committed(place, false),
            Some(Verdict::CommittedAgain(place)) => committed(place, true),
            Some(Verdict::Again(outcome)) => answered(*outcome, true),
            Some(Verdict::Now(denied) | Verdict::Confirmed(denied)) => Err(denied),
            Some(Verdict::DoneBefore) => Ok(Reached::DoneBefore),
            // Every old repeat was handed over, and every command has a verdict.
            Some(Verdict::Find(..)) | None => Err(Denied::Busy),
        };
        drop(reply.send(reached));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_given_to_those_who_come_back() {
        let mut returning = Returning::default();
        for _ in 0..3 * FRUITLESS_MAX {
            assert!(returning.is_likely());
            returning.saw(32, 32);
        }
        for _ in 0..FRUITLESS_MAX {
            assert!(returning.is_likely());
            returning.saw(32, 15);
        }
        let tried = (0..10 * TRIED_EVERY).filter(|_| {
            let likely = returning.is_likely();
            returning.saw(32, 0);
            likely
        });
        assert_eq!(tried.count(), 10);
        returning.saw(32, 16);
        assert!(returning.is_likely());
    }
}
