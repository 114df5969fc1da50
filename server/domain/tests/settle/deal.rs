//! Deals with many high hands. A random deal makes a royal once in 649,740 hands, so most hands here are picked from
//! a shuffled pile.

use meterhouse_domain::card::{Card, Rank, Suit, repeated};
use meterhouse_domain::hand::Ranking;
use meterhouse_domain::paytable::{Content, HandRule};
use proptest::prelude::*;

/// Hands of one round: the dealer's and six seats'.
pub(crate) const HANDS: usize = 7;

/// The intended hand, as far as the pile still has it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wish {
    /// The next five cards.
    Any,
    /// A royal flush.
    Royal,
    /// A straight flush up to this rank.
    StraightFlush(Rank),
    /// Four cards of this rank.
    Four(Rank),
    /// Three of this rank and two of the other.
    Full(Rank, Rank),
    /// Five cards of the suit.
    Flush(Suit),
    /// Three of this rank.
    Three(Rank),
}

/// Generates a wish, high hands about as often as all others.
pub(crate) fn wish() -> impl Strategy<Value = Wish> {
    let rank = || proptest::sample::select(Rank::ALL.to_vec());
    let suit = proptest::sample::select(Suit::ALL.to_vec());
    prop_oneof![
        3 => Just(Wish::Any),
        3 => Just(Wish::Royal),
        3 => rank().prop_map(Wish::StraightFlush),
        1 => Just(Wish::Four(Rank::Ace)),
        2 => rank().prop_map(Wish::Four),
        2 => (rank(), rank()).prop_map(|(three, two)| Wish::Full(three, two)),
        1 => suit.prop_map(Wish::Flush),
        2 => rank().prop_map(Wish::Three),
    ]
}

/// Generates the pile that a round is dealt from.
pub(crate) fn pile(decks: u8) -> impl Strategy<Value = Vec<Card>> {
    let all: Vec<Card> = (0..decks).flat_map(|_| Card::all()).collect();
    Just(all).prop_shuffle()
}

/// The ways to form hands of five cards: the numbers of a player's own cards, the dealer's, and the community's.
pub(crate) type Shape = (HandRule, usize, usize, usize);

/// The ways of the games, those with a dealer's hand first.
pub(crate) const SHAPES: [Shape; 5] = [
    (HandRule::OwnFive, 5, 5, 0),
    (HandRule::OwnFiveDealerFirstFive, 5, 6, 0),
    (HandRule::TwoAndFlop, 2, 2, 3),
    (HandRule::TwoAndCommunity, 2, 0, 3),
    (HandRule::ThreeAndCommunity, 3, 0, 2),
];
/// The best four of five own cards.
const BEST_FOUR: Shape = (HandRule::BestFourOfFive, 5, 5, 0);
/// Number of [`SHAPES`] with a dealer's hand.
const WITH_DEALER: usize = 3;

/// Returns one of the ways in which a game with this paytable may form hands.
pub(crate) const fn shape_of(content: &Content, pick: usize) -> Shape {
    match (content.ranking, content.bet_on_dealer) {
        (Ranking::FiveCard, false) => SHAPES[pick],
        (Ranking::FiveCard, true) => SHAPES[pick % WITH_DEALER],
        (Ranking::FourCard | Ranking::ThreeCard, _) => BEST_FOUR,
    }
}

/// The cards of a round.
pub(crate) struct Dealt {
    /// Cards dealt to the dealer and to each seat.
    pub(crate) own: [Vec<Card>; HANDS],
    /// Community cards.
    pub(crate) community: Vec<Card>,
}

impl Dealt {
    /// Deals from hands of five: the last cards of the dealer's become the community, and surplus cards of the others
    /// go back.
    pub(crate) fn of(shape: Shape, five: [Vec<Card>; HANDS], next: Option<Card>) -> Self {
        let (_, players, dealers, community) = shape;
        let community = five[0][5 - community..].to_vec();
        let mut own = five.map(|hand| hand[..players].to_vec());
        own[0].truncate(dealers);
        own[0].extend(next.filter(|_| dealers == 6));
        Self { own, community }
    }

    /// Returns the five cards that a hand is formed of.
    pub(crate) fn hand(&self, index: usize) -> Vec<Card> {
        let five = self.own[index].iter().chain(&self.community);
        five.take(5).copied().collect()
    }
}

/// Deals one hand after another off the pile.
pub(crate) fn dealt(pile: &mut Vec<Card>, wishes: &[Wish; HANDS]) -> [Vec<Card>; HANDS] {
    wishes.map(|wish| {
        let core = cores(wish, pile)
            .into_iter()
            .find(|core| are_in(core, pile));
        let mut hand = core.unwrap_or_default();
        for card in &hand {
            let index = pile.iter().position(|other| other == card);
            index.map(|index| pile.remove(index));
        }
        let rest = pile.len() - (5 - hand.len());
        hand.extend(pile.split_off(rest));
        hand
    })
}

/// Returns the cards that a wish needs, in every sufficient way.
fn cores(wish: Wish, pile: &[Card]) -> Vec<Vec<Card>> {
    let of = |rank, count: usize, skip: usize| -> Vec<Card> {
        let suits = Suit::ALL.iter().cycle().skip(skip).take(count);
        suits.map(|suit| Card::new(rank, *suit)).collect()
    };
    match wish {
        Wish::Any => Vec::new(),
        Wish::Royal => runs(Rank::Ace),
        Wish::StraightFlush(top) => runs(top),
        Wish::Four(rank) => vec![of(rank, 4, 0)],
        Wish::Full(three, two) => (0..4)
            .flat_map(|one| (0..4).map(move |other| (one, other)))
            .map(|(one, other)| [of(three, 3, one), of(two, 2, other)].concat())
            .collect(),
        Wish::Flush(suit) => {
            let cards = pile.iter().filter(|card| card.suit() == suit);
            let five: Vec<Card> = cards.take(5).copied().collect();
            if five.len() == 5 {
                vec![five]
            } else {
                Vec::new()
            }
        }
        Wish::Three(rank) => (0..4).map(|skip| of(rank, 3, skip)).collect(),
    }
}

/// Returns five cards of one suit in sequence, up to this rank: from six on, and an ace below a two up to the five.
fn runs(top: Rank) -> Vec<Vec<Card>> {
    let number = usize::from(top.number().max(5)) - 2;
    let ranks = (0..5).map(|below| {
        let below = number.checked_sub(below);
        below.map_or(Rank::Ace, |index| Rank::ALL[index])
    });
    let ranks: Vec<Rank> = ranks.collect();
    let run = |suit: &Suit| ranks.iter().map(|rank| Card::new(*rank, *suit)).collect();
    Suit::ALL.iter().map(run).collect()
}

/// Checks if the pile has these cards, each as often as needed.
fn are_in(cards: &[Card], pile: &[Card]) -> bool {
    let times = |card: &Card, all: &[Card]| all.iter().filter(|other| *other == card).count();
    cards
        .iter()
        .all(|card| times(card, cards) <= times(card, pile))
}

/// Checks the generator itself: no card occurs more often than there are decks.
pub(crate) fn is_possible(hands: &[Vec<Card>; HANDS], decks: u8) -> bool {
    hands.iter().all(|hand| hand.len() == 5)
        && repeated(hands.iter().flatten().copied(), decks).is_none()
}
