//! A consistent read of a whole link, for checks.
//!
//! # Shape
//! A [`LinkReader`] has two connections that see the same snapshot. [`LinkReader::for_each_batch`]
//! copies batches from one and events from the other, both in key order, and joins them in one pass
//! of any size. The remaining rows are read before or after the pass.
//!
//! # Limits
//! One batch is in memory at a time. The pages of [`LinkReader::hits`] and [`LinkReader::marks`] have
//! their limits. No statement has a time limit, because copying a journal may take long. The
//! connections are used for nothing else.
//!
//! # Order and locking
//! REPEATABLE READ, READ ONLY, the one exception to READ COMMITTED. Nothing is locked, but dead
//! rows of the heads remain until the transaction ends. The connections are closed, never reused.

use meterhouse_domain::ids::{HitOrder, LinkId, TableNo};
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::position::Position;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _};

use crate::error::StoreError;
use crate::feed::HeadRow;
use crate::hits::{self, FoundHit, HITS_MAX, HitSelection};
use crate::journal::Head;
use crate::links::{self, LIST_MAX, LinkRow, TableRow};
use crate::numbers::{bounded, to_bigint};
use crate::rows::{self, RowReader};
use crate::sql::statement::ResultExt as _;
use crate::sql::verify::{BEGIN_VIEW, EXPORT_VIEW, HEAD, MARKS, PAYTABLE, SET_LINK, UNNAMED_LINKS};
use crate::store::Store;

pub mod pieces;

/// Maximum number of marks in one page.
pub const MARKS_MAX: usize = 10_000;
/// Name of the statement that takes the other connection's snapshot.
const IMPORT_VIEW: &str = "verify.same_moment";

/// A consistent view of one link.
#[derive(Debug)]
pub struct LinkReader {
    link: LinkId,
    batches: PgConnection,
    events: PgConnection,
}

/// The paytable that was stored when a link opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaytableRow {
    /// SHA-256 of the paytable's content.
    pub content_hash: [u8; HASH_BYTES],
    /// Id of the paytable.
    pub paytable_id: String,
    /// Paytable as it was.
    pub document: Vec<u8>,
}

/// A mark, by which an old command is found.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MarkRow {
    /// Number of the table on the link.
    pub table: u32,
    /// Sequence number of the command.
    pub sequence: u64,
    /// Period of the command's batch.
    pub period: i32,
    /// Position of the command's event.
    pub position: Position,
}

impl Store {
    /// Opens a consistent view of a link.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn view_link(&self, link: LinkId) -> Result<LinkReader, StoreError> {
        let mut batches = self.inner.primary.connect("0").await?.connection;
        let mut events = self.inner.primary.connect("0").await?.connection;
        begin(&mut batches).await?;
        let name = sqlx::query_scalar::<_, String>(EXPORT_VIEW.sql)
            .fetch_one(&mut batches)
            .await;
        let name = name.in_statement(EXPORT_VIEW)?;
        begin(&mut events).await?;
        import_snapshot(&mut events, &name).await?;
        for connection in [&mut batches, &mut events] {
            let set = sqlx::query(SET_LINK.sql).bind(link.0.to_string());
            set.execute(connection).await.in_statement(SET_LINK)?;
        }
        Ok(LinkReader {
            link,
            batches,
            events,
        })
    }
}

impl Store {
    /// Returns the numbers of links that have batches or a head, but no row of their own.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn unnamed_links(&self) -> Result<Vec<LinkId>, StoreError> {
        let query = sqlx::query(UNNAMED_LINKS.sql);
        let rows = self.inner.rows(UNNAMED_LINKS, query).await?;
        let link = |row| {
            RowReader::new(UNNAMED_LINKS, "batch", row)
                .get("link_id")
                .map(LinkId)
        };
        rows.iter().map(link).collect()
    }
}

