//! Tables: joining, state, and what a controller needs to resume.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::hit::Hit;
use crate::level::LevelAmount;
use crate::outcome::BettingPosition;
use crate::paytable::PaytableLine;
use crate::request::objects;
use crate::values::{
    Amount, Card, DisplayName, FoldAward, GameName, LevelName, LinkName, PaytableId, PlayerName,
    Position, Seal, TableName, Time, UnsignedAmount,
};
use crate::words::{LinkState, RoundState, TableState};

/// The properties of a table that joins; the link has to have the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct JoinTableRequest {
    /// Link.
    pub link: LinkName,
    /// Game.
    pub game: GameName,
    /// Seats on the layout.
    #[schema(minimum = 1, maximum = 15)]
    pub seats: u8,
    /// Paytable.
    pub paytable: PaytableId,
    /// True to confirm that the operator filed the inferred values of the paytable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm_inferred: Option<bool>,
    /// Progressive wager.
    pub wager: UnsignedAmount,
    /// Decks in play in one round.
    #[schema(minimum = 1, maximum = 8)]
    pub decks: u8,
}

/// A heartbeat. Its body may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct HeartbeatRequest {
    /// Newest seal that the table has received. If the journal ends before what the seal proves, the link is faulted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
}

objects! { JoinTableRequest HeartbeatRequest }

/// A table that has joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JoinedTable {
    /// Table.
    pub table: TableName,
    /// Number on the link, in the order of joining.
    #[schema(minimum = 1)]
    pub number: u32,
    /// Link.
    pub link: LinkName,
    /// Game.
    pub game: GameName,
    /// Seats on the layout.
    pub seats: u8,
    /// Paytable of the link, whose content is the table's.
    pub paytable: PaytableId,
    /// Progressive wager.
    pub wager: Amount,
    /// Decks in play in one round.
    pub decks: u8,
}

/// The state of a table after a manager's change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SwitchedTable {
    /// Table.
    pub table: TableName,
    /// Link.
    pub link: LinkName,
    /// State.
    pub state: TableState,
    /// Reason that it is disabled: the first one sent.
    pub disabled_reason: Option<String>,
}

/// A page of tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TablePage {
    /// Tables, by link, then in the order of joining.
    pub tables: Vec<ListedTable>,
    /// True if more follow.
    pub more: bool,
    /// Value of `after` for the next page.
    pub next: Option<TableName>,
}

/// A table of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ListedTable {
    /// Table.
    pub table: TableName,
    /// Link.
    pub link: LinkName,
    /// State of the link.
    pub link_state: LinkState,
    /// Game.
    pub game: GameName,
    /// Seats on the layout.
    pub seats: u8,
    /// State.
    pub state: TableState,
    /// Time of the last command or heartbeat.
    pub heard_at: Option<Time>,
    /// Pit in which the table stands. Left out if none is named, and by a server of 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pit: Option<DisplayName>,
}

/// The present state of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Table {
    /// Table.
    pub table: TableName,
    /// Link.
    pub link: LinkName,
    /// State.
    pub state: TableState,
    /// Reason that the table is disabled, if it is.
    pub disabled_reason: Option<String>,
    /// True if the table has to send a heartbeat before its next coin-in.
    pub must_resume: bool,
    /// Time of the last command or heartbeat.
    pub heard_at: Option<Time>,
    /// State of the link.
    pub link_state: LinkState,
    /// Reason that the link is not open.
    pub reason: Option<String>,
    /// Levels that are off.
    pub disabled: Vec<LevelName>,
    /// Game.
    pub game: GameName,
    /// Seats on the layout.
    pub seats: u8,
    /// Paytable of the link.
    pub paytable: PaytableId,
    /// Paytable that the table joined with. Its content is the link's; the rules of forming and folding are its own.
    pub table_paytable: PaytableId,
    /// Progressive wager.
    pub wager: Amount,
    /// Decks in play in one round.
    pub decks: u8,
    /// Number of the last command; 0 before the first.
    pub last_sequence: u64,
    /// Number that the next command has to have.
    #[schema(minimum = 1)]
    pub next_sequence: u64,
    /// What a keypad needs to draw its buttons; left out in the response to a heartbeat, and by a server of 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play: Option<TablePlay>,
    /// Open round.
    pub round: Option<Round>,
    /// Hits of the table's closed rounds that can still change, oldest first.
    pub closed_hits: Vec<Hit>,
    /// Displayed amounts.
    pub levels: Vec<LevelAmount>,
    /// Position in the link's journal of this state: a value of `after`.
    #[schema(examples("12.2147483647"))]
    pub position: Position,
    /// Seal of the last command, to be sent with a heartbeat after a restart or an outage. A server of 0.1.0 has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
}

/// The paytable and the rules by which a table plays, as far as a keypad needs them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TablePlay {
    /// Title of the link's paytable.
    pub title: String,
    /// Hands that win, highest first; only the highest pays.
    pub hands: Vec<TableHand>,
    /// True if the table takes wagers on the dealer's hand.
    pub bet_on_dealer: bool,
    /// Pay of a Magic Card, for 1; null if the paytable or the link does not offer it.
    pub magic_card: Option<u32>,
    /// Pay of a Lucky Bonus, for 1; null if the paytable or the link does not offer it.
    pub lucky_bonus: Option<u32>,
    /// Numbers of the cards that a round deals.
    pub cards: DealtCards,
    /// Award of a seat that folded.
    pub fold_award: FoldAward,
    /// True if a folded hand still gives envy to the others.
    pub folded_hand_gives_envy: bool,
    /// True if a hit that a person has to validate needs `by`, the badge of the person who enters it.
    pub badge_required: bool,
}

/// A hand with its pay: a percentage of a level, or fixed odds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableHand {
    /// Line of the paytable.
    #[serde(flatten)]
    pub line: PaytableLine,
    /// True if a person has to validate a hit of this hand.
    pub needs_validation: bool,
}

/// Numbers of the cards that a round deals. The cards of a hit are those of `own`, then those of `community`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DealtCards {
    /// Own cards of a player's hand.
    pub own: u8,
    /// Community cards that belong to every hand.
    pub community: u8,
    /// Least number of cards of the dealer's hand; 0 if the dealer has none.
    pub dealer_min: u8,
    /// Greatest number of cards of the dealer's hand.
    pub dealer_max: u8,
    /// Greatest number of community cards that a round may have. Those behind `community` form no hand.
    pub community_max: u8,
}

/// An open round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Round {
    /// Round: its table and coin-in.
    #[schema(examples("C4P-07.1"))]
    pub round: String,
    /// State.
    pub state: RoundState,
    /// Lit seats: an accepted wager on the own hand.
    pub seats: Vec<u8>,
    /// Seats with an accepted wager on the dealer's hand.
    pub dealer_seats: Vec<u8>,
    /// Seats that got cards.
    pub dealt: Vec<u8>,
    /// Seats that folded.
    pub folded: Vec<u8>,
    /// Magic Card that the table game system drew; null if it drew none.
    pub magic_card: Option<Card>,
    /// Lucky position that the table game system drew; null if it drew none.
    pub lucky_position: Option<BettingPosition>,
    /// Players, if the table named them.
    pub players: Vec<SeatedPlayer>,
    /// Hits, in the order of their entry.
    pub hits: Vec<Hit>,
}

/// The player on a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeatedPlayer {
    /// Seat.
    pub seat: u8,
    /// Player.
    pub player: PlayerName,
}
