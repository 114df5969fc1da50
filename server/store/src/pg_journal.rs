//! The journal of one link in Postgres.
//!
//! # Shape
//! Routine batches of several links are committed together ([`combiner`](crate::combiner)).
//! Other commits, confirming and locking use the connections that commit. Loading and finding use the
//! pool, so that a long read never keeps another link from committing.
//!
//! # Limits
//! Every wait has its constant, here or in `database`. [`COMMIT_WAIT_MAX`] is longer than the
//! session's `lock_timeout`. A head that is locked too long is therefore a refusal by the server,
//! not an unknown outcome.
//!
//! # Order and locking
//! The only wait is for the link's row in `link_head`: inside the commit statement, or from
//! `LOCK_HEAD` to `COMMIT`. Reads under the lock are later statements than the one that waited,
//! because a waiting statement does not see the change that it waited for.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::{HitId, LinkId};
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::hit::HitRow;
use sqlx::postgres::PgConnection;

use crate::commit;
use crate::connections::{COMMIT_WAIT_MAX, Lease, return_if_usable};
use crate::database::{Database, READ_WAIT_MAX, return_unless_timed_out};
use crate::error::{StoreError, WriteOutcome};
use crate::head_page::HeadPage;
use crate::hits;
use crate::journal::{Commit, FoundCommand, Head, Journal, Missed, RolledBack, StoredSnapshot};
use crate::limits::READ_BATCHES_MAX;
use crate::new_batch::NewBatch;
use crate::numbers::to_bigint;
use crate::open_batch::{OpenBatch, SHARED_EVENTS_MAX};
use crate::reading;
use crate::rows::{self, RowReader};
use crate::session::with_timeout;
use crate::sql::commit::{BEGIN, COMMIT, CONFIRM_HEAD, LOCK_HEAD, READ_HEAD, ROLLBACK};
use crate::sql::read::{LOAD_SNAPSHOT, SAVE_SNAPSHOT};
use crate::sql::statement::{ResultExt as _, Statement};
use crate::store::Store;

/// Longest wait for a page of the journal or a snapshot while a link is loaded.
const LOAD_WAIT_MAX: Duration = Duration::from_secs(30);

/// The journal of one link, for its committer.
pub struct PgJournal {
    inner: Arc<Database>,
    link: LinkId,
    /// Page of the head's row, if it is known. Each commit needs it.
    head_page: Option<HeadPage>,
    /// The connection whose open transaction holds the head.
    locked: Option<Lease>,
    /// Set while others hold or move the head: see [`combiner`](crate::combiner).
    is_contested: bool,
}

impl Store {
    /// Returns the journal of one link, for its committer.
    pub fn journal(&self, link: LinkId) -> PgJournal {
        PgJournal::new(Arc::clone(&self.inner), link)
    }
}

impl PgJournal {
    fn new(inner: Arc<Database>, link: LinkId) -> Self {
        Self {
            inner,
            link,
            head_page: None,
            locked: None,
            is_contested: false,
        }
    }

    /// Returns the link.
    pub fn link(&self) -> LinkId {
        self.link
    }

    /// Sends the statement, which commits by itself.
    async fn commit_alone(
        &self,
        new: Arc<NewBatch>,
        head: HeadPage,
    ) -> Result<Option<HeadPage>, StoreError> {
        let mut lease = self.inner.commits.take().await?;
        let sent = with_timeout(
            "the commit",
            COMMIT_WAIT_MAX,
            commit::send(&mut lease.connection, &new, head),
        );
        return_if_usable(sent.await, lease)
    }

    /// Sends the statement and COMMIT, on the connection that holds the head.
    async fn commit_locked(
        &self,
        mut lease: Lease,
        new: &NewBatch,
        head: HeadPage,
    ) -> Result<Option<HeadPage>, StoreError> {
        let sent = with_timeout(
            "the commit",
            COMMIT_WAIT_MAX,
            commit::send(&mut lease.connection, new, head),
        );
        let moved = match sent.await {
            Ok(moved) => moved,
            Err(error) if error.leaves_connection_usable() => {
                roll_back(lease).await;
                return Err(error);
            }
            Err(error) => return Err(error),
        };
        if moved.is_none() {
            roll_back(lease).await;
            return Ok(None);
        }
        let done = with_timeout(
            "the commit",
            COMMIT_WAIT_MAX,
            run(&mut lease.connection, COMMIT),
        )
        .await;
        return_if_usable(done.map(|()| moved), lease)
    }

