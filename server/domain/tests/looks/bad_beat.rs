//! The lower of the player's and the dealer's hands of seven cards with a common board, counted again.

use std::cmp::Reverse;

use meterhouse_domain::card::Card;
use meterhouse_domain::fixed::bad_beat::{ALL_DEALS, LOSING, losing};
use meterhouse_domain::hand::{Evaluated, Hand, Ranking, evaluate};

use super::counts::{cards_of, for_every_class, hands_of};
use super::cover_all::SplitMix;
use super::every::for_every_hand;
use super::is;

/// The rank of every hand of five cards, equal for equal hands, by its place among all sets of five.
struct Ranks {
    of_set: Vec<u16>,
    /// Hands by rank, lowest first.
    hands: Vec<Evaluated>,
    choose: Vec<[usize; 6]>,
}

impl Ranks {
    fn new() -> Self {
        let mut all = Vec::new();
        for_every_hand(|cards: [Card; 5]| {
            all.push((cards, evaluate(Ranking::FiveCard, &cards).unwrap()));
        });
        let mut hands: Vec<Evaluated> = all.iter().map(|(_, hand)| *hand).collect();
        hands.sort_unstable();
        hands.dedup();
        let choose = |of: usize, some: usize| {
            (0..some).fold(1, |ways, at| ways * of.saturating_sub(at) / (at + 1))
        };
        let mut ranks = Self {
            of_set: vec![0; all.len()],
            hands,
            choose: (0..52)
                .map(|card| std::array::from_fn(|size| choose(card, size)))
                .collect(),
        };
        for (cards, hand) in all {
            let place = ranks.place(cards);
            ranks.of_set[place] = u16::try_from(ranks.hands.binary_search(&hand).unwrap()).unwrap();
        }
        ranks
    }

    fn place(&self, mut cards: [Card; 5]) -> usize {
        cards.sort_unstable();
        let places = cards.iter().zip(1..);
        places
            .map(|(card, size)| self.choose[usize::from(card.index())][size])
            .sum()
    }

    fn of(&self, cards: [Card; 5]) -> u16 {
        self.of_set[self.place(cards)]
    }

    /// Returns the rank of the best hand of every two cards with a board, highest first.
    fn with_board(&self, board: [Card; 5]) -> Vec<(u16, [Card; 2])> {
        let others: Vec<Card> = Card::all().filter(|card| !board.contains(card)).collect();
        let own_five = self.of(board);
        let with_one = |card| {
            let sets = (0..5).map(|out| {
                let mut cards = board;
                cards[out] = card;
                self.of(cards)
            });
            sets.max().unwrap()
        };
        let best_with_one: Vec<u16> = others.iter().map(|card| with_one(*card)).collect();
        let mut all = Vec::new();
        for (at, one) in others.iter().enumerate() {
            for (after, two) in others.iter().enumerate().skip(at + 1) {
                let mut best = own_five.max(best_with_one[at]).max(best_with_one[after]);
                for out in 0..5 {
                    for also in out + 1..5 {
                        let mut cards = board;
                        (cards[out], cards[also]) = (*one, *two);
                        best = best.max(self.of(cards));
                    }
                }
                all.push((best, [*one, *two]));
            }
        }
        all.sort_unstable_by_key(|(rank, _)| Reverse(*rank));
        all
    }
}

/// Adds the deals of a board in which a hand loses, by the name of the hand.
fn add_losing(ranks: &Ranks, board: [Card; 5], boards: u64, counts: &mut [u64]) {
    let all = ranks.with_board(board);
    let (mut higher, mut higher_with) = (0, [0_u64; 52]);
    for equal in all.chunk_by(|one, other| one.0 == other.0) {
        let hand = ranks.hands[usize::from(equal[0].0)].hand();
        let Some(place) = LOSING.iter().position(|(losing, _)| *losing == hand) else {
            // A royal flush never loses, and all after a three of a kind are lower.
            if hand == Hand::RoyalFlush {
                higher += add_higher(equal, &mut higher_with);
                continue;
            }
            return;
        };
        for (_, [one, two]) in equal {
            let with = [one, two].map(|card| higher_with[usize::from(card.index())]);
            // Either the player's or the dealer's hand is the lower one.
            counts[place] += 2 * boards * (higher - with[0] - with[1]);
        }
        higher += add_higher(equal, &mut higher_with);
    }
}

/// Adds hands to the higher ones by their cards, and returns their number.
fn add_higher(hands: &[(u16, [Card; 2])], with: &mut [u64; 52]) -> u64 {
    for card in hands.iter().flat_map(|(_, cards)| cards) {
        with[usize::from(card.index())] += 1;
    }
    u64::try_from(hands.len()).unwrap()
}

/// The counts are those of every board, of which one of each class of suits is dealt.
#[test]
fn every_deal_of_a_board_is_counted() {
    let ranks = Ranks::new();
    let mut counts = [0; LOSING.len()];
    for_every_class::<5>(&mut |class| {
        let board: [Card; 5] = cards_of(class).try_into().unwrap();
        add_losing(&ranks, board, hands_of(class), &mut counts);
    });
    assert_eq!(counts, LOSING.map(|(_, deals)| deals));
}

/// 200,000 deals from a fixed seed are as the counts say, within four standard deviations.
#[test]
fn dealt_hands_are_as_the_counts_say() {
    const DEALT: u32 = 200_000;
    let mut deck: Vec<Card> = Card::all().collect();
    let mut random = SplitMix(20_190_831);
    let mut dealt = [0_u32; LOSING.len()];
    for _ in 0..DEALT {
        for at in 0..9 {
            let left = u64::try_from(deck.len() - at).unwrap();
            let from = at + usize::try_from(random.next() % left).unwrap();
            deck.swap(at, from);
        }
        let [player, dealer] = [[0, 1], [2, 3]].map(|own| {
            let own = own.map(|at| deck[at]);
            evaluate(Ranking::FiveCard, &[&own, &deck[4..9]].concat()).unwrap()
        });
        let lower = player.min(dealer);
        let place = LOSING.iter().position(|(hand, _)| *hand == lower.hand());
        if let Some(place) = place.filter(|_| player != dealer) {
            dealt[place] += 1;
        }
    }
    for (found, (hand, counted)) in dealt.into_iter().zip(LOSING) {
        let (sample, all) = (i128::from(DEALT), i128::from(ALL_DEALS));
        let counted = i128::from(counted);
        let distance = i128::from(found) * all - sample * counted;
        assert!(
            distance * distance <= 16 * sample * counted * (all - counted),
            "{hand}"
        );
    }
}

#[test]
fn ties_and_lower_hands_are_the_rest() {
    let histogram = losing();
    assert_eq!(histogram.total(), ALL_DEALS);
    for (hand, deals) in LOSING {
        assert_eq!(histogram.count(is(hand)), deals);
    }
    assert_eq!(ALL_DEALS, 2_598_960 * 1_081 * 990);
}
