//! The mistakes in a round, each with its path.

use super::story::{Story, cards, money, named};
use super::worked::settled;
use meterhouse_domain::fixed::settle::{Irregularity, PlacedWager, SeatEnd};
use meterhouse_domain::fixed::wager::FixedWager;
use meterhouse_domain::seat::Seat;

/// Returns the findings of a worked round after this change, as text.
pub(super) fn findings(name: &str, change: impl FnOnce(&mut Story)) -> Vec<String> {
    let mut story = named(name);
    change(&mut story);
    let findings = settled(&story).err().unwrap_or_default();
    findings.iter().map(ToString::to_string).collect()
}

pub(super) const CRAZY: &str = "the dealer has a pair of kings";
pub(super) const CAJUN: &str = "six players against paytable A";
pub(super) const FRENZY: &str = "a payout limit that cuts the odds wager";
pub(super) const RIDE: &str = "Let It Ride with a limit a hand";

fn placed(name: &str, amount: &str) -> PlacedWager {
    PlacedWager {
        wager: FixedWager::from_name(name).expect(name),
        amount: money(amount),
    }
}

#[test]
fn a_game_that_no_source_prints_enough_of() {
    let found = findings(CRAZY, |story| {
        story.round.game = "three-card-prime".parse().unwrap();
    });
    let known = "crazy-4-poker, cajun-stud, four-card-frenzy, four-card-poker, let-it-ride, mississippi-stud, \
                 texas-hold-em-bonus, ultimate-texas-hold-em, sic-bo, roulette";
    assert_eq!(
        found,
        [format!(
            "game: no rounds of this game are settled in PA: write one of {known}"
        )]
    );
}

#[test]
fn a_wager_that_the_game_does_not_have() {
    let found = findings(CRAZY, |story| {
        story.round.seats[1].wagers[3] = placed("odds", "5");
    });
    let known = "ante, play, super-bonus, queens-up, six-card-bonus";
    assert_eq!(
        found,
        [format!(
            "seats[1].wagers[3]: the game has no odds: write one of {known}"
        )]
    );
}

#[test]
fn a_wager_twice() {
    let found = findings(CRAZY, |story| {
        let wagers = &mut story.round.seats[1].wagers;
        wagers.push(placed("queens-up", "5"));
    });
    assert_eq!(
        found,
        ["seats[1].wagers[4]: queens-up is there twice: write one amount"]
    );
}

#[test]
fn a_raise_without_an_ante() {
    let found = findings(CRAZY, |story| {
        story.round.seats[1]
            .wagers
            .retain(|placed| placed.wager == FixedWager::Play);
    });
    assert_eq!(
        found,
        [
            "seats[1].wagers: ante is missing: § 657a.7(d)(1) requires it before any other wager",
            "seats[1].wagers: super-bonus is missing: § 657a.7(d)(1) requires it before any other wager",
        ]
    );
}

#[test]
fn a_player_who_stays_without_a_raise() {
    let found = findings(CAJUN, |story| {
        story.round.seats[4]
            .wagers
            .retain(|placed| placed.wager != FixedWager::SecondRaise);
    });
    assert_eq!(
        found,
        ["seats[4].wagers: raise-2 is missing: without it the player folded (§ 683a.11(d))"]
    );
}

#[test]
fn a_fold_with_the_last_raise() {
    let found = findings(CAJUN, |story| story.round.seats[4].end = SeatEnd::Folded);
    assert_eq!(
        found,
        [
            "seats[4].wagers: the player folded with raise-3 placed: leave it out, or write that the player stayed"
        ]
    );
    let found = findings(CAJUN, |story| {
        let seat = &mut story.round.seats[4];
        seat.end = SeatEnd::Folded;
        seat.wagers
            .retain(|placed| placed.wager != FixedWager::ThirdRaise);
    });
    assert_eq!(found, [""; 0], "a fold after two Raise Wagers");
}

#[test]
fn a_fold_in_a_game_without_one() {
    let found = findings(RIDE, |story| story.round.seats[0].end = SeatEnd::Folded);
    assert_eq!(
        found,
        ["seats[0].end: the game has no fold: write that the player stayed"]
    );
}

#[test]
fn amounts_off_the_table() {
    let change = |seat: usize, wager: usize, amount: &'static str| {
        findings(CRAZY, move |story| {
            story.round.seats[seat].wagers[wager].amount = money(amount);
        })
    };
    assert_eq!(
        change(1, 3, "5.25"),
        ["seats[1].wagers[3].amount: 5.25 is off the table's steps: write a multiple of 0.50"]
    );
    assert_eq!(
        change(1, 3, "0"),
        ["seats[1].wagers[3].amount: 0.00 is off the table's steps: write a multiple of 0.50"]
    );
    // Seat 2 has a pair of queens: the Play Wager equals the Ante Wager.
    assert_eq!(
        change(1, 1, "20"),
        [
            "seats[1].wagers[1].amount: play is 20.00: for these cards § 657a.11(b) permits 10.00, the amount of ante"
        ]
    );
    // Seat 1 has three aces: up to three times, not only whole multiples.
    assert_eq!(change(0, 1, "15.50"), [""; 0]);
    assert_eq!(
        change(0, 1, "30.50"),
        [
            "seats[0].wagers[1].amount: play is 30.50: for these cards § 657a.11(b) permits 10.00 to 30.00, up to 3 times ante"
        ]
    );
    assert_eq!(
        change(0, 2, "15"),
        [
            "seats[0].wagers[2].amount: super-bonus is 15.00: for these cards § 657a.7(d)(1) permits 10.00, the amount of ante"
        ]
    );
    // A pair of kings is raised by the Ante Wager alone, § 684a.11(b)(1).
    let found = findings("a player ties the dealer's pair of kings", |story| {
        story.round.seats[0].wagers[1].amount = money("20");
    });
    assert_eq!(
        found,
        [
            "seats[0].wagers[1].amount: raise is 20.00: for these cards § 684a.11(b)(1) permits 10.00, the amount of ante"
        ]
    );
    let found = findings(CAJUN, |story| {
        story.round.seats[0].wagers[1].amount = money("12.50");
    });
    assert_eq!(
        found,
        [
            "seats[0].wagers[1].amount: raise-1 is 12.50: for these cards § 683a.11(b) permits 1 to 3 times ante, 5.00"
        ]
    );
    let found = findings(CAJUN, |story| {
        story.round.seats[5].wagers[0].amount = money("4.50");
    });
    assert_eq!(
        found,
        ["seats[5].wagers[0].amount: 4.50 is below the table's minimum: write at least 5.00"]
    );
}

