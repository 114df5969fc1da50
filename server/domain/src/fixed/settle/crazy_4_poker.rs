//! Crazy 4 Poker: 58 Pa. Code ch. 657a, and the rules of Massachusetts.
//!
//! # Readings
//! No sentence collects a Super Bonus Wager. The layout says that it "shall be returned if the player beats or ties
//! the dealer with a hand that is not a straight or better", § 657a.2(b)(7)(iv). So it loses below a straight if the
//! dealer's hand is higher. Against a dealer without a king the player's hand counts as winning: the Play Wager is
//! paid whatever the player has, § 657a.11(c)(3)(i).

use core::cmp::Ordering;

use crate::card::Card;
use crate::fixed::settle::cite::Clause;
use crate::fixed::settle::four_cards::{
    is_king_or_better, is_pair_of_aces_or_better, is_straight_or_better,
};
use crate::fixed::settle::round::Irregularity;
use crate::fixed::settle::rules::{
    Amount, Dealt, Fold, GameRules, Showdown, Verdict, VoidRule, WagerRule,
};
use crate::fixed::wager::FixedWager;
use crate::hand::Ranking;

/// The rules of Pennsylvania, § 657a.11(b) to (g). The chapter has no payout limit and no Cover All Bonus Wager.
pub(super) const PENNSYLVANIA: GameRules = GameRules {
    game: "crazy-4-poker",
    jurisdiction: "PA",
    ranking: Ranking::FourCard,
    // Five cards each and one for the Six Card Bonus, § 657a.8(d).
    dealt: Dealt {
        own: 5,
        dealer: 5,
        community: 0,
        bonus: Some((1, FixedWager::SixCardBonus)),
    },
    seats_max: 6,
    one_position: None,
    wagers: &[ANTE, PLAY, SUPER_BONUS, QUEENS_UP, SIX_CARD_BONUS],
    voids: &VOIDS,
    left: Some(LEFT),
    limit: None,
};

/// The rules of Massachusetts, Sections 10 and 12. They have no Six Card Bonus Wager.
pub(super) const MASSACHUSETTS: GameRules = GameRules {
    jurisdiction: "MA",
    dealt: Dealt {
        own: 5,
        dealer: 5,
        community: 0,
        bonus: None,
    },
    one_position: Some(Clause::ma("Section 6(e)")),
    wagers: &[ANTE, PLAY, SUPER_BONUS, QUEENS_UP, COVER_ALL],
    ..PENNSYLVANIA
};

/// The Ante Wager: it plays against a dealer with a king or better.
const ANTE: WagerRule = WagerRule::required(
    FixedWager::Ante,
    Clause::both("§ 657a.7(d)(1)", "Section 6(d)(1)"),
    FORFEITED,
    |showdown| match Standing::of(showdown) {
        None => Verdict::CardsMissing,
        Some(standing @ (Standing::NoKing | Standing::Equal)) => Verdict::Push(standing.clause()),
        Some(standing @ Standing::Lower) => Verdict::Loses(standing.clause()),
        Some(standing @ Standing::Higher) => Verdict::Wins {
            table: "ante",
            clause: standing.clause(),
        },
    },
);

/// The Play Wager: as the Ante Wager, but paid if the dealer has no king. It equals the Ante Wager, or is up to three
/// times as much with a pair of aces or better.
const PLAY: WagerRule = WagerRule::raise(
    FixedWager::Play,
    FORFEITED,
    // "Up to three times" names no whole multiple.
    Amount::times_the_ante(1, most_play, false),
    |showdown| match Standing::of(showdown) {
        None => Verdict::CardsMissing,
        Some(standing @ Standing::Equal) => Verdict::Push(standing.clause()),
        Some(standing @ Standing::Lower) => Verdict::Loses(standing.clause()),
        Some(standing @ (Standing::NoKing | Standing::Higher)) => Verdict::Wins {
            table: "play",
            clause: standing.clause(),
        },
    },
);

/// The Super Bonus Wager: paid by its table from a straight on, even if the hand loses.
const SUPER_BONUS: WagerRule = WagerRule::required(
    FixedWager::SuperBonus,
    Clause::both("§ 657a.7(d)(1)", "Section 6(d)(1)"),
    FORFEITED,
    |showdown| match Standing::of(showdown) {
        None => Verdict::CardsMissing,
        Some(standing) if showdown.player.is_some_and(is_straight_or_better) => Verdict::Shown {
            table: "super-bonus",
            cards: showdown.own.to_vec(),
            clause: standing.clause(),
        },
        Some(standing @ Standing::Lower) => Verdict::Loses(standing.clause()),
        Some(standing) => Verdict::Push(standing.clause()),
    },
)
.of_amount(Amount::EQUAL_TO_ANTE);

