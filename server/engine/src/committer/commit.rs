//! Committing a draft, and finding out what became of one that was lost with the database.

use std::sync::Arc;

use meterhouse_domain::RULE_VERSION;
use meterhouse_journal::batch::Batch;
use meterhouse_journal::chain::chain_hash;
use meterhouse_store::{Commit, Journal, NewBatch, NoWrites, RolledBack};
use tokio::time::{Instant, sleep};

use crate::answer::{Denied, Outcome};
use crate::clock::{Step, period_of};
use crate::committer::draft::{Draft, Verdict};
use crate::committer::replica::{MemoryError, flat_balances};
use crate::committer::run_loop::{
    ATTEMPTS_MAX, Attempt, Committer, Lost, RECOVER_MAX, RECOVER_PAUSE,
};
use crate::error_chain::Chain;
use crate::view::BATCH_REFUSED;

/// The constraint that keeps a table's name to one link.
const TABLE_NAME_CONSTRAINT: &str = "game_table_name_key";
/// `link_head.status` of a link in play.
pub(crate) const STATUS_OPEN: i16 = 1;
/// `link_head.status` of a faulted link.
pub(crate) const STATUS_FAULTED: i16 = 2;

impl<J: Journal> Committer<J> {
    /// Sends a draft: one statement.
    pub(crate) async fn commit(&mut self, mut draft: Draft) -> (Attempt, Vec<Outcome>) {
        self.tell_step(&draft);
        let new = self.new_batch(&mut draft);
        let committed = self.send(&draft, &new).await;
        match committed {
            Commit::Committed => {
                self.locked = false;
                let outcomes = self.merge(draft, &new);
                (Attempt::Done, outcomes)
            }
            Commit::Moved => (self.catch_up_locked().await, Vec::new()),
            Commit::RolledBack(RolledBack { constraint, source }) => {
                self.unlock().await;
                tracing::error!(error = %Chain(&source), link.id = %self.link, "a batch was rolled back");
                let attempt = if source.refuses_content() {
                    Attempt::RolledBack(constraint)
                } else {
                    Attempt::Failed(Denied::by_store(&source))
                };
                (attempt, Vec::new())
            }
            Commit::ReadOnly => {
                self.unlock().await;
                tracing::error!(link.id = %self.link, "the database takes no writes");
                (
                    Attempt::Failed(Denied::DatabaseNotWritable(NoWrites::ReadOnly)),
                    Vec::new(),
                )
            }
            Commit::Unknown(error) => {
                self.locked = false;
                tracing::warn!(error = %Chain(&error), link.id = %self.link, "a commit's outcome is unknown");
                let lost = Box::new(Lost {
                    draft,
                    new,
                    was_made: false,
                });
                self.recover(lost).await
            }
        }
    }

    /// Logs where the clock was set since the last batch: one warning a step.
    fn tell_step(&mut self, draft: &Draft) {
        let Some(step) = self.last_batch.next(draft.at, Instant::now()) else {
            return;
        };
        let (by, what) = match step {
            Step::Back(by) => (by, "the clock went back between two batches"),
            Step::Ahead(by) => (by, "the clock leapt ahead between two batches"),
        };
        let batch = self.memory.head.batch + 1;
        tracing::warn!(link.id = %self.link, batch, clock.step = ?by, "{what}: their numbers order them, not their times");
    }

    /// Nothing to write: what memory says may leave once the head is known to be where memory is.
    pub(crate) async fn confirm(
        &mut self,
        verdicts: &[Option<Verdict>],
    ) -> (Attempt, Vec<Outcome>) {
        let from_memory = |verdict: &Option<Verdict>| match verdict {
            None | Some(Verdict::Confirmed(_) | Verdict::DoneBefore) => true,
            Some(
                Verdict::Committed(_)
                | Verdict::CommittedAgain(_)
                | Verdict::Again(_)
                | Verdict::Now(_)
                | Verdict::Find(..),
            ) => false,
        };
        if self.locked {
            // The lock confirmed it.
            self.unlock().await;
            return (Attempt::Done, Vec::new());
        }
        if !verdicts.iter().any(from_memory) {
            return (Attempt::Done, Vec::new());
        }
        let attempt = match self.journal.read_head().await {
            Ok(head) if head.batch == self.memory.head.batch => match self.memory.adopt(&head) {
                Ok(()) => Attempt::Done,
                Err(error) => self.failed(error),
            },
            Ok(_) => match self.memory.catch_up(&mut self.journal).await {
                Ok(()) => Attempt::Again,
                Err(error) => self.failed(error),
            },
            Err(error) => self.failed(error.into()),
        };
        (attempt, Vec::new())
    }

