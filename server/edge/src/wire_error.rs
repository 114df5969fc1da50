//! The one table from every error to its status, code and title.
//!
//! # Shape
//! A [`WireError`] is a refusal by the rules, an error of the engine, or an error of the edge.
//! [`row`] maps each to its status, code and title, by [`of_not_executed`] and [`of_refusal`]. No
//! match has a `_` arm, so that a new refusal does not compile without a row. `docs/API.md` contains
//! the same table, and a test compares the two.

use core::fmt;
use core::time::Duration;
use std::collections::BTreeMap;

use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_engine::answer::NotExecuted;

use crate::codes::EdgeCode;

/// Status of a request that the rules refuse (RFC 9110 § 15.5.21).
const UNPROCESSABLE: u16 = 422;
/// Status of a request for something that does not exist.
const NOT_FOUND: u16 = 404;
/// gRPC's `UNKNOWN`, for a status without a gRPC code. No row has it.
const GRPC_UNKNOWN: i32 = 2;
/// gRPC status for each HTTP status that a row has.
const GRPC_CODES: [(u16, i32); 15] = [
    // INVALID_ARGUMENT
    (400, 3),
    (415, 3),
    // UNAUTHENTICATED
    (401, 16),
    // PERMISSION_DENIED
    (403, 7),
    // NOT_FOUND
    (404, 5),
    // UNIMPLEMENTED
    (405, 12),
    // DEADLINE_EXCEEDED
    (408, 4),
    // ABORTED: the client reads the current state before it retries.
    (409, 10),
    // OUT_OF_RANGE: what is asked for is before the beginning of what can be read.
    (410, 11),
    // RESOURCE_EXHAUSTED
    (413, 8),
    (429, 8),
    // FAILED_PRECONDITION
    (422, 9),
    (426, 9),
    // INTERNAL
    (500, 13),
    // UNAVAILABLE
    (503, 14),
];

/// An error as a client receives it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WireError {
    /// A command refused by the rules.
    #[error(transparent)]
    Refused(Refusal),
    /// A request that the engine did not execute.
    #[error(transparent)]
    NotExecuted(NotExecuted),
    /// A request that did not reach the engine.
    #[error(transparent)]
    Edge(EdgeError),
}

/// An error of the edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeError {
    /// Stable code.
    pub code: EdgeCode,
    /// Description of the error and its remedy.
    pub detail: String,
    /// Subject of the error: names of fields and their values.
    pub fields: Vec<(String, String)>,
    /// Time after which the request may be sent again, if it is not the code's.
    pub retry_after: Option<Duration>,
}

impl EdgeError {
    /// Creates an error whose detail is the code's advice.
    pub fn new(code: EdgeCode) -> Self {
        Self {
            code,
            detail: code.advice().to_owned(),
            fields: Vec::new(),
            retry_after: None,
        }
    }

    /// Creates an error with its own detail.
    pub fn because(code: EdgeCode, detail: impl fmt::Display) -> Self {
        Self {
            code,
            detail: detail.to_string(),
            fields: Vec::new(),
            retry_after: None,
        }
    }

    /// Returns the error with one more field.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl fmt::Display) -> Self {
        self.fields.push((field.to_owned(), value.to_string()));
        self
    }
}

impl fmt::Display for EdgeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.detail)
    }
}

impl std::error::Error for EdgeError {}

impl From<NotExecuted> for WireError {
    fn from(error: NotExecuted) -> Self {
        match error {
            NotExecuted::Refused(refusal) => Self::Refused(refusal),
            error => Self::NotExecuted(error),
        }
    }
}

impl From<Refusal> for WireError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<EdgeError> for WireError {
    fn from(error: EdgeError) -> Self {
        Self::Edge(error)
    }
}

impl From<EdgeCode> for WireError {
    fn from(code: EdgeCode) -> Self {
        Self::Edge(EdgeError::new(code))
    }
}

/// Membership of a refusal in the journal. A refusal in the journal uses a table's sequence number
/// up.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Journaled {
    /// The refusal is in the journal.
    Yes,
    /// The refusal is not in the journal: its subject has no journal, or it never reached the
    /// rules.
    No,
    /// The refusal is in the journal, except at the opening of a link, which then has no journal.
    UnlessOpening,
}

