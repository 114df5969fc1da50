//! `settle` with fixed wagers: what the rules refuse, and what makes a repeat.

use meterhouse_domain::command::{Settle, SettleWagers, TableCommand};
use meterhouse_domain::event::{Event, HitRecorded};
use meterhouse_domain::fixed::settle::{
    PlacedWager, SeatEnd, SettledRound, SettledSeat, SettledWager, TableTerms, WagerResult,
};
use meterhouse_domain::fixed::wager::FixedWager;
use meterhouse_domain::ids::TableNo;
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::repeat::{is_repeat, table_command_of};
use meterhouse_domain::round_wagers::{
    FINDING_CHARS_MAX, FINDINGS_MAX, PlayedWagers, SeatWagers, SettledWagers, WagerFinding,
    WagersResult,
};
use meterhouse_domain::seat::Seat;
use proptest::prelude::prop_assert_eq;
use proptest::test_runner::TestCaseError;

use super::support::{Link, is, paytables};
use super::{HEARTS, NOTHING, ROYAL, copy, five, settle};

/// Returns the command that settles these cards with an Ante Wager of each dealt seat, as the link knows the round.
fn agreed(link: &Link, table: TableNo, cards: &Settle) -> SettleWagers {
    let found = link.state.table(table).unwrap();
    let round = found.round.as_ref().unwrap();
    let ante = PlacedWager {
        wager: FixedWager::Ante,
        amount: Money::from_micros(10_000_000),
    };
    let seat = |seat: Seat| SeatWagers {
        seat,
        player: round
            .players
            .iter()
            .find(|(named, _)| *named == seat)
            .map(|(_, player)| player.clone()),
        end: if round.folded.contains(seat) {
            SeatEnd::Folded
        } else {
            SeatEnd::Stayed
        },
        wagers: vec![ante],
    };
    let lost = |seat: Seat| SettledSeat {
        seat,
        wagers: vec![SettledWager {
            wager: ante.wager,
            amount: ante.amount,
            result: WagerResult::Loss,
            clause: "§ 657a.11(b)(2)".into(),
            line: None,
            payout: Money::ZERO,
            paid: Money::ZERO,
            returned: Money::ZERO,
            collected: ante.amount,
        }],
    };
    SettleWagers {
        cards: cards.clone(),
        wagers: PlayedWagers {
            jurisdiction: link.state.terms.paytable.jurisdiction.clone(),
            terms: TableTerms {
                minimum: Money::from_micros(5_000_000),
                step: Money::from_micros(500_000),
                limit: None,
                reading: None,
                most_at_minimum: None,
            },
            tables: vec!["pa-657a-ante-play".parse().unwrap()],
            bonus: Vec::new(),
            seats: round.dealt.ascending().map(seat).collect(),
        },
        result: WagersResult::Settled(Box::new(SettledWagers {
            game: found.game.clone(),
            tables: Vec::new(),
            round: SettledRound {
                seats: round.dealt.in_turn_order().map(lost).collect(),
                limit: None,
            },
        })),
        as_read: None,
    }
}

/// Settles a round with fixed wagers; returns its event and its hits.
fn settle_with(
    link: &mut Link,
    table: TableNo,
    command: &SettleWagers,
) -> (Event, Vec<HitRecorded>) {
    let event = link.play(
        table,
        &TableCommand::SettleWagers(Box::new(command.clone())),
    );
    let Event::RoundSettled { hits, wagers, .. } = &event else {
        panic!("not settled: {command:?}");
    };
    let recorded = wagers.as_deref().unwrap();
    assert_eq!(recorded.played, command.wagers);
    let settled = WagersResult::Settled(Box::new(recorded.settled.clone()));
    assert_eq!(settled, command.result);
    let hits = hits.clone();
    (event, hits)
}

/// Settles the round of `before` with fixed wagers: the hits and the state are those of the cards alone.
pub(crate) fn same_beside(
    before: &Link,
    table: TableNo,
    cards: &Settle,
    (settled, hits): (&Link, &[HitRecorded]),
) -> Result<(), TestCaseError> {
    let mut beside = copy(before);
    let command = agreed(before, table, cards);
    let (_, with_wagers) = settle_with(&mut beside, table, &command);
    prop_assert_eq!(with_wagers, hits);
    prop_assert_eq!(&beside.state, &settled.state);
    Ok(())
}

/// Returns five-card Paytable A: seats 2 and 4 with a wager, 4 as p-77, seats 1 and 3 folded, 5 and 6 without a wager.
fn locked() -> (Link, TableNo, Settle) {
    use meterhouse_domain::command::WageredHand::Own;
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let table = link.table();
    link.coin_in_of(table, &[(2, Own, None), (4, Own, Some("p-77"))]);
    link.fold(table, &[1, 3]);
    let [one, other, ..] = NOTHING;
    let cards = five(&[(2, ROYAL), (4, HEARTS), (5, one), (6, other)]);
    (link, table, cards)
}

/// The hits, the balances and the rest of the state are those of the same cards without wagers.
#[test]
fn the_wagers_change_no_hit_and_move_nothing() {
    let (link, table, cards) = locked();
    let mut alone = copy(&link);
    let (_, hits) = settle(&mut alone, table, &cards);
    assert_eq!(hits.len(), 2);
    let mut beside = copy(&link);
    let command = agreed(&link, table, &cards);
    let (_, with_wagers) = settle_with(&mut beside, table, &command);
    assert_eq!(with_wagers, hits);
    assert_eq!(beside.state, alone.state);
}

