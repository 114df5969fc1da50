//! The tables of fixed wagers as they are printed, and below them what is not printed.
//!
//! # Shape
//! The lines of the law come first, with its words, corner and order of columns. A row of one cell then is the head of the
//! rows below it. A row with fewer cells than the head is for all columns that it leaves out.

use meterhouse_api::fixed::FixedValue;
use meterhouse_api::manual::ManualPart;
use meterhouse_catalogue::{FixedSheet, pays_text};
use meterhouse_domain::fixed::odds::Pays;
use meterhouse_domain::fixed::seen::Look;

use super::group::{Column, Group, HOLD};
use crate::manual::part::{row, table};

/// Cell of a pay that the source omits.
const MISSING: &str = "missing";
/// Head of the rows with the place of the print and the ids of the files.
const BESIDE: &str = "Not in the printed table";
/// Head of the rows with the worth of the wagers.
const COMPUTED: &str = "Computed by Meterhouse";

/// Returns the printed tables of a group, with a column a letter.
pub(super) fn printed(group: &Group<'_>) -> Vec<Vec<String>> {
    let columns = in_order(group);
    let words: Vec<&str> = merged(columns.iter().map(|column| {
        let lines = column.sheet.lines.iter();
        lines.map(|line| line.prints.as_str())
    }));
    let cell_of = |column: &Column<'_>, words: &str| {
        let sheet = column.sheet;
        let line = sheet.lines.iter().find(|line| line.prints == words);
        line.map_or_else(String::new, |line| cell(line.pays, sheet))
    };
    let mut rows = vec![head(&columns)];
    rows.extend(
        words
            .iter()
            .map(|words| line(words, &columns, |column| cell_of(column, words))),
    );
    rows.extend(beside(group, &columns));
    let each_line = columns
        .iter()
        .any(|column| has_wager_a_line(&column.returns.values));
    let computed = if each_line {
        hold_rows(&words, &columns)
    } else {
        value_rows(&columns)
    };
    rows.extend(computed);
    rows
}

/// Returns the tables of a group in the order of the print: those for numbers of players begin with the greatest.
fn in_order<'a, 'b>(group: &'b Group<'a>) -> Vec<&'b Column<'a>> {
    let mut columns: Vec<&Column<'_>> = group.columns.iter().collect();
    columns.sort_by_key(|column| column.sheet.players.map(core::cmp::Reverse));
    columns
}

/// Returns a row with a cell a column.
fn line(label: &str, columns: &[&Column<'_>], cell: impl Fn(&Column<'_>) -> String) -> Vec<String> {
    let cells = columns.iter().map(|column| cell(column));
    [label.to_owned()].into_iter().chain(cells).collect()
}

/// Returns the head of the tables, as printed. Pays that a sentence of the source has, and no table, have a head of ours.
fn head(columns: &[&Column<'_>]) -> Vec<String> {
    let first = columns.first().map(|column| column.sheet);
    let wager = first.and_then(|sheet| sheet.wagers.first());
    let wager = wager.map_or("", |wager| wager.as_str());
    let (corner, pays) = match (wager, first.and_then(|sheet| sheet.look)) {
        ("ante" | "one-of-a-kind", _) if columns.iter().all(|column| is_sentence(column.sheet)) => {
            ("Line", "Pays")
        }
        ("cover-all", _) => ("Highest Hand", "Pays"),
        ("super-bonus", _) => ("Hand", "Paytable"),
        (_, Some(Look::Dice)) => ("Wager", "Pays"),
        _ => ("Hand", "Payout"),
    };
    line(corner, columns, |column| {
        column.sheet.table_title().unwrap_or(pays).to_owned()
    })
}

/// Returns true if the lines of a table are printed in sentences: their words begin with a small letter.
fn is_sentence(sheet: &FixedSheet) -> bool {
    let mut lines = sheet.lines.iter();
    lines.all(|line| line.prints.starts_with(char::is_lowercase))
}

fn cell(pays: Option<Pays>, sheet: &FixedSheet) -> String {
    match pays {
        None => MISSING.to_owned(),
        Some(Pays::Loses) => "Loss".to_owned(),
        Some(Pays::Push) => "Push".to_owned(),
        pays => pays_text(pays, sheet.basis),
    }
}

/// Returns the words of all tables in the order of the print: a line that only some have stands behind the line above it.
fn merged<'a, I: Iterator<Item = &'a str>>(tables: impl Iterator<Item = I>) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    for table in tables {
        let mut behind = 0;
        for words in table {
            let known = all.iter().position(|other| *other == words);
            let at = known.unwrap_or_else(|| {
                all.insert(behind, words);
                behind
            });
            behind = at + 1;
        }
    }
    all
}

/// Returns the rows with the clauses and the ids of the tables.
fn beside(group: &Group<'_>, columns: &[&Column<'_>]) -> [Vec<String>; 3] {
    let source = match group.sources().as_slice() {
        [only] => row(["Source", only]),
        _ => line("Source", columns, |column| column.sheet.citation.clone()),
    };
    let ids = line("Id", columns, |column| column.sheet.id.to_string());
    [row([BESIDE]), source, ids]
}

