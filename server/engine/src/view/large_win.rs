//! The large wins of a link.

use meterhouse_domain::ids::{LinkName, PlayerName, Timestamp};
use meterhouse_domain::money::Money;

use super::hit::HitView;

/// The selection of large wins.
#[derive(Copy, Clone, Debug)]
pub struct LargeWinFilter {
    /// The start of the period, if it has one.
    pub from: Option<Timestamp>,
    /// The end of the period, if it has one. A hit at this time is not included.
    pub to: Option<Timestamp>,
    /// The amount from which a player's win is large.
    pub threshold: Money,
    /// The amount from which a player's win needs a tax form.
    pub tax_threshold: Money,
}

/// The large wins of a link in a period.
#[derive(Clone, Debug)]
pub struct LargeWinsView {
    /// The link.
    pub link: LinkName,
    /// The wins, in the order of their hits.
    pub wins: Vec<LargeWin>,
}

/// A hit that is a large win of at least one player.
#[derive(Clone, Debug)]
pub struct LargeWin {
    /// The hit.
    pub hit: HitView,
    /// The players that it pays, in the order of its payouts.
    pub players: Vec<WinningPlayer>,
}

/// The amount that a hit pays to one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinningPlayer {
    /// The player, if the table named one.
    pub player: Option<PlayerName>,
    /// The seats of the payouts. A player without a name has one.
    pub seats: Vec<u8>,
    /// The sum of the payouts.
    pub amount: Money,
    /// The part of the sum that is paid.
    pub paid: Money,
    /// Set if the sum reaches the threshold of a large win.
    pub large: bool,
    /// Set if the sum reaches the threshold of a tax form.
    pub tax_form: bool,
}
