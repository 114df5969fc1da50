//! The fixed wagers beside the cards of a table's `settle`.
//!
//! # Shape
//! [`settle_wagers`] makes the command, by the code that settles rounds without a table, and [`recorded`] shows what its
//! event holds.

use meterhouse_api::round_settlement::RoundSettlement;
use meterhouse_api::round_wagers::{RoundWagers, SeatWagers};
use meterhouse_api::words::Jurisdiction;
use meterhouse_catalogue::Catalogue;
use meterhouse_domain::command::{Settle, SettleWagers, TableCommand};
use meterhouse_domain::fixed::settle::SeatEnd;
use meterhouse_domain::ids::GameName;
use meterhouse_domain::round_wagers::{
    self as rules, PayingTable, PlayedWagers, RecordedWagers, SettledWagers, WagerFinding,
    WagersResult,
};
use meterhouse_domain::seat::Seat;

use crate::settlement::{RoundRefused, SentSeat, asked, settled_hands, shown};

fn played(sent: &RoundWagers) -> PlayedWagers {
    PlayedWagers {
        jurisdiction: sent.jurisdiction.name().to_owned(),
        terms: asked::terms(&sent.terms),
        tables: sent.tables.iter().map(|id| id.0.clone()).collect(),
        bonus: asked::values(sent.bonus.as_ref()),
        seats: sent.seats.iter().map(seat).collect(),
    }
}

fn seat(sent: &SeatWagers) -> rules::SeatWagers {
    rules::SeatWagers {
        seat: Seat(sent.seat),
        player: sent.player.as_ref().map(|player| player.0.clone()),
        end: sent.end.map_or(SeatEnd::Stayed, |end| end.0),
        wagers: asked::placed(&sent.wagers),
    }
}

/// Returns the command of a table of this game that settles the cards with the wagers. The wagers are settled by the
/// catalogue's tables, those with a doubtful print in both readings: only the link knows which one it adopted. Mistakes are
/// in the command too, because it may be a repeat that has an outcome already.
pub fn settle_wagers(
    catalogue: &Catalogue,
    game: &GameName,
    cards: Settle,
    sent: &RoundWagers,
) -> TableCommand {
    let wagers = played(sent);
    let others = asked::of_games_without_hands(game, sent);
    let round = cards.round(game, &wagers);
    let result = |is_read| {
        let others = others.clone();
        match settled_hands(catalogue, &round, &wagers.tables, is_read, others) {
            Ok(settled) => WagersResult::Settled(Box::new(with_returns(catalogue, settled))),
            Err(RoundRefused(findings)) => {
                let findings = findings.into_iter().map(|found| WagerFinding {
                    path: path_in_command(&found.path, &cards, &wagers),
                    code: found.code.to_owned(),
                    detail: found.detail,
                });
                WagersResult::refused(findings)
            }
        }
    };
    let has_reading = |id| {
        catalogue
            .fixed(id)
            .is_some_and(|table| table.reading.is_some())
    };
    let is_doubtful = wagers.tables.iter().any(has_reading);
    let (printed, as_read) = (result(false), is_doubtful.then(|| result(true)));
    TableCommand::SettleWagers(Box::new(SettleWagers {
        cards,
        wagers,
        result: printed,
        as_read,
    }))
}

/// Returns the settled wagers with the returns of the tables that two people have to adopt.
fn with_returns(catalogue: &Catalogue, settled: SettledWagers) -> SettledWagers {
    let tables = settled.tables.into_iter();
    let tables = tables.map(|table| {
        let returned = catalogue.returned(&table.id, table.reading.as_ref());
        let is_read = table.reading.is_some();
        PayingTable {
            returns: returned.filter(|returned| is_read || returned.exceeds_wager()),
            ..table
        }
    });
    SettledWagers {
        tables: tables.collect(),
        ..settled
    }
}

/// Returns the path in the command of a field of its round: cards are beside the wagers, and the game is the table's.
fn path_in_command(path: &str, cards: &Settle, wagers: &PlayedWagers) -> String {
    if path.starts_with("dealer") || path.starts_with("community") {
        return path.to_owned();
    }
    if path == "game" {
        return "wagers".to_owned();
    }
    of_cards(path, cards, wagers).unwrap_or_else(|| format!("wagers.{path}"))
}

/// Returns the path of a seat's cards beside the wagers, or of their list if the seat is missing there.
fn of_cards(path: &str, cards: &Settle, wagers: &PlayedWagers) -> Option<String> {
    let (index, field) = path.strip_prefix("seats[")?.split_once(']')?;
    let field = field.strip_prefix(".cards")?;
    let sent = wagers.seats.get(index.parse::<usize>().ok()?)?;
    let mut dealt = cards.seats.iter();
    let place = dealt.position(|(seat, _)| *seat == sent.seat);
    Some(place.map_or_else(
        || "seats".to_owned(),
        |place| format!("seats[{place}].cards{field}"),
    ))
}

/// Returns the settlement that an event holds. `None` only for an event that no release wrote: of an unknown jurisdiction,
/// or with sums beyond the range of money.
pub fn recorded(wagers: &RecordedWagers) -> Option<RoundSettlement> {
    let played = &wagers.played;
    let mut known = Jurisdiction::ALL.iter().copied();
    let jurisdiction = known.find(|known| known.name() == played.jurisdiction)?;
    let seats = played.seats.iter();
    let seats = seats.map(|sent| SentSeat {
        seat: sent.seat,
        player: sent.player.as_ref(),
        placed: &[],
    });
    let seats: Vec<SentSeat<'_>> = seats.collect();
    shown(jurisdiction, &seats, &wagers.settled).ok()
}

#[cfg(test)]
mod tests;
