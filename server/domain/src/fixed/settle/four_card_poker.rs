//! Four Card Poker: 58 Pa. Code ch. 641a, as far as 49 Pa.B. 4956 prints it.
//!
//! # Left out by the source
//! § 641a.11(c)(1) to (5) decides the Ante, Play and Aces Up Wagers. So only the wagers of players who folded can be
//! settled, without Aces Up.

use crate::fixed::settle::cite::Clause;
use crate::fixed::settle::rules::{Amount, Dealt, Fold, GameRules, Showdown, Verdict, WagerRule};
use crate::fixed::wager::FixedWager;
use crate::hand::Ranking;
use crate::seat::SEATS_MAX;

/// The rules of Pennsylvania, § 641a.11(b) and (c).
pub(super) const PENNSYLVANIA: GameRules = GameRules {
    game: "four-card-poker",
    jurisdiction: "PA",
    ranking: Ranking::FourCard,
    // Five cards for each player, six for the dealer, and one Six Card Bonus card, § 641a.8(d).
    dealt: Dealt {
        own: 5,
        dealer: 6,
        community: 0,
        bonus: Some((1, FixedWager::SixCardBonus)),
    },
    seats_max: SEATS_MAX,
    one_position: None,
    wagers: &[ANTE, PLAY, ACES_UP, BAD_BEAT_BONUS, SIX_CARD_BONUS],
    voids: &[],
    left: None,
    limit: None,
};

const ELIDED: Clause = Clause::pa("§ 641a.11(c)(1) to (5)");

/// The Ante Wager.
const ANTE: WagerRule = WagerRule::required(
    FixedWager::Ante,
    Clause::pa("§ 641a.11(b)"),
    Clause::pa("§ 641a.11(b)"),
    elided,
);

/// The Play Wager: from one to three times the Ante Wager. The clause names no whole multiple.
const PLAY: WagerRule = WagerRule::raise(
    FixedWager::Play,
    Clause::pa("§ 641a.11(b)"),
    Amount::times_the_ante(1, |_| 3, false),
    elided,
);

/// The Aces Up Wager: a fold doesn't forfeit it, § 641a.11(b)(1).
const ACES_UP: WagerRule =
    WagerRule::optional(FixedWager::AcesUp, Clause::pa("§ 641a.11(b)(1)"), elided);

/// The Bad Beat Bonus Wager. (c)(6) prints its rule, but the other wagers of players who stay are left out, and so is
/// the effect of a fold.
const BAD_BEAT_BONUS: WagerRule = WagerRule::optional(
    FixedWager::BadBeatBonus,
    Clause::pa("§ 641a.11(c)(6)"),
    elided,
)
.folded(Fold::Elided(Clause::pa("§ 641a.11(b)")));

/// The Six Card Bonus Wager on the player's five cards and the bonus card. A fold doesn't forfeit it.
const SIX_CARD_BONUS: WagerRule = WagerRule::optional(
    FixedWager::SixCardBonus,
    Clause::pa("§ 641a.7(d)(8)"),
    |showdown| Verdict::Shown {
        table: "six-card-bonus",
        cards: showdown.with_bonus(),
        clause: Clause::pa("§ 641a.11(c)(8)"),
    },
);

const fn elided(_: &Showdown<'_>) -> Verdict {
    Verdict::Elided(ELIDED)
}
