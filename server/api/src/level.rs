//! The levels of a link as signs show them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::values::{Amount, Hand, LevelName};

/// The displayed amount of one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LevelAmount {
    /// Level.
    pub level: LevelName,
    /// Displayed amount.
    pub amount: Amount,
}

/// A level after a coin-in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ContributedLevel {
    /// Level.
    pub level: LevelName,
    /// Displayed amount.
    pub amount: Amount,
    /// Contribution of the wagers to the level's meter, exact.
    pub contribution: Amount,
    /// Part of the meter that the level's ceiling kept out; left out if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_ceiling: Option<Amount>,
}

/// A level of a link that is shown with its ceiling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkLevel {
    /// Level.
    pub level: LevelName,
    /// Displayed amount.
    pub amount: Amount,
    /// Maximum of the displayed amount, if the level has a ceiling.
    pub ceiling: Option<Amount>,
    /// True if the level is off: it takes nothing, and only rounds that were locked before can win it.
    pub disabled: bool,
    /// Hands that take a percentage of the level: those that take all of it first. Empty if only fixed odds come off the
    /// level. A server of 0.1.0 has none.
    #[serde(default)]
    pub hands: Vec<LevelHand>,
}

/// A hand that takes a percentage of a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LevelHand {
    /// Hand.
    pub hand: Hand,
    /// Percentage of the level's displayed amount; 100 wins the level.
    #[schema(minimum = 1, maximum = 100)]
    pub percent: u8,
}