impl LinkReader {
    /// Returns the link; `None` if there is no link with this number.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn link(&mut self) -> Result<Option<LinkRow>, StoreError> {
        links::link_by_id(&mut self.batches, self.link).await
    }

    /// Returns the head, with the balances and the status that displays see.
    ///
    /// # Errors
    /// If the query fails, or the database has no such link.
    pub async fn head(&mut self) -> Result<(Head, HeadRow), StoreError> {
        let link = self.link;
        let query = sqlx::query(HEAD.sql).bind(link.0);
        let row = query
            .fetch_optional(&mut self.batches)
            .await
            .in_statement(HEAD)?;
        let row = row.ok_or(StoreError::NoSuchLink { link })?;
        let head = rows::head(HEAD, &row)?;
        let Head {
            batch,
            epoch,
            period,
            chain_hash,
        } = head;
        let row = RowReader::new(HEAD, "link_head", &row);
        let (status, balances) = (row.get("status")?, row.get("balances")?);
        Ok((
            head,
            HeadRow {
                link,
                batch,
                epoch,
                chain_hash,
                period,
                status,
                balances,
            },
        ))
    }

    /// Returns the paytable that was stored when the link opened.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn paytable(&mut self) -> Result<Option<PaytableRow>, StoreError> {
        let query = sqlx::query(PAYTABLE.sql).bind(self.link.0);
        let Some(row) = query
            .fetch_optional(&mut self.batches)
            .await
            .in_statement(PAYTABLE)?
        else {
            return Ok(None);
        };
        let row = RowReader::new(PAYTABLE, "paytable", &row);
        Ok(Some(PaytableRow {
            content_hash: row.hash("content_hash")?,
            paytable_id: row.get("paytable_id")?,
            document: row.get("document")?,
        }))
    }

    /// Returns at most [`LIST_MAX`] tables after one.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn tables(&mut self, after: TableNo) -> Result<Vec<TableRow>, StoreError> {
        let after = (self.link, after);
        links::tables(&mut self.batches, Some(self.link), after, LIST_MAX).await
    }

    /// Returns at most [`HITS_MAX`] hits after one, with their payouts.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn hits(&mut self, after: HitOrder) -> Result<Vec<FoundHit>, StoreError> {
        let filter = HitSelection {
            link: Some(self.link),
            state: None,
            entered: hits::Entered::default(),
        };
        hits::page(&mut self.batches, filter, (self.link, after), HITS_MAX).await
    }

    /// Returns at most [`MARKS_MAX`] marks after one (table, sequence).
    ///
    /// # Errors
    /// If the query fails.
    pub async fn marks(&mut self, after: (u32, u64)) -> Result<Vec<MarkRow>, StoreError> {
        let query = sqlx::query(MARKS.sql)
            .bind(self.link.0)
            .bind(after.0.cast_signed())
            .bind(to_bigint(after.1))
            .bind(bounded(MARKS_MAX, MARKS_MAX));
        let rows = query
            .fetch_all(&mut self.batches)
            .await
            .in_statement(MARKS)?;
        let mark = |row| {
            let row = RowReader::new(MARKS, "table_mark", row);
            let position = Position {
                batch: row.number::<u64, i64>("batch")?,
                index: row.number::<u32, i32>("position")?,
            };
            Ok(MarkRow {
                table: row.number::<u32, i32>("table_no")?,
                sequence: row.number::<u64, i64>("sequence")?,
                period: row.get("period")?,
                position,
            })
        };
        rows.iter().map(mark).collect()
    }

    /// Ends the view.
    ///
    /// # Errors
    /// If the connection is lost; the view has then ended as well.
    pub async fn close(self) -> Result<(), StoreError> {
        for connection in [self.batches, self.events] {
            connection
                .close()
                .await
                .map_err(|source| StoreError::Connect { source })?;
        }
        Ok(())
    }
}

async fn begin(connection: &mut PgConnection) -> Result<(), StoreError> {
    let begun = sqlx::raw_sql(BEGIN_VIEW.sql).execute(connection).await;
    begun.in_statement(BEGIN_VIEW).map(drop)
}

/// Takes the snapshot of the other connection. SET TRANSACTION takes no parameter, so that the
/// name, although the server returned it, is checked before it becomes part of the statement.
async fn import_snapshot(connection: &mut PgConnection, name: &str) -> Result<(), StoreError> {
    if !name
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
    {
        return Err(StoreError::Inconsistent {
            table: "pg_export_snapshot",
            column: "name",
        });
    }
    let set = AssertSqlSafe(format!(
        "/* {IMPORT_VIEW} */ SET TRANSACTION SNAPSHOT '{name}'"
    ));
    let set = sqlx::raw_sql(set).execute(connection).await;
    set.map(drop).map_err(|source| StoreError::Statement {
        name: IMPORT_VIEW,
        source,
    })
}
