//! Links and their tables: opening, finding, listing.
//!
//! # Order and locking
//! A link is opened in one transaction with its first batch, through the same commit statement as
//! every batch. A link without a first batch is therefore never visible.

use meterhouse_domain::ids::{LinkId, TableNo, Timestamp};
use meterhouse_journal::batch::{ChainHash, HASH_BYTES};
use meterhouse_journal::house::HouseFact;
use sqlx::postgres::{PgConnection, PgRow};

use crate::commit;
use crate::database::{READ_WAIT_MAX, return_unless_timed_out};
use crate::error::StoreError;
use crate::head_page::HeadPage;
use crate::house_chain::append;
use crate::new_batch::NewBatch;
use crate::numbers::bounded;
use crate::rows::RowReader;
use crate::session::with_timeout;
use crate::sql::link;
use crate::sql::statement::{ResultExt as _, Statement};
use crate::store::Store;

/// Maximum number of links or tables in one page.
pub const LIST_MAX: usize = 1_000;
/// The epoch of a new link.
const FIRST_EPOCH: i64 = 1;
/// Name of the constraint that keeps a link's name unique.
const LINK_NAME_KEY: &str = "link_name_key";

/// A link to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLink {
    /// Name of the link, unique in the house.
    pub name: String,
    /// Id of the paytable.
    pub paytable_id: String,
    /// SHA-256 of the paytable's content.
    pub content_hash: [u8; HASH_BYTES],
    /// Paytable as it was, kept for later releases.
    pub document: Vec<u8>,
    /// Wager amount in micro-dollars.
    pub wager_micros: i64,
    /// Number of decks in play in one round.
    pub decks: u8,
    /// Name of the policy by which a level with a reserve restarts.
    pub reserve_policy: String,
    /// Time of the opening.
    pub created_at: Timestamp,
}

/// A link that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkRow {
    /// Number of the link.
    pub link: LinkId,
    /// Name of the link.
    pub name: String,
    /// Id of the paytable.
    pub paytable_id: String,
    /// SHA-256 of the paytable's content.
    pub content_hash: [u8; HASH_BYTES],
    /// Wager amount in micro-dollars.
    pub wager_micros: i64,
    /// Number of decks in play in one round.
    pub decks: u8,
    /// Name of the policy by which a level with a reserve restarts.
    pub reserve_policy: String,
    /// Time of the opening.
    pub created_at: Timestamp,
}

/// A table of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Link of the table.
    pub link: LinkId,
    /// Name of the link.
    pub link_name: String,
    /// Number of the table on the link.
    pub table: TableNo,
    /// Name of the table.
    pub name: String,
    /// Game of the table.
    pub game: String,
    /// Number of seats on the layout.
    pub seats: u8,
    /// Time at which the table joined.
    pub joined_at: Timestamp,
    /// Name of the pit in which the table stands.
    pub pit: Option<String>,
}

impl Store {
    /// Opens a link with its first batch (number 1, epoch 1, following [`ChainHash::GENESIS`]).
    /// `first` makes the batch for the link's number and may be called more than once.
    ///
    /// # Errors
    /// [`StoreError::LinkExists`]; [`StoreError::FirstBatch`] if `first` made another batch.
    pub async fn open_link(
        &self,
        new: &NewLink,
        first: &(dyn Fn(LinkId) -> NewBatch + Send + Sync),
    ) -> Result<LinkId, StoreError> {
        let opened = self.run_tx("link.open", async |transaction: &mut PgConnection| {
            let (link, stored) = insert_link(transaction, new).await?;
            let batch = first(link);
            let head = insert_head(transaction, link, &batch).await?;
            let is_first = batch.batch.link == link
                && commit::send(transaction, &batch, head).await?.is_some();
            let facts = stored.as_slice();
            append(transaction, new.created_at, facts).await?;
            if is_first {
                Ok(link)
            } else {
                Err(StoreError::FirstBatch { link })
            }
        });
        opened.await.map_err(|error| match error.constraint() {
            Some(LINK_NAME_KEY) => StoreError::LinkExists {
                name: new.name.clone(),
            },
            Some(_) | None => error,
        })
    }

