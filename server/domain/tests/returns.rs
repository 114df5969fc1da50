//! The return of a link that two people have to acknowledge: the long run, draws and envy at a full table together.
//!
//! Figures are in hands of the 2,598,960 of five cards: 4 royal flushes, 36 straight flushes, 624 fours of a kind, 3,744
//! full houses, 5,108 flushes, 10,200 straights, 54,912 threes of a kind.

use meterhouse_domain::apply::opened;
use meterhouse_domain::change::{Change, Effect};
use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::decide::{Decision, open};
use meterhouse_domain::event::Event;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::link::{LinkSettings, LinkTerms};
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::returns::{Fraction, LinkReturns, hundredths, percent};

#[expect(dead_code, reason = "every file of tests uses its part of it")]
#[path = "support/people.rs"]
mod people;
#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

use people::{both, refused};
use support::{Link, SUPERVISOR, coin_in_of, dollars, is, paytables, terms};

const HANDS: i128 = 2_598_960;

/// Returns the Hand Bonus in the long run: 500 · 624 + 100 · 3,744 + 50 · 5,108 = 941,800 of fixed pays, 13% to the
/// meter and 8% to the reserve, no reseed: 36.24% + 21% = 57.24%.
fn hand_bonus_long_run() -> Fraction {
    Fraction::new(941_800, HANDS) + Fraction::new(21, 100)
}

fn drawing(magic_card: Option<u32>, lucky_bonus: Option<u32>) -> LinkTerms {
    LinkTerms {
        settings: LinkSettings {
            magic_card_one_in: magic_card,
            lucky_bonus_one_in: lucky_bonus,
            ..LinkSettings::default()
        },
        ..terms(paytables::hand_bonus(), "1.00")
    }
}

/// Returns Paytable A with envy of 3,500 for 1 for a straight flush, at layouts of so many seats.
fn envious(seats: u8) -> Paytable {
    let mut paytable = paytables::five_card_a();
    for game in &mut paytable.games {
        game.seats_max = seats;
    }
    for line in &mut paytable.content.lines {
        if line.hand == Hand::StraightFlush {
            line.envy = Some(3_500);
        }
    }
    paytable
}

fn waits(terms: LinkTerms) -> bool {
    Link::just_opened(terms).state.unacknowledged
}

/// A Magic Card of 20 for 1 is one of the five cards of a hand in 5 of 52 rounds with a draw: 100/52 = 192.31% in
/// every round, and with the long run 249.55%. In one of four rounds it is 48.08%, together 105.31%; in one of five
/// 38.46%, together 95.70%.
#[test]
fn a_magic_card_in_every_round_needs_two_people() {
    let found = LinkReturns::of(&drawing(Some(1), None));
    assert_eq!(found.long_run, hand_bonus_long_run());
    assert_eq!(found.magic_card, Fraction::new(100, 52));
    assert_eq!(
        found.total(),
        hand_bonus_long_run() + Fraction::new(100, 52)
    );
    assert_eq!(percent(found.total()), "249.55%");
    let mut link = Link::just_opened(drawing(Some(1), None));
    let values = support::first_values(&link.state.terms);
    link.person(SUPERVISOR, support::accept(values));
    let table = link.table();
    let coin_in = coin_in_of(&[1], dollars("1.00"));
    let refusal = link.refuse(table, &coin_in);
    let parts = [
        ("total", "249.55%"),
        ("long_run", "57.24%"),
        ("magic_card", "192.31%"),
        ("lucky_bonus", "0.00%"),
        ("envy_at_full_table", "0.00%"),
    ];
    is(&refusal, RefusalCode::ReturnsNotAcknowledged, &parts);
    let effect = both(&mut link, Change::AcknowledgeReturns);
    assert_eq!(effect, Effect::ReturnsAcknowledged);
    link.play(table, &coin_in);
    assert!(waits(drawing(Some(4), None)));
    assert!(!waits(drawing(Some(5), None)));
}

