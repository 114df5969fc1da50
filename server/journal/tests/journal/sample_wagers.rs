//! Fixed wagers with fixed values: settled with and without hits, and refused.

use meterhouse_domain::adopted::Returned;
use meterhouse_domain::command::{Command, SettleWagers, TableCommand};
use meterhouse_domain::event::Event;
use meterhouse_domain::fixed::limit::LimitReading;
use meterhouse_domain::fixed::settle::{
    LinePaid, PlacedWager, SeatEnd, SettledRound, SettledSeat, SettledWager, TableTerms,
    WagerResult,
};
use meterhouse_domain::fixed::wager::FixedWager;
use meterhouse_domain::ids::{Sequence, TableNo};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::round_wagers::{
    Omission, PayingTable, PlayedWagers, RecordedWagers, SeatWagers, SettledWagers, WagerFinding,
    WagersResult,
};
use meterhouse_domain::seat::Seat;

use crate::samples::{all_cards, cards, micros, parse, settled_hits};

fn played() -> PlayedWagers {
    let placed = |wager, amount| PlacedWager {
        wager,
        amount: micros(amount),
    };
    let seat = |seat, player: Option<&str>, end, wagers| SeatWagers {
        seat: Seat(seat),
        player: player.map(parse),
        end,
        wagers,
    };
    PlayedWagers {
        jurisdiction: "PA".to_owned(),
        terms: TableTerms {
            minimum: micros(5_000_000),
            step: micros(500_000),
            limit: Some(micros(50_000_000_000)),
            reading: Some(LimitReading::Subsections),
            most_at_minimum: None,
        },
        tables: vec![parse("pa-657a-ante-play"), parse("pa-657a-six-card-bonus")],
        bonus: cards("As Ad 9d 5c 2h 2s"),
        seats: vec![
            seat(
                3,
                Some("p-77"),
                SeatEnd::Stayed,
                vec![
                    placed(FixedWager::Ante, 10_000_000),
                    placed(FixedWager::Play, 30_000_000),
                ],
            ),
            seat(
                1,
                None,
                SeatEnd::Folded,
                vec![placed(FixedWager::Ante, 10_000_000)],
            ),
        ],
    }
}

fn settled() -> SettledWagers {
    let omission = |inferred_from: Option<&str>| Omission {
        what: "lines".to_owned(),
        place: "58 Pa. Code § 657a.12(g)".to_owned(),
        inferred_from: inferred_from.map(str::to_owned),
    };
    let win = SettledWager {
        wager: FixedWager::Play,
        amount: micros(30_000_000),
        result: WagerResult::Win,
        clause: "§ 657a.11(c)(3)(i)".into(),
        line: Some(LinePaid {
            table: parse("pa-657a-ante-play"),
            citation: "58 Pa. Code § 657a.12(a)".to_owned(),
            index: 0,
            prints: "even money".to_owned(),
            pays: "1 to 1".to_owned(),
        }),
        payout: micros(30_000_000),
        paid: micros(20_000_000),
        returned: micros(30_000_000),
        collected: micros(0),
    };
    let loss = SettledWager {
        wager: FixedWager::Ante,
        amount: micros(10_000_000),
        result: WagerResult::Loss,
        clause: "§ 657a.11(b)(2)".into(),
        line: None,
        payout: micros(0),
        paid: micros(0),
        returned: micros(0),
        collected: micros(10_000_000),
    };
    SettledWagers {
        game: parse("crazy-4-poker"),
        tables: vec![PayingTable {
            id: parse("pa-657a-ante-play"),
            title: "Crazy 4 Poker, Ante and Play Wagers".to_owned(),
            citation: "58 Pa. Code § 657a.12(a)".to_owned(),
            omissions: vec![omission(None), omission(Some("§ 683a.12"))],
            reading: Some(parse("queens-or-better")),
            returns: Some(Returned { ppm: 957_700 }),
        }],
        round: SettledRound {
            seats: vec![
                SettledSeat {
                    seat: Seat(3),
                    wagers: vec![win],
                },
                SettledSeat {
                    seat: Seat(1),
                    wagers: vec![loss],
                },
            ],
            limit: Some((micros(50_000_000_000), "§ 683a.12(f)".into())),
        },
    }
}

pub(crate) fn events_of_wagers() -> Vec<(&'static str, Event)> {
    let wagers = || {
        let recorded = RecordedWagers {
            played: played(),
            settled: settled(),
        };
        Some(Box::new(recorded))
    };
    let finding = WagerFinding {
        path: "wagers.seats[0].wagers[1].amount".to_owned(),
        code: "not_times".to_owned(),
        detail: "30.00 is not 10.00".to_owned(),
    };
    let refused = TableCommand::SettleWagers(Box::new(SettleWagers {
        cards: all_cards(),
        wagers: played(),
        result: WagersResult::refused([finding.clone()]),
        as_read: None,
    }));
    vec![
        (
            "settled-with-wagers",
            Event::RoundSettled {
                cards: Box::new(all_cards()),
                hits: Vec::new(),
                wagers: wagers(),
            },
        ),
        (
            "settled-with-wagers-and-hits",
            Event::RoundSettled {
                cards: Box::new(all_cards()),
                hits: settled_hits(),
                wagers: wagers(),
            },
        ),
        (
            "refused-wagers",
            Event::Refused {
                refusal: Refusal::new(RefusalCode::WagersRefused)
                    .with(&finding.path, &finding.code),
                command: Box::new(Command::Table {
                    table: TableNo(7),
                    sequence: Sequence(4_711),
                    command: refused,
                }),
            },
        ),
    ]
}

/// Returns a command whose wagers are settled, which no refused sample holds.
pub(crate) fn command_with_wagers() -> TableCommand {
    TableCommand::SettleWagers(Box::new(SettleWagers {
        cards: all_cards(),
        wagers: played(),
        result: WagersResult::Settled(Box::new(settled())),
        as_read: Some(WagersResult::Settled(Box::new(settled()))),
    }))
}
