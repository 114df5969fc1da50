//! Levels and lines: seeds and rates of the meters, and the pay of each hand.
//!
//! # Order
//! Levels are read first, because lines name them. Levels and lines are checked together last, and only if they could
//! be read: a mistake in one causes no finding in another.

use meterhouse_domain::hand::{Hand, Ranking};
use meterhouse_domain::ids::LevelName;
use meterhouse_domain::paytable::{LEVELS_MAX, LINES_MAX, Pays};
use meterhouse_domain::rate::{PPM, Rate};

use crate::gaps::{Gap, Part, is_missing};
use crate::reader::{Section, Value};
use crate::sheet::{LevelOutline, LineOutline};

const PAYS_EXAMPLE: &str =
    r#"{ percent = 100, of = "meter" }, { for_one = 50 } or { for_one = 50, of = "meter" }"#;
const TOO_MUCH: &str = "with this level the rates take more than the whole wager: \
    write rates of at most 100% in sum";

/// The readable part of a level.
pub(crate) struct LevelRead<'a> {
    name: Option<LevelName>,
    /// Value at the key `name`.
    name_value: Option<Value<'a>>,
    /// Rate in parts per million of the wager, as far as it could be read.
    ppm: u32,
    pub(crate) level: Option<LevelOutline>,
}

pub(crate) fn levels<'a>(value: Value<'a>, gaps: &[Gap]) -> Option<Vec<LevelRead<'a>>> {
    let mut levels: Vec<LevelRead<'_>> = Vec::new();
    let mut ppm = 0_u32;
    for item in value.list(LEVELS_MAX, "a [[level]] section")? {
        let section = item.section("[[level]]", "a [[level]] section")?;
        let read = level(&section, gaps);
        let first = levels
            .iter()
            .find(|level| level.name.is_some() && level.name == read.name);
        if let (Some(value), Some(first)) =
            (read.name_value, first.and_then(|level| level.name_value))
        {
            let line = first.line();
            value.wrong::<()>(format!("another name: the level of line {line} has it"));
        }
        let before = ppm;
        ppm += read.ppm;
        if before <= PPM && ppm > PPM {
            section.report.record(section.at, TOO_MUCH.to_owned());
        }
        levels.push(read);
    }
    Some(levels)
}

fn level<'a>(section: &Section<'a>, gaps: &[Gap]) -> LevelRead<'a> {
    let name_value = section.required("name", "\"meter\"");
    let name: Option<LevelName> = name_value.and_then(Value::name);
    let (seeds, seed_least) = if is_missing(gaps, Part::Seeds) {
        let least = section.required("seed_least", "5_000");
        let least = least.and_then(|value| value.whole(1..=u32::MAX));
        (least.map(|_| None), least.map(Some))
    } else {
        let least = section.optional("seed_least");
        let least = least.and_then(|value| value.whole(1..=u32::MAX));
        (seeds(section, least).map(Some), Some(least))
    };
    let (rates, ppm) = if is_missing(gaps, Part::Rates) {
        (Some(None), 0)
    } else {
        let (primary, reserve) = rates(section);
        let each = [primary, reserve].into_iter().flatten();
        (primary.zip(reserve).map(Some), each.map(Rate::ppm).sum())
    };
    section.finish();
    let build = |name| {
        Some(LevelOutline {
            name,
            seeds: seeds?,
            seed_least: seed_least?,
            rates: rates?,
        })
    };
    LevelRead {
        level: name.clone().and_then(build),
        name,
        name_value,
        ppm,
    }
}

/// Reads seed and reseed, each at least the minimum, if the file has one.
fn seeds(section: &Section<'_>, least: Option<u32>) -> Option<(u32, u32)> {
    let one = |key| {
        let value = section.required(key, "10_000");
        let number = value.and_then(|value| value.whole(0..=u32::MAX));
        if let (Some(value), Some(number), Some(least)) = (value, number, least)
            && number < least
        {
            value.wrong::<()>(format!("at least {least}, as seed_least says"));
        }
        (value, number)
    };
    let ((seed_value, seed), (_, reseed)) = (one("seed"), one("reseed"));
    if let (Some(it), Some(0), Some(0)) = (seed_value, seed, reseed) {
        it.wrong::<()>("a seed or a reseed of at least 1: this level never starts with anything");
    }
    seed.zip(reseed)
}

fn rates(section: &Section<'_>) -> (Option<Rate>, Option<Rate>) {
    let primary_value = section.required("primary", "\"9%\"");
    let primary = primary_value.and_then(Value::rate);
    let reserve = section.required("reserve", "\"0%\"").and_then(Value::rate);
    if let (Some(it), Some(Rate::ZERO), Some(Rate::ZERO)) = (primary_value, primary, reserve) {
        it.wrong::<()>("a primary or a reserve rate above 0%: this level never grows");
    }
    (primary, reserve)
}

