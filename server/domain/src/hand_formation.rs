//! Which cards a game deals to whom, and of which of them the progressive hand is formed.
//!
//! # Shape
//! The cards of a hand are those it is formed of: the own ones, then the community's. Who deals says what was dealt: to
//! each hand, and to all.

use core::ops::RangeInclusive;

use crate::card::Card;
use crate::command::Holder;
use crate::hand::Ranking;
use crate::paytable::HandRule;

impl HandRule {
    /// How many own cards count towards a hand; they come first among its cards.
    pub const fn own(self) -> usize {
        match self {
            Self::BestFourOfFive | Self::OwnFive | Self::OwnFiveDealerFirstFive => 5,
            Self::OwnThree | Self::ThreeAndCommunity => 3,
            Self::TwoAndFlop | Self::TwoAndCommunity => 2,
        }
    }

    /// How many community cards count towards every hand.
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

    /// How many own cards this hand is dealt; none where the dealer has no hand.
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

    /// How many community cards a round may have: those that no progressive hand is formed of need not be told.
    pub const fn community_dealt(self) -> RangeInclusive<usize> {
        match self {
            Self::BestFourOfFive | Self::OwnFive | Self::OwnFiveDealerFirstFive => 0..=0,
            // Let It Ride's two, which its Three-Card Progressive Payout Wager does not look at.
            Self::OwnThree => 0..=2,
            Self::ThreeAndCommunity => 2..=2,
            // The Turn and the River are dealt after the Flop.
            Self::TwoAndFlop => 3..=5,
            Self::TwoAndCommunity => 3..=3,
        }
    }

    /// How the hands that are formed so are ranked.
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

    /// The cards that a hand is formed of, of those that were dealt to it and to all, in the order of dealing.
    pub fn cards(self, dealt: &[Card], community: &[Card]) -> Vec<Card> {
        let own = dealt.iter().take(self.own());
        own.chain(community.iter().take(self.community()))
            .copied()
            .collect()
    }

    /// The own cards and the community's among the cards of a hand.
    pub fn parts(self, cards: &[Card]) -> (&[Card], &[Card]) {
        cards.split_at(self.own().min(cards.len()))
    }
}
