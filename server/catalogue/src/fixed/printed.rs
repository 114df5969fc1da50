//! The comparison of an operator's file with the tables that its jurisdiction prints.
//!
//! # Rule
//! A printed table is used under its own id. A file with the id of an incomplete one completes it, and changes nothing
//! that is printed. A file with an id of its own is for wagers whose odds the jurisdiction's source omits, or that the
//! source doesn't have.

use meterhouse_domain::ids::WagerName;

use crate::fixed::filed::Filed;
use crate::fixed::sheet::{FixedLine, FixedSheet, missing};
use crate::gaps::{FixedPart, is_missing};
use crate::reader::{Section, Value};
use crate::regulation;

/// Checks that a file with the id of a loaded one completes it, as far as the file can be read.
pub(super) fn completes(root: &Section<'_>, id: Value<'_>, printed: &FixedSheet, filed: &Filed) {
    if printed.missing().next().is_none() {
        let citation = &printed.citation;
        id.wrong::<()>(format!(
            "no file: {citation} prints this table whole, and it is selected by this id"
        ));
        return;
    }
    if let Some(missing) = missing(&filed.gaps).next() {
        let what = missing.what;
        id.wrong::<()>(format!(
            "a file that completes the table of this id: {what} is missing here too"
        ));
        return;
    }
    let differs = |key, instead: String| {
        if let Some(value) = root.optional(key) {
            value.wrong::<()>(format!("{instead}, as {}", printed.citation));
        } else {
            root.missing::<()>(key, &format!("{key} = {instead}, as {}", printed.citation));
        }
    };
    let quoted = |text: &str| format!("\"{text}\"");
    if is_other(filed.jurisdiction.as_ref(), &printed.jurisdiction) {
        differs("jurisdiction", quoted(&printed.jurisdiction));
    }
    if is_other(filed.game.as_ref(), &printed.game) {
        differs("game", quoted(printed.game.as_str()));
    }
    if is_other(filed.wagers.as_ref(), &printed.wagers) {
        let wagers: Vec<&str> = printed.wagers.iter().map(WagerName::as_str).collect();
        differs("wagers", format!("[\"{}\"]", wagers.join("\", \"")));
    }
    if let Some(letter) = &printed.letter
        && is_other(filed.letter.as_ref().ok(), &printed.letter)
    {
        differs("letter", quoted(letter));
    }
    if let Some(look) = printed.look
        && is_other(filed.look.as_ref().ok(), &printed.look)
    {
        differs("look", quoted(look.name()));
    }
    let Some(content) = &filed.content else {
        return;
    };
    if content.reading.is_some() {
        let instead = "nothing here: the pays of this file leave no doubt";
        root.optional("reading")
            .and_then(|value| value.wrong::<()>(instead));
    }
    if !is_missing(&printed.gaps, FixedPart::Lines) {
        lines(root, printed, &content.lines);
    }
}

/// Returns true for a value that was read and differs from the printed one.
fn is_other<T: PartialEq + ?Sized>(filed: Option<&T>, printed: &T) -> bool {
    filed.is_some_and(|filed| filed != printed)
}

/// Checks that a file has the printed lines with their pays; only missing pays are the operator's.
fn lines(root: &Section<'_>, printed: &FixedSheet, filed: &[FixedLine]) {
    let Some(value) = root.optional("line") else {
        return;
    };
    let words: Vec<&str> = printed
        .lines
        .iter()
        .map(|line| line.prints.as_str())
        .collect();
    let shown = |lines: &[FixedLine]| -> Vec<_> {
        let lines = lines.iter();
        lines
            .map(|line| (line.shows, line.prints.clone()))
            .collect()
    };
    if shown(&printed.lines) != shown(filed) {
        let words = words.join("\", \"");
        let message = format!("write the lines \"{words}\", as {}", printed.citation);
        root.report.record(value.at(), message);
        return;
    }
    let sections = value
        .as_list()
        .into_iter()
        .flatten()
        .filter_map(Value::as_section);
    let pairs = printed.lines.iter().zip(filed);
    for ((ours, theirs), section) in pairs.zip(sections) {
        pay(&section, ours, theirs, printed);
    }
}

fn pay(section: &Section<'_>, ours: &FixedLine, theirs: &FixedLine, printed: &FixedSheet) {
    let (Some(pays), Some(basis)) = (ours.pays, printed.basis) else {
        return;
    };
    let pay_differs = theirs.pays != ours.pays;
    if let Some(value) = section.optional("pays").filter(|_| pay_differs) {
        value.wrong::<()>(format!("\"{}\", as {}", pays.text(basis), printed.citation));
    }
}

/// Checks that a file with an id of its own is none of a printed table, as far as the file can be read.
pub(super) fn is_free(root: &Section<'_>, id: Value<'_>, filed: &Filed, ours: &[FixedSheet]) {
    let jurisdiction = filed.jurisdiction.as_deref().unwrap_or_default();
    let citation = filed.citation.as_deref().unwrap_or_default();
    let Some(law) = regulation::code(jurisdiction, citation) else {
        return;
    };
    if ours.is_empty() {
        return;
    }
    if is_other(filed.jurisdiction.as_deref(), law) {
        let value = root.optional("jurisdiction");
        value.and_then(|value| value.wrong::<()>(format!("\"{law}\", whose law it is")));
    }
    let has_same_wager = |sheet: &&FixedSheet| {
        let mut wagers = sheet.wagers.iter();
        sheet.jurisdiction == law
            && filed.game.as_ref() == Some(&sheet.game)
            && wagers.any(|wager| filed.wagers.iter().flatten().any(|filed| filed == wager))
    };
    let printed: Vec<&FixedSheet> = ours
        .iter()
        .filter(has_same_wager)
        .filter(|sheet| !is_missing(&sheet.gaps, FixedPart::Lines))
        .collect();
    if let Some(first) = printed.first() {
        let ids: Vec<&str> = printed.iter().map(|sheet| sheet.id.as_str()).collect();
        let ids = ids.join(", ");
        id.wrong::<()>(format!(
            "no file: {} prints the tables of this wager, {ids}; select one of these",
            first.citation
        ));
    }
}
