//! A new batch: the content of one commit.

use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::hit::HitRow;

/// The content of one commit.
#[derive(Clone, Debug)]
pub struct NewBatch {
    /// Batch; its number is the head's plus one, its epoch the head's.
    pub batch: Batch,
    /// Hash of the head on which the batch was decided.
    pub previous_hash: ChainHash,
    /// Hash of this batch.
    pub chain_hash: ChainHash,
    /// Link status that displays see.
    pub status: i16,
    /// Marks of commands: one for every 64 commands of a table.
    pub marks: Vec<Mark>,
    /// Hits as they are after the batch, each once.
    pub hits: Vec<HitRow>,
    /// Tables that joined in the batch.
    pub tables: Vec<JoinedRow>,
}

impl NewBatch {
    /// Returns `true` if the batch changes no hit and adds no table.
    pub(crate) fn is_routine(&self) -> bool {
        self.hits.is_empty() && self.tables.is_empty()
    }
}

/// A mark, by which an old command is found.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Number of the table on the link.
    pub table: u32,
    /// Sequence number of the command.
    pub sequence: u64,
    /// Index of the command's event in the batch.
    pub position: u32,
}

/// A table that joined in a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedRow {
    /// Number of the table on the link.
    pub table_no: u32,
    /// Name of the table, unique in the house.
    pub name: String,
    /// Game of the table.
    pub game: String,
    /// Number of seats on the layout.
    pub seats: u8,
}
