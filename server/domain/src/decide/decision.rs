//! Inputs of a decision in addition to state and command, and its result.

use crate::event::{Draws, Event};
use crate::ids::Timestamp;
use crate::money::OutOfRange;
use crate::refusal::{Refusal, RefusalCode};

/// The effect of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// One event.
    Event(Event),
    /// No event: the same person did the same before.
    AlreadyDone,
}

/// Reason why a command causes nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// A command refused by the rules.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The rules themselves failed: the link must accept nothing until people have inspected it.
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

/// Inputs of a decision in addition to state and command: time and random draws are inputs, so that the rules stay
/// pure.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// Server time of the batch.
    pub at: Timestamp,
    /// Draws for a coin-in: see [`draw`](crate::draw::draw).
    pub draws: Draws,
}
