//! Words for states that only the wire names.

use core::fmt;
use std::borrow::Cow;

use meterhouse_journal::hit::HitState;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::forms::words_schema;
use crate::text::{InvalidValue, Text, TextForm};

macro_rules! words {
    ($($(#[doc = $doc:literal])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)+ })+) => {$(
        $(#[doc = $doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$vdoc])* $variant,)+ }

        impl $name {
            /// Every variant.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the word.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl TextForm for $name {
            const NAME: &'static str = stringify!($name);
            const CODE: &'static str = "invalid_value";

            fn read(text: &str) -> Result<Self, InvalidValue> {
                let mut all = Self::ALL.iter().copied();
                all.find(|word| word.name() == text).ok_or_else(|| {
                    let words: Vec<&str> = Self::ALL.iter().map(|word| word.name()).collect();
                    InvalidValue::new(Self::CODE, format_args!("write one of {}", words.join(", ")))
                })
            }

            fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(self.name())
            }

            fn schema() -> Object {
                let words = Self::ALL.iter().map(|word| word.name());
                words_schema(words, concat!($($doc),*).trim())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                Text(*self).serialize(to)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Text::deserialize(from).map(|Text(word)| word)
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                <Text<Self> as PartialSchema>::schema()
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                <Text<Self> as ToSchema>::name()
            }
        }
    )+};
}

words! {
    /// Audience of a feed.
    FeedAudience {
        /// The public: signs and the players who read them.
        Players = "players",
        /// Supervisors, managers and auditors who may read the link.
        Floor = "floor",
    }

    /// Role of a person or program.
    Role {
        /// A controller, which sends the commands of one table.
        Controller = "controller",
        /// A display, which shows one link.
        Display = "display",
        /// A supervisor, who validates and pays hits.
        Supervisor = "supervisor",
        /// A manager, who opens links and joins tables.
        Manager = "manager",
        /// An auditor, who reads everything.
        Auditor = "auditor",
        /// An administrator, who admits people and programs.
        Administrator = "administrator",
        /// Another house, which deposits its signed heads here.
        Witnessed = "witnessed",
    }

    /// Role of a person, who may log in.
    PersonRole {
        /// A supervisor, who validates and pays hits.
        Supervisor = "supervisor",
        /// A manager, who opens links and joins tables.
        Manager = "manager",
        /// An auditor, who reads everything.
        Auditor = "auditor",
        /// An administrator, who admits people and programs.
        Administrator = "administrator",
    }

    /// Jurisdiction whose chapters settle rounds.
    Jurisdiction {
        /// Pennsylvania.
        Pennsylvania = "PA",
        /// Massachusetts.
        Massachusetts = "MA",
    }

    /// Credential of a request.
    CredentialKind {
        /// A session's cookie.
        Session = "session",
        /// A token.
        Token = "token",
    }

    /// State of a link.
    LinkState {
        /// In play.
        Open = "open",
        /// No coin-in is accepted.
        Suspended = "suspended",
        /// Suspended, with no open round and no unpaid hit.
        Closed = "closed",
        /// Only the clearing of the fault by two people is accepted.
        Faulted = "faulted",
        /// Unknown: the link did not answer in time.
        Unavailable = "unavailable",
    }

    /// State of a table.
    TableState {
        /// The table takes coin-in, if its link does.
        InService = "in_service",
        /// The table was silent for too long.
        Lost = "lost",
        /// A manager disabled the table.
        Disabled = "disabled",
        /// The table left its link for good.
        Left = "left",
        /// The progressive can't be played at the table; players don't see the reason.
        Unavailable = "unavailable",
    }

    /// State of an open round.
    RoundState {
        /// The bets are locked.
        Locked = "locked",
        /// A hit stands.
        Settling = "settling",
    }

    /// State of a proposal.
    ProposalState {
        /// Waits for the second person.
        Open = "open",
        /// Approved and executed.
        Approved = "approved",
        /// Declined.
        Declined = "declined",
        /// Not approved in time.
        Expired = "expired",
    }

    /// Decision of a supervisor about a hit.
    HitDecision {
        /// The hit is right.
        Approve = "approve",
        /// The hit is wrong: its entries are reversed.
        Reject = "reject",
    }

    /// Decision of the second person about a proposal.
    ProposalDecision {
        /// The change is executed.
        Approve = "approve",
        /// The change is not executed.
        Decline = "decline",
    }

    /// Cause of a decrease of a meter.
    DecreaseCause {
        /// A hit took from the meter.
        Hit = "hit",
        /// A hit was cancelled, and its restart was more than it took.
        HitCancelled = "hit_cancelled",
        /// A hit was rejected, or later hits got other amounts by the rejection.
        HitRejected = "hit_rejected",
        /// A round was voided.
        Void = "void",
        /// Two people adjusted the meter.
        Adjustment = "adjustment",
        /// Two people withdrew a hit.
        Correction = "correction",
        /// A winner was found after GAME OVER.
        LateHit = "late_hit",
    }

    /// Kind of a change of people.
    AlterationKind {
        /// Two people adjusted a balance.
        Adjusted = "adjusted",
        /// Two people withdrew a hit.
        Corrected = "corrected",
        /// Two people recorded a winner found after GAME OVER.
        LateHitRecorded = "late_hit_recorded",
        /// Two people cleared a fault.
        FaultCleared = "fault_cleared",
        /// Two people acknowledged the returns.
        ReturnsAcknowledged = "returns_acknowledged",
        /// Two people adopted a table of fixed wagers.
        TableAdopted = "table_adopted",
        /// A manager accepted the first value of a level.
        ValuesAccepted = "values_accepted",
        /// A manager suspended the link.
        LinkSuspended = "link_suspended",
        /// A manager resumed the link.
        LinkResumed = "link_resumed",
        /// A manager switched a level off.
        LevelDisabled = "level_disabled",
        /// A manager switched a level on.
        LevelEnabled = "level_enabled",
        /// A manager switched a table off.
        TableDisabled = "table_disabled",
        /// A manager switched a table on.
        TableEnabled = "table_enabled",
        /// A manager let a table leave.
        TableLeft = "table_left",
    }

    /// Kind of an exception.
    ExceptionKind {
        /// The dealer counted another number of chips than wagers were accepted.
        CountDiffers = "count_differs",
        /// A table was silent for too long.
        TableLost = "table_lost",
        /// The house had to pay for a meter, or two people lowered it below what its level restarts with.
        MeterShort = "meter_short",
        /// The link was faulted.
        LinkFaulted = "link_faulted",
    }

    /// Kind of an entry of a payoff report.
    PayoffEntryKind {
        /// A hit took a part of the meter.
        Hit = "hit",
        /// A round was voided.
        Void = "void",
        /// A ceiling was reached.
        Ceiling = "ceiling",
        /// Two people adjusted the meter.
        Adjustment = "adjustment",
        /// A winner was found after GAME OVER.
        LateHit = "late_hit",
    }

    /// Kind of a refused attempt.
    AttemptKind {
        /// Another command under a number that the table has used.
        SequenceReused = "sequence_reused",
        /// Other terms for a link that is open.
        TermsChanged = "terms_changed",
        /// A table that is on another link.
        TableMoved = "table_moved",
        /// Another proposal under a used id.
        ProposalReused = "proposal_reused",
    }

    /// Liveness of the process.
    HealthStatus {
        /// The process answers.
        Alive = "alive",
    }

    /// Readiness of the server: the worst check's.
    ReadinessStatus {
        /// All is well.
        Ready = "ready",
        /// The server plays on, and an operator has something to do.
        Degraded = "degraded",
        /// The server can't do its work.
        NotReady = "not_ready",
    }

    /// Result of a check.
    CheckStatus {
        /// All is well.
        Ok = "ok",
        /// The server plays on, and an operator has something to do.
        Degraded = "degraded",
        /// The server can't do its work.
        Failed = "failed",
    }

    /// Person who validates a pay before it is paid.
    ValidatedBy {
        /// A floorperson or above.
        Floorperson = "floorperson",
        /// No person has to.
        Rule = "rule",
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
