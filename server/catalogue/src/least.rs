//! The least that a level opens and restarts with: its jurisdiction's least amounts (RULES §4.2), and its own reseed.
//!
//! # Shape
//! A file that is a printed paytable is held to its levels (`regulation`). Any other file is held to the smallest amount
//! that its jurisdiction prints where the same hand wins a level. That is read from the file by itself, so that a mistake
//! elsewhere in the file doesn't hide it.

use meterhouse_domain::hand::Hand;
use meterhouse_domain::paytable::Pays;

use crate::reader::{Section, Value};
use crate::report::Finding;
use crate::sheet::{LevelOutline, Sheet};

/// The least seed and reseed, for 1.
type Least = (u32, u32);

/// The amounts that a source names as the least: the greater wager the more (RULES §4.2), so for 1 at least as many.
fn named(level: &LevelOutline) -> Option<Least> {
    level.seed_least.map(|least| (least, least))
}

/// The same, or the seed and reseed that it prints.
fn named_or_printed(level: &LevelOutline) -> Option<Least> {
    named(level).or(level.seeds)
}

/// Finds levels that open or restart with less than the least amount that the source names.
pub(crate) fn of_completed(root: &Section<'_>, printed: &Sheet) -> Vec<Finding> {
    let least: Vec<_> = printed.outline.levels.iter().map(named).collect();
    found(root, &printed.jurisdiction, |place, _| *least.get(place)?)
}

/// A file of which not all could be read, or a paytable that no source of ours has.
pub(crate) fn of_levels(root: &Section<'_>, jurisdiction: &str, ours: &[Sheet]) {
    let same = same_law(root, jurisdiction, ours);
    let won_by = |hand: Hand| {
        let levels = same.iter().filter_map(move |it| level_of(it, hand));
        let least: Vec<Least> = levels.filter_map(named_or_printed).collect();
        let (seeds, reseeds) = (least.iter().map(|it| it.0), least.iter().map(|it| it.1));
        seeds.min().zip(reseeds.min())
    };
    let findings = found(root, jurisdiction, |_, name| won_by(winner(root, name)?));
    root.report.say_of_law(findings);
}

/// Finds levels that open with less than they restart with (CONFORMANCE 39), unless the file differs from what its jurisdiction
/// prints: that finding says what both have to be.
pub(crate) fn of_reseeds(root: &Section<'_>) {
    if root.report.differs_from_law() {
        return;
    }
    let mut findings = Vec::new();
    for level in levels(root) {
        let value = level.optional("seed");
        let seed = value.and_then(Value::as_whole);
        let reseed = level.optional("reseed").and_then(Value::as_whole);
        if let (Some(value), Some(seed), Some(reseed)) = (value, seed, reseed)
            && seed < reseed
        {
            let instead = format!("at least {reseed}: a level opens with no less than its reseed");
            findings.push(value.finding(instead));
        }
    }
    root.report.say_of_law(findings);
}

/// Returns the levels of a file, as far as they can be read.
fn levels<'a>(root: &Section<'a>) -> impl Iterator<Item = Section<'a>> {
    let levels = root.optional("level").and_then(Value::as_list);
    levels.into_iter().flatten().filter_map(Value::as_section)
}

/// Finds levels that open or restart with less.
fn found<'a>(
    root: &Section<'a>,
    jurisdiction: &str,
    least: impl Fn(usize, Option<&'a str>) -> Option<Least>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (place, level) in levels(root).enumerate() {
        let name = level.optional("name").and_then(Value::as_str);
        let Some((seed, reseed)) = least(place, name) else {
            continue;
        };
        for (key, least) in [("seed", seed), ("reseed", reseed)] {
            let value = level.optional(key);
            let given = value.and_then(Value::as_whole);
            if let (Some(value), Some(given)) = (value, given)
                && given < least
            {
                let instead =
                    format!("at least {least}: {jurisdiction} has no smaller {key} for this level");
                findings.push(value.finding(instead));
            }
        }
    }
    findings
}

/// Returns the sheets of a jurisdiction for the wager of the file.
fn same_law<'a>(root: &Section<'_>, jurisdiction: &str, ours: &'a [Sheet]) -> Vec<&'a Sheet> {
    let wager = said(root, "wager_kind");
    let same = ours.iter().filter(|sheet| {
        sheet.jurisdiction == jurisdiction && Some(sheet.wager_kind.name()) == wager
    });
    same.collect()
}

/// Returns the text that the file has at a key.
pub(crate) fn said<'a>(root: &Section<'a>, key: &'static str) -> Option<&'a str> {
    root.optional(key).and_then(Value::as_str)
}

/// The level of a sheet that this hand wins.
fn level_of(sheet: &Sheet, hand: Hand) -> Option<&LevelOutline> {
    let line = sheet.outline.lines.iter().find(|it| it.hand == hand)?;
    match line.pays? {
        Pays::Percent {
            percent: 100,
            level,
        } => sheet.outline.levels.get(level),
        Pays::Percent { .. } | Pays::ForOne(_) | Pays::ForOneOf { .. } => None,
    }
}

/// The hand that the file lets win a level.
fn winner(root: &Section<'_>, level: Option<&str>) -> Option<Hand> {
    let lines = root.optional("line").and_then(Value::as_list);
    let mut lines = lines.into_iter().flatten().filter_map(Value::as_section);
    let line = lines.find(|line| {
        let pays = line.optional("pays").and_then(Value::as_section);
        pays.is_some_and(|pays| {
            let percent = pays.optional("percent").and_then(Value::as_whole);
            let of = pays.optional("of").and_then(Value::as_str);
            percent == Some(100) && of.is_some() && of == level
        })
    })?;
    line.optional("hand")?.as_str()?.parse().ok()
}