impl Journaled {
    /// Returns the word in `docs/API.md`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::UnlessOpening => "unless opening",
        }
    }
}

/// A row of the table of errors.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Stable code.
    pub code: &'static str,
    /// HTTP status.
    pub status: u16,
    /// Title in a few words.
    pub title: &'static str,
    /// Remedy.
    pub advice: &'static str,
    /// Membership in the journal.
    pub journaled: Journaled,
}

impl Row {
    /// Returns the gRPC status, as `google.rpc.Code` numbers it. Codes with the same HTTP status
    /// have the same gRPC status.
    pub fn grpc_code(&self) -> i32 {
        let code = GRPC_CODES.iter().find(|(status, _)| *status == self.status);
        code.map_or(GRPC_UNKNOWN, |(_, code)| *code)
    }
}

/// Returns the row of an error.
pub fn row(error: &WireError) -> Row {
    match error {
        WireError::Refused(refusal) => of_refusal(refusal.code),
        WireError::NotExecuted(error) => of_not_executed(error),
        WireError::Edge(error) => of_edge(error.code),
    }
}

/// Returns every row, by code, as `docs/API.md` lists them.
pub fn rows() -> Vec<Row> {
    let edge = EdgeCode::ALL.iter().map(|code| of_edge(*code));
    let refusals = RefusalCode::ALL.iter().map(|code| of_refusal(*code));
    let rows: BTreeMap<_, _> = refusals.chain(edge).map(|row| (row.code, row)).collect();
    rows.into_values().collect()
}

/// Returns the row of an edge code.
pub const fn of_edge(code: EdgeCode) -> Row {
    Row {
        code: code.code(),
        status: code.status(),
        title: code.title(),
        advice: code.advice(),
        journaled: Journaled::No,
    }
}

/// Returns the row of a request that the engine did not execute.
pub const fn of_not_executed(error: &NotExecuted) -> Row {
    match error {
        NotExecuted::UnknownLink(_) => of_edge(EdgeCode::UnknownLink),
        NotExecuted::UnknownTable(_) => of_edge(EdgeCode::UnknownTable),
        NotExecuted::UnknownHit(_) => of_edge(EdgeCode::UnknownHit),
        NotExecuted::DocumentUsed { .. } => of_edge(EdgeCode::DocumentUsed),
        NotExecuted::UnknownSlip(_) => of_edge(EdgeCode::UnknownSlip),
        NotExecuted::UnknownTheme(_) => of_edge(EdgeCode::UnknownTheme),
        NotExecuted::UnknownArtwork(_) => of_edge(EdgeCode::UnknownArtwork),
        NotExecuted::ThemeUsed(_) => of_edge(EdgeCode::ThemeUsed),
        NotExecuted::TooManyThemes => of_edge(EdgeCode::TooManyThemes),
        NotExecuted::LowContrast(_) => of_edge(EdgeCode::LowContrast),
        NotExecuted::UnknownProposal(_) => of_edge(EdgeCode::UnknownProposal),
        NotExecuted::UnknownException(_) => of_edge(EdgeCode::UnknownException),
        NotExecuted::OwnException { .. } => of_edge(EdgeCode::CausedByCaller),
        NotExecuted::DayNotOver { .. } => of_edge(EdgeCode::DayNotOver),
        NotExecuted::ExceptionsOpen { .. } => of_edge(EdgeCode::ExceptionsOpen),
        NotExecuted::DayUnbalanced { .. } => of_edge(EdgeCode::DayUnbalanced),
        NotExecuted::NotOpenYet { .. } => of_edge(EdgeCode::NotOpenYet),
        NotExecuted::TimeInFuture { .. } => of_edge(EdgeCode::TimeInFuture),
        NotExecuted::NoDepartment => of_edge(EdgeCode::Forbidden),
        NotExecuted::SequenceGap { .. } => of_edge(EdgeCode::SequenceGap),
        NotExecuted::SequenceReused => of_edge(EdgeCode::SequenceReused),
        NotExecuted::SequenceArchived { .. } => of_edge(EdgeCode::SequenceArchived),
        NotExecuted::PositionArchived { .. } => of_edge(EdgeCode::PositionArchived),
        NotExecuted::NotSigned { .. } => of_edge(EdgeCode::NotSigned),
        NotExecuted::RequestReused(_) => of_edge(EdgeCode::RequestReused),
        NotExecuted::Refused(refusal) => of_refusal(refusal.code),
        NotExecuted::TooManyRefusals { .. } => of_edge(EdgeCode::TooManyRequests),
        NotExecuted::Busy | NotExecuted::TooManyFeeds => of_edge(EdgeCode::Busy),
        NotExecuted::DatabaseUnavailable => of_edge(EdgeCode::DatabaseUnavailable),
        NotExecuted::SigningKeyUnavailable => of_edge(EdgeCode::SigningKeyUnavailable),
        NotExecuted::BooksNotChecked => of_edge(EdgeCode::BooksNotChecked),
        NotExecuted::DatabaseNotWritable(_) => of_edge(EdgeCode::DatabaseNotWritable),
        NotExecuted::OutcomeUnknown => of_edge(EdgeCode::OutcomeUnknown),
        NotExecuted::HitDiffers { .. } => of_edge(EdgeCode::HitDiffers),
        NotExecuted::LinkFaulted { .. } => of_edge(EdgeCode::LinkFaulted),
    }
}

