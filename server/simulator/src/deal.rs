//! One deck, shuffled and dealt, and hands that are dealt on purpose.

use std::collections::BTreeMap;

use meterhouse_domain::card::{Card, Rank, Suit};
use meterhouse_domain::hand::{Evaluated, Hand, Ranking, evaluate};
use meterhouse_domain::paytable::HandRule;
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

/// Shuffles until a staged hand has to have come up by itself; the rarest left to chance, a straight flush of
/// four cards, comes once in some 1,250.
const SHUFFLES_MAX: u32 = 100_000;

/// Five cards.
pub(crate) type Five = [Card; 5];

/// What everybody at a felt got in one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Deal {
    /// How hands are formed.
    rule: HandRule,
    /// The players' hands, by seat: their own cards, then those of all.
    pub(crate) hands: BTreeMap<u8, Five>,
    /// The dealer's hand.
    pub(crate) dealer: Five,
}

/// A hand that is dealt on purpose.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Staged {
    /// To which seat.
    pub(crate) seat: u8,
    /// Which hand it is.
    pub(crate) hand: Hand,
    /// Its cards.
    pub(crate) cards: Five,
}

/// Deals to each seat, to the dealer and to all what the game deals, from one shuffled deck; a staged hand is taken out
/// of the deck first, and the community is of it. Nothing if the deck is too small.
pub(crate) fn deal(
    rng: &mut StdRng,
    rule: HandRule,
    seats: &[u8],
    staged: Option<&Staged>,
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
    let mut formed = || {
        let own = deck.by_ref().take(rule.own());
        five(&mut own.chain(community.iter().copied()))
    };
    let mut hands = BTreeMap::new();
    for seat in seats {
        let cards = match staged {
            Some(staged) if staged.seat == *seat => staged.cards,
            Some(_) | None => formed()?,
        };
        hands.insert(*seat, cards);
    }
    Some(Deal {
        rule,
        hands,
        dealer: formed()?,
    })
}

impl Deal {
    /// What was dealt to one hand alone.
    pub(crate) fn own<'a>(&self, hand: &'a Five) -> &'a [Card] {
        self.rule.parts(hand).0
    }

    /// What was dealt to all.
    pub(crate) fn community(&self) -> &[Card] {
        self.rule.parts(&self.dealer).1
    }
}

/// What five cards make.
pub(crate) fn hand_of(ranking: Ranking, cards: Five) -> Hand {
    // Five cards make a hand in every ranking.
    evaluate(ranking, &cards).map_or(Hand::HighCard, Evaluated::hand)
}

/// Cards that make this hand in this ranking; nothing if the ranking doesn't know it.
pub(crate) fn cards_of(rng: &mut StdRng, ranking: Ranking, hand: Hand) -> Option<Five> {
    if !ranking.order().contains(&hand) {
        return None;
    }
    (0..SHUFFLES_MAX).find_map(|_| {
        let cards = candidate(rng, hand)?;
        (hand_of(ranking, cards) == hand).then_some(cards)
    })
}

/// Five cards that may make the hand: built where it is rare, else the top of a shuffled deck.
fn candidate(rng: &mut StdRng, hand: Hand) -> Option<Five> {
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

fn five(cards: &mut impl Iterator<Item = Card>) -> Option<Five> {
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

    use super::{Staged, cards_of, deal, hand_of};
    use crate::chances::generator;

    /// Every hand of every ranking can be staged, and no card is dealt twice around it.
    #[test]
    fn every_hand_can_be_staged() {
        let mut rng = generator(7, "felt");
        for ranking in [Ranking::FourCard, Ranking::FiveCard] {
            for hand in ranking.order() {
                let cards = cards_of(&mut rng, ranking, *hand).expect("a hand of the ranking");
                assert_eq!(hand_of(ranking, cards), *hand);
                let staged = Staged {
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

    /// Where hands share cards, each is of its own two and the same three, a staged one as well.
    #[test]
    fn a_community_is_of_every_hand() {
        let mut rng = generator(7, "felt");
        let cards = cards_of(&mut rng, Ranking::FiveCard, Hand::Flush);
        let staged = Staged {
            seat: 3,
            hand: Hand::Flush,
            cards: cards.expect("a hand of the ranking"),
        };
        for staged in [None, Some(&staged)] {
            let dealt = deal(&mut rng, HandRule::TwoAndFlop, &[1, 3, 6], staged);
            let dealt = dealt.expect("52 cards");
            assert_eq!(dealt.community().len(), 3);
            let hands: Vec<_> = dealt.hands.values().chain([&dealt.dealer]).collect();
            assert!(hands.iter().all(|it| it[2..] == *dealt.community()));
            let own = hands.iter().flat_map(|it| dealt.own(it));
            let all: BTreeSet<_> = own.chain(dealt.community()).collect();
            assert_eq!(all.len(), 4 * 2 + 3);
            assert!(staged.is_none_or(|it| dealt.hands[&3] == it.cards));
        }
    }

    /// The same seed and name deal the same cards, another name others.
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
