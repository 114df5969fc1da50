//! Attempts that were refused before the rules saw them: an append-only trace beside the journal.
//!
//! # What bounds it
//! [`ATTEMPTS_MAX`] attempts in one statement, either way.

use meterhouse_domain::ids::{ActorId, LinkId, Sequence, TableNo, Timestamp};
use sqlx::postgres::{PgBindIterExt as _, PgRow};

use crate::error::StoreError;
use crate::numbers::{bounded, stored};
use crate::rows::Of;
use crate::sql::attempt::{LIST_ATTEMPTS, NOTE_ATTEMPTS};
use crate::store::Store;

/// Attempts in one statement.
pub const ATTEMPTS_MAX: usize = 500;

/// The kind of an attempt.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttemptKind {
    /// Another command under a number that a table has used.
    SequenceReused,
    /// Other terms for a link that is open.
    TermsChanged,
    /// A table that is on another link.
    TableMoved,
    /// Another proposal under a name that was used.
    ProposalReused,
}

impl AttemptKind {
    const ALL: [Self; 4] = [
        Self::SequenceReused,
        Self::TermsChanged,
        Self::TableMoved,
        Self::ProposalReused,
    ];

    /// Returns the word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SequenceReused => "sequence_reused",
            Self::TermsChanged => "terms_changed",
            Self::TableMoved => "table_moved",
            Self::ProposalReused => "proposal_reused",
        }
    }

    const fn code(self) -> i16 {
        match self {
            Self::SequenceReused => 1,
            Self::TermsChanged => 2,
            Self::TableMoved => 3,
            Self::ProposalReused => 4,
        }
    }
}

/// An attempt that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The time of the node that refused it.
    pub at: Timestamp,
    /// Its kind.
    pub kind: AttemptKind,
    /// The token's owner.
    pub actor: ActorId,
    /// The link.
    pub link: LinkId,
    /// The table, where it is about one.
    pub table: Option<TableNo>,
    /// The number that was used, where it has one.
    pub sequence: Option<Sequence>,
    /// The differences, for people to read.
    pub detail: String,
    /// Attempts of the same kind and subject before it that have no row.
    pub suppressed: u64,
}

/// An attempt as it is read again, with names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptRow {
    /// Its number, ascending.
    pub number: u64,
    /// The time of the node that refused it.
    pub at: Timestamp,
    /// Its kind.
    pub kind: AttemptKind,
    /// The name of the token's owner.
    pub actor: Option<String>,
    /// The link.
    pub link: String,
    /// The table, where it is about one.
    pub table: Option<String>,
    /// The number that was used, where it has one.
    pub sequence: Option<u64>,
    /// The node that refused it.
    pub node: String,
    /// The differences, for people to read.
    pub detail: String,
    /// Attempts of the same kind and subject before it that have no row.
    pub suppressed: u64,
}

impl Store {
    /// Adds attempts in their order.
    ///
    /// # Errors
    /// If the database refuses; whole pages of [`ATTEMPTS_MAX`] may have been added.
    pub async fn note_attempts(&self, node: &str, attempts: &[Attempt]) -> Result<(), StoreError> {
        for some in attempts.chunks(ATTEMPTS_MAX) {
            let query = sqlx::query(NOTE_ATTEMPTS.sql)
                .bind(some.iter().map(|attempt| attempt.at.0).bind_iter())
                .bind(some.iter().map(|attempt| attempt.kind.code()).bind_iter())
                .bind(some.iter().map(|attempt| attempt.actor.0).bind_iter())
                .bind(some.iter().map(|attempt| attempt.link.0).bind_iter())
                .bind(some.iter().map(table_of).bind_iter())
                .bind(some.iter().map(sequence_of).bind_iter())
                .bind(node)
                .bind(
                    some.iter()
                        .map(|attempt| attempt.detail.as_str())
                        .bind_iter(),
                )
                .bind(
                    some.iter()
                        .map(|attempt| stored(attempt.suppressed))
                        .bind_iter(),
                );
            self.inner.run(NOTE_ATTEMPTS, query).await?;
        }
        Ok(())
    }

    /// Reads attempts before one, of one link or of all, newest first, at most [`ATTEMPTS_MAX`].
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn attempts(
        &self,
        link: Option<LinkId>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<AttemptRow>, StoreError> {
        let query = sqlx::query(LIST_ATTEMPTS.sql)
            .bind(stored(before.unwrap_or(u64::MAX)))
            .bind(link.map(|link| link.0))
            .bind(bounded(limit, ATTEMPTS_MAX));
        let rows = self.inner.rows(LIST_ATTEMPTS, query).await?;
        rows.iter().map(attempt).collect()
    }
}

fn table_of(attempt: &Attempt) -> Option<i32> {
    attempt.table.map(|table| table.0.cast_signed())
}

fn sequence_of(attempt: &Attempt) -> Option<i64> {
    attempt.sequence.map(|sequence| stored(sequence.0))
}

fn attempt(row: &PgRow) -> Result<AttemptRow, StoreError> {
    let row = Of::new(LIST_ATTEMPTS, "attempt", row);
    let code: i16 = row.get("kind")?;
    let kind = AttemptKind::ALL
        .into_iter()
        .find(|kind| kind.code() == code);
    let sequence: Option<i64> = row.get("sequence")?;
    Ok(AttemptRow {
        number: row.number::<u64, i64>("attempt_id")?,
        at: Timestamp(row.get("at")?),
        kind: kind.ok_or(StoreError::Inconsistent {
            table: "attempt",
            column: "kind",
        })?,
        actor: row.get("actor_name")?,
        link: row.get("link_name")?,
        table: row.get("table_name")?,
        sequence: sequence.and_then(|sequence| u64::try_from(sequence).ok()),
        node: row.get("node")?,
        detail: row.get("detail")?,
        suppressed: row.number::<u64, i64>("suppressed")?,
    })
}
