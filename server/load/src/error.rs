//! The errors that end a load early.

use std::io;
use std::time::Duration;

use meterhouse_api::text::InvalidValue;
use meterhouse_http_client::ClientError;
use meterhouse_simulator::SimulatorError;

use crate::plan::PlanImpossible;

/// An error that ends the load.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The plan can't be played.
    #[error("the plan can't be played")]
    Plan(#[from] PlanImpossible),
    /// The links could not be opened, or the tables could not join.
    #[error("the links could not be opened, or the tables could not join")]
    Prepare(#[from] SimulatorError),
    /// A request failed that closes a round, validates a hit or reads the books.
    #[error("a request failed that closes a round, validates a hit or reads the books")]
    Request(#[from] ClientError),
    /// A value of the plan is invalid in a request.
    #[error("a value of the plan is invalid in a request")]
    InvalidValue(#[from] InvalidValue),
    /// A table has no token.
    #[error("there is no token for table {table}")]
    NoToken {
        /// The name of the table.
        table: String,
    },
    /// An address is invalid.
    #[error("{address:?} is not the address of a server; write http://HOST:PORT")]
    Address {
        /// The invalid address.
        address: String,
    },
    /// The server was unreachable, or made no progress, for too long.
    #[error("{what} made no progress for {waited:?}; last: {last}")]
    NoProgress {
        /// The name of the connection.
        what: String,
        /// The time without progress.
        waited: Duration,
        /// The last failure.
        last: String,
    },
    /// The server broke its contract.
    #[error("{what}")]
    Broken {
        /// A description of the violation.
        what: String,
    },
    /// The body of a command could not be written as JSON.
    #[error("the body of a command could not be written as JSON")]
    Body(#[from] serde_json::Error),
    /// The kernel's timer failed.
    #[error("the generator's timer failed")]
    Timer(#[from] io::Error),
    /// The histogram of latencies could not be created.
    #[error("could not create a histogram of latencies")]
    Histogram(#[from] hdrhistogram::CreationError),
    /// A task of the generator panicked or was cancelled.
    #[error("a task of the generator failed")]
    Task(#[from] tokio::task::JoinError),
}

impl LoadError {
    /// Returns the error for a violation of the server's contract.
    pub(crate) fn broken(what: impl Into<String>) -> Self {
        Self::Broken { what: what.into() }
    }
}