/// Returns the names of all levels; `None` if one could not be read, so that no line has a finding because of it.
pub(crate) fn names(levels: &[LevelRead<'_>]) -> Option<Vec<LevelName>> {
    levels.iter().map(|level| level.name.clone()).collect()
}

/// The readable part of a line.
pub(crate) struct LineRead<'a> {
    hand: Option<(Hand, Value<'a>)>,
    /// Pay of the line; `None` if it is missing or could not be read.
    pays: Option<Pays>,
    pub(crate) line: Option<LineOutline>,
    pub(crate) gives_envy: bool,
}

pub(crate) fn lines_of<'a>(
    value: Value<'a>,
    ranking: Option<Ranking>,
    names: Option<&[LevelName]>,
    gaps: &[Gap],
) -> Option<Vec<LineRead<'a>>> {
    let mut lines: Vec<LineRead<'_>> = Vec::new();
    for item in value.list(LINES_MAX, "a [[line]] section")? {
        let section = item.section("[[line]]", "a [[line]] section")?;
        let read = line(&section, ranking, names, gaps);
        if let (Some((hand, hand_value)), Some(ranking)) = (read.hand, ranking) {
            in_order(hand, hand_value, ranking, &lines);
        }
        lines.push(read);
    }
    Some(lines)
}

fn line<'a>(
    section: &Section<'a>,
    ranking: Option<Ranking>,
    names: Option<&[LevelName]>,
    gaps: &[Gap],
) -> LineRead<'a> {
    let hand_value = section.required("hand", "\"royal-flush\"");
    let hands = ranking.map_or(&Hand::ALL[..], Ranking::order);
    let hand = hand_value.and_then(|value| value.word(hands));
    let pays = if is_missing(gaps, Part::Pays) {
        Some(None)
    } else {
        let value = section.required("pays", PAYS_EXAMPLE);
        value.and_then(|value| pays(value, names)).map(Some)
    };
    // If the envy is declared missing, its key is an unknown one.
    let envy_value = (!is_missing(gaps, Part::Envy)).then(|| section.optional("envy"));
    let envy_value = envy_value.flatten();
    let envy = envy_value.map(|value| value.whole(1..=u32::MAX));
    section.finish();
    let build = |hand| {
        Some(LineOutline {
            hand,
            pays: pays?,
            envy: envy.map_or(Some(None), |envy| envy.map(Some))?,
        })
    };
    LineRead {
        pays: pays.flatten(),
        line: hand.and_then(build),
        hand: hand.zip(hand_value),
        gives_envy: envy_value.is_some(),
    }
}

/// Checks that hands are in order, highest first, each hand once.
fn in_order(hand: Hand, value: Value<'_>, ranking: Ranking, before: &[LineRead<'_>]) {
    let rank = |hand: Hand| ranking.order().iter().position(|other| *other == hand);
    let mut earlier = before.iter().filter_map(|line| line.hand);
    if let Some((_, first)) = earlier.clone().find(|(earlier, _)| *earlier == hand) {
        value.wrong::<()>(format!(
            "each hand once: line {} has it already",
            first.line()
        ));
    } else if let Some((lower, first)) = earlier.find(|(other, _)| rank(*other) > rank(hand)) {
        value.wrong::<()>(format!(
            "the highest hand first: this ranks above {lower} of line {}",
            first.line()
        ));
    }
}

fn pays(value: Value<'_>, names: Option<&[LevelName]>) -> Option<Pays> {
    let section = value.section("`pays`", PAYS_EXAMPLE)?;
    let (percent, of) = (section.optional("percent"), section.optional("of"));
    let for_one = section.optional("for_one");
    section.finish();
    match (percent, of, for_one) {
        (None, None, Some(odds)) => odds.whole(1..=u32::MAX).map(Pays::ForOne),
        (None, Some(of), Some(odds)) => {
            let odds = odds.whole(1..=u32::MAX);
            let level = level_named(of, names);
            Some(Pays::ForOneOf {
                odds: odds?,
                level: level?,
            })
        }
        (Some(percent), Some(of), None) => {
            let percent = percent
                .whole(1..=100)
                .and_then(|number| u8::try_from(number).ok());
            let level = level_named(of, names);
            Some(Pays::Percent {
                percent: percent?,
                level: level?,
            })
        }
        (Some(_), None, None) => {
            section.missing("of", "of = \"meter\", the level that it is a percentage of")
        }
        _ => value.wrong(PAYS_EXAMPLE),
    }
}

fn level_named(of: Value<'_>, names: Option<&[LevelName]>) -> Option<usize> {
    let name: LevelName = of.name()?;
    let names = names?;
    names.iter().position(|known| *known == name).or_else(|| {
        let known: Vec<_> = names.iter().map(|level| format!("\"{level}\"")).collect();
        of.wrong(format!("the name of a [[level]]: {}", known.join(", ")))
    })
}

/// Checks that every level is won by a line of 100%. Skipped if the pay of a line could not be read.
pub(crate) fn every_level_is_won(
    root: &Section<'_>,
    levels: &[LevelRead<'_>],
    lines: &[LineRead<'_>],
) {
    let Some(pays) = lines
        .iter()
        .map(|line| line.pays)
        .collect::<Option<Vec<_>>>()
    else {
        return;
    };
    for (index, level) in levels.iter().enumerate() {
        let again = levels
            .iter()
            .take(index)
            .any(|other| other.name == level.name);
        let won = again
            || pays.contains(&Pays::Percent {
                percent: 100,
                level: index,
            });
        if let (false, Some(name), Some(name_value)) = (won, &level.name, level.name_value) {
            let message = format!(
                "no line pays 100% of `{name}`, so nobody can win it: \
                 write pays = {{ percent = 100, of = \"{name}\" }} at a hand"
            );
            root.report.record_missing(name_value.at(), message);
        }
    }
}