/// A Lucky Bonus of 5 for 1 is drawn among the positions of the layout. On one position, in a game without wagers on
/// the dealer's hand, every draw pays every wager. In one of eleven rounds that is 5/11 = 45.45%, with the long run
/// 102.69%; in one of twelve 41.67%, together 98.90%. Six seats and the dealer's would make it 5/77 = 6.49%.
#[test]
fn a_lucky_bonus_counts_at_the_smallest_layout() {
    let found = LinkReturns::of(&drawing(None, Some(11)));
    assert_eq!(found.lucky_bonus, Fraction::new(5, 11));
    assert_eq!(percent(found.total()), "102.69%");
    assert!(waits(drawing(None, Some(11))));
    assert!(!waits(drawing(None, Some(12))));
    // Both draws together: 38.46% and 41.67%.
    assert!(waits(drawing(Some(5), Some(12))));
    assert!(!waits(drawing(None, None)));
}

/// Paytable A in the long run: 300 · 624 + 50 · 3,744 + 40 · 5,108 + 30 · 10,200 + 9 · 54,912 = 1,378,928 of fixed pays,
/// 21% to the meter, 10,000 · 4 of reseeds: 53.06% + 21% + 1.54% = 75.60%. Envy of each other player: 1,000 · 4 + 3,500 ·
/// 36 = 130,000, which is 5.00%. Five others make 25.01%, together 100.61%; four 20.01%, together 95.60%.
#[test]
fn envy_alone_needs_two_people() {
    let found = LinkReturns::of(&terms(envious(6), "1.00"));
    let long_run = Fraction::new(1_378_928 + 40_000, HANDS) + Fraction::new(21, 100);
    assert_eq!(found.long_run, long_run);
    assert_eq!(found.envy, Fraction::new(5 * 130_000, HANDS));
    assert_eq!(found.full_table, 6);
    assert_eq!(percent(found.total()), "100.61%");
    assert!(waits(terms(envious(6), "1.00")));
    assert!(!waits(terms(envious(5), "1.00")));
    assert!(!waits(terms(paytables::five_card_a(), "1.00")));
}

/// A table whose own paytable allows more seats than the link counted its envy for would push the link over
/// unnoticed.
#[test]
fn no_table_is_larger_than_the_envy_was_counted_for() {
    let mut link = Link::just_opened(terms(envious(5), "1.00"));
    assert!(!link.state.unacknowledged);
    let mut join = link.join("T1");
    join.paytable = envious(6);
    join.seats = 6;
    let command = PersonCommand::JoinTable(Box::new(join.clone()));
    let refusal = link.refuse_person(SUPERVISOR, command);
    is(
        &refusal,
        RefusalCode::OutOfRange,
        &[("seats", "6"), ("seats_max", "5")],
    );
    join.seats = 5;
    let command = PersonCommand::JoinTable(Box::new(join));
    assert!(matches!(
        link.person(SUPERVISOR, command),
        Decision::Event(_)
    ));
}

/// A link opened before draws and envy counted plays on; if its long run alone is above the wager, it waits.
#[test]
fn older_links_count_the_long_run_alone() {
    for terms in [drawing(Some(1), Some(1)), terms(envious(6), "1.00")] {
        let Ok(Event::LinkOpened { terms, moves }) = open(terms) else {
            panic!("it opens")
        };
        assert!(terms.counts_draws_and_envy);
        assert!(opened(&terms, &moves).is_some_and(|state| state.unacknowledged));
        let before = LinkTerms {
            counts_draws_and_envy: false,
            ..*terms
        };
        assert!(opened(&before, &moves).is_some_and(|state| !state.unacknowledged));
    }
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let code = refused(&mut link, Change::AcknowledgeReturns);
    assert_eq!(code, RefusalCode::NothingToAcknowledge);
}

/// Percentages are rounded to the nearest, and no large fraction leaves its range.
#[test]
fn percentages_are_written_with_two_decimals() {
    for (numerator, denominator, expected) in [
        (1, 3, "33.33%"),
        (2, 3, "66.67%"),
        (1, 1, "100.00%"),
        (-1, 8, "-12.50%"),
        (1, 20_000, "0.01%"),
        (1, 20_001, "0.00%"),
    ] {
        assert_eq!(percent(Fraction::new(numerator, denominator)), expected);
    }
    let large = Fraction::new(i128::MAX / 1_000, 1);
    assert!(hundredths(large).ends_with(".00"));
}
