//! The mistakes in a round as clients receive them: a path, a stable code and a sentence each.

use meterhouse_domain::fixed::limit::LimitRefused;
use meterhouse_domain::fixed::settle::{Finding, Mistake};

use crate::codes::EdgeCode;
use crate::wire_error::{EdgeError, WireError};

/// Code of a chosen table that the catalogue doesn't have.
pub(super) const TABLE_UNKNOWN: &str = "table_unknown";
/// Code of a chosen table of the round's game in another jurisdiction.
pub(super) const TABLE_ELSEWHERE: &str = "table_elsewhere";
/// Code of a chosen table of which the source omits values.
pub(super) const TABLE_INCOMPLETE: &str = "table_incomplete";
/// Code of a field that belongs to another kind of game.
pub(super) const OTHER_GAME: &str = "other_game";

/// A mistake in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundFinding {
    /// Path of the field, such as `seats[0].wagers[2].amount`.
    pub path: String,
    /// Stable code, for programs.
    pub code: &'static str,
    /// Sentence for people, with the remedy.
    pub detail: String,
}

/// All mistakes in a round; there is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRefused(pub Vec<RoundFinding>);

macro_rules! codes {
    ($($mistake:pat => $code:literal,)+) => {
        /// Codes of all findings, in the order of `docs/API.md`.
        pub const FINDING_CODES: &[&str] = &[TABLE_UNKNOWN, TABLE_ELSEWHERE, TABLE_INCOMPLETE, OTHER_GAME, $($code),+];

        /// Returns the stable code of a mistake.
        const fn code(mistake: &Mistake) -> &'static str {
            match mistake { $($mistake => $code,)+ }
        }
    };
}

codes! {
    Mistake::TableMissing { .. } => "table_missing",
    Mistake::TableTwice { .. } => "table_twice",
    Mistake::GameUnknown { .. } => "game_unknown",
    Mistake::NoAmount => "no_amount",
    Mistake::NoSeats => "no_seats",
    Mistake::SeatUnknown { .. } => "seat_unknown",
    Mistake::SeatTwice { .. } => "seat_twice",
    Mistake::PositionTwice { .. } => "position_twice",
    Mistake::CardsCount { .. } => "cards_count",
    Mistake::CardTwice { .. } => "card_twice",
    Mistake::CardsMissing => "cards_missing",
    Mistake::WagerUnknown { .. } => "wager_unknown",
    Mistake::WagerTwice { .. } => "wager_twice",
    Mistake::WagerMissing { .. } => "wager_missing",
    Mistake::RaiseMissing { .. } => "raise_missing",
    Mistake::FoldedWithRaise { .. } => "folded_with_raise",
    Mistake::NoFold => "no_fold",
    Mistake::OffStep { .. } => "off_step",
    Mistake::BelowMinimum { .. } => "below_minimum",
    Mistake::NotTimes { .. } => "not_times",
    Mistake::Unpayable => "unpayable",
    Mistake::Elided { .. } => "elided",
    Mistake::VoidElided => "void_elided",
    Mistake::LimitUnknown => "limit_unknown",
    Mistake::Limit(LimitRefused::TooLow { .. }) => "limit_too_low",
    Mistake::Limit(LimitRefused::Fixed { .. }) => "limit_fixed",
    Mistake::ReadingMissing { .. } => "reading_missing",
    Mistake::MostMissing { .. } => "most_missing",
    Mistake::MostDiffers { .. } => "most_differs",
    Mistake::NoDice => "no_dice",
    Mistake::NumbersChosen { .. } => "numbers_chosen",
    Mistake::LettersDiffer => "letters_differ",
    Mistake::NoSpins => "no_spins",
    Mistake::GoalMissing => "goal_missing",
    Mistake::TeamMissing => "team_missing",
    Mistake::TeamWithoutGame => "team_without_game",
}

impl RoundFinding {
    /// Returns the mistake that the rules found.
    pub(super) fn of(found: &Finding) -> Self {
        Self {
            path: found.path.clone(),
            code: code(&found.mistake),
            detail: found.mistake.to_string(),
        }
    }
}

impl RoundRefused {
    /// Returns the error of the edge: the sentence of each mistake in its detail, and the code in its fields.
    pub(super) fn error(&self) -> EdgeError {
        let Self(findings) = self;
        let sentences: Vec<String> = findings
            .iter()
            .map(|finding| format!("{}: {}", finding.path, finding.detail))
            .collect();
        let error = EdgeError::because(EdgeCode::RoundRefused, sentences.join("; "));
        findings.iter().fold(error, |error, finding| {
            error.with(&finding.path, finding.code)
        })
    }

    /// Returns the error of a round whose sums leave the range of money.
    pub(super) fn beyond_range() -> Self {
        Self(vec![RoundFinding {
            path: "seats".to_owned(),
            code: code(&Mistake::Unpayable),
            detail: Mistake::Unpayable.to_string(),
        }])
    }
}

impl From<RoundRefused> for WireError {
    fn from(refused: RoundRefused) -> Self {
        refused.error().into()
    }
}
