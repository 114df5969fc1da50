//! The field of the Touchdown Roulette wager, 58 Pa. Code § 617a.3(f).
//!
//! # Printed
//! A 0 or 00 starts a game of four downs. The value of a compartment moves the football from the 50 yard line, and its
//! colour decides toward which end zone.
//!
//! # Not printed
//! - A 0 or 00 among the four downs. It has no value and neither colour: the football stays.
//! - The end of a game whose football reaches an end zone before the fourth down: [`Goal`] has both readings.
//!   In neither of them do the tables of § 617a.4(d) leave the house a hold: they return between four and ten times the
//!   wager. The approved game must have rules that the source doesn't print.
//! - The colours of the numbers, which § 617a.1(d) leaves to the usual wheel: [`Compartment::colour`].

use core::fmt;
use core::str::FromStr;

use crate::paytable::words;

/// Number of spins after the one that starts a game, § 617a.3(f)(2).
pub const DOWNS: usize = 4;

/// The yard line in the middle of the field, where the football starts, 50 yards from either end zone: § 617a.3(f)(2).
pub const MIDDLE: u8 = 50;

/// The numbers in red compartments of the usual double zero wheel. The other eighteen are black.
const RED: [u8; 18] = [
    1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36,
];

/// The end of a Touchdown Roulette wager, as its player sees it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Field {
    /// The first ball came to rest on a number from 1 to 36, so that no game began: the wager loses, § 617a.3(f)(1).
    NoGame,
    /// The football ended in the other team's half or its end zone: "the losing team", § 617a.3(f)(2)(ii).
    LosingTeam,
    /// The football ended on this yard line of the chosen team's half, from 1 to 49, or in the middle, 50: a tie.
    Yards(u8),
    /// The football reached the chosen team's end zone.
    Touchdown,
}

words! {
    /// A team, by its colour: § 617a.3(f)(2).
    Team {
        /// Red compartments move the football toward its end zone.
        Red = 1 "red",
        /// Black compartments move the football toward its end zone.
        Black = 2 "black",
    }

    /// The reading of an end zone that the football reaches before the fourth down. The source doesn't print it.
    Goal {
        /// The game ends there, whichever team's end zone it is.
        EndsGame = 1 "ends-game",
        /// All four downs are played, and the place of the football after the fourth counts.
        PlaysOn = 2 "plays-on",
    }
}

/// A compartment of a double zero wheel, § 617a.1(f)(5).
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Compartment {
    /// Double zero, 00.
    DoubleZero,
    /// Zero, or a number from 1 to 36.
    Number(u8),
}

impl Compartment {
    /// The highest number of a wheel.
    const HIGHEST: u8 = 36;

    /// Returns the 38 compartments.
    pub fn all() -> impl Iterator<Item = Self> {
        let numbers = (0..=Self::HIGHEST).map(Self::Number);
        std::iter::once(Self::DoubleZero).chain(numbers)
    }

    /// Returns true for a compartment of the wheel.
    const fn exists(self) -> bool {
        matches!(self, Self::DoubleZero | Self::Number(0..=Self::HIGHEST))
    }

    /// Returns true for 0 and 00, which start a game: § 617a.3(f)(2).
    pub const fn starts_game(self) -> bool {
        matches!(self, Self::DoubleZero | Self::Number(0))
    }

    /// Returns the team of the colour of this compartment, on the usual wheel; `None` for 0 and 00.
    pub fn colour(self) -> Option<Team> {
        match self {
            Self::DoubleZero | Self::Number(0) => None,
            Self::Number(number) if RED.contains(&number) => Some(Team::Red),
            Self::Number(_) => Some(Team::Black),
        }
    }
}

impl fmt::Display for Compartment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DoubleZero => out.write_str("00"),
            Self::Number(number) => fmt::Display::fmt(number, out),
        }
    }
}

/// A text that names no compartment.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no compartment of a double zero wheel: write 00, or a number from 0 to 36")]
pub struct NotACompartment;

impl FromStr for Compartment {
    type Err = NotACompartment;

    /// Reads exactly the text that the compartment displays.
    fn from_str(text: &str) -> Result<Self, NotACompartment> {
        let mut all = Self::all();
        all.find(|compartment| compartment.to_string() == text)
            .ok_or(NotACompartment)
    }
}

/// The place of the football.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Football {
    /// Yards from the middle of the field toward the chosen team's end zone.
    yards: i16,
}

impl Football {
    /// Returns the football after a down.
    pub(super) fn moved(self, team: Team, down: Compartment, goal: Goal) -> Self {
        let value = match down {
            Compartment::DoubleZero => 0,
            Compartment::Number(number) => i16::from(number),
        };
        let toward = match down.colour() {
            _ if self.game_over(goal) => 0,
            None => 0,
            Some(colour) if colour == team => value,
            Some(_) => -value,
        };
        Self {
            yards: self.yards + toward,
        }
    }

    /// Returns true if no further down can move the football.
    const fn game_over(self, goal: Goal) -> bool {
        matches!(goal, Goal::EndsGame) && self.yards.unsigned_abs() >= MIDDLE as u16
    }

    /// Returns the end of a game with the football here.
    pub(super) fn end(self) -> Field {
        match u8::try_from(i16::from(MIDDLE) - self.yards) {
            _ if self.yards < 0 => Field::LosingTeam,
            Ok(line @ 1..) => Field::Yards(line),
            Ok(0) | Err(_) => Field::Touchdown,
        }
    }
}

/// Returns the end of a wager on this team. `first` is the spin after the wager was made, and `downs` are those of the
/// game. Returns `None` for a compartment that no wheel has, and for more or fewer downs than the game has: none without
/// a game, and fewer than four only where reaching an end zone ends it.
pub fn touchdown(
    first: Compartment,
    team: Team,
    downs: &[Compartment],
    goal: Goal,
) -> Option<Field> {
    let exist = downs.iter().chain([&first]).all(|spin| spin.exists());
    if !exist || downs.len() > DOWNS {
        return None;
    }
    if !first.starts_game() {
        return downs.is_empty().then_some(Field::NoGame);
    }
    let mut football = Football::default();
    for down in downs {
        if football.game_over(goal) {
            return None;
        }
        football = football.moved(team, *down, goal);
    }
    let over = downs.len() == DOWNS || football.game_over(goal);
    over.then(|| football.end())
}
