//! The first column of a printed table: the hand, the dice or the yard line that a line pays.
//!
//! # Shape
//! A [`Shows`] is met by some [`Seen`] values. A special hand meets the line of the general one as well: four aces are
//! a four of a kind, a royal flush is a straight flush. The first line that is met pays, so the special one stands
//! above.

use core::cmp::Ordering;
use core::ops::RangeInclusive;

use crate::card::{Rank, Suit};
use crate::fixed::dice::DiceWager;
use crate::fixed::field::{Field, MIDDLE};
use crate::fixed::ranks::{Ranks, Suits};
use crate::fixed::seen::{Look, Seen};
use crate::hand::{Hand, Ranking};

/// The condition of a line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Shows {
    /// The hand that wins against the dealer's, whatever it is.
    Win,
    /// A hand of the look's ranking.
    Hand(HandShown),
    /// Ace, king, queen, jack, ten and nine of one of these suits.
    SixCardRoyal(Suits),
    /// Two own cards of one of these ranks.
    PocketPair(Ranks),
    /// Two own cards of different ranks.
    Pocket {
        /// Ranks of the higher card.
        high: Ranks,
        /// Ranks of the lower card.
        low: Ranks,
        /// Set for one suit, unset for two.
        suited: bool,
    },
    /// Five cards that form no hand, with a highest card of these ranks.
    High(Ranks),
    /// This many cards of one colour.
    Colour(u8),
    /// Dice that win this wager.
    Dice(DiceWager),
    /// This many dice with the chosen number, of a One of a Kind Wager.
    Showing(u8),
    /// The football between these yard lines of the chosen team's half, with both; 50 is the middle.
    Yards(u8, u8),
    /// The football in the end zone.
    Touchdown,
    /// The football in the other team's half.
    LosingTeam,
}

/// A hand as a line names it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct HandShown {
    /// Name of the hand. In four cards a royal flush is ace, king, queen and jack of one suit, § 684a.6(d)(2).
    pub hand: Hand,
    /// Ranks of the four, the three, the pair or the higher pair, or of the highest card.
    pub first: Ranks,
    /// Ranks of the lower pair, or of the pair in a full house.
    pub second: Ranks,
    /// Two pairs that the line leaves out, by the rank of the higher and of the lower pair.
    pub except: Option<(Rank, Rank)>,
}

impl Shows {
    /// Checks if the line is met. The lines of dice are never met here, because they depend on the chosen numbers; see
    /// [`FixedTable::line_on`](super::table::FixedTable::line_on).
    pub fn matches(&self, seen: &Seen) -> bool {
        match *self {
            Self::Win => true,
            Self::Hand(shown) => shown.matches(seen.of_five()),
            Self::SixCardRoyal(suits) => {
                matches!(*seen, Seen::SixCardRoyal(suit) if suits.contains(suit))
            }
            Self::PocketPair(ranks) => {
                matches!(*seen, Seen::Pocket { high, low, .. } if high == low && ranks.contains(high))
            }
            Self::Pocket { high, low, suited } => matches!(
                *seen,
                Seen::Pocket { high: higher, low: lower, suited: same }
                    if higher != lower && high.contains(higher) && low.contains(lower) && suited == same
            ),
            Self::High(ranks) => matches!(*seen, Seen::High(rank) if ranks.contains(rank)),
            Self::Colour(cards) => *seen == Seen::Colours { most: cards },
            Self::Dice(_) | Self::Showing(_) => false,
            Self::Yards(from, to) => {
                matches!(*seen, Seen::Field(Field::Yards(yards)) if (from..=to).contains(&yards))
            }
            Self::Touchdown => *seen == Seen::Field(Field::Touchdown),
            Self::LosingTeam => *seen == Seen::Field(Field::LosingTeam),
        }
    }
}

impl HandShown {
    /// Returns every hand of this name.
    pub const fn any(hand: Hand) -> Self {
        Self {
            hand,
            first: Ranks::ANY,
            second: Ranks::ANY,
            except: None,
        }
    }

    fn matches(self, seen: Seen) -> bool {
        let Seen::Hand {
            hand,
            first,
            second,
        } = seen
        else {
            return false;
        };
        let is_named = match (self.hand, hand) {
            (named, hand) if named == hand => true,
            (Hand::FourOfAKind, Hand::FourAces)
            | (Hand::StraightFlush, Hand::RoyalFlush | Hand::MiniRoyal) => true,
            // Only in four cards an ace-high straight flush has no name of its own.
            (Hand::RoyalFlush, Hand::StraightFlush) => first == Some(Rank::Ace),
            _ => false,
        };
        // The royal flushes are ace-high. Every second rank fits a line that names none.
        let first = first.unwrap_or(Rank::Ace);
        let is_second = second.is_none_or(|rank| self.second.contains(rank));
        let is_left_out = second.is_some_and(|second| self.except == Some((first, second)));
        is_named && self.first.contains(first) && is_second && !is_left_out
    }
}

