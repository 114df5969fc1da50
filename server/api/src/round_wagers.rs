//! The fixed wagers of a round, which a table sends beside the cards of `settle`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::request::{List, objects};
use crate::round_settlement::{
    HAND_CARDS_MAX, PlacedWager, ROUND_SEATS_MAX, ROUND_TABLES_MAX, TableTerms,
};
use crate::values::{Card, PaytableId, PlayerName, SeatEnd};
use crate::words::Jurisdiction;

/// Maximum number of wagers of a seat beside its cards: twice those of the game with cards that has the most.
pub const CARD_WAGERS_MAX: usize = 16;

/// The fixed wagers of a round, settled from the cards beside them. The game is the table's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct RoundWagers {
    /// Jurisdiction of the link's paytable, whose chapter settles the wagers.
    pub jurisdiction: Jurisdiction,
    /// Terms of the table.
    pub terms: TableTerms,
    /// Tables that pay the wagers, by id: one for each wager. Tables of other games and for other numbers of players are
    /// left aside.
    #[schema(value_type = Vec<PaytableId>, max_items = 24)]
    pub tables: List<PaytableId, ROUND_TABLES_MAX>,
    /// Cards of the Six Card Bonus or the All-Six Bonus, if that wager was placed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Card>>, max_items = 8)]
    pub bonus: Option<List<Card, HAND_CARDS_MAX>>,
    /// Every seat that was dealt in, in any order.
    #[schema(value_type = Vec<SeatWagers>, max_items = 15)]
    pub seats: List<SeatWagers, ROUND_SEATS_MAX>,
}

/// The fixed wagers and decisions of one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SeatWagers {
    /// Seat.
    #[schema(minimum = 1)]
    pub seat: u8,
    /// Player on the seat: the coin-in's, if it named one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<PlayerName>,
    /// End of the player's part in the round; `stayed` if left out. It is `folded` if the table sent a `fold` of the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<SeatEnd>,
    /// Wagers placed, in any order. A raise or a Play Wager is a decision: a player who folded has none.
    #[schema(value_type = Vec<PlacedWager>, max_items = 16)]
    pub wagers: List<PlacedWager, CARD_WAGERS_MAX>,
}

objects! { RoundWagers SeatWagers }
