//! The mistakes in a round that is to be settled, each with the path of its field.

use core::fmt;

use crate::card::Card;
use crate::fixed::dice::DiceWager;
use crate::fixed::limit::LimitRefused;
use crate::fixed::wager::{FixedWager, RoundWager};
use crate::money::Money;
use crate::seat::Seat;

/// A mistake in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Path of the field, such as `seats[0].wagers[2].amount`.
    pub path: String,
    /// Mistake.
    pub mistake: Mistake,
}

impl Finding {
    pub(super) fn new(path: impl Into<String>, mistake: Mistake) -> Self {
        Self {
            path: path.into(),
            mistake,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.path, self.mistake)
    }
}

/// A mistake, with what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mistake {
    /// No rules of the game are known in the jurisdiction, or the source prints too little of them.
    #[error("no rounds of this game are settled in {jurisdiction}: write one of {known}")]
    GameUnknown {
        /// Jurisdiction.
        jurisdiction: String,
        /// Known games.
        known: String,
    },
    /// The step or the minimum of the table is not above zero, or has a fraction of a cent.
    #[error("write an amount of at least one cent, in whole cents")]
    NoAmount,
    /// The seat is on no layout of the game.
    #[error("seat {seat} is not on the layout: write 1 to {most}")]
    SeatUnknown {
        /// Seat.
        seat: Seat,
        /// Highest seat.
        most: u8,
    },
    /// The seat stands twice in the round.
    #[error("seat {seat} is there twice: write its wagers in one place")]
    SeatTwice {
        /// Seat.
        seat: Seat,
    },
    /// The player has two positions where the rules allow one.
    #[error("the player has another seat: {clause} allows one position a player")]
    PositionTwice {
        /// Clause.
        clause: &'static str,
    },
    /// The hands of the round are of no player.
    #[error("the round has no seat: write at least one")]
    NoSeats,
    /// The number of cards is wrong.
    #[error("{found} cards instead of {dealt}: write all cards that were dealt")]
    CardsCount {
        /// Number dealt by the rules.
        dealt: usize,
        /// Number in the round.
        found: usize,
    },
    /// A card stands twice in the round.
    #[error("{card} is in the round twice: one deck has one")]
    CardTwice {
        /// Card.
        card: Card,
    },
    /// A wager is judged by cards that the round doesn't have.
    #[error("the cards that decide this wager are missing: write all cards that were dealt")]
    CardsMissing,
    /// The game doesn't have the wager.
    #[error("the game has no {wager}: write one of {known}")]
    WagerUnknown {
        /// Wager.
        wager: RoundWager,
        /// Wagers of the game.
        known: String,
    },
    /// The wager stands twice at one seat.
    #[error("{wager} is there twice: write one amount")]
    WagerTwice {
        /// Wager.
        wager: RoundWager,
    },
    /// A wager that every player of a round places is missing.
    #[error("{wager} is missing: {clause} requires it before any other wager")]
    WagerMissing {
        /// Required wager.
        wager: FixedWager,
        /// Clause.
        clause: &'static str,
    },
    /// A wager that keeps the hand in the round is missing, and the player didn't fold.
    #[error("{wager} is missing: without it the player folded ({clause})")]
    RaiseMissing {
        /// Missing wager.
        wager: FixedWager,
        /// Clause.
        clause: &'static str,
    },
    /// The player folded, and placed the last wager of those who stay.
    #[error("the player folded with {wager} placed: leave it out, or write that the player stayed")]
    FoldedWithRaise {
        /// Last wager.
        wager: FixedWager,
    },
    /// The game has no fold.
    #[error("the game has no fold: write that the player stayed")]
    NoFold,
    /// The amount is no multiple of the table's smallest chip.
    #[error("{amount} is off the table's steps: write a multiple of {step}")]
    OffStep {
        /// Amount.
        amount: Money,
        /// Smallest chip.
        step: Money,
    },
    /// The amount is below the table's minimum.
    #[error("{amount} is below the table's minimum: write at least {minimum}")]
    BelowMinimum {
        /// Amount.
        amount: Money,
        /// Minimum.
        minimum: Money,
    },
    /// The amount is no permitted multiple of another wager.
    #[error("{wager} is {amount}: for these cards {clause} permits {permitted}")]
    NotTimes {
        /// Wager.
        wager: FixedWager,
        /// Amount.
        amount: Money,
        /// Permitted amounts.
        permitted: String,
        /// Clause.
        clause: &'static str,
    },
    /// No table was chosen that pays the wager.
    #[error(
        "no table pays {table} in this game: choose one, or complete it where the source leaves it out"
    )]
    TableMissing {
        /// Wager, as tables name it.
        table: &'static str,
    },
    /// Two chosen tables pay the wager.
    #[error("two tables pay {table} in this game: choose one")]
    TableTwice {
        /// Wager, as tables name it.
        table: &'static str,
    },
    /// The source doesn't print the rule.
    #[error(
        "the source doesn't print how this is decided: {clause} is left out; settle it by the whole chapter"
    )]
    Elided {
        /// Clause, as far as it is known.
        clause: &'static str,
    },
    /// The source doesn't print the irregularity for this game.
    #[error("the source doesn't print what becomes of the wagers after this irregularity")]
    VoidElided,
    /// The game has no payout limit.
    #[error("no clause lets this game limit payouts: leave the limit out")]
    LimitUnknown,
    /// The clause doesn't allow the limit.
    #[error(transparent)]
    Limit(#[from] LimitRefused),
    /// The clause of the limit has two readings, and none is chosen.
    #[error(
        "{clause} can be read in two ways: write named (it cuts the wagers that the clause names) or subsections (it \
         cuts all wagers of the subsections that it names)"
    )]
    ReadingMissing {
        /// Clause.
        clause: &'static str,
    },
    /// The tables don't give the most that one patron can win at the minimum wager.
    #[error(
        "the source prints too little to compute the least limit of {clause}: write the most that one patron can win"
    )]
    MostMissing {
        /// Clause.
        clause: &'static str,
    },
    /// The tables give another amount.
    #[error("the tables give {most}: leave this out")]
    MostDiffers {
        /// Amount by the tables.
        most: Money,
    },
    /// The dice don't show 1 to 6.
    #[error("a die shows 1 to 6: write three of these numbers")]
    NoDice,
    /// The numbers can't be chosen with the wager on dice.
    #[error("{}", numbers_chosen(*wager, *chosen))]
    NumbersChosen {
        /// Wager.
        wager: DiceWager,
        /// Numbers that a player chooses with it.
        chosen: usize,
    },
    /// The table of One of a Kind has another letter than that of the other wagers on dice.
    #[error(
        "§ 625a.6(b)(3) pays One of a Kind by the paytable of the other wagers: choose tables of one letter"
    )]
    LettersDiffer,
    /// The spins of a Touchdown Roulette game are none that a wheel makes.
    #[error(
        "no such game: write the spin after the wagers, and after 0 or 00 four downs, or fewer if an end zone ends the game"
    )]
    NoSpins,
    /// The reading of an end zone reached before the fourth down is not chosen, and the results differ.
    #[error(
        "the source doesn't print whether an end zone reached before the fourth down ends the game: write ends-game or \
         plays-on"
    )]
    GoalMissing,
    /// The player's team is missing.
    #[error("a game began: write the team that the player chose, § 617a.3(f)(2)")]
    TeamMissing,
    /// The player has a team, and no game began.
    #[error(
        "no game began, because a team is chosen after 0 or 00: leave the team out, § 617a.3(f)(1)"
    )]
    TeamWithoutGame,
    /// An amount has a fraction of a cent, or the pay leaves the range of money.
    #[error(
        "the pay is no amount in whole cents below 9.2 trillion dollars: write an amount whose pay is one"
    )]
    Unpayable,
}

/// Returns the sentence on the numbers that a wager on dice goes with.
fn numbers_chosen(wager: DiceWager, chosen: usize) -> String {
    match chosen {
        0 => format!("{wager} goes without numbers: leave them out"),
        1 => format!("{wager} goes with a number from 1 to 6: write one"),
        chosen => {
            format!("{wager} goes with numbers from 1 to 6, all different: write {chosen} of them")
        }
    }
}
