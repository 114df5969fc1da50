//! Mississippi Stud: 58 Pa. Code ch. 655a, as far as 49 Pa.B. 4956 prints it. There is no dealer's hand.
//!
//! # Left out by the source
//! The odds of § 655a.12(a) and (d): a table of an operator's file has to complete them.

use crate::card::Rank;
use crate::fixed::settle::cite::Clause;
use crate::fixed::settle::round::Irregularity;
use crate::fixed::settle::rules::{
    Amount, Dealt, Fold, GameRules, Showdown, Verdict, VoidRule, WagerRule,
};
use crate::fixed::wager::FixedWager;
use crate::hand::{Hand, Ranking};
use crate::seat::SEATS_MAX;

/// The rules of Pennsylvania, § 655a.11(b) to (i).
pub(super) const PENNSYLVANIA: GameRules = GameRules {
    game: "mississippi-stud",
    jurisdiction: "PA",
    ranking: Ranking::FiveCard,
    // Two cards, three community cards and four Six Card Bonus cards, § 655a.10(c).
    dealt: Dealt {
        own: 2,
        dealer: 0,
        community: 3,
        bonus: Some((4, FixedWager::SixCardBonus)),
    },
    seats_max: SEATS_MAX,
    one_position: None,
    wagers: &[
        ANTE,
        THIRD_STREET,
        FOURTH_STREET,
        FIFTH_STREET,
        THREE_CARD_BONUS,
        SIX_CARD_BONUS,
    ],
    voids: &VOIDS,
    left: None,
    limit: None,
};

/// A fold forfeits the Ante Wager and the Street Wagers made before, whichever Street Wager is refused.
const FORFEITED: Clause = Clause::pa("§ 655a.11(b), (d) and (f)");

/// The Ante Wager.
const ANTE: WagerRule = WagerRule::required(
    FixedWager::Ante,
    Clause::pa("§ 655a.11(b)"),
    FORFEITED,
    |showdown| ante_and_streets(showdown, "ante"),
);

/// The 3rd Street Wager, after the player's two cards.
const THIRD_STREET: WagerRule = WagerRule::raise(
    FixedWager::ThirdStreet,
    Clause::pa("§ 655a.11(b)"),
    ONE_TO_THREE,
    |showdown| ante_and_streets(showdown, "third-street"),
)
.folded(Fold::Collected(FORFEITED));

/// The 4th Street Wager, after the first community card.
const FOURTH_STREET: WagerRule = WagerRule::raise(
    FixedWager::FourthStreet,
    Clause::pa("§ 655a.11(d)"),
    ONE_TO_THREE,
    |showdown| ante_and_streets(showdown, "fourth-street"),
)
.folded(Fold::Collected(FORFEITED));

/// The 5th Street Wager, after the second community card.
const FIFTH_STREET: WagerRule = WagerRule::raise(
    FixedWager::FifthStreet,
    Clause::pa("§ 655a.11(f)"),
    ONE_TO_THREE,
    |showdown| ante_and_streets(showdown, "fifth-street"),
)
.folded(Fold::Collected(FORFEITED));

/// "One, two or three times the amount of the player's Ante Wager", whatever the other streets are.
const ONE_TO_THREE: Amount = Amount::times_the_ante(1, |_| 3, true);

/// Decides the Ante Wager and the three Street Wagers, § 655a.11(h): a pair of jacks or higher is paid, a pair of
/// sixes to tens is a push.
fn ante_and_streets(showdown: &Showdown<'_>, table: &'static str) -> Verdict {
    let Some(hand) = showdown.player else {
        return Verdict::CardsMissing;
    };
    let pair = match hand.hand() {
        Hand::HighCard => None,
        Hand::Pair => hand.deciding().next(),
        _ => Some(Rank::Ace),
    };
    if pair < Some(Rank::Six) {
        return Verdict::Loses(Clause::pa("§ 655a.11(h)(1)"));
    }
    if pair < Some(Rank::Jack) {
        return Verdict::Push(Clause::pa("§ 655a.11(h)(2)"));
    }
    Verdict::Shown {
        table,
        cards: showdown.with_community(),
        clause: Clause::pa("§ 655a.11(h)(3)"),
    }
}

/// The Three Card Bonus Wager on the three community cards. A fold doesn't forfeit it.
const THREE_CARD_BONUS: WagerRule = WagerRule::optional(
    FixedWager::ThreeCardBonus,
    Clause::pa("§ 655a.7(d)(4)"),
    |showdown| Verdict::Shown {
        table: "three-card-bonus",
        cards: showdown.community.to_vec(),
        clause: Clause::pa("§ 655a.11(i)(2)"),
    },
);

/// The Six Card Bonus Wager on the player's two cards and the four bonus cards. A fold doesn't forfeit it.
const SIX_CARD_BONUS: WagerRule = WagerRule::optional(
    FixedWager::SixCardBonus,
    Clause::pa("§ 655a.7(d)(6)"),
    |showdown| Verdict::Shown {
        table: "six-card-bonus",
        cards: showdown.with_bonus(),
        clause: Clause::pa("§ 655a.11(i)(4)"),
    },
);

/// After each of these all wagers are returned, the optional ones too.
const VOIDS: [VoidRule; 4] = [
    VoidRule::new(Irregularity::CardsFaceUp, Clause::pa("§ 655a.13(a)"), &[]),
    VoidRule::new(
        Irregularity::WrongNumberOfCards,
        Clause::pa("§ 655a.13(c)"),
        &[],
    ),
    VoidRule::new(Irregularity::ExposedEarly, Clause::pa("§ 655a.13(d)"), &[]),
    VoidRule::new(Irregularity::ShoeJammed, Clause::pa("§ 655a.13(f)"), &[]),
];
