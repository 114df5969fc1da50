//! What happened: every event carries its results, so that replaying never computes a rate.

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
use crate::seat::{Holder, Seat, SeatSet};

pub use crate::recorded_hit::{HitKind, HitRecorded, Payout, PayoutKind, Reset, Taken};

/// An event with who caused it. The time of the server is the batch's, one for all its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Which command caused it.
    pub origin: Origin,
    /// Whose token it was.
    pub actor: ActorId,
    /// The badge or name.
    pub by: Option<Badge>,
    /// The controller's own time.
    pub device_time: Option<Timestamp>,
    /// What happened.
    pub event: Event,
}

/// Which command caused an event.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A table's numbered command.
    Table {
        /// The table.
        table: TableNo,
        /// The number, which this event uses up.
        sequence: Sequence,
    },
    /// A person's command, or the server's own.
    Person,
}

/// What happened. One command, one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The link exists, its levels at their seeds.
    LinkOpened {
        /// With what.
        terms: Box<LinkTerms>,
        /// house → meter.
        moves: Vec<Move>,
    },
    /// A table plays on the link.
    TableJoined(Box<TableJoined>),
    /// A round is locked.
    CoinInAccepted(CoinInAccepted),
    /// The dealer counted.
    ChipsCounted {
        /// The chips.
        chips: u32,
        /// The wagers that the coin-in accepted.
        accepted: u32,
    },
    /// Seats gave up their hands.
    SeatsFolded {
        /// Which.
        seats: SeatSet,
    },
    /// A winning hand was keyed; its amount is locked.
    HitRecorded(Box<HitRecorded>),
    /// All cards were sent: the hits that they make, in turn order, numbered from 1.
    RoundSettled {
        /// The cards.
        cards: Box<Settle>,
        /// The hits; none where nobody won.
        hits: Vec<HitRecorded>,
    },
    /// The hand button was pressed again.
    HitCancelled {
        /// The hit.
        hit: HitId,
        /// Its entries, reversed.
        moves: Vec<Move>,
    },
    /// A supervisor validated a hit.
    HitValidated {
        /// The hit.
        hit: HitId,
        /// The cards that the supervisor saw.
        cards: Option<Vec<Card>>,
        /// What should be remembered.
        note: Option<Note>,
    },
    /// A supervisor rejected a hit.
    HitRejected {
        /// The hit.
        hit: HitId,
        /// What should be remembered.
        note: Option<Note>,
        /// Whether later hits were to get new amounts.
        resettle: bool,
        /// Those that did, in their order.
        resettled: Vec<Resettled>,
        /// Its entries, reversed, and what the later hits' new amounts need.
        moves: Vec<Move>,
    },
    /// A payout's documentation is complete.
    PayoutPaid {
        /// The hit.
        hit: HitId,
        /// The payout's number.
        number: u32,
        /// The document.
        document: Document,
        /// pending → paid.
        moves: Vec<Move>,
    },
    /// GAME OVER: fixed pays and envy of validated hits are paid.
    RoundClosed {
        /// The hits whose remaining payouts were paid.
        hits: Vec<HitId>,
        /// pending → paid.
        moves: Vec<Move>,
    },
    /// All wagers of the round went back.
    RoundVoided {
        /// Why.
        reason: VoidReason,
        /// The round's own hits that were reversed first, newest first.
        hits: Vec<HitId>,
        /// Their entries and the contributions, reversed.
        moves: Vec<Move>,
    },
    /// A manager accepted what each level opened with.
    ValuesAccepted {
        /// The amounts, in the order of the paytable's levels.
        values: Vec<Money>,
    },
    /// No coin-in until the link resumes.
    LinkSuspended {
        /// Why.
        reason: Note,
    },
    /// Coin-in again.
    LinkResumed,
    /// A level takes no coin-in.
    LevelDisabled {
        /// The level.
        level: u8,
        /// Why.
        reason: Note,
    },
    /// The level plays again.
    LevelEnabled {
        /// The level.
        level: u8,
    },
    /// A table was silent for too long: its progressive can't be played.
    TableLost {
        /// The table.
        table: TableNo,
        /// When it was last heard.
        heard_at: Timestamp,
        /// Whether it has to resume before its next coin-in.
        must_resume: bool,
    },
    /// A lost table was heard again.
    TableBack {
        /// The table.
        table: TableNo,
    },
    /// A table takes no coin-in.
    TableDisabled {
        /// The table.
        table: TableNo,
        /// Why.
        reason: Note,
    },
    /// A disabled table plays again.
    TableEnabled {
        /// The table.
        table: TableNo,
    },
    /// A table left the link for good.
    TableLeft {
        /// The table.
        table: TableNo,
        /// Why.
        reason: Note,
    },
    /// The first of two people.
    ChangeProposed {
        /// What was proposed, by whose department, why.
        propose: Box<Propose>,
        /// Until when it can be approved.
        expires_at: Timestamp,
    },
    /// The second of two people: it was done.
    ChangeApproved {
        /// What.
        proposal: ProposalId,
        /// Whose department.
        department: Department,
        /// What it did.
        effect: Box<Effect>,
        /// The entries.
        moves: Vec<Move>,
    },
    /// A proposal can't be approved any more.
    ChangeDeclined {
        /// Which.
        proposal: ProposalId,
        /// Whose department.
        department: Department,
        /// Why.
        reason: Note,
    },
    /// The rules broke on a command: the link accepts nothing until two people clear it.
    LinkFaulted {
        /// What broke, and on which command.
        reason: String,
    },
    /// The rules said no; a table's number is used up all the same.
    Refused {
        /// Why.
        refusal: Refusal,
        /// To what.
        command: Box<Command>,
    },
}

/// A table on a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableJoined {
    /// Its number on the link.
    pub table: TableNo,
    /// Its name.
    pub name: TableName,
    /// Its game.
    pub game: GameName,
    /// Seats on its layout.
    pub seats: u8,
    /// The paytable it named; its content equals the link's.
    pub paytable: PaytableId,
    /// How its game forms hands and what a fold does.
    pub rules: GameRules,
    /// True if its game takes wagers on the dealer's hand; nothing where that was not kept yet.
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
    /// Who sits where, as far as the table said, ascending by seat.
    pub players: Vec<(Seat, PlayerName)>,
    /// players → meter and reserve.
    pub added: Added,
    /// meter → overflow, level by level, where a ceiling was reached.
    pub over_ceiling: Vec<(Book, Money)>,
    /// What the table game system drew.
    pub draws: Draws,
}

/// What was drawn for one round; nothing where the link draws nothing.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Draws {
    /// The Magic Card of the round.
    pub magic_card: Option<Card>,
    /// The lucky position of the round.
    pub lucky_position: Option<Holder>,
}
