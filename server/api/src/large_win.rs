//! The report of large wins.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::hit_detail::HitDetail;
use crate::values::{Amount, LinkName, PlayerName, Time};

/// The large wins of a link in a period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LargeWins {
    /// Link.
    pub link: LinkName,
    /// Start; null from the opening.
    pub from: Option<Time>,
    /// End; null up to now.
    pub to: Option<Time>,
    /// Amount from which a player's win is large.
    pub threshold: Amount,
    /// Amount from which a player's win needs a tax form.
    pub tax_threshold: Amount,
    /// Wins, in the order of their hits.
    pub wins: Vec<LargeWin>,
}

/// A hit that is a large win of at least one player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LargeWin {
    /// Hit, with the people who entered, decided and paid it, and the documents.
    pub hit: HitDetail,
    /// Players that the hit pays, in the order of its payouts.
    pub players: Vec<WinningPlayer>,
}

/// The amount that a hit pays to one player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WinningPlayer {
    /// Player, if the table named one.
    pub player: Option<PlayerName>,
    /// Seats of the payouts; one for a player without a name.
    pub seats: Vec<u8>,
    /// Sum of the payouts.
    pub amount: Amount,
    /// Part of the sum that is paid.
    pub paid: Amount,
    /// True if the sum is at least `threshold`.
    pub large: bool,
    /// True if the sum is at least `tax_threshold`.
    pub tax_form: bool,
}
