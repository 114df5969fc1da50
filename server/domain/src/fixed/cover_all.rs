//! The frequencies of the Cover All wager of Massachusetts: the highest hand of the dealer and all players.
//!
//! # Shape
//! The hands of one deal share a deck, so their highest hand is counted in a table of its own. The tests count the deals
//! again (`tests/looks/cover_all.rs`). The table has deals of a billion, rounded: the counts of all deals of four hands or
//! more don't fit a number of 64 bits. So what is computed from it is rounded too ([`is_rounded`]).
//!
//! # Reading
//! The source prints a royal flush above four of a kind, Section 12(k). It ranks four cards, so the royal flush is
//! ace, king, queen and jack of one suit. A deal counts for the first line that one of its hands meets.

use crate::card::Rank;
use crate::fixed::frequencies::Histogram;
use crate::fixed::seen::Seen;
use crate::fixed::table::FixedTable;
use crate::hand::Hand;

/// Deals of which [`DEALS`] counts those with each highest hand.
const OF_DEALS: u64 = 1_000_000_000;

/// Deals of [`OF_DEALS`], rounded, whose highest hand is four aces, a royal flush, another four of a kind, another straight flush
/// and a three of a kind. A row for each number of players from one, with the dealer's hand beside theirs.
pub const DEALS: [[u64; 5]; 6] = [
    [36_938, 147_746, 443_146, 1_445_643, 44_529_022],
    [55_407, 221_610, 664_557, 2_166_833, 65_897_334],
    [73_876, 295_469, 885_859, 2_886_937, 86_690_771],
    [92_345, 369_322, 1_107_054, 3_605_956, 106_925_611],
    [110_814, 443_169, 1_328_141, 4_323_892, 126_617_626],
    [129_282, 517_010, 1_549_119, 5_040_746, 145_782_098],
];

/// The hands in the order of [`DEALS`], then all lower ones together. Only the royal flush and four aces have their
/// rank here.
const HANDS: [(Hand, Option<Rank>); 6] = [
    (Hand::FourAces, Some(Rank::Ace)),
    (Hand::StraightFlush, Some(Rank::Ace)),
    (Hand::FourOfAKind, None),
    (Hand::StraightFlush, None),
    (Hand::ThreeOfAKind, None),
    (Hand::HighCard, None),
];

/// Returns true if the values of a table are computed from the rounded counts of [`highest`]. All other counts are exact.
pub fn is_rounded(table: &FixedTable) -> bool {
    table.players.is_some()
}

/// Returns the counts of the highest hand of the dealer and this many players, by the best four of five cards: of a
/// billion deals, rounded. Hands below a three of a kind are counted as one. Returns `None` for no player and for more
/// than six, for whom the source prints no table.
pub fn highest(players: u8) -> Option<Histogram> {
    let row = usize::from(players).checked_sub(1)?;
    let winning = DEALS.get(row)?;
    let others = OF_DEALS - winning.iter().sum::<u64>();
    let mut histogram = Histogram::default();
    for ((hand, first), deals) in HANDS
        .into_iter()
        .zip(winning.iter().copied().chain([others]))
    {
        let second = None;
        histogram.add(
            Seen::Hand {
                hand,
                first,
                second,
            },
            deals,
        );
    }
    Some(histogram)
}
