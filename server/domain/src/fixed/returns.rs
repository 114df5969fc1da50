//! The lines of a wager in numbers, and the reasons for which a table has no value.
//!
//! # Shape
//! [`lines`] counts the cases of each line of a wager that [`worth`](crate::fixed::worth) values.

use core::fmt;

use crate::fixed::dice::DiceWager;
use crate::fixed::frequencies::{Histogram, of_dice, of_field};
use crate::fixed::odds::Pays;
use crate::fixed::seen::Seen;
use crate::fixed::shows::Shows;
use crate::fixed::table::{FixedTable, Line};
use crate::fixed::worth::{Of, cards};
use crate::returns::Fraction;

/// The lines of a wager.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lines {
    /// Number of all cases; 0 for wagers with decisions, whose lines are not counted.
    pub cases: u64,
    /// Lines that pay the wager, in the order of the table.
    pub lines: Vec<LineReturns>,
}

/// The value of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineReturns {
    /// Words of the print.
    pub prints: String,
    /// Pay.
    pub pays: Pays,
    /// Number of cases that the line pays.
    pub cases: u64,
    /// Part of the wager that the line returns on average, with the wager itself where it goes back.
    pub returned: Fraction,
}

/// The reason for which a table has no value of its own.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Depends {
    /// The player's raises and folds decide the wager.
    Strategy,
    /// Several hands of one deal decide the wager.
    JointHands,
    /// The source doesn't print the cards that decide the wager.
    Unprinted,
}

impl fmt::Display for Depends {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Strategy => "depends on the player's strategy",
            Self::JointHands => "depends on the player's and the dealer's hand together",
            Self::Unprinted => "depends on cards that the source doesn't name",
        })
    }
}

impl Depends {
    /// Returns the reason for a table whose wagers alone have no value.
    pub fn of(table: &FixedTable) -> Self {
        match table.wagers.first().map_or("", |wager| wager.as_str()) {
            "ante" | "blind" | "let-it-ride" | "odds" | "odds-bad-beat" | "play" | "raise"
            | "super-bonus" => Self::Strategy,
            "bad-beat" | "cover-all" => Self::JointHands,
            _ => Self::Unprinted,
        }
    }
}

/// Returns the lines of a wager of the table.
pub fn lines(table: &FixedTable, of: Of) -> Lines {
    let on_cards = |seen: &Seen| table.line_for(seen).map(|(index, _)| index);
    match of {
        Of::BestPlay => Lines::default(),
        Of::Only => cards(table).map_or_else(Lines::default, |counts| {
            counted(table, &counts, on_cards, |_| true)
        }),
        Of::Touchdown(team, goal) => counted(table, &of_field(team, goal), on_cards, |_| true),
        Of::Dice(wager) => on_dice(table, wager),
    }
}

/// Returns the lines of a wager on dice. The numbers that the player chooses change nothing.
fn on_dice(table: &FixedTable, wager: DiceWager) -> Lines {
    let numbers: Vec<u8> = (1..).take(wager.chosen()).collect();
    let line_of = |seen: &Seen| match seen {
        Seen::Dice(dice) => {
            let line = table.line_on(wager, &numbers, *dice);
            line.map(|(index, _)| index)
        }
        _ => None,
    };
    let is_of_wager = |line: &Line| match line.shows {
        Shows::Dice(other) => other == wager,
        Shows::Showing(_) => wager == DiceWager::OneOfAKind,
        _ => false,
    };
    counted(table, &of_dice(), line_of, is_of_wager)
}

/// Returns the lines of which `has` is true. `line_of` returns the index of the line that pays a result.
fn counted(
    table: &FixedTable,
    counts: &Histogram,
    line_of: impl Fn(&Seen) -> Option<usize>,
    has: impl Fn(&Line) -> bool,
) -> Lines {
    let cases = counts.total();
    let line = |(index, line): (usize, &Line)| {
        let met = counts.count(|seen| line_of(&seen) == Some(index));
        let returned = line.pays.result(table.basis) + 1;
        LineReturns {
            prints: line.prints.clone(),
            pays: line.pays,
            cases: met,
            returned: Fraction::new(met.into(), cases.into()) * returned,
        }
    };
    let lines = table.lines.iter().enumerate();
    let lines = lines.filter(|(_, line)| has(line)).map(line);
    Lines {
        cases,
        lines: lines.collect(),
    }
}

/// Writes the standard deviation of a player's result, in wagers with two decimals.
pub fn deviation(variance: Fraction) -> String {
    // Twice the root in hundredths, so that the last digit is rounded to the nearest.
    let twice = (variance * 40_000).to_integer().unsigned_abs().isqrt();
    let hundredths = twice.div_ceil(2);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}