/// Returns the row of a refusal by the rules.
pub const fn of_refusal(code: RefusalCode) -> Row {
    let (status, journaled, title) = refused(code);
    Row {
        code: code.name(),
        status,
        title,
        advice: code.sentence(),
        journaled,
    }
}

macro_rules! refusals {
    ($($code:pat => $row:expr,)+) => {
        /// Returns the HTTP status, the membership in the journal and the title of a refusal.
        const fn refused(code: RefusalCode) -> (u16, Journaled, &'static str) {
            use Journaled::{No, UnlessOpening, Yes};
            use RefusalCode as Code;
            match code { $($code => $row,)+ }
        }
    };
}

refusals! {
    Code::WrongAmount => (UNPROCESSABLE, Yes, "Wrong amount"),
    Code::SeatNotOnLayout => (UNPROCESSABLE, Yes, "Seat not on the layout"),
    Code::SeatTwice => (UNPROCESSABLE, Yes, "Seat named twice"),
    Code::SeatNotDealt => (UNPROCESSABLE, Yes, "Seat not dealt in"),
    Code::NoWagers => (UNPROCESSABLE, Yes, "No wagers"),
    Code::RoundOpen => (UNPROCESSABLE, Yes, "A round is open"),
    Code::NoRound => (UNPROCESSABLE, Yes, "No round is open"),
    Code::NoWager => (UNPROCESSABLE, Yes, "No wager on this hand"),
    Code::Folded => (UNPROCESSABLE, Yes, "The seat has folded"),
    Code::WrongHand => (UNPROCESSABLE, Yes, "The cards make another hand"),
    Code::NotAWinner => (UNPROCESSABLE, Yes, "Not a winning hand"),
    Code::ImpossibleCards => (UNPROCESSABLE, Yes, "Wrong number of cards"),
    Code::CardTwice => (UNPROCESSABLE, Yes, "A card appears too often"),
    Code::AlreadyHit => (UNPROCESSABLE, Yes, "A hit on this hand stands"),
    Code::OutOfTurn => (UNPROCESSABLE, Yes, "Out of turn"),
    Code::HitNotPending => (UNPROCESSABLE, Yes, "The hit no longer waits for this"),
    Code::LaterHits => (UNPROCESSABLE, Yes, "The level was hit again since"),
    Code::HitUnsettled => (UNPROCESSABLE, Yes, "A hit is not settled"),
    Code::HitPaid => (UNPROCESSABLE, Yes, "The hit is paid"),
    Code::KeyedByValidator => (UNPROCESSABLE, Yes, "Keyed and validated by one person"),
    Code::TableDiffers => (UNPROCESSABLE, Yes, "The table differs from the link"),
    Code::RoundClosed => (UNPROCESSABLE, Yes, "The round is closed"),
    Code::PlayerDiffers => (UNPROCESSABLE, Yes, "Two players on one seat"),
    Code::EnvyNotFiled => (UNPROCESSABLE, No, "No envy schedule for this wager"),
    Code::HandNotOffered => (UNPROCESSABLE, Yes, "This hand can't be wagered on"),
    Code::CountTooLate => (UNPROCESSABLE, Yes, "Too late to count"),
    Code::HasWager => (UNPROCESSABLE, Yes, "The holder has a wager"),
    Code::ShareNotExact => (UNPROCESSABLE, No, "A share is not exact"),
    Code::PolicyNeedsReseed => (UNPROCESSABLE, No, "The reserve policy needs a reseed"),
    Code::NotPaidBySlip => (UNPROCESSABLE, Yes, "Paid without a document"),
    Code::NoSuchHit => (UNPROCESSABLE, Yes, "No such hit"),
    Code::NoSuchPayout => (UNPROCESSABLE, Yes, "No such payout"),
    Code::OutOfRange => (UNPROCESSABLE, UnlessOpening, "Out of range"),
    Code::UnknownHit => (NOT_FOUND, No, "Unknown hit"),
    Code::LinkSuspended => (UNPROCESSABLE, Yes, "The link is suspended"),
    Code::LinkClosed => (UNPROCESSABLE, Yes, "The link is closed"),
    Code::LevelDisabled => (UNPROCESSABLE, Yes, "A level is off"),
    Code::UnreasonableRate => (UNPROCESSABLE, Yes, "Too many rounds a minute"),
    Code::TableLost => (UNPROCESSABLE, Yes, "The table is lost"),
    Code::TableDisabled => (UNPROCESSABLE, Yes, "The table is disabled"),
    Code::TableLeft => (UNPROCESSABLE, Yes, "The table left its link"),
    Code::NotDrawn => (UNPROCESSABLE, Yes, "Nothing was drawn for this hand"),
    Code::SamePerson => (UNPROCESSABLE, Yes, "Both are one person"),
    Code::SameDepartment => (UNPROCESSABLE, Yes, "Both are of one department"),
    Code::ProposalExpired => (UNPROCESSABLE, Yes, "The proposal has expired"),
    Code::CeilingTooLow => (UNPROCESSABLE, No, "The ceiling is too low"),
    Code::TooOld => (UNPROCESSABLE, Yes, "Too old to be corrected"),
    Code::NotFaulted => (UNPROCESSABLE, Yes, "The link is not faulted"),
    Code::ReturnsNotAcknowledged => (UNPROCESSABLE, Yes, "The returns are not acknowledged"),
    Code::NothingToAcknowledge => (UNPROCESSABLE, Yes, "Nothing has to be acknowledged"),
    Code::BalanceTooLow => (UNPROCESSABLE, Yes, "The balance is too low"),
    Code::ProposalClosed => (UNPROCESSABLE, Yes, "The proposal is decided"),
    Code::TooManyProposals => (UNPROCESSABLE, Yes, "Too many proposals wait"),
    Code::CardsMissing => (UNPROCESSABLE, Yes, "Cards are missing"),
    Code::RoundStillOpen => (UNPROCESSABLE, Yes, "The round is still open"),
    Code::BonusNotOffered => (UNPROCESSABLE, Yes, "The bonus is not offered"),
    Code::UnknownProposal => (NOT_FOUND, No, "Unknown proposal"),
    Code::NotValidated => (UNPROCESSABLE, Yes, "Nobody has validated the hit"),
    Code::NoSuchLevel => (UNPROCESSABLE, No, "No such level"),
    Code::TooManyDecks => (UNPROCESSABLE, No, "Too many decks"),
    Code::TooManyBoxes => (UNPROCESSABLE, Yes, "Too many boxes of one player"),
    Code::BadgeMissing => (UNPROCESSABLE, Yes, "The badge is missing"),
    Code::ValuesNotAccepted => (UNPROCESSABLE, Yes, "The first values are not accepted"),
    Code::ValuesDiffer => (UNPROCESSABLE, Yes, "The values differ"),
    Code::WagersDiffer => (UNPROCESSABLE, Yes, "The fixed wagers differ from the round"),
    Code::WagersRefused => (UNPROCESSABLE, Yes, "The fixed wagers have mistakes"),
    Code::NothingToAdopt => (UNPROCESSABLE, Yes, "Nothing to adopt"),
    Code::TooManyAdopted => (UNPROCESSABLE, Yes, "Too many tables are adopted"),
    Code::RoundsOpen => (UNPROCESSABLE, Yes, "Rounds are open"),
    Code::TableNotAdopted => (UNPROCESSABLE, Yes, "The table is not adopted"),
}

#[cfg(test)]
mod tests;
