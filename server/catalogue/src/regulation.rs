//! Operator's files that are a printed paytable: a jurisdiction's printed values are not the operator's to change.
//!
//! # Recognition
//! A file is recognised by its jurisdiction, or the jurisdiction that its citation names, and by its content. A
//! printed paytable with the same hands, or with at least half of its lines, is compared with the file, under any id
//! and title. A file that agrees with one of these paytables is accepted. Any other file gets the differences from
//! the nearest one as findings.

use meterhouse_domain::paytable::TableLimits;

use crate::completion::{compare, uncharged};
use crate::gaps::Part;
use crate::minimums;
use crate::reader::Section;
use crate::report::Finding;
use crate::sheet::{LineOutline, Sheet};

/// A jurisdiction whose paytables are part of the binary.
struct Jurisdiction {
    /// Code of the jurisdiction in files.
    code: &'static str,
    /// Its other names, as words of small letters.
    names: &'static [&'static [&'static str]],
    /// Marks of its citations, as words of small letters.
    citations: &'static [&'static [&'static str]],
}

const JURISDICTIONS: [Jurisdiction; 2] = [
    Jurisdiction {
        code: "PA",
        names: &[&["pa"], &["pennsylvania"]],
        citations: &[&["pa", "code"], &["pa", "b"], &["pennsylvania"]],
    },
    Jurisdiction {
        code: "MA",
        names: &[&["ma"], &["mass"], &["massachusetts"]],
        citations: &[&["205", "cmr"], &["massachusetts"]],
    },
];

/// Compares a file with the print of its jurisdiction. A file without a finding takes over the paytable's other
/// terms.
pub(crate) fn judge(root: &Section<'_>, filed: &mut Sheet, ours: &[Sheet]) {
    let law = jurisdiction(&filed.jurisdiction, &filed.citation);
    let Some(law) = law.filter(|_| !ours.is_empty()) else {
        return;
    };
    if filed.jurisdiction != law.code {
        let value = root.optional("jurisdiction");
        let instead = format!("\"{}\", whose law it is", law.code);
        let finding = value.map(|value| value.finding(instead));
        root.report.record_of_law(finding);
        law.code.clone_into(&mut filed.jurisdiction);
    }
    let alike = ours
        .iter()
        .filter(|printed| printed.jurisdiction == law.code && is_nearly(filed, printed));
    let compared = alike.map(|printed| (differences(root, printed, filed, ours), printed));
    let nearest = compared.min_by_key(|(findings, printed)| {
        let other_wager = filed.wager_kind != printed.wager_kind;
        let other_games = filed.games != printed.games;
        let shared = shared_lines(filed, printed);
        let unlike = printed.outline.lines.len() + filed.outline.lines.len() - 2 * shared;
        let other_link = filed.linkable != printed.linkable;
        (other_wager, other_games, unlike, other_link, findings.len())
    });
    let Some((findings, printed)) = nearest else {
        let mut of_law = ours.iter().filter(|sheet| sheet.jurisdiction == law.code);
        if let Some(sheet) = of_law.next() {
            take_limits(filed, sheet.limits);
        }
        return minimums::of_levels(root, law.code, ours);
    };
    take_over(filed, printed);
    root.report.record_of_law(findings);
}

/// Returns the differences of a file from a printed paytable.
pub(crate) fn differences(
    root: &Section<'_>,
    printed: &Sheet,
    filed: &Sheet,
    ours: &[Sheet],
) -> Vec<Finding> {
    let same_lines = ours
        .iter()
        .filter(|sheet| sheet.jurisdiction == printed.jurisdiction && pays_the_same(sheet, printed))
        .chain([printed]);
    let envy_wagers = same_lines.flat_map(|sheet| sheet.outline.envy_printed_for.iter().copied());
    compare(root, printed, filed, &envy_wagers.collect::<Vec<_>>())
}

/// Adds the terms of the printed paytable to a file that matches it. These are the minimums for every wager of a
/// link, the limits, and the operator's open decision.
pub(crate) fn take_over(filed: &mut Sheet, printed: &Sheet) {
    take_limits(filed, printed.limits);
    let is_decided = filed.gaps.iter().any(|gap| gap.what == Part::RoyalFlush);
    let undecided = printed.undecided().filter(|_| !is_decided);
    filed.gaps.extend(undecided.cloned());
    let levels = filed.outline.levels.iter_mut();
    for (filed, printed) in levels.zip(&printed.outline.levels) {
        filed.seed_least = filed.seed_least.max(printed.seed_least);
    }
}

/// Sets the limits that the file omits.
fn take_limits(filed: &mut Sheet, law: TableLimits) {
    let filed = &mut filed.limits;
    filed.decks_max = filed.decks_max.or(law.decks_max);
    filed.boxes_max = filed.boxes_max.or(law.boxes_max);
}

/// Finds seeds below the minimum of the jurisdiction, in a partly unreadable file.
pub(crate) fn judge_levels(root: &Section<'_>, ours: &[Sheet]) {
    let said = |key| minimums::text_at(root, key).unwrap_or_default();
    if let Some(law) = jurisdiction(said("jurisdiction"), said("citation")) {
        minimums::of_levels(root, law.code, ours);
    }
}

/// Returns the code of the jurisdiction that the citation names, or else the one of this name.
pub(crate) fn code(name: &str, citation: &str) -> Option<&'static str> {
    jurisdiction(name, citation).map(|law| law.code)
}

/// Returns the jurisdiction that the citation names, or else the one of this name.
fn jurisdiction(name: &str, citation: &str) -> Option<&'static Jurisdiction> {
    let (citation, mut name) = (words(citation), words(name));
    // `P.A.` is one word.
    name.push(name.concat());
    let is_in = |words: &[String], phrase: &[&str]| {
        let mut windows = words.windows(phrase.len());
        windows.any(|window| window == phrase)
    };
    let cited = |law: &&Jurisdiction| law.citations.iter().any(|phrase| is_in(&citation, phrase));
    let named = |law: &&Jurisdiction| law.names.iter().any(|phrase| is_in(&name, phrase));
    let mut laws = JURISDICTIONS.iter();
    laws.clone().find(cited).or_else(|| laws.find(named))
}

