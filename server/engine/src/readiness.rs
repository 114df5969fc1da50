//! The readiness of this server: its checks, and the worst state of them.
//!
//! # Shape
//! A check is *ok*, *degraded* (the server plays on, and an operator has to act) or *failed* (the server can't work).
//! The worst check is the server's state. Names of checks are stable. The sentences are for people.
//!
//! # Limits
//! [`ANSWER_MAX`] for all queries together. The write probe runs at most once in
//! [`EngineOptions::probe_every`](crate::EngineOptions), for all callers.

use std::time::Duration;

use meterhouse_domain::ids::Timestamp;
use meterhouse_store::{
    Enforcement, FAULTED_MAX, LogArchive, MigrationState, NotEnforced, Purpose, StoreError,
};
use tokio::time::{Instant, timeout};

pub use crate::context::check::{AddedCheck, Check, CheckState};

use crate::clock::{now, period_of};
use crate::context::Engine;
use crate::error_chain::ErrorChain;

/// Default age of a successful write from which on readiness probes again.
pub(crate) const PROBE_EVERY: Duration = Duration::from_secs(5);
/// Maximum wait for all queries of the readiness.
const ANSWER_MAX: Duration = Duration::from_secs(8);
/// Months ahead that must have a partition.
const PERIODS_LEAST: i32 = 1;
/// Microseconds of a second.
const MICROS: u64 = 1_000_000;
/// Difference of this machine's clock and the database's from which on readiness warns, in microseconds. Times are
/// evidence, numbers order the journal.
const CLOCK_DIFFERENCE_MAX: u64 = 10 * MICROS;
/// Months in a year, as partitions count.
const MONTHS: i32 = 12;

impl Engine {
    /// Returns the purpose of the database: `casino`, `demo` or `load`. Returns nothing if the database can't be
    /// queried.
    pub async fn purpose(&self) -> Option<&'static str> {
        let purpose = timeout(ANSWER_MAX, self.context.store.purpose()).await;
        purpose.ok()?.ok().map(Purpose::name)
    }

    /// Returns the names of background tasks that have ended before the engine. There should be none.
    pub fn ended_tasks(&self) -> Vec<&'static str> {
        self.context.tasks.ended()
    }

    /// Runs all checks.
    pub async fn readiness(&self) -> Vec<Check> {
        let mut checks = Vec::new();
        // Checks that were made before the time ran out are kept.
        let asked = timeout(ANSWER_MAX, self.ask_database(&mut checks)).await;
        match asked {
            Ok(Ok(())) => {}
            Ok(Err(("database", error))) => {
                let why = ErrorChain(&error);
                let detail =
                    format!("gives no answer ({why}): start it, or look at its network and load");
                checks.push(Check::failed("database", detail));
            }
            Ok(Err((name, error))) => {
                checks.push(Check::failed(name, ErrorChain(&error).to_string()));
            }
            Err(_) => {
                let seconds = ANSWER_MAX.as_secs();
                let detail = format!("gave no answer within {seconds} s: look at its load");
                checks.retain(|check| check.name != "database");
                checks.push(Check::failed("database", detail));
            }
        }
        checks.push(match &*self.ended_tasks() {
            [] => Check::ok("tasks", "all run"),
            ended => {
                let detail = format!("ended: {}; start this process again", ended.join(", "));
                Check::failed("tasks", detail)
            }
        });
        checks.extend(self.context.added.iter().map(|added| added.0()));
        checks
    }

    /// Runs the checks that query the database. After the first failed query the remaining ones are left out, because
    /// they would fail too.
    async fn ask_database(
        &self,
        checks: &mut Vec<Check>,
    ) -> Result<(), (&'static str, StoreError)> {
        let store = &self.context.store;
        let failed = |name| move |error| (name, error);
        store.ping().await.map_err(failed("database"))?;
        checks.push(Check::ok("database", "answers"));
        let migrated = store.migration_state().await;
        checks.push(schema(migrated.map_err(failed("schema"))?));
        if checks.iter().any(|check| check.state == CheckState::Failed) {
            return Ok(());
        }
        checks.push(self.writes().await);
        let periods = store.periods().await.map_err(failed("periods"))?;
        let newest = store.newest_period().await.map_err(failed("periods"))?;
        let before = now();
        let clock = store.clock().await.map_err(failed("clock"))?;
        let difference = clock_difference(before, clock, now());
        checks.extend(months(period_of(now()), newest, &periods, difference));
        let enforced = store.enforcement().await;
        checks.push(append_only(&enforced.map_err(failed("append-only"))?));
        let faulted = store.faulted_links().await.map_err(failed("links"))?;
        checks.push(self.faulted(faulted));
        let archive = store.log_archive().await.map_err(failed("archive"))?;
        checks.extend(archive.map(archived));
        Ok(())
    }

    /// Probes a write, unless one succeeded recently.
    async fn writes(&self) -> Check {
        const NAME: &str = "writes";
        let well = || Check::ok(NAME, "the database takes writes");
        let mut last = self.context.last_write.lock().await;
        if last.is_some_and(|at| at.elapsed() < self.context.probe_every) {
            return well();
        }
        *last = None;
        match self.context.store.probe_writes(now()).await {
            Ok(()) => {
                *last = Some(Instant::now());
                well()
            }
            Err(error) => Check::failed(
                NAME,
                match error.no_writes() {
                    Some(why) => format!("the database takes no writes: {why}"),
                    None => ErrorChain(&error).to_string(),
                },
            ),
        }
    }

    /// Checks for links that take no commands: faulted in the journal, or too damaged to journal a fault.
    fn faulted(&self, mut names: Vec<String>) -> Check {
        const NAME: &str = "links";
        for name in self.context.registry.damaged_links() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            return Check::ok(NAME, "none is faulted");
        }
        let more = if names.len() > FAULTED_MAX as usize - 1 {
            ", perhaps more"
        } else {
            ""
        };
        let names = names.join(", ");
        let detail = format!("faulted: {names}{more}; GET /v1/links/{{link}} says why");
        Check::degraded(NAME, detail)
    }
}

