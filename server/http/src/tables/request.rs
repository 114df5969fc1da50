//! From a table's request to the command that the rules decide.

use meterhouse_api::command::{
    BonusEntered, CancelHit, CoinIn, Command, CommandRequest, HitEntered, SeatCards, Settle, Wager,
};
use meterhouse_api::request::List;
use meterhouse_api::text::Text;
use meterhouse_api::values::Card;
use meterhouse_catalogue::Catalogue;
use meterhouse_domain::command as rules;
use meterhouse_domain::command::{BonusCommand, HitCommand, Holder, TableCommand, WageredHand};
use meterhouse_domain::ids::{Badge, GameName, TableName, Timestamp};
use meterhouse_domain::seat::Seat;
use meterhouse_domain::{card, hit_name::HitName};
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::round_wagers::settle_wagers;
use meterhouse_edge::wire_error::{EdgeError, WireError};
use meterhouse_engine::answer::NotExecuted;

/// A command with its badge and time.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    /// Badge of the dealer.
    pub(crate) by: Option<Badge>,
    /// Time by the controller's clock.
    pub(crate) device_time: Option<Timestamp>,
    /// Command.
    pub(crate) command: TableCommand,
}

/// The table that a command is sent to.
#[derive(Clone, Copy)]
pub(crate) struct To<'a> {
    /// Name of the table.
    pub(crate) name: &'a TableName,
    /// Game of the table.
    pub(crate) game: &'a GameName,
    /// Tables that pay fixed wagers.
    pub(crate) catalogue: &'a Catalogue,
}

/// Returns the command of this table that the request holds.
pub(crate) fn sent(request: CommandRequest, table: To<'_>) -> Result<Sent, WireError> {
    Ok(Sent {
        by: request.by.map(|by| by.0),
        device_time: request.at.map(|at| at.0),
        command: command(request.command, table)?,
    })
}

fn command(command: Command, table: To<'_>) -> Result<TableCommand, WireError> {
    Ok(match command {
        Command::CoinIn(body) => TableCommand::CoinIn(coin_in(body)),
        Command::Count(body) => TableCommand::Count { chips: body.chips },
        Command::Fold(body) => TableCommand::Fold {
            seats: seats(&body.seats),
        },
        Command::Hit(body) => TableCommand::Hit(hit(body)?),
        Command::Envy(body) => TableCommand::Envy {
            seat: Seat(body.seat),
            hand: body.hand.0,
            cards: body.cards.map(cards),
        },
        Command::Bonus(body) => TableCommand::Bonus(bonus(body)?),
        Command::Settle(body) => settle(body, table),
        Command::CancelHit(body) => {
            let hit = cancelled(body, table.name)?;
            TableCommand::CancelHit {
                hit: hit.sequence,
                number: hit.number,
            }
        }
        Command::Close(_) => TableCommand::Close,
        Command::Void(body) => TableCommand::Void {
            reason: body.reason.0,
        },
    })
}

fn coin_in(body: CoinIn) -> rules::CoinIn {
    rules::CoinIn {
        wagers: body.wagers.0.into_iter().map(wager).collect(),
        dealt: seats(&body.dealt),
    }
}

fn wager(body: Wager) -> rules::Wager {
    rules::Wager {
        seat: Seat(body.seat),
        on: body.on.map_or(WageredHand::Own, |on| on.0),
        amount: body.amount.0.0,
        player: body.player.map(|player| player.0),
    }
}

fn seats(seats: &[u8]) -> Vec<Seat> {
    seats.iter().copied().map(Seat).collect()
}

/// Returns the cards of a list.
pub(crate) fn cards(cards: List<Card>) -> Vec<card::Card> {
    cards.0.into_iter().map(|Text(card)| card).collect()
}

/// Returns the holder of a hand, of the command or change named `what`.
pub(crate) fn holder(
    what: &str,
    seat: Option<u8>,
    dealer: Option<bool>,
) -> Result<Holder, EdgeError> {
    match (seat, dealer) {
        (Some(seat), None | Some(false)) => Ok(Holder::Seat(Seat(seat))),
        (None, Some(true)) => Ok(Holder::Dealer),
        (Some(_), Some(true)) | (None, None | Some(false)) => {
            let detail = format!(
                "a {what} is a seat's or the dealer's: write \"seat\": N or \"dealer\": true"
            );
            Err(EdgeError::because(EdgeCode::MalformedBody, detail).with("field", "seat"))
        }
    }
}

fn hit(body: HitEntered) -> Result<HitCommand, EdgeError> {
    Ok(HitCommand {
        holder: holder("hit", body.seat, body.dealer)?,
        hand: body.hand.0,
        cards: body.cards.map(cards),
    })
}

fn bonus(body: BonusEntered) -> Result<BonusCommand, EdgeError> {
    Ok(BonusCommand {
        kind: body.kind.0,
        holder: holder("bonus", body.seat, body.dealer)?,
        cards: body.cards.map(cards),
    })
}

fn settle(body: Settle, table: To<'_>) -> TableCommand {
    let of_seat = |one: SeatCards| (Seat(one.seat), cards(one.cards));
    let settle = rules::Settle {
        dealer: body.dealer.map(cards).unwrap_or_default(),
        community: body.community.map(cards).unwrap_or_default(),
        seats: body.seats.0.into_iter().map(of_seat).collect(),
    };
    match body.wagers {
        None => TableCommand::Settle(Box::new(settle)),
        Some(wagers) => settle_wagers(table.catalogue, table.game, settle, &wagers),
    }
}

/// Returns the hit to cancel. A table cancels its own hits only.
fn cancelled(body: CancelHit, table: &TableName) -> Result<HitName, WireError> {
    let Text(hit) = body.hit;
    if hit.table == *table {
        Ok(hit)
    } else {
        Err(NotExecuted::UnknownHit(hit.to_string()).into())
    }
}

#[cfg(test)]
mod tests;
