//! The comparison of an operator's file with a printed paytable: printed values may not change.
//!
//! # Open values
//! An operator may supply every value that the source doesn't print. These are the missing values and some inferred
//! ones: the seats, the wagers, the forming and forfeiting of hands, validation, settlement, draws and envy. Envy for
//! wagers without a printed schedule is open, and so is the level that a fixed pay is charged to (RULES §2.4, §4.2).

use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::GameName;
use meterhouse_domain::paytable::Pays;
use meterhouse_domain::rate::Rate;

use crate::gaps::Part;
use crate::minimums;
use crate::reader::{Section, Value};
use crate::report::Finding;
use crate::sheet::{LevelOutline, LineOutline, Sheet};

/// Finds differences of a file from its printed source; `envy_wagers` are the wagers with a printed envy schedule.
pub(crate) fn compare(
    root: &Section<'_>,
    printed: &Sheet,
    filed: &Sheet,
    envy_wagers: &[u32],
) -> Vec<Finding> {
    let mut findings = facts(root, printed, filed);
    let names = |sheet: &Sheet| -> Vec<String> {
        let levels = sheet.outline.levels.iter();
        levels.map(|level| level.name.to_string()).collect()
    };
    if names(printed) != names(filed) {
        let names = names(printed).join("\", \"");
        let message = format!(
            "{} has the levels \"{names}\": write these",
            printed.citation
        );
        findings.push(at(root, "level", message));
        return findings;
    }
    let (ours, theirs) = (&printed.outline, &filed.outline);
    findings.extend(minimums::of_completed(root, printed));
    let levels = ours.levels.iter().zip(&theirs.levels);
    for ((ours, theirs), section) in levels.zip(sections(root, "level")) {
        findings.extend(level(&section, ours, theirs, printed));
    }
    let envy = prints(printed, Part::Envy) && !envy_is_filed(envy_wagers, filed);
    for (theirs, section) in theirs.lines.iter().zip(sections(root, "line")) {
        findings.extend(line(&section, theirs, printed, envy));
    }
    let paid = |hand: Hand| theirs.lines.iter().any(|line| line.hand == hand);
    if prints(printed, Part::Pays) && !ours.lines.iter().all(|line| paid(line.hand)) {
        let hands: Vec<&str> = ours.lines.iter().map(|line| line.hand.name()).collect();
        let hands = hands.join(", ");
        let message = format!("{} pays {hands}: write all of them", printed.citation);
        findings.push(at(root, "line", message));
    }
    findings
}

/// Compares the head of the file and the settlement; a difference counts only if the source prints that part.
fn facts(root: &Section<'_>, printed: &Sheet, filed: &Sheet) -> Vec<Finding> {
    let (ours, theirs) = (&printed.outline, &filed.outline);
    let same_games = games(printed) == games(filed);
    let (our_rules, their_rules) = (printed.rules, filed.rules);
    let facts = [
        (
            "jurisdiction",
            None,
            printed.jurisdiction == filed.jurisdiction,
        ),
        ("wager_kind", None, printed.wager_kind == filed.wager_kind),
        (
            "effective",
            Some(Part::Effective),
            printed.effective == filed.effective || printed.id != filed.id,
        ),
        ("games", None, same_games),
        (
            "games",
            Some(Part::Seats),
            !same_games || printed.games == filed.games,
        ),
        (
            "bet_on",
            Some(Part::BetOn),
            ours.bet_on_dealer == theirs.bet_on_dealer,
        ),
        (
            "hand_rule",
            Some(Part::HandRule),
            our_rules.hand_rule == their_rules.hand_rule,
        ),
        (
            "ranking",
            Some(Part::Ranking),
            ours.ranking == theirs.ranking,
        ),
        ("fold", Some(Part::Fold), our_rules.fold == their_rules.fold),
        (
            "validation",
            Some(Part::Validation),
            ours.validation == theirs.validation,
        ),
        (
            "linkable",
            Some(Part::Linkable),
            printed.linkable == filed.linkable,
        ),
        (
            "settlement",
            Some(Part::Settlement),
            ours.settlement == theirs.settlement,
        ),
        (
            "draw",
            Some(Part::Draws),
            ours.bonuses() == theirs.bonuses(),
        ),
    ];
    let facts = facts.into_iter().chain(limits(printed, filed));
    let differ = facts.filter(|(_, part, same)| {
        let is_printed = part.is_none_or(|part| prints(printed, part));
        !same && is_printed
    });
    differ
        .map(|(key, ..)| at(root, key, other(key, printed)))
        .collect()
}

