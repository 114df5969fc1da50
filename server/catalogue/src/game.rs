//! A game's own file: the cards dealt, folds and their forfeits, the order of settlement, other rules of a round. The
//! manual shows these facts, but no rule reads them: play follows the paytable's own file.

use serde::Deserialize;

use crate::compiled::GAMES;
use crate::error::{CatalogueError, CatalogueErrors};

/// A game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSheet {
    /// Name, as in paytables and tables.
    pub name: String,
    /// Title for people.
    pub title: String,
    /// Cards dealt in a round; `None` for dice and wheels.
    pub cards: Option<CardsDealt>,
    /// The rule about folding; `None` for dice and wheels.
    pub fold: Option<Folding>,
    /// Wagers that the chapter has.
    #[serde(rename = "wager")]
    pub wagers: Vec<WagerOfGame>,
    /// Clause with the turn order; `None` for dice and wheels.
    pub turns: Option<Turns>,
    /// Steps in which a player's wagers are settled; empty if the source prints none.
    #[serde(rename = "step", default)]
    pub steps: Vec<Step>,
    /// Other rules of a round.
    #[serde(rename = "rule")]
    pub rules: Vec<Rule>,
}

/// Numbers of cards dealt, without those of a Six Card Bonus.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardsDealt {
    /// Cards dealt to each player.
    pub player: usize,
    /// Cards dealt to the dealer; 0 if the dealer has no hand.
    pub dealer: usize,
    /// Community cards.
    pub community: usize,
    /// Clause that prints the numbers.
    pub source: Source,
}

/// The rule about folding.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folding {
    /// Ending of "A player who …"; `None` if the game has no folds.
    pub who: Option<String>,
    /// Clause with the rule.
    pub source: Source,
}

/// A wager, and the effect of a fold on it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WagerOfGame {
    /// Name in the chapter.
    pub name: String,
    /// Effect of a fold on the wager; `None` if the game has no folds.
    pub folded: Option<Folded>,
    /// Effect of a fold on the eligibility for the wager's Envy Bonus; `None` if it has none.
    pub envy: Option<Folded>,
    /// A remark, such as the only jurisdiction that has the wager, or a reading for the operator to confirm.
    pub note: Option<String>,
    /// Clause with the wager.
    pub source: Source,
}

/// Effect of a fold.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Folded {
    /// The wager is lost.
    Forfeited,
    /// The wager is settled in spite of the fold.
    Kept,
    /// The source doesn't mention it.
    Silent,
    /// A player who folds has not placed the wager.
    Unplaced,
}

/// The rule about the turn order.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turns {
    /// Clause with the turn order.
    pub source: Source,
}

/// A step of the settlement.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Wagers that are settled in the step.
    pub settles: String,
    /// Clause with the step.
    pub source: Source,
}

/// A rule of a round in addition to turn and order.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Subject, in one to three words.
    pub about: String,
    /// The rule as a sentence without its full stop.
    pub says: String,
    /// Clause with the rule.
    pub source: Source,
}

/// The place where a fact is printed.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Source {
    /// Printed in this clause.
    Printed(String),
    /// Not printed in our sources: taken from a clause that prints the same.
    Inferred {
        /// Clause that would print it.
        place: String,
        /// Clause that it was taken from.
        inferred_from: String,
    },
}

/// Reads the compiled-in files of games.
///
/// # Errors
/// Each file without this form; a test proves that there is none.
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
