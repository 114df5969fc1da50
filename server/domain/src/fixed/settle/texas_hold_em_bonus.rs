//! Texas Hold 'Em Bonus Poker: 58 Pa. Code ch. 647a, as far as 49 Pa.B. 4956 prints it.
//!
//! # Left out by the source
//! § 647a.11(c) to (i) decides the Ante, Flop, Turn, River and Texas Hold 'Em Bonus Wagers. So only the wagers of
//! players who folded before the Flop can be settled, and the Six Card Bonus Wager.

use crate::fixed::limit;
use crate::fixed::settle::cite::Clause;
use crate::fixed::settle::round::Irregularity;
use crate::fixed::settle::rules::{
    Amount, Dealt, Fold, GameRules, Showdown, Verdict, VoidRule, WagerRule,
};
use crate::fixed::wager::FixedWager;
use crate::hand::Ranking;
use crate::seat::SEATS_MAX;

/// The rules of Pennsylvania, § 647a.11(b) and (k).
pub(super) const PENNSYLVANIA: GameRules = GameRules {
    game: "texas-hold-em-bonus",
    jurisdiction: "PA",
    ranking: Ranking::FiveCard,
    // Two cards each, five community cards and four Six Card Bonus cards, § 647a.10(c).
    dealt: Dealt {
        own: 2,
        dealer: 2,
        community: 5,
        bonus: Some((4, FixedWager::SixCardBonus)),
    },
    seats_max: SEATS_MAX,
    one_position: None,
    wagers: &[ANTE, FLOP, TURN, RIVER, TEXAS_HOLD_EM_BONUS, SIX_CARD_BONUS],
    voids: &VOIDS,
    left: None,
    limit: Some(&limit::TEXAS_HOLD_EM_BONUS),
};

const ELIDED: Clause = Clause::pa("§ 647a.11(c) to (i)");

/// The Ante Wager.
const ANTE: WagerRule = WagerRule::required(
    FixedWager::Ante,
    Clause::pa("§ 647a.7(d)(1)"),
    Clause::pa("§ 647a.11(b)(2)"),
    elided,
);

/// The Flop Wager: twice the Ante Wager.
const FLOP: WagerRule = WagerRule::raise(
    FixedWager::Flop,
    Clause::pa("§ 647a.11(b)"),
    Amount::times_the_ante(2, |_| 2, true),
    elided,
);

/// The Turn Wager.
const TURN: WagerRule =
    WagerRule::optional(FixedWager::Turn, ELIDED, elided).folded(Fold::Elided(ELIDED));

/// The River Wager.
const RIVER: WagerRule =
    WagerRule::optional(FixedWager::River, ELIDED, elided).folded(Fold::Elided(ELIDED));

/// The Texas Hold 'Em Bonus Wager: a fold leaves it for the end of the round, § 647a.11(b)(2)(i)(A).
const TEXAS_HOLD_EM_BONUS: WagerRule = WagerRule::optional(
    FixedWager::TexasHoldEmBonus,
    Clause::pa("§ 647a.11(b)(2)(i)(A)"),
    elided,
);

/// The Six Card Bonus Wager on the player's two cards and the four bonus cards. A fold doesn't forfeit it.
const SIX_CARD_BONUS: WagerRule = WagerRule::optional(
    FixedWager::SixCardBonus,
    Clause::pa("§ 647a.7(d)(5)"),
    |showdown| Verdict::Shown {
        table: "six-card-bonus",
        cards: showdown.with_bonus(),
        clause: Clause::pa("§ 647a.11(k)"),
    },
);

const fn elided(_: &Showdown<'_>) -> Verdict {
    Verdict::Elided(ELIDED)
}

const VOIDS: [VoidRule; 1] = [VoidRule::new(
    Irregularity::WrongStub,
    Clause::pa("§ 647a.9(h)"),
    &[],
)];
