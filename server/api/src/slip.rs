//! Slips of payouts and their reprints.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::request::objects;
use crate::values::{
    Amount, Card, ChargedTo, GivenNote, Hand, HitKind, HitName, LevelName, LinkName, PayoutKind,
    PlayerName, TableName, Time,
};

/// A slip of a payout: what was decided when it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PayoutSlip {
    /// Number of the slip: of the whole house, from 1 without gaps.
    #[schema(minimum = 1)]
    pub slip: u64,
    /// Time at which it was made.
    pub at: Time,
    /// Person who made it.
    pub made_by: String,
    /// Link.
    pub link: LinkName,
    /// Title of the link's paytable.
    pub title: String,
    /// Table.
    pub table: TableName,
    /// Hit.
    pub hit: HitName,
    /// Round: its table and coin-in.
    #[schema(examples("C4P-07.1"))]
    pub round: String,
    /// Order of the hit among all hits of the link.
    pub order: u64,
    /// Kind of the hit.
    pub hit_kind: HitKind,
    /// Hand; null for a bonus of the draw.
    pub hand: Option<Hand>,
    /// Cards: the supervisor's, else the table's.
    pub cards: Option<Vec<Card>>,
    /// Level that the hit took from.
    pub level: Option<LevelName>,
    /// Percentage of the level; null for a fixed pay.
    pub percent: Option<u8>,
    /// Number of the payout.
    #[schema(minimum = 1)]
    pub payout: u32,
    /// Kind of the payout.
    pub payout_kind: PayoutKind,
    /// Seat of the payout.
    pub seat: u8,
    /// Player on the seat, if the table named one.
    pub player: Option<PlayerName>,
    /// Amount to pay.
    pub amount: Amount,
    /// Payer.
    pub charged_to: ChargedTo,
    /// Badge of the person who entered the hit.
    pub keyed_by: Option<String>,
    /// Time of the entry.
    pub keyed_at: Time,
    /// Person who validated the hit; null if no person had to.
    pub validated_by: Option<String>,
    /// Time of the validation.
    pub validated_at: Option<Time>,
    /// Earlier slip of the same payout, with another amount: it is void.
    pub replaces: Option<u64>,
    /// Newer slip of the same payout: this one is void.
    pub replaced_by: Option<u64>,
    /// Further prints, in their order.
    pub reprints: Vec<Reprint>,
}

/// A further print of a slip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reprint {
    /// Number of the reprint, from 1 without gaps.
    #[schema(minimum = 1)]
    pub number: u32,
    /// Time.
    pub at: Time,
    /// Person who printed the slip again.
    pub by: String,
    /// Reason.
    pub reason: String,
}

/// The reason of a reprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ReprintRequest {
    /// Reason.
    pub reason: GivenNote,
}

/// A page of slips.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SlipPage {
    /// Slips, in the order of their numbers.
    pub slips: Vec<PayoutSlip>,
    /// True if more follow.
    pub more: bool,
    /// Value of `after` for the next page.
    pub next: Option<u64>,
}

objects! { ReprintRequest }
