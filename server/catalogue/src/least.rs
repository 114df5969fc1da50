//! The least that a jurisdiction lets a level open and restart with (`rules` §4).
//!
//! # Shape
//! A file with the lines of a paytable of ours is that paytable under another id, and is held to its levels. Any other one
//! is held to the smallest that its jurisdiction asks for where the same hand wins a level; that is read from the file
//! by itself, so that a mistake elsewhere in it doesn't hide it.

use meterhouse_domain::hand::Hand;
use meterhouse_domain::paytable::Pays;

use crate::reader::{Section, Value};
use crate::sheet::{LevelOutline, Sheet};

/// The least seed and reseed, for 1.
type Least = (u32, u32);

/// The amounts that a source names as the least: the greater wager the more (`rules` §4), so for 1 at least as many.
fn named(level: &LevelOutline) -> Option<Least> {
    level.seed_least.map(|least| (least, least))
}

/// The same, or the seed and reseed that it prints.
fn named_or_printed(level: &LevelOutline) -> Option<Least> {
    named(level).or(level.seeds)
}

/// A file that completes a paytable: no less than its source names as the least.
pub(crate) fn of_completed(root: &Section<'_>, printed: &Sheet) {
    let least: Vec<_> = printed.outline.levels.iter().map(named).collect();
    judge(root, &printed.jurisdiction, |place, _| *least.get(place)?);
}

/// A file with an id of its own. Where it is a paytable of ours, the least amounts that its source names go with it, for
/// every wager that a link may open at.
pub(crate) fn of_file(root: &Section<'_>, filed: &mut Sheet, ours: &[Sheet]) {
    let mut same = same_law(root, ours).into_iter();
    let Some(printed) = same.find(|it| has_lines_of(filed, it)) else {
        return of_levels(root, ours);
    };
    let levels = &printed.outline.levels;
    let least: Vec<_> = levels.iter().map(named_or_printed).collect();
    judge(root, &printed.jurisdiction, |place, _| *least.get(place)?);
    for (filed, printed) in filed.outline.levels.iter_mut().zip(levels) {
        filed.seed_least = filed.seed_least.max(printed.seed_least);
    }
}

/// A file of which not all could be read, or a paytable that no source of ours has.
pub(crate) fn of_levels(root: &Section<'_>, ours: &[Sheet]) {
    let Some(jurisdiction) = said(root, "jurisdiction") else {
        return;
    };
    let same = same_law(root, ours);
    let won_by = |hand: Hand| {
        let levels = same.iter().filter_map(move |it| level_of(it, hand));
        let least: Vec<Least> = levels.filter_map(named_or_printed).collect();
        let (seeds, reseeds) = (least.iter().map(|it| it.0), least.iter().map(|it| it.1));
        seeds.min().zip(reseeds.min())
    };
    judge(root, jurisdiction, |_, name| won_by(winner(root, name)?));
}

/// Says where a level opens or restarts with less.
fn judge<'a>(
    root: &Section<'a>,
    jurisdiction: &str,
    least: impl Fn(usize, Option<&'a str>) -> Option<Least>,
) {
    let levels = root.optional("level").and_then(Value::as_list);
    let levels = levels.into_iter().flatten().filter_map(Value::as_section);
    for (place, level) in levels.enumerate() {
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
                value.wrong::<()>(format!(
                    "at least {least}: {jurisdiction} has no smaller {key} for this level"
                ));
            }
        }
    }
}

/// The sheets of the same jurisdiction and wager as the file.
fn same_law<'a>(root: &Section<'_>, ours: &'a [Sheet]) -> Vec<&'a Sheet> {
    let (jurisdiction, wager) = (said(root, "jurisdiction"), said(root, "wager_kind"));
    let same = ours.iter().filter(|it| {
        Some(it.jurisdiction.as_str()) == jurisdiction && Some(it.wager_kind.name()) == wager
    });
    same.collect()
}

fn said<'a>(root: &Section<'a>, key: &'static str) -> Option<&'a str> {
    root.optional(key).and_then(Value::as_str)
}

/// Whether a file has a sheet's hands and what they pay, whatever it calls the levels.
fn has_lines_of(filed: &Sheet, printed: &Sheet) -> bool {
    let lines = |it: &Sheet| -> Vec<_> {
        let lines = it.outline.lines.iter();
        lines.map(|line| (line.hand, line.pays)).collect()
    };
    let (filed, printed) = (lines(filed), lines(printed));
    filed == printed && printed.iter().all(|(_, pays)| pays.is_some())
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
