//! Reading the text of one file into a checked [`Sheet`]: its source, and the games that offer it.
//!
//! # Bounds
//! A file of [`FILE_BYTES_MAX`] bytes and [`GAMES_MAX`] games; levels and lines as in the domain.

use std::collections::BTreeMap;

use meterhouse_domain::command::Holder;
use meterhouse_domain::hand::Ranking;
use meterhouse_domain::ids::PaytableId;
use meterhouse_domain::link::DECKS_MAX;
use meterhouse_domain::paytable::{
    FoldAward, FoldRule, Game, GameRules, HandRule, TableLimits, WagerKind,
};
use toml::Spanned;
use toml::de::{DeTable, Error as SyntaxError};

use crate::content;
use crate::entry::Entry;
use crate::error::{CatalogueError, CatalogueErrors};
use crate::gaps::{self, Gap, Part, is_missing};
use crate::minimums;
use crate::reader::{Section, Value};
use crate::regulation;
use crate::report::Report;
use crate::sheet::Sheet;

/// Version of the file format that is read.
pub const FORMAT: u32 = 1;
/// Size of the longest file, bytes.
pub const FILE_BYTES_MAX: usize = 64 * 1024;
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
}

/// Reads one file and checks it against the known ones.
pub(crate) fn read(file: &str, text: &str, known: Known<'_>) -> Result<Sheet, CatalogueErrors> {
    if text.len() > FILE_BYTES_MAX {
        let message = format!("{} bytes: write at most {FILE_BYTES_MAX}", text.len());
        return Err(CatalogueErrors(vec![CatalogueError::whole_file(
            file, message,
        )]));
    }
    let (root, mut syntax) = DeTable::parse_recoverable(text);
    forgive_day(root.get_ref(), &mut syntax);
    let report = Report::new(file, text, root.get_ref(), &syntax);
    let read = sheet(&Section::root(&report, root.get_ref()), stem(file), known);
    let errors = report.into_errors();
    match read {
        Some(sheet) if errors.is_empty() => Ok(sheet),
        _ => Err(CatalogueErrors(errors)),
    }
}

/// Removes the parser's error about an impossible day. [`Value::day`] has a better message, and the rest of the file
/// is whole.
fn forgive_day(root: &DeTable<'_>, syntax: &mut Vec<SyntaxError>) {
    let day = root
        .get("effective")
        .filter(|day| day.get_ref().is_datetime())
        .map(Spanned::span);
    syntax.retain(|error| day.is_none() || error.span() != day);
}

/// Returns the name of a file without its folder and ending.
pub(crate) fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.strip_suffix(".toml").unwrap_or(name)
}

fn sheet(root: &Section<'_>, stem: &str, known: Known<'_>) -> Option<Sheet> {
    // A file of an unknown format can't be judged any further.
    let format = root.required("format", "1");
    if let Some(format) = format.filter(|format| !format.is_whole(FORMAT)) {
        return format.wrong(format!("{FORMAT}, the only format there is"));
    }
    let id_value = root.required("id", &format!("\"{stem}\""));
    let id = id_value.and_then(|value| id(value, stem));
    let gaps = gaps::read(root);
    let printed = id.as_ref().and_then(|id| known.sheets.get(id));
    let mut sheet = facts(root, id, gaps);
    root.finish();
    match (printed, &mut sheet, id_value) {
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

/// Checks that a file with the id of another file completes it; otherwise it needs another id.
fn completes(
    root: &Section<'_>,
    id: Value<'_>,
    printed: &Sheet,
    filed: &mut Sheet,
    ours: &[Sheet],
) {
    if printed.missing().next().is_none() {
        id.wrong::<()>("another id and rename the file: a paytable with this id is there already");
        return;
    }
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

fn text(root: &Section<'_>, key: &'static str, example: &str) -> Option<String> {
    root.required(key, example)
        .and_then(Value::text)
        .map(str::to_owned)
}

fn id(value: Value<'_>, stem: &str) -> Option<PaytableId> {
    let id: PaytableId = value.name()?;
    if id.as_str() != stem {
        return value.wrong(format!(
            "\"{stem}\", as the file is called, or rename the file"
        ));
    }
    Some(id)
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
