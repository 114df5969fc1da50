//! The failures of commands, with their exit codes.

use std::error::Error;
use std::io::{Write as _, stderr};
use std::process::ExitCode;

use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::error_chain::ErrorChain;

/// The failure of a command. The message is one sentence with the remedy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A comparison found differences, which have been printed.
    #[error("a difference was found")]
    Difference,
    /// The server is not ready, or does not answer.
    #[error("{0}")]
    NotReady(String),
    /// An access that may configure was not announced, and not granted.
    #[error("{0}")]
    NotAnnounced(String),
    /// The command line is invalid.
    #[error("{0}")]
    Usage(String),
    /// A file or setting is invalid.
    #[error("{0}")]
    Configuration(String),
    /// The database is missing or unusable.
    #[error("{what}")]
    Database {
        /// Action that failed.
        what: String,
        /// Cause.
        #[source]
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// There is nothing to compare.
    #[error("{0}")]
    Empty(String),
    /// Some of the journal could not be compared, and the rest agrees.
    #[error("{0}")]
    Unread(String),
    /// Another process uses the address.
    #[error("{0}")]
    InUse(String),
    /// Any other failure.
    #[error("{what}")]
    Internal {
        /// Action that failed.
        what: String,
        /// Cause.
        #[source]
        source: Option<Box<dyn Error + Send + Sync>>,
    },
}

impl Failure {
    /// Returns the failure of a wrong value on the command line, which it names.
    pub(crate) fn asked(error: &EdgeError) -> Self {
        let fields = error.fields.iter();
        let is_named =
            |(name, _): &(String, String)| error.detail.starts_with(&format!("{name}: "));
        let what = if fields.clone().all(is_named) {
            error.to_string()
        } else {
            let fields: Vec<String> = fields
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            format!("{}: {error}", fields.join(", "))
        };
        Self::Usage(what)
    }

    /// Returns a failure of the database.
    pub(crate) fn database(
        what: impl Into<String>,
        source: impl Error + Send + Sync + 'static,
    ) -> Self {
        Self::Database {
            what: what.into(),
            source: Some(Box::new(source)),
        }
    }

    /// Returns any other failure.
    pub(crate) fn internal(
        what: impl Into<String>,
        source: impl Error + Send + Sync + 'static,
    ) -> Self {
        Self::Internal {
            what: what.into(),
            source: Some(Box::new(source)),
        }
    }

    /// Prints the failure with its causes and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        if !matches!(self, Self::Difference) {
            // Standard error may be gone as well.
            drop(writeln!(stderr(), "meterhouse: {}", ErrorChain(self)));
        }
        ExitCode::from(match self {
            Self::Difference | Self::NotReady(_) | Self::NotAnnounced(_) => 1,
            Self::Usage(_) => 2,
            Self::Configuration(_) => 3,
            Self::Database { .. } => 4,
            Self::InUse(_) => 5,
            Self::Empty(_) => 6,
            Self::Unread(_) => 7,
            Self::Internal { .. } => 70,
        })
    }
}
