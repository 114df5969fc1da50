//! A hit: one shape for outcomes, tables, lists, the journal and feeds.
//!
//! # Shape
//! [`HitSummary`] is public, [`Hit`] adds the money and the payouts. `hit_detail.rs` adds the people who decided.

use meterhouse_domain::paytable;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::values::{
    Amount, Card, ChargedTo, Document, Hand, HandedOver, HitKind, HitName, HitState, LevelName,
    PayoutKind, PlayerName, TableName, Time,
};

/// A hit without its payouts: the fields that displays receive as well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HitSummary {
    /// Hit.
    pub hit: HitName,
    /// Round: its table and coin-in.
    #[schema(examples("C4P-07.1"))]
    pub round: String,
    /// Order among all hits of the link, from 1.
    #[schema(minimum = 1)]
    pub order: u64,
    /// Table.
    pub table: TableName,
    /// Kind.
    pub kind: HitKind,
    /// State. In outcomes and in the journal the state as the hit was recorded: `pending`, or `validated_by_rule` if no
    /// person has to validate the hit.
    pub state: HitState,
    /// Seat of the hand; null for the dealer's.
    pub seat: Option<u8>,
    /// True for the dealer's hand.
    pub dealer: bool,
    /// Hand; null for a bonus of the draw.
    pub hand: Option<Hand>,
    /// Level that the hit took from.
    pub level: Option<LevelName>,
    /// Percentage of the level; null if fixed odds were taken from the level.
    pub percent: Option<u8>,
    /// Amount due for the line or the bonus.
    pub due: Amount,
    /// Amount due to the other players as envy bonus.
    pub envy_due: Amount,
}

/// A hit with its money.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hit {
    /// Hit without its payouts.
    #[serde(flatten)]
    pub summary: HitSummary,
    /// Cards that the table sent.
    pub cards: Option<Vec<Card>>,
    /// Exact balance of the level before the hit.
    pub before: Option<Amount>,
    /// Exact balance of the level after the hit, restarted if the level was won.
    pub after: Option<Amount>,
    /// Payouts, in the order of their numbers.
    pub payouts: Vec<Payout>,
}

/// A payout of a hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Payout {
    /// Number, from 1.
    #[schema(minimum = 1)]
    pub payout: u32,
    /// Kind.
    pub kind: PayoutKind,
    /// Seat of the payout: a player's first in turn order.
    pub seat: u8,
    /// Player on the seat, if the table named one.
    pub player: Option<PlayerName>,
    /// Amount.
    pub amount: Amount,
    /// Payer.
    pub charged_to: ChargedTo,
    /// Way of the payment.
    pub handed_over: HandedOver,
    /// Payment; left out in outcomes and in the journal, which show the hit as it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment: Option<Payment>,
}

impl Payout {
    /// Returns true if the payout waits for a document: it is paid by slip, and not paid yet.
    pub fn waits_for_document(&self) -> bool {
        let is_paid = self.payment.as_ref().is_some_and(|payment| payment.paid);
        *self.handed_over == paytable::HandedOver::Slip && !is_paid
    }
}

/// The payment of a payout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Payment {
    /// True if the payout was paid.
    pub paid: bool,
    /// Time of the payment; null in the state of a table.
    pub at: Option<Time>,
    /// Name of the token's holder; null in the state of a table.
    pub by: Option<String>,
    /// Document; null if GAME OVER paid it.
    pub document: Option<Document>,
}

/// A hit with new amounts, because an earlier one was withdrawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ResettledHit {
    /// Hit.
    pub hit: HitName,
    /// New exact balance of the level before the hit.
    pub before: Amount,
    /// New exact balance of the level after the hit.
    pub after: Amount,
    /// New amount due for the line, including supplements.
    pub due: Amount,
    /// True if a floorperson has to validate the hit again.
    pub back_to_pending: bool,
    /// New payouts; a supplement is the additional amount of a paid winner.
    pub payouts: Vec<Payout>,
}