/// Checks for each line if this look can show a value that meets it and none of the lines above. A line of dice or of a
/// comparison is reached unless it stands twice.
pub fn reached(look: Look, lines: &[Shows]) -> Vec<bool> {
    let possible = possible(look);
    let is_reached = |(index, line): (usize, &Shows)| {
        let mut above = lines.iter().take(index);
        if matches!(look, Look::Dice | Look::Comparison) {
            return !above.any(|other| other == line);
        }
        let mut seen = possible.iter().filter(|seen| line.matches(seen));
        seen.any(|seen| !lines.iter().take(index).any(|other| other.matches(seen)))
    };
    lines.iter().enumerate().map(is_reached).collect()
}

/// Returns all values that a look at cards or at the field can show; nothing for dice and for a comparison. The looks
/// at five cards are those of five cards exactly: the best five of more show fewer values.
pub fn possible(look: Look) -> Vec<Seen> {
    match look {
        Look::Hand(ranking) => hands(ranking).collect(),
        Look::SixCards => {
            let royals = Suit::ALL.into_iter().map(Seen::SixCardRoyal);
            royals.chain(hands(Ranking::FiveCard)).collect()
        }
        Look::Pocket => pairs_of_ranks().flat_map(pocket).collect(),
        Look::Low => hands(Ranking::FiveCard).map(low).collect(),
        Look::Colours => (3..=5).map(|most| Seen::Colours { most }).collect(),
        Look::Field => {
            let ends = [Field::NoGame, Field::LosingTeam, Field::Touchdown];
            let all = ends.into_iter().chain((1..=MIDDLE).map(Field::Yards));
            all.map(Seen::Field).collect()
        }
        Look::Dice | Look::Comparison => Vec::new(),
    }
}

/// Returns cards that form no hand by their highest card.
const fn low(seen: Seen) -> Seen {
    match seen {
        Seen::Hand {
            hand: Hand::HighCard,
            first: Some(highest),
            ..
        } => Seen::High(highest),
        formed => formed,
    }
}

fn pairs_of_ranks() -> impl Iterator<Item = (Rank, Rank)> {
    let lower = |high| Rank::ALL.into_iter().map(move |low| (high, low));
    Rank::ALL.into_iter().flat_map(lower)
}

fn pocket((high, low): (Rank, Rank)) -> Vec<Seen> {
    let seen = |suited| Seen::Pocket { high, low, suited };
    match high.cmp(&low) {
        Ordering::Less => Vec::new(),
        Ordering::Equal => vec![seen(false)],
        Ordering::Greater => vec![seen(false), seen(true)],
    }
}

/// Returns the hands of a ranking with their ranks.
fn hands(ranking: Ranking) -> impl Iterator<Item = Seen> {
    ranking.order().iter().flat_map(move |hand| {
        let hand = *hand;
        let seen = move |first, second| Seen::Hand {
            hand,
            first,
            second,
        };
        let ranks = Rank::ALL.into_iter();
        let ranks: Vec<Seen> = match hand {
            Hand::RoyalFlush | Hand::MiniRoyal => vec![seen(None, None)],
            Hand::FourAces => vec![seen(Some(Rank::Ace), None)],
            Hand::TwoPair => {
                let pairs = pairs_of_ranks().filter(|(high, low)| high > low);
                pairs
                    .map(|(high, low)| seen(Some(high), Some(low)))
                    .collect()
            }
            Hand::FullHouse => {
                let pairs = pairs_of_ranks().filter(|(three, two)| three != two);
                pairs
                    .map(|(three, two)| seen(Some(three), Some(two)))
                    .collect()
            }
            _ => {
                let range = highest_cards(ranking, hand);
                let ranks = ranks.filter(|rank| range.contains(rank));
                ranks.map(|rank| seen(Some(rank), None)).collect()
            }
        };
        ranks
    })
}

/// Returns the ranks that a hand of one rank, or its highest card, can have.
const fn highest_cards(ranking: Ranking, hand: Hand) -> RangeInclusive<Rank> {
    let (sequence, no_sequence) = match ranking {
        Ranking::ThreeCard => (Rank::Three, Rank::Five),
        Ranking::FourCard => (Rank::Four, Rank::Six),
        Ranking::FiveCard => (Rank::Five, Rank::Seven),
    };
    match (hand, ranking) {
        (Hand::Straight, _) | (Hand::StraightFlush, Ranking::FourCard) => sequence..=Rank::Ace,
        // Ace-high, these are a royal flush or a mini-royal.
        (Hand::StraightFlush, _) => sequence..=Rank::King,
        // The best four of five cards with a six as the highest card are a straight.
        (Hand::HighCard, Ranking::FourCard) => Rank::Seven..=Rank::Ace,
        (Hand::Flush | Hand::HighCard, _) => no_sequence..=Rank::Ace,
        (Hand::FourOfAKind, Ranking::FourCard) => Rank::Two..=Rank::King,
        _ => Rank::Two..=Rank::Ace,
    }
}
