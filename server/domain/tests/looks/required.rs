//! The required wagers of Crazy 4 Poker and Four Card Frenzy under best play, counted again.
//!
//! # Counting
//! The dealer's hands that share no card with the player's are found by inclusion and exclusion. All hands are sorted
//! from high to low. Each dealer's hand is counted at all 32 sets of its cards, so the higher hands without any of the
//! player's five cards follow from 32 numbers.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use meterhouse_domain::card::{Card, Rank};
use meterhouse_domain::fixed::required::{Required, Rounds};
use meterhouse_domain::hand::{Evaluated, Hand, Ranking, evaluate};

use super::every::for_every_hand;

/// Hands that the dealer can have with five cards out of the deck: `C(47, 5)`.
const DEALERS: i64 = 1_533_939;

/// The number of hands that have each set of up to five cards.
struct Sets {
    counts: Vec<i32>,
    /// `C(card, size)` for the place of a set among those of its size.
    choose: Vec<[usize; 6]>,
}

impl Sets {
    /// Places of the sets of no card, one card, and so on.
    const FIRST: [usize; 7] = [0, 1, 53, 1_379, 23_479, 294_204, 2_893_164];

    fn new() -> Self {
        let choose = |of: usize, some: usize| {
            (0..some).fold(1, |ways, at| ways * of.saturating_sub(at) / (at + 1))
        };
        Self {
            counts: vec![0; Self::FIRST[6]],
            choose: (0..52)
                .map(|card| std::array::from_fn(|size| choose(card, size)))
                .collect(),
        }
    }

    /// Returns the places of all sets of these cards, and if each has an odd number of them.
    fn places(&self, cards: [Card; 5]) -> [(usize, bool); 32] {
        std::array::from_fn(|set| {
            let (mut size, mut place) = (0, 0);
            for (at, card) in cards.iter().enumerate() {
                if set >> at & 1 == 1 {
                    size += 1;
                    place += self.choose[usize::from(card.index())][size];
                }
            }
            (Self::FIRST[size] + place, size % 2 == 1)
        })
    }

    fn add_all(&mut self, hands: &[(Evaluated, [Card; 5])]) {
        for (_, cards) in hands {
            for (place, _) in self.places(*cards) {
                self.counts[place] += 1;
            }
        }
    }

    /// Returns the number of hands that have none of these cards.
    fn without(&self, cards: [Card; 5]) -> i64 {
        let places = self.places(cards).into_iter();
        let signed = |(place, odd): (usize, bool)| {
            let count = i64::from(self.counts[place]);
            if odd { -count } else { count }
        };
        places.map(signed).sum()
    }
}

/// The dealer's hands against one of the player's: those that don't qualify, then those that do.
struct Dealers {
    unqualified: i64,
    lower: i64,
    equal: i64,
    higher: i64,
}

fn qualifies(hand: Evaluated) -> bool {
    hand.hand() != Hand::HighCard || hand.deciding().next() >= Some(Rank::King)
}

/// Passes every hand of the player, with the dealer's hands against it.
fn for_every_player(mut pass: impl FnMut(Evaluated, Dealers)) {
    let mut hands = Vec::new();
    for_every_hand(|cards: [Card; 5]| {
        hands.push((evaluate(Ranking::FourCard, &cards).unwrap(), cards));
    });
    hands.sort_unstable_by_key(|(hand, _)| Reverse(*hand));
    let (mut unqualified, mut above, mut at_least) = (Sets::new(), Sets::new(), Sets::new());
    let (_, low) = hands.split_at(hands.partition_point(|(hand, _)| qualifies(*hand)));
    unqualified.add_all(low);
    for equal in hands.chunk_by(|one, other| one.0 == other.0) {
        at_least.add_all(equal);
        for (hand, cards) in equal {
            let low = unqualified.without(*cards);
            let higher = above.without(*cards);
            let same = at_least.without(*cards) - higher;
            // Against a hand that wouldn't qualify, a dealer's hand that does is higher.
            let (higher, same) = if qualifies(*hand) {
                (higher, same)
            } else {
                (DEALERS - low, 0)
            };
            let dealers = Dealers {
                unqualified: low,
                lower: DEALERS - low - higher - same,
                equal: same,
                higher,
            };
            pass(*hand, dealers);
        }
        above.add_all(equal);
    }
}

