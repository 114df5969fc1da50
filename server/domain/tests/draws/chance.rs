//! The draws from random numbers: each outcome has its exact part of the 2^64 numbers.

use meterhouse_domain::paytable::Paytable;

use super::support::{SEATS, paytables, terms};
use super::{Card, DEALER, Draws, Holder, LinkTerms, draw, drawing, draws_anything, seat};

/// Returns the first of the 2^64 numbers with outcome `index` of `count`: ⌈index × 2^64 ÷ count⌉.
fn first(index: u32, count: u32) -> u64 {
    let start = (u128::from(index) << 64).div_ceil(u128::from(count));
    u64::try_from(start).unwrap_or(u64::MAX)
}

/// Returns the first and the last number of each outcome, with its index.
fn edges(count: u32) -> impl Iterator<Item = (usize, [u64; 2])> {
    let last = move |index| match index + 1 {
        next if next == count => u64::MAX,
        next => first(next, count) - 1,
    };
    (0..)
        .zip(0..count)
        .map(move |(outcome, index)| (outcome, [first(index, count), last(index)]))
}

/// Returns the outcomes of the second number of each draw, both draws made.
fn draws_of(terms: &LinkTerms, random: u64) -> Draws {
    draw(
        terms,
        SEATS,
        terms.content().bet_on_dealer,
        [0, random, 0, random],
    )
}

/// Uniform over the 52 cards: from its first to its last number, no card has more than one number more than another.
#[test]
fn every_card_is_equally_likely() {
    let terms = drawing(1_000);
    let deck: Vec<Card> = Card::all().collect();
    assert_eq!(deck.len(), 52);
    for (outcome, [first, last]) in edges(52) {
        let card = deck.get(outcome).copied();
        for random in [first, last] {
            assert_eq!(draws_of(&terms, random).magic_card, card);
        }
        let least = u64::MAX / 52;
        assert!((least..=least + 1).contains(&(last - first + 1)));
    }
}

/// Uniform over the layout's seats, and the dealer if the dealer's hand can be wagered on.
#[test]
fn every_position_is_equally_likely() {
    let mut positions: Vec<Holder> = (1..=SEATS).map(seat).collect();
    positions.push(DEALER);
    let mut without = drawing(1_000);
    without.paytable.content.bet_on_dealer = false;
    for (terms, count) in [(drawing(1_000), 7), (without, 6)] {
        for (outcome, numbers) in edges(count) {
            for random in numbers {
                let found = draws_of(&terms, random).lucky_position;
                assert_eq!(found, positions.get(outcome).copied());
            }
        }
    }
}

/// In one of N rounds: the numbers up to ⌈2^64 ÷ N⌉ draw, no other does.
#[test]
fn a_bonus_is_drawn_in_one_of_so_many_rounds() {
    for one_in in [1, 2, 3, 52, 999_983, 1_000_000] {
        let terms = drawing(one_in);
        for (outcome, numbers) in edges(one_in).take(3) {
            for random in numbers {
                let draws = draw(&terms, SEATS, true, [random, 7, random, 7]);
                assert_eq!(draws.magic_card.is_some(), outcome == 0);
                assert_eq!(draws.lucky_position.is_some(), outcome == 0);
            }
        }
        let none = draw(&terms, SEATS, true, [u64::MAX; 4]) == Draws::default();
        assert_eq!(none, one_in > 1);
    }
}

/// The four numbers are independent: each draw is made by its own pair.
#[test]
fn each_draw_has_its_own_numbers() {
    let terms = drawing(2);
    let card = draw(&terms, SEATS, true, [0, 0, u64::MAX, 0]);
    assert_eq!(
        (card.magic_card.is_some(), card.lucky_position),
        (true, None)
    );
    let position = draw(&terms, SEATS, true, [u64::MAX, 0, 0, 0]);
    assert_eq!(position.magic_card, None);
    assert_eq!(position.lucky_position, Some(seat(1)));
}

/// A link without the settings draws nothing, even if its paytable pays bonuses.
#[test]
fn a_link_without_the_settings_draws_nothing() {
    let plain = |paytable: Paytable| terms(paytable, "1.00");
    for terms in [
        plain(paytables::hand_bonus()),
        plain(paytables::five_card_a()),
    ] {
        assert!(!draws_anything(&terms));
        assert_eq!(draw(&terms, SEATS, true, [0; 4]), Draws::default());
    }
    assert!(draws_anything(&drawing(10)));
}
