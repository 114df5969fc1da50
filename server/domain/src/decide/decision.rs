//! What a decision reads beside state and command, and what it answers.

use crate::event::{Draws, Event};
use crate::ids::Timestamp;
use crate::money::OutOfRange;
use crate::refusal::{Refusal, RefusalCode};

/// What a command causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This.
    Event(Event),
    /// Nothing: it was done before, by the same person in the same way.
    AlreadyDone,
}

/// Why a command causes nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The rules say no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The rules themselves broke: the link must accept nothing until people have looked at it.
    #[error("an invariant broke: {0}")]
    Broken(&'static str),
}

impl From<OutOfRange> for Stop {
    fn from(_: OutOfRange) -> Self {
        Self::Broken("a sum left the range of money")
    }
}

impl From<RefusalCode> for Stop {
    fn from(code: RefusalCode) -> Self {
        Self::Refused(Refusal::new(code))
    }
}

/// What a decision needs beside state and command: time and chance are inputs, so that the rules stay pure.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// The server's time.
    pub at: Timestamp,
    /// What was drawn for a coin-in: see [`draw`](crate::draw::draw).
    pub draws: Draws,
}
