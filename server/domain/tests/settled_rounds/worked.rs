//! The worked rounds, against the tables of the module `tables`.

use std::collections::BTreeSet;

use meterhouse_domain::fixed::settle::{Finding, SettledRound, SettledWager, WagerResult, settle};
use meterhouse_domain::fixed::table::FixedTable;
use meterhouse_domain::money::Money;
use meterhouse_domain::seat::Seat;

use super::story::{self, ExpectedWager, Story, named};

/// Settles the round of a story by its tables.
pub(crate) fn settled(story: &Story) -> Result<SettledRound, Vec<Finding>> {
    let tables: Vec<&FixedTable> = story.tables.iter().collect();
    settle(&story.round, &tables)
}

/// Returns the settled round of this name.
fn round(name: &str) -> SettledRound {
    settled(&named(name)).expect(name)
}

fn wager<'a>(round: &'a SettledRound, seat: u8, name: &str) -> &'a SettledWager {
    let mut seats = round
        .seats
        .iter()
        .filter(|settled| settled.seat == Seat(seat));
    let mut wagers = seats.next().expect(name).wagers.iter();
    wagers
        .find(|settled| settled.wager.name() == name)
        .expect(name)
}

#[test]
fn every_round_comes_to_the_amounts_worked_by_hand() {
    let stories = story::all();
    assert_eq!(stories.len(), 28, "a worked round was added or lost");
    let names: BTreeSet<&str> = stories.iter().map(|story| story.name.as_str()).collect();
    assert_eq!(
        names.len(),
        stories.len(),
        "two worked rounds have one name"
    );
    for story in &stories {
        let name = &story.name;
        let settled = settled(story).unwrap_or_else(|findings| panic!("{name}: {findings:#?}"));
        for (seat, expected) in &story.expected {
            let mut seats = settled.seats.iter().filter(|settled| settled.seat == *seat);
            let actual: Vec<ExpectedWager> =
                seats.next().expect(name).wagers.iter().map(seen).collect();
            assert_eq!(&actual, expected, "{name}, seat {seat}");
        }
        let totals = settled.totals().unwrap();
        let sums = [
            totals.wagered,
            totals.collected,
            totals.returned,
            totals.paid,
        ];
        assert_eq!(
            sums, story.totals,
            "{name}: wagered, collected, returned, paid"
        );
    }
}

fn seen(settled: &SettledWager) -> ExpectedWager {
    ExpectedWager {
        wager: settled.wager,
        amount: settled.amount,
        result: settled.result,
        paid: settled.paid,
        payout: settled.payout,
        clause: settled.clause.to_string(),
    }
}

#[test]
fn a_paid_wager_names_its_line() {
    let round = round("the dealer has a pair of kings");
    let super_bonus = wager(&round, 3, "super-bonus").line.as_ref().unwrap();
    assert_eq!(super_bonus.table.as_str(), "pa-657a-super-bonus");
    assert_eq!(
        (
            super_bonus.index,
            super_bonus.prints.to_lowercase().as_str()
        ),
        (4, "flush")
    );
    assert_eq!(
        wager(&round, 2, "ante").line,
        None,
        "no line collects a wager"
    );
}

#[test]
fn a_push_by_a_line_and_a_loss_by_a_line() {
    let round = round("a queen high and a pair of tens");
    let lo_ball = wager(&round, 1, "lo-ball");
    assert_eq!(lo_ball.result, WagerResult::Push);
    assert_eq!(lo_ball.line.as_ref().unwrap().index, 5);
    let mut story = named("a queen high and a pair of tens");
    story
        .tables
        .retain(|table| table.id.as_str() != "pa-683a-lo-ball-b");
    story
        .tables
        .append(&mut super::tables::tables(&["pa-683a-lo-ball-a"]));
    let round = settled(&story).unwrap();
    let lo_ball = wager(&round, 1, "lo-ball");
    assert_eq!(lo_ball.result, WagerResult::Loss);
    assert_eq!(lo_ball.line.as_ref().unwrap().index, 5);
    assert_eq!(lo_ball.collected, lo_ball.amount);
}

#[test]
fn a_limit_is_named_and_leaves_a_win_a_win() {
    let round = round("a payout limit of two boxes");
    let (limit, clause) = round.limit.clone().unwrap();
    assert_eq!(
        (limit.to_string().as_str(), clause.as_ref()),
        ("50000.00", "§ 683a.12(f)")
    );
    let cut = wager(&round, 2, "raise-2");
    assert!(cut.is_cut());
    assert_eq!((cut.result, cut.paid), (WagerResult::Win, Money::ZERO));
    assert_eq!(
        cut.chips().unwrap(),
        cut.amount,
        "the wager itself goes back"
    );
    assert!(!wager(&round, 2, "pocket-bonus").is_cut());
}

#[test]
fn a_limit_that_the_clause_fixes_is_in_force_without_being_set() {
    let round = round("Texas Hold 'Em Bonus, folded");
    let (limit, clause) = round.limit.clone().unwrap();
    assert_eq!(
        (limit.to_string().as_str(), clause.as_ref()),
        ("50000.00", "§ 647a.12(c)")
    );
}
