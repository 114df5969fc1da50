//! The errors of the store, each with its cause as its source.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::LinkId;
use sqlx::postgres::{PgDatabaseError, PgSeverity};

use crate::archived_month::{ArchivedEnd, Month};
use crate::no_writes::NoWrites;

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No connection.
    #[error("could not connect to the database")]
    Connect {
        /// Cause.
        #[source]
        source: sqlx::Error,
    },
    /// None of several servers takes writes.
    #[error(
        "no server of the database takes writes: {servers}; see which one leads, for example with `patronictl list`"
    )]
    NoPrimary {
        /// Each server with its reason.
        servers: String,
    },
    /// The server is of an old version.
    #[error(
        "its server is Postgres {found}, and Meterhouse needs {least} or newer: upgrade it, or name another with \
         --database-url (DATABASE_URL, database.url)"
    )]
    TooOld {
        /// Version of the server.
        found: String,
        /// Oldest major version that can be used.
        least: u32,
    },
    /// The database holds another program's tables, and none of ours.
    #[error(
        "the database has the table {table} of another program, and nothing was changed: create an empty database, \
         and name it with --database-url (DATABASE_URL, database.url)"
    )]
    OtherProgram {
        /// One of the tables.
        table: String,
    },
    /// The server acknowledges commits that a power failure may undo.
    #[error(
        "the database runs with {name} = {value}, so that an acknowledged wager could be lost: \
         set it to {needed}"
    )]
    UnsafeSetting {
        /// Name of the setting.
        name: String,
        /// Current value.
        value: String,
        /// Required value.
        needed: &'static str,
    },
    /// A statement failed.
    #[error("the statement {name} failed")]
    Statement {
        /// Name of the statement, as in [`ALL`](crate::ALL).
        name: &'static str,
        /// Cause.
        #[source]
        source: sqlx::Error,
    },
    /// The database did not answer in time.
    #[error("{what} was given up after {limit:?}")]
    TooSlow {
        /// Operation that timed out.
        what: &'static str,
        /// Time limit.
        limit: Duration,
    },
    /// All connections were in use; nothing was sent.
    #[error("no connection to the database was free within {limit:?}")]
    Busy {
        /// Time limit.
        limit: Duration,
    },
    /// Every attempt conflicted with another transaction.
    #[error("the transaction {name} was given up after {attempts} conflicts with others")]
    Contended {
        /// Name of the transaction.
        name: &'static str,
        /// Number of attempts.
        attempts: u32,
    },
    /// A row holds a value that no version of this program writes.
    #[error("the database has a row of {table} whose {column} nothing of ours writes")]
    Inconsistent {
        /// Name of the table.
        table: &'static str,
        /// Name of the column, or a description of the error.
        column: &'static str,
    },
    /// Events that were asked for are in the file of an archived month.
    #[error("{0}")]
    Archived(ArchivedEnd),
    /// Another command on archives is running.
    #[error("another `meterhouse archive` is running on this database: wait for its end")]
    ArchiveBusy,
    /// A table that `meterhouse archive` moves is not where it was.
    #[error("the table of the month {month} is {what}: see `meterhouse archive list`")]
    ArchiveTable {
        /// Month.
        month: Month,
        /// Description of its place.
        what: &'static str,
    },
    /// A commit wrote some of its rows, but not all.
    #[error("a batch of {events} events answered {rows} rows")]
    RowCount {
        /// Number of events that were sent.
        events: usize,
        /// Number of rows that were written.
        rows: u64,
    },
    /// A commit statement for several links failed.
    #[error(transparent)]
    Combined(Arc<StoreError>),
    /// The committer that sent the batches of several links ended before it said what became of them.
    #[error("the committer that sent this batch with others has ended")]
    TurnLost,
    /// A batch without events was to be committed.
    #[error("a batch without events can't be committed")]
    EmptyBatch,
    /// The link does not exist.
    #[error("link {link} is not in the database")]
    NoSuchLink {
        /// Number of the link.
        link: LinkId,
    },
    /// The link's name is taken.
    #[error("there is a link named {name} already")]
    LinkExists {
        /// Name of the link.
        name: String,
    },
    /// The first batch of a new link moved no head: it does not follow batch 0.
    #[error("the first batch of link {link} does not follow its empty head")]
    FirstBatch {
        /// Number of the link.
        link: LinkId,
    },
    /// The name belongs to an actor with another role, table, link or department, or with other rights.
    #[error(
        "{name} exists already, with another role, table, link or department, or with other rights, and a name keeps them: \
         say the same, or choose another name"
    )]
    ActorDiffers {
        /// Name of the actor.
        name: String,
    },
    /// No person or program has the name.
    #[error("there is nobody with the name {name:?}")]
    UnknownActor {
        /// Name.
        name: String,
    },
    /// There is an administrator, so that no person is admitted without one.
    #[error("there is an administrator already")]
    AdministratorExists,
    /// Without this person there is no administrator who may come in.
    #[error("{0:?} is the last administrator who may come in")]
    LastAdministrator(String),
    /// A password or code was right when it was checked, and is not any more.
    #[error("the password or code is not right any more")]
    NotProven,
    /// Another person logs in by the subject of OpenID Connect.
    #[error("{name:?} logs in by this subject of OpenID Connect: remove it there first")]
    OpenIdTaken {
        /// Name of the person.
        name: String,
    },
    /// No open pairing has the code.
    #[error("no open pairing has this code")]
    UnknownPairing,
    /// A screen has the name.
    #[error("there is a screen of this name")]
    ScreenExists,
    /// No screen has the name.
    #[error("there is no screen of this name")]
    UnknownScreen,
    /// Too many pairings are open.
    #[error("too many pairings are open")]
    TooManyPairings,
    /// The signing key could not vouch for a credential.
    #[error("the signing key can't be used now, so that nobody can be admitted")]
    NotVouched,
    /// A COPY stream deviates from the binary format.
    #[error("the database sent a binary copy that is not one: {what}")]
    Copy {
        /// Description of the deviation.
        what: &'static str,
    },
    /// The roles are missing, and this user can't create them.
    #[error(
        "this database user can't make the roles meterhouse_owner (NOLOGIN) and meterhouse_app \
         (LOGIN): let an administrator create them, or migrate as one"
    )]
    CannotMakeRoles {
        /// Cause.
        #[source]
        source: sqlx::Error,
    },
    /// This user may not act as the owner.
    #[error(
        "this database user may not become meterhouse_owner: let an administrator GRANT \
         meterhouse_owner to it, or migrate as one"
    )]
    CannotBecomeOwner {
        /// Cause.
        #[source]
        source: sqlx::Error,
    },
    /// The owner may not create tables in the schema.
    #[error(
        "meterhouse_owner may not create tables: let the database's owner GRANT CREATE, USAGE ON \
         SCHEMA public TO meterhouse_owner"
    )]
    CannotOpenSchema {
        /// Cause.
        #[source]
        source: sqlx::Error,
    },
    /// The schema is of a newer release, on which this program does not run.
    #[error(
        "the database's schema is newer than this program, and {} of its migrations do not say that this program runs \
         on it: use a newer program", .versions.len()
    )]
    NewerSchema {
        /// Versions without such a declaration.
        versions: Vec<i64>,
    },
    /// A migration failed.
    #[error("could not migrate the database")]
    Migrate {
        /// Cause.
        #[source]
        source: sqlx::migrate::MigrateError,
    },
}

