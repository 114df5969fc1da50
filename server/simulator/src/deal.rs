//! Shuffles and deals one deck, with hands that are dealt on purpose.

use std::collections::BTreeMap;

use meterhouse_domain::card::{Card, Rank, Suit};
use meterhouse_domain::hand::{Evaluated, Hand, Ranking, evaluate};
use meterhouse_domain::paytable::HandRule;
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

/// Maximum number of shuffles to find a staged hand. The rarest hand that is found by shuffling is a straight flush of
/// four cards, about once in 1,250 shuffles.
const SHUFFLES_MAX: u32 = 100_000;

/// The five cards of a hand.
pub(crate) type FiveCards = [Card; 5];

/// The cards dealt at a physical table in one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Deal {
    /// The rule by which hands are formed.
    rule: HandRule,
    /// The players' hands by seat: own cards first, then the community cards.
    pub(crate) hands: BTreeMap<u8, FiveCards>,
    /// The dealer's hand.
    pub(crate) dealer: FiveCards,
}

/// A hand that is dealt on purpose.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct StagedHand {
    /// The seat that the hand is dealt to.
    pub(crate) seat: u8,
    pub(crate) hand: Hand,
    pub(crate) cards: FiveCards,
}

/// Deals one round from one shuffled deck. The cards of a staged hand are removed from the deck first, and its community
/// cards are dealt to all. Returns `None` if the deck is too small.
pub(crate) fn deal(
    rng: &mut StdRng,
    rule: HandRule,
    seats: &[u8],
    staged: Option<&StagedHand>,
) -> Option<Deal> {
    let mut deck = shuffled(rng);
    if let Some(staged) = staged {
        deck.retain(|card| !staged.cards.contains(card));
    }
    let mut deck = deck.into_iter();
    let community: Vec<Card> = match staged {
        Some(staged) => rule.parts(&staged.cards).1.to_vec(),
        None => deck.by_ref().take(rule.community()).collect(),
    };
    let mut next_hand = || {
        let own = deck.by_ref().take(rule.own());
        five(&mut own.chain(community.iter().copied()))
    };
    let mut hands = BTreeMap::new();
    for seat in seats {
        let cards = match staged {
            Some(staged) if staged.seat == *seat => staged.cards,
            Some(_) | None => next_hand()?,
        };
        hands.insert(*seat, cards);
    }
    Some(Deal {
        rule,
        hands,
        dealer: next_hand()?,
    })
}

impl Deal {
    /// Returns the own cards of a hand.
    pub(crate) fn own<'a>(&self, hand: &'a FiveCards) -> &'a [Card] {
        self.rule.parts(hand).0
    }

    /// Returns the community cards.
    pub(crate) fn community(&self) -> &[Card] {
        self.rule.parts(&self.dealer).1
    }
}

/// Returns the hand that five cards form.
pub(crate) fn hand_of(ranking: Ranking, cards: FiveCards) -> Hand {
    // Five cards form a hand in every ranking.
    evaluate(ranking, &cards).map_or(Hand::HighCard, Evaluated::hand)
}

/// Returns random cards that form a hand in a ranking, or `None` if the ranking lacks the hand.
pub(crate) fn cards_for_hand(rng: &mut StdRng, ranking: Ranking, hand: Hand) -> Option<FiveCards> {
    if !ranking.order().contains(&hand) {
        return None;
    }
    (0..SHUFFLES_MAX).find_map(|_| {
        let cards = candidate(rng, hand)?;
        (hand_of(ranking, cards) == hand).then_some(cards)
    })
}

/// Returns five cards that may form the hand. A rare hand is constructed, others are the top of a shuffled deck.
fn candidate(rng: &mut StdRng, hand: Hand) -> Option<FiveCards> {
    let suit = *Suit::ALL.get(rng.random_range(0..Suit::ALL.len()))?;
    let rank = *Rank::ALL.get(rng.random_range(0..Rank::ALL.len()))?;
    let deck = shuffled(rng);
    let first: Vec<Card> = match hand {
        Hand::RoyalFlush => suited(suit, &Rank::ALL[Rank::ALL.len() - 5..]),
        Hand::StraightFlush => {
            let lowest = rng.random_range(0..Rank::ALL.len() - 5);
            suited(suit, &Rank::ALL[lowest..lowest + 5])
        }
        Hand::FourAces => Suit::ALL.map(|suit| Card::new(Rank::Ace, suit)).to_vec(),
        Hand::FourOfAKind => Suit::ALL.map(|suit| Card::new(rank, suit)).to_vec(),
        Hand::MiniRoyal
        | Hand::FullHouse
        | Hand::Flush
        | Hand::Straight
        | Hand::ThreeOfAKind
        | Hand::TwoPair
        | Hand::Pair
        | Hand::HighCard => Vec::new(),
    };
    let rest = deck.into_iter().filter(|card| !first.contains(card));
    five(&mut first.clone().into_iter().chain(rest))
}

