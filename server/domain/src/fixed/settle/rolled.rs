//! A round without hands as it was played: what was rolled, and the wagers.

use crate::fixed::field::{Compartment, Goal, Team};
use crate::fixed::settle::round::TableTerms;
use crate::fixed::wager::RoundWager;
use crate::money::Money;
use crate::seat::Seat;

/// Code of the jurisdiction that prints games without hands.
pub(super) const JURISDICTION: &str = "PA";

/// A game without hands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum RolledGame {
    /// Sic Bo (58 Pa. Code Chapter 625a).
    SicBo,
    /// Roulette, of which the Touchdown Roulette Wager is settled (58 Pa. Code Chapter 617a).
    Roulette,
}

impl RolledGame {
    /// Every game.
    pub const ALL: [Self; 2] = [Self::SicBo, Self::Roulette];

    /// Returns the name of the game.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SicBo => "sic-bo",
            Self::Roulette => "roulette",
        }
    }

    /// Returns the game of this name, if its rounds are settled in the jurisdiction.
    pub fn named(game: &str, jurisdiction: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|known| known.name() == game && jurisdiction == JURISDICTION)
    }
}

/// A round without hands to settle, of Pennsylvania.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolledRound {
    /// Dice or spins.
    pub rolled: Rolled,
    /// Terms of the table. The minimum is that of every wager. No clause has a limit.
    pub terms: TableTerms,
    /// Wagers of the players.
    pub seats: Vec<SeatWagers>,
}

/// The dice or spins of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rolled {
    /// Numbers that three dice show, in any order.
    Dice(Vec<u8>),
    /// Spins of Touchdown Roulette.
    Spins {
        /// Spin after the wagers were placed, and the downs of the game that it began.
        spins: Vec<Compartment>,
        /// Reading of an end zone reached before the fourth down, where the results differ.
        goal: Option<Goal>,
    },
}

/// The wagers of one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatWagers {
    /// Number that tells the players of a round apart. No clause prints the positions of a layout.
    pub seat: Seat,
    /// Wagers, in any order.
    pub wagers: Vec<ChosenWager>,
}

/// A wager with its amount and with what the player chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenWager {
    /// Wager.
    pub wager: RoundWager,
    /// Amount.
    pub amount: Money,
    /// Numbers chosen with a wager on dice: none, one or two.
    pub numbers: Vec<u8>,
    /// Team that the player of a Touchdown Roulette Wager chose after 0 or 00.
    pub team: Option<Team>,
}

impl ChosenWager {
    /// Checks if both are one betting area: the same wager on the same numbers.
    pub(super) fn is_on_same(&self, other: &Self) -> bool {
        let is_in = |number| other.numbers.contains(number);
        self.wager == other.wager
            && self.numbers.len() == other.numbers.len()
            && self.numbers.iter().all(is_in)
    }
}
