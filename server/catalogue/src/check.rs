//! Reading the content of a paytable's file into a checked [`Sheet`]: its source, and the games that offer it.
//!
//! # Bounds
//! [`GAMES_MAX`] games; levels and lines as in the domain.

use std::collections::BTreeMap;

use meterhouse_domain::command::Holder;
use meterhouse_domain::hand::Ranking;
use meterhouse_domain::ids::PaytableId;
use meterhouse_domain::link::DECKS_MAX;
use meterhouse_domain::paytable::{
    FoldAward, FoldRule, Game, GameRules, HandRule, TableLimits, WagerKind,
};

use crate::content;
use crate::entry::Entry;
use crate::file::{id, text};
use crate::gaps::{self, Gap, Part, is_missing};
use crate::minimums;
use crate::reader::{Section, Value};
use crate::regulation;
use crate::sheet::Sheet;

/// Number of games that one paytable may name.
pub const GAMES_MAX: usize = 16;
/// Betting positions of the largest layout.
pub const SEATS_MAX: u32 = 15;

const GAMES_EXAMPLE: &str = r#"[{ name = "crazy-4-poker", seats_max = 6 }]"#;
const FOLD_EXAMPLE: &str = r#"{ award = "forfeited", hand_gives_envy = false }"#;

/// Files that are already loaded.
#[derive(Copy, Clone)]
pub(crate) struct Known<'a> {
    /// Sheets by id.
    pub(crate) sheets: &'a BTreeMap<PaytableId, Entry>,
    /// Sheets of the compiled-in files; empty while these are read.
    pub(crate) ours: &'a [Sheet],
    /// True for the id of a table of fixed wagers.
    pub(crate) is_fixed: &'a dyn Fn(&PaytableId) -> bool,
}

/// Reads the content of one file and checks it against the known ones.
pub(crate) fn sheet(root: &Section<'_>, stem: &str, known: Known<'_>) -> Option<Sheet> {
    let id_value = root.required("id", &format!("\"{stem}\""));
    let id = id_value.and_then(|value| id(value, stem));
    let gaps = gaps::read(root);
    let id_is_fixed = id.as_ref().is_some_and(known.is_fixed);
    let printed = id.as_ref().and_then(|id| known.sheets.get(id));
    let mut sheet = facts(root, id, gaps);
    root.finish();
    if let Some(value) = id_value.filter(|_| id_is_fixed) {
        let instead =
            "another id and rename the file: a table of fixed wagers with this id is there already";
        return value.wrong(instead);
    }
    match (printed, &mut sheet, id_value) {
        (Some(printed), _, Some(id_value)) if printed.sheet.missing().next().is_none() => {
            let instead =
                "another id and rename the file: a paytable with this id is there already";
            id_value.wrong::<()>(instead);
        }
        (Some(printed), Some(sheet), Some(id_value)) => {
            completes(root, id_value, &printed.sheet, sheet, known.ours);
        }
        (None, Some(sheet), _) => regulation::judge(root, sheet, known.ours),
        (None, None, _) => regulation::judge_levels(root, known.ours),
        _ => {}
    }
    minimums::of_reseeds(root);
    sheet
}

fn facts(root: &Section<'_>, id: Option<PaytableId>, gaps: Vec<Gap>) -> Option<Sheet> {
    let title = text(
        root,
        "title",
        "\"Crazy 4 Poker, Five-Card Progressive Payout Wager\"",
    );
    let jurisdiction = text(root, "jurisdiction", "\"PA\"");
    let citation = text(root, "citation", "\"58 Pa. Code § 657a.12(e)\"");
    let effective = if is_missing(&gaps, Part::Effective) {
        Some(None)
    } else {
        let day = root.required("effective", "2019-08-31");
        day.and_then(Value::day).map(Some)
    };
    let games = root.required("games", GAMES_EXAMPLE).and_then(games);
    let wager_kind = root.required("wager_kind", "\"five-card-progressive\"");
    let wager_kind =
        wager_kind.and_then(|value| ranked(value, WagerKind::ALL, root, wager_ranking));
    let hand_rule = root.required("hand_rule", "\"own-five\"");
    let hand_rule =
        hand_rule.and_then(|value| ranked(value, HandRule::ALL, root, HandRule::ranking));
    let fold = root.required("fold", FOLD_EXAMPLE).and_then(fold);
    let linkable = root.required("linkable", "true").and_then(Value::flag);
    let limits = limits(root);
    let outline = content::read(root, wager_kind, &gaps);
    if let (Some(rule), Some(outline)) = (hand_rule, &outline)
        && outline.bet_on_dealer
        && *rule.dealt(Holder::Dealer).end() == 0
    {
        let on = root.optional("bet_on");
        on.and_then(|value| {
            value.wrong::<()>(format!(
                "[\"own\"]: with hand_rule = \"{rule}\" the dealer has no hand"
            ))
        });
    }
    Some(Sheet {
        id: id?,
        title: title?,
        jurisdiction: jurisdiction?,
        citation: citation?,
        effective: effective?,
        wager_kind: wager_kind?,
        games: games?,
        rules: GameRules {
            hand_rule: hand_rule?,
            fold: fold?,
        },
        linkable: linkable?,
        limits: limits?,
        outline: outline?,
        gaps,
    })
}

