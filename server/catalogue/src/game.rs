//! What a game's own file says: how many cards are dealt, who folds and what that forfeits, in which order wagers are
//! settled, what else holds of a round. The manual shows it; nothing is played by it: how a paytable is played stands in
//! its own file.

use serde::Deserialize;

use crate::compiled::GAMES;
use crate::error::{CatalogueError, CatalogueErrors};

/// A game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSheet {
    /// Its name, as in paytables and tables.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What is dealt.
    pub cards: CardsDealt,
    /// Who folds, if anybody does.
    pub fold: Folding,
    /// The wagers that the chapter has.
    #[serde(rename = "wager")]
    pub wagers: Vec<WagerOfGame>,
    /// Where the turn order stands.
    pub turns: Turns,
    /// The order in which a player's wagers are settled.
    #[serde(rename = "step")]
    pub steps: Vec<Step>,
    /// What else holds of a round.
    #[serde(rename = "rule")]
    pub rules: Vec<Rule>,
}

/// How many cards are dealt; those of a Six Card Bonus are not counted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardsDealt {
    /// To each player.
    pub player: usize,
    /// To the dealer; 0 where he has no hand.
    pub dealer: usize,
    /// To all.
    pub community: usize,
    /// Where it stands.
    pub source: Source,
}

/// Who folds, if anybody does.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folding {
    /// A player who …; nothing where nobody folds.
    pub who: Option<String>,
    /// Where it stands.
    pub source: Source,
}

/// A wager, and what a fold does to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WagerOfGame {
    /// What the chapter calls it.
    pub name: String,
    /// What becomes of it; nothing where nobody folds.
    pub folded: Option<Folded>,
    /// What becomes of the eligibility for its Envy Bonus; nothing where it has none.
    pub envy: Option<Folded>,
    /// What else has to be known: a jurisdiction that alone has it, a reading that the operator confirms.
    pub note: Option<String>,
    /// Where it stands.
    pub source: Source,
}

/// What a fold does.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Folded {
    /// It is lost.
    Forfeited,
    /// It is settled all the same.
    Kept,
    /// The source says nothing.
    Silent,
    /// Who folds has not placed it.
    Unplaced,
}

/// Where the turn order stands.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turns {
    /// Where it stands.
    pub source: Source,
}

/// A step of the settlement.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What is settled.
    pub settles: String,
    /// Where it stands.
    pub source: Source,
}

/// What holds of a round beside turn and order.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What it is about, in one to three words.
    pub about: String,
    /// What holds, as a sentence without its full stop.
    pub says: String,
    /// Where it stands.
    pub source: Source,
}

/// Where something stands.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Source {
    /// In this clause.
    Printed(String),
    /// Nowhere that we have: taken from where the same is printed.
    Inferred {
        /// Where it would stand.
        place: String,
        /// Where it was taken from.
        inferred_from: String,
    },
}

/// Reads our own files.
///
/// # Errors
/// Each file that doesn't have this form; a test sees to it that none is.
pub(crate) fn compiled_in() -> Result<Vec<GameSheet>, CatalogueErrors> {
    let read = |(file, text): &(&str, &str)| {
        let wrong = |error: toml::de::Error| {
            let message = format!("write it in the form of the others ({error})");
            CatalogueErrors(vec![CatalogueError::whole_file(file, message)])
        };
        toml::from_str(text).map_err(wrong)
    };
    GAMES.iter().map(read).collect()
}
