//! The fixed wagers beside the cards of a `settle`: as they are, with mistakes, or against what the link knows.

use meterhouse_domain::command::{Settle, SettleWagers, TableCommand};
use meterhouse_domain::fixed::settle::{
    PlacedWager, SeatEnd, SettledRound, SettledSeat, SettledWager, TableTerms, WagerResult,
};
use meterhouse_domain::fixed::wager::FixedWager;
use meterhouse_domain::ids::GameName;
use meterhouse_domain::money::Money;
use meterhouse_domain::round_wagers::{
    PlayedWagers, SeatWagers, SettledWagers, WagerFinding, WagersResult,
};
use meterhouse_domain::seat::Seat;

use crate::auditor::round::Round;
use crate::play::Game;

/// The game of every table.
pub(crate) const GAME: &str = "crazy-4-poker";
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
        };
        match deal[2] % 8 {
            0..4 => return TableCommand::Settle(Box::new(command.cards)),
            4 => command.result = mistakes(),
            5 => contradict(&mut command, deal[3]),
            _ => {}
        }
        TableCommand::SettleWagers(Box::new(command))
    }
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
        game: game(GAME),
        tables: Vec::new(),
        round: SettledRound {
            seats: seats.collect(),
            limit: None,
        },
    }
}

#[expect(clippy::expect_used, reason = "a name of these tests is well")]
fn game(name: &str) -> GameName {
    name.parse().expect("a game")
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
                settled.game = game("let-it-ride");
            }
        }
    }
}
