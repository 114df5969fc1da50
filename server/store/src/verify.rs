//! Reading a link whole, as of one moment, for whoever checks it.
//!
//! # Shape
//! A [`LinkView`] has two connections that see the same snapshot. [`LinkView::for_each_batch`]
//! copies batches out of one and events out of the other, both in key order, and puts them together
//! as they come: one pass, whatever the size. The remaining rows are asked for before or after it.
//!
//! # What bounds it
//! One batch is in memory at a time. The pages of [`LinkView::hits`] and [`LinkView::marks`] have
//! their limits. No statement has a time limit: copying a journal takes what it takes, on connections of its own.
//!
//! # What order or lock holds
//! REPEATABLE READ, READ ONLY, the one exception to READ COMMITTED: nothing is locked, but dead
//! rows of the heads stay until it ends. The connections are closed, never reused.

use meterhouse_domain::ids::{HitOrder, LinkId, TableNo};
use meterhouse_journal::batch::HASH_BYTES;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _};

use crate::connections::{connect, session_options};
use crate::copied::{BATCH_COLUMNS, Copied, EVENT_COLUMNS, Placed, batch, event};
use crate::error::StoreError;
use crate::feed::{HeadRow, Position};
use crate::hits::{self, FoundHit, HITS_MAX, HitFilter};
use crate::journal::{Head, StoredBatch};
use crate::links::{self, LIST_MAX, LinkRow, TableRow};
use crate::numbers::{bounded, stored};
use crate::rows::{self, Of};
use crate::sql::statement::Failed as _;
use crate::sql::verify::{
    BATCHES, BEGIN_VIEW, EVENTS, EXPORT_VIEW, HEAD, MARKS, PAYTABLE, SET_LINK, UNNAMED_LINKS,
};
use crate::store::Store;

/// Marks in one page.
pub const MARKS_MAX: usize = 10_000;
/// What the statement is called that takes the other connection's moment.
const SAME_MOMENT: &str = "verify.same_moment";

/// One link as of one moment.
#[derive(Debug)]
pub struct LinkView {
    link: LinkId,
    batches: PgConnection,
    events: PgConnection,
}

/// A piece of a journal, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A batch with its events.
    Batch(StoredBatch),
    /// Rows that belong to no batch that could be: nothing of ours writes them.
    Broken {
        /// Where.
        place: Position,
        /// What is wrong.
        what: &'static str,
    },
}

/// The paytable that was kept when a link opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaytableRow {
    /// SHA-256 of its content.
    pub content_hash: [u8; HASH_BYTES],
    /// Its id.
    pub paytable_id: String,
    /// The paytable as it was.
    pub document: Vec<u8>,
}

/// Where an old command is found again.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MarkRow {
    /// The table.
    pub table: u32,
    /// The command's number.
    pub sequence: u64,
    /// The period of its batch.
    pub period: i32,
    /// Its event.
    pub place: Position,
}

impl Store {
    /// Opens a link for reading it whole.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn view_link(&self, link: LinkId) -> Result<LinkView, StoreError> {
        let options = session_options(&self.inner.connect, "0");
        let mut batches = connect(&options).await?;
        let mut events = connect(&options).await?;
        begin(&mut batches).await?;
        let name = sqlx::query_scalar::<_, String>(EXPORT_VIEW.sql)
            .fetch_one(&mut batches)
            .await;
        let name = name.of(EXPORT_VIEW)?;
        begin(&mut events).await?;
        same_moment(&mut events, &name).await?;
        for connection in [&mut batches, &mut events] {
            let set = sqlx::query(SET_LINK.sql).bind(link.0.to_string());
            set.execute(connection).await.of(SET_LINK)?;
        }
        Ok(LinkView {
            link,
            batches,
            events,
        })
    }
}

impl Store {
    /// Returns the numbers of links that have batches or a head, and no row of their own.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn unnamed_links(&self) -> Result<Vec<LinkId>, StoreError> {
        let query = sqlx::query(UNNAMED_LINKS.sql);
        let rows = self.inner.rows(UNNAMED_LINKS, query).await?;
        let link = |row| {
            Of::new(UNNAMED_LINKS, "batch", row)
                .get("link_id")
                .map(LinkId)
        };
        rows.iter().map(link).collect()
    }
}

