//! The decision of a supervisor about a hit, and the document of a payout.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::hit::ResettledHit;
use crate::request::{List, objects};
use crate::values::{Amount, Card, Document, GivenDocument, GivenNote, HitName, Time};
use crate::words::HitDecision;

/// A decision about a hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ValidationRequest {
    /// Decision.
    pub decision: HitDecision,
    /// Cards that the supervisor saw; only with `approve`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Card>>, max_items = 64)]
    pub cards: Option<List<Card>>,
    /// Note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<GivenNote>,
    /// True to give later hits of the level the amounts that they have without this one; only with `reject`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resettle: Option<bool>,
}

/// A decision about a hit as it was made: the same at every request, whatever happened to the hit later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Validation {
    /// Hit.
    pub hit: HitName,
    /// Decision.
    pub decision: HitDecision,
    /// Person who decided.
    pub by: Option<String>,
    /// Time of the decision.
    pub at: Option<Time>,
    /// Cards that the supervisor saw.
    pub cards: Option<Vec<Card>>,
    /// Note.
    pub note: Option<String>,
    /// Later hits of the level with new amounts, in their order.
    pub resettled: Vec<ResettledHit>,
}

/// The document of a payout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct PaymentRequest {
    /// Number of the document.
    pub document: GivenDocument,
}

/// A payout that is paid: the same at every request, whatever happened to the hit later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PaidPayout {
    /// Hit.
    pub hit: HitName,
    /// Number of the payout.
    #[schema(minimum = 1)]
    pub payout: u32,
    /// Amount.
    pub amount: Amount,
    /// Document.
    pub document: Option<Document>,
    /// Name of the token's holder.
    pub paid_by: Option<String>,
    /// Time of the payment.
    pub at: Option<Time>,
}

objects! { ValidationRequest PaymentRequest }