impl StoreError {
    /// Returns the name of the violated constraint.
    pub fn constraint(&self) -> Option<&str> {
        self.database()?.constraint()
    }

    /// Returns `true` if the server refused the content of the statement, so that the same
    /// statement fails again. A part of it may succeed.
    pub fn refuses_content(&self) -> bool {
        // Data exceptions, violated constraints and limits of the program.
        let classes = ["22", "23", "54"];
        self.database()
            .is_some_and(|error| classes.iter().any(|class| error.code().starts_with(class)))
    }

    /// Returns the reason why the database takes no writes, if that is the error.
    pub fn no_writes(&self) -> Option<NoWrites> {
        match self.database()?.code() {
            "53100" => Some(NoWrites::DiskFull),
            "25006" => Some(NoWrites::ReadOnly),
            _ => None,
        }
    }

    /// Returns `true` if the server refused because a privilege is missing.
    pub(crate) fn lacks_privilege(&self) -> bool {
        self.database().is_some_and(|error| error.code() == "42501")
    }

    /// Returns `true` if a lock was not granted in time.
    pub fn is_lock_timeout(&self) -> bool {
        self.database().is_some_and(|error| error.code() == "55P03")
    }

    /// Returns `true` if a retry of the transaction may help: only after a serialization failure or
    /// a deadlock.
    pub(crate) fn is_conflict(&self) -> bool {
        self.database()
            .is_some_and(|error| matches!(error.code(), "40001" | "40P01"))
    }

    /// Returns `true` if the database did not answer in time, or could not be connected to.
    pub(crate) const fn is_silence(&self) -> bool {
        matches!(self, Self::TooSlow { .. } | Self::Connect { .. })
    }

