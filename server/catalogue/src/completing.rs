//! An operator's file that completes a paytable of ours: what the source prints stays as it is.
//!
//! What the source doesn't print is the operator's to say: what is lacking, and of what is inferred the seats, what can be
//! wagered on, how hands are formed and forfeit, who validates, how pays are settled, the draws and the envy.

use meterhouse_domain::name::GameName;

use crate::gaps::Part;
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

/// What stands at the head of the file, and how pays are settled.
fn facts(root: &Section<'_>, printed: &Sheet, filed: &Sheet) {
    let (ours, theirs) = (&printed.outline, &filed.outline);
    let names =
        |it: &Sheet| -> Vec<GameName> { it.games.iter().map(|it| it.name.clone()).collect() };
    let seats = printed.games == filed.games || !prints(printed, Part::Seats);
    let games = names(printed) == names(filed) && seats;
    let dated = printed.effective.is_none() || printed.effective == filed.effective;
    let envy = ours.envy_printed_for == theirs.envy_printed_for || !prints(printed, Part::Envy);
    let on = ours.bet_on_dealer == theirs.bet_on_dealer || !prints(printed, Part::BetOn);
    let hand = printed.rules.hand_rule == filed.rules.hand_rule || !prints(printed, Part::HandRule);
    let fold = printed.rules.fold == filed.rules.fold || !prints(printed, Part::Fold);
    let validation = ours.validation == theirs.validation || !prints(printed, Part::Validation);
    let settled = ours.settlement == theirs.settlement || !prints(printed, Part::Settlement);
    let linkable = printed.linkable == filed.linkable || !prints(printed, Part::Linkable);
    let drawn = ours.bonuses() == theirs.bonuses() || !prints(printed, Part::Draws);
    for (key, same) in [
        ("jurisdiction", printed.jurisdiction == filed.jurisdiction),
        ("wager_kind", printed.wager_kind == filed.wager_kind),
        ("effective", dated),
        ("games", games),
        ("envy_printed_for", envy),
        ("bet_on", on),
        ("hand_rule", hand),
        ("ranking", ours.ranking == theirs.ranking),
        ("fold", fold),
        ("validation", validation),
        ("linkable", linkable),
        ("settlement", settled),
        ("draw", drawn),
    ] {
        if !same {
            say(root, key, other(key, printed));
        }
    }
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
    if let (Some(least), Some((seed, reseed))) = (ours.seed_least, theirs.seeds)
        && (seed < least || reseed < least)
    {
        return Some(format!(
            "{} asks for a seed and a reseed of at least {least}",
            printed.citation
        ));
    }
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
