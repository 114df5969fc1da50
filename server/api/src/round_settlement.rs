//! The settlement of a whole round without a table.

use core::fmt;

use meterhouse_domain::fixed::{settle, wager};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;

use crate::forms::{Unsigned, words_schema};
use crate::paytable::NotInSource;
use crate::request::{List, objects};
use crate::text::{InvalidValue, Text, TextForm};
use crate::values::{
    Amount, Card, Compartment, GameName, Goal, Irregularity, LimitReading, PaytableId, PlayerName,
    ReadingName, RoundWager, SeatEnd, Team, UnsignedAmount, WagerResult,
};
use crate::words::Jurisdiction;

/// Maximum number of seats of a round: those of the widest layout.
pub const ROUND_SEATS_MAX: usize = 15;
/// Maximum number of wagers of a seat: one for each betting area of Sic Bo, which has more than any game with cards.
pub const SEAT_WAGERS_MAX: usize = 50;
/// Maximum number of cards of a hand, of the dealer, of the community and of a bonus. No game deals more than five.
pub const HAND_CARDS_MAX: usize = 8;
/// Maximum number of dice, of spins, and of numbers of a wager. No game has more than five of them.
pub const ROUND_NUMBERS_MAX: usize = 8;
/// Maximum number of chosen tables: one for each wager of the game with the most, and six for the numbers of players.
pub const ROUND_TABLES_MAX: usize = 24;

/// A round to settle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SettlementRequest {
    /// Game.
    pub game: GameName,
    /// Jurisdiction whose chapter settles the round.
    pub jurisdiction: Jurisdiction,
    /// Terms of the table.
    pub terms: TableTerms,
    /// Tables that pay the wagers, by id: one for each wager. Tables of other games and for other numbers of players are
    /// left aside.
    #[schema(value_type = Vec<PaytableId>, max_items = 24)]
    pub tables: List<PaytableId, ROUND_TABLES_MAX>,
    /// Cards of the dealer, in the order of dealing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Card>>, max_items = 8)]
    pub dealer: Option<List<Card, HAND_CARDS_MAX>>,
    /// Cards that all hands share, in the order of dealing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Card>>, max_items = 8)]
    pub community: Option<List<Card, HAND_CARDS_MAX>>,
    /// Cards of the Six Card Bonus or the All-Six Bonus, if that wager was placed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Card>>, max_items = 8)]
    pub bonus: Option<List<Card, HAND_CARDS_MAX>>,
    /// Numbers that the three dice of Sic Bo show, in any order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<u8>>, max_items = 8)]
    pub dice: Option<List<u8, ROUND_NUMBERS_MAX>>,
    /// Spins of Touchdown Roulette: the one after the wagers were placed, and the downs of the game that it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Compartment>>, max_items = 8)]
    pub spins: Option<List<Compartment, ROUND_NUMBERS_MAX>>,
    /// Seats that were dealt in, in any order; in games without hands, a number for each player.
    #[schema(value_type = Vec<SeatPlayed>, max_items = 15)]
    pub seats: List<SeatPlayed, ROUND_SEATS_MAX>,
    /// Irregularity that made the round void.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<Irregularity>,
}

/// The terms that the certificate holder sets at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct TableTerms {
    /// Least amount of a required wager; in games without hands, of every wager.
    pub minimum: UnsignedAmount,
    /// Smallest chip: every wager is a multiple of it.
    pub step: UnsignedAmount,
    /// Payout limit of the Rules Submission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<UnsignedAmount>,
    /// Reading of the limit, if its clause has two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<LimitReading>,
    /// Most that one patron can win in a round at the minimum wager, if the tables don't give it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_at_minimum: Option<UnsignedAmount>,
    /// Reading of an end zone reached before the fourth down of Touchdown Roulette, if the results differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<Goal>,
}

/// The terms of a table with cards, in the form of a request.
impl From<settle::TableTerms> for TableTerms {
    fn from(terms: settle::TableTerms) -> Self {
        let amount = |amount| Text(Unsigned(amount));
        Self {
            minimum: amount(terms.minimum),
            step: amount(terms.step),
            limit: terms.limit.map(amount),
            reading: terms.reading.map(Text),
            most_at_minimum: terms.most_at_minimum.map(amount),
            goal: None,
        }
    }
}

/// The cards, wagers and decisions of one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SeatPlayed {
    /// Seat.
    #[schema(minimum = 1)]
    pub seat: u8,
    /// Player on the seat; seats without a name are different players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<PlayerName>,
    /// Player's own cards, in the order of dealing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Card>>, max_items = 8)]
    pub cards: Option<List<Card, HAND_CARDS_MAX>>,
    /// End of the player's part in the round; `stayed` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<SeatEnd>,
    /// Wagers placed, in any order. A raise or a Play Wager is a decision: a player who folded has none.
    #[schema(value_type = Vec<PlacedWager>, max_items = 50)]
    pub wagers: List<PlacedWager, SEAT_WAGERS_MAX>,
}

