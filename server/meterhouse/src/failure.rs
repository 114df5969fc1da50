//! Why a command ends without success, and with which exit code.

use std::error::Error;
use std::process::ExitCode;

use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::error_chain::ErrorChain;

/// Why a command ended without success. The message is one sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Something was compared and differs; it has been printed.
    #[error("a difference was found")]
    Difference,
    /// The command line asks for something impossible.
    #[error("{0}")]
    Usage(String),
    /// A file or setting is wrong.
    #[error("{0}")]
    Configuration(String),
    /// The database is not there or not fit.
    #[error("{what}")]
    Database {
        /// What could not be done.
        what: String,
        /// Why.
        #[source]
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// There is nothing that could be compared.
    #[error("{0}")]
    Empty(String),
    /// Another process has the address.
    #[error("{0}")]
    InUse(String),
    /// Anything else.
    #[error("{what}")]
    Internal {
        /// What could not be done.
        what: String,
        /// Why.
        #[source]
        source: Option<Box<dyn Error + Send + Sync>>,
    },
}

impl Failure {
    /// Names the wrong values of a question on the command line.
    pub(crate) fn asked(error: &EdgeError) -> Self {
        let fields = error.fields.iter();
        let fields: Vec<String> = fields
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let what = if fields.is_empty() {
            error.to_string()
        } else {
            format!("{}: {error}", fields.join(", "))
        };
        Self::Usage(what)
    }

    /// A failure of the database.
    pub(crate) fn database(
        what: impl Into<String>,
        source: impl Error + Send + Sync + 'static,
    ) -> Self {
        Self::Database {
            what: what.into(),
            source: Some(Box::new(source)),
        }
    }

    /// Any other failure.
    pub(crate) fn internal(
        what: impl Into<String>,
        source: impl Error + Send + Sync + 'static,
    ) -> Self {
        Self::Internal {
            what: what.into(),
            source: Some(Box::new(source)),
        }
    }

    /// Says it once, with its causes, and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        if !matches!(self, Self::Difference) {
            eprintln!("meterhouse: {}", ErrorChain(self));
        }
        ExitCode::from(match self {
            Self::Difference => 1,
            Self::Usage(_) => 2,
            Self::Configuration(_) => 3,
            Self::Database { .. } => 4,
            Self::InUse(_) => 5,
            Self::Empty(_) => 6,
            Self::Internal { .. } => 70,
        })
    }
}
