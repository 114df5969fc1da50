//! The frequencies of Ultimate Texas Hold 'Em's Bad Beat Bonus Wager: the lower of the player's and the dealer's hands.
//!
//! # Shape
//! Both hands are the best five of two own and five community cards. The wager is paid on a losing three of a kind or
//! better, whichever of the two loses, § 653a.11(j). The tests count all deals again (`tests/looks/bad_beat.rs`).
//!
//! # Play
//! A player who folds loses the wager, § 653a.11(f)(2). The counts suppose that no three of a kind or better is folded.

use crate::fixed::frequencies::Histogram;
use crate::fixed::seen::Seen;
use crate::hand::Hand;

/// Deals of two own cards to each and five community cards: `C(52, 5) * C(47, 2) * C(45, 2)`.
pub const ALL_DEALS: u64 = 2_781_381_002_400;

/// Deals with this hand as the lower of two that are not equal.
pub const LOSING: [(Hand, u64); 6] = [
    (Hand::StraightFlush, 10_300_592),
    (Hand::FourOfAKind, 471_040_512),
    (Hand::FullHouse, 8_435_225_376),
    (Hand::Flush, 19_434_208_592),
    (Hand::Straight, 18_271_076_976),
    (Hand::ThreeOfAKind, 64_049_759_448),
];

/// Returns the counts of the losing hand. Ties and losing hands below a three of a kind are counted as one.
pub fn losing() -> Histogram {
    let mut histogram = Histogram::default();
    let others = ALL_DEALS - LOSING.iter().map(|(_, deals)| deals).sum::<u64>();
    for (hand, deals) in LOSING.into_iter().chain([(Hand::HighCard, others)]) {
        let (first, second) = (None, None);
        histogram.add(
            Seen::Hand {
                hand,
                first,
                second,
            },
            deals,
        );
    }
    histogram
}
