//! The fixed wagers of a game: a list, and each printed table with its pays and its hold.
//!
//! # Shape
//! The tables for the same wagers are one part, as the sources print them (`print`). A second reading of a doubtful print
//! is a part of its own. A table without lines is in the list alone, which names the clause that would print them.

mod group;
mod print;

use std::collections::BTreeSet;

use meterhouse_api::manual::ManualPart;
use meterhouse_catalogue::{Catalogue, Effort, FixedSheet};
use meterhouse_domain::ids::GameName;

use self::group::{Column, Group, HOLD};
use self::print::{printed, read, shown};
use super::part::{row, table};
use crate::fixed::{capitalised, fixed_returns};

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
        &group.sources().join("; "),
        &ids,
        &holds.join(", "),
        &notes(group).join("; "),
    ])
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