#[test]
fn terms_without_an_amount() {
    let found = findings(CAJUN, |story| story.round.terms.minimum = money("0"));
    assert_eq!(
        found,
        ["terms.minimum: write an amount of at least one cent, in whole cents"]
    );
    let found = findings(CAJUN, |story| story.round.terms.step = money("0.005"));
    assert_eq!(
        found,
        ["terms.step: write an amount of at least one cent, in whole cents"]
    );
}

#[test]
fn seats_off_the_layout() {
    let found = findings(CRAZY, |story| {
        story.round.seats[0].seat = Seat(7);
        story.round.seats[1].seat = Seat(3);
    });
    assert_eq!(
        found,
        [
            "seats[0].seat: seat 7 is not on the layout: write 1 to 6",
            "seats[2].seat: seat 3 is there twice: write its wagers in one place",
        ]
    );
    let found = findings(CRAZY, |story| story.round.seats.clear());
    assert_eq!(found, ["seats: the round has no seat: write at least one"]);
}

#[test]
fn two_positions_of_one_player_in_massachusetts() {
    let two = |story: &mut Story| {
        for seat in &mut story.round.seats {
            seat.player = Some("p-1".parse().unwrap());
        }
    };
    assert_eq!(
        findings("a player's hand wins the Cover All", two),
        ["seats[1].player: the player has another seat: Section 6(e) allows one position a player"]
    );
    assert_eq!(findings(CRAZY, two), [""; 0]);
}

#[test]
fn tables_missing_or_two() {
    let found = findings(CRAZY, |story| {
        story
            .tables
            .retain(|table| table.id.as_str() != "pa-657a-queens-up-a");
    });
    let missing = "no table pays queens-up in this game: choose one, or complete it where the source leaves it out";
    assert_eq!(
        found,
        [
            format!("seats[0].wagers[3]: {missing}"),
            format!("seats[1].wagers[3]: {missing}"),
            format!("seats[2].wagers[3]: {missing}"),
        ]
    );
    let found = findings("straights that tie and lose", |story| {
        story.round.seats.pop();
        story
            .tables
            .append(&mut super::tables::tables(&["pa-657a-queens-up-a"]));
    });
    assert_eq!(
        found,
        ["seats[0].wagers[3]: two tables pay queens-up in this game: choose one"]
    );
}

#[test]
fn what_the_source_leaves_out() {
    let found = findings("Texas Hold 'Em Bonus, folded", |story| {
        let round = &mut story.round;
        round.dealer = cards("Kd Qd");
        round.community = cards("3c 4c 5d 8h 9h");
        round.seats[0].end = SeatEnd::Stayed;
        round.seats[0].wagers.push(placed("flop", "10"));
    });
    let elided = "the source doesn't print how this is decided: § 647a.11(c) to (i) is left out; \
         settle it by the whole chapter";
    assert_eq!(
        found,
        [
            format!("seats[0].wagers[0]: {elided}"),
            format!("seats[0].wagers[2]: {elided}"),
        ]
    );
    let found = findings(RIDE, |story| {
        story.round.void = Some(Irregularity::ShoeJammed);
    });
    assert_eq!(
        found,
        ["void: the source doesn't print what becomes of the wagers after this irregularity"]
    );
    let found = findings("Four Card Poker, folded", |story| {
        story.round.seats[0].end = SeatEnd::Left;
    });
    let elided = "the source doesn't print how this is decided: the clause on players who leave the table is \
         left out; settle it by the whole chapter";
    assert_eq!(
        found,
        [
            format!("seats[0].wagers[0]: {elided}"),
            format!("seats[0].wagers[1]: {elided}"),
        ]
    );
}

#[test]
fn many_mistakes_come_together() {
    let found = findings(CAJUN, |story| {
        let round = &mut story.round;
        round.terms.limit = Some(money("1"));
        round.community.pop();
        round.seats[0].seat = Seat(9);
        round.seats[1].wagers[0].amount = money("5.10");
        round.seats[2].wagers.push(placed("play", "5"));
        round.seats[4].end = SeatEnd::Folded;
        story
            .tables
            .retain(|table| table.id.as_str() != "pa-683a-lo-ball-a");
    });
    let paths: Vec<&str> = found
        .iter()
        .map(|text| text.split(": ").next().unwrap())
        .collect();
    assert_eq!(
        paths,
        [
            "seats[0].seat",
            "community",
            "seats[1].wagers[0].amount",
            "seats[2].wagers[5]",
            "seats[4].wagers",
            "seats[0].wagers[6]",
            "seats[1].wagers[5]",
            "seats[2].wagers[4]",
            "terms.limit",
        ]
    );
}
