//! Answering a batch's askers, beside the next batch.
//!
//! # Shape
//! Old repeats are looked up first, by the committer itself; then one task tells everybody, and frees what the batch
//! replaced, while the committer decides the next one. That keeps both off the way of whoever waits.
//!
//! # What bounds it
//! One such task a committer: the next answers wait for it.

use std::sync::Arc;

use meterhouse_domain::command::{Command, TableCommand};
use meterhouse_domain::name::{Sequence, TableNo};
use meterhouse_domain::repeat::is_repeat;
use meterhouse_domain::state::LinkState;
use meterhouse_store::Journal;

use crate::answer::{Answer, Denied, Outcome};
use crate::chain::Chain;
use crate::committer::{Ask, Committer, FINDS_PER_BATCH_MAX, Reached, Work};
use crate::draft::Verdict;
use crate::present::Known;
use crate::replay::outcome_of;

/// Below so many commands a batch's askers are told at once and may go on first, so that their next commands are in
/// the next statement: it costs as much as some fifty commands, whatever is in it.
const SMALL_BATCH_COMMANDS: usize = 128;

/// How often the thread is given up for them.
const TURNS_MAX: u32 = 4;

/// What a batch replaced in memory: freed where nobody waits for it.
#[derive(Default)]
pub(crate) struct Spent {
    /// The state before it.
    pub(crate) state: Option<Arc<LinkState>>,
    /// Outcomes that are no longer among the last.
    pub(crate) outcomes: Vec<Outcome>,
}

impl<J: Journal> Committer<J> {
    /// Answers everybody. Whoever hung up is not told.
    pub(crate) async fn answer(
        &mut self,
        works: Vec<Work>,
        mut verdicts: Vec<Option<Verdict>>,
        outcomes: Vec<Outcome>,
    ) {
        self.find_old(&works, &mut verdicts).await;
        self.answered().await;
        let state = Arc::clone(&self.memory.state);
        let batch = self.memory.head.batch;
        self.present.show(batch, &state);
        let spent = std::mem::take(&mut self.spent);
        if works.len() < SMALL_BATCH_COMMANDS {
            tell(works, verdicts, &outcomes, batch, &state);
            drop(spent);
            return self.let_askers_go_on().await;
        }
        self.answering = Some(tokio::spawn(async move {
            tell(works, verdicts, &outcomes, batch, &state);
            drop(spent);
        }));
    }

    /// Gives up the thread while commands still come of it.
    async fn let_askers_go_on(&mut self) {
        for _ in 0..TURNS_MAX {
            let waiting = self.queue.len();
            tokio::task::yield_now().await;
            if self.queue.len() == waiting {
                break;
            }
        }
    }

    /// Waits until the last batch's askers were told.
    pub(crate) async fn answered(&mut self) {
        if let Some(answering) = self.answering.take() {
            drop(answering.await);
        }
    }

    /// Looks the old repeats up in the journal, as many as one batch may.
    async fn find_old(&mut self, works: &[Work], verdicts: &mut [Option<Verdict>]) {
        let mut finds = 0;
        for (work, verdict) in works.iter().zip(verdicts) {
            let (Some(Verdict::Find(table, sequence)), Ask::Command { envelope, .. }) =
                (&*verdict, &work.ask)
            else {
                continue;
            };
            finds += 1;
            let found = if finds > FINDS_PER_BATCH_MAX {
                Err(Denied::Busy)
            } else {
                self.find(*table, *sequence, &envelope.command).await
            };
            *verdict = Some(match found {
                Ok(outcome) => Verdict::Again(Box::new(outcome)),
                Err(denied) => Verdict::Now(denied),
            });
        }
    }

    /// An old repeat: its outcome is made again from the journal.
    async fn find(
        &mut self,
        table: TableNo,
        sequence: Sequence,
        command: &Command,
    ) -> Result<Outcome, Denied> {
        let found = self
            .journal
            .find(table.0, sequence.0)
            .await
            .map_err(|error| {
                tracing::warn!(error = %Chain(&error), "an old command can't be looked up");
                Denied::DatabaseUnavailable
            })?;
        let found = found.ok_or(Denied::DatabaseUnavailable)?;
        let outcome = outcome_of(&self.memory.state, &found)
            .map_err(|reason| Denied::LinkFaulted { reason })?;
        let content: Option<&TableCommand> = match command {
            Command::Table { command, .. } => Some(command),
            Command::Person(_) => None,
        };
        let same = content.is_some_and(|command| {
            is_repeat(&self.memory.state.terms, &outcome.recorded.event, command)
        });
        if same {
            Ok(outcome)
        } else {
            Err(Denied::SequenceReused)
        }
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
            // Every old repeat was looked up, and every command has a verdict.
            Some(Verdict::Find(..)) | None => Err(Denied::Busy),
        };
        drop(reply.send(reached));
    }
}