    /// Returns the outcome of a statement that was to write and failed.
    pub(crate) fn outcome(&self) -> WriteOutcome {
        let Self::Statement { source, .. } = self else {
            return match self {
                Self::Combined(error) => error.outcome(),
                Self::TooSlow { .. } | Self::RowCount { .. } | Self::TurnLost => {
                    WriteOutcome::Unknown
                }
                _ => WriteOutcome::RolledBack,
            };
        };
        let Some(error) = self.database() else {
            return match source {
                // The statement never left this process.
                sqlx::Error::Encode(_) | sqlx::Error::Configuration(_) => WriteOutcome::RolledBack,
                _ => WriteOutcome::Unknown,
            };
        };
        refusal_outcome(error.severity(), error.code())
    }

    /// Returns `true` if the server refused the statement and the connection can serve the next
    /// one.
    pub(crate) fn leaves_connection_usable(&self) -> bool {
        self.database()
            .is_some_and(|error| error.severity() == PgSeverity::Error)
            && self.outcome() == WriteOutcome::RolledBack
    }

    fn database(&self) -> Option<&PgDatabaseError> {
        match self {
            Self::Statement { source, .. } | Self::Connect { source } => {
                source.as_database_error()?.try_downcast_ref()
            }
            Self::Combined(error) => error.database(),
            _ => None,
        }
    }
}

/// Returns the outcome that a refusal by the server means.
fn refusal_outcome(severity: PgSeverity, code: &str) -> WriteOutcome {
    // The session ends, whatever the code says. A panic may come from syncing this very commit.
    if matches!(severity, PgSeverity::Panic | PgSeverity::Fatal) {
        return WriteOutcome::Unknown;
    }
    match code {
        "25006" => WriteOutcome::ReadOnly,
        "57P01" | "57P02" | "57P03" | "40003" => WriteOutcome::Unknown,
        code if code.starts_with("08") => WriteOutcome::Unknown,
        _ => WriteOutcome::RolledBack,
    }
}

/// The known outcome of a statement that was to write and failed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum WriteOutcome {
    /// The statement wrote nothing.
    RolledBack,
    /// The outcome can't be known.
    Unknown,
    /// The statement wrote nothing, because this server takes no writes.
    ReadOnly,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(source: sqlx::Error) -> StoreError {
        StoreError::Statement {
            name: "a.b",
            source,
        }
    }

    #[test]
    fn a_broken_connection_leaves_the_outcome_unknown() {
        let broken = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        assert_eq!(
            failed(sqlx::Error::Io(broken)).outcome(),
            WriteOutcome::Unknown
        );
        assert_eq!(
            failed(sqlx::Error::Protocol(String::new())).outcome(),
            WriteOutcome::Unknown
        );
        assert_eq!(
            failed(sqlx::Error::WorkerCrashed).outcome(),
            WriteOutcome::Unknown
        );
        let late = StoreError::TooSlow {
            what: "a",
            limit: Duration::from_secs(1),
        };
        assert_eq!(late.outcome(), WriteOutcome::Unknown);
    }

    #[test]
    fn an_unsent_statement_wrote_nothing() {
        let unsent = sqlx::Error::Encode("too large".into());
        assert_eq!(failed(unsent).outcome(), WriteOutcome::RolledBack);
        let refused = StoreError::Connect {
            source: sqlx::Error::PoolTimedOut,
        };
        assert_eq!(refused.outcome(), WriteOutcome::RolledBack);
        assert_eq!(StoreError::EmptyBatch.outcome(), WriteOutcome::RolledBack);
    }

    #[test]
    fn only_an_error_that_keeps_the_session_open_wrote_nothing() {
        // Disk full, lock timeout, check violation, standby, idle transaction, internal error.
        for code in ["53100", "55P03", "23514", "25006", "25P03", "XX000"] {
            for severity in [PgSeverity::Panic, PgSeverity::Fatal] {
                assert_eq!(
                    refusal_outcome(severity, code),
                    WriteOutcome::Unknown,
                    "{code}"
                );
            }
        }
        let refused = |code| refusal_outcome(PgSeverity::Error, code);
        for code in ["53100", "55P03", "23514", "40001", "57014"] {
            assert_eq!(refused(code), WriteOutcome::RolledBack, "{code}");
        }
        for code in ["57P01", "57P02", "57P03", "40003", "08006"] {
            assert_eq!(refused(code), WriteOutcome::Unknown, "{code}");
        }
        assert_eq!(refused("25006"), WriteOutcome::ReadOnly);
    }
}