    /// Returns at most [`LIST_MAX`] links after a number, in the order of their numbers.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn list_links(
        &self,
        after: LinkId,
        limit: usize,
    ) -> Result<Vec<LinkRow>, StoreError> {
        let query = sqlx::query(link::LIST_LINKS.sql)
            .bind(after.0)
            .bind(bounded(limit, LIST_MAX));
        let rows = self.inner.rows(link::LIST_LINKS, query).await?;
        rows.iter()
            .map(|row| link_row(link::LIST_LINKS, row))
            .collect()
    }

    /// Returns the links that are not compact, in the order of their numbers.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn dense_links(&self) -> Result<Vec<LinkId>, StoreError> {
        let query = sqlx::query(link::LIST_DENSE.sql);
        let rows = self.inner.rows(link::LIST_DENSE, query).await?;
        let number = |row| RowReader::new(link::LIST_DENSE, "link_head", row).get("link_id");
        rows.iter().map(|row| number(row).map(LinkId)).collect()
    }

    /// Makes all links compact, one after the other, which no program before 0.2.0 can read. Returns the number of those that were not.
    ///
    /// # Errors
    /// If a query fails, as for a link whose head others hold for too long. The links before it are compact then.
    pub async fn compact_links(&self) -> Result<u64, StoreError> {
        let mut made = 0;
        for link in self.dense_links().await? {
            let query = sqlx::query(link::COMPACT_HEAD.sql).bind(link.0);
            made += self.inner.run(link::COMPACT_HEAD, query).await?;
        }
        Ok(made)
    }

    /// Returns the link with this name.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn find_link(&self, name: &str) -> Result<Option<LinkRow>, StoreError> {
        let query = sqlx::query(link::FIND_LINK.sql).bind(name);
        let row = self.inner.row(link::FIND_LINK, query).await?;
        row.map(|row| link_row(link::FIND_LINK, &row)).transpose()
    }

    /// Returns the link with this number.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn find_link_by_id(&self, link: LinkId) -> Result<Option<LinkRow>, StoreError> {
        let mut connection = self.inner.reader().await?;
        let found = link_by_id(&mut connection, link);
        let found = with_timeout("finding a link", READ_WAIT_MAX, found).await;
        return_unless_timed_out(found, connection)
    }

    /// Returns the table with this name.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn find_table(&self, name: &str) -> Result<Option<TableRow>, StoreError> {
        let query = sqlx::query(link::FIND_TABLE.sql).bind(name);
        let row = self.inner.row(link::FIND_TABLE, query).await?;
        row.map(|row| table_row(link::FIND_TABLE, &row)).transpose()
    }

    /// Returns at most [`LIST_MAX`] tables after (link, number), in that order, of one link or of
    /// all.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn list_tables(
        &self,
        of: Option<LinkId>,
        after: (LinkId, TableNo),
        limit: usize,
    ) -> Result<Vec<TableRow>, StoreError> {
        let mut connection = self.inner.reader().await?;
        let listed = tables(&mut connection, of, after, limit);
        let listed = with_timeout("listing tables", READ_WAIT_MAX, listed).await;
        return_unless_timed_out(listed, connection)
    }
}

/// Adds a link, and its paytable if the content is not stored yet. Returns the link, and the
/// chain's fact of a new paytable.
async fn insert_link(
    transaction: &mut PgConnection,
    new: &NewLink,
) -> Result<(LinkId, Option<HouseFact>), StoreError> {
    let stored = sqlx::query(link::INSERT_PAYTABLE.sql)
        .bind(new.content_hash.as_slice())
        .bind(&new.paytable_id)
        .bind(&new.document)
        .execute(&mut *transaction)
        .await
        .in_statement(link::INSERT_PAYTABLE)?;
    let is_new = stored.rows_affected() == 1;
    let fact = || HouseFact::paytable(new.content_hash, &new.paytable_id, &new.document);
    let fact = is_new.then(fact);
    sqlx::query_scalar(link::INSERT_LINK.sql)
        .bind(&new.name)
        .bind(&new.paytable_id)
        .bind(new.content_hash.as_slice())
        .bind(new.wager_micros)
        .bind(i16::from(new.decks))
        .bind(&new.reserve_policy)
        .bind(new.created_at.0)
        .fetch_one(transaction)
        .await
        .in_statement(link::INSERT_LINK)
        .map(|link| (LinkId(link), fact))
}

async fn insert_head(
    transaction: &mut PgConnection,
    link: LinkId,
    first: &NewBatch,
) -> Result<HeadPage, StoreError> {
    let row = sqlx::query(link::INSERT_HEAD.sql)
        .bind(link.0)
        .bind(FIRST_EPOCH)
        .bind(ChainHash::GENESIS.0.as_slice())
        .bind(first.batch.period)
        .bind(first.status)
        .fetch_one(transaction)
        .await;
    HeadPage::of_row(link::INSERT_HEAD, &row.in_statement(link::INSERT_HEAD)?)
}

pub(crate) async fn link_by_id(
    connection: &mut PgConnection,
    link: LinkId,
) -> Result<Option<LinkRow>, StoreError> {
    let query = sqlx::query(link::FIND_LINK_BY_ID.sql).bind(link.0);
    let row = query
        .fetch_optional(connection)
        .await
        .in_statement(link::FIND_LINK_BY_ID)?;
    row.map(|row| link_row(link::FIND_LINK_BY_ID, &row))
        .transpose()
}

pub(crate) async fn tables(
    connection: &mut PgConnection,
    of: Option<LinkId>,
    (link, table): (LinkId, TableNo),
    limit: usize,
) -> Result<Vec<TableRow>, StoreError> {
    let query = sqlx::query(link::LIST_TABLES.sql)
        .bind(of.map(|link| link.0))
        .bind(link.0)
        .bind(table.0.cast_signed())
        .bind(bounded(limit, LIST_MAX));
    let rows = query
        .fetch_all(connection)
        .await
        .in_statement(link::LIST_TABLES)?;
    rows.iter()
        .map(|row| table_row(link::LIST_TABLES, row))
        .collect()
}

fn link_row(statement: Statement, row: &PgRow) -> Result<LinkRow, StoreError> {
    let row = RowReader::new(statement, "link", row);
    Ok(LinkRow {
        link: LinkId(row.get("link_id")?),
        name: row.get("name")?,
        paytable_id: row.get("paytable_id")?,
        content_hash: row.hash("content_hash")?,
        wager_micros: row.get("wager_micros")?,
        decks: row.number::<u8, i16>("decks")?,
        reserve_policy: row.get("reserve_policy")?,
        created_at: Timestamp(row.get("created_at")?),
    })
}

fn table_row(statement: Statement, row: &PgRow) -> Result<TableRow, StoreError> {
    let row = RowReader::new(statement, "game_table", row);
    Ok(TableRow {
        link: LinkId(row.get("link_id")?),
        link_name: row.get("link_name")?,
        table: TableNo(row.number::<u32, i32>("table_no")?),
        name: row.get("name")?,
        game: row.get("game")?,
        seats: row.number::<u8, i16>("seats")?,
        joined_at: Timestamp(row.get("joined_at")?),
        pit: row.get("pit")?,
    })
}
