//! What the store could not do, each said once, the cause as its source.

use std::time::Duration;

use meterhouse_domain::ids::LinkId;
use sqlx::postgres::{PgDatabaseError, PgSeverity};

use crate::no_writes::NoWrites;

/// What the store could not do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No connection.
    #[error("could not connect to the database")]
    Connect {
        /// Why.
        #[source]
        source: sqlx::Error,
    },
    /// The server acknowledges what a power failure may take back.
    #[error(
        "the database runs with {name} = {value}, so that an acknowledged wager could be lost: \
         set it to {needed}"
    )]
    UnsafeSetting {
        /// Which setting.
        name: String,
        /// What it is.
        value: String,
        /// What it has to be.
        needed: &'static str,
    },
    /// A statement failed.
    #[error("the statement {name} failed")]
    Statement {
        /// Which one, as in [`ALL`](crate::ALL).
        name: &'static str,
        /// Why.
        #[source]
        source: sqlx::Error,
    },
    /// The database did not answer in time.
    #[error("{what} was given up after {limit:?}")]
    TooSlow {
        /// What was waited for.
        what: &'static str,
        /// How long.
        limit: Duration,
    },
    /// All connections were taken; nothing was sent.
    #[error("no connection to the database was free within {limit:?}")]
    Busy {
        /// How long one was waited for.
        limit: Duration,
    },
    /// Other transactions came first, again and again.
    #[error("the transaction {name} was given up after {attempts} conflicts with others")]
    Contended {
        /// Which one.
        name: &'static str,
        /// How often it was tried.
        attempts: u32,
    },
    /// A row says what no version of this program writes.
    #[error("the database has a row of {table} whose {column} nothing of ours writes")]
    Inconsistent {
        /// The table.
        table: &'static str,
        /// The column, or what is wrong.
        column: &'static str,
    },
    /// A commit answered a number of rows that is neither none nor all.
    #[error("a batch of {events} events answered {rows} rows")]
    RowCount {
        /// What was sent.
        events: usize,
        /// What came back.
        rows: u64,
    },
    /// A batch has at least one event.
    #[error("a batch without events can't be committed")]
    EmptyBatch,
    /// There is no such link.
    #[error("link {link} is not in the database")]
    NoSuchLink {
        /// Its number.
        link: LinkId,
    },
    /// The name is taken.
    #[error("there is a link named {name} already")]
    LinkExists {
        /// The name.
        name: String,
    },
    /// The first batch of a new link moved nothing: it doesn't follow batch 0.
    #[error("the first batch of link {link} does not follow its empty head")]
    FirstBatch {
        /// Its number.
        link: LinkId,
    },
    /// The name belongs to somebody with another role, table, link or department.
    #[error(
        "{name} exists already, with another role, table, link or department, and a name keeps them: say the same, or \
         choose another name"
    )]
    ActorDiffers {
        /// The name.
        name: String,
    },
    /// Reading by COPY met bytes that are not its format.
    #[error("the database sent a binary copy that is not one: {what}")]
    Copy {
        /// What was expected.
        what: &'static str,
    },
    /// The roles are missing, and this user can't make them.
    #[error(
        "this database user can't make the roles meterhouse_owner (NOLOGIN) and meterhouse_app \
         (LOGIN): let an administrator create them, or migrate as one"
    )]
    CannotMakeRoles {
        /// Why.
        #[source]
        source: sqlx::Error,
    },
    /// This user may not act as the owner.
    #[error(
        "this database user may not become meterhouse_owner: let an administrator GRANT \
         meterhouse_owner to it, or migrate as one"
    )]
    CannotBecomeOwner {
        /// Why.
        #[source]
        source: sqlx::Error,
    },
    /// The owner has no place to put its tables.
    #[error(
        "meterhouse_owner may not create tables: let the database's owner GRANT CREATE, USAGE ON \
         SCHEMA public TO meterhouse_owner"
    )]
    CannotOpenSchema {
        /// Why.
        #[source]
        source: sqlx::Error,
    },
    /// A migration failed.
    #[error("could not migrate the database")]
    Migrate {
        /// Why.
        #[source]
        source: sqlx::migrate::MigrateError,
    },
}

impl StoreError {
    /// The name of the constraint that was violated.
    pub fn constraint(&self) -> Option<&str> {
        self.database()?.constraint()
    }

    /// Whether the server refused what a statement was to write, and not the moment: the same again is refused
    /// again, part of it perhaps not.
    pub fn refuses_content(&self) -> bool {
        // Data exceptions, violated constraints, limits of the program.
        let classes = ["22", "23", "54"];
        self.database()
            .is_some_and(|it| classes.iter().any(|class| it.code().starts_with(class)))
    }

