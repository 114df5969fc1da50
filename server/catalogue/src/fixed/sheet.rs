//! The sheet of fixed wagers: the content of a file, complete or not.

use meterhouse_domain::fixed::odds::{Basis, Pays};
use meterhouse_domain::fixed::seen::Look;
use meterhouse_domain::fixed::shows::Shows;
use meterhouse_domain::fixed::table::{FixedTable, Line, Reading};
use meterhouse_domain::ids::{GameName, PaytableId, WagerName};

use crate::gaps::{FixedPart, Gap};

/// The content of one file of fixed wagers; see [`FixedSheet::table`].
#[derive(Clone, Debug)]
pub struct FixedSheet {
    /// Id, which is also the file's name.
    pub id: PaytableId,
    /// Title for people.
    pub title: String,
    /// Code of the jurisdiction, such as `PA`.
    pub jurisdiction: String,
    /// Clause that prints the table.
    pub citation: String,
    /// First day in force, as `2019-08-31`.
    pub effective: Option<String>,
    /// Game that has the wagers.
    pub game: GameName,
    /// Wagers that the table pays.
    pub wagers: Vec<WagerName>,
    /// Letter of the table among those for the same wagers.
    pub letter: Option<String>,
    /// Players in the round that the table is for.
    pub players: Option<u8>,
    /// Way in which the wagers are judged; `None` if it is missing.
    pub look: Option<Look>,
    /// Fate of the wager when a line pays; `None` if all lines are missing.
    pub basis: Option<Basis>,
    /// Lines as printed, highest pay first; empty if they are missing.
    pub lines: Vec<FixedLine>,
    /// A second reading of a doubtful print.
    pub reading: Option<Reading>,
    /// Values that the source omits.
    pub gaps: Vec<Gap<FixedPart>>,
}

/// A line, as far as the file has it.
#[derive(Clone, Debug)]
pub struct FixedLine {
    /// Condition of the line.
    pub shows: Shows,
    /// Words of the print.
    pub prints: String,
    /// Pay of the line; `None` if it is missing.
    pub pays: Option<Pays>,
}

impl FixedSheet {
    /// Returns the table, if no line, pay or look is missing.
    pub fn table(&self) -> Option<FixedTable> {
        let lines: Option<Vec<Line>> = self.lines.iter().map(FixedLine::line).collect();
        Some(FixedTable {
            id: self.id.clone(),
            title: self.title.clone(),
            jurisdiction: self.jurisdiction.clone(),
            citation: self.citation.clone(),
            effective: self.effective.clone(),
            game: self.game.clone(),
            wagers: self.wagers.clone(),
            letter: self.letter.clone(),
            players: self.players,
            look: self.look?,
            basis: self.basis?,
            lines: lines.filter(|lines| !lines.is_empty())?,
            reading: self.reading.clone(),
        })
    }

    /// Returns the values that an operator's file has to supply before the table pays. The first day in force isn't
    /// one of them: no pay depends on it.
    pub fn missing(&self) -> impl Iterator<Item = &Gap<FixedPart>> {
        missing(&self.gaps)
    }

    /// Returns the values that the operator confirms before a table plays by them.
    pub fn inferred(&self) -> impl Iterator<Item = &Gap<FixedPart>> {
        self.gaps.iter().filter(|gap| gap.inferred_from.is_some())
    }
}

/// Returns the gaps without which a table can't pay.
pub(super) fn missing(gaps: &[Gap<FixedPart>]) -> impl Iterator<Item = &Gap<FixedPart>> {
    let gaps = gaps.iter().filter(|gap| gap.inferred_from.is_none());
    gaps.filter(|gap| gap.what != FixedPart::Effective)
}

impl FixedLine {
    /// Returns the line, if its pay isn't missing.
    pub(super) fn line(&self) -> Option<Line> {
        Some(Line {
            shows: self.shows,
            prints: self.prints.clone(),
            pays: self.pays?,
        })
    }
}
