//! The levels of a link as signs show them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::values::{Amount, LevelName};

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
}
