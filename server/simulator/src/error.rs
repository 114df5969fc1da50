//! The errors that end a simulation: all unexpected results.

use std::time::Duration;

use meterhouse_client::{NotAValue, OpenError, OutboxError, OutcomeError, SendError, Stopped};

use crate::plan::PlanImpossible;

/// An error that ends the simulation. Refusals that occur at real tables are no errors.
#[derive(Debug, thiserror::Error)]
pub enum SimulatorError {
    /// The plan can't be played.
    #[error("the demo can't be played as planned")]
    Plan(#[from] PlanImpossible),
    /// The server's address is invalid.
    #[error("{base:?} is not the address of a server: write http://HOST:PORT")]
    Address {
        /// The given address.
        base: String,
    },
    /// The HTTP client could not be built.
    #[error("the HTTP client could not be built")]
    Client(#[source] reqwest::Error),
    /// A token is missing.
    #[error("there is no token for {actor}")]
    NoToken {
        /// The table, or `a supervisor`.
        actor: String,
    },
    /// The server stayed unreachable for the maximum time.
    #[error("no answer to {request} within {waited:?}, after {attempts} attempts; last: {last}")]
    Unreachable {
        /// The request.
        request: String,
        /// The time from the first attempt to the last.
        waited: Duration,
        /// The number of attempts.
        attempts: u32,
        /// The error of the last attempt.
        last: String,
    },
    /// The server sent an unexpected response.
    #[error("{request} was answered {answer}, expected {expected}")]
    Unexpected {
        /// The request with its body.
        request: String,
        /// The status and the body.
        answer: String,
        /// The expected response.
        expected: String,
    },
    /// A response lacks a field that the simulation needs.
    #[error("{request} was answered {answer}, which can't be read")]
    Unreadable {
        /// The request.
        request: String,
        /// The status and the body.
        answer: String,
        /// The error of the JSON parser.
        #[source]
        source: serde_json::Error,
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