    /// Returns the outcome that an error means, and drops the idle connections if the server may be
    /// gone.
    fn settle(&self, error: StoreError) -> Commit {
        match error.outcome() {
            WriteOutcome::RolledBack => {
                let constraint = error.constraint().map(str::to_owned);
                Commit::RolledBack(RolledBack {
                    constraint,
                    source: error,
                })
            }
            WriteOutcome::Unknown => {
                self.inner.drop_idle();
                Commit::Unknown(error)
            }
            WriteOutcome::ReadOnly => {
                self.inner.drop_idle();
                Commit::ReadOnly
            }
        }
    }

    /// Looks for a newer primary if the head was locked for too long.
    async fn doubt_primary(&self, error: &StoreError) {
        if error.is_lock_timeout() {
            self.inner.primary.look_for_newer().await;
        }
    }

    async fn lock_head(&self, lease: &mut Lease) -> Result<(Head, HeadPage), StoreError> {
        run(&mut lease.connection, BEGIN).await?;
        head(&mut lease.connection, LOCK_HEAD, self.link).await
    }

    /// Sends a batch by the lock, alone, or with those of other links.
    async fn send(&mut self, batch: &Arc<OpenBatch>) -> Result<Option<HeadPage>, StoreError> {
        let head = match self.head_page {
            Some(head) => head,
            None => self.read_head_page().await?.1,
        };
        if let Some(lease) = self.locked.take() {
            return self.commit_locked(lease, &batch.seal(), head).await;
        }
        let send_alone = || self.commit_alone(batch.seal(), head);
        let combiner = &self.inner.combiner;
        let sent = combiner
            .commit((self.link, batch), head, self.is_contested, send_alone)
            .await;
        self.is_contested = match &sent {
            Ok(moved) => moved.is_none(),
            Err(error) => error.is_lock_timeout(),
        };
        sent
    }

    async fn read_head_page(&self) -> Result<(Head, HeadPage), StoreError> {
        let mut lease = self.inner.commits.take().await?;
        let read = head(&mut lease.connection, READ_HEAD, self.link);
        let read = with_timeout("reading the head", READ_WAIT_MAX, read).await;
        return_if_usable(read, lease)
    }

    /// Keeps the page of the head's row for the next commit.
    fn keep(&mut self, (head, page): (Head, HeadPage)) -> Head {
        self.head_page = Some(page);
        head
    }
}

impl Journal for PgJournal {
    async fn commit(&mut self, batch: &Arc<OpenBatch>) -> Commit {
        match self.send(batch).await {
            Ok(Some(head)) => {
                self.head_page = Some(head);
                Commit::Committed
            }
            Ok(None) => {
                self.head_page = None;
                Commit::Moved
            }
            Err(error) => {
                self.doubt_primary(&error).await;
                self.settle(error)
            }
        }
    }

    fn events_max(&self) -> Option<usize> {
        let is_shared = self.inner.combiner.is_shared(self.link);
        is_shared.then_some(SHARED_EVENTS_MAX)
    }

    async fn read_head(&mut self) -> Result<Head, StoreError> {
        let read = self.read_head_page().await?;
        Ok(self.keep(read))
    }

    async fn confirm_head(&mut self) -> Result<Head, StoreError> {
        // The lock, if any, belongs to the lost connection.
        self.locked = None;
        let mut lease = self.inner.commits.take_new().await?;
        let raised = head(&mut lease.connection, CONFIRM_HEAD, self.link);
        let raised = with_timeout("confirming the head", READ_WAIT_MAX, raised).await;
        return_if_usable(raised, lease).map(|raised| self.keep(raised))
    }

    async fn lock_and_read_after(&mut self, after: &Head) -> Result<Missed, StoreError> {
        self.unlock().await;
        let mut lease = self.inner.commits.take().await?;
        let locked = with_timeout(
            "locking the head",
            READ_WAIT_MAX,
            self.lock_head(&mut lease),
        )
        .await;
        let head = match locked {
            Ok(locked) => self.keep(locked),
            Err(error) if error.leaves_connection_usable() => {
                roll_back(lease).await;
                self.doubt_primary(&error).await;
                return Err(error);
            }
            Err(error) => return Err(error),
        };
        let connection = &mut lease.connection;
        let read = reading::batches_after(connection, self.link, after.batch, READ_BATCHES_MAX);
        let page = with_timeout("reading what was missed", READ_WAIT_MAX, read).await?;
        if page.more {
            roll_back(lease).await;
        } else {
            self.locked = Some(lease);
        }
        Ok(Missed {
            head,
            batches: page.batches,
            more: page.more,
        })
    }

    async fn unlock(&mut self) {
        if let Some(lease) = self.locked.take() {
            roll_back(lease).await;
        }
    }

