//! The description of a game: its wagers in the order of settlement, and the rule that decides each.
//!
//! # Shape
//! Each game is one file with one [`GameRules`] a jurisdiction. The engine reads it; it has no game of its own.

use crate::card::Card;
use crate::fixed::limit::LimitClause;
use crate::fixed::settle::cite::Clause;
use crate::fixed::settle::round::Irregularity;
use crate::fixed::wager::FixedWager;
use crate::hand::{Evaluated, Ranking};

/// The rules of a game in a jurisdiction.
pub(super) struct GameRules {
    /// Name of the game.
    pub(super) game: &'static str,
    /// Code of the jurisdiction.
    pub(super) jurisdiction: &'static str,
    /// Ranking by which the player's hand is compared with the dealer's.
    pub(super) ranking: Ranking,
    /// Cards dealt.
    pub(super) dealt: Dealt,
    /// Most betting positions of the layout.
    pub(super) seats_max: u8,
    /// Clause that lets a player wager on one position only, if there is one.
    pub(super) one_position: Option<Clause>,
    /// Wagers in the order in which the chapter settles them.
    pub(super) wagers: &'static [WagerRule],
    /// Irregularities that make a round void, with what the source prints of them.
    pub(super) voids: &'static [VoidRule],
    /// Clause for the wagers of a player who leaves, if the source prints it.
    pub(super) left: Option<Clause>,
    /// Payout limit, if the game has one.
    pub(super) limit: Option<&'static LimitClause>,
}

/// The numbers of cards that are dealt; zero if there are none of a kind.
pub(super) struct Dealt {
    /// Player's own cards.
    pub(super) own: usize,
    /// Dealer's cards.
    pub(super) dealer: usize,
    /// Community cards.
    pub(super) community: usize,
    /// Cards of a bonus wager, dealt once for the table, with the wager.
    pub(super) bonus: Option<(usize, FixedWager)>,
}

/// The rule of a wager.
pub(super) struct WagerRule {
    /// Wager.
    pub(super) wager: FixedWager,
    /// Clause that has the wager, with its amount.
    pub(super) clause: Clause,
    /// Part of the wager in the round.
    pub(super) place: Place,
    /// Amount that is allowed.
    pub(super) amount: Amount,
    /// Effect of a fold.
    pub(super) fold: Fold,
    /// Rule that decides the wager at the showdown.
    pub(super) judge: fn(&Showdown<'_>) -> Verdict,
    /// Tables that have to be chosen whatever the cards are, by their wagers' names, if the wager is paid by several.
    pub(super) tables: &'static [&'static str],
}

/// The part of a wager in a round.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// Placed before the deal by every player.
    Required,
    /// Placed after the deal to stay in the round. A game with several has them in the order of the round.
    Raise,
    /// Placed before the deal by players who want it.
    Optional,
}

/// The amount of a wager.
#[derive(Copy, Clone)]
pub(super) enum Amount {
    /// Any amount on the table's steps.
    Any,
    /// From one to so many times another wager.
    Times {
        /// Other wager.
        of: FixedWager,
        /// Least multiple.
        least: u64,
        /// Most, by the player's own cards.
        most: fn(&[Card]) -> u64,
        /// True if the multiple is a whole number.
        whole: bool,
    },
}

/// The effect of a fold on a wager.
#[derive(Copy, Clone)]
pub(super) enum Fold {
    /// The wager is forfeited.
    Collected(Clause),
    /// The wager is settled with the others.
    Stays,
    /// The source doesn't print it.
    Elided(Clause),
}

/// The effect of an irregularity.
pub(super) struct VoidRule {
    /// Irregularity.
    pub(super) irregularity: Irregularity,
    /// Clause that makes the round void.
    pub(super) clause: Clause,
    /// Wagers that are settled nevertheless. All others are returned.
    pub(super) settled: &'static [FixedWager],
}

/// The cards and hands from which a wager of one seat is decided.
pub(super) struct Showdown<'a> {
    /// Player's own cards.
    pub(super) own: &'a [Card],
    /// Community cards.
    pub(super) community: &'a [Card],
    /// Cards of the bonus wager.
    pub(super) bonus: &'a [Card],
    /// Player's highest hand; none if cards are missing.
    pub(super) player: Option<Evaluated>,
    /// Dealer's highest hand; none if the game has no dealer's hand, or if cards are missing.
    pub(super) dealer: Option<Evaluated>,
}

