//! The mistakes in the payout limit of a round.

use super::findings::{CAJUN, CRAZY, FRENZY, RIDE, findings};
use super::story::money;
use meterhouse_domain::fixed::limit::LimitReading;

#[test]
fn limits_that_the_law_does_not_allow() {
    let limit = |name: &str, limit: &'static str| {
        findings(name, move |story| {
            story.round.terms.limit = Some(money(limit));
        })
    };
    assert_eq!(
        limit("a payout limit of two boxes", "49999.99"),
        [
            "terms.limit: the limit is below 50000.00, the least that § 683a.12(f) allows: set at least that"
        ]
    );
    // An Ante and three Raises of 100.00 win 200,000 at most.
    let found = findings("a payout limit of two boxes", |story| {
        story.round.terms.minimum = money("100");
        for placed in story
            .round
            .seats
            .iter_mut()
            .flat_map(|seat| &mut seat.wagers)
        {
            placed.amount = money("100");
        }
    });
    assert_eq!(
        found,
        [
            "terms.limit: the limit is below 200000.00, the least that § 683a.12(f) allows: set at least that"
        ]
    );
    assert_eq!(
        limit(CRAZY, "50000"),
        ["terms.limit: no clause lets this game limit payouts: leave the limit out"]
    );
    assert_eq!(
        limit("Texas Hold 'Em Bonus, folded", "60000"),
        [
            "terms.limit: § 647a.12(c) fixes the limit at 50000.00 for this minimum wager: leave the limit out"
        ]
    );
    assert_eq!(limit("Texas Hold 'Em Bonus, folded", "50000"), [""; 0]);
}

#[test]
fn a_reading_that_is_not_chosen() {
    let found = findings(FRENZY, |story| story.round.terms.reading = None);
    assert_eq!(
        found,
        [
            "terms.reading: § 684a.12(g) can be read in two ways: write named (it cuts the wagers that the clause names) \
          or subsections (it cuts all wagers of the subsections that it names)"
        ]
    );
    let found = findings(FRENZY, |story| {
        story.round.terms.limit = None;
        story.round.terms.reading = None;
    });
    assert_eq!(found, [""; 0], "no limit needs no reading");
    let found = findings(CAJUN, |story| {
        story.round.terms.reading = Some(LimitReading::Named);
    });
    assert_eq!(found, [""; 0]);
}

#[test]
fn the_most_that_one_patron_can_win() {
    let found = findings("Texas Hold 'Em Bonus, folded", |story| {
        story.round.terms.most_at_minimum = None;
    });
    assert_eq!(
        found,
        [
            "terms.most_at_minimum: the source prints too little to compute the least limit of § 647a.12(c): write the \
          most that one patron can win"
        ]
    );
    let found = findings(RIDE, |story| {
        story.round.terms.most_at_minimum = Some(money("1"));
    });
    assert_eq!(
        found,
        ["terms.most_at_minimum: the tables give 12000.00: leave this out"]
    );
}
