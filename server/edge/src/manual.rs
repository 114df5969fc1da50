//! The manual: one page per game, made from the files of games and paytables alone.
//!
//! # Shape
//! A [`ManualPage`] is a list of parts. [`markdown`] writes the parts for `docs/games` and the
//! command line. The page in the browser shows the same parts.

mod fixed;
mod limit;
mod part;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use meterhouse_api::manual::{ManualPage, ManualPart};
use meterhouse_api::text::Text;
use meterhouse_catalogue::{CardsDealt, Catalogue, Folded, GameSheet, Sheet, Source, describe};
use meterhouse_domain::ids::GameName;

use crate::link_returns::draws_too_often;
use crate::manual::part::{row, table};
use crate::paytables::whole;
use crate::returns::{Question, paytable_returns};

/// Returns the pages of all games that a paytable or a table of fixed wagers is for, by game.
pub fn pages(catalogue: &Catalogue) -> BTreeMap<GameName, ManualPage> {
    let games = catalogue.sheets().flat_map(|sheet| &sheet.games);
    let games = games.map(|game| &game.name);
    let of_fixed = catalogue.fixed_sheets().map(|sheet| &sheet.game);
    let games: BTreeSet<&GameName> = games.chain(of_fixed).collect();
    let pages = games.into_iter();
    pages
        .map(|game| (game.clone(), page(catalogue, game)))
        .collect()
}

/// Returns the page of a game.
fn page(catalogue: &Catalogue, game: &GameName) -> ManualPage {
    let is_of = |sheet: &&Sheet| sheet.games.iter().any(|rules| rules.name == *game);
    let sheets: Vec<&Sheet> = catalogue.sheets().filter(is_of).collect();
    let facts = catalogue.game(game);
    let mut parts = vec![table("Round of play", round(facts, &sheets, game))];
    if let Some(facts) = facts {
        parts.push(table("Wagers, and what a fold forfeits", forfeits(facts)));
        if !facts.steps.is_empty() {
            parts.push(table("Order of settlement", order(facts)));
        }
    }
    if !sheets.is_empty() {
        parts.push(table("Paytables", worth(catalogue, &sheets)));
    }
    let mut of_fixed = fixed::parts(catalogue, game).into_iter();
    parts.extend(of_fixed.next());
    parts.extend(sheets.iter().map(|sheet| ManualPart {
        heading: sheet.id.to_string(),
        table: None,
        columns: Some(describe(sheet)),
    }));
    parts.extend(of_fixed);
    let titles = sheets.iter().map(|sheet| &sheet.title);
    let of_game = catalogue.fixed_sheets().filter(|sheet| sheet.game == *game);
    let mut titles = titles.chain(of_game.map(|sheet| &sheet.title));
    let of_paytable = || titles.next()?.split(", ").next().map(str::to_owned);
    let title = facts.map(|facts| facts.title.clone()).or_else(of_paytable);
    ManualPage {
        game: Text(game.clone()),
        title: title.unwrap_or_else(|| game.to_string()),
        parts,
    }
}

/// Returns a page as Markdown.
pub fn markdown(page: &ManualPage) -> String {
    let mut text = format!(
        "# {}\n\nMade by `meterhouse manual` from the files of games and paytables; every paytable's file is called by its id.\n",
        escaped(&page.title)
    );
    text.push('\n');
    let link = |heading: &str| format!("[{}](#{})", escaped(heading), anchor(heading));
    for part in &page.parts {
        let _ = writeln!(text, "- {}", link(&part.heading));
    }
    let is_heading = |cell: &str| page.parts.iter().any(|part| part.heading == cell);
    for part in &page.parts {
        let _ = writeln!(text, "\n## {}\n", part.heading);
        for (index, row) in part.table.iter().flatten().enumerate() {
            let cells = row.iter().map(|cell| {
                if is_heading(cell) {
                    link(cell)
                } else if row.len() == 1 {
                    format!("**{}**", escaped(cell))
                } else {
                    escaped(cell)
                }
            });
            let cells: Vec<String> = cells.collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
            if index == 0 {
                let _ = writeln!(text, "|{}", "---|".repeat(row.len()));
            }
        }
        for line in part.columns.iter().flat_map(|columns| columns.lines()) {
            // Four spaces make a block that no line can end.
            let _ = writeln!(text, "{}", format!("    {line}").trim_end());
        }
    }
    text
}

