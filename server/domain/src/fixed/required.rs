//! The required wagers of Crazy 4 Poker and Four Card Frenzy: how often each round ends in which way under best play.
//!
//! # Shape
//! The player folds, raises by the Ante, or raises by three times the Ante, whichever returns most for the five cards.
//! All five-card hands of the player against all of the dealer are counted, by their best four cards. The tests count
//! them again (`tests/looks/required.rs`).
//!
//! # Best play
//! A pair of aces or better is raised three times. Some hands from king, queen, seven and six up to king, queen, eight
//! and four are raised and some folded, as their cards keep the dealer from qualifying. None of this depends on the odds
//! of a paytable, since a straight or higher is always raised three times.

use crate::fixed::chance::{Chance, value};
use crate::fixed::seen::Seen;
use crate::fixed::table::FixedTable;
use crate::hand::Hand;
use crate::returns::Fraction;

/// Wagers before the deal, in Antes: the Ante, and one of the same amount.
const BEFORE_DEAL: i128 = 2;

/// A game whose required wagers are decided against the dealer's best four of five cards. The dealer qualifies with a
/// king or higher.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Required {
    /// Ante, Super Bonus and Play, § 657a.11(d): a tie returns the Ante and the Play Wager.
    Crazy4Poker,
    /// Ante, Odds and Raise, § 684a.11(c): a tie wins.
    FourCardFrenzy,
}

/// The end of a round that the player didn't fold.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Meeting {
    /// The dealer doesn't qualify. The player's hand is higher: no hand below a king is raised.
    Unqualified,
    /// The dealer qualifies, and the player's hand is higher.
    Higher,
    /// Both hands are equal. The dealer qualifies.
    Tie,
    /// The dealer qualifies, and the player's hand is lower.
    Lower,
}

impl Meeting {
    /// All ends, in the order of the counts.
    const ALL: [Self; 4] = [Self::Unqualified, Self::Higher, Self::Tie, Self::Lower];
}

/// Rounds with one raise and one kind of hand: the hand, the raise in Antes, and the counts by [`Meeting`].
pub type Row = (Option<Hand>, u8, [u64; 4]);

/// The counts of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// Rounds that are folded.
    pub folded: u64,
    /// Rounds that are raised.
    pub raised: [Row; 8],
}

impl Required {
    /// Returns the counts of all 3,986,646,103,440 pairs of a hand of the player and one of the dealer.
    pub const fn rounds(self) -> Rounds {
        let (folded, low) = match self {
            Self::Crazy4Poker => (937_150_828_416, CRAZY_4_POKER_LOW),
            Self::FourCardFrenzy => (935_696_654_244, FOUR_CARD_FRENZY_LOW),
        };
        let [
            aces,
            fours,
            straight_flushes,
            threes,
            flushes,
            straights,
            pairs,
        ] = HIGH;
        Rounds {
            folded,
            raised: [
                aces,
                fours,
                straight_flushes,
                threes,
                flushes,
                straights,
                pairs,
                low,
            ],
        }
    }
}

/// Rounds of both games that are raised three times. The last ones have two pair or a pair of aces.
const HIGH: [Row; 7] = [
    (Some(Hand::FourAces), 3, [17_048_640, 56_580_432, 0, 0]),
    (
        Some(Hand::FourOfAKind),
        3,
        [119_340_480, 764_060_808, 0, 147_576],
    ),
    (
        Some(Hand::StraightFlush),
        3,
        [467_451_204, 2_708_500_216, 239_544, 2_130_644],
    ),
    (
        Some(Hand::ThreeOfAKind),
        3,
        [13_332_036_480, 75_428_689_424, 0, 1_214_000_080],
    ),
    (
        Some(Hand::Flush),
        3,
        [26_782_817_436, 140_729_630_976, 11_157_384, 8_290_346_628],
    ),
    (
        Some(Hand::Straight),
        3,
        [23_224_891_224, 119_196_689_556, 260_904_096, 13_484_776_836],
    ),
    (
        None,
        3,
        [51_462_003_780, 217_319_921_292, 20_057_376, 45_115_566_024],
    ),
];

/// Rounds of Crazy 4 Poker that are raised once.
const CRAZY_4_POKER_LOW: Row = (
    None,
    1,
    [
        356_483_913_240,
        859_165_302_444,
        822_112_008,
        1_093_014_959_196,
    ],
);

/// Rounds of Four Card Frenzy that are raised once: more than in Crazy 4 Poker, since a tie wins.
const FOUR_CARD_FRENZY_LOW: Row = (
    None,
    1,
    [
        356_713_064_784,
        859_271_982_624,
        823_129_392,
        1_094_132_284_260,
    ],
);

/// Returns the value of the Ante, Super Bonus and Play Wagers of Crazy 4 Poker, in parts of the Ante and the Super Bonus.
///
/// The Super Bonus loses with a hand that is lower than the dealer's and than a straight, as it is played. The layout
/// says when it is returned, § 657a.2(b)(7)(iv), and no sentence says that it is collected.
pub fn crazy_4_poker(super_bonus: &FixedTable) -> Option<Chance> {
    required(Required::Crazy4Poker, |hand, times, meeting| {
        let raise = i128::from(times);
        let (ante_and_play, low_bonus) = match meeting {
            Meeting::Unqualified => (raise, 0),
            Meeting::Higher => (raise + 1, 0),
            Meeting::Tie => (0, 0),
            Meeting::Lower => (-raise - 1, -1),
        };
        let bonus = hand.map(|hand| of_name(super_bonus, hand));
        bonus.unwrap_or_else(|| low_bonus.into()) + ante_and_play
    })
}

/// Returns the value of the Ante, Odds and Raise Wagers of Four Card Frenzy, in parts of the Ante and the Odds Wager. A
/// losing straight or higher is paid by the table of bad beats, § 684a.12(c).
pub fn four_card_frenzy(odds: &FixedTable, bad_beat: &FixedTable) -> Option<Chance> {
    required(Required::FourCardFrenzy, |hand, times, meeting| {
        let raise = i128::from(times);
        let (ante_and_raise, table, low_odds) = match meeting {
            Meeting::Unqualified => (raise, odds, 0),
            Meeting::Higher | Meeting::Tie => (raise + 1, odds, 0),
            Meeting::Lower => (-raise - 1, bad_beat, -1),
        };
        let paid = hand.map(|hand| of_name(table, hand));
        paid.unwrap_or_else(|| low_odds.into()) + ante_and_raise
    })
}

/// Returns the result of a unit on a table for a hand of this name.
fn of_name(table: &FixedTable, hand: Hand) -> Fraction {
    let (first, second) = (None, None);
    table.result(&Seen::Hand {
        hand,
        first,
        second,
    })
}

/// Returns the value of the required wagers of a game. `gain` returns the player's result of a round that isn't folded, in
/// Antes: by the name of a straight or higher, the raise and its end.
fn required(
    game: Required,
    gain: impl Fn(Option<Hand>, u8, Meeting) -> Fraction,
) -> Option<Chance> {
    let rounds = game.rounds();
    let results = rounds.raised.iter().flat_map(|(hand, times, counts)| {
        let ends = Meeting::ALL.into_iter().zip(*counts);
        ends.map(|(meeting, count)| (count, gain(*hand, *times, meeting)))
    });
    let before_deal = Fraction::from_integer(BEFORE_DEAL);
    let folds = (rounds.folded, -before_deal);
    value(
        results
            .chain([folds])
            .map(|(count, gain)| (count, gain / before_deal)),
    )
}
