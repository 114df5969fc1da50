//! An operator's file that completes a paytable of ours: what the source prints stays as it is.
//!
//! What the source doesn't print is the operator's to say: what is lacking, and of what is inferred the seats, what can be
//! wagered on, how hands are formed and forfeit, who validates, how pays are settled, the draws and the envy.

use meterhouse_domain::name::GameName;

use crate::gaps::Part;
use crate::least;
use crate::reader::{Section, Value};
use crate::sheet::{LevelOutline, LineOutline, Sheet};

/// Says where a file differs from what the source prints.
pub(crate) fn compare(root: &Section<'_>, printed: &Sheet, filed: &Sheet) {
    facts(root, printed, filed);
    let names = |it: &Sheet| -> Vec<String> {
        let levels = it.outline.levels.iter();
        levels.map(|it| it.name.to_string()).collect()
    };
    if names(printed) != names(filed) {
        let names = names(printed).join("\", \"");
        let message = format!(
            "{} has the levels \"{names}\": write these",
            printed.citation
        );
        say(root, "level", message);
        return;
    }
    let (ours, theirs) = (&printed.outline, &filed.outline);
    let items = |key| {
        root.optional(key)
            .and_then(|it| it.list(usize::MAX, "sections"))
    };
    let places: Vec<_> = items("level").unwrap_or_default();
    least::of_completed(root, printed);
    for ((ours, theirs), at) in ours.levels.iter().zip(&theirs.levels).zip(places) {
        if let Some(message) = level(ours, theirs, printed) {
            root.report.say(at.at(), message);
        }
    }
    let places: Vec<_> = items("line").unwrap_or_default();
    for (theirs, at) in theirs.lines.iter().zip(places) {
        if let Some(message) = line(theirs, printed) {
            root.report.say(at.at(), message);
        }
    }
    if ours.lines.len() != theirs.lines.len() && prints(printed, Part::Pays) {
        let hands: Vec<&str> = ours.lines.iter().map(|it| it.hand.name()).collect();
        let hands = hands.join(", ");
        let message = format!("{} pays {hands}: write all of them", printed.citation);
        say(root, "line", message);
    }
}

/// What stands at the head of the file, and how pays are settled: each with what it is among what a source may not print.
fn facts(root: &Section<'_>, printed: &Sheet, filed: &Sheet) {
    let (ours, theirs) = (&printed.outline, &filed.outline);
    let same_games = games(printed) == games(filed);
    let (our_rules, their_rules) = (printed.rules, filed.rules);
    for (key, part, same) in [
        (
            "jurisdiction",
            None,
            printed.jurisdiction == filed.jurisdiction,
        ),
        ("wager_kind", None, printed.wager_kind == filed.wager_kind),
        (
            "effective",
            Some(Part::Effective),
            printed.effective == filed.effective,
        ),
        ("games", None, same_games),
        (
            "games",
            Some(Part::Seats),
            !same_games || printed.games == filed.games,
        ),
        (
            "envy_printed_for",
            Some(Part::Envy),
            ours.envy_printed_for == theirs.envy_printed_for,
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
    ] {
        if !same && part.is_none_or(|it| prints(printed, it)) {
            say(root, key, other(key, printed));
        }
    }
}

fn games(sheet: &Sheet) -> Vec<&GameName> {
    sheet.games.iter().map(|it| &it.name).collect()
}

/// Whether the source prints it: then it is not the operator's to choose.
fn prints(printed: &Sheet, what: Part) -> bool {
    printed.gaps.iter().all(|it| it.what != what)
}

fn say(root: &Section<'_>, key: &'static str, message: String) {
    let at = root.optional(key).map_or(root.at, Value::at);
    root.report.say(at, message);
}

fn other(what: &str, printed: &Sheet) -> String {
    format!(
        "`{what}` is another in {}: write what `meterhouse paytable show {}` says, or give the file another id",
        printed.citation, printed.id
    )
}

fn level(ours: &LevelOutline, theirs: &LevelOutline, printed: &Sheet) -> Option<String> {
    let seeds = ours.seeds.is_none() || ours.seeds == theirs.seeds;
    let rates = ours.rates.is_none() || ours.rates == theirs.rates;
    if seeds && rates {
        return None;
    }
    Some(other(if seeds { "rates" } else { "seeds" }, printed))
}

fn line(theirs: &LineOutline, printed: &Sheet) -> Option<String> {
    let lines = &printed.outline.lines;
    let Some(ours) = lines.iter().find(|it| it.hand == theirs.hand) else {
        return Some(other(theirs.hand.name(), printed));
    };
    let pays = ours.pays.is_none() || ours.pays == theirs.pays;
    let envy = ours.envy == theirs.envy || !prints(printed, Part::Envy);
    (!(pays && envy)).then(|| other(theirs.hand.name(), printed))
}
