//! What ends a load before its time.

use std::io;
use std::time::Duration;

use meterhouse_simulator::SimulatorError;

use crate::plan::PlanImpossible;

/// The load can't go on.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The plan can't be played.
    #[error("the load can't be played as planned")]
    Plan(#[from] PlanImpossible),
    /// Preparing, validating or reading the books failed.
    #[error("the load's people got no answer that they can use")]
    People(#[from] SimulatorError),
    /// There is no token for a table.
    #[error("there is no token for table {table}")]
    NoToken {
        /// The table.
        table: String,
    },
    /// An address can't be used.
    #[error("{address:?} is not the address of a server: write http://HOST:PORT")]
    Address {
        /// The address.
        address: String,
    },
    /// The server was away, or stood still, for too long.
    #[error("{what} made no progress for {waited:?}; last: {last}")]
    Patience {
        /// Which connection.
        what: String,
        /// For how long.
        waited: Duration,
        /// What was heard last.
        last: String,
    },
    /// A server that keeps its promises never does this.
    #[error("{what}")]
    Broken {
        /// What it did.
        what: String,
    },
    /// The kernel's timer failed.
    #[error("the generator's timer failed")]
    Timer(#[from] io::Error),
    /// Latencies could not be counted.
    #[error("the generator's histogram could not be made")]
    Histogram(#[from] hdrhistogram::CreationError),
    /// A task of the generator died.
    #[error("a task of the generator died")]
    Task(#[from] tokio::task::JoinError),
}

impl LoadError {
    /// A promise was broken.
    pub(crate) fn broken(what: impl Into<String>) -> Self {
        Self::Broken { what: what.into() }
    }
}

/// An error with its causes.
pub(crate) fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
