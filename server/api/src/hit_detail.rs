//! A hit with everything that a floorperson needs to decide, and pages of such hits.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::hit::Hit;
use crate::journal::JournalEntry;
use crate::values::{Card, Hand, LevelName, LinkName, Ranking, Time};

/// A page of hits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HitPage {
    /// Hits, by link, then by their order on it.
    pub hits: Vec<HitDetail>,
    /// True if more follow.
    pub more: bool,
    /// Value of `after` for the next page.
    pub next: Option<String>,
}

/// The last hits of each level of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LastHits {
    /// Link.
    pub link: LinkName,
    /// Levels, highest first.
    pub levels: Vec<LevelHits>,
}

/// The last hits of one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LevelHits {
    /// Level.
    pub level: LevelName,
    /// Hits that were not undone, newest first.
    pub hits: Vec<HitDetail>,
    /// True if the next hit is in an archived month.
    pub archived: bool,
}

/// A hit with everything that a floorperson needs to decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HitDetail {
    /// Hit.
    #[serde(flatten)]
    pub hit: Hit,
    /// Link.
    pub link: LinkName,
    /// Cards that the supervisor saw.
    pub validated_cards: Option<Vec<Card>>,
    /// The server's own evaluation of the cards: the supervisor's, else the table's.
    pub evaluation: Option<HandEvaluation>,
    /// Badge of the person who entered the hit.
    pub keyed_by: Option<String>,
    /// Time at which the hit was entered.
    pub keyed_at: Time,
    /// Person who validated, rejected, cancelled, voided or withdrew the hit.
    pub decided_by: Option<String>,
    /// Time of the decision.
    pub decided_at: Option<Time>,
    /// Note of the person who decided.
    pub note: Option<String>,
    /// Entries of the journal that moved the hit's money, oldest first; left out in lists. An entry that moved other
    /// money as well is whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<JournalEntry>>,
}

/// The server's evaluation of a hit's cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HandEvaluation {
    /// Ranking.
    pub ranking: Ranking,
    /// Hand.
    pub hand: Hand,
    /// True if this is the hand that was entered.
    pub agrees: bool,
}
