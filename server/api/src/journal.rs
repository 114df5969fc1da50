//! The journal of a link, as auditors read it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::change::{Change, Effect};
use crate::hit::{Hit, ResettledHit};
use crate::level::LevelAmount;
use crate::outcome::BettingPosition;
use crate::refused_command::RefusedCommand;
use crate::round_settlement::RoundSettlement;
use crate::values::{
    Account, Amount, Card, Department, Document, GameName, HitName, LevelName, LinkName,
    PaytableId, Position, ProposalId, ReservePolicy, TableName, Time, VoidReason,
};

/// A page of a link's journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JournalPage {
    /// Link.
    pub link: LinkName,
    /// Entries, in their order.
    pub entries: Vec<JournalEntry>,
    /// True if more follow.
    pub more: bool,
    /// Value of `after` for the next page.
    pub next: Option<Position>,
}

/// The result of one command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JournalEntry {
    /// Position in the journal.
    pub position: Position,
    /// Server time.
    pub at: Time,
    /// Name of the token's holder.
    pub actor: String,
    /// Badge of the dealer, or name of the person.
    pub by: Option<String>,
    /// Table, if the command is a table's.
    pub table: Option<TableName>,
    /// Number of the table's command.
    #[schema(minimum = 1)]
    pub sequence: Option<u64>,
    /// Time by the controller's clock: evidence, without effect on the order.
    pub device_at: Option<Time>,
    /// Event.
    pub event: JournalEvent,
    /// Movements of money; their sum is zero.
    pub moves: Vec<MoneyMove>,
}

/// Money that moved between two accounts of one book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MoneyMove {
    /// Level, or `fixed` for pays that touch no meter.
    pub book: LevelName,
    /// Account that the money left.
    pub from: Account,
    /// Account that the money reached.
    pub to: Account,
    /// Amount, exact.
    pub amount: Amount,
}