/// Compares the jurisdiction's limits for a table.
fn limits(printed: &Sheet, filed: &Sheet) -> [(&'static str, Option<Part>, bool); 2] {
    let (ours, theirs) = (printed.limits, filed.limits);
    let decks = is_within(theirs.decks_max, ours.decks_max);
    let boxes = is_within(theirs.boxes_max, ours.boxes_max);
    [
        ("decks_max", Some(Part::Decks), decks),
        ("boxes_max", None, boxes),
    ]
}

/// Returns true if a file's limit is omitted or equals the printed one.
fn is_within(filed: Option<u8>, printed: Option<u8>) -> bool {
    filed.is_none() || printed.is_none() || filed == printed
}

fn games(sheet: &Sheet) -> Vec<&GameName> {
    sheet.games.iter().map(|game| &game.name).collect()
}

/// Returns true if the source prints a part, so that the operator can't choose it.
fn prints(printed: &Sheet, what: Part) -> bool {
    printed.gaps.iter().all(|gap| gap.what != what)
}

/// Returns true if a file's envy is only for wagers for which the source prints none.
fn envy_is_filed(envy_wagers: &[u32], filed: &Sheet) -> bool {
    let theirs = &filed.outline.envy_printed_for;
    let is_printed = |wager: &u32| envy_wagers.contains(wager);
    !envy_wagers.is_empty() && !theirs.is_empty() && !theirs.iter().any(is_printed)
}

/// Returns the sections of a list.
fn sections<'a>(root: &Section<'a>, key: &'static str) -> Vec<Section<'a>> {
    let list = root.optional(key).and_then(Value::as_list);
    let list = list.into_iter().flatten();
    list.filter_map(Value::as_section).collect()
}

/// Returns a finding at a key, or at the start of a section that doesn't have the key.
fn at(section: &Section<'_>, key: &'static str, message: String) -> Finding {
    (section.optional(key).map_or(section.at, Value::at), message)
}

fn other(what: &str, printed: &Sheet) -> String {
    format!(
        "`{what}` is another in {}: write what `meterhouse paytable show {}` says",
        printed.citation, printed.id
    )
}

/// Writes the message that names the printed value for a filed one.
fn instead(what: &str, printed: &Sheet, value: &str) -> String {
    format!("`{what}` is another in {}: write {value}", printed.citation)
}

fn level(
    section: &Section<'_>,
    ours: &LevelOutline,
    theirs: &LevelOutline,
    printed: &Sheet,
) -> Vec<Finding> {
    let seeds = |level: &LevelOutline| level.seeds.map(|(seed, reseed)| [seed, reseed]);
    let rates = |level: &LevelOutline| level.rates.map(|(primary, reserve)| [primary, reserve]);
    let mut findings = Vec::new();
    if let (Some(ours), Some(theirs)) = (seeds(ours), seeds(theirs)) {
        let number = |seed: u32| seed.to_string();
        findings.extend(differ(["seed", "reseed"], ours, theirs, number));
    }
    if let (Some(ours), Some(theirs)) = (rates(ours), rates(theirs)) {
        let percent = |rate: Rate| format!("\"{rate}\"");
        findings.extend(differ(["primary", "reserve"], ours, theirs, percent));
    }
    let findings = findings.into_iter();
    let found = findings.map(|(key, value)| at(section, key, instead(key, printed, &value)));
    found.collect()
}

/// Returns the keys whose values differ, each with the printed value.
fn differ<T: PartialEq>(
    keys: [&'static str; 2],
    ours: [T; 2],
    theirs: [T; 2],
    shown: impl Fn(T) -> String,
) -> Vec<(&'static str, String)> {
    let pairs = keys.into_iter().zip(ours.into_iter().zip(theirs));
    let differ = pairs.filter(|(_, (ours, theirs))| ours != theirs);
    differ.map(|(key, (ours, _))| (key, shown(ours))).collect()
}

fn line(
    section: &Section<'_>,
    theirs: &LineOutline,
    printed: &Sheet,
    envy_is_printed: bool,
) -> Vec<Finding> {
    let mut lines = printed.outline.lines.iter();
    let Some(ours) = lines.find(|line| line.hand == theirs.hand) else {
        if theirs.hand == Hand::RoyalFlush && !prints(printed, Part::RoyalFlush) {
            return Vec::new();
        }
        let message = format!("{} has no line for it: leave it out", printed.citation);
        let message = format!("`{}`: {message}", theirs.hand.name());
        return vec![at(section, "hand", message)];
    };
    let mut findings = Vec::new();
    let pays = ours.pays.map(uncharged);
    if pays.is_some() && pays != theirs.pays.map(uncharged) {
        findings.push(at(section, "pays", other_of("pays", ours.hand, printed)));
    }
    if envy_is_printed && ours.envy != theirs.envy {
        findings.push(at(section, "envy", other_of("envy", ours.hand, printed)));
    }
    findings
}

fn other_of(key: &str, hand: Hand, printed: &Sheet) -> String {
    other(&format!("{key}` of `{}", hand.name()), printed)
}

/// Returns the pay of a line, without the level that it is charged to.
pub(crate) const fn uncharged(pays: Pays) -> Pays {
    match pays {
        Pays::ForOneOf { odds, .. } => Pays::ForOne(odds),
        Pays::Percent { .. } | Pays::ForOne(_) => pays,
    }
}