/// A wager with its amount.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct PlacedWager {
    /// Wager.
    pub wager: RoundWager,
    /// Numbers chosen with a wager on dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<u8>>, max_items = 8)]
    pub numbers: Option<List<u8, ROUND_NUMBERS_MAX>>,
    /// Team that the player of a Touchdown Roulette Wager chose after 0 or 00.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Team>,
    /// Amount.
    pub amount: UnsignedAmount,
}

objects! { SettlementRequest TableTerms SeatPlayed PlacedWager }

impl TextForm for wager::RoundWager {
    const NAME: &'static str = "RoundWager";
    const CODE: &'static str = "invalid_value";

    fn read(text: &str) -> Result<Self, InvalidValue> {
        Self::from_name(text).ok_or_else(|| {
            let words: Vec<String> = Self::all().map(|wager| wager.to_string()).collect();
            InvalidValue::new(
                Self::CODE,
                format_args!("write one of {}", words.join(", ")),
            )
        })
    }

    fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }

    fn schema() -> Object {
        let words = Self::all().map(|wager| wager.to_string());
        words_schema(
            words,
            "Wager of a round that is paid at fixed odds; on dice, one of a table's lines",
        )
    }
}

/// A settled round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RoundSettlement {
    /// Game.
    pub game: GameName,
    /// Jurisdiction whose chapter settled the round.
    pub jurisdiction: Jurisdiction,
    /// Chosen tables that pay this game with so many players, in the order of the request.
    pub tables: Vec<ChosenTable>,
    /// Payout limit in force; null if there is none.
    pub limit: Option<LimitInForce>,
    /// Seats in turn order: from the dealer's right, counterclockwise. Without hands, in the order of the request.
    pub seats: Vec<SettledSeat>,
    /// Sums of all wagers.
    pub totals: RoundTotals,
}

/// A table of fixed wagers that was chosen for a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChosenTable {
    /// Id.
    pub table: PaytableId,
    /// Title.
    pub title: String,
    /// Clause that prints the table.
    pub citation: String,
    /// Values that the source omits.
    pub not_in_source: Vec<NotInSource>,
    /// Reading of its print that two people of the link adopted; left out for the print.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<ReadingName>,
}

/// A payout limit in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LimitInForce {
    /// Amount.
    pub amount: Amount,
    /// Clause.
    #[schema(examples("§ 683a.12(f)"))]
    pub clause: String,
}

/// The settled wagers of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SettledSeat {
    /// Seat.
    pub seat: u8,
    /// Player on the seat; null if the request has none.
    pub player: Option<PlayerName>,
    /// Wagers in the order in which the chapter settles them. Without hands, in the order of the request.
    pub wagers: Vec<SettledWager>,
    /// Chips that the player has of all wagers afterwards.
    pub chips: Amount,
}

/// A settled wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SettledWager {
    /// Wager.
    pub wager: RoundWager,
    /// Numbers chosen with a wager on dice; empty if there are none.
    pub numbers: Vec<u8>,
    /// Team of a Touchdown Roulette Wager; null if none was chosen.
    pub team: Option<Team>,
    /// Amount placed.
    pub amount: Amount,
    /// Result.
    pub result: WagerResult,
    /// Clause that decides the result.
    #[schema(examples("§ 657a.11(c)(3)(ii)(B)"))]
    pub clause: String,
    /// Line that decides; null if no table does.
    pub line: Option<LinePaid>,
    /// Pay at the printed odds, without the wager.
    pub payout: Amount,
    /// Part of the payout that the house pays: less than all of it only if the limit cut it.
    pub paid: Amount,
    /// True if the payout limit cut the pay.
    pub cut: bool,
    /// Part of the wager that goes back to the player: all of it or nothing.
    pub returned: Amount,
    /// Part of the wager that the dealer collects: the rest.
    pub collected: Amount,
    /// Chips that the player has of the wager afterwards: `returned` and `paid`.
    pub chips: Amount,
}

/// A line of a table that decided a wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinePaid {
    /// Table.
    pub table: PaytableId,
    /// Clause that prints the table.
    pub citation: String,
    /// Index of the line, from 0.
    pub index: u32,
    /// Words of the line as printed.
    pub prints: String,
    /// Pay of the line: odds such as `3 to 2`, `push` or `loses`.
    pub pays: String,
}

/// The sums of all wagers of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RoundTotals {
    /// Amounts placed: what is collected and what is returned together.
    pub wagered: Amount,
    /// Wagers that the dealer collects.
    pub collected: Amount,
    /// Wagers that go back to the players.
    pub returned: Amount,
    /// Winnings that the house pays.
    pub paid: Amount,
}
