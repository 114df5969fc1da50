//! Payout limits: the most that a player is paid on some wagers of a hand or of a round.
//!
//! # Shape
//! [`CLAUSES`] has one [`LimitClause`] a chapter. A limit is checked by [`LimitClause::check`] and carried out by
//! [`LimitClause::cut`] on all payouts of one hand, or of one player's round, as the clause counts them.
//!
//! # Readings
//! A payout is what the odds pay: the wager that goes back to the player is none. No clause has an order in which
//! payouts are cut. Payouts use up the limit in the order in which the chapter settles their wagers: the limit cuts
//! the payout that reaches it, and leaves nothing of the later ones.

use crate::fixed::wager::FixedWager;
use crate::money::{MICROS_PER_DOLLAR, Money, OutOfRange};
use crate::paytable::words;

/// The amount that no payout limit may be below: "at least $50,000", in all seven clauses.
pub const LAWFUL_MINIMUM: Money = Money::from_micros(50_000 * MICROS_PER_DOLLAR);

/// A clause that limits payouts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LimitClause {
    /// Game, such as `cajun-stud`.
    pub game: &'static str,
    /// Clause: `§ 683a.12(f)`.
    pub citation: &'static str,
    /// Payouts that share one limit.
    pub scope: LimitScope,
    /// True if the clause fixes the limit ("shall be"); false if the certificate holder may establish one.
    pub fixed: bool,
    /// Wagers whose payouts are cut. All others are exempt, progressive pays among them.
    pub wagers: &'static [FixedWager],
    /// Wagers whose subsection the clause names but not the wagers themselves: cut only by [`LimitReading::Subsections`].
    pub doubtful: &'static [FixedWager],
    /// The ways to win the most at the minimum wager. The wagers of one way win together.
    pub ways: &'static [&'static [WagerShare]],
}

/// The payouts that share one limit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum LimitScope {
    /// Those of one hand: "on a single hand", "for any hand".
    Hand,
    /// Those of one player in all his boxes: "per player per round of play".
    PlayerRound,
}

words! {
    /// The reading of a clause that names some wagers by their subsection only.
    LimitReading {
        /// The wagers that the clause names.
        Named = 1 "named",
        /// All wagers of the subsections that the clause names.
        Subsections = 2 "subsections",
    }
}

/// A wager's part of the most that one patron can win.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct WagerShare {
    /// Table that pays, by the name of one of its wagers.
    pub table: &'static str,
    /// Wagers paid by it, in multiples of the minimum wager.
    pub times: u64,
}

/// A payout before its limit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FixedPayout {
    /// Wager that won.
    pub wager: FixedWager,
    /// Amount that the odds pay, without the wager itself.
    pub amount: Money,
}

/// A limit that the clause doesn't allow.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitRefused {
    /// The limit is below the least that the clause allows.
    #[error("the limit is below {floor}, the least that {citation} allows: set at least that")]
    TooLow {
        /// Clause.
        citation: &'static str,
        /// Least limit.
        floor: Money,
    },
    /// The clause fixes the limit.
    #[error("{citation} fixes the limit at {floor} for this minimum wager: leave the limit out")]
    Fixed {
        /// Clause.
        citation: &'static str,
        /// Limit in force.
        floor: Money,
    },
}

/// The clauses that limit payouts.
pub const CLAUSES: [&LimitClause; 7] = [
    &LET_IT_RIDE,
    &TEXAS_HOLD_EM_BONUS,
    &ULTIMATE_TEXAS_HOLD_EM,
    &WPT_HEADS_UP_HOLD_EM,
    &THREE_CARD_PRIME,
    &CAJUN_STUD,
    &FOUR_CARD_FRENZY,
];

/// § 643a.12(h): "apply only to payouts of Let It Ride Poker Wagers under subsection (a)"; (b) to (g) are exempt by name.
pub const LET_IT_RIDE: LimitClause = LimitClause {
    game: "let-it-ride",
    citation: "§ 643a.12(h)",
    scope: LimitScope::Hand,
    fixed: false,
    wagers: &[
        FixedWager::FirstLetItRide,
        FixedWager::SecondLetItRide,
        FixedWager::ThirdLetItRide,
    ],
    doubtful: &[],
    ways: &[&[share("let-it-ride", 3)]],
};

/// § 647a.12(c): "on all winning Ante, Flop, Turn and River Wagers for any hand". The amounts of the Turn and the River
/// Wager are not printed.
pub const TEXAS_HOLD_EM_BONUS: LimitClause = LimitClause {
    game: "texas-hold-em-bonus",
    citation: "§ 647a.12(c)",
    scope: LimitScope::Hand,
    fixed: true,
    wagers: &[
        FixedWager::Ante,
        FixedWager::Flop,
        FixedWager::Turn,
        FixedWager::River,
    ],
    doubtful: &[],
    ways: &[],
};

/// § 653a.12(h): "apply only to payouts of Ultimate Texas Hold 'Em Poker Wagers under subsections (a) and (b)"; (c) to
/// (g) are exempt by name. Which odds pay which wager is not printed.
pub const ULTIMATE_TEXAS_HOLD_EM: LimitClause = LimitClause {
    game: "ultimate-texas-hold-em",
    citation: "§ 653a.12(h)",
    scope: LimitScope::Hand,
    fixed: false,
    wagers: &[FixedWager::Ante, FixedWager::Blind, FixedWager::Play],
    doubtful: &[],
    ways: &[],
};