/// A repeat asks the same. What came out of it, and the order of seats and wagers, make no difference.
#[test]
fn a_repeat_is_what_was_asked() {
    let (mut link, table, cards) = locked();
    let command = agreed(&link, table, &cards);
    let (event, _) = settle_with(&mut link, table, &command);
    let terms = link.state.terms.clone();
    let again = |change: &dyn Fn(&mut SettleWagers)| {
        let mut command = command.clone();
        change(&mut command);
        let command = TableCommand::SettleWagers(Box::new(command));
        is_repeat(&terms, &event, &command)
    };
    assert!(again(&|_| {}));
    assert!(again(&|command| command.wagers.seats.reverse()));
    assert!(again(&|command| command.cards.seats.reverse()));
    assert!(again(&|command| {
        command.result = WagersResult::refused([finding("tables[0]", "table_unknown")]);
        command.as_read = Some(command.result.clone());
    }));
    assert!(!again(&|command| {
        command.wagers.seats[0].wagers[0].amount = Money::from_micros(5_000_000);
    }));
    assert!(!again(
        &|command| command.wagers.seats[0].end = SeatEnd::Left
    ));
    assert!(!again(&|command| command.wagers.tables.clear()));
    assert!(!again(
        &|command| command.wagers.terms.limit = Some(Money::ZERO)
    ));
    assert!(!again(&|command| command.cards.seats[0].1.reverse()));
    let alone = TableCommand::Settle(Box::new(cards));
    assert!(!is_repeat(&terms, &event, &alone));
    let first = table_command_of(&terms, &event);
    assert_eq!(first, Some(TableCommand::SettleWagers(Box::new(command))));
}

fn finding(path: &str, code: &str) -> WagerFinding {
    WagerFinding {
        path: path.to_owned(),
        code: code.to_owned(),
        detail: format!("{code} at {path}"),
    }
}

/// Checks that the round is refused with these fields after a change of what agrees, and that nothing happened.
#[track_caller]
fn refused(change: impl FnOnce(&mut SettleWagers), code: RefusalCode, fields: &[(&str, &str)]) {
    let (mut link, table, cards) = locked();
    let mut command = agreed(&link, table, &cards);
    change(&mut command);
    let before = link.state.balances.clone();
    let refusal = link.refuse(table, &TableCommand::SettleWagers(Box::new(command)));
    is(&refusal, code, fields);
    assert_eq!(link.state.balances, before);
}

/// Seats, folds, players, jurisdiction and game that differ are named with what the link knows, all together.
#[test]
fn a_contradiction_is_refused() {
    let differ = RefusalCode::WagersDiffer;
    let end =
        |index: usize, end| move |command: &mut SettleWagers| command.wagers.seats[index].end = end;
    refused(
        end(0, SeatEnd::Stayed),
        differ,
        &[("wagers.seats[0].end", "folded")],
    );
    refused(
        end(1, SeatEnd::Folded),
        differ,
        &[("wagers.seats[1].end", "stayed")],
    );
    refused(
        |command| command.wagers.seats[3].player = None,
        differ,
        &[("wagers.seats[3].player", "p-77")],
    );
    refused(
        |command| {
            command.wagers.seats.truncate(4);
        },
        differ,
        &[("wagers.seats", "5 6")],
    );
    refused(
        |command| {
            command.wagers.jurisdiction = "MA".to_owned();
            command.wagers.seats[5].seat = Seat(7);
            command.wagers.seats[4].end = SeatEnd::Folded;
            if let WagersResult::Settled(settled) = &mut command.result {
                settled.game = "let-it-ride".parse().unwrap();
            }
        },
        differ,
        &[
            ("wagers.jurisdiction", "PA"),
            ("game", "crazy-4-poker"),
            ("wagers.seats[4].end", "stayed"),
            ("wagers.seats[5].seat", "not dealt"),
            ("wagers.seats", "6"),
        ],
    );
}

/// A player who left may have folded or not, and a seat that the coin-in did not name may have any player.
#[test]
fn what_the_link_does_not_know_is_no_contradiction() {
    let (link, table, cards) = locked();
    for seats in [[0, 1], [2, 4]] {
        let mut link = copy(&link);
        let mut command = agreed(&link, table, &cards);
        for index in seats {
            command.wagers.seats[index].end = SeatEnd::Left;
        }
        command.wagers.seats[1].player = "p-1".parse().ok();
        settle_with(&mut link, table, &command);
    }
}

/// Mistakes in the wagers are refused with the code of each by its path. The cards come first.
#[test]
fn mistakes_are_refused() {
    let found = [
        finding("wagers.tables[0]", "table_unknown"),
        finding("dealer", "cards_count"),
    ];
    refused(
        |command| command.result = WagersResult::refused(found.clone()),
        RefusalCode::WagersRefused,
        &[
            ("wagers.tables[0]", "table_unknown"),
            ("dealer", "cards_count"),
        ],
    );
    refused(
        |command| {
            command.result = WagersResult::refused(found.clone());
            command.cards.seats.truncate(1);
        },
        RefusalCode::CardsMissing,
        &[("seats", "4 5 6")],
    );
}

/// A command carries a bounded number of findings, each with a bounded sentence.
#[test]
fn findings_are_bounded() {
    let long = WagerFinding {
        detail: "é".repeat(FINDING_CHARS_MAX + 1),
        ..finding("wagers", "game_unknown")
    };
    let WagersResult::Refused(findings) = WagersResult::refused(vec![long; FINDINGS_MAX + 1])
    else {
        panic!("findings refuse");
    };
    assert_eq!(findings.len(), FINDINGS_MAX);
    assert_eq!(findings[0].detail, "é".repeat(FINDING_CHARS_MAX));
}
