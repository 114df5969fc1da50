//! The returns of the paytables: known figures, and laws for every paytable.

#![expect(
    clippy::unwrap_used,
    reason = "a paytable of these tests that is wrong fails them"
)]

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::link::WAGER_MAX;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{Content, Pays, Paytable};
use meterhouse_domain::returns::{Asked, DISPLAYED_MAX, Fraction, Returns, exceeds_wager, returns};

fn paytable(id: &str) -> Paytable {
    let catalogue = Catalogue::compiled_in().unwrap();
    catalogue.find(&id.parse().unwrap()).unwrap().clone()
}

/// Returns the return of a paytable at a wager, every level at its seed.
fn at_seed(content: &Content, wager: &str) -> Returns {
    let wager: Money = wager.parse().unwrap();
    let seeds = content.levels.iter().map(|level| wager.for_one(level.seed));
    let displayed: Vec<Money> = seeds.collect::<Result<_, _>>().unwrap();
    at(content, wager, &displayed)
}

fn at(content: &Content, wager: Money, displayed: &[Money]) -> Returns {
    let asked = Asked {
        wager,
        displayed,
        seats: 6,
    };
    returns(content, &asked).unwrap()
}

/// Returns a fraction in hundredths of a percent, rounded.
fn hundredths(share: Fraction) -> i128 {
    (share * 10_000).round().to_integer()
}

/// The five-card tables of § 657a.12(e): fixed pays, rates and reseeds; and fixed pays and seeds.
#[test]
fn the_five_card_tables_return_the_known_figures() {
    for (letter, long_run, at_displayed) in [
        ("a", 7_560, 5_598),
        ("b", 7_698, 5_598),
        ("c", 7_589, 5_689),
        ("d", 7_578, 5_478),
    ] {
        let found = paytable(&format!("pa-657a-five-card-{letter}"));
        for wager in ["1.00", "5.00", "0.50"] {
            let returns = at_seed(&found.content, wager);
            assert_eq!(hundredths(returns.long_run), long_run, "{letter}");
            assert_eq!(hundredths(returns.at_displayed), at_displayed, "{letter}");
        }
    }
}

/// Caribbean Stud A, B and E return more than the whole wager. With every fixed pay off the meter, they return only
/// the meter's rate and reseed.
#[test]
fn caribbean_stud_a_b_and_e_return_more_than_the_wager() {
    for (letter, expected) in [("a", 13_247), ("b", 12_555), ("e", 10_778)] {
        let content = paytable(&format!("pa-639a-{letter}")).content;
        assert_eq!(hundredths(at_seed(&content, "1.00").long_run), expected);
        let mut charged = content;
        for line in &mut charged.lines {
            if let Pays::ForOne(odds) = line.pays {
                line.pays = Pays::ForOneOf { odds, level: 0 };
            }
        }
        let returns = at_seed(&charged, "1.00");
        let taken = returns.primary + returns.reserve + returns.reseed;
        assert_eq!(returns.fixed, Fraction::from_integer(0));
        assert_eq!(returns.long_run, taken);
        assert!(taken < Fraction::from_integer(1));
    }
}

/// Fixed odds off a level beyond its income are the house's in the end: `of =` at a line hides nothing.
#[test]
fn odds_off_a_level_beyond_what_it_takes_count() {
    let mut content = paytable("pa-657a-five-card-a").content;
    assert!(!exceeds_wager(&content));
    for line in &mut content.lines {
        if line.hand == Hand::ThreeOfAKind {
            line.pays = Pays::ForOneOf {
                odds: 100,
                level: 0,
            };
        }
    }
    let returns = at_seed(&content, "1.00");
    assert_eq!(returns.long_run, returns.fixed + returns.fixed_of_levels);
    assert!(exceeds_wager(&content));
}

