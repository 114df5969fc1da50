//! A table's command as it is sent: one of its keys, beside it `at` and `by`.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{
    CoinIn, HitCommand, Holder, TableCommand, VoidReason, Wager, WageredHand,
};
use meterhouse_domain::name::{Badge, Sequence, TableName, Timestamp};
use meterhouse_domain::seat::Seat;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value;
use meterhouse_edge::wire_error::{EdgeError, WireError};
use meterhouse_engine::answer::Denied;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::extract::{Loose, Object, bounded};

/// A numbered command: exactly one of `coin_in`, `count`, `fold`, `hit`, `envy`, `cancel_hit`, `close` and
/// `void`, in the order of a round's life.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Command)]
pub(crate) struct CommandBody {
    /// The controller's own time: evidence, never orders anything.
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<Loose>,
    /// The dealer's badge.
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z0-9-]{1,32}$", examples("d-12"))]
    by: Option<Loose>,
    /// The dealer locks the bets.
    #[schema(value_type = Option<CoinInBody>)]
    coin_in: Option<Object<CoinInBody>>,
    /// The dealer counted the chips.
    #[schema(value_type = Option<CountBody>)]
    count: Option<Object<CountBody>>,
    /// Players gave up their hands.
    #[schema(value_type = Option<FoldBody>)]
    fold: Option<Object<FoldBody>>,
    /// The hand button: a winning hand, in turn order.
    #[schema(value_type = Option<HitBody>)]
    hit: Option<Object<HitBody>>,
    /// A qualifying hand whose holder made no progressive wager.
    #[schema(value_type = Option<EnvyBody>)]
    envy: Option<Object<EnvyBody>>,
    /// The hand button pressed again.
    #[schema(value_type = Option<CancelHitBody>)]
    cancel_hit: Option<Object<CancelHitBody>>,
    /// GAME OVER.
    #[schema(value_type = Option<CloseBody>)]
    close: Option<Object<CloseBody>>,
    /// All wagers of the round go back.
    #[schema(value_type = Option<VoidBody>)]
    void: Option<Object<VoidBody>>,
}

/// The wagers of one round and who was dealt in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CoinIn)]
pub(crate) struct CoinInBody {
    /// The accepted progressive wagers.
    #[schema(value_type = Vec<WagerBody>, max_items = 64)]
    wagers: Vec<Object<WagerBody>>,
    /// The seats that get cards.
    #[schema(value_type = Vec<u8>, max_items = 64)]
    dealt: Vec<Loose>,
}

/// One progressive wager.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Wager)]
pub(crate) struct WagerBody {
    /// The seat.
    #[schema(value_type = u8, minimum = 1)]
    seat: Loose,
    /// Exactly the link's wager.
    #[schema(value_type = String, pattern = r"^[0-9]{1,13}(\.[0-9]{1,6})?$", examples("1.00"))]
    amount: Loose,
    /// The hand that it is on: `own` (as if left out) or `dealer`.
    #[schema(value_type = Option<String>, examples("own"))]
    on: Option<Loose>,
    /// Who sits there; seats without are different players.
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z0-9-]{1,32}$", examples("p-77"))]
    player: Option<Loose>,
}

/// The chips that the dealer counted, before any fold or hit.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Count)]
pub(crate) struct CountBody {
    /// How many.
    #[schema(value_type = u32)]
    chips: Loose,
}

/// The seats that gave up their hands.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Fold)]
pub(crate) struct FoldBody {
    /// Which.
    #[schema(value_type = Vec<u8>, max_items = 64)]
    seats: Vec<Loose>,
}

/// A winning hand: a seat's, or the dealer's.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Hit)]
pub(crate) struct HitBody {
    /// Whose hand.
    #[schema(value_type = Option<u8>, minimum = 1)]
    seat: Option<Loose>,
    /// Instead of a seat: `true`, the dealer's hand.
    dealer: Option<bool>,
    /// The hand, as the paytable names it.
    #[schema(value_type = String, examples("royal-flush"))]
    hand: Loose,
    /// The cards, where the table knows them: the server then evaluates them itself.
    #[schema(value_type = Option<Vec<String>>, max_items = 64)]
    cards: Option<Vec<Loose>>,
}

/// A qualifying hand whose holder made no progressive wager.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Envy)]
pub(crate) struct EnvyBody {
    /// The holder.
    #[schema(value_type = u8, minimum = 1)]
    seat: Loose,
    /// The hand, as the paytable names it.
    #[schema(value_type = String, examples("four-aces"))]
    hand: Loose,
    /// The cards, where the table knows them.
    #[schema(value_type = Option<Vec<String>>, max_items = 64)]
    cards: Option<Vec<Loose>>,
}

/// The hit to take back: one of this table's open round.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CancelHit)]
pub(crate) struct CancelHitBody {
    /// The hit.
    #[schema(value_type = String, examples("C4P-07.4713"))]
    hit: Loose,
}

/// GAME OVER: nothing to say.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Close)]
pub(crate) struct CloseBody {}

/// The round is void.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Void)]
pub(crate) struct VoidBody {
    /// `misdeal`, `count_mismatch`, `cards_face_up`, `wrong_number_of_cards`, `dealer_cards_exposed`,
    /// `shoe_jam` or `stub_count`.
    #[schema(value_type = String, examples("misdeal"))]
    reason: Loose,
}

/// A command with what stands beside it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    /// The dealer's badge.
    pub(crate) by: Option<Badge>,
    /// The controller's own time.
    pub(crate) device_time: Option<Timestamp>,
    /// The command.
    pub(crate) command: TableCommand,
}