/// Returns the rows with the hold of each line, where each is a wager of its own.
fn hold_rows(words: &[&str], columns: &[&Column<'_>]) -> Vec<Vec<String>> {
    let hold = |column: &Column<'_>, words: &str| {
        let mut values = column.returns.values.iter();
        let value = values.find(|value| value.about.as_deref() == Some(words));
        value.map_or_else(String::new, |value| value.hold.percent.clone())
    };
    let rows = words
        .iter()
        .map(|words| line(words, columns, |column| hold(column, words)));
    let head = row([&format!("{HOLD}: computed by Meterhouse")]);
    [head].into_iter().chain(rows).collect()
}

/// Returns the rows with holds, hits and deviations.
fn value_rows(columns: &[&Column<'_>]) -> Vec<Vec<String>> {
    let shown: Vec<Vec<(&str, &FixedValue)>> = columns.iter().map(|column| shown(column)).collect();
    let Some(labels) = shown.iter().max_by_key(|values| values.len()) else {
        return Vec::new();
    };
    let rows = labels.iter().enumerate().flat_map(|(index, (label, _))| {
        let values: Vec<Option<&FixedValue>> = shown
            .iter()
            .map(|values| values.get(index).map(|(_, value)| *value))
            .collect();
        rows_of(&values, label)
    });
    let head = (!labels.is_empty()).then(|| row([COMPUTED]));
    head.into_iter().chain(rows).collect()
}

/// Returns the rows with hold, hits and deviation for a value a column. `label` says what the values are for, if they
/// aren't for the wager alone; then only the hold has a row.
fn rows_of(values: &[Option<&FixedValue>], label: &str) -> Vec<Vec<String>> {
    let named = |name: &str| {
        if label.is_empty() {
            name.to_owned()
        } else if label.starts_with("of ") {
            format!("{name} {label}")
        } else {
            format!("{name}, {label}")
        }
    };
    let row = |name: &str, cell: fn(&FixedValue) -> String| -> Vec<String> {
        let cells = values
            .iter()
            .map(|value| value.map_or_else(|| MISSING.to_owned(), cell));
        [named(name)].into_iter().chain(cells).collect()
    };
    let mut rows = vec![row(HOLD, |value| value.hold.percent.clone())];
    if label.is_empty() {
        rows.push(row("Wins", |value| value.hit.percent.clone()));
        rows.push(row("Standard deviation", |value| value.deviation.clone()));
    }
    rows
}

/// Returns the values of a printed table that have a row below its lines, each with the words for its row.
pub(super) fn shown<'a>(column: &'a Column<'_>) -> Vec<(&'a str, &'a FixedValue)> {
    let Column { sheet, returns } = column;
    let values = returns.values.as_slice();
    match values {
        [printed, ..] if sheet.reading.is_some() => vec![("", printed)],
        [required] if returns.depends.is_some() => {
            vec![(
                "of the two wagers before the deal, under best play",
                required,
            )]
        }
        _ if returns.depends.is_some() || has_wager_a_line(values) => Vec::new(),
        _ => values
            .iter()
            .map(|value| (value.about.as_deref().unwrap_or_default(), value))
            .collect(),
    }
}

/// Returns true if each line is a wager of its own.
fn has_wager_a_line(values: &[FixedValue]) -> bool {
    values.len() > 1
        && values.iter().all(
            |value| matches!(value.lines.as_slice(), [line] if value.about.as_ref() == Some(&line.prints)),
        )
}

/// Returns the part with the second reading of a group's tables, if they have one.
pub(super) fn read(group: &Group<'_>) -> Option<ManualPart> {
    let columns: Vec<&Column<'_>> = in_order(group)
        .into_iter()
        .filter(|column| column.sheet.reading.is_some())
        .collect();
    let name = columns.first()?.sheet.reading.as_ref()?.name.to_string();
    let mut rows = vec![head(&columns)];
    let words = merged(columns.iter().filter_map(|column| {
        let lines = column.sheet.reading.as_ref()?.lines.iter();
        Some(lines.map(|line| line.prints.as_str()))
    }));
    for words in words {
        rows.push(line(words, &columns, |column| {
            let mut lines = column
                .sheet
                .reading
                .iter()
                .flat_map(|reading| &reading.lines);
            let line = lines.find(|line| line.prints == words);
            line.map_or_else(String::new, |line| cell(Some(line.pays), column.sheet))
        }));
    }
    rows.extend(beside(group, &columns));
    let values: Vec<Option<&FixedValue>> = columns
        .iter()
        .map(|column| {
            let mut values = column.returns.values.iter();
            values.find(|value| value.about.as_deref() == Some(name.as_str()))
        })
        .collect();
    rows.push(row([COMPUTED]));
    rows.extend(rows_of(&values, ""));
    Some(table(&format!("{} read as {name}", group.heading), rows))
}