    /// Another node moved the head: lock it, apply what was missed, and let the next attempt write under the lock.
    async fn catch_up_locked(&mut self) -> Attempt {
        loop {
            let missed = match self.journal.lock_and_read_after(&self.memory.head).await {
                Ok(missed) => missed,
                Err(error) => return self.failed(error.into()),
            };
            self.locked = !missed.more;
            let followed = missed
                .batches
                .iter()
                .try_for_each(|batch| self.memory.follow(batch));
            let adopted = followed.and_then(|()| self.memory.adopt(&missed.head));
            if let Err(error) = adopted {
                self.unlock().await;
                return self.failed(error);
            }
            if !missed.more {
                return Attempt::Again;
            }
        }
    }

    /// Gives the head back.
    pub(crate) async fn unlock(&mut self) {
        if std::mem::take(&mut self.locked) {
            self.journal.unlock().await;
        }
    }

    /// The statement's content; the draft's rows go into it.
    fn new_batch(&self, draft: &mut Draft) -> NewBatch {
        let head = &self.memory.head;
        let before = flat_balances(&self.memory.state);
        let after = flat_balances(&draft.state);
        let at = draft.at;
        let batch = Batch {
            link: self.link,
            number: head.batch + 1,
            at,
            node: self.node.to_string(),
            epoch: head.epoch,
            rule_version: RULE_VERSION,
            period: head.period.max(period_of(at)),
            events: std::mem::take(&mut draft.rows),
            deltas: after
                .iter()
                .zip(&before)
                .map(|(after, before)| after - before)
                .collect(),
            after,
        };
        let status = if draft.state.fault.is_some() {
            STATUS_FAULTED
        } else {
            STATUS_OPEN
        };
        NewBatch {
            previous_hash: head.chain_hash,
            chain_hash: chain_hash(head.chain_hash, &batch),
            batch,
            status,
            marks: std::mem::take(&mut draft.marks),
            hits: draft.hits.values().cloned().collect(),
            tables: std::mem::take(&mut draft.tables),
        }
    }

    /// The draft is durable: it is the state now.
    fn merge(&mut self, draft: Draft, new: &NewBatch) -> Vec<Outcome> {
        let memory = &mut self.memory;
        self.spent.state = Some(std::mem::replace(&mut memory.state, Arc::new(draft.state)));
        memory.head.batch = new.batch.number;
        memory.head.chain_hash = new.chain_hash;
        memory.head.period = new.batch.period;
        memory.events_since_snapshot += u64::try_from(draft.outcomes.len()).unwrap_or(u64::MAX);
        if !draft.hits.is_empty() {
            memory.hits.extend(draft.hits);
            memory.forget_closed_hits();
        }
        for outcome in draft.outcomes.iter().cloned() {
            memory.recent.push(outcome, &mut self.spent.outcomes);
        }
        draft.outcomes
    }

    /// Seeks the outcome of a lost commit for [`RECOVER_MAX`]: it was made, or is decided again.
    async fn recover(&mut self, lost: Box<Lost>) -> (Attempt, Vec<Outcome>) {
        let deadline = Instant::now() + RECOVER_MAX;
        self.lost = Some(lost);
        loop {
            match self.settle_lost().await {
                Ok(Some(outcomes)) => return (Attempt::Done, outcomes),
                Ok(None) => return (Attempt::Settled, Vec::new()),
                Err(_) if Instant::now() < deadline && self.present.damaged().is_none() => {
                    sleep(RECOVER_PAUSE).await;
                }
                Err(_) => return (Attempt::Failed(Denied::OutcomeUnknown), Vec::new()),
            }
        }
    }

