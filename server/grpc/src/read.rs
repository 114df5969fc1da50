//! Conversion of messages to commands of the domain. An error names the wrong field, as over HTTP.
//!
//! # Limits
//! A list has at most [`LIST_MAX`](meterhouse_edge::value::LIST_MAX) entries. Names of fields are
//! formatted only for an error.

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::card::Card;
use meterhouse_domain::command::{
    BonusCommand, CoinIn, HitCommand, Holder, Settle, TableCommand, Wager, WageredHand,
};
use meterhouse_domain::ids::{GameName, Sequence};
use meterhouse_domain::seat::Seat;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::round_wagers::settle_wagers;
use meterhouse_edge::value::{self, bounded};
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_proto::table as proto;
use meterhouse_proto::table::command::Command as Sent;

use crate::round_wagers;
use crate::values::{amount, cards, seat};

/// Returns the sequence number of a command.
pub(crate) fn sequence(number: u64) -> Result<Sequence, EdgeError> {
    if (1..=Sequence::MAX).contains(&number) {
        return Ok(Sequence(number));
    }
    Err(EdgeError::new(EdgeCode::InvalidSequence).with("sequence", number))
}

/// Returns the command of a table of this game. Fixed wagers are settled by the catalogue's tables.
pub(crate) fn command(
    sent: Option<&Sent>,
    game: &GameName,
    catalogue: &Catalogue,
) -> Result<TableCommand, EdgeError> {
    let Some(sent) = sent else {
        let detail = "name exactly one command: coin_in, count, fold, hit, envy, bonus, settle, \
                      cancel_hit, close or void";
        return Err(EdgeError::because(EdgeCode::MalformedBody, detail));
    };
    Ok(match sent {
        Sent::CoinIn(sent) => TableCommand::CoinIn(coin_in(sent)?),
        Sent::Count(sent) => TableCommand::Count { chips: sent.chips },
        Sent::Fold(sent) => TableCommand::Fold {
            seats: seats("fold.seats", &sent.seats)?,
        },
        Sent::Hit(sent) => TableCommand::Hit(HitCommand {
            holder: holder("hit", sent.holder.as_ref())?,
            hand: value::read("hit.hand", &sent.hand)?,
            cards: known_cards("hit.cards", sent.cards.as_ref())?,
        }),
        Sent::Envy(sent) => TableCommand::Envy {
            seat: seat(sent.seat, || "envy.seat".to_owned())?,
            hand: value::read("envy.hand", &sent.hand)?,
            cards: known_cards("envy.cards", sent.cards.as_ref())?,
        },
        Sent::Bonus(sent) => TableCommand::Bonus(BonusCommand {
            kind: value::read("bonus.kind", &sent.kind)?,
            holder: holder("bonus", sent.holder.as_ref())?,
            cards: known_cards("bonus.cards", sent.cards.as_ref())?,
        }),
        Sent::Settle(sent) => {
            let cards = settle(sent)?;
            match &sent.wagers {
                None => TableCommand::Settle(Box::new(cards)),
                Some(wagers) => settle_wagers(catalogue, game, cards, &round_wagers::sent(wagers)?),
            }
        }
        Sent::CancelHit(sent) => cancel_hit(sent)?,
        Sent::Close(proto::Close {}) => TableCommand::Close,
        Sent::Void(sent) => TableCommand::Void {
            reason: value::read("void.reason", &sent.reason)?,
        },
    })
}

fn coin_in(sent: &proto::CoinIn) -> Result<CoinIn, EdgeError> {
    bounded("coin_in.wagers", &sent.wagers)?;
    let wagers = sent.wagers.iter().enumerate();
    Ok(CoinIn {
        wagers: wagers
            .map(|(index, sent)| wager(index, sent))
            .collect::<Result<_, _>>()?,
        dealt: seats("coin_in.dealt", &sent.dealt)?,
    })
}

fn wager(index: usize, sent: &proto::Wager) -> Result<Wager, EdgeError> {
    let field = |name: &str| format!("coin_in.wagers[{index}].{name}");
    let player = match sent.player.as_str() {
        "" => None,
        player => {
            let name = player.parse();
            Some(name.or_else(|_| value::read(&field("player"), player))?)
        }
    };
    Ok(Wager {
        seat: seat(sent.seat, || field("seat"))?,
        on: if sent.on_dealer {
            WageredHand::Dealer
        } else {
            WageredHand::Own
        },
        amount: amount(sent.amount_micros, || field("amount_micros"))?,
        player,
    })
}

fn seats(field: &str, list: &[u32]) -> Result<Vec<Seat>, EdgeError> {
    bounded(field, list)?;
    let seats = list.iter().enumerate();
    seats
        .map(|(index, number)| seat(*number, || format!("{field}[{index}]")))
        .collect()
}

/// Returns the holder of a hand in the command named `what`.
fn holder(what: &str, sent: Option<&proto::Holder>) -> Result<Holder, EdgeError> {
    use proto::holder::Holder as Sent;
    match sent.and_then(|holder| holder.holder.as_ref()) {
        Some(Sent::Seat(number)) => seat(*number, || format!("{what}.seat")).map(Holder::Seat),
        Some(Sent::Dealer(proto::Dealer {})) => Ok(Holder::Dealer),
        None => {
            let detail = format!("a {what} is a seat's or the dealer's: name its holder");
            Err(EdgeError::because(EdgeCode::MalformedBody, detail).with("field", what))
        }
    }
}

fn known_cards(field: &str, sent: Option<&proto::Cards>) -> Result<Option<Vec<Card>>, EdgeError> {
    sent.map(|known| cards(field, &known.cards)).transpose()
}

fn settle(sent: &proto::Settle) -> Result<Settle, EdgeError> {
    bounded("settle.seats", &sent.seats)?;
    let of_seat = |(index, entry): (usize, &proto::SeatCards)| {
        let field = |name: &str| format!("settle.seats[{index}].{name}");
        let its_seat = seat(entry.seat, || field("seat"))?;
        Ok((its_seat, cards(&field("cards"), &entry.cards)?))
    };
    Ok(Settle {
        dealer: cards("settle.dealer", &sent.dealer)?,
        community: cards("settle.community", &sent.community)?,
        seats: sent
            .seats
            .iter()
            .enumerate()
            .map(of_seat)
            .collect::<Result<_, _>>()?,
    })
}

/// Returns a command that cancels a hit of this table.
fn cancel_hit(sent: &proto::CancelHit) -> Result<TableCommand, EdgeError> {
    let number = u8::try_from(sent.number).ok();
    match number {
        Some(number) if (1..=Sequence::MAX).contains(&sent.sequence) => {
            Ok(TableCommand::CancelHit {
                hit: Sequence(sent.sequence),
                number,
            })
        }
        Some(_) | None => {
            let detail = "a hit is the number of the command that keyed it, and of several which one, from 1 to 255";
            let hit = format!("{}.{}", sent.sequence, sent.number);
            Err(EdgeError::because(EdgeCode::InvalidName, detail).with("cancel_hit", hit))
        }
    }
}

#[cfg(test)]
mod tests;
