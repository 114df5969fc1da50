//! The fixed wagers of a game: a list, and each printed table with its pays and its hold.
//!
//! # Shape
//! The tables for the same wagers are one part, with a column a letter, as the sources print them. A second reading of a
//! doubtful print is a part of its own. A table without lines is in the list alone, which names the clause that would
//! print them.

use std::collections::BTreeSet;

use meterhouse_api::fixed::{FixedReturns, FixedValue};
use meterhouse_api::manual::ManualPart;
use meterhouse_catalogue::{Catalogue, Effort, FixedSheet, pays_text};
use meterhouse_domain::fixed::odds::Pays;
use meterhouse_domain::ids::GameName;

use super::part::{row, table};
use crate::fixed::fixed_returns;

/// Cell of a pay that the source omits.
const MISSING: &str = "missing";
/// Label of the row with the holds.
const HOLD: &str = "The house keeps";

/// A table with the worth of its wagers.
struct Column<'a> {
    sheet: &'a FixedSheet,
    returns: FixedReturns,
}

/// The tables for the same wagers of a game in a jurisdiction.
struct Group<'a> {
    heading: String,
    columns: Vec<Column<'a>>,
}

/// Returns the list of a game's fixed wagers, and the parts with their tables; nothing if the game has none.
pub(super) fn parts(catalogue: &Catalogue, game: &GameName) -> Vec<ManualPart> {
    let groups = groups(catalogue, game);
    if groups.is_empty() {
        return Vec::new();
    }
    let head = row(["Wager", "Source", "Tables", HOLD, "Notes"]);
    let rows = [head].into_iter().chain(groups.iter().map(listed));
    let list = table("Fixed wagers", rows.collect());
    let tables = groups.iter().flat_map(|group| {
        let has_lines = group
            .columns
            .iter()
            .any(|column| !column.sheet.lines.is_empty());
        let printed = has_lines.then(|| table(&group.heading, printed(group)));
        printed.into_iter().chain(read(group))
    });
    [list].into_iter().chain(tables).collect()
}

/// Returns a text with a capital letter first.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn groups<'a>(catalogue: &'a Catalogue, game: &GameName) -> Vec<Group<'a>> {
    let sheets: Vec<&FixedSheet> = catalogue
        .fixed_sheets()
        .filter(|sheet| sheet.game == *game)
        .collect();
    let of_law: BTreeSet<&str> = sheets
        .iter()
        .map(|sheet| sheet.jurisdiction.as_str())
        .collect();
    let mut groups: Vec<Group<'_>> = Vec::new();
    for sheet in sheets {
        let mut heading = capitalised(sheet.wager_title());
        if of_law.len() > 1 {
            heading = format!("{heading}, {}", jurisdiction(&sheet.jurisdiction));
        }
        let returns = fixed_returns(catalogue, sheet, Effort::Quick);
        let column = Column { sheet, returns };
        match groups.iter_mut().find(|group| group.heading == heading) {
            Some(group) => group.columns.push(column),
            None => groups.push(Group {
                heading,
                columns: vec![column],
            }),
        }
    }
    groups
}

/// Returns the name of a jurisdiction, or its code if it isn't known.
fn jurisdiction(code: &str) -> &str {
    match code {
        "PA" => "Pennsylvania",
        "MA" => "Massachusetts",
        other => other,
    }
}

/// Returns the row of the list.
fn listed(group: &Group<'_>) -> Vec<String> {
    let ids: Vec<&str> = group
        .columns
        .iter()
        .map(|column| column.sheet.id.as_str())
        .collect();
    let ids = match ids.as_slice() {
        [first, .., last] => format!("{first} to {last}"),
        all => all.concat(),
    };
    let holds = group.columns.iter().filter_map(|column| {
        let values = shown(column);
        let [(about, value)] = values.as_slice() else {
            return None;
        };
        let hold = &value.hold.percent;
        (about.is_empty()).then(|| match column.sheet.table_title() {
            Some(name) => format!("{} {hold}", name.trim_start_matches("Paytable ")),
            None => hold.clone(),
        })
    });
    let holds: Vec<String> = holds.collect();
    row([
        &group.heading,
        &sources(group).join("; "),
        &ids,
        &holds.join(", "),
        &notes(group).join("; "),
    ])
}

/// Returns the clauses of a group, each once.
fn sources<'a>(group: &'a Group<'_>) -> Vec<&'a str> {
    let columns = group.columns.iter();
    let mut sources: Vec<&str> = columns
        .map(|column| column.sheet.citation.as_str())
        .collect();
    sources.dedup();
    sources
}

/// Returns the remarks on a group, each once. A remark on some of several tables names them.
fn notes(group: &Group<'_>) -> Vec<String> {
    let mut notes: Vec<(String, Vec<&str>)> = Vec::new();
    for column in &group.columns {
        let name = column.sheet.table_title().unwrap_or_default();
        for note in notes_of(column) {
            match notes.iter_mut().find(|(other, _)| *other == note) {
                Some((_, names)) => names.push(name),
                None => notes.push((note, vec![name])),
            }
        }
    }
    let all = group.columns.len();
    let named = |(note, names): (String, Vec<&str>)| {
        if names.len() == all {
            note
        } else {
            format!("{}: {note}", names.join(", "))
        }
    };
    notes.into_iter().map(named).collect()
}

