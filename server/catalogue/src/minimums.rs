//! Minimum seeds and reseeds of a level: its jurisdiction's minimums (RULES §4.2), and its own reseed.
//!
//! # Shape
//! A file that is a printed paytable must reach the minimums of its levels (`regulation`). For any other file the
//! minimum is the smallest amount that its jurisdiction prints for a level won by the same hand. The amounts are read
//! from the file directly, so that a mistake elsewhere in the file doesn't hide a finding.

use meterhouse_domain::hand::Hand;
use meterhouse_domain::paytable::Pays;

use crate::reader::{Section, Value};
use crate::report::Finding;
use crate::sheet::{LevelOutline, Sheet};

/// The minimum seed and reseed, for 1.
type Minimum = (u32, u32);

/// Returns the minimums that a source names. They grow with the wager (RULES §4.2), so a level needs as many for 1.
fn named(level: &LevelOutline) -> Option<Minimum> {
    level.seed_least.map(|minimum| (minimum, minimum))
}

/// Returns the named minimums, or the seed and reseed that the source prints.
fn named_or_printed(level: &LevelOutline) -> Option<Minimum> {
    named(level).or(level.seeds)
}

/// Finds levels that open or restart below the minimum that the source names.
pub(crate) fn of_completed(root: &Section<'_>, printed: &Sheet) -> Vec<Finding> {
    let minimums: Vec<_> = printed.outline.levels.iter().map(named).collect();
    found(root, &printed.jurisdiction, |index, _| {
        *minimums.get(index)?
    })
}

/// Checks the levels of a partly unreadable file, or of a paytable that no compiled-in source has.
pub(crate) fn of_levels(root: &Section<'_>, jurisdiction: &str, ours: &[Sheet]) {
    let same = same_law(root, jurisdiction, ours);
    let won_by = |hand: Hand| {
        let levels = same.iter().filter_map(move |sheet| level_of(sheet, hand));
        let minimums: Vec<Minimum> = levels.filter_map(named_or_printed).collect();
        let (seeds, reseeds) = (
            minimums.iter().map(|minimum| minimum.0),
            minimums.iter().map(|minimum| minimum.1),
        );
        seeds.min().zip(reseeds.min())
    };
    let findings = found(root, jurisdiction, |_, name| won_by(winner(root, name)?));
    root.report.record_of_law(findings);
}

/// Finds levels that open with less than they restart with (CONFORMANCE 39). Skips a file that differs from its
/// jurisdiction's print: that finding already names both amounts.
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
    root.report.record_of_law(findings);
}

/// Returns the levels of a file that can be read.
fn levels<'a>(root: &Section<'a>) -> impl Iterator<Item = Section<'a>> {
    let levels = root.optional("level").and_then(Value::as_list);
    levels.into_iter().flatten().filter_map(Value::as_section)
}

/// Finds levels that open or restart below a minimum.
fn found<'a>(
    root: &Section<'a>,
    jurisdiction: &str,
    minimum: impl Fn(usize, Option<&'a str>) -> Option<Minimum>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, level) in levels(root).enumerate() {
        let name = level.optional("name").and_then(Value::as_str);
        let Some((seed, reseed)) = minimum(index, name) else {
            continue;
        };
        for (key, minimum) in [("seed", seed), ("reseed", reseed)] {
            let value = level.optional(key);
            let given = value.and_then(Value::as_whole);
            if let (Some(value), Some(given)) = (value, given)
                && given < minimum
            {
                let instead = format!(
                    "at least {minimum}: {jurisdiction} has no smaller {key} for this level"
                );
                findings.push(value.finding(instead));
            }
        }
    }
    findings
}

/// Returns the sheets of a jurisdiction for the wager of the file.
fn same_law<'a>(root: &Section<'_>, jurisdiction: &str, ours: &'a [Sheet]) -> Vec<&'a Sheet> {
    let wager = text_at(root, "wager_kind");
    let same = ours.iter().filter(|sheet| {
        sheet.jurisdiction == jurisdiction && Some(sheet.wager_kind.name()) == wager
    });
    same.collect()
}

/// Returns the text that the file has at a key.
pub(crate) fn text_at<'a>(root: &Section<'a>, key: &'static str) -> Option<&'a str> {
    root.optional(key).and_then(Value::as_str)
}

/// Returns the level of a sheet that this hand wins.
fn level_of(sheet: &Sheet, hand: Hand) -> Option<&LevelOutline> {
    let line = sheet.outline.lines.iter().find(|line| line.hand == hand)?;
    match line.pays? {
        Pays::Percent {
            percent: 100,
            level,
        } => sheet.outline.levels.get(level),
        Pays::Percent { .. } | Pays::ForOne(_) | Pays::ForOneOf { .. } => None,
    }
}

/// Returns the hand that wins a level in the file.
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