/// The one key that was given.
enum Given {
    CoinIn(CoinInBody),
    Count(CountBody),
    Fold(FoldBody),
    Hit(HitBody),
    Envy(EnvyBody),
    CancelHit(CancelHitBody),
    Close(CloseBody),
    Void(VoidBody),
}

impl CommandBody {
    /// The command of this table that the body says.
    pub(crate) fn read(self, table: &TableName) -> Result<Sent, WireError> {
        let by = self.by.as_ref().map(|it| it.name("by")).transpose()?;
        let device_time = self.at.as_ref().map(|it| it.moment("at")).transpose()?;
        let given = [
            self.coin_in.map(|it| Given::CoinIn(it.0)),
            self.count.map(|it| Given::Count(it.0)),
            self.fold.map(|it| Given::Fold(it.0)),
            self.hit.map(|it| Given::Hit(it.0)),
            self.envy.map(|it| Given::Envy(it.0)),
            self.cancel_hit.map(|it| Given::CancelHit(it.0)),
            self.close.map(|it| Given::Close(it.0)),
            self.void.map(|it| Given::Void(it.0)),
        ];
        let mut given = given.into_iter().flatten();
        let (Some(one), None) = (given.next(), given.next()) else {
            let detail = "name exactly one command: coin_in, count, fold, hit, envy, cancel_hit, \
                          close or void";
            return Err(EdgeError::because(EdgeCode::MalformedBody, detail).into());
        };
        Ok(Sent {
            by,
            device_time,
            command: command(one, table)?,
        })
    }
}

fn command(given: Given, table: &TableName) -> Result<TableCommand, WireError> {
    Ok(match given {
        Given::CoinIn(body) => TableCommand::CoinIn(coin_in(&body)?),
        Given::Count(body) => TableCommand::Count {
            chips: chips(&body.chips)?,
        },
        Given::Fold(body) => TableCommand::Fold {
            seats: seats("fold.seats", &body.seats)?,
        },
        Given::Hit(body) => TableCommand::Hit(HitCommand {
            holder: holder(&body)?,
            hand: body.hand.hand("hit.hand")?,
            cards: cards("hit.cards", body.cards.as_deref())?,
        }),
        Given::Envy(body) => TableCommand::Envy {
            seat: seat("envy.seat", &body.seat)?,
            hand: body.hand.hand("envy.hand")?,
            cards: cards("envy.cards", body.cards.as_deref())?,
        },
        Given::CancelHit(body) => TableCommand::CancelHit {
            hit: cancelled(&body, table)?,
        },
        Given::Close(CloseBody {}) => TableCommand::Close,
        Given::Void(body) => TableCommand::Void {
            reason: body
                .reason
                .word("void.reason", VoidReason::ALL, VoidReason::name)?,
        },
    })
}

fn coin_in(body: &CoinInBody) -> Result<CoinIn, EdgeError> {
    bounded("coin_in.wagers", &body.wagers)?;
    let wagers = body
        .wagers
        .iter()
        .enumerate()
        .map(|(index, it)| wager(index, &it.0));
    Ok(CoinIn {
        wagers: wagers.collect::<Result<_, _>>()?,
        dealt: seats("coin_in.dealt", &body.dealt)?,
    })
}

fn wager(index: usize, body: &WagerBody) -> Result<Wager, EdgeError> {
    let field = |name: &str| format!("coin_in.wagers[{index}].{name}");
    let on = body
        .on
        .as_ref()
        .map(|it| it.word(&field("on"), WageredHand::ALL, WageredHand::name));
    let player = body.player.as_ref().map(|it| it.name(&field("player")));
    Ok(Wager {
        seat: seat(&field("seat"), &body.seat)?,
        on: on.transpose()?.unwrap_or(WageredHand::Own),
        amount: body.amount.amount(&field("amount"))?,
        player: player.transpose()?,
    })
}

/// Whether the layout has the seat is for the rules to say.
fn seat(field: &str, seat: &Loose) -> Result<Seat, EdgeError> {
    seat.small(field).map(Seat)
}

fn seats(field: &str, list: &[Loose]) -> Result<Vec<Seat>, EdgeError> {
    bounded(field, list)?;
    let seats = list.iter().enumerate();
    seats
        .map(|(index, it)| seat(&format!("{field}[{index}]"), it))
        .collect()
}

fn cards(field: &str, cards: Option<&[Loose]>) -> Result<Option<Vec<Card>>, EdgeError> {
    cards.map(|cards| Loose::cards(field, cards)).transpose()
}

fn chips(chips: &Loose) -> Result<u32, EdgeError> {
    let number = chips.number("count.chips", u64::from(u32::MAX))?;
    u32::try_from(number).map_err(|_| EdgeError::new(EdgeCode::InvalidValue))
}

fn holder(body: &HitBody) -> Result<Holder, EdgeError> {
    match (&body.seat, body.dealer) {
        (Some(it), None | Some(false)) => seat("hit.seat", it).map(Holder::Seat),
        (None, Some(true)) => Ok(Holder::Dealer),
        (Some(_), Some(true)) | (None, None | Some(false)) => {
            let detail = "a hit is a seat's or the dealer's: write \"seat\": N or \"dealer\": true";
            Err(EdgeError::because(EdgeCode::MalformedBody, detail).with("field", "hit"))
        }
    }
}

/// A table takes back its own hits only.
fn cancelled(body: &CancelHitBody, table: &TableName) -> Result<Sequence, WireError> {
    let text = body.hit.text("cancel_hit.hit", EdgeCode::InvalidName)?;
    let hit = value::hit("cancel_hit.hit", text)?;
    if hit.table == *table {
        Ok(hit.sequence)
    } else {
        Err(Denied::UnknownHit(text.to_owned()).into())
    }
}

#[cfg(test)]
mod tests;
