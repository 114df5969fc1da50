//! A command in flight, and its outcome.

use prost::bytes::Bytes;

use crate::commands::Kind;
use crate::wire::OutcomeReceived;

/// The first outcome of a command. The outcome of a repeat has to be equal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ReceivedOutcome {
    /// The outcome of a stream.
    Outcome(Box<OutcomeReceived>),
    /// The body of an HTTP reply.
    Body { refused: bool, body: Bytes },
}

/// The part of a reply that the generator counts.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// `true` if the server marks the reply as a replay.
    pub(crate) is_replay: bool,
    /// The code of the refusal, if the rules refused the command.
    pub(crate) refusal: Option<String>,
}

/// The plan to send a command twice on purpose.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// The command is sent once.
    No,
    /// The repeat directly follows the first send.
    Immediately,
    /// The repeat is sent after the first outcome.
    AfterOutcome,
}

/// A command in flight.
#[derive(Clone, Debug)]
pub(crate) struct InFlight {
    /// The index of the table in its group.
    pub(crate) table_index: usize,
    pub(crate) sequence: u64,
    pub(crate) kind: Kind,
    /// The time from which latency is measured, in nanoseconds since the start.
    pub(crate) due: u64,
    pub(crate) repeat: Repeat,
    /// `true` if the command is sent before the preceding number, on purpose.
    pub(crate) is_reordered: bool,
    /// `true` if the command may have arrived before, because its reply was lost.
    pub(crate) is_resent: bool,
    /// Set for the second send of a command that is sent twice on purpose.
    pub(crate) repeat_of: Option<Box<RepeatOf>>,
}

/// The first send of a repeated command.
#[derive(Clone, Debug)]
pub(crate) struct RepeatOf {
    /// The first outcome, if it arrived before the repeat was sent.
    pub(crate) first_outcome: Option<ReceivedOutcome>,
}

impl InFlight {
    /// Returns the repeat that directly follows this command.
    pub(crate) fn immediate_repeat(&self) -> Self {
        Self {
            repeat_of: Some(Box::new(RepeatOf {
                first_outcome: None,
            })),
            repeat: Repeat::No,
            ..self.clone()
        }
    }
}
