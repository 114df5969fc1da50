//! The status of a link and its reason.

use meterhouse_domain::ids::LevelName;
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::state::LinkState;

use crate::answer::NotExecuted;
use crate::fault_reason::BATCH_REFUSED;

/// The reason of a link that is unavailable.
const NO_ANSWER: &str = "the link did not answer in time; ask again in a few seconds";

/// Prefix of this reason in older journals, followed by the name of a constraint.
const BATCH_REFUSED_BEFORE: &str = "the database refused a batch: ";

/// Returns the public reason of a fault, without names of the database.
pub fn public_reason(reason: &str) -> &str {
    if reason.starts_with(BATCH_REFUSED_BEFORE) {
        BATCH_REFUSED
    } else {
        reason
    }
}

/// The state of a link in one word (RULES §1).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LinkStatus {
    /// In play.
    Open,
    /// No coin-in is accepted.
    Suspended,
    /// The link is suspended, with no open round and no unpaid hit.
    Closed,
    /// Only the clearing of the fault by two people is accepted.
    Faulted,
    /// The state is unknown: the committer did not answer.
    Unavailable,
}

impl LinkStatus {
    /// Returns the word for this state.
    pub fn of(state: &LinkState) -> Self {
        if state.fault.is_some() {
            Self::Faulted
        } else if state.is_closed() {
            Self::Closed
        } else if state.suspended.is_some() || state.unacknowledged || !state.values_accepted {
            Self::Suspended
        } else {
            Self::Open
        }
    }

    /// Returns the word and the reason for a link whose state is unknown.
    pub(crate) fn of_not_executed(denied: &NotExecuted) -> (Self, String) {
        match denied {
            NotExecuted::LinkFaulted { reason } => (Self::Faulted, reason.clone()),
            _ => (Self::Unavailable, NO_ANSWER.to_owned()),
        }
    }

    /// Returns the word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::Open => "open",
            Self::Suspended => "suspended",
            Self::Closed => "closed",
            Self::Faulted => "faulted",
        }
    }
}

impl std::fmt::Display for LinkStatus {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name())
    }
}

/// Returns the reason that a link is not in play, if it is not.
pub(crate) fn reason_of(state: &LinkState) -> Option<String> {
    let fault = state
        .fault
        .as_deref()
        .map(|fault| public_reason(fault).to_owned());
    let suspended = || state.suspended.as_ref().map(ToString::to_string);
    let waits = |is_so: bool, code: RefusalCode| is_so.then(|| code.sentence().to_owned());
    let unaccepted = || waits(!state.values_accepted, RefusalCode::ValuesNotAccepted);
    let unacknowledged = || waits(state.unacknowledged, RefusalCode::ReturnsNotAcknowledged);
    let suspended = fault.or_else(suspended);
    suspended.or_else(unaccepted).or_else(unacknowledged)
}

/// Returns the levels that are off.
pub(crate) fn disabled_of(state: &LinkState) -> Vec<LevelName> {
    let levels = (0_u8..).zip(&state.terms.content().levels);
    let off = levels.filter(|(index, _)| state.is_disabled(*index));
    off.map(|(_, level)| level.name.clone()).collect()
}
