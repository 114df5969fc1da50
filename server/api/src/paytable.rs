//! Paytables: the catalogue, and one paytable complete.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::values::{
    Amount, ChargedTo, FoldAward, GameName, Hand, HandRule, HandedOver, LevelName, PaytableId,
    Ranking, WagerKind,
};

/// A page of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PaytablePage {
    /// Paytables, by id.
    pub paytables: Vec<ListedPaytable>,
    /// True if more follow.
    pub more: bool,
    /// Value of `after` for the next page.
    pub next: Option<PaytableId>,
}

/// A paytable of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ListedPaytable {
    /// Id.
    pub paytable: PaytableId,
    /// Title.
    pub title: String,
    /// Jurisdiction.
    pub jurisdiction: String,
    /// Source.
    pub citation: String,
    /// Date from which it is effective; null if the source bears no date.
    pub effective: Option<String>,
    /// Wager that it pays.
    pub wager_kind: WagerKind,
    /// Games that offer it.
    pub games: Vec<PaytableGame>,
    /// True if tables of several games may share its meters.
    pub linkable: bool,
    /// True if a link can open with it: no value is missing.
    pub complete: bool,
    /// Version of its content: equal for equal content, whatever the id is; null if it is incomplete.
    #[schema(examples("0f3a5b6c7d8e9f01"))]
    pub version: Option<String>,
    /// Values that its source omits.
    pub not_in_source: Vec<NotInSource>,
}

/// A game that offers a paytable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PaytableGame {
    /// Game.
    pub game: GameName,
    /// Maximum number of seats on its layout.
    pub seats_max: u8,
}

/// A value that the paytable's source omits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NotInSource {
    /// Part: `envy`, `seats`, `rates` …
    #[schema(examples("envy"))]
    pub what: String,
    /// Clause that would have the value.
    pub place: String,
    /// Clause that it was inferred from, for the operator to confirm; null if it is missing, or decided when a link
    /// opens.
    pub inferred_from: Option<String>,
}

/// A paytable, complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Paytable {
    /// Paytable as it is listed.
    #[serde(flatten)]
    pub listed: ListedPaytable,
    /// Ranking of the hands.
    pub ranking: Ranking,
    /// Rule by which the progressive hand is formed.
    pub hand_rule: HandRule,
    /// True if the dealer's hand can be wagered on.
    pub bet_on_dealer: bool,
    /// Award of a seat that folded.
    pub fold_award: FoldAward,
    /// True if a folded hand still gives envy to the others.
    pub folded_hand_gives_envy: bool,
    /// Odds from which a person has to validate a fixed pay; null if every hit needs validation. Percentages always
    /// need it.
    pub validated_from_for_one: Option<u32>,
    /// Maximum number of decks in play in one round; null if there is no limit.
    pub decks_max: Option<u8>,
    /// Adjacent boxes on which one player may wager in one round; null if the number is filed when a link opens.
    pub boxes_max: Option<u8>,
    /// Levels, highest first.
    pub levels: Vec<PaytableLevel>,
    /// Lines, highest hand first; only the highest pays.
    pub lines: Vec<PaytableLine>,
    /// Pay of a Magic Card, for 1; null if it is not offered.
    pub magic_card: Option<u32>,
    /// Pay of a Lucky Bonus, for 1; null if it is not offered.
    pub lucky_bonus: Option<u32>,
    /// Payer and way of payment of each kind of pay.
    pub settlement: Settlement,
    /// Wagers for which the source prints an envy schedule; empty if there is no envy.
    pub envy_printed_for: Vec<Amount>,
}

/// A level of a paytable. Seeds are for 1: times the link's wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PaytableLevel {
    /// Level.
    pub level: LevelName,
    /// Opening amount, for 1; null if it is missing.
    pub seed: Option<u32>,
    /// Amount after it paid 100%, for 1; null if it is missing.
    pub reseed: Option<u32>,
    /// Minimum of seed and reseed at any wager; null if only the odds are given.
    pub seed_least: Option<Amount>,
    /// Share of each wager that the displayed balance takes; null if it is missing.
    #[schema(examples("9%"))]
    pub primary: Option<String>,
    /// Share of each wager that the reserve takes; null if it is missing.
    #[schema(examples("0%"))]
    pub reserve: Option<String>,
}

/// A line: a hand, with a percentage of a level or fixed odds; neither if the pay is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PaytableLine {
    /// Hand.
    pub hand: Hand,
    /// Percentage.
    pub percent: Option<u8>,
    /// Level of the percentage, or the level that fixed odds come off.
    pub level: Option<LevelName>,
    /// Fixed odds: for 1.
    pub for_one: Option<u32>,
    /// Envy of each other player, for 1.
    pub envy: Option<u32>,
}

/// The payer and the way of payment of each kind of pay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Settlement {
    /// A percentage of a level.
    pub percent: PaidBy,
    /// Fixed odds.
    pub for_one: PaidBy,
    /// An envy bonus.
    pub envy: PaidBy,
}

/// The payer of a pay and the way of payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PaidBy {
    /// Payer.
    pub charged_to: ChargedTo,
    /// Way of the payment.
    pub handed_over: HandedOver,
}

/// Two paytables side by side. Equality of content decides, not of name (RULES §4.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PaytableComparison {
    /// First paytable.
    pub paytable: ComparedPaytable,
    /// Second paytable.
    pub with: ComparedPaytable,
    /// True if tables of both may share a link, at one wager and with the same decks.
    pub may_share: bool,
    /// Every difference of their contents, and of their games if both are for tables of one game only.
    pub differences: Vec<PaytableDifference>,
}

/// One of two compared paytables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparedPaytable {
    /// Id.
    pub paytable: PaytableId,
    /// Source.
    pub citation: String,
    /// Values that its source omits.
    pub not_in_source: Vec<NotInSource>,
}

/// A difference between two paytables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PaytableDifference {
    /// Field.
    #[schema(examples("line flush"))]
    pub field: String,
    /// Value of the first.
    pub first: String,
    /// Value of the second.
    pub second: String,
}