/// Returns the anchor of a heading, as renderers of Markdown make it.
fn anchor(heading: &str) -> String {
    let letters = heading.to_lowercase();
    let letters = letters.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        letter if letter.is_alphanumeric() || letter == '-' => Some(letter),
        _ => None,
    });
    letters.collect()
}

/// Escapes a text for Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if "\\`*_[]<>|".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// Returns the facts of a round.
fn round(facts: Option<&GameSheet>, sheets: &[&Sheet], game: &GameName) -> Vec<Vec<String>> {
    let mut rows = vec![row(["", "", "Source"])];
    let seats = sheets.iter().flat_map(|sheet| &sheet.games);
    let seats = seats
        .filter(|rules| rules.name == *game)
        .map(|rules| rules.seats_max);
    if let Some(most) = seats.max() {
        let most = format!("at most {most}");
        rows.push(row(["Seats", &most, "as each paytable says below"]));
    }
    if let Some(facts) = facts {
        rows.extend(facts.cards.as_ref().map(dealt));
        rows.extend(facts.fold.as_ref().map(|fold| {
            let folder = fold.who.as_ref();
            let folder = folder.map_or_else(
                || "nobody".to_owned(),
                |player| format!("a player who {player}"),
            );
            row(["Folds", &folder, &source_text(&fold.source)])
        }));
        rows.extend(facts.turns.as_ref().map(|turns| {
            let turn = "Counterclockwise from the player farthest to the dealer's right: from the highest seat down";
            row(["Turn order", turn, &source_text(&turns.source)])
        }));
    }
    if sheets.iter().any(|sheet| sheet.outline.bet_on_dealer) {
        let turn = "Where it is wagered on, right behind the own hand of the first seat in turn order that wagered on it";
        rows.push(row([
            "The dealer's hand",
            turn,
            "no source says it; Meterhouse does it so",
        ]));
    }
    let rules = facts.iter().flat_map(|facts| &facts.rules);
    rows.extend(rules.map(|rule| row([&rule.about, &rule.says, &source_text(&rule.source)])));
    rows.extend(limit::payout_limit(game));
    rows
}

/// Returns the row on the cards of a round.
fn dealt(cards: &CardsDealt) -> Vec<String> {
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
    row(["Cards", &dealt, &source_text(&cards.source)])
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
    let wagers = facts.wagers.iter().map(|wager| {
        row([
            &wager.name,
            wager.folded.map_or("nobody folds", says),
            wager.envy.map_or("", says),
            wager.note.as_deref().unwrap_or_default(),
            &source_text(&wager.source),
        ])
    });
    [head].into_iter().chain(wagers).collect()
}

fn order(facts: &GameSheet) -> Vec<Vec<String>> {
    let head = row(["", "Settled for each player in turn", "Source"]);
    let steps = facts.steps.iter().zip(1..).map(|(step, number): (_, u32)| {
        row([
            &number.to_string(),
            &step.settles,
            &source_text(&step.source),
        ])
    });
    [head].into_iter().chain(steps).collect()
}

/// Returns the source of a fact, as a sentence.
fn source_text(source: &Source) -> String {
    match source {
        Source::Printed(clause) => clause.clone(),
        Source::Inferred {
            place,
            inferred_from,
        } => format!("{place} is not printed: as in {inferred_from}"),
    }
}

/// Returns the paytables with the return of a wager of $1 on each: without envy and draws, and with
/// the envy of a full table.
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
        let missing: Vec<&str> = sheet.missing().map(|gap| gap.what.name()).collect();
        if !missing.is_empty() {
            let missing = format!("lacking: {}", missing.join(", "));
            return row([id, citation, "", "", "", "", &missing]);
        }
        let found = whole(catalogue, &sheet.id);
        let found = found.and_then(|found| {
            let worth = paytable_returns(found, &Question::default())?;
            Ok((worth, found.paytable))
        });
        let (worth, paytable) = match found {
            Ok(found) => found,
            Err(error) => return row([id, citation, "", "", "", "", &error.to_string()]),
        };
        let inferred: Vec<&str> = sheet.inferred().map(|gap| gap.what.name()).collect();
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