    async fn read_after(&mut self, after: &Head, limit: usize) -> Result<Missed, StoreError> {
        let mut connection = self.inner.reader().await?;
        let read = async {
            let read = head(&mut connection, READ_HEAD, self.link).await?;
            let page =
                reading::batches_after(&mut connection, self.link, after.batch, limit).await?;
            Ok((read, page))
        };
        let read = with_timeout("reading the journal", LOAD_WAIT_MAX, read).await;
        let (read, page) = return_unless_timed_out(read, connection)?;
        Ok(Missed {
            head: self.keep(read),
            batches: page.batches,
            more: page.more,
        })
    }

    async fn find(
        &mut self,
        table: u32,
        sequence: u64,
    ) -> Result<Option<FoundCommand>, StoreError> {
        let mut connection = self.inner.reader().await?;
        let found = reading::command(&mut connection, self.link, table, sequence);
        let found = with_timeout("finding an old command", READ_WAIT_MAX, found).await;
        return_unless_timed_out(found, connection)
    }

    async fn load_snapshot(
        &mut self,
        below: Option<u64>,
    ) -> Result<Option<StoredSnapshot>, StoreError> {
        let query = sqlx::query(LOAD_SNAPSHOT.sql)
            .bind(self.link.0)
            .bind(below.map(to_bigint));
        let loaded = self.inner.rows_within(LOAD_WAIT_MAX, LOAD_SNAPSHOT, query);
        let Some(row) = loaded.await?.pop() else {
            return Ok(None);
        };
        let row = RowReader::new(LOAD_SNAPSHOT, "snapshot", &row);
        Ok(Some(StoredSnapshot {
            batch: row.number::<u64, i64>("batch")?,
            format: row.number::<u16, i16>("format")?,
            chain_hash: ChainHash(row.hash("chain_hash")?),
            state: row.get("state")?,
        }))
    }

    async fn save_snapshot(&mut self, snapshot: &StoredSnapshot) -> Result<(), StoreError> {
        let mut connection = self.inner.reader().await?;
        let save = async {
            let query = sqlx::query(SAVE_SNAPSHOT.sql)
                .bind(self.link.0)
                .bind(snapshot.batch.cast_signed())
                .bind(snapshot.format.cast_signed())
                .bind(snapshot.chain_hash.0.as_slice())
                .bind(&snapshot.state);
            query
                .execute(&mut *connection)
                .await
                .in_statement(SAVE_SNAPSHOT)
        };
        let saved = with_timeout("saving a snapshot", LOAD_WAIT_MAX, save).await;
        return_unless_timed_out(saved.map(drop), connection)
    }

    async fn hit_rows(&mut self, hits: &[HitId]) -> Result<Vec<HitRow>, StoreError> {
        let mut connection = self.inner.reader().await?;
        let read = hits::rows_of(&mut connection, self.link, hits);
        let read = with_timeout("reading hits", READ_WAIT_MAX, read).await;
        return_unless_timed_out(read, connection)
    }

    fn another_handle(&self) -> Self {
        Self::new(Arc::clone(&self.inner), self.link)
    }
}

impl std::fmt::Debug for PgJournal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("PgJournal")
            .field("link", &self.link)
            .field("is_locked", &self.locked.is_some())
            .finish_non_exhaustive()
    }
}

async fn head(
    connection: &mut PgConnection,
    statement: Statement,
    link: LinkId,
) -> Result<(Head, HeadPage), StoreError> {
    let row = sqlx::query(statement.sql)
        .bind(link.0)
        .fetch_optional(connection)
        .await;
    let row = row
        .in_statement(statement)?
        .ok_or(StoreError::NoSuchLink { link })?;
    let head = rows::head(statement, &row)?;
    Ok((head, HeadPage::of_row(statement, &row)?))
}

/// Runs a statement of the transaction itself.
async fn run(connection: &mut PgConnection, statement: Statement) -> Result<(), StoreError> {
    let run = sqlx::raw_sql(statement.sql).execute(connection).await;
    run.in_statement(statement).map(drop)
}

/// Ends a lease's transaction without writing, and returns its connection if that worked.
async fn roll_back(mut lease: Lease) {
    let rolled_back = with_timeout(
        "a rollback",
        READ_WAIT_MAX,
        run(&mut lease.connection, ROLLBACK),
    )
    .await;
    match rolled_back {
        Ok(()) => lease.give_back(),
        // The connection is dropped, and with it the transaction.
        Err(error) => tracing::debug!(%error, "could not roll back"),
    }
}
