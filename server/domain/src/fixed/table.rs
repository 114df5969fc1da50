//! Tables of fixed wagers as values: a printed table with its citation.
//!
//! # Shape
//! A [`FixedTable`] is made by the catalogue from a file, and only if no pay of it is missing. The first line that is
//! met pays. Wagers on dice are lines of their own.
//!
//! # Bounds
//! [`FIXED_LINES_MAX`] lines and [`WAGERS_MAX`] wagers a table.

use crate::fixed::dice::{DiceWager, showing};
use crate::fixed::odds::{Basis, Pays};
use crate::fixed::seen::{Look, Seen};
use crate::fixed::shows::Shows;
use crate::ids::{GameName, PaytableId, ReadingName, WagerName};
use crate::returns::Fraction;

/// Lines of the longest table: Sic Bo prints 20.
pub const FIXED_LINES_MAX: usize = 24;
/// Wagers of the table with the most: the Ante, Flop, Turn and River of § 647a.12(c).
pub const WAGERS_MAX: usize = 4;

/// A table of fixed wagers with its citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedTable {
    /// Id, which is also the file's name.
    pub id: PaytableId,
    /// Title for people.
    pub title: String,
    /// Code of the jurisdiction: `PA`, `MA`.
    pub jurisdiction: String,
    /// Clause that prints the table.
    pub citation: String,
    /// First day in force, as `2019-08-31`; `None` if the source doesn't print it.
    pub effective: Option<String>,
    /// Game that has the wagers.
    pub game: GameName,
    /// Wagers that the table pays, such as `ante` and `play`.
    pub wagers: Vec<WagerName>,
    /// Letter of the table among those for the same wagers, such as `A`; `None` for the only one.
    pub letter: Option<String>,
    /// Players in the round that the table is for; `None` for any number.
    pub players: Option<u8>,
    /// Way in which the wagers are judged.
    pub look: Look,
    /// Fate of the wager when a line pays.
    pub basis: Basis,
    /// Lines as printed, highest pay first.
    pub lines: Vec<Line>,
    /// A second reading of a doubtful print.
    pub reading: Option<Reading>,
}

/// A line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Condition of the line.
    pub shows: Shows,
    /// Words of the print.
    pub prints: String,
    /// Pay of the line.
    pub pays: Pays,
}

/// A reading of a doubtful print that differs from its words. The print holds until a regulator's letter chooses this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Name of the reading.
    pub name: ReadingName,
    /// Doubt, as a sentence.
    pub says: String,
    /// All lines in this reading, highest pay first.
    pub lines: Vec<Line>,
}

impl FixedTable {
    /// Checks if the table pays wagers of this game in this jurisdiction, with so many players in the round.
    pub fn is_for(&self, game: &str, jurisdiction: &str, players: usize) -> bool {
        self.game.as_str() == game
            && self.jurisdiction == jurisdiction
            && self
                .players
                .is_none_or(|count| usize::from(count) == players)
    }

    /// Returns the line that pays, with its index: the first one that is met.
    pub fn line_for(&self, seen: &Seen) -> Option<(usize, &Line)> {
        self.first(|shows| shows.matches(seen))
    }

    /// Returns the line that pays a wager on dice, with its index. The player has chosen the numbers.
    pub fn line_on(
        &self,
        wager: DiceWager,
        numbers: &[u8],
        dice: [u8; 3],
    ) -> Option<(usize, &Line)> {
        if !wager.wins(numbers, dice) {
            return None;
        }
        let shown = numbers.first().map(|number| showing(*number, dice));
        self.first(|shows| match *shows {
            Shows::Dice(other) => other == wager,
            Shows::Showing(count) => wager == DiceWager::OneOfAKind && shown == Some(count),
            _ => false,
        })
    }

    /// Returns the player's result per unit wagered, if the result of the look alone decides the wager: a result without
    /// a line loses.
    pub fn result(&self, seen: &Seen) -> Fraction {
        let line = self.line_for(seen);
        let pays = line.map_or(Pays::Loses, |(_, line)| line.pays);
        pays.result(self.basis)
    }

    /// Returns the table with the lines of its second reading, if it has the reading of this name.
    pub fn read_as(&self, name: &ReadingName) -> Option<Self> {
        let reading = self.reading.as_ref();
        let reading = reading.filter(|reading| reading.name == *name)?;
        let lines = reading.lines.clone();
        Some(Self {
            lines,
            ..self.clone()
        })
    }

    fn first(&self, is_met: impl Fn(&Shows) -> bool) -> Option<(usize, &Line)> {
        let mut lines = self.lines.iter().enumerate();
        lines.find(|(_, line)| is_met(&line.shows))
    }
}