fn suited(suit: Suit, ranks: &[Rank]) -> Vec<Card> {
    ranks.iter().map(|rank| Card::new(*rank, suit)).collect()
}

fn shuffled(rng: &mut StdRng) -> Vec<Card> {
    let mut deck: Vec<Card> = Card::all().collect();
    deck.shuffle(rng);
    deck
}

fn five(cards: &mut impl Iterator<Item = Card>) -> Option<FiveCards> {
    Some([
        cards.next()?,
        cards.next()?,
        cards.next()?,
        cards.next()?,
        cards.next()?,
    ])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use meterhouse_domain::hand::{Hand, Ranking};
    use meterhouse_domain::paytable::HandRule;

    use super::{StagedHand, cards_for_hand, deal, hand_of};
    use crate::probabilities::generator;

    /// Every hand of every ranking can be staged, and no card is dealt twice.
    #[test]
    fn every_hand_can_be_staged() {
        let mut rng = generator(7, "felt");
        for ranking in [Ranking::FourCard, Ranking::FiveCard] {
            for hand in ranking.order() {
                let cards =
                    cards_for_hand(&mut rng, ranking, *hand).expect("a hand of the ranking");
                assert_eq!(hand_of(ranking, cards), *hand);
                let staged = StagedHand {
                    seat: 3,
                    hand: *hand,
                    cards,
                };
                let dealt =
                    deal(&mut rng, HandRule::OwnFive, &[1, 3, 6], Some(&staged)).expect("52 cards");
                assert_eq!(dealt.hands[&3], cards);
                let all = dealt.hands.values().chain([&dealt.dealer]).flatten();
                assert_eq!(all.collect::<BTreeSet<_>>().len(), 20);
            }
        }
    }

    /// If hands share cards, each hand has two own cards and the same three community cards. A staged hand has too.
    #[test]
    fn all_hands_share_the_community_cards() {
        let mut rng = generator(7, "felt");
        let cards = cards_for_hand(&mut rng, Ranking::FiveCard, Hand::Flush);
        let staged = StagedHand {
            seat: 3,
            hand: Hand::Flush,
            cards: cards.expect("a hand of the ranking"),
        };
        for staged in [None, Some(&staged)] {
            let dealt = deal(&mut rng, HandRule::TwoAndFlop, &[1, 3, 6], staged);
            let dealt = dealt.expect("52 cards");
            assert_eq!(dealt.community().len(), 3);
            let hands: Vec<_> = dealt.hands.values().chain([&dealt.dealer]).collect();
            assert!(hands.iter().all(|hand| hand[2..] == *dealt.community()));
            let own = hands.iter().flat_map(|hand| dealt.own(hand));
            let all: BTreeSet<_> = own.chain(dealt.community()).collect();
            assert_eq!(all.len(), 4 * 2 + 3);
            assert!(staged.is_none_or(|staged| dealt.hands[&3] == staged.cards));
        }
    }

    /// The same seed and name deal the same cards. Another seed or name deals others.
    #[test]
    fn dealing_is_reproducible() {
        let hands = |seed, name| {
            let mut rng = generator(seed, name);
            (0..50)
                .map(|_| deal(&mut rng, HandRule::OwnFive, &[1, 2, 5], None))
                .collect::<Vec<_>>()
        };
        assert_eq!(hands(7, "C4P-01"), hands(7, "C4P-01"));
        assert_ne!(hands(7, "C4P-01"), hands(7, "C4P-02"));
        assert_ne!(hands(7, "C4P-01"), hands(8, "C4P-01"));
    }
}