    /// Finds out what became of a lost commit, if there is one; its outcomes where it was made. Afterwards memory is
    /// where the head is, and what was not made is decided again under the new epoch.
    ///
    /// # Errors
    /// What callers hear while it can't be found out.
    pub(crate) async fn settle_lost(&mut self) -> Result<Option<Vec<Outcome>>, Denied> {
        if let Some(reason) = self.present.damaged() {
            return Err(Denied::LinkFaulted {
                reason: reason.to_owned(),
            });
        }
        let Some(mut lost) = self.lost.take() else {
            return Ok(None);
        };
        let head = match self.journal.confirm_head().await {
            Ok(head) => head,
            Err(error) => {
                tracing::debug!(error = %Chain(&error), "the head can't be confirmed yet");
                self.lost = Some(lost);
                return Err(Denied::by_store(&error));
            }
        };
        let ours = head.batch == lost.new.batch.number && head.chain_hash == lost.new.chain_hash;
        if ours {
            let outcomes = self.merge(lost.draft, &lost.new);
            let adopted = self.memory.adopt(&head);
            return adopted.map_or_else(|it| Err(self.denied_by(it)), |()| Ok(Some(outcomes)));
        }
        let mut caught_up = Ok(());
        if head.batch != self.memory.head.batch {
            caught_up = self.follow_past(&mut lost).await;
            if let Err(error @ MemoryError::Store(_)) = caught_up {
                self.lost = Some(lost);
                return Err(self.denied_by(error));
            }
        }
        let adopted = caught_up.and_then(|()| self.memory.adopt(&head));
        let outcomes = lost.was_made.then_some(lost.draft.outcomes);
        adopted.map_or_else(|it| Err(self.denied_by(it)), |()| Ok(outcomes))
    }

    /// Follows what was committed since a lost batch was decided, it among that or not: commands of people have no
    /// number by which they would be recognised afterwards.
    async fn follow_past(&mut self, lost: &mut Lost) -> Result<(), MemoryError> {
        if self.memory.head.batch + 1 == lost.new.batch.number {
            let next = self.journal.read_after(&self.memory.head, 1).await?;
            let next = next.batches.first();
            lost.was_made = next.is_some_and(|it| it.chain_hash == lost.new.chain_hash);
        }
        self.memory.catch_up(&mut self.journal).await
    }

    /// A single command that the database refuses. A name that is taken is the caller's affair; any other constraint
    /// says that the rules would have broken the books: the link is faulted.
    pub(crate) async fn rolled_back(&mut self, constraint: Option<String>) -> Denied {
        match constraint.as_deref() {
            Some(TABLE_NAME_CONSTRAINT) => Denied::RequestReused(vec![(
                "table".to_owned(),
                "a table of this name is on another link".to_owned(),
            )]),
            Some(constraint) => {
                tracing::error!(link.id = %self.link, constraint, "the database refused a batch: the link is faulted");
                let reason = BATCH_REFUSED.to_owned();
                if !self.is_faulted_for(&reason).await {
                    self.unlock().await;
                    self.present.damage(reason.clone());
                }
                Denied::LinkFaulted { reason }
            }
            None => Denied::DatabaseUnavailable,
        }
    }

    /// Journals the fault, again while others move the head; whether the link is faulted now.
    async fn is_faulted_for(&mut self, reason: &str) -> bool {
        for _ in 0..ATTEMPTS_MAX {
            if self.memory.state.fault.is_some() {
                self.unlock().await;
                return true;
            }
            let base = self.base();
            let mut draft = Draft::new(&base, 1);
            draft.fault_link(&base, reason.to_owned());
            match self.commit(draft).await {
                (Attempt::Done, _) => return true,
                (Attempt::Again | Attempt::Settled, _) => {}
                (Attempt::Failed(_) | Attempt::RolledBack(_), _) => return false,
            }
        }
        false
    }

    fn failed(&mut self, error: MemoryError) -> Attempt {
        Attempt::Failed(self.denied_by(error))
    }

    /// What callers hear of an error of memory; a damaged journal is never served again.
    fn denied_by(&mut self, error: MemoryError) -> Denied {
        tracing::error!(error = %Chain(&error), link.id = %self.link, "the link can't be served");
        match error {
            MemoryError::Store(error) => Denied::by_store(&error),
            MemoryError::Damaged(reason) => {
                self.present.damage(reason.clone());
                Denied::LinkFaulted { reason }
            }
        }
    }
}
