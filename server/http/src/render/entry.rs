//! An entry of the journal, as it is written.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{Amount, At, ChangeView, Drawn, EffectNow, PayoutView, ResettledHit};

/// A page of a link's journal.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct JournalView {
    /// The link.
    pub(super) link: String,
    /// In the order in which they happened.
    pub(super) entries: Vec<EntryView>,
    /// Whether there is more.
    pub(super) more: bool,
    /// What to write as `after` for the next page.
    pub(super) next: Option<String>,
}

/// What one command caused.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EntryView {
    /// Batch and position.
    #[schema(examples("12.0"))]
    pub(super) position: String,
    /// The server's time.
    pub(super) at: At,
    /// Whose token it was.
    pub(super) actor: String,
    /// The dealer's badge, or the person's name.
    pub(super) by: Option<String>,
    /// The table, where one caused it.
    pub(super) table: Option<String>,
    /// The number that it used up.
    #[schema(minimum = 1)]
    pub(super) sequence: Option<u64>,
    /// The controller's own time: evidence, never orders anything.
    pub(super) device_at: Option<At>,
    /// What happened.
    pub(super) event: EventView,
    /// Its entries; they sum to nothing.
    pub(super) moves: Vec<MoveView>,
}

/// Money that moved between two accounts of one book.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MoveView {
    /// The level, or `fixed` for pays that touch no meter.
    pub(super) book: String,
    /// From this account.
    #[schema(value_type = String)]
    pub(super) from: &'static str,
    /// To this one.
    #[schema(value_type = String)]
    pub(super) to: &'static str,
    /// How much, exact.
    pub(super) amount: Amount,
}

/// What happened.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum EventView {
    /// The link exists.
    LinkOpened {
        paytable: String,
        wager: Amount,
        decks: u8,
        reserve_policy: String,
        ceilings: BTreeMap<String, Amount>,
        rounds_a_minute_max: Option<u32>,
        silence_seconds_max: Option<u32>,
        magic_card_one_in: Option<u32>,
        lucky_bonus_one_in: Option<u32>,
        badge_required: bool,
    },
    /// A table plays on the link.
    TableJoined {
        table: String,
        game: String,
        seats: u8,
        paytable: String,
    },
    /// A round is locked.
    CoinInAccepted {
        seats: Vec<u8>,
        dealer_seats: Vec<u8>,
        dealt: Vec<u8>,
        players: BTreeMap<String, String>,
        #[serde(flatten)]
        drawn: Drawn,
    },
    /// The dealer counted.
    ChipsCounted { chips: u32, accepted: u32 },
    /// Seats gave up their hands.
    SeatsFolded { seats: Vec<u8> },
    /// A winning hand was keyed.
    HitRecorded(Box<HitEntry>),
    /// All cards were sent: the hits that they make, in turn order.
    RoundSettled {
        dealer: Vec<String>,
        community: Vec<String>,
        seats: BTreeMap<String, Vec<String>>,
        hits: Vec<HitEntry>,
    },
    /// The hand button was pressed again.
    HitCancelled { hit: String },
    /// A supervisor validated a hit.
    HitValidated {
        hit: String,
        cards: Option<Vec<String>>,
        note: Option<String>,
    },
    /// A supervisor rejected a hit.
    HitRejected {
        hit: String,
        note: Option<String>,
        resettle: bool,
        resettled: Vec<ResettledHit>,
    },
    /// A payout's documentation is complete.
    PayoutPaid {
        hit: String,
        payout: u32,
        document: String,
    },
    /// GAME OVER.
    RoundClosed { hits: Vec<String> },
    /// All wagers of the round went back.
    RoundVoided { reason: String, hits: Vec<String> },
    /// A manager accepted what each level opened with.
    ValuesAccepted { values: BTreeMap<String, Amount> },
    /// No coin-in until the link resumes.
    LinkSuspended { reason: String },
    /// Coin-in again.
    LinkResumed {},
    /// A level takes no coin-in.
    LevelDisabled { level: String, reason: String },
    /// The level plays again.
    LevelEnabled { level: String },
    /// A table was silent for too long.
    TableLost {
        table: String,
        heard_at: At,
        must_resume: bool,
    },
    /// A lost table was heard again.
    TableBack { table: String },
    /// A table takes no coin-in.
    TableDisabled { table: String, reason: String },
    /// A disabled table plays again.
    TableEnabled { table: String },
    /// A table left the link for good.
    TableLeft { table: String, reason: String },
    /// The first of two people.
    ChangeProposed {
        proposal: String,
        department: String,
        reason: String,
        expires_at: At,
        change: ChangeView,
    },
    /// The second of two people: it was done.
    ChangeApproved {
        proposal: String,
        department: String,
        effect: EffectNow,
    },
    /// A proposal can't be approved any more.
    ChangeDeclined {
        proposal: String,
        department: String,
        reason: String,
    },
    /// The rules broke: the link accepts nothing.
    LinkFaulted { reason: String },
    /// The rules said no; the number is used up all the same.
    Refused {
        code: String,
        fields: BTreeMap<String, String>,
        command: Value,
    },
}

/// A hit with what it took. Its own kind is `hit_kind`: `kind` is the event's.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HitEntry {
    /// The hit.
    pub(super) hit: String,
    /// The round.
    pub(super) round: String,
    /// Its position among all hits of the link.
    pub(super) order: u64,
    /// `line`, `envy`, `magic_card` or `lucky_bonus`.
    pub(super) hit_kind: String,
    /// Whose hand; the dealer's has none.
    pub(super) seat: Option<u8>,
    /// The hand; a bonus of the draw has none.
    pub(super) hand: Option<String>,
    /// The cards, where the table sent them.
    pub(super) cards: Option<Vec<String>>,
    /// The level that it was taken from.
    pub(super) level: Option<String>,
    /// The percentage; null where fixed odds were taken from the level.
    pub(super) percent: Option<u8>,
    /// The level's exact balance before.
    pub(super) before: Option<Amount>,
    /// And after.
    pub(super) after: Option<Amount>,
    /// Whether a person has to validate it.
    pub(super) needs_validation: bool,
    /// What has to be paid.
    pub(super) payouts: Vec<PayoutView>,
}