    /// Why the database takes no writes, where that is the reason.
    pub fn no_writes(&self) -> Option<NoWrites> {
        match self.database()?.code() {
            "53100" => Some(NoWrites::DiskFull),
            "25006" => Some(NoWrites::ReadOnly),
            _ => None,
        }
    }

    /// Whether the server refused because of a missing right.
    pub(crate) fn lacks_privilege(&self) -> bool {
        self.database().is_some_and(|error| error.code() == "42501")
    }

    /// Whether starting the transaction over may help: serialization failure or deadlock, nothing
    /// else.
    pub(crate) fn is_conflict(&self) -> bool {
        self.database()
            .is_some_and(|it| matches!(it.code(), "40001" | "40P01"))
    }

    /// What the error says about a statement that was to write.
    pub(crate) fn outcome(&self) -> Outcome {
        let Self::Statement { source, .. } = self else {
            return match self {
                Self::TooSlow { .. } | Self::RowCount { .. } => Outcome::Unknown,
                _ => Outcome::RolledBack,
            };
        };
        let Some(error) = self.database() else {
            return match source {
                // Never left this process.
                sqlx::Error::Encode(_) | sqlx::Error::Configuration(_) => Outcome::RolledBack,
                _ => Outcome::Unknown,
            };
        };
        told(error.severity(), error.code())
    }

    /// Whether the connection can serve the next statement: the server refused this one and stayed.
    pub(crate) fn leaves_connection_usable(&self) -> bool {
        self.database()
            .is_some_and(|it| it.severity() == PgSeverity::Error)
            && self.outcome() == Outcome::RolledBack
    }

    fn database(&self) -> Option<&PgDatabaseError> {
        match self {
            Self::Statement { source, .. } | Self::Connect { source } => {
                source.as_database_error()?.try_downcast_ref()
            }
            _ => None,
        }
    }
}

/// What the server's refusal of a statement that was to write says.
fn told(severity: PgSeverity, code: &str) -> Outcome {
    // The session ends with it, whatever the code says: a panic may come of syncing the very commit.
    if matches!(severity, PgSeverity::Panic | PgSeverity::Fatal) {
        return Outcome::Unknown;
    }
    match code {
        "25006" => Outcome::ReadOnly,
        "57P01" | "57P02" | "57P03" | "40003" => Outcome::Unknown,
        code if code.starts_with("08") => Outcome::Unknown,
        _ => Outcome::RolledBack,
    }
}

/// What is known about a statement that was to write and failed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It wrote nothing.
    RolledBack,
    /// Nobody knows.
    Unknown,
    /// It wrote nothing, because this server takes no writes.
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
    fn whatever_breaks_the_connection_is_unknown() {
        let broken = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        assert_eq!(failed(sqlx::Error::Io(broken)).outcome(), Outcome::Unknown);
        assert_eq!(
            failed(sqlx::Error::Protocol(String::new())).outcome(),
            Outcome::Unknown
        );
        assert_eq!(
            failed(sqlx::Error::WorkerCrashed).outcome(),
            Outcome::Unknown
        );
        let late = StoreError::TooSlow {
            what: "a",
            limit: Duration::from_secs(1),
        };
        assert_eq!(late.outcome(), Outcome::Unknown);
    }

    #[test]
    fn what_never_left_wrote_nothing() {
        let unsent = sqlx::Error::Encode("too large".into());
        assert_eq!(failed(unsent).outcome(), Outcome::RolledBack);
        let refused = StoreError::Connect {
            source: sqlx::Error::PoolTimedOut,
        };
        assert_eq!(refused.outcome(), Outcome::RolledBack);
        assert_eq!(StoreError::EmptyBatch.outcome(), Outcome::RolledBack);
    }

    #[test]
    fn only_an_error_that_leaves_the_session_wrote_nothing() {
        // A disk that is full, a lock, a rule, a standby, an idle transaction, a bug.
        for code in ["53100", "55P03", "23514", "25006", "25P03", "XX000"] {
            for severity in [PgSeverity::Panic, PgSeverity::Fatal] {
                assert_eq!(told(severity, code), Outcome::Unknown, "{code}");
            }
        }
        let refused = |code| told(PgSeverity::Error, code);
        for code in ["53100", "55P03", "23514", "40001", "57014"] {
            assert_eq!(refused(code), Outcome::RolledBack, "{code}");
        }
        for code in ["57P01", "57P02", "57P03", "40003", "08006"] {
            assert_eq!(refused(code), Outcome::Unknown, "{code}");
        }
        assert_eq!(refused("25006"), Outcome::ReadOnly);
    }
}
