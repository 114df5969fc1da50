//! Let It Ride Poker: 58 Pa. Code ch. 643a, as far as 49 Pa.B. 4956 prints it. There is no dealer's hand.
//!
//! # Left out by the source
//! The odds of § 643a.12(a) and (c), which an operator's file has to complete. Taking back Let It Ride Poker Wagers, §
//! 643a.11(a) to (e): the wagers of a round are those that are left at the showdown. Irregularities.

use crate::card::Rank;
use crate::fixed::limit;
use crate::fixed::settle::cite::Clause;
use crate::fixed::settle::rules::{
    Amount, Dealt, Fold, GameRules, Place, Showdown, Verdict, WagerRule,
};
use crate::fixed::wager::FixedWager;
use crate::hand::{Hand, Ranking};
use crate::seat::SEATS_MAX;

/// The rules of Pennsylvania, § 643a.11(f) and (g).
pub(super) const PENNSYLVANIA: GameRules = GameRules {
    game: "let-it-ride",
    jurisdiction: "PA",
    ranking: Ranking::FiveCard,
    // Three cards, two community cards and three Six Card Bonus cards, § 643a.10(b).
    dealt: Dealt {
        own: 3,
        dealer: 0,
        community: 2,
        bonus: Some((3, FixedWager::SixCardBonus)),
    },
    seats_max: SEATS_MAX,
    one_position: None,
    wagers: &[
        let_it_ride(FixedWager::FirstLetItRide, Place::Optional),
        let_it_ride(FixedWager::SecondLetItRide, Place::Optional),
        let_it_ride(FixedWager::ThirdLetItRide, Place::Required),
        FIVE_CARD_BONUS,
        THREE_CARD_BONUS,
        SIX_CARD_BONUS,
    ],
    voids: &[],
    left: None,
    limit: Some(&limit::LET_IT_RIDE),
};

/// Returns one of the three Let It Ride Poker Wagers. The first and the second may have been taken back.
const fn let_it_ride(wager: FixedWager, place: Place) -> WagerRule {
    WagerRule {
        wager,
        clause: Clause::pa("§ 643a.7(d)"),
        place,
        amount: Amount::Any,
        fold: Fold::Elided(Clause::pa("§ 643a.11(a) to (e)")),
        judge: pair_of_tens_or_better,
        tables: &[],
    }
}

/// Decides the Let It Ride Poker Wagers, § 643a.11(f): paid from a pair of tens on.
fn pair_of_tens_or_better(showdown: &Showdown<'_>) -> Verdict {
    let Some(hand) = showdown.player else {
        return Verdict::CardsMissing;
    };
    let is_winning = match hand.hand() {
        Hand::HighCard => false,
        Hand::Pair => hand.deciding().next() >= Some(Rank::Ten),
        _ => true,
    };
    if !is_winning {
        return Verdict::Loses(Clause::pa("§ 643a.11(f)(1)"));
    }
    Verdict::Shown {
        table: "let-it-ride",
        cards: showdown.with_community(),
        clause: Clause::pa("§ 643a.11(f)(2)"),
    }
}

/// The Five Card Bonus Wager on the player's three cards and the two community cards. Paytable G has no line for two
/// pair, though (g)(1)(i) calls two pair winning in every table: the table is the more special rule.
const FIVE_CARD_BONUS: WagerRule = WagerRule::optional(
    FixedWager::FiveCardBonus,
    Clause::pa("§ 643a.11(g)(1)"),
    |showdown| Verdict::Shown {
        table: "five-card-bonus",
        cards: showdown.with_community(),
        clause: Clause::pa("§ 643a.11(g)(1)"),
    },
);

/// The Three Card Bonus Wager on the player's three cards.
const THREE_CARD_BONUS: WagerRule = WagerRule::optional(
    FixedWager::ThreeCardBonus,
    Clause::pa("§ 643a.11(g)(2)"),
    |showdown| Verdict::Shown {
        table: "three-card-bonus",
        cards: showdown.own.to_vec(),
        clause: Clause::pa("§ 643a.11(g)(2)"),
    },
);

/// The Six Card Bonus Wager on the player's three cards and the three bonus cards.
const SIX_CARD_BONUS: WagerRule = WagerRule::optional(
    FixedWager::SixCardBonus,
    Clause::pa("§ 643a.7(j)"),
    |showdown| Verdict::Shown {
        table: "six-card-bonus",
        cards: showdown.with_bonus(),
        clause: Clause::pa("§ 643a.11(g)(6)"),
    },
);
