//! What a committer asks of its link's journal, so that a simulation can put a faulty one in its
//! place.
//!
//! # Shape
//! [`Journal::commit`] writes a batch; its answer says what is known about it. Moved: another node
//! was first, catch up under the lock and commit there. Unknown: [`Journal::confirm_head`], then
//! the head tells.
//!
//! # What order or lock holds
//! One committer a link and process; the handle is `&mut`, so that it asks one thing at a time.
//! Between [`Journal::lock_and_read_after`] and the commit that ends it the link's head is locked,
//! for as long as `idle_in_transaction_session_timeout` allows (3 s).

use meterhouse_domain::ids::HitId;
use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::hit::HitRow;

use crate::error::StoreError;

/// Where a link stands: the one row that moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of its last batch; 0 before the first.
    pub batch: u64,
    /// The fence against lost statements.
    pub epoch: i64,
    /// The last batch's hash; [`ChainHash::GENESIS`] before the first.
    pub chain_hash: ChainHash,
    /// The last batch's period.
    pub period: i32,
}

/// What one commit writes.
#[derive(Clone, Debug)]
pub struct NewBatch {
    /// The batch; its number is the head's plus one, its epoch the head's.
    pub batch: Batch,
    /// The head's hash: says that the head's batch is the one this was decided on.
    pub previous_hash: ChainHash,
    /// This batch's hash.
    pub chain_hash: ChainHash,
    /// What displays see of the link's state.
    pub status: i16,
    /// Which commands get a mark: one for each 64 of a table.
    pub marks: Vec<Mark>,
    /// Hits as they stand after it, each once.
    pub hits: Vec<HitRow>,
    /// Tables that joined.
    pub tables: Vec<JoinedRow>,
}

/// Where an old command is found again.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The table.
    pub table: u32,
    /// The command's number.
    pub sequence: u64,
    /// Its event's place in the batch.
    pub position: u32,
}

/// A table that joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedRow {
    /// Its number on the link.
    pub table_no: u32,
    /// Its name, unique in the house.
    pub name: String,
    /// Its game.
    pub game: String,
    /// Seats on its layout.
    pub seats: u8,
}

/// What is known about a batch that was sent.
#[derive(Debug)]
pub enum Commit {
    /// It is durable.
    Committed,
    /// It wrote nothing: the head is no longer where this batch was decided.
    Moved,
    /// It wrote nothing: the database refused it, or it never got there.
    RolledBack(RolledBack),
    /// Nobody knows: ask [`Journal::confirm_head`].
    Unknown(StoreError),
    /// It wrote nothing: this server takes no writes, such as a standby.
    ReadOnly,
}

/// Why a batch wrote nothing.
#[derive(Debug)]
pub struct RolledBack {
    /// The constraint that was violated, if one was.
    pub constraint: Option<String>,
    /// The error.
    pub source: StoreError,
}

/// A batch as it was read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBatch {
    /// The batch.
    pub batch: Batch,
    /// Its hash, as it was stored: to be compared, not believed.
    pub chain_hash: ChainHash,
}

/// What a node missed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// The head as it was locked, or was when reading began.
    pub head: Head,
    /// The batches after the one asked for, in their order.
    pub batches: Vec<StoredBatch>,
    /// Whether more are missing: then nothing is locked; ask again after these.
    pub more: bool,
}

/// A command that was found again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundCommand {
    /// Its batch, whole, and some of the batches after it: what is asked for next stands there most often.
    pub batches: Vec<StoredBatch>,
    /// Its place in the first batch.
    pub position: usize,
}

/// A state that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSnapshot {
    /// The last batch in it.
    pub batch: u64,
    /// How its bytes are written.
    pub format: u16,
    /// That batch's hash.
    pub chain_hash: ChainHash,
    /// The state.
    pub state: Vec<u8>,
}

/// The journal of one link.
pub trait Journal: Send + 'static {
    /// Writes a batch: one statement that commits by itself, or while locked the same one and
    /// COMMIT.
    fn commit(&mut self, batch: &NewBatch) -> impl Future<Output = Commit> + Send;

    /// The head, confirmed now.
    ///
    /// # Errors
    /// If the database can't be asked, or has no such link.
    fn read_head(&mut self) -> impl Future<Output = Result<Head, StoreError>> + Send;

    /// After [`Commit::Unknown`]: on a new connection waits for the lost statement if it still
    /// runs, and raises the epoch so that it is kept out for good if it comes later. Answers the
    /// head with the new epoch.
    ///
    /// # Errors
    /// If the database can't be asked; then nothing is known yet, ask again.
    fn confirm_head(&mut self) -> impl Future<Output = Result<Head, StoreError>> + Send;

    /// Locks the head, then reads what `after` misses. The next commit ends the lock; so does
    /// [`unlock`](Self::unlock). Where more is missing than is read at once nothing stays locked.
    ///
    /// # Errors
    /// If the database can't be asked; then nothing is locked.
    fn lock_and_read_after(
        &mut self,
        after: &Head,
    ) -> impl Future<Output = Result<Missed, StoreError>> + Send;

    /// Gives the lock back without writing. Does nothing where nothing is locked.
    fn unlock(&mut self) -> impl Future<Output = ()> + Send;

    /// At most `limit` batches after one, for loading a link.
    ///
    /// # Errors
    /// If the database can't be asked.
    fn read_after(
        &mut self,
        after: &Head,
        limit: usize,
    ) -> impl Future<Output = Result<Missed, StoreError>> + Send;

    /// An old command of a table, with at most [`FOUND_BATCHES_MAX`](crate::FOUND_BATCHES_MAX) batches.
    ///
    /// # Errors
    /// If the database can't be asked.
    fn find(
        &mut self,
        table: u32,
        sequence: u64,
    ) -> impl Future<Output = Result<Option<FoundCommand>, StoreError>> + Send;

    /// The newest state, or the newest below a batch where that one turned out unreadable.
    ///
    /// # Errors
    /// If the database can't be asked.
    fn load_snapshot(
        &mut self,
        below: Option<u64>,
    ) -> impl Future<Output = Result<Option<StoredSnapshot>, StoreError>> + Send;

    /// Keeps a state and its predecessor, deletes older ones.
    ///
    /// # Errors
    /// If the database refuses.
    fn save_snapshot(
        &mut self,
        snapshot: &StoredSnapshot,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The rows of these hits as people see them, for a link that was loaded with hits in open
    /// rounds.
    ///
    /// # Errors
    /// If the database can't be asked.
    fn hit_rows(
        &mut self,
        hits: &[HitId],
    ) -> impl Future<Output = Result<Vec<HitRow>, StoreError>> + Send;

    /// Another handle of the same journal, for work beside the committer's, such as writing a
    /// snapshot.
    #[must_use]
    fn beside(&self) -> Self;
}
