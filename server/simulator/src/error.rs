//! What ends a simulation: everything that it did not expect.

use std::time::Duration;

use meterhouse_client::{NotAValue, OpenError, OutboxError, OutcomeError, SendError, Stopped};

use crate::plan::PlanImpossible;

/// The simulation can't go on. Refusals that happen at real tables are no errors; these are.
#[derive(Debug, thiserror::Error)]
pub enum SimulatorError {
    /// The plan can't be played.
    #[error("the demo can't be played as planned")]
    Plan(#[from] PlanImpossible),
    /// The server's address can't be used.
    #[error("{base:?} is not the address of a server: write http://HOST:PORT")]
    Address {
        /// The address.
        base: String,
    },
    /// No HTTP client could be made.
    #[error("could not make an HTTP client")]
    Client(#[source] reqwest::Error),
    /// There is no token for something that has to speak.
    #[error("there is no token for {whom}")]
    NoToken {
        /// A table, or the floor.
        whom: String,
    },
    /// The server could not be reached for too long.
    #[error("no answer to {request} within {waited:?}, after {attempts} attempts; last: {last}")]
    Unreachable {
        /// What was asked.
        request: String,
        /// For how long it was tried.
        waited: Duration,
        /// How often.
        attempts: u32,
        /// What went wrong the last time.
        last: String,
    },
    /// The server answered what it should not have.
    #[error("{request} was answered {answer}, expected {expected}")]
    Unexpected {
        /// What was asked, its body with it.
        request: String,
        /// The status and the body.
        answer: String,
        /// What should have come.
        expected: String,
    },
    /// An answer lacks what the simulation needs of it.
    #[error("{request} was answered {answer}, which can't be read")]
    Unreadable {
        /// What was asked.
        request: String,
        /// The status and the body.
        answer: String,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// Something that others had to do, or that time had to bring, did not come.
    #[error("{what} within {waited:?}")]
    NotInTime {
        /// What was still so: `hit C4P-07.2 was not settled`.
        what: String,
        /// For how long it was waited for.
        waited: Duration,
    },
    /// A table's controller could not be opened.
    #[error("a table's controller could not be opened")]
    Open(#[from] OpenError),
    /// A table's controller kept no command.
    #[error("a table's controller kept no command")]
    Send(#[from] SendError),
    /// A table's controller has no outcome.
    #[error("a table's controller has no outcome of a command")]
    Outcome(#[from] OutcomeError),
    /// A table's controller has stopped.
    #[error("a table's controller has stopped")]
    Stopped(#[from] Stopped),
    /// A table's controller could not be closed.
    #[error("a table's controller could not be closed")]
    Close(#[from] OutboxError),
    /// Something drawn is nothing that a controller can send.
    #[error("what was drawn can't be sent")]
    NotAValue(#[from] NotAValue),
    /// The cable of a table could not be laid.
    #[error("no port for the cable of a table")]
    Cable(#[source] std::io::Error),
    /// One deck was not enough for a round, or a staged hand did not come up.
    #[error("round {round} could not be dealt")]
    NotDealt {
        /// The round.
        round: u64,
    },
    /// A task of the simulation died.
    #[error("a task of the simulation died")]
    Task(#[from] tokio::task::JoinError),
}