/// § 677a.12(f): "apply only to payouts of Ante, Raise and Odds Wagers"; (c) to (e) are exempt by name.
pub const WPT_HEADS_UP_HOLD_EM: LimitClause = LimitClause {
    game: "wpt-heads-up-hold-em",
    citation: "§ 677a.12(f)",
    scope: LimitScope::PlayerRound,
    fixed: false,
    wagers: &[FixedWager::Ante, FixedWager::Raise, FixedWager::Odds],
    doubtful: &[],
    ways: &[],
};

/// § 679a.12(h): "apply only to payouts of Ante and Play Wagers under subsections (a) and (b)"; (c) to (g) are exempt by
/// name.
pub const THREE_CARD_PRIME: LimitClause = LimitClause {
    game: "three-card-prime",
    citation: "§ 679a.12(h)",
    scope: LimitScope::PlayerRound,
    fixed: false,
    wagers: &[FixedWager::Ante, FixedWager::Play],
    doubtful: &[],
    ways: &[],
};

/// § 683a.12(f): "Notwithstanding the payout odds in subsection (a)", which are those of the Ante and the Raise Wagers.
/// The clause doesn't name the optional wagers of (b) to (e), so they are left whole. The most is won "when betting the
/// minimum Ante and Raise Wager": an Ante and three Raises.
pub const CAJUN_STUD: LimitClause = LimitClause {
    game: "cajun-stud",
    citation: "§ 683a.12(f)",
    scope: LimitScope::PlayerRound,
    fixed: false,
    wagers: &[
        FixedWager::Ante,
        FixedWager::FirstRaise,
        FixedWager::SecondRaise,
        FixedWager::ThirdRaise,
    ],
    doubtful: &[],
    ways: &[&[share("ante", 1), share("raise", 3)]],
};

/// § 684a.12(g): "apply only to payouts of Ante and Raise Wagers under subsections (a)—(c)", though (b) and (c) pay the
/// Odds Wager alone. The most is won either by a hand that wins all three wagers, or by a bad beat of the Odds Wager.
pub const FOUR_CARD_FRENZY: LimitClause = LimitClause {
    game: "four-card-frenzy",
    citation: "§ 684a.12(g)",
    scope: LimitScope::PlayerRound,
    fixed: false,
    wagers: &[FixedWager::Ante, FixedWager::Raise],
    doubtful: &[FixedWager::Odds],
    ways: &[
        &[share("ante", 1), share("raise", 1), share("odds", 1)],
        &[share("odds-bad-beat", 1)],
    ],
};

/// Returns the clause that limits the payouts of a game in Pennsylvania. No rule of Massachusetts limits a payout.
pub fn clause_of(game: &str) -> Option<&'static LimitClause> {
    CLAUSES.into_iter().find(|clause| clause.game == game)
}

const fn share(table: &'static str, times: u64) -> WagerShare {
    WagerShare { table, times }
}

impl LimitClause {
    /// Checks if the limit cuts a wager's payouts.
    pub fn cuts(&self, wager: FixedWager, reading: LimitReading) -> bool {
        self.wagers.contains(&wager)
            || reading == LimitReading::Subsections && self.doubtful.contains(&wager)
    }

    /// Returns the most that one patron can win in a round at the table's minimum wager, on the wagers of the
    /// subsections that the clause names. `highest` returns the highest pay of the chosen table of a name for one
    /// wager of an amount. Returns nothing if the source prints no table or no amount of one of these wagers.
    ///
    /// # Errors
    /// [`OutOfRange`] if the sum leaves the range.
    pub fn most_at(
        &self,
        minimum: Money,
        highest: impl Fn(&'static str, Money) -> Option<Money>,
    ) -> Result<Option<Money>, OutOfRange> {
        let mut most = None;
        for way in self.ways {
            let mut sum = Money::ZERO;
            for share in *way {
                let Some(pay) = highest(share.table, minimum) else {
                    return Ok(None);
                };
                sum = sum.plus(pay.times(share.times)?)?;
            }
            most = most.max(Some(sum));
        }
        Ok(most)
    }

    /// Checks a limit, and returns the one in force, if any. `most` is what one patron can win in a round at the
    /// table's minimum wager, see [`LimitClause::most_at`].
    ///
    /// # Errors
    /// [`LimitRefused`] if the clause doesn't allow the limit.
    pub fn check(&self, limit: Option<Money>, most: Money) -> Result<Option<Money>, LimitRefused> {
        let citation = self.citation;
        let floor = floor(most);
        match limit {
            None => Ok(self.fixed.then_some(floor)),
            Some(limit) if self.fixed && limit != floor => {
                Err(LimitRefused::Fixed { citation, floor })
            }
            Some(limit) if limit < floor => Err(LimitRefused::TooLow { citation, floor }),
            Some(limit) => Ok(Some(limit)),
        }
    }

    /// Returns what the limit leaves of each payout. The payouts are all those that share the limit (see
    /// [`LimitClause::scope`]), in the order in which the chapter settles their wagers.
    pub fn cut(&self, limit: Money, reading: LimitReading, payouts: &[FixedPayout]) -> Vec<Money> {
        let mut left = limit;
        let paid = payouts.iter().map(|payout| {
            if !self.cuts(payout.wager, reading) {
                return payout.amount;
            }
            let paid = payout.amount.min(left);
            left = left.minus(paid).unwrap_or(Money::ZERO);
            paid
        });
        paid.collect()
    }
}

/// Returns the least limit that the clauses allow: "$50,000 or the maximum amount that one patron could win per
/// round when betting the minimum wager, whichever is greater".
pub fn floor(most_at_minimum: Money) -> Money {
    LAWFUL_MINIMUM.max(most_at_minimum)
}
