//! The seven payout limits of Pennsylvania: what each cuts, the least limit, and what it leaves of payouts.

#![expect(
    clippy::expect_used,
    reason = "a literal that can't be read fails the test"
)]

use meterhouse_domain::fixed::limit::{
    CLAUSES, FixedPayout, LimitClause, LimitReading, LimitRefused, LimitScope, clause_of, floor,
};
use meterhouse_domain::fixed::wager::FixedWager;
use meterhouse_domain::money::Money;

fn money(text: &str) -> Money {
    text.parse().expect(text)
}

fn clause(game: &str) -> &'static LimitClause {
    clause_of(game).expect(game)
}

fn payouts(payouts: &[(&str, &str)]) -> Vec<FixedPayout> {
    let payout = |(wager, amount): &(&str, &str)| FixedPayout {
        wager: FixedWager::from_name(wager).expect(wager),
        amount: money(amount),
    };
    payouts.iter().map(payout).collect()
}

/// Returns what the clause's limit leaves of these payouts, as text.
fn left(game: &str, limit: &str, reading: LimitReading, of: &[(&str, &str)]) -> Vec<String> {
    let paid = clause(game).cut(money(limit), reading, &payouts(of));
    paid.iter().map(ToString::to_string).collect()
}

/// Scope, "shall be" against "may", and the wagers that are cut, read from the seven clauses.
const PRINTED: [(&str, &str, LimitScope, bool, &[&str]); 7] = [
    (
        "let-it-ride",
        "§ 643a.12(h)",
        LimitScope::Hand,
        false,
        &["let-it-ride-1", "let-it-ride-2", "let-it-ride-3"],
    ),
    (
        "texas-hold-em-bonus",
        "§ 647a.12(c)",
        LimitScope::Hand,
        true,
        &["ante", "flop", "turn", "river"],
    ),
    (
        "ultimate-texas-hold-em",
        "§ 653a.12(h)",
        LimitScope::Hand,
        false,
        &["ante", "blind", "play"],
    ),
    (
        "wpt-heads-up-hold-em",
        "§ 677a.12(f)",
        LimitScope::PlayerRound,
        false,
        &["ante", "raise", "odds"],
    ),
    (
        "three-card-prime",
        "§ 679a.12(h)",
        LimitScope::PlayerRound,
        false,
        &["ante", "play"],
    ),
    (
        "cajun-stud",
        "§ 683a.12(f)",
        LimitScope::PlayerRound,
        false,
        &["ante", "raise-1", "raise-2", "raise-3"],
    ),
    (
        "four-card-frenzy",
        "§ 684a.12(g)",
        LimitScope::PlayerRound,
        false,
        &["ante", "raise"],
    ),
];

#[test]
fn the_seven_clauses() {
    assert_eq!(CLAUSES.len(), PRINTED.len());
    for (game, citation, scope, fixed, wagers) in PRINTED {
        let clause = clause(game);
        assert_eq!(
            (clause.citation, clause.scope, clause.fixed),
            (citation, scope, fixed)
        );
        for wager in FixedWager::ALL {
            let is_cut = wagers.contains(&wager.name());
            assert_eq!(
                clause.cuts(*wager, LimitReading::Named),
                is_cut,
                "{game}: {wager}"
            );
            let is_doubtful = game == "four-card-frenzy" && *wager == FixedWager::Odds;
            assert_eq!(
                clause.cuts(*wager, LimitReading::Subsections),
                is_cut || is_doubtful,
                "{game}: {wager}"
            );
        }
    }
    assert_eq!(clause_of("crazy-4-poker"), None);
}

#[test]
fn the_least_limit_is_the_greater_of_two_amounts() {
    assert_eq!(floor(money("49999.99")), money("50000"));
    assert_eq!(floor(money("50000.01")), money("50000.01"));
}