/// The decision of a wager.
pub(super) enum Verdict {
    /// The line of a table that these cards meet decides; the wager loses if none is met.
    Shown {
        /// Table, by its wager's name.
        table: &'static str,
        /// Cards that are judged.
        cards: Vec<Card>,
        /// Clause that settles the wager.
        clause: Clause,
    },
    /// The line of a table that the highest hand at the table meets decides; the wager loses if none is met.
    HighestAtTable {
        /// Table, by its wager's name.
        table: &'static str,
        /// Clause that settles the wager.
        clause: Clause,
    },
    /// The player's hand wins at the odds of a table with one line.
    Wins {
        /// Table, by its wager's name.
        table: &'static str,
        /// Clause that settles the wager.
        clause: Clause,
    },
    /// The wager goes back.
    Push(Clause),
    /// The wager is collected.
    Loses(Clause),
    /// Cards that decide the wager are missing.
    CardsMissing,
    /// The source doesn't print how the wager is decided.
    Elided(Clause),
}

impl VoidRule {
    /// Returns an irregularity after which these wagers are settled, and all others returned.
    pub(super) const fn new(
        irregularity: Irregularity,
        clause: Clause,
        settled: &'static [FixedWager],
    ) -> Self {
        Self {
            irregularity,
            clause,
            settled,
        }
    }
}

impl WagerRule {
    /// Returns a wager that every player places before the deal.
    pub(super) const fn required(
        wager: FixedWager,
        clause: Clause,
        folded: Clause,
        judge: fn(&Showdown<'_>) -> Verdict,
    ) -> Self {
        Self {
            wager,
            clause,
            place: Place::Required,
            amount: Amount::Any,
            fold: Fold::Collected(folded),
            judge,
            tables: &[],
        }
    }

    /// Returns a wager that is placed to stay in the round. A later fold forfeits it.
    pub(super) const fn raise(
        wager: FixedWager,
        clause: Clause,
        amount: Amount,
        judge: fn(&Showdown<'_>) -> Verdict,
    ) -> Self {
        Self {
            wager,
            clause,
            place: Place::Raise,
            amount,
            fold: Fold::Collected(clause),
            judge,
            tables: &[],
        }
    }

    /// Returns an optional wager that a fold doesn't touch.
    pub(super) const fn optional(
        wager: FixedWager,
        clause: Clause,
        judge: fn(&Showdown<'_>) -> Verdict,
    ) -> Self {
        Self {
            wager,
            clause,
            place: Place::Optional,
            amount: Amount::Any,
            fold: Fold::Stays,
            judge,
            tables: &[],
        }
    }

    /// Returns the wager with another effect of a fold.
    pub(super) const fn folded(self, fold: Fold) -> Self {
        Self { fold, ..self }
    }

    /// Returns the wager with several tables that pay it.
    pub(super) const fn paid_by(self, tables: &'static [&'static str]) -> Self {
        Self { tables, ..self }
    }

    /// Returns the wager with another amount.
    pub(super) const fn of_amount(self, amount: Amount) -> Self {
        Self { amount, ..self }
    }
}

impl Amount {
    /// The amount of the Ante Wager.
    pub(super) const EQUAL_TO_ANTE: Self = Self::times_the_ante(1, |_| 1, true);

    /// Returns an amount from `least` to `most` times the Ante Wager.
    pub(super) const fn times_the_ante(least: u64, most: fn(&[Card]) -> u64, whole: bool) -> Self {
        Self::Times {
            of: FixedWager::Ante,
            least,
            most,
            whole,
        }
    }
}

impl Showdown<'_> {
    /// Returns both hands, if their cards are there.
    pub(super) fn hands(&self) -> Option<(Evaluated, Evaluated)> {
        self.player.zip(self.dealer)
    }

    /// Returns the own cards with the community's.
    pub(super) fn with_community(&self) -> Vec<Card> {
        [self.own, self.community].concat()
    }

    /// Returns the own cards with those of the bonus wager.
    pub(super) fn with_bonus(&self) -> Vec<Card> {
        [self.own, self.bonus].concat()
    }
}
