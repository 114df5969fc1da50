//! The resolution of a commit of unknown outcome.
//!
//! # Shape
//! The connection was lost between the statement and its result. The head is locked on a new connection, which waits
//! for the statement if it still runs. The head's fencing epoch is raised, so a late statement has no effect. Then the
//! head shows the outcome: it names the batch, or a later batch follows it in the journal, or the batch was not
//! committed.

use std::sync::Arc;

use meterhouse_domain::event::Origin;
use meterhouse_store::{Journal, NewBatch, StoreError};

use super::draft::Draft;
use super::replica::{Replica, ReplicaError};
use crate::answer::Outcome;

/// A batch whose commit has an unknown outcome.
pub(crate) struct UnresolvedCommit {
    draft: Draft,
    new: Arc<NewBatch>,
    /// Set once the batch was found in the journal, before batches of other nodes.
    was_committed: bool,
}

/// A failure to resolve.
pub(crate) enum ResolveError {
    /// The database can't be reached. The commit stays unresolved.
    Unreachable(Box<UnresolvedCommit>, StoreError),
    /// The journal is damaged.
    Damaged(ReplicaError),
}

impl UnresolvedCommit {
    pub(crate) const fn new(draft: Draft, new: Arc<NewBatch>) -> Self {
        Self {
            draft,
            new,
            was_committed: false,
        }
    }

    /// Returns `true` if the batch contains a command of this origin. Commands of people have no numbers, so all of
    /// them match.
    pub(crate) fn contains(&self, origin: Origin) -> bool {
        let mut outcomes = self.draft.outcomes.iter();
        outcomes.any(|outcome| outcome.recorded.origin == origin)
    }

    /// Resolves the commit and brings the replica to the head. Returns the outcomes if the batch was committed.
    /// Otherwise its commands have to be decided again, under the new epoch.
    ///
    /// # Errors
    /// [`ResolveError`] if the database can't be reached or the journal is damaged.
    pub(crate) async fn resolve<J: Journal>(
        mut self: Box<Self>,
        journal: &mut J,
        replica: &mut Replica,
    ) -> Result<Option<Vec<Outcome>>, ResolveError> {
        let head = match journal.confirm_head().await {
            Ok(head) => head,
            Err(error) => return Err(ResolveError::Unreachable(self, error)),
        };
        let is_head = head.batch == self.new.batch.number && head.chain_hash == self.new.chain_hash;
        if is_head {
            let outcomes = replica.merge(self.draft, &self.new);
            let adopted = replica.adopt(&head).map_err(ResolveError::Damaged);
            return adopted.map(|()| Some(outcomes));
        }
        if head.batch != replica.head().batch {
            match self.follow(journal, replica).await {
                Ok(()) => {}
                Err(ReplicaError::Store(error)) => {
                    return Err(ResolveError::Unreachable(self, error));
                }
                Err(error) => return Err(ResolveError::Damaged(error)),
            }
        }
        replica.adopt(&head).map_err(ResolveError::Damaged)?;
        Ok(self.was_committed.then_some(self.draft.outcomes))
    }

    /// Applies the batches committed since the draft was decided. Records if the lost batch is among them.
    async fn follow<J: Journal>(
        &mut self,
        journal: &mut J,
        replica: &mut Replica,
    ) -> Result<(), ReplicaError> {
        if replica.head().batch + 1 == self.new.batch.number {
            let next = journal.read_after(replica.head(), 1).await?;
            let next = next.batches.first();
            self.was_committed = next.is_some_and(|batch| batch.chain_hash == self.new.chain_hash);
        }
        replica.catch_up(journal).await
    }
}
