//! The cards that each hand of a game is dealt, and those that form the progressive hand.
//!
//! # Shape
//! The cards of a hand are its own cards, followed by the community's. The table sends the cards dealt: those of each
//! hand, and the community's.

use core::ops::RangeInclusive;

use crate::card::Card;
use crate::command::Holder;
use crate::hand::Ranking;
use crate::paytable::HandRule;

impl HandRule {
    /// Returns the number of own cards in a hand; they come first among its cards.
    pub const fn own(self) -> usize {
        match self {
            Self::BestFourOfFive | Self::OwnFive | Self::OwnFiveDealerFirstFive => 5,
            Self::OwnThree | Self::ThreeAndCommunity => 3,
            Self::TwoAndFlop | Self::TwoAndCommunity => 2,
        }
    }

    /// Returns the number of community cards in every hand.
    pub const fn community(self) -> usize {
        match self {
            Self::BestFourOfFive
            | Self::OwnFive
            | Self::OwnFiveDealerFirstFive
            | Self::OwnThree => 0,
            Self::ThreeAndCommunity => 2,
            Self::TwoAndFlop | Self::TwoAndCommunity => 3,
        }
    }

    /// Returns the numbers of own cards that this hand may be dealt; zero if the dealer has no hand.
    pub const fn dealt(self, holder: Holder) -> RangeInclusive<usize> {
        match (holder, self) {
            (Holder::Dealer, Self::OwnFiveDealerFirstFive) => 6..=6,
            // Crazy 4 Poker deals five to the dealer, Four Card Poker six (§ 641a.8(d)).
            (Holder::Dealer, Self::BestFourOfFive) => 5..=6,
            // Let It Ride and Mississippi Stud are played against the paytable alone.
            (Holder::Dealer, Self::OwnThree | Self::TwoAndCommunity | Self::ThreeAndCommunity) => {
                0..=0
            }
            (Holder::Seat(_) | Holder::Dealer, _) => self.own()..=self.own(),
        }
    }

    /// Returns the numbers of community cards that a round may have: cards that form no progressive hand may be left
    /// out.
    pub const fn community_dealt(self) -> RangeInclusive<usize> {
        match self {
            Self::BestFourOfFive | Self::OwnFive | Self::OwnFiveDealerFirstFive => 0..=0,
            // Let It Ride's two, which its Three-Card Progressive Payout Wager ignores.
            Self::OwnThree => 0..=2,
            Self::ThreeAndCommunity => 2..=2,
            // The Turn and the River are dealt after the Flop.
            Self::TwoAndFlop => 3..=5,
            Self::TwoAndCommunity => 3..=3,
        }
    }

    /// Returns the ranking of the hands that are formed this way.
    pub const fn ranking(self) -> Ranking {
        match self {
            Self::BestFourOfFive => Ranking::FourCard,
            Self::OwnThree => Ranking::ThreeCard,
            Self::OwnFive
            | Self::OwnFiveDealerFirstFive
            | Self::TwoAndFlop
            | Self::TwoAndCommunity
            | Self::ThreeAndCommunity => Ranking::FiveCard,
        }
    }

    /// Returns the cards that form a hand, from its own and the community's, in the order of dealing.
    pub fn cards(self, dealt: &[Card], community: &[Card]) -> Vec<Card> {
        let own = dealt.iter().take(self.own());
        own.chain(community.iter().take(self.community()))
            .copied()
            .collect()
    }

    /// Splits the cards of a hand into its own and the community's.
    pub fn parts(self, cards: &[Card]) -> (&[Card], &[Card]) {
        cards.split_at(self.own().min(cards.len()))
    }
}