/// A Magic Card is among five of 52; a lucky position among the seats and the dealer (§ 657a.12(f)(3)).
#[test]
fn draws_return_the_known_figures_if_drawn_every_round() {
    let found = paytable("pa-657a-five-card-hand-bonus");
    let returns = at_seed(&found.content, "1.00");
    assert_eq!(returns.magic_card.map(hundredths), Some(19_231));
    assert_eq!(returns.magic_card, Some(Fraction::new(100, 52)));
    assert_eq!(returns.lucky_bonus, Some(Fraction::new(5, 7)));
    // § 657a.12(f)(4): the reseed is $0.
    assert_eq!(returns.reseed, Fraction::from_integer(0));
}

/// Exactly at the break-even amount of a level the next wager returns its whole value.
#[test]
fn the_break_even_amount_returns_the_whole_wager() {
    let catalogue = Catalogue::compiled_in().unwrap();
    let wager: Money = "1.00".parse().unwrap();
    for paytable in catalogue.iter() {
        let content = &paytable.content;
        let seeds = at_seed(content, "1.00");
        for (place, level) in seeds.levels.iter().enumerate() {
            let even = level.break_even.unwrap();
            let mut displayed: Vec<Money> = content
                .levels
                .iter()
                .map(|level| wager.for_one(level.seed).unwrap())
                .collect();
            let below = i64::try_from(even.floor().to_integer()).unwrap();
            let one = Fraction::from_integer(1);
            displayed[place] = Money::from_micros(below);
            assert!(at(content, wager, &displayed).at_displayed <= one);
            displayed[place] = Money::from_micros(below + 1);
            assert!(at(content, wager, &displayed).at_displayed >= one);
        }
    }
}

/// The mean jackpot of five-card C's mega: its seed, and nine percent of each of 649,740 wagers.
#[test]
fn a_level_pays_its_seed_and_income_on_average() {
    let found = paytable("pa-657a-five-card-c");
    let mean = at_seed(&found.content, "1.00").levels[0]
        .mean_jackpot
        .unwrap();
    let dollars = Fraction::new(9, 100) * 649_740 + 10_000;
    assert_eq!(mean, dollars * 1_000_000);
    let mean = at_seed(&found.content, "5.00").levels[0]
        .mean_jackpot
        .unwrap();
    assert_eq!(mean, dollars * 5_000_000);
    // With a tenth for a straight flush as well: the level's income leaves through both lines.
    let found = paytable("pa-657a-five-card-a");
    let mean = at_seed(&found.content, "1.00").levels[0]
        .mean_jackpot
        .unwrap();
    let comes_in = Fraction::new(21, 100) + Fraction::new(4 * 10_000, 2_598_960);
    let goes_out = Fraction::new(4 * 10 + 36, 25_989_600);
    assert_eq!(mean, comes_in / goes_out * 1_000_000);
}

/// Envy of five-card C: 1,000 for a royal flush and 300 for a straight flush of each other player.
#[test]
fn envy_grows_with_every_other_player() {
    let found = paytable("pa-657a-five-card-c");
    let each = at_seed(&found.content, "1.00").envy_each;
    assert_eq!(each, Fraction::new(4 * 1_000 + 36 * 300, 2_598_960));
}

/// Impossible questions have no answer, and the largest possible one has an answer.
#[test]
fn amounts_are_bounded() {
    let found = paytable("pa-657a-five-card-c");
    let ask = |wager: Money, displayed: &[Money]| {
        let asked = Asked {
            wager,
            displayed,
            seats: 15,
        };
        returns(&found.content, &asked)
    };
    let micro = Money::from_micros(1);
    assert!(ask(WAGER_MAX, &[DISPLAYED_MAX; 3]).is_some());
    assert!(ask(micro, &[DISPLAYED_MAX; 3]).is_some());
    assert!(ask(micro, &[DISPLAYED_MAX, micro, Money::ZERO]).is_some());
    assert!(ask(WAGER_MAX.plus(micro).unwrap(), &[micro; 3]).is_none());
    assert!(ask(Money::ZERO, &[micro; 3]).is_none());
    assert!(ask(micro, &[DISPLAYED_MAX.plus(micro).unwrap(); 3]).is_none());
    assert!(ask(micro, &[micro; 2]).is_none());
}
