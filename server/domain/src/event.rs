//! Events: each carries its results, so that a replay never computes a rate.

use crate::card::Card;
use crate::change::{Effect, Propose, Resettled};
use crate::command::{Command, Settle, VoidReason};
use crate::ids::{
    ActorId, Badge, Department, Document, GameName, HitId, Note, PaytableId, PlayerName,
    ProposalId, Sequence, TableName, TableNo, Timestamp,
};
use crate::link::{Added, Book, LinkTerms, Move};
use crate::money::Money;
use crate::paytable::GameRules;
use crate::refusal::Refusal;
use crate::round_wagers::RecordedWagers;
use crate::seat::{Holder, Seat, SeatSet};

pub use crate::recorded_hit::{HitKind, HitRecorded, Payout, PayoutKind, Reset, Taken};

/// An event with its origin. Its time is the batch's server time, shared by all events of the batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Command that caused the event.
    pub origin: Origin,
    /// Holder of the token.
    pub actor: ActorId,
    /// Badge of the dealer, or name of the person.
    pub by: Option<Badge>,
    /// Controller's own time: evidence only.
    pub device_time: Option<Timestamp>,
    /// Fact with its results.
    pub event: Event,
}

/// The command that caused an event.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A table's numbered command.
    Table {
        /// Number of the table.
        table: TableNo,
        /// Number of the command, used up by this event.
        sequence: Sequence,
    },
    /// A person's command, or the server's own.
    Person,
}

/// A fact of a link. One command makes at most one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The link exists, its levels at their seeds.
    LinkOpened {
        /// Terms of the link, whole.
        terms: Box<LinkTerms>,
        /// Entries house → meter.
        moves: Vec<Move>,
    },
    /// A table plays on the link.
    TableJoined(Box<TableJoined>),
    /// A round is locked.
    CoinInAccepted(CoinInAccepted),
    /// The dealer counted.
    ChipsCounted {
        /// Number of counted chips.
        chips: u32,
        /// Number of wagers that the coin-in accepted.
        accepted: u32,
    },
    /// Seats gave up their hands.
    SeatsFolded {
        /// Seats that folded.
        seats: SeatSet,
    },
    /// A winning hand was keyed; its amount is locked.
    HitRecorded(Box<HitRecorded>),
    /// All cards were sent: the resulting hits, in turn order, numbered from 1.
    RoundSettled {
        /// Cards of the round.
        cards: Box<Settle>,
        /// Resulting hits; empty if no hand won.
        hits: Vec<HitRecorded>,
        /// Fixed wagers of the round, if the table sent them.
        wagers: Option<Box<RecordedWagers>>,
    },
    /// The hand button was pressed again.
    HitCancelled {
        /// Cancelled hit.
        hit: HitId,
        /// Entries of the hit, reversed.
        moves: Vec<Move>,
    },
    /// A supervisor validated a hit.
    HitValidated {
        /// Validated hit.
        hit: HitId,
        /// Cards that the supervisor saw.
        cards: Option<Vec<Card>>,
        /// Note of the supervisor.
        note: Option<Note>,
    },
    /// A supervisor rejected a hit.
    HitRejected {
        /// Rejected hit.
        hit: HitId,
        /// Note of the supervisor.
        note: Option<Note>,
        /// True if later hits were to get new amounts.
        resettle: bool,
        /// Later hits with new amounts, in their order.
        resettled: Vec<Resettled>,
        /// Entries of the hit, reversed, and the entries of the later hits' new amounts.
        moves: Vec<Move>,
    },
    /// A payout's documentation is complete.
    PayoutPaid {
        /// Hit of the payout.
        hit: HitId,
        /// Number of the payout, from 1.
        number: u32,
        /// Number of the document.
        document: Document,
        /// Entries pending → paid.
        moves: Vec<Move>,
    },
    /// GAME OVER: fixed pays and envy of validated hits are paid.
    RoundClosed {
        /// Hits whose remaining payouts were paid.
        hits: Vec<HitId>,
        /// Entries pending → paid.
        moves: Vec<Move>,
    },
    /// All wagers of the round went back.
    RoundVoided {
        /// Reason for the void.
        reason: VoidReason,
        /// Hits of the round that were reversed first, newest first.
        hits: Vec<HitId>,
        /// Entries of the hits and the contributions, reversed.
        moves: Vec<Move>,
    },
    /// A manager accepted the opening amount of each level.
    ValuesAccepted {
        /// Amounts, in the order of the paytable's levels.
        values: Vec<Money>,
    },
    /// No coin-in until the link resumes.
    LinkSuspended {
        /// Reason, shown while the link is suspended.
        reason: Note,
    },
    /// Coin-in is accepted again.
    LinkResumed,
    /// A level takes no coin-in.
    LevelDisabled {
        /// Level, as an index into the paytable's.
        level: u8,
        /// Reason, shown while the level is off.
        reason: Note,
    },
    /// The level plays again.
    LevelEnabled {
        /// Level, as an index into the paytable's.
        level: u8,
    },
    /// A table was silent for too long: its progressive can't be played.
    TableLost {
        /// Number of the table.
        table: TableNo,
        /// Time of the table's last sign of life.
        heard_at: Timestamp,
        /// True if the table has to resume before its next coin-in.
        must_resume: bool,
    },
    /// A lost table has sent a message again.
    TableBack {
        /// Number of the table.
        table: TableNo,
    },
    /// A table takes no coin-in.
    TableDisabled {
        /// Number of the table.
        table: TableNo,
        /// Reason, shown while the table is disabled.
        reason: Note,
    },
    /// A disabled table plays again.
    TableEnabled {
        /// Number of the table.
        table: TableNo,
    },
    /// A table left the link for good.
    TableLeft {
        /// Number of the table.
        table: TableNo,
        /// Reason, as the manager gave it.
        reason: Note,
    },
    /// The first of two people.
    ChangeProposed {
        /// Proposal with department and reason.
        propose: Box<Propose>,
        /// Time until which the proposal can be approved.
        expires_at: Timestamp,
    },
    /// The second of two people approved: the change was made.
    ChangeApproved {
        /// Id of the proposal.
        proposal: ProposalId,
        /// Department of the approving person.
        department: Department,
        /// Effect of the change.
        effect: Box<Effect>,
        /// Entries of the change.
        moves: Vec<Move>,
    },
    /// A proposal can't be approved any more.
    ChangeDeclined {
        /// Id of the proposal.
        proposal: ProposalId,
        /// Department of the declining person.
        department: Department,
        /// Reason, as the person gave it.
        reason: Note,
    },
    /// The rules failed on a command: the link accepts nothing until two people clear it.
    LinkFaulted {
        /// Failure and command, in words.
        reason: String,
    },
    /// The rules refused a command; a table's number is still used up.
    Refused {
        /// Code and fields of the refusal.
        refusal: Refusal,
        /// Refused command, whole.
        command: Box<Command>,
    },
}

