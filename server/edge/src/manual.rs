//! The manual: one page a game, made from the paytables alone.

use std::collections::BTreeSet;

use meterhouse_catalogue::{Catalogue, Sheet, describe};
use meterhouse_domain::name::GameName;

use crate::paytables::Found;
use crate::returns::{Question, view};
use crate::wire_error::EdgeError;

/// What holds of every game.
const TURNS: &str = "Hands are settled in turn order: counterclockwise from the player farthest to the dealer's right, so from \
the highest seat down. The dealer's hand, where it can be wagered on, comes right behind the own hand of the first seat in turn \
order that wagered on it. Only the highest line of a hand pays. A wager counts once the bets are locked; nothing is added, raised \
or withdrawn afterwards. What is a percentage of a level is never paid from the table inventory container.";

/// The games of the catalogue, by name.
pub fn games(catalogue: &Catalogue) -> BTreeSet<GameName> {
    let games = catalogue.sheets().flat_map(|it| &it.games);
    games.map(|it| it.name.clone()).collect()
}

/// The page of a game, as Markdown; nothing where no paytable is for it.
///
/// # Errors
/// None for paytables that a link can open with: what can't be asked of them is worth nothing.
pub fn page(catalogue: &Catalogue, game: &GameName) -> Result<Option<String>, EdgeError> {
    let is_of = |it: &&Sheet| it.games.iter().any(|it| it.name == *game);
    let sheets: Vec<&Sheet> = catalogue.sheets().filter(is_of).collect();
    let Some(first) = sheets.first() else {
        return Ok(None);
    };
    let name = first.title.split(',').next().unwrap_or(game.as_str());
    let mut text = format!(
        "# {name}\n\nMade by `meterhouse manual --write docs/games` from the paytable files; every figure stands in \
         `server/catalogue/paytables/` under the id of its paytable, with its citation.\n\n{TURNS}\n\n"
    );
    text += "| paytable | source | at the seeds | long-run | |\n|---|---|---|---|---|\n";
    for sheet in &sheets {
        text += &row(catalogue, sheet)?;
    }
    let pages = sheets.iter();
    let pages: String = pages
        .map(|it| {
            [
                "\n## ",
                it.id.as_str(),
                "\n\n```text\n",
                &describe(it),
                "```\n",
            ]
            .concat()
        })
        .collect();
    Ok(Some(text + &pages))
}

/// A paytable and what a wager of $1 on it is worth, without envy and draws.
fn row(catalogue: &Catalogue, sheet: &Sheet) -> Result<String, EdgeError> {
    let (id, source) = (&sheet.id, &sheet.citation);
    let Some(paytable) = catalogue.find(id) else {
        let lacking: Vec<&str> = sheet.lacking().map(|it| it.what.name()).collect();
        let lacking = lacking.join(", ");
        return Ok(format!(
            "| [{id}](#{id}) | {source} | | | lacking: {lacking} |\n"
        ));
    };
    let worth = view(Found { paytable, sheet }, &Question::default())?;
    let inferred: Vec<&str> = sheet.inferred().map(|it| it.what.name()).collect();
    let inferred =
        (!inferred.is_empty()).then(|| format!("to be confirmed: {}", inferred.join(", ")));
    let notes: Vec<String> = worth.warning.into_iter().chain(inferred).collect();
    let note = notes.join("; ");
    Ok(format!(
        "| [{id}](#{id}) | {source} | {} | {} | {note} |\n",
        worth.at_displayed.percent, worth.long_run.percent
    ))
}
