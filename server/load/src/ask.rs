//! A command on its way, and what came of it.

use prost::bytes::Bytes;

use crate::commands::Kind;
use crate::wire::OutcomeReceived;

/// What was given as an answer: whatever a second one has to be equal to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    /// Over a stream.
    Outcome(Box<OutcomeReceived>),
    /// Over HTTP.
    Body { refused: bool, body: Bytes },
}

/// An answer to a command.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// Whether the server says that it gave it before.
    pub(crate) replayed: bool,
    /// The code, where the rules refused it.
    pub(crate) refused: Option<String>,
}

/// Whether a command is sent twice on purpose.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// No.
    No,
    /// Right behind the first.
    AtOnce,
    /// When the first was answered.
    Later,
}

/// A command on its way.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    /// The table's place in the pit.
    pub(crate) felt: usize,
    /// Its number.
    pub(crate) sequence: u64,
    /// What it asks for.
    pub(crate) kind: Kind,
    /// From when its latency counts, in nanoseconds since the beginning.
    pub(crate) due: u64,
    /// Whether it will be sent twice.
    pub(crate) repeat: Repeat,
    /// Whether it goes before the number in front of it.
    pub(crate) early: bool,
    /// Whether it may have arrived before: its answer was lost.
    pub(crate) resent: bool,
    /// For the second sending of one that was answered, or will be before it.
    pub(crate) second: Option<Box<Second>>,
}

/// The second sending of a command.
#[derive(Clone, Debug)]
pub(crate) struct Second {
    /// The first outcome, where it came before this was sent.
    pub(crate) first: Option<Given>,
}

impl Ask {
    /// The same again, right behind it.
    pub(crate) fn again(&self) -> Self {
        Self {
            second: Some(Box::new(Second { first: None })),
            repeat: Repeat::No,
            ..self.clone()
        }
    }
}