impl LinkView {
    /// The link; `None` if there is none of this number.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn link(&mut self) -> Result<Option<LinkRow>, StoreError> {
        links::link_by_id(&mut self.batches, self.link).await
    }

    /// Its head, with the balances and what displays see.
    ///
    /// # Errors
    /// If the database can't be asked, or has no such link.
    pub async fn head(&mut self) -> Result<(Head, HeadRow), StoreError> {
        let link = self.link;
        let query = sqlx::query(HEAD.sql).bind(link.0);
        let row = query.fetch_optional(&mut self.batches).await.of(HEAD)?;
        let row = row.ok_or(StoreError::NoSuchLink { link })?;
        let head = rows::head(HEAD, &row)?;
        let Head {
            batch,
            epoch,
            period,
            chain_hash: _,
        } = head;
        let row = Of::new(HEAD, "link_head", &row);
        let (status, balances) = (row.get("status")?, row.get("balances")?);
        Ok((
            head,
            HeadRow {
                link,
                batch,
                epoch,
                period,
                status,
                balances,
            },
        ))
    }

    /// The paytable that was kept when it opened.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn paytable(&mut self) -> Result<Option<PaytableRow>, StoreError> {
        let query = sqlx::query(PAYTABLE.sql).bind(self.link.0);
        let Some(row) = query.fetch_optional(&mut self.batches).await.of(PAYTABLE)? else {
            return Ok(None);
        };
        let row = Of::new(PAYTABLE, "paytable", &row);
        Ok(Some(PaytableRow {
            content_hash: row.hash("content_hash")?,
            paytable_id: row.get("paytable_id")?,
            document: row.get("document")?,
        }))
    }

    /// Its tables after one, at most [`LIST_MAX`].
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn tables(&mut self, after: TableNo) -> Result<Vec<TableRow>, StoreError> {
        let after = (self.link, after);
        links::tables(&mut self.batches, Some(self.link), after, LIST_MAX).await
    }

    /// Its hits with their payouts after one, at most [`HITS_MAX`].
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn hits(&mut self, after: HitOrder) -> Result<Vec<FoundHit>, StoreError> {
        let filter = HitFilter {
            link: Some(self.link),
            state: None,
        };
        hits::page(&mut self.batches, filter, (self.link, after), HITS_MAX).await
    }

    /// Its marks after one (table, sequence), at most [`MARKS_MAX`].
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn marks(&mut self, after: (u32, u64)) -> Result<Vec<MarkRow>, StoreError> {
        let query = sqlx::query(MARKS.sql)
            .bind(self.link.0)
            .bind(after.0.cast_signed())
            .bind(stored(after.1))
            .bind(bounded(MARKS_MAX, MARKS_MAX));
        let rows = query.fetch_all(&mut self.batches).await.of(MARKS)?;
        let mark = |row| {
            let row = Of::new(MARKS, "table_mark", row);
            let place = Position {
                batch: row.number::<u64, i64>("batch")?,
                position: row.number::<u32, i32>("position")?,
            };
            Ok(MarkRow {
                table: row.number::<u32, i32>("table_no")?,
                sequence: row.number::<u64, i64>("sequence")?,
                period: row.get("period")?,
                place,
            })
        };
        rows.iter().map(mark).collect()
    }

    /// Calls `visit` for the whole journal, piece by piece in its order. To be called once.
    ///
    /// # Errors
    /// What `visit` says, or if the database can't be asked.
    pub async fn for_each_batch<E: From<StoreError>>(
        &mut self,
        mut visit: impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut batches = Copied::start(&mut self.batches, BATCHES, BATCH_COLUMNS).await?;
        let mut events = Copied::start(&mut self.events, EVENTS, EVENT_COLUMNS).await?;
        let mut next_event = events.next(event).await?;
        while let Some((mut stored, declared)) = batches.next(|it| batch(self.link, it)).await? {
            // Events before this batch belong to none.
            while let Some(stray) = next_event.take_if(|it| it.is_before(&stored.batch)) {
                visit(stray_event(&stray))?;
                next_event = events.next(event).await?;
            }
            while let Some(one) = next_event.take_if(|it| it.is_of(&stored.batch)) {
                if usize::try_from(one.place.position) != Ok(stored.batch.events.len()) {
                    visit(broken(
                        one.place,
                        "an event is not at the next position of its batch",
                    ))?;
                }
                stored.batch.events.push(one.event);
                next_event = events.next(event).await?;
            }
            if stored.batch.events.len() != declared {
                let place = Position {
                    batch: stored.batch.number,
                    position: 0,
                };
                visit(broken(
                    place,
                    "a batch has another number of events than it says",
                ))?;
            }
            visit(Piece::Batch(stored))?;
        }
        while let Some(stray) = next_event {
            visit(stray_event(&stray))?;
            next_event = events.next(event).await?;
        }
        Ok(())
    }

    /// Ends it.
    ///
    /// # Errors
    /// If the database is gone; then it has ended, too.
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

fn broken(place: Position, what: &'static str) -> Piece {
    Piece::Broken { place, what }
}

fn stray_event(stray: &Placed) -> Piece {
    broken(stray.place, "an event belongs to no batch")
}

async fn begin(connection: &mut PgConnection) -> Result<(), StoreError> {
    let begun = sqlx::raw_sql(BEGIN_VIEW.sql).execute(connection).await;
    begun.of(BEGIN_VIEW).map(drop)
}

/// SET TRANSACTION takes no parameter; the name came from the server and is looked at before it
/// goes back.
async fn same_moment(connection: &mut PgConnection, name: &str) -> Result<(), StoreError> {
    if !name.bytes().all(|it| it.is_ascii_hexdigit() || it == b'-') {
        return Err(StoreError::Inconsistent {
            table: "pg_export_snapshot",
            column: "name",
        });
    }
    let set = AssertSqlSafe(format!(
        "/* {SAME_MOMENT} */ SET TRANSACTION SNAPSHOT '{name}'"
    ));
    let set = sqlx::raw_sql(set).execute(connection).await;
    set.map(drop).map_err(|source| StoreError::Statement {
        name: SAME_MOMENT,
        source,
    })
}
