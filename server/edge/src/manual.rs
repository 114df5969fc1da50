//! The manual: one page a game, made from the files of games and paytables alone.
//!
//! # Shape
//! A [`ManualPage`] is a list of parts; [`markdown`] writes it for `docs/games` and the command line, the page in the
//! browser shows the same parts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use meterhouse_catalogue::{Catalogue, Folded, GameSheet, Sheet, Source, describe};
use meterhouse_domain::ids::GameName;
use serde::Serialize;
use utoipa::ToSchema;

use crate::link_returns::draws_too_often;
use crate::paytables::whole;
use crate::returns::{Question, view};

/// A page of the manual.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ManualPage {
    /// The game.
    #[schema(value_type = String, examples("crazy-4-poker"))]
    pub game: String,
    /// What people call it.
    pub title: String,
    /// What stands on it, in this order.
    pub parts: Vec<ManualPart>,
}

/// A part of a page: a heading, and a table or a text in columns.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ManualPart {
    /// Its heading; of a paytable, its id.
    pub heading: String,
    /// The rows of a table, its head first; null where there is none. A cell that is a heading of the page leads there.
    pub table: Option<Vec<Vec<String>>>,
    /// Lines that are aligned in columns; null where there are none.
    pub columns: Option<String>,
}

/// The pages of all games that a paytable is for, by game.
pub fn pages(catalogue: &Catalogue) -> BTreeMap<GameName, ManualPage> {
    let games = catalogue.sheets().flat_map(|it| &it.games);
    let games: BTreeSet<&GameName> = games.map(|it| &it.name).collect();
    let pages = games.into_iter();
    pages
        .map(|game| (game.clone(), page(catalogue, game)))
        .collect()
}

/// The page of a game.
fn page(catalogue: &Catalogue, game: &GameName) -> ManualPage {
    let is_of = |it: &&Sheet| it.games.iter().any(|it| it.name == *game);
    let sheets: Vec<&Sheet> = catalogue.sheets().filter(is_of).collect();
    let facts = catalogue.game(game);
    let mut parts = vec![table("Round of play", round(facts, &sheets, game))];
    if let Some(facts) = facts {
        parts.push(table("Wagers, and what a fold forfeits", forfeits(facts)));
        parts.push(table("Order of settlement", order(facts)));
    }
    parts.push(table("Paytables", worth(catalogue, &sheets)));
    parts.extend(sheets.iter().map(|it| ManualPart {
        heading: it.id.to_string(),
        table: None,
        columns: Some(describe(it)),
    }));
    let of_paytable = || sheets.first()?.title.split(',').next().map(str::to_owned);
    let title = facts.map(|it| it.title.clone()).or_else(of_paytable);
    ManualPage {
        game: game.to_string(),
        title: title.unwrap_or_else(|| game.to_string()),
        parts,
    }
}

/// A page as Markdown.
pub fn markdown(page: &ManualPage) -> String {
    let mut text = format!(
        "# {}\n\nMade by `meterhouse manual` from the files of games and paytables; every paytable's file is called by its id.\n",
        escaped(&page.title)
    );
    let is_heading = |cell: &str| page.parts.iter().any(|it| it.heading == cell);
    for part in &page.parts {
        let _ = writeln!(text, "\n## {}\n", part.heading);
        for (place, row) in part.table.iter().flatten().enumerate() {
            let cells = row.iter().map(|it| {
                if is_heading(it) {
                    format!("[{it}](#{})", it.to_lowercase())
                } else {
                    escaped(it)
                }
            });
            let cells: Vec<String> = cells.collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
            if place == 0 {
                let _ = writeln!(text, "|{}", "---|".repeat(row.len()));
            }
        }
        for line in part.columns.iter().flat_map(|it| it.lines()) {
            // Four spaces make a block that no line can end.
            let _ = writeln!(text, "{}", format!("    {line}").trim_end());
        }
    }
    text
}

/// A text that Markdown takes for nothing else.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for it in text.chars() {
        if "\\`*_[]<>|".contains(it) {
            escaped.push('\\');
        }
        escaped.push(it);
    }
    escaped
}

fn table(heading: &str, rows: Vec<Vec<String>>) -> ManualPart {
    ManualPart {
        heading: heading.to_owned(),
        table: Some(rows),
        columns: None,
    }
}

fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// What holds of a round.
fn round(facts: Option<&GameSheet>, sheets: &[&Sheet], game: &GameName) -> Vec<Vec<String>> {
    let mut rows = vec![row(["", "", "Source"])];
    let seats = sheets.iter().flat_map(|it| &it.games);
    let seats = seats.filter(|it| it.name == *game).map(|it| it.seats_max);
    if let Some(most) = seats.max() {
        let most = format!("at most {most}");
        rows.push(row(["Seats", &most, "as each paytable says below"]));
    }
    if let Some(facts) = facts {
        let cards = &facts.cards;
        let dealt = format!(
            "{} to each player, {}, {}",
            cards.player,
            match cards.dealer {
                0 => "the dealer has no hand".to_owned(),
                count => format!("{count} to the dealer"),
            },
            match cards.community {
                0 => "no community cards".to_owned(),
                count => format!("{count} community cards"),
            }
        );
        rows.push(row(["Cards", &dealt, &place(&cards.source)]));
        let who = facts.fold.who.as_ref();
        let who = who.map_or_else(|| "nobody".to_owned(), |it| format!("a player who {it}"));
        rows.push(row(["Folds", &who, &place(&facts.fold.source)]));
        let turns = "Counterclockwise from the player farthest to the dealer's right: from the highest seat down";
        rows.push(row(["Turn order", turns, &place(&facts.turns.source)]));
    }
    if sheets.iter().any(|it| it.outline.bet_on_dealer) {
        let turn = "Where it is wagered on, right behind the own hand of the first seat in turn order that wagered on it";
        rows.push(row([
            "The dealer's hand",
            turn,
            "no source says it; Meterhouse does it so",
        ]));
    }
    let rules = facts.iter().flat_map(|it| &it.rules);
    rows.extend(rules.map(|it| row([&it.about, &it.says, &place(&it.source)])));
    rows
}

fn forfeits(facts: &GameSheet) -> Vec<Vec<String>> {
    let says = |folded: Folded| match folded {
        Folded::Forfeited => "forfeited",
        Folded::Kept => "kept",
        Folded::Silent => "the source is silent",
        Folded::Unplaced => "not placed by who folds",
    };
    let head = row([
        "Wager",
        "A fold",
        "The folded player's own Envy Bonus",
        "Note",
        "Source",
    ]);
    let wagers = facts.wagers.iter().map(|it| {
        row([
            &it.name,
            it.folded.map_or("nobody folds", says),
            it.envy.map_or("", says),
            it.note.as_deref().unwrap_or_default(),
            &place(&it.source),
        ])
    });
    [head].into_iter().chain(wagers).collect()
}

fn order(facts: &GameSheet) -> Vec<Vec<String>> {
    let head = row(["", "Settled for each player in turn", "Source"]);
    let steps = facts.steps.iter().zip(1..).map(|(step, number): (_, u32)| {
        row([&number.to_string(), &step.settles, &place(&step.source)])
    });
    [head].into_iter().chain(steps).collect()
}

/// Where something stands, as a sentence.
fn place(source: &Source) -> String {
    match source {
        Source::Printed(clause) => clause.clone(),
        Source::Inferred {
            place,
            inferred_from,
        } => format!("{place} is not printed: as in {inferred_from}"),
    }
}

/// The paytables, and what a wager of $1 on each is worth: without envy and draws, and with the envy of a full table.
fn worth(catalogue: &Catalogue, sheets: &[&Sheet]) -> Vec<Vec<String>> {
    let head = row([
        "Paytable",
        "Source",
        "At the seeds",
        "Long-run",
        "Envy at a full table",
        "Together",
        "Notes",
    ]);
    let rows = sheets.iter().map(|sheet| {
        let (id, citation) = (sheet.id.as_str(), sheet.citation.as_str());
        let lacking: Vec<&str> = sheet.missing().map(|it| it.what.name()).collect();
        if !lacking.is_empty() {
            let lacking = format!("lacking: {}", lacking.join(", "));
            return row([id, citation, "", "", "", "", &lacking]);
        }
        let found = whole(catalogue, &sheet.id);
        let found = found.and_then(|it| Ok((view(it, &Question::default())?, it.paytable)));
        let (worth, paytable) = match found {
            Ok(found) => found,
            Err(error) => return row([id, citation, "", "", "", "", &error.to_string()]),
        };
        let inferred: Vec<&str> = sheet.inferred().map(|it| it.what.name()).collect();
        let inferred =
            (!inferred.is_empty()).then(|| format!("to be confirmed: {}", inferred.join(", ")));
        let often = draws_too_often(paytable);
        let notes: Vec<String> = worth
            .warning
            .into_iter()
            .chain(often)
            .chain(inferred)
            .collect();
        let (at_seeds, long_run) = (&worth.at_displayed.percent, &worth.long_run.percent);
        let link = &worth.on_a_link;
        let (envy, together) = (&link.envy_at_full_table.percent, &link.total.percent);
        row([
            id,
            citation,
            at_seeds,
            long_run,
            envy,
            together,
            &notes.join("; "),
        ])
    });
    [head].into_iter().chain(rows).collect()
}
