//! A command that the rules refused, as the journal repeats it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::change::Change;
use crate::command::{
    BonusEntered, CancelHit, Close, CoinIn, Count, EnvyEntered, Fold, HitEntered, Settle, Void,
};
use crate::level::LevelAmount;
use crate::values::{
    Amount, Card, Department, Document, GameName, HitName, LevelName, Note, PaytableId, ProposalId,
    TableName, Time,
};

/// A command that the rules refused, of a table or of a person, as it was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum RefusedCommand {
    /// Lock of the bets.
    CoinIn(CoinIn),
    /// Count of the chips.
    Count(Count),
    /// Fold of seats.
    Fold(Fold),
    /// Entry of a hit.
    Hit(HitEntered),
    /// Entry of a hand without a wager.
    Envy(EnvyEntered),
    /// Entry of a bonus of the draw.
    Bonus(BonusEntered),
    /// Settlement of a round.
    Settle(Settle),
    /// Cancellation of a hit.
    CancelHit(CancelHit),
    /// GAME OVER.
    Close(Close),
    /// Void of a round.
    Void(Void),
    /// Joining of a table.
    JoinTable {
        /// Table.
        table: TableName,
        /// Game.
        game: GameName,
        /// Seats on the layout.
        seats: u8,
        /// Paytable.
        paytable: PaytableId,
        /// Wager.
        wager: Amount,
        /// Decks in play in one round.
        decks: u8,
    },
    /// Validation of a hit.
    ValidateHit {
        /// Hit.
        hit: HitName,
        /// Cards that the supervisor saw.
        cards: Option<Vec<Card>>,
        /// Note.
        note: Option<Note>,
    },
    /// Rejection of a hit.
    RejectHit {
        /// Hit.
        hit: HitName,
        /// Note.
        note: Option<Note>,
        /// True to give later hits new amounts.
        resettle: bool,
    },
    /// Payment of a payout.
    PayPayout {
        /// Hit.
        hit: HitName,
        /// Number of the payout.
        payout: u32,
        /// Document.
        document: Document,
    },
    /// Proposal of a change.
    Propose {
        /// Proposal.
        proposal: ProposalId,
        /// Department of the person.
        department: Department,
        /// Reason.
        reason: Note,
        /// Change.
        change: Change,
    },
    /// Approval of a proposal.
    Approve {
        /// Proposal.
        proposal: ProposalId,
        /// Department of the person.
        department: Department,
    },
    /// Decline of a proposal.
    Decline {
        /// Proposal.
        proposal: ProposalId,
        /// Department of the person.
        department: Department,
        /// Reason.
        reason: Note,
    },
    /// Acceptance of opening values.
    AcceptValues {
        /// Values of the levels.
        values: Vec<LevelAmount>,
    },
    /// Suspension of the link.
    SuspendLink {
        /// Reason.
        reason: Note,
    },
    /// Resumption of the link.
    ResumeLink {},
    /// Disabling of a level.
    DisableLevel {
        /// Level.
        level: LevelName,
        /// Reason.
        reason: Note,
    },
    /// Enabling of a level.
    EnableLevel {
        /// Level.
        level: LevelName,
    },
    /// Loss of a silent table.
    LoseTable {
        /// Table.
        table: TableName,
        /// Time of the table's last command or heartbeat.
        heard_at: Time,
        /// True if the table has to send a heartbeat before its next coin-in.
        must_resume: bool,
    },
    /// Return of a lost table.
    ResumeTable {
        /// Table.
        table: TableName,
    },
    /// Disabling of a table.
    DisableTable {
        /// Table.
        table: TableName,
        /// Reason.
        reason: Note,
    },
    /// Enabling of a table.
    EnableTable {
        /// Table.
        table: TableName,
    },
    /// Departure of a table.
    LeaveLink {
        /// Table.
        table: TableName,
        /// Reason.
        reason: Note,
    },
    /// Fault of the link.
    FaultLink {
        /// Reason.
        reason: String,
    },
}
