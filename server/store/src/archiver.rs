//! The owner's work on archived months: the record, and the partition, which is detached, set aside and dropped.
//!
//! # Shape
//! Each step looks where the table is and does what is left. A command that was killed is run again and goes on.
//! The steps of a detach are `DETACH PARTITION … CONCURRENTLY`, which lets writers and readers go on, `FINALIZE` if that
//! was interrupted, and a new name.
//!
//! # Limits
//! [`WAIT_MAX`] for a lock and for transactions that still read the partition.
//!
//! # Order and locking
//! One advisory lock of the session: one command on archives at a time. No step is in a transaction with another.

use meterhouse_domain::ids::LinkId;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection as _};

use crate::archived_month::{ArchiveRecord, ArchivedState, Month, MonthPlace};
use crate::error::StoreError;
use crate::migration_state::{execute, is_true};
use crate::numbers::to_bigint;
use crate::servers::Servers;
use crate::session::connect;
use crate::sql::admin;
use crate::sql::archive::{LIMIT_WAITS, RECORD_PERIOD, RECORD_STATE, TRY_ARCHIVE_LOCK};
use crate::sql::statement::ResultExt as _;

/// Longest wait for a lock or a transaction, in Postgres' notation.
const WAIT_MAX: &str = "60s";

/// A link with its state after an archived month.
pub type RecordedState = (LinkId, u16, ArchivedState);

/// A connection as the owner of the tables.
pub struct Archiver {
    connection: PgConnection,
}

impl Archiver {
    /// Connects as a superuser or a member of `meterhouse_owner`, and keeps other such commands out.
    ///
    /// # Errors
    /// [`StoreError::CannotBecomeOwner`], [`StoreError::ArchiveBusy`]; or if the query fails.
    pub async fn connect(servers: &Servers) -> Result<Self, StoreError> {
        let options: PgConnectOptions = crate::reach(servers).await?;
        let mut connection = connect(&options).await?;
        let owner = execute(&mut connection, admin::BECOME_OWNER).await;
        owner.map_err(|source| StoreError::CannotBecomeOwner { source })?;
        let limit = sqlx::query(LIMIT_WAITS.sql).bind(WAIT_MAX);
        let limit = limit.execute(&mut connection).await;
        limit.in_statement(LIMIT_WAITS)?;
        if is_true(&mut connection, TRY_ARCHIVE_LOCK).await? {
            Ok(Self { connection })
        } else {
            Err(StoreError::ArchiveBusy)
        }
    }

    /// Records an archived month with the states of its links, in one transaction.
    ///
    /// # Errors
    /// If the query fails, or the month is recorded already.
    pub async fn record(
        &mut self,
        month: Month,
        record: &ArchiveRecord,
        states: &[RecordedState],
    ) -> Result<(), StoreError> {
        let begun = self.connection.begin().await;
        let mut transaction = begun.in_statement(RECORD_PERIOD)?;
        let counts = [record.bytes, record.batches, record.events].map(to_bigint);
        let query = sqlx::query(RECORD_PERIOD.sql)
            .bind(month.0)
            .bind(record.at.0)
            .bind(record.file_hash.as_slice())
            .bind(counts[0])
            .bind(record.links.cast_signed())
            .bind(counts[1])
            .bind(counts[2]);
        let done = query.execute(&mut *transaction).await;
        done.in_statement(RECORD_PERIOD)?;
        for (link, format, state) in states {
            let kinds: Vec<i16> = state.kinds.iter().map(|kind| i16::from(*kind)).collect();
            let query = sqlx::query(RECORD_STATE.sql)
                .bind(link.0)
                .bind(state.month.0)
                .bind(to_bigint(state.batch))
                .bind(state.chain_hash.0.as_slice())
                .bind(format.cast_signed())
                .bind(kinds)
                .bind(&state.paytables)
                .bind(&state.state);
            let done = query.execute(&mut *transaction).await;
            done.in_statement(RECORD_STATE)?;
        }
        transaction.commit().await.in_statement(RECORD_PERIOD)
    }

