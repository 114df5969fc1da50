//! Cajun Stud: 58 Pa. Code ch. 683a. There is no dealer's hand.

use crate::card::Rank;
use crate::fixed::limit;
use crate::fixed::settle::cite::Clause;
use crate::fixed::settle::round::Irregularity;
use crate::fixed::settle::rules::{
    Amount, Dealt, Fold, GameRules, Showdown, Verdict, VoidRule, WagerRule,
};
use crate::fixed::wager::FixedWager;
use crate::hand::{Hand, Ranking};

/// The rules of Pennsylvania, § 683a.11(b) to (i).
pub(super) const PENNSYLVANIA: GameRules = GameRules {
    game: "cajun-stud",
    jurisdiction: "PA",
    ranking: Ranking::FiveCard,
    // Two cards, three community cards and four All-Six cards, § 683a.8(c) and (d).
    dealt: Dealt {
        own: 2,
        dealer: 0,
        community: 3,
        bonus: Some((4, FixedWager::AllSix)),
    },
    seats_max: 6,
    one_position: None,
    wagers: &[
        ANTE,
        raise(FixedWager::FirstRaise, "§ 683a.11(b)"),
        raise(FixedWager::SecondRaise, "§ 683a.11(d)"),
        raise(FixedWager::ThirdRaise, "§ 683a.11(f)"),
        POCKET_BONUS,
        BOARD_BONUS,
        LO_BALL,
        ALL_SIX,
    ],
    voids: &VOIDS,
    left: Some(Clause::pa("§ 683a.7(b)")),
    limit: Some(&limit::CAJUN_STUD),
};

/// A fold forfeits the Ante Wager and the Raise Wagers made before, whichever Raise Wager is refused.
const FORFEITED: Clause = Clause::pa("§ 683a.11(b), (d) and (f)");

/// The Ante Wager.
const ANTE: WagerRule = WagerRule::required(
    FixedWager::Ante,
    Clause::pa("§ 683a.7(d)(1)"),
    FORFEITED,
    |showdown| ante_and_raise(showdown, "ante"),
);

/// Returns a Raise Wager: one, two or three times the Ante Wager, whatever the other Raise Wagers are.
const fn raise(wager: FixedWager, clause: &'static str) -> WagerRule {
    WagerRule::raise(
        wager,
        Clause::pa(clause),
        Amount::times_the_ante(1, |_| 3, true),
        |showdown| ante_and_raise(showdown, "raise"),
    )
    .folded(Fold::Collected(FORFEITED))
}

/// Decides the Ante Wager and the Raise Wagers: paid from a pair of sixes on, § 683a.11(h). The table pushes a pair of
/// sixes to tens, § 683a.12(a).
fn ante_and_raise(showdown: &Showdown<'_>, table: &'static str) -> Verdict {
    let Some(hand) = showdown.player else {
        return Verdict::CardsMissing;
    };
    let is_winning = match hand.hand() {
        Hand::HighCard => false,
        Hand::Pair => hand.deciding().next() >= Some(Rank::Six),
        _ => true,
    };
    if !is_winning {
        return Verdict::Loses(Clause::pa("§ 683a.11(h)(2)"));
    }
    Verdict::Shown {
        table,
        cards: showdown.with_community(),
        clause: Clause::pa("§ 683a.11(h)(1)"),
    }
}

/// The Pocket Bonus Wager on the player's two cards.
const POCKET_BONUS: WagerRule = WagerRule::optional(
    FixedWager::PocketBonus,
    Clause::pa("§ 683a.7(d)(2)"),
    |showdown| Verdict::Shown {
        table: "pocket-bonus",
        cards: showdown.own.to_vec(),
        clause: Clause::pa("§ 683a.11(i)(1)"),
    },
);

/// The Board Bonus Wager on the three community cards.
const BOARD_BONUS: WagerRule = WagerRule::optional(
    FixedWager::BoardBonus,
    Clause::pa("§ 683a.7(d)(3)"),
    |showdown| Verdict::Shown {
        table: "board-bonus",
        cards: showdown.community.to_vec(),
        clause: Clause::pa("§ 683a.11(i)(2)"),
    },
);

/// The Lo Ball Wager: five cards without a hand, and low. The table pushes or collects a queen, though (i)(3) calls it
/// winning for one table: the table is the more special rule.
const LO_BALL: WagerRule = WagerRule::optional(
    FixedWager::LoBall,
    Clause::pa("§ 683a.7(d)(4)"),
    |showdown| Verdict::Shown {
        table: "lo-ball",
        cards: showdown.with_community(),
        clause: Clause::pa("§ 683a.11(i)(3)"),
    },
);

/// The All-Six Bonus Wager on the player's two cards and the four All-Six cards.
const ALL_SIX: WagerRule = WagerRule::optional(
    FixedWager::AllSix,
    Clause::pa("§ 683a.7(d)(5)"),
    |showdown| Verdict::Shown {
        table: "all-six",
        cards: showdown.with_bonus(),
        clause: Clause::pa("§ 683a.11(i)(4)"),
    },
);

const VOIDS: [VoidRule; 5] = [
    VoidRule::new(Irregularity::CardsFaceUp, Clause::pa("§ 683a.13(a)"), &[]),
    VoidRule::new(
        Irregularity::WrongNumberOfCards,
        Clause::pa("§ 683a.13(c)"),
        &[],
    ),
    // "provided that if any player placed" one of these, "those wagers shall be settled".
    VoidRule::new(
        Irregularity::ExposedEarly,
        Clause::pa("§ 683a.13(d)"),
        &[
            FixedWager::PocketBonus,
            FixedWager::BoardBonus,
            FixedWager::LoBall,
            FixedWager::AllSix,
        ],
    ),
    VoidRule::new(Irregularity::ShoeJammed, Clause::pa("§ 683a.13(f)"), &[]),
    VoidRule::new(Irregularity::WrongStub, Clause::pa("§ 683a.8(g)"), &[]),
];