/// An event of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum JournalEvent {
    /// The link was opened.
    LinkOpened {
        /// Paytable.
        paytable: PaytableId,
        /// Wager.
        wager: Amount,
        /// Decks in play in one round.
        decks: u8,
        /// Amount that a level with a reserve restarts with.
        reserve_policy: ReservePolicy,
        /// Ceilings of levels.
        #[schema(value_type = BTreeMap<String, Amount>)]
        ceilings: BTreeMap<LevelName, Amount>,
        /// Rounds that one table may lock in a minute.
        rounds_a_minute_max: Option<u32>,
        /// Seconds of silence after which a table is lost.
        silence_seconds_max: Option<u32>,
        /// Number of rounds per draw of a Magic Card.
        magic_card_one_in: Option<u32>,
        /// Number of rounds per draw of a lucky position.
        lucky_bonus_one_in: Option<u32>,
        /// True if a hit that a person has to validate needs a badge.
        badge_required: bool,
    },
    /// A table joined the link.
    TableJoined {
        /// Table.
        table: TableName,
        /// Game.
        game: GameName,
        /// Seats on the layout.
        seats: u8,
        /// Paytable that the table joined with.
        paytable: PaytableId,
    },
    /// A round is locked.
    CoinInAccepted {
        /// Seats with an accepted wager on the own hand.
        seats: Vec<u8>,
        /// Seats with an accepted wager on the dealer's hand.
        dealer_seats: Vec<u8>,
        /// Seats that got cards.
        dealt: Vec<u8>,
        /// Players by seat, if the table named them.
        players: BTreeMap<String, String>,
        /// Magic Card that was drawn.
        magic_card: Option<Card>,
        /// Lucky position that was drawn.
        lucky_position: Option<BettingPosition>,
    },
    /// The dealer counted the chips.
    ChipsCounted {
        /// Number of chips.
        chips: u32,
        /// Number of wagers that the coin-in accepted.
        accepted: u32,
    },
    /// Seats gave up their hands.
    SeatsFolded {
        /// Seats.
        seats: Vec<u8>,
    },
    /// A winning hand was entered.
    HitRecorded {
        /// Hit.
        hit: Box<Hit>,
    },
    /// All cards were sent.
    RoundSettled {
        /// Cards of the dealer.
        dealer: Vec<Card>,
        /// Cards that all hands share.
        community: Vec<Card>,
        /// Cards by seat.
        #[schema(value_type = BTreeMap<String, Vec<Card>>)]
        seats: BTreeMap<String, Vec<Card>>,
        /// Hits that the cards make, in turn order.
        hits: Vec<Hit>,
        /// Settled fixed wagers; left out if the command had none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<RoundSettlement>)]
        settlement: Option<Box<RoundSettlement>>,
    },
    /// The hand button was pressed again.
    HitCancelled {
        /// Hit.
        hit: HitName,
    },
    /// A supervisor validated a hit.
    HitValidated {
        /// Hit.
        hit: HitName,
        /// Cards that the supervisor saw.
        cards: Option<Vec<Card>>,
        /// Note.
        note: Option<String>,
    },
    /// A supervisor rejected a hit.
    HitRejected {
        /// Hit.
        hit: HitName,
        /// Note.
        note: Option<String>,
        /// True if later hits of the level got new amounts.
        resettle: bool,
        /// Later hits with new amounts.
        resettled: Vec<ResettledHit>,
    },
    /// The document of a payout was recorded.
    PayoutPaid {
        /// Hit.
        hit: HitName,
        /// Number of the payout.
        payout: u32,
        /// Document.
        document: Document,
    },
    /// GAME OVER.
    RoundClosed {
        /// Hits whose remaining payouts were paid with the close.
        hits: Vec<HitName>,
    },
    /// All wagers of the round were returned.
    RoundVoided {
        /// Reason.
        reason: VoidReason,
        /// Hits of the round that were reversed first.
        hits: Vec<HitName>,
    },
    /// A manager accepted the opening values of the levels.
    ValuesAccepted {
        /// Values of the levels.
        values: Vec<LevelAmount>,
    },
    /// The link takes no coin-in until it resumes.
    LinkSuspended {
        /// Reason.
        reason: String,
    },
    /// The link takes coin-in again.
    LinkResumed {},
    /// A level takes no coin-in.
    LevelDisabled {
        /// Level.
        level: LevelName,
        /// Reason.
        reason: String,
    },
    /// The level plays again.
    LevelEnabled {
        /// Level.
        level: LevelName,
    },
    /// A table was silent for too long.
    TableLost {
        /// Table.
        table: TableName,
        /// Time of the table's last command or heartbeat.
        heard_at: Time,
        /// True if the table has to send a heartbeat before its next coin-in.
        must_resume: bool,
    },
    /// A lost table was heard again.
    TableBack {
        /// Table.
        table: TableName,
    },
    /// A table takes no coin-in.
    TableDisabled {
        /// Table.
        table: TableName,
        /// Reason.
        reason: String,
    },
    /// A disabled table plays again.
    TableEnabled {
        /// Table.
        table: TableName,
    },
    /// A table left the link for good.
    TableLeft {
        /// Table.
        table: TableName,
        /// Reason.
        reason: String,
    },
    /// The first of two people proposed a change.
    ChangeProposed {
        /// Proposal.
        proposal: ProposalId,
        /// Department of the person.
        department: Department,
        /// Reason.
        reason: String,
        /// Time until which it can be approved.
        expires_at: Time,
        /// Change.
        change: Change,
    },
    /// The second of two people approved: the change was executed.
    ChangeApproved {
        /// Proposal.
        proposal: ProposalId,
        /// Department of the person.
        department: Department,
        /// Effect.
        effect: Effect,
    },
    /// A proposal can't be approved any more.
    ChangeDeclined {
        /// Proposal.
        proposal: ProposalId,
        /// Department of the person.
        department: Department,
        /// Reason.
        reason: String,
    },
    /// An inconsistency was found: the link accepts nothing.
    LinkFaulted {
        /// Reason.
        reason: String,
    },
    /// The rules refused a command; its number is used up.
    Refused {
        /// Stable code of the refusal.
        code: String,
        /// Values that the refusal is about.
        fields: BTreeMap<String, String>,
        /// Refused command.
        command: RefusedCommand,
    },
}
