//! The errors that end a simulation: all unexpected results.

use std::time::Duration;

use meterhouse_api::text::InvalidValue;
use meterhouse_client::{NotAValue, OpenError, OutboxError, OutcomeError, SendError, Stopped};
use meterhouse_http_client::ClientError;

use crate::plan::PlanImpossible;

/// An error that ends the simulation. Refusals that occur at real tables are no errors.
#[derive(Debug, thiserror::Error)]
pub enum SimulatorError {
    /// The plan can't be played.
    #[error("the demo can't be played as planned")]
    Plan(#[from] PlanImpossible),
    /// A request over HTTP failed.
    #[error(transparent)]
    Request(#[from] ClientError),
    /// A token is missing.
    #[error("there is no token for {actor}")]
    NoToken {
        /// The table, or `a supervisor`.
        actor: String,
    },
    /// The server sent an unexpected response.
    #[error("{request} was answered {answer}, expected {expected}")]
    Unexpected {
        /// The request.
        request: String,
        /// The response.
        answer: String,
        /// The expected response.
        expected: String,
    },
    /// An awaited change did not occur in time.
    #[error("{what} within {waited:?}")]
    NotInTime {
        /// The state that did not change, such as `hit C4P-07.2 was not paid`.
        what: String,
        /// The duration of the wait.
        waited: Duration,
    },
    /// A table's controller could not be opened.
    #[error("a table's controller could not be opened")]
    Open(#[from] OpenError),
    /// A table's controller did not accept a command.
    #[error("a table's controller did not accept a command")]
    Send(#[from] SendError),
    /// A table's controller returned no outcome of a command.
    #[error("a table's controller returned no outcome of a command")]
    Outcome(#[from] OutcomeError),
    /// A table's controller has stopped.
    #[error("a table's controller has stopped")]
    Stopped(#[from] Stopped),
    /// A table's controller could not be closed.
    #[error("a table's controller could not be closed")]
    Close(#[from] OutboxError),
    /// A value of the script is invalid in a command.
    #[error("a value of the script is invalid in a command")]
    NotAValue(#[from] NotAValue),
    /// A value of the plan is invalid in a request.
    #[error("a value of the plan is invalid in a request")]
    InvalidValue(#[from] InvalidValue),
    /// The network proxy of a table could not be started.
    #[error("the network proxy of a table could not be started")]
    Proxy(#[source] std::io::Error),
    /// One deck was not enough for a round, or no shuffle contained the staged hand.
    #[error("round {round} could not be dealt")]
    NotDealt {
        /// The round.
        round: u64,
    },
    /// A task of the simulation panicked or was cancelled.
    #[error("a task of the simulation panicked or was cancelled")]
    Task(#[from] tokio::task::JoinError),
}
