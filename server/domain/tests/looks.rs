//! The looks of the fixed wagers, how often each result occurs, and the values that follow.
//!
//! - The results of single hands ([`results`]), by the words of the regulation.
//! - Counts ([`counts`]): the same as every hand dealt in turn gives, as hands in classes of suits give, and as is known.
//! - The highest hand of a table ([`cover_all`]), and the rounds against a dealer ([`required`]), counted again.
//! - Touchdown Roulette ([`downs`]): its spins one by one, and the counts of all five.
//! - Values from counts ([`chance`]) and from decisions ([`cajun`]). The holds of the printed tables are proven where the
//!   tables are: `server/catalogue/tests/fixed_holds.rs`.

#![expect(
    clippy::unwrap_used,
    reason = "a text or a hand of these tests that is wrong fails them"
)]

use meterhouse_domain::card::{Card, Rank};
use meterhouse_domain::fixed::seen::{Look, Seen, see};
use meterhouse_domain::hand::Hand;

#[path = "looks/bad_beat.rs"]
mod bad_beat;
#[path = "looks/cajun.rs"]
mod cajun;
#[path = "looks/chance.rs"]
mod chance;
#[path = "looks/counts.rs"]
mod counts;
#[path = "looks/cover_all.rs"]
mod cover_all;
#[path = "looks/downs.rs"]
mod downs;
#[path = "hands/every.rs"]
mod every;
#[path = "looks/required.rs"]
mod required;
#[path = "looks/results.rs"]
mod results;

/// Returns the result of cards in a text such as `"As Kd"`.
fn seen(look: Look, text: &str) -> Option<Seen> {
    let cards: Vec<Card> = text.split(' ').map(|card| card.parse().unwrap()).collect();
    see(look, &cards)
}

/// Returns a hand with the rank that it is named by.
const fn of(hand: Hand, first: Rank) -> Seen {
    Seen::Hand {
        hand,
        first: Some(first),
        second: None,
    }
}

/// Returns a hand with two ranks.
const fn of_two(hand: Hand, first: Rank, second: Rank) -> Seen {
    Seen::Hand {
        hand,
        first: Some(first),
        second: Some(second),
    }
}

/// Returns a hand without a rank: a royal flush or a mini-royal.
const fn royal(hand: Hand) -> Seen {
    Seen::Hand {
        hand,
        first: None,
        second: None,
    }
}

/// Returns true if the result is this hand.
fn is(hand: Hand) -> impl Fn(Seen) -> bool {
    move |seen| matches!(seen, Seen::Hand { hand: seen, .. } if seen == hand)
}
