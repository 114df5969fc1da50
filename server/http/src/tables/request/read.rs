//! From the body of a command to what the rules are asked; what is wrong is named by its field.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{Bonus, BonusCommand, CoinIn, Holder, Settle, Wager, WageredHand};
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::TableName;
use meterhouse_domain::seat::Seat;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value;
use meterhouse_edge::wire_error::{EdgeError, WireError};
use meterhouse_engine::answer::NotExecuted;

use super::bodies::{BonusBody, CancelHitBody, CoinInBody, SeatCardsBody, SettleBody, WagerBody};
use crate::extract::{Loose, Object, bounded};

pub(super) fn coin_in(body: &CoinInBody) -> Result<CoinIn, EdgeError> {
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
pub(super) fn seat(field: &str, seat: &Loose) -> Result<Seat, EdgeError> {
    seat.small(field).map(Seat)
}

pub(super) fn seats(field: &str, list: &[Loose]) -> Result<Vec<Seat>, EdgeError> {
    bounded(field, list)?;
    let seats = list.iter().enumerate();
    seats
        .map(|(index, it)| seat(&format!("{field}[{index}]"), it))
        .collect()
}

pub(super) fn cards(field: &str, cards: Option<&[Loose]>) -> Result<Option<Vec<Card>>, EdgeError> {
    cards.map(|cards| Loose::cards(field, cards)).transpose()
}

pub(super) fn chips(chips: &Loose) -> Result<u32, EdgeError> {
    chips.count("count.chips")
}

/// Whose hand, of the command or change named `what`.
pub(crate) fn holder(
    what: &str,
    position: Option<&Loose>,
    dealer: Option<bool>,
) -> Result<Holder, EdgeError> {
    match (position, dealer) {
        (Some(it), None | Some(false)) => seat(&format!("{what}.seat"), it).map(Holder::Seat),
        (None, Some(true)) => Ok(Holder::Dealer),
        (Some(_), Some(true)) | (None, None | Some(false)) => {
            let detail = format!(
                "a {what} is a seat's or the dealer's: write \"seat\": N or \"dealer\": true"
            );
            Err(EdgeError::because(EdgeCode::MalformedBody, detail).with("field", what))
        }
    }
}

pub(super) fn bonus(body: &BonusBody) -> Result<BonusCommand, EdgeError> {
    Ok(BonusCommand {
        kind: body.kind.word("bonus.kind", Bonus::ALL, Bonus::name)?,
        holder: holder("bonus", body.seat.as_ref(), body.dealer)?,
        cards: cards("bonus.cards", body.cards.as_deref())?,
    })
}

pub(super) fn settle(body: &SettleBody) -> Result<Settle, EdgeError> {
    bounded("settle.seats", &body.seats)?;
    let of_seat = |(index, it): (usize, &Object<SeatCardsBody>)| {
        let field = |name: &str| format!("settle.seats[{index}].{name}");
        let its_seat = seat(&field("seat"), &it.0.seat)?;
        Ok((its_seat, Loose::cards(&field("cards"), &it.0.cards)?))
    };
    let shared = |field: &str, list: &Option<Vec<Loose>>| {
        cards(field, list.as_deref()).map(Option::unwrap_or_default)
    };
    Ok(Settle {
        dealer: shared("settle.dealer", &body.dealer)?,
        community: shared("settle.community", &body.community)?,
        seats: body
            .seats
            .iter()
            .enumerate()
            .map(of_seat)
            .collect::<Result<_, _>>()?,
    })
}

/// A table takes back its own hits only.
pub(super) fn cancelled(body: &CancelHitBody, table: &TableName) -> Result<HitName, WireError> {
    let text = body.hit.text("cancel_hit.hit", EdgeCode::InvalidName)?;
    let hit = value::hit("cancel_hit.hit", text)?;
    if hit.table == *table {
        Ok(hit)
    } else {
        Err(NotExecuted::UnknownHit(text.to_owned()).into())
    }
}
