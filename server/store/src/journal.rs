//! The committer's interface to its link's journal. A simulation can replace it with a faulty one.
//!
//! # Shape
//! [`Journal::commit`] writes a batch and returns what is known about it. After [`Commit::Moved`]
//! another node was first: the committer catches up under the lock and commits there. After
//! [`Commit::Unknown`], [`Journal::confirm_head`] returns the head, which shows the outcome.
//!
//! # Order and locking
//! A process has one committer per link. The handle is `&mut`, so that requests are sequential.
//! From [`Journal::lock_and_read_after`] to the commit that ends the lock, the link's head is
//! locked, for at most `idle_in_transaction_session_timeout` (3 s).

use std::sync::Arc;

use meterhouse_domain::ids::HitId;
use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::hit::HitRow;

use crate::error::StoreError;
use crate::open_batch::OpenBatch;

/// The head of a link: the one row that moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Number of the last batch; 0 before the first.
    pub batch: u64,
    /// Fencing epoch: keeps lost statements out.
    pub epoch: i64,
    /// Hash of the last batch; [`ChainHash::GENESIS`] before the first.
    pub chain_hash: ChainHash,
    /// Period of the last batch.
    pub period: i32,
}

/// The known outcome of a batch that was sent.
#[derive(Debug)]
pub enum Commit {
    /// The batch is durable.
    Committed,
    /// The batch wrote nothing: the head had moved since the batch was decided.
    Moved,
    /// The batch wrote nothing: the database refused it, or was not reached.
    RolledBack(RolledBack),
    /// The outcome is unknown until [`Journal::confirm_head`] returns.
    Unknown(StoreError),
    /// The batch wrote nothing: this server takes no writes, for example a standby.
    ReadOnly,
}

/// The reason why a batch wrote nothing.
#[derive(Debug)]
pub struct RolledBack {
    /// Name of the violated constraint, if any.
    pub constraint: Option<String>,
    /// Error of the database.
    pub source: StoreError,
}

/// A batch as it was read from the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBatch {
    /// Batch with its events.
    pub batch: Batch,
    /// Stored hash of the batch, which the reader compares with its own.
    pub chain_hash: ChainHash,
}

/// The batches that a node missed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// Head at the time of the lock, or at the start of reading.
    pub head: Head,
    /// Batches after the requested one, in their order.
    pub batches: Vec<StoredBatch>,
    /// `true` if more batches are missing. Then nothing is locked, and the caller reads on after
    /// these.
    pub more: bool,
}

/// A command that was found by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundCommand {
    /// Whole batch of the command and some batches after it, which the next query most often needs.
    pub batches: Vec<StoredBatch>,
    /// Index of the command in the first batch.
    pub position: usize,
}

/// A stored snapshot of a link's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSnapshot {
    /// Last batch in the snapshot.
    pub batch: u64,
    /// Format of the state's bytes.
    pub format: u16,
    /// Hash of the last batch.
    pub chain_hash: ChainHash,
    /// State in that format.
    pub state: Vec<u8>,
}

/// The journal of one link.
pub trait Journal: Send + 'static {
    /// Writes a batch in one statement that commits by itself, perhaps together with batches of other links. Under the
    /// lock, COMMIT follows the statement. The batch may grow until it is sent.
    fn commit(&mut self, batch: &Arc<OpenBatch>) -> impl Future<Output = Commit> + Send;

    /// Returns the maximum number of events that the next batch should have, if there is one now.
    fn events_max(&self) -> Option<usize>;

    /// Returns the current head.
    ///
    /// # Errors
    /// If the query fails, or the database has no such link.
    fn read_head(&mut self) -> impl Future<Output = Result<Head, StoreError>> + Send;

    /// Resolves [`Commit::Unknown`]: waits on a new connection for the lost statement if it still
    /// runs. Then raises the epoch, which keeps the statement out for good if it arrives later.
    /// Returns the head with the new epoch.
    ///
    /// # Errors
    /// If the query fails. The outcome is then still unknown, and the caller retries.
    fn confirm_head(&mut self) -> impl Future<Output = Result<Head, StoreError>> + Send;

    /// Locks the head, then returns the batches after `after`. The next commit or
    /// [`unlock`](Self::unlock) ends the lock. Nothing stays locked if more batches are missing
    /// than one call reads.
    ///
    /// # Errors
    /// If the query fails; then nothing is locked.
    fn lock_and_read_after(
        &mut self,
        after: &Head,
    ) -> impl Future<Output = Result<Missed, StoreError>> + Send;

    /// Releases the lock without writing. Does nothing if nothing is locked.
    fn unlock(&mut self) -> impl Future<Output = ()> + Send;

    /// Returns at most `limit` batches after a head, for loading a link.
    ///
    /// # Errors
    /// If the query fails.
    fn read_after(
        &mut self,
        after: &Head,
        limit: usize,
    ) -> impl Future<Output = Result<Missed, StoreError>> + Send;

    /// Returns an old command of a table, with at most
    /// [`FOUND_BATCHES_MAX`](crate::FOUND_BATCHES_MAX) batches.
    ///
    /// # Errors
    /// If the query fails.
    fn find(
        &mut self,
        table: u32,
        sequence: u64,
    ) -> impl Future<Output = Result<Option<FoundCommand>, StoreError>> + Send;

    /// Returns the newest snapshot, or the newest one before a batch whose snapshot is unreadable.
    ///
    /// # Errors
    /// If the query fails.
    fn load_snapshot(
        &mut self,
        below: Option<u64>,
    ) -> impl Future<Output = Result<Option<StoredSnapshot>, StoreError>> + Send;

    /// Stores a snapshot, keeps its predecessor and deletes older ones.
    ///
    /// # Errors
    /// If the database refuses.
    fn save_snapshot(
        &mut self,
        snapshot: &StoredSnapshot,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Returns the rows of these hits, for a link that was loaded with hits in open rounds.
    ///
    /// # Errors
    /// If the query fails.
    fn hit_rows(
        &mut self,
        hits: &[HitId],
    ) -> impl Future<Output = Result<Vec<HitRow>, StoreError>> + Send;

    /// Returns another handle of the same journal, for work concurrent with the committer's, such
    /// as writing a snapshot.
    #[must_use]
    fn another_handle(&self) -> Self;
}
