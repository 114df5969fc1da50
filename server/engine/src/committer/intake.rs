//! Deciding the next batch while the last one is in Postgres.
//!
//! # Shape
//! What comes while a statement runs is decided at once, on what that statement's batch leaves. Committed, the next
//! batch is ready to be sent; otherwise its draft is dropped and its commands are decided again.
//!
//! # What bounds it
//! One batch ahead, of [`BATCH_COMMANDS_MAX`] commands; what comes after waits in the queue.
//!
//! # Order
//! Nothing of a batch ahead is answered before its own commit, so nothing leaves that stands on a batch that was lost.

use std::pin::pin;

use meterhouse_journal::batch::ChainHash;
use meterhouse_store::{Commit, Journal, NewBatch};

use tokio::time::timeout;

use crate::committer::draft::{Base, Draft, Verdict};
use crate::committer::refusal_limit::RefusalLimit;
use crate::committer::run_loop::{
    Ask, BATCH_COMMANDS_MAX, Committer, Decided, IDLE_MAX, Work, refuse_overdue,
};

/// What was taken from the queue while a batch was on its way.
#[derive(Default)]
pub(crate) struct Ahead {
    /// Who asks.
    pub(crate) works: Vec<Work>,
    /// What they will hear, if the journal stands where this was decided.
    decided: Option<(ChainHash, Decided)>,
}

impl Ahead {
    /// Hands it over, the decision only if it was made on this head.
    pub(crate) fn take(&mut self, head: ChainHash) -> (Vec<Work>, Option<Decided>) {
        let ahead = std::mem::take(self);
        let decided = ahead.decided.filter(|(on, _)| *on == head);
        (ahead.works, decided.map(|(_, decided)| decided))
    }
}

impl<J: Journal> Committer<J> {
    /// What is served next; nothing once the queue is closed and empty.
    pub(crate) async fn gather(&mut self) -> Option<(Vec<Work>, Option<Decided>)> {
        let (mut works, mut decided) = self.ahead.take(self.memory.head.chain_hash);
        let before = works.len();
        if works.is_empty() {
            let waiting = self.queue.recv_many(&mut works, BATCH_COMMANDS_MAX);
            match timeout(IDLE_MAX, waiting).await {
                Ok(0) => return None,
                // Closing first, then draining: a command sent in between is still served.
                Err(_) if self.memory.state.proposals.is_empty() => self.queue.close(),
                // What waits here for a second person has to expire in time.
                Ok(_) | Err(_) => {}
            }
        } else {
            while works.len() < BATCH_COMMANDS_MAX
                && let Ok(work) = self.queue.try_recv()
            {
                works.push(work);
            }
        }
        if let Some((draft, verdicts)) = &mut decided {
            let base = Base {
                at: draft.at,
                ..self.base()
            };
            for work in works.iter().skip(before) {
                verdicts.push(work.decide(draft, &base, &self.limit));
            }
        } else {
            works = refuse_overdue(works);
        }
        Some((works, decided))
    }

    /// Sends a batch and decides meanwhile what comes. While commands taken before are not served yet (each of a batch
    /// by itself, after the database refused one), nothing more is taken.
    pub(crate) async fn send(&mut self, draft: &Draft, new: &NewBatch) -> Commit {
        if !self.ahead.works.is_empty() {
            return self.journal.commit(new).await;
        }
        let base = Base {
            state: &draft.state,
            before: Some(draft),
            batch: new.batch.number + 1,
            recent: &self.memory.recent,
            hits: &self.memory.hits,
            chance: &self.chance,
            at: (self.clock)(),
            books_passed: self.present.books_passed(),
        };
        let mut next = Draft::new(&base, new.batch.events.len());
        let mut verdicts = Vec::with_capacity(new.batch.events.len());
        let works = &mut self.ahead.works;
        let mut is_open = true;
        let mut commit = pin!(self.journal.commit(new));
        let committed = loop {
            let decided = works.len();
            let room = BATCH_COMMANDS_MAX.saturating_sub(decided);
            tokio::select! {
                biased;
                committed = &mut commit => break committed,
                taken = self.queue.recv_many(works, room), if is_open && room > 0 => {
                    is_open = taken > 0;
                }
            }
            for work in works.iter().skip(decided) {
                verdicts.push(work.decide(&mut next, &base, &self.limit));
            }
        };
        if !works.is_empty() {
            self.ahead.decided = Some((new.chain_hash, (next, verdicts)));
        }
        committed
    }
}

impl Work {
    /// Decides it on a draft; a question has no verdict.
    pub(crate) fn decide(
        &self,
        draft: &mut Draft,
        base: &Base<'_>,
        limit: &RefusalLimit,
    ) -> Option<Verdict> {
        match &self.ask {
            Ask::Command { envelope, .. } => Some(draft.decide(base, limit, envelope)),
            Ask::Look { .. } => None,
        }
    }
}
