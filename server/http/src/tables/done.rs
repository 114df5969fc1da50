//! What the answer to each command says.

use serde::Serialize;
use utoipa::ToSchema;

use crate::render::{Amount, At, Drawn, HitKeyed, LevelAmount};

/// What a command did.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CommandAnswer {
    /// The table.
    pub(super) table: String,
    /// The number that it used up.
    #[schema(minimum = 1)]
    pub(super) sequence: u64,
    /// What it did, under the key of the command.
    #[serde(flatten)]
    pub(super) done: Done,
    /// The server's time.
    pub(super) at: At,
    /// Where it stands in the journal: batch and position.
    #[schema(examples("12.0"))]
    pub(super) position: String,
}

/// What each command did.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "command", rename_all = "snake_case")]
pub(crate) enum Done {
    /// The round is locked.
    CoinIn(CoinInDone),
    /// The chips were counted.
    Count(CountDone),
    /// Seats gave up their hands.
    Fold(FoldDone),
    /// A hit was keyed.
    Hit(Box<HitDone>),
    /// A hand without a wager was keyed.
    Envy(Box<HitDone>),
    /// A bonus of the draw was keyed.
    Bonus(Box<HitDone>),
    /// The round was settled from its cards.
    Settle(SettleDone),
    /// A hit was taken back.
    CancelHit(CancelHitDone),
    /// The round is over.
    Close(CloseDone),
    /// The round is void.
    Void(VoidDone),
}

/// The round is locked.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CoinInDone {
    /// The round: its table and coin-in.
    #[schema(examples("C4P-07.1"))]
    pub(super) round: String,
    /// The seats that are lit: an accepted wager on the own hand.
    pub(super) seats: Vec<u8>,
    /// Seats with an accepted wager on the dealer's hand.
    pub(super) dealer_seats: Vec<u8>,
    /// Accepted wagers.
    pub(super) wagers: u32,
    /// What the table game system drew for the round.
    #[serde(flatten)]
    pub(super) drawn: Drawn,
    /// What the levels took, and what they show after it.
    pub(super) levels: Vec<ContributedLevel>,
}

/// What one level took, and what it shows after it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ContributedLevel {
    /// The level.
    #[schema(examples("mega"))]
    pub(super) level: String,
    /// What the wagers added to its meter, exact.
    pub(super) contribution: Amount,
    /// What of the meter the level's ceiling then kept out; left out where nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) over_ceiling: Option<Amount>,
    /// What it shows.
    pub(super) amount: Amount,
}

/// The chips were counted.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CountDone {
    /// The chips.
    pub(super) chips: u32,
    /// The wagers that the coin-in accepted.
    pub(super) accepted: u32,
    /// Whether they differ: an exception for the floor, never corrected silently.
    pub(super) differ: bool,
    /// What the levels show after it.
    pub(super) levels: Vec<LevelAmount>,
}

/// Seats gave up their hands.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FoldDone {
    /// Which.
    pub(super) seats: Vec<u8>,
    /// What the levels show after it.
    pub(super) levels: Vec<LevelAmount>,
}

/// A hit was keyed, its amount is locked.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HitDone {
    /// The hit.
    #[serde(flatten)]
    pub(super) keyed: HitKeyed,
    /// What the levels show after it.
    pub(super) levels: Vec<LevelAmount>,
}

/// The round was settled: its hits in turn order, each as if it had been keyed by itself.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SettleDone {
    /// The hits, numbered from 1; none where nobody won.
    pub(super) hits: Vec<HitKeyed>,
    /// What the levels show after all of them.
    pub(super) levels: Vec<LevelAmount>,
}

/// A hit was taken back.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CancelHitDone {
    /// The hit.
    pub(super) hit: String,
    /// What the levels show after it.
    pub(super) levels: Vec<LevelAmount>,
}

/// The round is over.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CloseDone {
    /// Hits whose remaining payouts were paid with it.
    pub(super) hits: Vec<String>,
    /// What the levels show after it.
    pub(super) levels: Vec<LevelAmount>,
}

/// The round is void.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VoidDone {
    /// Why.
    #[schema(value_type = String, examples("misdeal"))]
    pub(super) reason: &'static str,
    /// The round's own hits that were reversed first, newest first.
    pub(super) hits: Vec<String>,
    /// What the levels show after it.
    pub(super) levels: Vec<LevelAmount>,
}
