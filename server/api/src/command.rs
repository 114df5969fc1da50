//! A command of a table, as a controller sends it.

use serde::de::{Deserializer, Error, MapAccess};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::request::{List, Request, SharedFields, flat, objects, take_once, unknown_variant};
use crate::round_wagers::RoundWagers;
use crate::values::{
    Badge, Bonus, Card, Hand, HitName, PlayerName, Time, UnsignedAmount, VoidReason, WageredHand,
};

/// A numbered command of a table: one variant, with the dealer's badge and the controller's time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CommandRequest {
    /// Command, with its own fields.
    #[serde(flatten)]
    pub command: Command,
    /// Badge of the dealer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Badge>,
    /// Time by the controller's clock: evidence, without effect on the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Time>,
}

/// A command of a table, in the order of a round's life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command {
    /// The dealer locks the bets.
    CoinIn(CoinIn),
    /// The dealer counted the chips.
    Count(Count),
    /// Players gave up their hands.
    Fold(Fold),
    /// The hand button: a winning hand, in turn order.
    Hit(HitEntered),
    /// A qualifying hand whose holder made no progressive wager.
    Envy(EnvyEntered),
    /// A Magic Card or Lucky Bonus that the round's draw gives.
    Bonus(BonusEntered),
    /// The whole round, from all cards.
    Settle(Settle),
    /// The hand button pressed again.
    CancelHit(CancelHit),
    /// GAME OVER.
    Close(Close),
    /// All wagers of the round are returned.
    Void(Void),
}

/// The wagers of one round, and the seats that were dealt in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct CoinIn {
    /// Accepted progressive wagers.
    #[schema(value_type = Vec<Wager>, max_items = 64)]
    pub wagers: List<Wager>,
    /// Seats that get cards.
    #[schema(value_type = Vec<u8>, max_items = 64)]
    pub dealt: List<u8>,
}

/// One progressive wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Wager {
    /// Seat.
    #[schema(minimum = 1)]
    pub seat: u8,
    /// Exactly the link's wager.
    pub amount: UnsignedAmount,
    /// Hand that the wager is on; `own` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<WageredHand>,
    /// Player on the seat; seats without are different players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<PlayerName>,
}

/// The chips that the dealer counted, before any fold or hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Count {
    /// Number of chips.
    pub chips: u32,
}

/// The seats that gave up their hands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Fold {
    /// Seats.
    #[schema(value_type = Vec<u8>, max_items = 64)]
    pub seats: List<u8>,
}

/// A winning hand: a seat's, or the dealer's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct HitEntered {
    /// Seat of the hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub seat: Option<u8>,
    /// Instead of a seat: `true` for the dealer's hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer: Option<bool>,
    /// Hand.
    pub hand: Hand,
    /// Cards, if the table has them: the server then evaluates them itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Card>>, max_items = 64)]
    pub cards: Option<List<Card>>,
}

/// A qualifying hand whose holder made no progressive wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct EnvyEntered {
    /// Seat of the holder.
    #[schema(minimum = 1)]
    pub seat: u8,
    /// Hand.
    pub hand: Hand,
    /// Cards, if the table has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Card>>, max_items = 64)]
    pub cards: Option<List<Card>>,
}

/// A bonus that the draw of the round gives: to a seat, or to the dealer's hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct BonusEntered {
    /// Kind of the bonus.
    pub kind: Bonus,
    /// Seat with the card, or at the lucky position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub seat: Option<u8>,
    /// Instead of a seat: `true` for the dealer's hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer: Option<bool>,
    /// Cards of that hand, if the table has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Card>>, max_items = 64)]
    pub cards: Option<List<Card>>,
}

/// All cards of the round: the server forms, orders and evaluates the hands itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Settle {
    /// Cards of the dealer; needed if a wager is on the dealer's hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Card>>, max_items = 64)]
    pub dealer: Option<List<Card>>,
    /// Cards that all hands share, in games with such cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Card>>, max_items = 64)]
    pub community: Option<List<Card>>,
    /// Cards of each seat.
    #[schema(value_type = Vec<SeatCards>, max_items = 64)]
    pub seats: List<SeatCards>,
    /// Fixed wagers of the round, settled from the same cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<RoundWagers>)]
    pub wagers: Option<Box<RoundWagers>>,
}

/// The cards of one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SeatCards {
    /// Seat.
    #[schema(minimum = 1)]
    pub seat: u8,
    /// Cards.
    #[schema(value_type = Vec<Card>, max_items = 64)]
    pub cards: List<Card>,
}

/// The hit to cancel: one of the table's open round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct CancelHit {
    /// Hit.
    pub hit: HitName,
}

/// GAME OVER, without fields of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Close {}

/// The reason that the round is void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Void {
    /// Reason.
    pub reason: VoidReason,
}

objects! {
    CoinIn Wager Count Fold HitEntered EnvyEntered BonusEntered Settle SeatCards CancelHit Close Void
}

/// The fields that every command has.
#[derive(Default)]
struct Beside {
    by: Option<Badge>,
    at: Option<Time>,
}

impl SharedFields for Beside {
    fn take<'de, A: MapAccess<'de>>(&mut self, field: &str, map: &mut A) -> Result<bool, A::Error> {
        match field {
            "by" => take_once(&mut self.by, "by", map),
            "at" => take_once(&mut self.at, "at", map),
            _ => Ok(false),
        }
    }
}

impl From<Command> for CommandRequest {
    fn from(command: Command) -> Self {
        Self {
            command,
            by: None,
            at: None,
        }
    }
}

impl Request for CommandRequest {
    const TAG: Option<&'static str> = Some(TAG);
    const VARIANTS: &'static [&'static str] = &[
        "coin_in",
        "count",
        "fold",
        "hit",
        "envy",
        "bonus",
        "settle",
        "cancel_hit",
        "close",
        "void",
    ];

    fn read<'de, D: Deserializer<'de>>(variant: &str, from: D) -> Result<Self, D::Error> {
        match variant {
            "coin_in" => own(from, Command::CoinIn),
            "count" => own(from, Command::Count),
            "fold" => own(from, Command::Fold),
            "hit" => own(from, Command::Hit),
            "envy" => own(from, Command::Envy),
            "bonus" => own(from, Command::Bonus),
            "settle" => own(from, Command::Settle),
            "cancel_hit" => own(from, Command::CancelHit),
            "close" => own(from, Command::Close),
            "void" => own(from, Command::Void),
            _ => Err(D::Error::custom(unknown_variant::<Self>())),
        }
    }
}

/// Name of the field that names the command.
const TAG: &str = "command";

fn own<'de, D, T>(from: D, command: fn(T) -> Command) -> Result<CommandRequest, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let (Beside { by, at }, own) = flat(TAG, from)?;
    let command = command(own);
    Ok(CommandRequest { command, by, at })
}
