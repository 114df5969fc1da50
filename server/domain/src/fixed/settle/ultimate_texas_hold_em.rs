//! Ultimate Texas Hold 'Em Poker: 58 Pa. Code ch. 653a, as far as 49 Pa.B. 4956 prints it.
//!
//! # Left out by the source
//! § 653a.11(g) and (h) decides the Ante, Blind and Play Wagers. So only the wagers of players who folded can be
//! settled whole. The odds of the Trips Wager, § 653a.12(c), have to be completed by an operator's file.

use crate::fixed::limit;
use crate::fixed::settle::cite::Clause;
use crate::fixed::settle::rules::{Amount, Dealt, Fold, GameRules, Showdown, Verdict, WagerRule};
use crate::fixed::wager::FixedWager;
use crate::hand::Ranking;
use crate::seat::SEATS_MAX;

/// The rules of Pennsylvania, § 653a.11(f), (i) and (m).
pub(super) const PENNSYLVANIA: GameRules = GameRules {
    game: "ultimate-texas-hold-em",
    jurisdiction: "PA",
    ranking: Ranking::FiveCard,
    // Two cards each, five community cards and four Six Card Bonus cards, § 653a.8(d).
    dealt: Dealt {
        own: 2,
        dealer: 2,
        community: 5,
        bonus: Some((4, FixedWager::SixCardBonus)),
    },
    seats_max: SEATS_MAX,
    one_position: None,
    wagers: &[ANTE, BLIND, PLAY, TRIPS, BAD_BEAT_BONUS, SIX_CARD_BONUS],
    voids: &[],
    left: None,
    limit: Some(&limit::ULTIMATE_TEXAS_HOLD_EM),
};

const REQUIRED: Clause = Clause::pa("§ 653a.7(d)(1)");
const FOLDED: Clause = Clause::pa("§ 653a.11(f)(2)");
const ELIDED: Clause = Clause::pa("§ 653a.11(g) and (h)");

/// The Ante Wager.
const ANTE: WagerRule = WagerRule::required(FixedWager::Ante, REQUIRED, FOLDED, elided);

/// The Blind Wager.
const BLIND: WagerRule = WagerRule::required(FixedWager::Blind, REQUIRED, FOLDED, elided);

/// The Play Wager: the Ante Wager after the last community cards. The multiples before are left out by the source.
const PLAY: WagerRule = WagerRule::raise(
    FixedWager::Play,
    Clause::pa("§ 653a.11(f)"),
    Amount::Any,
    elided,
);

/// The Trips Wager on the player's best five cards. A fold doesn't forfeit it.
const TRIPS: WagerRule =
    WagerRule::optional(FixedWager::Trips, Clause::pa("§ 653a.11(i)"), |showdown| {
        Verdict::Shown {
            table: "trips",
            cards: showdown.with_community(),
            clause: Clause::pa("§ 653a.11(i)"),
        }
    });

/// The Bad Beat Bonus Wager. (j) prints its rule, but only players who stay have it, and their other wagers are left
/// out.
const BAD_BEAT_BONUS: WagerRule = WagerRule::optional(
    FixedWager::BadBeatBonus,
    Clause::pa("§ 653a.7(d)(6)"),
    elided,
)
.folded(Fold::Collected(FOLDED));

/// The Six Card Bonus Wager on the player's two cards and the four bonus cards. A fold doesn't forfeit it.
const SIX_CARD_BONUS: WagerRule = WagerRule::optional(
    FixedWager::SixCardBonus,
    Clause::pa("§ 653a.7(d)(5)"),
    |showdown| Verdict::Shown {
        table: "six-card-bonus",
        cards: showdown.with_bonus(),
        clause: Clause::pa("§ 653a.11(m)"),
    },
);

const fn elided(_: &Showdown<'_>) -> Verdict {
    Verdict::Elided(ELIDED)
}
