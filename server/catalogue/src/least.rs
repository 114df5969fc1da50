//! The least that a jurisdiction lets a level open and restart with (`rules` §4).
//!
//! What a file says is read here by itself, so that other mistakes in it hide nothing.

use crate::reader::{Section, Value};
use crate::sheet::{LevelOutline, Sheet};

/// The least seed and reseed that a source asks for: the amounts that it names as the least.
pub(crate) fn named(level: &LevelOutline) -> Option<(u32, u32)> {
    level.seed_least.map(|least| (least, least))
}

/// The same, or the seed and reseed that it prints.
pub(crate) fn named_or_printed(level: &LevelOutline) -> Option<(u32, u32)> {
    named(level).or(level.seeds)
}

/// Says where a level of the file opens or restarts with less than every one of these sheets asks for that are of the
/// same jurisdiction and wager.
pub(crate) fn compare<'a>(
    root: &Section<'_>,
    sheets: impl Iterator<Item = &'a Sheet>,
    asks_for: fn(&LevelOutline) -> Option<(u32, u32)>,
) {
    let said = |key| root.optional(key).and_then(Value::as_str);
    let (Some(jurisdiction), Some(wager)) = (said("jurisdiction"), said("wager_kind")) else {
        return;
    };
    let same = sheets.filter(|it| it.jurisdiction == jurisdiction && it.wager_kind.name() == wager);
    let levels: Vec<&LevelOutline> = same.flat_map(|it| &it.outline.levels).collect();
    let sections = root.optional("level").and_then(Value::as_list);
    let sections = sections.into_iter().flatten();
    for section in sections.filter_map(Value::as_section) {
        let name = section.optional("name").and_then(Value::as_str);
        let same = levels.iter().filter(|it| Some(it.name.as_str()) == name);
        let asked: Vec<(u32, u32)> = same.filter_map(|it| asks_for(it)).collect();
        for (key, least) in [
            ("seed", asked.iter().map(|it| it.0).min()),
            ("reseed", asked.iter().map(|it| it.1).min()),
        ] {
            let value = section.optional(key);
            let given = value.and_then(Value::as_whole);
            if let (Some(value), Some(given), Some(least)) = (value, given, least)
                && given < least
            {
                value.wrong::<()>(format!(
                    "at least {least}: {jurisdiction} has no smaller {key} for this level"
                ));
            }
        }
    }
}