/// Checks that a file with the id of an incomplete one completes it.
fn completes(
    root: &Section<'_>,
    id: Value<'_>,
    printed: &Sheet,
    filed: &mut Sheet,
    ours: &[Sheet],
) {
    if let Some(lacking) = filed.missing().next() {
        let what = lacking.what;
        id.wrong::<()>(format!(
            "a file that completes the paytable of this id: {what} is lacking here too"
        ));
        return;
    }
    let findings = regulation::differences(root, printed, filed, ours);
    root.report.record_of_law(findings);
    regulation::take_over(filed, printed);
}

/// Reads the jurisdiction's limits for a table; an omitted limit is none.
fn limits(root: &Section<'_>) -> Option<TableLimits> {
    let most = |key, most| -> Option<Option<u8>> {
        let Some(value) = root.optional(key) else {
            return Some(None);
        };
        u8::try_from(value.whole(1..=most)?).ok().map(Some)
    };
    let decks_max = most("decks_max", u32::from(DECKS_MAX));
    let boxes_max = most("boxes_max", SEATS_MAX);
    Some(TableLimits {
        decks_max: decks_max?,
        boxes_max: boxes_max?,
    })
}

/// Reads a word that goes with one ranking only.
fn ranked<T: Copy + core::fmt::Display>(
    value: Value<'_>,
    all: &[T],
    root: &Section<'_>,
    wants: fn(T) -> Ranking,
) -> Option<T> {
    let word = value.word(all)?;
    let given = root.optional("ranking").and_then(Value::as_str);
    let given = given.and_then(|text| text.parse::<Ranking>().ok());
    match given {
        Some(ranking) if ranking != wants(word) => {
            let fitting: Vec<String> = all
                .iter()
                .filter(|word| wants(**word) == ranking)
                .map(|word| format!("\"{word}\""))
                .collect();
            value.wrong(format!(
                "{} with ranking = \"{ranking}\", or ranking = \"{}\"",
                fitting.join(" or "),
                wants(word)
            ))
        }
        _ => Some(word),
    }
}

const fn wager_ranking(kind: WagerKind) -> Ranking {
    match kind {
        WagerKind::ThreeCardProgressive => Ranking::ThreeCard,
        WagerKind::FourCardProgressive => Ranking::FourCard,
        WagerKind::FiveCardProgressive | WagerKind::FiveCardHandBonus => Ranking::FiveCard,
    }
}

fn games(value: Value<'_>) -> Option<Vec<Game>> {
    let mut games: Vec<Option<Game>> = Vec::new();
    for item in value.list(GAMES_MAX, GAMES_EXAMPLE)? {
        let game = game(item);
        let name = game.as_ref().map(|game| &game.name);
        if name.is_some()
            && games
                .iter()
                .flatten()
                .any(|other| Some(&other.name) == name)
        {
            item.wrong::<()>("each game once");
        }
        games.push(game);
    }
    games.into_iter().collect()
}

fn game(value: Value<'_>) -> Option<Game> {
    let section = value.section("`games`", "{ name = \"crazy-4-poker\", seats_max = 6 }")?;
    let name = section
        .required("name", "\"crazy-4-poker\"")
        .and_then(Value::name);
    let seats_max = section
        .required("seats_max", "6")
        .and_then(|value| value.whole(1..=SEATS_MAX));
    section.finish();
    Some(Game {
        name: name?,
        seats_max: u8::try_from(seats_max?).ok()?,
    })
}

fn fold(value: Value<'_>) -> Option<FoldRule> {
    let section = value.section("`fold`", FOLD_EXAMPLE)?;
    let award = section.required("award", "\"forfeited\"");
    let award = award.and_then(|value| value.word(FoldAward::ALL));
    let envy = section
        .required("hand_gives_envy", "false")
        .and_then(Value::flag);
    section.finish();
    Some(FoldRule {
        award: award?,
        hand_gives_envy: envy?,
    })
}