/// Returns the raise that returns most for a hand below a straight, in Antes: 0 for a fold.
fn best(game: Required, hand: Evaluated, dealers: &Dealers) -> u8 {
    let won = dealers.lower
        + if game == Required::FourCardFrenzy {
            dealers.equal
        } else {
            0
        };
    let ante = won - dealers.higher;
    let other = -dealers.higher;
    let raise = dealers.unqualified + won - dealers.higher;
    let may_triple = hand.hand() != Hand::HighCard
        && (hand.hand() != Hand::Pair || hand.deciding().next() == Some(Rank::Ace));
    let raised = |times: u8| ante + other + i64::from(times) * raise;
    if may_triple && raised(3) > raised(1) && raised(3) > -2 * DEALERS {
        3
    } else {
        u8::from(raised(1) > -2 * DEALERS)
    }
}

/// Returns the counts of a game, with the rows in the order of the four-card hands.
fn counted() -> [Rounds; 2] {
    const UPPER: [Hand; 6] = [
        Hand::FourAces,
        Hand::FourOfAKind,
        Hand::StraightFlush,
        Hand::ThreeOfAKind,
        Hand::Flush,
        Hand::Straight,
    ];
    let rows: Vec<(Option<Hand>, u8)> = UPPER
        .into_iter()
        .map(|hand| (Some(hand), 3))
        .chain([(None, 3), (None, 1)])
        .collect();
    let games = [Required::Crazy4Poker, Required::FourCardFrenzy];
    let mut counts = games.map(|_| (0_i64, BTreeMap::new()));
    for_every_player(|hand, dealers| {
        let upper = UPPER.into_iter().find(|upper| *upper == hand.hand());
        for (game, (folded, raised)) in games.into_iter().zip(&mut counts) {
            // A hand that wins more than it loses is raised as much as it may be.
            let wins_more = dealers.unqualified + dealers.lower > dealers.higher;
            let times = match upper {
                Some(_) => {
                    if wins_more {
                        3
                    } else {
                        1
                    }
                }
                None => best(game, hand, &dealers),
            };
            if times == 0 {
                *folded += DEALERS;
                continue;
            }
            assert!(qualifies(hand), "a hand below a king is raised");
            let row = rows.iter().position(|row| *row == (upper, times)).unwrap();
            let row = raised.entry(row).or_insert([0_i64; 4]);
            let here = [
                dealers.unqualified,
                dealers.lower,
                dealers.equal,
                dealers.higher,
            ];
            row.iter_mut()
                .zip(here)
                .for_each(|(sum, here)| *sum += here);
        }
    });
    counts.map(|(folded, raised)| {
        let raised: Vec<_> = (rows.iter().zip(raised.into_values()))
            .map(|(row, counts)| {
                (
                    row.0,
                    row.1,
                    counts.map(|count| u64::try_from(count).unwrap()),
                )
            })
            .collect();
        Rounds {
            folded: u64::try_from(folded).unwrap(),
            raised: raised.try_into().unwrap(),
        }
    })
}

#[test]
fn the_rounds_of_best_play_are_counted_again() {
    let [crazy, frenzy] = counted();
    assert_eq!(Required::Crazy4Poker.rounds(), crazy);
    assert_eq!(Required::FourCardFrenzy.rounds(), frenzy);
    for rounds in [crazy, frenzy] {
        let raised = rounds.raised.iter().flat_map(|row| row.2);
        let all = rounds.folded + raised.sum::<u64>();
        assert_eq!(all, 2_598_960 * DEALERS.unsigned_abs());
    }
}