    /// Detaches a month's partition and sets its table aside, whichever step comes next from this place.
    ///
    /// # Errors
    /// If a step fails. What was done stays, and the next run goes on.
    pub async fn detach(&mut self, month: Month, place: MonthPlace) -> Result<(), StoreError> {
        let event = format!("event_{}", month.0);
        if place == MonthPlace::Live {
            let what = format!("ALTER TABLE event DETACH PARTITION {event} CONCURRENTLY");
            self.run("archive.detach", &what).await?;
        }
        if place == MonthPlace::Detaching {
            let what = format!("ALTER TABLE event DETACH PARTITION {event} FINALIZE");
            self.run("archive.finalize", &what).await?;
        }
        match place {
            MonthPlace::Live | MonthPlace::Detaching | MonthPlace::Detached => {
                let what = format!("ALTER TABLE {event} RENAME TO archived_{event}");
                self.run("archive.set_aside", &what).await
            }
            MonthPlace::SetAside | MonthPlace::Dropped => Ok(()),
        }
    }

    /// Attaches a month's table again that was detached.
    ///
    /// # Errors
    /// If a step fails. What was done stays, and the next run goes on.
    pub async fn attach(&mut self, month: Month, place: MonthPlace) -> Result<(), StoreError> {
        let (event, period) = (format!("event_{}", month.0), month.0);
        match place {
            MonthPlace::Live => return Ok(()),
            MonthPlace::Detaching => {
                let what = format!("ALTER TABLE event DETACH PARTITION {event} FINALIZE");
                self.run("archive.finalize", &what).await?;
            }
            MonthPlace::SetAside => {
                let what = format!("ALTER TABLE archived_{event} RENAME TO {event}");
                self.run("archive.take_back", &what).await?;
            }
            MonthPlace::Detached => {}
            MonthPlace::Dropped => {
                let what = "dropped, so that it can't be attached";
                return Err(StoreError::ArchiveTable { month, what });
            }
        }
        let next = period + 1;
        let what = format!(
            "ALTER TABLE event ATTACH PARTITION {event} FOR VALUES FROM ({period}) TO ({next})"
        );
        self.run("archive.attach", &what).await
    }

    /// Returns the number of rows of a month's table that was set aside.
    ///
    /// # Errors
    /// If the query fails, or there is no such table.
    pub async fn count_set_aside(&mut self, month: Month) -> Result<u64, StoreError> {
        let name = "archive.count_set_aside";
        let what = format!(
            "/* {name} */ SELECT count(*) FROM archived_event_{}",
            month.0
        );
        let count = sqlx::query_scalar::<_, i64>(AssertSqlSafe(what))
            .fetch_one(&mut self.connection)
            .await;
        let count = count.map_err(|source| StoreError::Statement { name, source })?;
        Ok(count.cast_unsigned())
    }

    /// Drops a month's table that was set aside.
    ///
    /// # Errors
    /// If the query fails, or there is no such table.
    pub async fn drop_set_aside(&mut self, month: Month) -> Result<(), StoreError> {
        let what = format!("DROP TABLE archived_event_{}", month.0);
        self.run("archive.drop", &what).await
    }

    /// Ends the connection, and with it the lock.
    ///
    /// # Errors
    /// If the connection is lost; the lock has then ended as well.
    pub async fn close(self) -> Result<(), StoreError> {
        let closed = self.connection.close().await;
        closed.map_err(|source| StoreError::Connect { source })
    }

    /// Runs a statement that names a table. The name is made of a number.
    async fn run(&mut self, name: &'static str, what: &str) -> Result<(), StoreError> {
        let what = AssertSqlSafe(format!("/* {name} */ {what}"));
        let done = sqlx::raw_sql(what).execute(&mut self.connection).await;
        done.map(drop)
            .map_err(|source| StoreError::Statement { name, source })
    }
}