/// Returns the words of a text in small letters.
fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Returns true if a file has the hands of a printed paytable, or at least half of its lines.
fn is_nearly(filed: &Sheet, printed: &Sheet) -> bool {
    if filed.outline.ranking != printed.outline.ranking {
        return false;
    }
    let hands = |sheet: &Sheet| -> Vec<_> {
        let lines = sheet.outline.lines.iter();
        lines.map(|line| line.hand).collect()
    };
    hands(filed) == hands(printed)
        || 2 * shared_lines(filed, printed) >= printed.outline.lines.len()
}

/// Counts the printed lines that a file has; the level that a pay is charged to may differ.
fn shared_lines(filed: &Sheet, printed: &Sheet) -> usize {
    let pays = |line: &LineOutline| line.pays.map(uncharged);
    let is_shared = |ours: &&LineOutline| {
        let mut theirs = filed.outline.lines.iter();
        theirs.any(|theirs| {
            let same_pay = ours.pays.is_none() || pays(ours) == pays(theirs);
            theirs.hand == ours.hand && same_pay
        })
    };
    printed.outline.lines.iter().filter(is_shared).count()
}

/// Returns true if two sheets have the same hands with the same pays.
fn pays_the_same(one: &Sheet, other: &Sheet) -> bool {
    let lines = |sheet: &Sheet| -> Vec<_> {
        let lines = sheet.outline.lines.iter();
        lines.map(|line| (line.hand, line.pays)).collect()
    };
    lines(one) == lines(other)
}
