//! The mistakes in cards and terms, and what is none: a void round, and what follows from another mistake.

use super::findings::{CAJUN, CRAZY, findings};
use super::story::{cards, money, named};
use super::worked::settled;
use meterhouse_domain::fixed::settle::Irregularity;

#[test]
fn cards_twice_or_too_few() {
    let found = findings(CRAZY, |story| {
        story.round.bonus.clear();
        story.round.dealer.pop();
        story.round.seats[2].cards = cards("Tc Jc Qc 4c As 2d");
    });
    assert_eq!(
        found,
        [
            "dealer: 4 cards instead of 5: write all cards that were dealt",
            "bonus: 0 cards instead of 1: write all cards that were dealt",
            "seats[2].cards: 6 cards instead of 5: write all cards that were dealt",
            "seats[0].cards[0]: As is in the round twice: one deck has one",
            "seats[2].cards[4]: As is in the round twice: one deck has one",
        ]
    );
    // Seat 4 folded, so its cards may be left out, but its Six Card Bonus needs them.
    let found = findings(CRAZY, |story| story.round.seats[3].cards.clear());
    assert_eq!(
        found,
        [
            "seats[3].wagers[3]: the cards that decide this wager are missing: write all cards that were dealt"
        ]
    );
    let found = findings(CAJUN, |story| story.round.seats[5].cards.clear());
    assert_eq!(found, [""; 0], "a folded hand without an optional wager");
}

/// Every place of a card that has several is a mistake, whichever cards they are.
#[test]
fn several_cards_twice() {
    let found = findings(CRAZY, |story| {
        story.round.bonus = cards("As");
        story.round.seats[1].cards = story.round.dealer.clone();
    });
    let twice = |path: &str| {
        let place = format!("{path}: ");
        let says = " is in the round twice: one deck has one";
        let is_there = |found: &String| found.starts_with(&place) && found.ends_with(says);
        assert_eq!(
            found.iter().filter(|found| is_there(found)).count(),
            1,
            "{path} in {found:?}"
        );
    };
    assert_eq!(found.len(), 12, "{found:?}");
    for place in ["bonus[0]", "seats[0].cards[0]"] {
        twice(place);
    }
    for index in 0..5 {
        twice(&format!("dealer[{index}]"));
        twice(&format!("seats[1].cards[{index}]"));
    }
}

/// A round that is void for a wrong number of cards is settled with the cards that were dealt, or without any: each wager
/// goes back, the Play Wager of three times the Ante Wager too (§ 657a.13(c)).
#[test]
fn a_void_round_with_the_cards_as_they_were_dealt() {
    let played = ["Tc Jc Qc 4c 9s 2d", "Tc Jc", ""];
    for dealt in played {
        let mut story = named(CRAZY);
        let round = &mut story.round;
        round.void = Some(Irregularity::WrongNumberOfCards);
        let seat = &mut round.seats[0];
        seat.cards = cards(dealt);
        round.dealer.clear();
        round.bonus.clear();
        round.seats.truncate(1);
        let totals = settled(&story).unwrap().totals().unwrap();
        assert_eq!(totals.returned, totals.wagered, "{dealt}");
        assert_eq!(totals.paid, money("0"), "{dealt}");
    }
}

/// A pay with a fraction of a cent is paid by no chips.
#[test]
fn a_pay_of_half_a_cent() {
    let found = findings(CRAZY, |story| {
        story.round.terms.minimum = money("0.05");
        story.round.terms.step = money("0.05");
        story.round.seats.truncate(1);
        let seat = &mut story.round.seats[0];
        seat.cards = cards("2s 5s 9s Js 3d");
        for placed in &mut seat.wagers {
            placed.amount = money("0.25");
        }
    });
    let found: Vec<_> = found.iter().map(String::as_str).collect();
    assert_eq!(
        found,
        [
            "seats[0].wagers[2]: the pay is no amount in whole cents below 9.2 trillion dollars: write an amount whose pay is one"
        ]
    );
}

/// The bad beat's table is asked for whatever the cards are, so that a game is not settled for hours before it is missed.
#[test]
fn the_odds_wager_needs_both_tables() {
    let found = findings("a player ties the dealer's pair of kings", |story| {
        let is_bad_beat = |id: &str| id.contains("odds-bad-beat");
        story.tables.retain(|table| !is_bad_beat(table.id.as_str()));
    });
    let missing = "no table pays odds-bad-beat in this game: choose one, or complete it where the source leaves it out";
    assert!(
        found.iter().any(|found| found.ends_with(missing)),
        "{found:?}"
    );
}

/// Without a smallest chip there is one mistake: amounts are no mistakes of their own.
#[test]
fn a_step_of_zero() {
    let found = findings(CAJUN, |story| story.round.terms.step = money("0"));
    assert_eq!(
        found,
        ["terms.step: write an amount of at least one cent, in whole cents"]
    );
}
