//! The evaluation of a hand without a table.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::paytable::NotInSource;
use crate::request::{List, objects};
use crate::values::{
    Amount, Card, ChargedTo, Hand, HandRule, HandedOver, LevelName, PaytableId, Ranking,
    UnsignedAmount, WageredHand,
};
use crate::words::ValidatedBy;

/// A hand to evaluate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct EvaluationRequest {
    /// Paytable.
    pub paytable: PaytableId,
    /// Cards of which the hand is formed, own ones first.
    #[schema(value_type = Vec<Card>, max_items = 64)]
    pub cards: List<Card>,
    /// Wager on the hand.
    pub wager: UnsignedAmount,
    /// Hand that the wager is on; `own` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<WageredHand>,
    /// Displayed amount of the level of which the hand wins a percentage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub displayed: Option<UnsignedAmount>,
}

objects! { EvaluationRequest }

/// The evaluation of a hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Evaluation {
    /// Paytable.
    pub paytable: PaytableId,
    /// Title.
    pub title: String,
    /// Source.
    pub citation: String,
    /// Values that the source omits.
    pub not_in_source: Vec<NotInSource>,
    /// Rule by which the hand is formed.
    pub hand_rule: HandRule,
    /// Ranking.
    pub ranking: Ranking,
    /// Cards of which the hand is formed, own ones first.
    pub cards: Vec<Card>,
    /// Hand.
    pub hand: Hand,
    /// Pay; null if the hand wins nothing.
    pub pay: Option<Pay>,
    /// Envy of each other wagering player at the table; null if it is nothing, or if the source prints no schedule for
    /// this wager.
    pub envy: Option<Amount>,
    /// Result as a sentence.
    pub answer: String,
}

/// The pay of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Pay {
    /// Percentage of a level.
    pub percent: Option<u8>,
    /// Level of the percentage, or the level that fixed odds come off.
    pub level: Option<LevelName>,
    /// Fixed odds: for 1.
    pub for_one: Option<u32>,
    /// Amount; null for a percentage of a level whose displayed amount wasn't given.
    pub amount: Option<Amount>,
    /// Payer.
    pub charged_to: ChargedTo,
    /// Way of the payment.
    pub handed_over: HandedOver,
    /// Person who validates the hit before it is paid.
    pub validated_by: ValidatedBy,
}