/// The Queens Up Wager: paid by its table whatever the dealer has, and forfeited with the others.
const QUEENS_UP: WagerRule = WagerRule::optional(
    FixedWager::QueensUp,
    Clause::both("§ 657a.7(d)(2)", "Section 6(d)(2)"),
    |showdown| Verdict::Shown {
        table: "queens-up",
        cards: showdown.own.to_vec(),
        clause: Clause::both("§ 657a.11(d)", "Section 10(d)"),
    },
)
.folded(Fold::Collected(Clause::both(
    "§ 657a.11(b)(1)",
    "Section 10(b)(1)",
)));

/// The Six Card Bonus Wager: the player's five cards and the bonus card. A fold doesn't forfeit it, § 657a.11(b)(3).
const SIX_CARD_BONUS: WagerRule = WagerRule::optional(
    FixedWager::SixCardBonus,
    Clause::pa("§ 657a.7(d)(6)"),
    |showdown| Verdict::Shown {
        table: "six-card-bonus",
        cards: showdown.with_bonus(),
        clause: Clause::pa("§ 657a.11(g)"),
    },
);

/// The Cover All Bonus Wager on the highest hand at the table. A folded hand is in the discard rack by then, Section
/// 10(c), so it doesn't count. No section forfeits the wager of a player who folds, so it stays.
const COVER_ALL: WagerRule =
    WagerRule::optional(FixedWager::CoverAll, Clause::ma("Section 12(a)"), |_| {
        Verdict::HighestAtTable {
            table: "cover-all",
            clause: Clause::ma("Section 12(g)"),
        }
    });

const FORFEITED: Clause = Clause::both("§ 657a.11(b)", "Section 10(b)");
const LEFT: Clause = Clause::both("§ 657a.7(b)", "Section 6(b)");

/// After each of these all wagers are returned, the optional ones too.
const VOIDS: [VoidRule; 5] = [
    VoidRule::new(
        Irregularity::CardsFaceUp,
        Clause::both("§ 657a.13(a)", "Section 14(a)"),
        &[],
    ),
    VoidRule::new(
        Irregularity::WrongNumberOfCards,
        Clause::both("§ 657a.13(c)", "Section 14(c)"),
        &[],
    ),
    VoidRule::new(
        Irregularity::ExposedEarly,
        Clause::both("§ 657a.13(d)", "Section 14(d)"),
        &[],
    ),
    VoidRule::new(
        Irregularity::ShoeJammed,
        Clause::both("§ 657a.13(f)", "Section 14(f)"),
        &[],
    ),
    VoidRule::new(
        Irregularity::WrongStub,
        Clause::both("§ 657a.8(h)", "Section 7(h)"),
        &[],
    ),
];

/// Returns three for a pair of aces or better, and for a hand that isn't there as it was dealt: it may have one.
fn most_play(own: &[Card]) -> u64 {
    let is_whole = own.len() == PENNSYLVANIA.dealt.own;
    if is_pair_of_aces_or_better(own) || !is_whole {
        3
    } else {
        1
    }
}

/// The player's hand against the dealer's, § 657a.11(c)(3).
enum Standing {
    /// The dealer's hand is lower than a king.
    NoKing,
    /// The player's hand is lower than the dealer's.
    Lower,
    /// The player's hand is higher than the dealer's.
    Higher,
    /// The hands are equal.
    Equal,
}

impl Standing {
    fn of(showdown: &Showdown<'_>) -> Option<Self> {
        let (player, dealer) = showdown.hands()?;
        if !is_king_or_better(dealer) {
            return Some(Self::NoKing);
        }
        Some(match player.cmp(&dealer) {
            Ordering::Less => Self::Lower,
            Ordering::Equal => Self::Equal,
            Ordering::Greater => Self::Higher,
        })
    }

    const fn clause(&self) -> Clause {
        match self {
            Self::NoKing => Clause::both("§ 657a.11(c)(3)(i)", "Section 10(c)(3)(i)"),
            Self::Lower => Clause::both("§ 657a.11(c)(3)(ii)(A)", "Section 10(c)(3)(ii)a"),
            Self::Higher => Clause::both("§ 657a.11(c)(3)(ii)(B)", "Section 10(c)(3)(ii)b"),
            Self::Equal => Clause::both("§ 657a.11(c)(3)(ii)(C)", "Section 10(c)(3)(ii)c"),
        }
    }
}