/// A table on a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableJoined {
    /// Number on the link, from 1.
    pub table: TableNo,
    /// Name, unique for life.
    pub name: TableName,
    /// Game played at the table.
    pub game: GameName,
    /// Seats on its layout.
    pub seats: u8,
    /// Paytable that the table named; its content equals the link's.
    pub paytable: PaytableId,
    /// Rules by which the game forms hands and forfeits folded ones.
    pub rules: GameRules,
    /// True if its game takes wagers on the dealer's hand; `None` in events from before the field existed.
    pub bet_on_dealer: Option<bool>,
}

/// A locked round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoinInAccepted {
    /// Seats with an accepted wager on their own hand.
    pub own: SeatSet,
    /// Seats with an accepted wager on the dealer's hand.
    pub dealer: SeatSet,
    /// Seats that get cards.
    pub dealt: SeatSet,
    /// Players by seat, ascending, as far as the table named them.
    pub players: Vec<(Seat, PlayerName)>,
    /// Amounts players → meter and reserve.
    pub added: Added,
    /// Amounts meter → overflow, level by level, for each ceiling that was reached.
    pub over_ceiling: Vec<(Book, Money)>,
    /// Draws of the table game system.
    pub draws: Draws,
}

/// The draws for one round; `None` for a bonus that the link doesn't draw.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Draws {
    /// Magic Card of the round.
    pub magic_card: Option<Card>,
    /// Lucky position of the round.
    pub lucky_position: Option<Holder>,
}
