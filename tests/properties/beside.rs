//! The fixed wagers beside the cards of a `settle`: as they are, with mistakes, or against what the link knows.

use core::fmt::Debug;
use core::str::FromStr;

use meterhouse_domain::adopted::{AdoptedTable, ChosenReading, Returned};
use meterhouse_domain::command::{Settle, SettleWagers, TableCommand};
use meterhouse_domain::fixed::settle::{
    PlacedWager, SeatEnd, SettledRound, SettledSeat, SettledWager, TableTerms, WagerResult,
};
use meterhouse_domain::fixed::wager::FixedWager;
use meterhouse_domain::money::Money;
use meterhouse_domain::round_wagers::{
    PayingTable, PlayedWagers, SeatWagers, SettledWagers, WagerFinding, WagersResult,
};
use meterhouse_domain::seat::Seat;

use crate::auditor::round::Round;
use crate::play::Game;

/// The game of every table.
pub(crate) const GAME: &str = "crazy-4-poker";
/// The tables that two people may adopt.
const TABLES: [&str; 2] = ["pa-doubtful", "pa-other"];
/// The second reading of each.
const READING: &str = "as-meant";
/// What they may return, in millionths of the wager.
const RETURNS: [u32; 2] = [980_000, 1_190_000];
/// The jurisdiction of every paytable.
pub(crate) const JURISDICTION: &str = "PA";

impl Game {
    /// The settle of these cards: every second one has wagers, some with mistakes, some against the round.
    pub(crate) fn settle(&self, table: usize, cards: Settle, deal: [u8; 7]) -> TableCommand {
        let round = self.auditor.felts[table].round.as_ref();
        let mut command = SettleWagers {
            cards,
            wagers: wagers(round),
            result: WagersResult::Settled(Box::new(settled(round))),
            as_read: None,
        };
        match deal[2] % 8 {
            0..4 => return TableCommand::Settle(Box::new(command.cards)),
            4 => command.result = mistakes(),
            5 => contradict(&mut command, deal[3]),
            _ => self.chosen(&mut command, round, deal[3]),
        }
        TableCommand::SettleWagers(Box::new(command))
    }

    /// Lets a table pay: a doubtful one in both readings, or one that returns more than the wager. Most often it is one that
    /// two people adopted, if there is any.
    fn chosen(&self, command: &mut SettleWagers, round: Option<&Round>, which: u8) {
        let adopted = self.auditor.adopted.iter().next();
        let (table, returns) = match adopted.filter(|_| !which.is_multiple_of(4)) {
            Some((table, (_, returns))) => (table.as_str(), *returns),
            None => (
                TABLES[usize::from(which % 2)],
                RETURNS[usize::from(which / 2 % 2)],
            ),
        };
        let returns = Returned { ppm: returns };
        let of = |read: bool| {
            let mut settled = settled(round);
            settled.tables = vec![PayingTable {
                id: name(table),
                title: String::new(),
                citation: String::new(),
                omissions: Vec::new(),
                reading: read.then(|| name(READING)),
                returns: (read || returns.exceeds_wager()).then_some(returns),
            }];
            WagersResult::Settled(Box::new(settled))
        };
        command.wagers.tables = vec![name(table)];
        command.result = of(false);
        command.as_read = Some(of(true));
    }
}

/// The number of the table with this name.
pub(crate) fn table_of(name: &String) -> u8 {
    u8::from(name == TABLES[1])
}

/// A table that two people might adopt.
pub(crate) fn adoption(table: u8, read: bool, returns: u8) -> Option<AdoptedTable> {
    let letter = "a letter".parse().ok()?;
    Some(AdoptedTable {
        table: TABLES[usize::from(table)].parse().ok()?,
        reading: read.then(|| ChosenReading {
            name: name(READING),
            letter,
        }),
        returns: Returned {
            ppm: RETURNS[usize::from(returns)],
        },
    })
}

