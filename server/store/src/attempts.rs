//! The append-only record of commands that were refused before the rules decided on them.
//!
//! # Limits
//! One statement reads or writes at most [`ATTEMPTS_MAX`] attempts.

use meterhouse_domain::ids::{ActorId, LinkId, Sequence, TableNo, Timestamp};
use sqlx::postgres::{PgBindIterExt as _, PgConnection, PgRow};

use crate::acts::{NewAct, add_acts};
use crate::error::StoreError;
use crate::numbers::{bounded, to_bigint};
use crate::rows::RowReader;
use crate::sql::attempt::{LIST_ATTEMPTS, NOTE_ATTEMPTS};
use crate::sql::statement::ResultExt as _;
use crate::store::Store;

/// Maximum number of attempts that one statement reads or writes.
pub const ATTEMPTS_MAX: usize = 500;

/// The kind of an attempt.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttemptKind {
    /// Another command under a sequence number that the table has used.
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

    /// Returns the kind's name on the wire.
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
    /// Time of the refusal, by the clock of the node that refused.
    pub at: Timestamp,
    /// Kind of the attempt.
    pub kind: AttemptKind,
    /// Owner of the token.
    pub actor: ActorId,
    /// Link of the attempt.
    pub link: LinkId,
    /// Table of the attempt, if a table made it.
    pub table: Option<TableNo>,
    /// Sequence number that was already used, if the attempt has one.
    pub sequence: Option<Sequence>,
    /// The differences, for people to read.
    pub detail: String,
    /// Number of earlier attempts of the same kind and subject that were not stored.
    pub suppressed: u64,
}

/// A stored attempt, with names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptRow {
    /// Number of the attempt, in ascending order.
    pub number: u64,
    /// Time of the refusal, by the clock of the node that refused.
    pub at: Timestamp,
    /// Kind of the attempt.
    pub kind: AttemptKind,
    /// Name of the token's owner.
    pub actor: Option<String>,
    /// Name of the link.
    pub link: String,
    /// Name of the table, if a table made the attempt.
    pub table: Option<String>,
    /// Sequence number that was already used, if the attempt has one.
    pub sequence: Option<u64>,
    /// Node that refused the attempt.
    pub node: String,
    /// The differences, for people to read.
    pub detail: String,
    /// Number of earlier attempts of the same kind and subject that were not stored.
    pub suppressed: u64,
}

impl Store {
    /// Stores attempts in their order, and their acts at a time, in one transaction.
    ///
    /// # Errors
    /// If the database refuses. Nothing is stored then.
    pub async fn note_attempts(
        &self,
        node: &str,
        attempts: &[Attempt],
        (at, acts): (Timestamp, &[NewAct]),
    ) -> Result<(), StoreError> {
        self.run_tx("attempt.note", async |transaction: &mut PgConnection| {
            for some in attempts.chunks(ATTEMPTS_MAX) {
                note(transaction, node, some).await?;
            }
            add_acts(transaction, at, acts).await
        })
        .await
    }

    /// Returns at most [`ATTEMPTS_MAX`] attempts before a number, newest first, of one link or of
    /// all: those from one time on, before another.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn attempts(
        &self,
        link: Option<LinkId>,
        before: Option<u64>,
        (from, to): (Option<Timestamp>, Option<Timestamp>),
        limit: usize,
    ) -> Result<Vec<AttemptRow>, StoreError> {
        let query = sqlx::query(LIST_ATTEMPTS.sql)
            .bind(to_bigint(before.unwrap_or(u64::MAX)))
            .bind(link.map(|link| link.0))
            .bind(from.map_or(i64::MIN, |from| from.0))
            .bind(to.map_or(i64::MAX, |to| to.0))
            .bind(bounded(limit, ATTEMPTS_MAX));
        let rows = self.inner.rows(LIST_ATTEMPTS, query).await?;
        rows.iter().map(attempt).collect()
    }
}

async fn note(
    transaction: &mut PgConnection,
    node: &str,
    some: &[Attempt],
) -> Result<(), StoreError> {
    let details = some.iter().map(|attempt| attempt.detail.as_str());
    let suppressed = some.iter().map(|attempt| to_bigint(attempt.suppressed));
    sqlx::query(NOTE_ATTEMPTS.sql)
        .bind(some.iter().map(|attempt| attempt.at.0).bind_iter())
        .bind(some.iter().map(|attempt| attempt.kind.code()).bind_iter())
        .bind(some.iter().map(|attempt| attempt.actor.0).bind_iter())
        .bind(some.iter().map(|attempt| attempt.link.0).bind_iter())
        .bind(some.iter().map(table_of).bind_iter())
        .bind(some.iter().map(sequence_of).bind_iter())
        .bind(node)
        .bind(details.bind_iter())
        .bind(suppressed.bind_iter())
        .execute(transaction)
        .await
        .in_statement(NOTE_ATTEMPTS)
        .map(drop)
}

fn table_of(attempt: &Attempt) -> Option<i32> {
    attempt.table.map(|table| table.0.cast_signed())
}

fn sequence_of(attempt: &Attempt) -> Option<i64> {
    attempt.sequence.map(|sequence| to_bigint(sequence.0))
}

fn attempt(row: &PgRow) -> Result<AttemptRow, StoreError> {
    let row = RowReader::new(LIST_ATTEMPTS, "attempt", row);
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
