//! The closing of a day: its report, the signature of a person under it, and the list of signed days.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::exception::LinkException;
use crate::report::Decrease;
use crate::request::objects;
use crate::values::{Amount, Document, GivenNote, HitName, LevelName, LinkName, Position, Time};

/// A day of a link. A signed day has the report as it was signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Closing {
    /// Report.
    pub report: ClosingReport,
    /// First signed head of the link that covers the end of the day; null as long as there is none.
    pub covered_by: Option<ClosingHead>,
    /// Signature; null as long as nobody signed.
    pub sign_off: Option<ClosingSignature>,
}

/// The report of a day. It has nothing that may differ later: states of hits are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClosingReport {
    /// Link.
    pub link: LinkName,
    /// Day in UTC: YYYY-MM-DD.
    #[schema(format = Date)]
    pub date: String,
    /// First moment of the day.
    pub from: Time,
    /// First moment after the day.
    pub to: Time,
    /// True if the day is over: nothing is added to it any more.
    pub complete: bool,
    /// Last batch before the day; 0 if the link was not open yet.
    pub from_batch: u64,
    /// Last batch of the day.
    pub to_batch: u64,
    /// Chain hash of the last batch, hexadecimal.
    pub chain_hash: String,
    /// True if every difference and what is unmatched are 0.00.
    pub balanced: bool,
    /// Books by level, then `fixed`: odds and envy, which touch no meter.
    pub levels: Vec<ClosingLevel>,
    /// Every decrease of a meter, in the journal's order.
    pub decreases: Vec<Decrease>,
    /// Sum of the decreases without a cause: must be 0.00.
    pub unmatched: Amount,
    /// Hits that were recorded, in the journal's order.
    pub hits: Vec<ClosingHit>,
    /// Payments to players, in the journal's order.
    pub payments: Vec<ClosingPayment>,
    /// Exceptions, in the journal's order.
    pub exceptions: Vec<LinkException>,
    /// Number of exceptions that nobody cleared: must be 0 for the signature.
    pub open_exceptions: usize,
}

/// The books of one level on a day: opening + contributions + house - paid + adjustments = closing, of the sums of meter,
/// reserve, overflow and pending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClosingLevel {
    /// Level, or `fixed`.
    pub level: LevelName,
    /// Balances before the day.
    pub opening: ClosingBalances,
    /// Contributions of wagers, less those that void rounds took back.
    pub contributions: Amount,
    /// Funding by the house: seeds, reseeds, fixed pays and envy, less returns to the house.
    pub house: Amount,
    /// Payments to players.
    pub paid: Amount,
    /// Adjustments by two people.
    pub adjustments: Amount,
    /// Balances at the end of the day.
    pub closing: ClosingBalances,
    /// Difference: must be 0.00.
    pub difference: Amount,
}

/// The exact balances of one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClosingBalances {
    /// Displayed balance, before it is cut to the cent.
    pub meter: Amount,
    /// Hidden balance.
    pub reserve: Amount,
    /// Amount that a ceiling kept out of the meter.
    pub overflow: Amount,
    /// Amount won but unpaid.
    pub pending: Amount,
}

/// A hit as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClosingHit {
    /// Hit.
    pub hit: HitName,
    /// Position in the journal.
    pub position: Position,
    /// Time.
    pub at: Time,
    /// Order among all hits of the link.
    pub order: u64,
    /// Level, if the hit took from one.
    pub level: Option<LevelName>,
    /// Meter before, exact.
    pub before: Option<Amount>,
    /// Meter after, exact.
    pub after: Option<Amount>,
    /// Sum of its payouts.
    pub due: Amount,
}

/// Money that was paid to players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClosingPayment {
    /// Position in the journal.
    pub position: Position,
    /// Time.
    pub at: Time,
    /// Hits that were paid; several at GAME OVER.
    pub hits: Vec<HitName>,
    /// Number of the payout, if it was documented.
    pub payout: Option<u32>,
    /// Document, if one was recorded.
    pub document: Option<Document>,
    /// Sum; negative if money was taken back.
    pub amount: Amount,
}

/// A signed head that covers the end of a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClosingHead {
    /// Number of the head on its link.
    pub number: u64,
    /// Newest batch that it covers.
    pub batch: u64,
    /// Server time of the signature.
    pub signed_at: Time,
}

/// The signature of a person under a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClosingSignature {
    /// Person who signed.
    pub by: String,
    /// Time.
    pub at: Time,
    ///  if the person gave one.
    pub note: Option<String>,
    /// SHA-256 of the report's bytes, hexadecimal.
    pub sha256: String,
    /// True if the journal gives the same report now; null if events of the day are archived.
    pub matches: Option<bool>,
    /// The report that the journal gives now, if it is another one.
    pub recomputed: Option<ClosingReport>,
}

/// The signature under a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SignOffRequest {
    ///  for the people who read the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<GivenNote>,
}

/// A page of signed days, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClosingPage {
    /// Link.
    pub link: LinkName,
    /// Signed days.
    pub closings: Vec<SignedDay>,
    /// True if older ones follow.
    pub more: bool,
    /// Value of `after` for the next page.
    #[schema(format = Date)]
    pub next: Option<String>,
}

/// A signed day, without its report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SignedDay {
    /// Day in UTC: YYYY-MM-DD.
    #[schema(format = Date)]
    pub date: String,
    /// Person who signed.
    pub by: String,
    /// Time.
    pub at: Time,
    ///  if the person gave one.
    pub note: Option<String>,
    /// SHA-256 of the report's bytes, hexadecimal.
    pub sha256: String,
}

objects! { SignOffRequest }
