//! The JSON responses of the HTTP API, with the fields that supervisors and managers need.

use serde::{Deserialize, Serialize};

/// The value of `handed_over` for a payout that needs a document.
const SLIP: &str = "slip";

/// A hit.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Hit {
    /// The hit's name, such as `C4P-07.4713`.
    #[serde(rename = "hit")]
    pub(crate) name: String,
    pub(crate) link: String,
    pub(crate) table: String,
    pub(crate) state: HitState,
    /// The amount that its line pays.
    pub(crate) due: String,
    /// The badge of the person who keyed the hit.
    pub(crate) keyed_by: Option<String>,
    /// The cards that the dealer sent.
    pub(crate) cards: Option<Vec<String>>,
    pub(crate) payouts: Vec<Payout>,
}

/// One payout of a hit.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Payout {
    /// The payout's number, from 1.
    #[serde(rename = "payout")]
    pub(crate) number: u32,
    /// The amount in dollars.
    pub(crate) amount: String,
    /// `slip`, `rack` or `game_account`.
    handed_over: String,
    payment: Option<Payment>,
}

/// The payment of a payout.
#[derive(Clone, Debug, Deserialize)]
struct Payment {
    /// `true` once the payout is paid.
    paid: bool,
}

/// The response to a recorded document.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RecordedPayment {
    /// The amount in dollars.
    pub(crate) amount: String,
}

/// The response to a rejection.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RejectedHit {
    /// Later hits with new amounts.
    pub(crate) resettled: Vec<serde_json::Value>,
}

/// A page of hits.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct HitPage {
    pub(crate) hits: Vec<Hit>,
}

impl Hit {
    /// Returns the payouts that wait for a document.
    pub(crate) fn payouts_without_document(&self) -> impl Iterator<Item = &Payout> {
        self.payouts
            .iter()
            .filter(|payout| payout.handed_over == SLIP && !payout.is_paid())
    }
}

impl Payout {
    fn is_paid(&self) -> bool {
        self.payment.as_ref().is_some_and(|payment| payment.paid)
    }
}

/// The state of a hit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HitState {
    /// Waits for a supervisor.
    Pending,
    /// Valid without a supervisor.
    ValidatedByRule,
    /// Validated by a supervisor.
    Validated,
    /// Every payout is paid.
    Paid,
    /// Cancelled by the dealer.
    Cancelled,
    /// Rejected by a supervisor.
    Rejected,
    /// Part of a void round.
    Void,
    /// Withdrawn by two people.
    Withdrawn,
}

/// The status of a link.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct LinkStatus {
    state: String,
    pub(crate) paytable: String,
    pub(crate) wager: String,
    pub(crate) decks: u8,
    /// `Some(false)` until a manager accepts the first values.
    values_accepted: Option<bool>,
    levels: Vec<LevelStatus>,
}

/// The status of a level.
#[derive(Clone, Debug, Deserialize)]
struct LevelStatus {
    level: String,
    amount: String,
    disabled: bool,
}

/// A level with its first value, which a manager accepts.
#[derive(Debug, Serialize)]
pub(crate) struct LevelValue<'a> {
    level: &'a str,
    amount: &'a str,
}

/// A table in the list of tables.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ListedTable {
    /// The table's name.
    pub(crate) table: String,
    state: String,
}

impl LinkStatus {
    /// Returns `true` if a manager took the link out of play.
    pub(crate) fn is_suspended(&self) -> bool {
        ["suspended", "closed"].contains(&self.state.as_str())
    }

    /// Returns the first values of the levels, if a manager still has to accept them. There was no coin-in yet, so the
    /// displayed amounts are the first values.
    pub(crate) fn values_to_accept(&self) -> Option<Vec<LevelValue<'_>>> {
        let levels = self.levels.iter().map(|level| LevelValue {
            level: &level.level,
            amount: &level.amount,
        });
        (self.values_accepted == Some(false)).then(|| levels.collect())
    }

    /// Returns the names of the disabled levels.
    pub(crate) fn disabled_levels(&self) -> impl Iterator<Item = &str> {
        let levels = self.levels.iter().filter(|level| level.disabled);
        levels.map(|level| level.level.as_str())
    }
}

impl ListedTable {
    /// Returns `true` if the table was silent for too long.
    pub(crate) fn is_lost(&self) -> bool {
        self.state == "lost"
    }
}

/// The list of all tables.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TableList {
    /// The tables, sorted by link.
    pub(crate) tables: Vec<ListedTable>,
}
