//! Words for states that only the wire names.

use core::fmt;

use meterhouse_journal::hit::HitState;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;

use crate::forms::words_schema;
use crate::text::{InvalidValue, Text, TextForm};

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident)+ })+) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vdoc])* $variant,)+ }
    )+};
}

words! {
    /// State of a link.
    LinkState {
        /// In play.
        Open
        /// No coin-in is accepted.
        Suspended
        /// Suspended, with no open round and no unpaid hit.
        Closed
        /// Only the clearing of the fault by two people is accepted.
        Faulted
        /// Unknown: the link did not answer in time.
        Unavailable
    }

    /// State of a table.
    TableState {
        /// The table takes coin-in, if its link does.
        InService
        /// The table was silent for too long.
        Lost
        /// A manager disabled the table.
        Disabled
        /// The table left its link for good.
        Left
        /// The progressive can't be played at the table; players don't see the reason.
        Unavailable
    }

    /// State of an open round.
    RoundState {
        /// The bets are locked.
        Locked
        /// A hit stands.
        Settling
    }

    /// State of a proposal.
    ProposalState {
        /// Waits for the second person.
        Open
        /// Approved and executed.
        Approved
        /// Declined.
        Declined
        /// Not approved in time.
        Expired
    }

    /// Decision of a supervisor about a hit.
    HitDecision {
        /// The hit is right.
        Approve
        /// The hit is wrong: its entries are reversed.
        Reject
    }

    /// Decision of the second person about a proposal.
    ProposalDecision {
        /// The change is executed.
        Approve
        /// The change is not executed.
        Decline
    }

    /// Cause of a decrease of a meter.
    DecreaseCause {
        /// A hit took from the meter.
        Hit
        /// A hit was cancelled, and its restart was more than it took.
        HitCancelled
        /// A hit was rejected, or later hits got other amounts by the rejection.
        HitRejected
        /// A round was voided.
        Void
        /// Two people adjusted the meter.
        Adjustment
        /// Two people withdrew a hit.
        Correction
        /// A winner was found after GAME OVER.
        LateHit
    }

    /// Kind of an entry of a payoff report.
    PayoffEntryKind {
        /// A hit took a part of the meter.
        Hit
        /// A round was voided.
        Void
        /// A ceiling was reached.
        Ceiling
        /// Two people adjusted the meter.
        Adjustment
        /// A winner was found after GAME OVER.
        LateHit
    }

    /// Kind of a refused attempt.
    AttemptKind {
        /// Another command under a number that the table has used.
        SequenceReused
        /// Other terms for a link that is open.
        TermsChanged
        /// A table that is on another link.
        TableMoved
        /// Another proposal under a used id.
        ProposalReused
    }

    /// Liveness of the process.
    HealthStatus {
        /// The process answers.
        Alive
    }

    /// Readiness of the server: the worst check's.
    ReadinessStatus {
        /// All is well.
        Ready
        /// The server plays on, and an operator has something to do.
        Degraded
        /// The server can't do its work.
        NotReady
    }

    /// Result of a check.
    CheckStatus {
        /// All is well.
        Ok
        /// The server plays on, and an operator has something to do.
        Degraded
        /// The server can't do its work.
        Failed
    }

    /// Person who validates a pay before it is paid.
    ValidatedBy {
        /// A floorperson or above.
        Floorperson
        /// No person has to.
        Rule
    }
}

/// State of a hit in a feed: players see `undone` instead of the reason that a hit is no longer won.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FeedState(pub Option<HitState>);

/// State of a hit in a feed.
pub type FeedHitState = Text<FeedState>;

/// The word for a hit that is no longer won.
const UNDONE: &str = "undone";

impl TextForm for FeedState {
    const NAME: &'static str = "FeedHitState";
    const CODE: &'static str = "invalid_value";

    fn read(text: &str) -> Result<Self, InvalidValue> {
        if text == UNDONE {
            return Ok(Self(None));
        }
        HitState::read(text).map(|state| Self(Some(state)))
    }

    fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0.map_or(UNDONE, HitState::name))
    }

    fn schema() -> Object {
        let words = HitState::ALL.iter().map(|state| state.name());
        let description = "State of a hit; `undone` for players, if the hit is no longer won";
        words_schema(words.chain([UNDONE]), description)
    }
}