/// Judges the archive of the database's log.
fn archived(archive: LogArchive) -> Check {
    const NAME: &str = "archive";
    match archive.failed {
        None => Check::ok(NAME, "the database's log is archived"),
        Some(file) => {
            let detail = format!(
                "Postgres could not archive {file} of its log and keeps all later files, until its disk is full: look at \
                 the archive's disk and at Postgres' log"
            );
            Check::degraded(NAME, detail)
        }
    }
}

/// Judges the schema. A running node accepts a newer release's migrations if they only expand the schema
/// (`migrations/README.md`), so that nodes are replaced one after another.
fn schema(state: MigrationState) -> Check {
    const NAME: &str = "schema";
    match state {
        MigrationState::Current => Check::ok(NAME, "current"),
        MigrationState::Expanded { versions } => {
            let by = versions.len();
            Check::ok(
                NAME,
                format!("newer than this program by {by}: replace it soon"),
            )
        }
        MigrationState::Unknown { versions } => {
            let by = versions.len();
            Check::failed(
                NAME,
                format!("newer than this program by {by} that it does not run on: replace it now"),
            )
        }
        MigrationState::Behind { missing } => {
            let by = missing.len();
            Check::failed(NAME, format!("{by} behind: run `meterhouse migrate`"))
        }
        MigrationState::Changed { versions } => Check::failed(
            NAME,
            format!(
                "{versions:?} read differently from this program's: use the one that applied them"
            ),
        ),
    }
}

/// Returns the microseconds by which this machine's clock is ahead of the database's, which said `clock` between two
/// readings of this one. What the query may have taken is no difference.
const fn clock_difference(before: Timestamp, clock: Timestamp, after: Timestamp) -> i64 {
    if clock.0 < before.0 {
        before.0 - clock.0
    } else if clock.0 > after.0 {
        after.0 - clock.0
    } else {
        0
    }
}

/// Judges the journal's partitions and the clock. `newest` is the month of the newest batch. No batch is stored in an
/// earlier month, even if the clock is earlier. `ahead_of_database` are microseconds.
fn months(now: i32, newest: Option<i32>, periods: &[i32], ahead_of_database: i64) -> [Check; 2] {
    let is_there = |period: i32| periods.binary_search(&period).is_ok();
    let filed = newest.map_or(now, |newest| newest.max(now));
    let mut ahead = -1;
    while is_there(filed + ahead + 1) {
        ahead += 1;
    }
    let periods = match ahead {
        PERIODS_LEAST.. => Check::ok(
            "periods",
            format!("{ahead} months have their partition ahead"),
        ),
        0 => Check::degraded(
            "periods",
            "the next month has no partition: read the log for why none is made",
        ),
        _ => Check::failed(
            "periods",
            format!("no partition takes {}: set the clock right", month(filed)),
        ),
    };
    let follows = newest.is_none_or(|newest| (newest..=now).all(is_there));
    let clock = match newest {
        Some(newest) if now < newest || !follows => Check::degraded(
            "clock",
            format!(
                "the clock says {}, the journal's newest entry is of {}: set the clock right",
                month(now),
                month(newest)
            ),
        ),
        _ if ahead_of_database.unsigned_abs() > CLOCK_DIFFERENCE_MAX => {
            let (seconds, side) = (
                ahead_of_database.unsigned_abs() / MICROS,
                if ahead_of_database > 0 {
                    "ahead of"
                } else {
                    "behind"
                },
            );
            Check::degraded(
                "clock",
                format!(
                    "this machine's clock is {seconds} s {side} the database's: set both right, for example by NTP"
                ),
            )
        }
        _ => Check::ok("clock", format!("{} follows the journal", month(now))),
    };
    [periods, clock]
}

/// Returns the month of a period, as in 2026-11.
fn month(period: i32) -> String {
    let (year, month) = (period.div_euclid(MONTHS), period.rem_euclid(MONTHS) + 1);
    format!("{year}-{month:02}")
}

/// Judges the rights of the database's user. On another owner's database the operator decides them.
fn append_only(enforcement: &Enforcement) -> Check {
    const NAME: &str = "append-only";
    let why = match enforcement {
        Enforcement::Enforced => return Check::ok(NAME, "enforced"),
        Enforcement::NotEnforced { why } => match why {
            NotEnforced::Superuser => "is a superuser".to_owned(),
            NotEnforced::Owner => "is a member of meterhouse_owner".to_owned(),
            NotEnforced::SchemaOwner => "owns the schema".to_owned(),
            NotEnforced::Granted { table } => format!("was granted more on the table {table}"),
        },
    };
    Check::degraded(
        NAME,
        format!("not enforced: the database's user {why}; connect as meterhouse_app"),
    )
}

#[cfg(test)]
mod tests;
