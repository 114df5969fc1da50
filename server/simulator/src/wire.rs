//! The JSON of the HTTP API's answers, as far as a controller and a supervisor read them.

use serde::{Deserialize, Serialize};

/// How a payout is handed over that needs a document.
const SLIP: &str = "slip";

/// A hit as the floor sees it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Hit {
    /// Its name: `C4P-07.4713`.
    #[serde(rename = "hit")]
    pub(crate) name: String,
    /// Its link.
    pub(crate) link: String,
    /// The table.
    pub(crate) table: String,
    /// Where it stands.
    pub(crate) state: HitState,
    /// What its line pays.
    pub(crate) due: String,
    /// The badge that keyed it.
    pub(crate) keyed_by: Option<String>,
    /// The cards that the dealer sent.
    pub(crate) cards: Option<Vec<String>>,
    /// Its payouts.
    pub(crate) payouts: Vec<Payout>,
}

/// One payout of a hit as the floor sees it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Payout {
    /// Its number, from 1.
    #[serde(rename = "payout")]
    pub(crate) number: u32,
    /// How much, in dollars.
    pub(crate) amount: String,
    /// `slip`, `rack` or `game_account`.
    handed_over: String,
    /// Whether and how it was paid.
    paid: Payment,
}

/// Whether and how a payout was paid.
#[derive(Clone, Debug, Deserialize)]
struct Payment {
    /// When; nothing while it waits.
    at: Option<String>,
}

/// A payout whose document was recorded.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Paid {
    /// How much, in dollars.
    pub(crate) amount: String,
}

/// A hit that was rejected.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Rejected {
    /// Later hits with new amounts.
    pub(crate) resettled: Vec<serde_json::Value>,
}

/// A page of hits.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Hits {
    /// The hits.
    pub(crate) hits: Vec<Hit>,
}

impl Hit {
    /// The payouts that wait for a document.
    pub(crate) fn undocumented(&self) -> impl Iterator<Item = &Payout> {
        self.payouts
            .iter()
            .filter(|it| it.handed_over == SLIP && it.paid.at.is_none())
    }
}

/// Where a hit stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HitState {
    /// Waits for a supervisor.
    Pending,
    /// Needs none.
    ValidatedByRule,
    /// A supervisor validated it.
    Validated,
    /// Every payout reached its player.
    Paid,
    /// The button was pressed again.
    Cancelled,
    /// A supervisor rejected it.
    Rejected,
    /// Its round is void.
    Void,
    /// Two people withdrew it.
    Withdrawn,
}

/// A link as everybody sees it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct LinkNow {
    state: String,
    /// Its paytable.
    pub(crate) paytable: String,
    /// Its wager.
    pub(crate) wager: String,
    /// Its decks.
    pub(crate) decks: u8,
    /// Whether its first values are accepted.
    values_accepted: Option<bool>,
    levels: Vec<LevelNow>,
}

/// A level of a link.
#[derive(Clone, Debug, Deserialize)]
struct LevelNow {
    level: String,
    amount: String,
    disabled: bool,
}

/// A level with what it opened with, as a manager accepts it.
#[derive(Debug, Serialize)]
pub(crate) struct LevelValue<'a> {
    level: &'a str,
    amount: &'a str,
}

/// A table of a link.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TableListed {
    /// Its name.
    pub(crate) table: String,
    state: String,
}

impl LinkNow {
    /// Whether a manager took it out of play.
    pub(crate) fn is_suspended(&self) -> bool {
        ["suspended", "closed"].contains(&self.state.as_str())
    }

    /// What its levels opened with, if a manager has to accept that: nobody has played yet, so the signs show it.
    pub(crate) fn to_accept(&self) -> Option<Vec<LevelValue<'_>>> {
        let levels = self.levels.iter().map(|it| LevelValue {
            level: &it.level,
            amount: &it.amount,
        });
        (self.values_accepted == Some(false)).then(|| levels.collect())
    }

    /// The levels that are off.
    pub(crate) fn disabled(&self) -> impl Iterator<Item = &str> {
        let levels = self.levels.iter().filter(|it| it.disabled);
        levels.map(|it| it.level.as_str())
    }
}

impl TableListed {
    /// Whether it was silent for too long.
    pub(crate) fn is_lost(&self) -> bool {
        self.state == "lost"
    }
}

/// Every table of the house.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Tables {
    /// By link.
    pub(crate) tables: Vec<TableListed>,
}