fn notes_of(column: &Column<'_>) -> Vec<String> {
    let Column { sheet, returns } = column;
    let inferred = sheet.inferred().map(|gap| {
        let from = gap.inferred_from.as_deref().unwrap_or_default();
        format!("to be confirmed: {} as in {from}", gap.what)
    });
    let required = returns.values.iter().map(|value| {
        let about = value.about.as_deref().unwrap_or_default();
        let (_, with) = about.split_once(", ").unwrap_or_default();
        format!("{} {with}", value.hold.percent)
    });
    let required: Vec<String> = required.collect();
    let has_several = returns.depends.is_some() && required.len() > 1;
    let required = has_several.then(|| {
        let holds = required.join(", ");
        format!("required wagers under best play: {holds}")
    });
    let reading = sheet.reading.as_ref().map(|reading| reading.says.clone());
    let notes = [&returns.depends, &returns.assumes, &returns.warning];
    let notes = notes.into_iter().flatten().cloned();
    notes
        .chain(required)
        .chain(reading)
        .chain(inferred)
        .collect()
}

/// Returns the values of a printed table that have a row below its lines, each with the words for its row.
fn shown<'a>(column: &'a Column<'_>) -> Vec<(&'a str, &'a FixedValue)> {
    let Column { sheet, returns } = column;
    let values = returns.values.as_slice();
    match values {
        [printed, ..] if sheet.reading.is_some() => vec![("", printed)],
        [required] if returns.depends.is_some() => {
            vec![("of all required wagers under best play", required)]
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

/// Returns the printed tables of a group, with a column a letter.
fn printed(group: &Group<'_>) -> Vec<Vec<String>> {
    let columns = &group.columns;
    let each_line = columns
        .iter()
        .any(|column| has_wager_a_line(&column.returns.values));
    let cells = |column: &Column<'_>, words: &str| -> Vec<String> {
        let sheet = column.sheet;
        let index = sheet.lines.iter().position(|line| line.prints == words);
        let line = index.and_then(|index| sheet.lines.get(index));
        let mut values = column.returns.values.iter();
        let value = values.find(|value| value.about.as_deref() == Some(words));
        let pays = line.map(|line| cell(line.pays, sheet));
        let hold = value.map(|value| value.hold.percent.clone());
        let hold = each_line.then(|| hold.unwrap_or_default());
        [Some(pays.unwrap_or_default()), hold]
            .into_iter()
            .flatten()
            .collect()
    };
    let head = columns.iter().flat_map(|column| {
        let name = column.sheet.table_title().unwrap_or("Pays").to_owned();
        [Some(name), each_line.then(|| HOLD.to_owned())]
            .into_iter()
            .flatten()
    });
    let sources = sources(group);
    let first = match sources.as_slice() {
        [only] => (*only).to_owned(),
        _ => "Line".to_owned(),
    };
    let mut rows: Vec<Vec<String>> = vec![[first].into_iter().chain(head).collect()];
    let sheets = columns.iter().map(|column| column.sheet);
    let words = sheets.map(|sheet| sheet.lines.iter().map(|line| line.prints.as_str()));
    for words in merged(words) {
        let cells = columns.iter().flat_map(|column| cells(column, words));
        rows.push([words.to_owned()].into_iter().chain(cells).collect());
    }
    rows.extend(value_rows(columns));
    if sources.len() > 1 && !each_line {
        let cited = columns.iter().map(|column| column.sheet.citation.clone());
        rows.push(["Source".to_owned()].into_iter().chain(cited).collect());
    }
    rows
}

fn cell(pays: Option<Pays>, sheet: &FixedSheet) -> String {
    if pays.is_none() {
        return MISSING.to_owned();
    }
    pays_text(pays, sheet.basis)
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

/// Returns the rows with holds, hits and deviations below the lines of the printed tables.
fn value_rows(columns: &[Column<'_>]) -> Vec<Vec<String>> {
    let shown: Vec<Vec<(&str, &FixedValue)>> = columns.iter().map(shown).collect();
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
    rows.collect()
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

/// Returns the part with the second reading of a group's tables, if they have one.
fn read(group: &Group<'_>) -> Option<ManualPart> {
    let readings: Vec<_> = group
        .columns
        .iter()
        .filter_map(|column| {
            let reading = column.sheet.reading.as_ref()?;
            let values = column.returns.values.iter();
            let mut values =
                values.filter(|value| value.about.as_deref() == Some(reading.name.as_str()));
            Some((column, reading, values.next()))
        })
        .collect();
    let (_, first, _) = readings.first()?;
    let head = readings.iter().map(|(column, ..)| {
        let name = column.sheet.table_title().unwrap_or("Pays");
        name.to_owned()
    });
    let mut rows: Vec<Vec<String>> = vec![["Line".to_owned()].into_iter().chain(head).collect()];
    let words = readings
        .iter()
        .map(|(_, reading, _)| reading.lines.iter().map(|line| line.prints.as_str()));
    for words in merged(words) {
        let cells = readings.iter().map(|(column, reading, _)| {
            let line = reading.lines.iter().find(|line| line.prints == words);
            line.map_or_else(String::new, |line| cell(Some(line.pays), column.sheet))
        });
        rows.push([words.to_owned()].into_iter().chain(cells).collect());
    }
    let values: Vec<Option<&FixedValue>> = readings.iter().map(|(_, _, value)| *value).collect();
    rows.extend(rows_of(&values, ""));
    let heading = format!("{} read as {}", group.heading, first.name);
    Some(table(&heading, rows))
}
