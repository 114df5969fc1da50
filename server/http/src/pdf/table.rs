//! The rows of a part of a report as a table.

use super::text::{printable, wrapped};

/// Characters between two columns.
const GAP: usize = 1;
/// Characters of a cell, which goes on under itself: a proposal's id has 36.
const CELL_CHARS: usize = 40;

/// A table: the columns that have a value in any row.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: usize,
}

#[derive(Debug)]
struct Column {
    /// The words of its name, one under another.
    name: Vec<String>,
    /// The lines of each cell.
    cells: Vec<Vec<String>>,
    width: usize,
    is_number: bool,
    is_empty: bool,
}

impl Table {
    /// Makes a table of rows that have the same cells in the same order, each with the name of its column.
    pub(crate) fn new(rows: &[&[(&str, String)]]) -> Self {
        let names = rows.first().into_iter().copied().flatten();
        let columns = names.enumerate().map(|(index, (name, _))| {
            let cells = rows.iter().map(|row| row.get(index));
            let cells =
                cells.map(|cell| cell.map_or_else(String::new, |(_, value)| printable(value)));
            Column::new(name, &cells.collect::<Vec<String>>())
        });
        let columns = columns.filter(|column| !column.is_empty);
        Self {
            columns: columns.collect(),
            rows: rows.len(),
        }
    }

    /// Returns the characters of a line.
    pub(crate) fn width(&self) -> usize {
        let widths = self.columns.iter().map(|column| column.width + GAP);
        widths.sum::<usize>().saturating_sub(GAP)
    }

    /// Returns the lines with the names of the columns.
    pub(crate) fn names(&self) -> Vec<String> {
        let lines = self.columns.iter().map(|column| column.name.len());
        let lines = lines.max().unwrap_or_default();
        let line = |index: usize| {
            self.line(|column| {
                // Short names stand below.
                let above = lines - column.name.len();
                index
                    .checked_sub(above)
                    .and_then(|index| column.name.get(index))
            })
        };
        (0..lines).map(line).collect()
    }

    /// Returns the lines of the rows.
    pub(crate) fn rows(&self) -> Vec<String> {
        let row = |row: usize| {
            let cells = self
                .columns
                .iter()
                .filter_map(|column| column.cells.get(row));
            let lines = cells.map(Vec::len).max().unwrap_or_default();
            let line = move |index: usize| self.line(|column| column.cells.get(row)?.get(index));
            (0..lines).map(line)
        };
        (0..self.rows).flat_map(row).collect()
    }

    fn line<'a>(&'a self, cell: impl Fn(&'a Column) -> Option<&'a String>) -> String {
        let cells = self.columns.iter().map(|column| {
            let (text, width) = (cell(column).map_or("", String::as_str), column.width);
            if column.is_number {
                format!("{text:>width$}")
            } else {
                format!("{text:width$}")
            }
        });
        let line = cells.collect::<Vec<String>>().join(&" ".repeat(GAP));
        line.trim_end().to_owned()
    }
}

impl Column {
    fn new(name: &str, cells: &[String]) -> Self {
        let is_number = |text: &String| {
            let mut characters = text.chars();
            characters.all(|one| one.is_ascii_digit() || one == '.' || one == '-')
        };
        let (is_number, is_empty) = (
            cells.iter().all(is_number),
            cells.iter().all(String::is_empty),
        );
        let name: Vec<String> = name.split('_').map(str::to_owned).collect();
        let cells: Vec<Vec<String>> = cells.iter().map(|cell| wrapped(cell, CELL_CHARS)).collect();
        let lines = name.iter().chain(cells.iter().flatten());
        let lengths = lines.map(|line| line.chars().count());
        Self {
            width: lengths.max().unwrap_or_default(),
            name,
            cells,
            is_number,
            is_empty,
        }
    }
}