/// Turns seats and wagers round. The tables may have changed since: what came out does not count.
pub(crate) fn reordered(command: &mut SettleWagers) {
    command.cards.seats.reverse();
    command.wagers.seats.reverse();
    for seat in &mut command.wagers.seats {
        seat.wagers.reverse();
    }
    command.result = match command.result {
        WagersResult::Settled(_) => mistakes(),
        WagersResult::Refused(_) => WagersResult::Settled(Box::new(settled(None))),
    };
    command.as_read = None;
}

fn placed() -> [PlacedWager; 2] {
    let placed = |wager| PlacedWager {
        wager,
        amount: Money::from_micros(10_000_000),
    };
    [placed(FixedWager::Ante), placed(FixedWager::SuperBonus)]
}

fn wagers(round: Option<&Round>) -> PlayedWagers {
    let seat = |round: &Round, seat: u8| SeatWagers {
        seat: Seat(seat),
        player: round.names.get(&seat).and_then(|name| name.parse().ok()),
        end: match (round.folded.contains(&seat), seat) {
            (_, 6) => SeatEnd::Left,
            (true, _) => SeatEnd::Folded,
            (false, _) => SeatEnd::Stayed,
        },
        wagers: placed().to_vec(),
    };
    let seats = round.into_iter().flat_map(|round| {
        let dealt = round.dealt.iter();
        dealt.map(|number| seat(round, *number))
    });
    PlayedWagers {
        jurisdiction: JURISDICTION.to_owned(),
        terms: TableTerms {
            minimum: Money::from_micros(5_000_000),
            step: Money::from_micros(500_000),
            limit: None,
            reading: None,
            most_at_minimum: None,
        },
        tables: Vec::new(),
        bonus: Vec::new(),
        seats: seats.collect(),
    }
}

/// Every wager wins as much as it is.
fn settled(round: Option<&Round>) -> SettledWagers {
    let won = |placed: PlacedWager| SettledWager {
        wager: placed.wager,
        amount: placed.amount,
        result: WagerResult::Win,
        clause: "§ 657a.11".into(),
        line: None,
        payout: placed.amount,
        paid: placed.amount,
        returned: placed.amount,
        collected: Money::ZERO,
    };
    let seats = round.into_iter().flat_map(|round| round.dealt.iter().rev());
    let seats = seats.map(|seat| SettledSeat {
        seat: Seat(*seat),
        wagers: placed().map(won).to_vec(),
    });
    SettledWagers {
        game: name(GAME),
        tables: Vec::new(),
        round: SettledRound {
            seats: seats.collect(),
            limit: None,
        },
    }
}

#[expect(clippy::expect_used, reason = "a name of these tests is well")]
fn name<T: FromStr<Err: Debug>>(name: &str) -> T {
    name.parse().expect("a name")
}

fn mistakes() -> WagersResult {
    WagersResult::refused([WagerFinding {
        path: "wagers.tables".to_owned(),
        code: "table_missing".to_owned(),
        detail: "no table pays the wager".to_owned(),
    }])
}

/// Makes the wagers differ from what the link knows.
fn contradict(command: &mut SettleWagers, how: u8) {
    let seats = &mut command.wagers.seats;
    match how % 6 {
        0 => drop(seats.pop()),
        1 => seats.extend(seats.first().cloned().map(|seat| SeatWagers {
            seat: Seat(7),
            ..seat
        })),
        2 => "MA".clone_into(&mut command.wagers.jurisdiction),
        3 => {
            for seat in seats {
                seat.player = "p-x".parse().ok();
            }
        }
        4 => {
            for seat in seats {
                seat.end = match seat.end {
                    SeatEnd::Stayed => SeatEnd::Folded,
                    SeatEnd::Folded => SeatEnd::Stayed,
                    SeatEnd::Left => SeatEnd::Left,
                };
            }
        }
        _ => {
            if let WagersResult::Settled(settled) = &mut command.result {
                settled.game = name("let-it-ride");
            }
        }
    }
}