/// Cajun Stud at a minimum of 25.00: an Ante and three Raises at 500 to 1 are 2,000 × 25.00 = 50,000.00. At 30.00 they
/// are 60,000.00.
#[test]
fn the_most_at_the_minimum_wager_in_cajun_stud() {
    let at_500 = |_: &'static str, amount: Money| amount.times(500).ok();
    let clause = clause("cajun-stud");
    assert_eq!(
        clause.most_at(money("25"), at_500),
        Ok(Some(money("50000")))
    );
    assert_eq!(
        clause.most_at(money("30"), at_500),
        Ok(Some(money("60000")))
    );
    let refused = clause.check(Some(money("50000")), money("60000"));
    assert_eq!(
        refused,
        Err(LimitRefused::TooLow {
            citation: "§ 683a.12(f)",
            floor: money("60000")
        })
    );
    assert_eq!(
        clause.check(Some(money("60000")), money("60000")),
        Ok(Some(money("60000")))
    );
    assert_eq!(
        clause.check(None, money("60000")),
        Ok(None),
        "the holder may establish a limit"
    );
}

/// Four Card Frenzy at 100.00: four aces win 200 + 1 + 1 times the minimum, 20,200.00; a bad beat of four of a kind in
/// paytable D wins 500 times, 50,000.00, but in paytable A 30 times.
#[test]
fn the_most_at_the_minimum_wager_in_four_card_frenzy() {
    let clause = clause("four-card-frenzy");
    let most = |bad_beat: u64| {
        let highest = |table: &'static str, amount: Money| {
            let odds = match table {
                "ante" | "raise" => 1,
                "odds" => 200,
                _ => bad_beat,
            };
            amount.times(odds).ok()
        };
        clause.most_at(money("100"), highest).unwrap().unwrap()
    };
    assert_eq!(most(500), money("50000"));
    assert_eq!(most(30), money("20200"));
}

#[test]
fn the_most_is_unknown_where_the_source_leaves_out_odds() {
    let all = |_: &'static str, amount: Money| Some(amount);
    for game in [
        "texas-hold-em-bonus",
        "ultimate-texas-hold-em",
        "wpt-heads-up-hold-em",
        "three-card-prime",
    ] {
        assert_eq!(clause(game).most_at(money("5"), all), Ok(None), "{game}");
    }
    let none = |_: &'static str, _: Money| None;
    assert_eq!(clause("let-it-ride").most_at(money("5"), none), Ok(None));
}

#[test]
fn a_limit_that_the_law_fixes_is_not_chosen() {
    let clause = clause("texas-hold-em-bonus");
    assert_eq!(clause.check(None, money("100")), Ok(Some(money("50000"))));
    assert_eq!(
        clause.check(Some(money("50000")), money("100")),
        Ok(Some(money("50000")))
    );
    for other in ["49999", "50001"] {
        let refused = LimitRefused::Fixed {
            citation: "§ 647a.12(c)",
            floor: money("50000"),
        };
        assert_eq!(clause.check(Some(money(other)), money("100")), Err(refused));
    }
}

/// The payouts use up the limit in the order of settlement; the bonus wager between them is left whole.
#[test]
fn payouts_are_cut_in_the_order_of_settlement() {
    let of = [
        ("ante", "20000"),
        ("raise-1", "20000"),
        ("pocket-bonus", "99999"),
        ("raise-2", "20000"),
        ("raise-3", "20000"),
    ];
    assert_eq!(
        left("cajun-stud", "50000", LimitReading::Named, &of),
        ["20000.00", "20000.00", "99999.00", "10000.00", "0.00"]
    );
    assert_eq!(
        left("cajun-stud", "80000", LimitReading::Named, &of),
        ["20000.00", "20000.00", "99999.00", "20000.00", "20000.00"]
    );
}

#[test]
fn the_odds_wager_is_cut_by_one_reading() {
    let of = [
        ("ante", "1000"),
        ("raise", "3000"),
        ("odds", "60000"),
        ("prime", "7000"),
    ];
    assert_eq!(
        left("four-card-frenzy", "50000", LimitReading::Named, &of),
        ["1000.00", "3000.00", "60000.00", "7000.00"]
    );
    assert_eq!(
        left("four-card-frenzy", "50000", LimitReading::Subsections, &of),
        ["1000.00", "3000.00", "46000.00", "7000.00"]
    );
}
