//! What questions answer: values to render, with names instead of numbers.

mod displayed;
mod hit_name;
mod proposal;
mod report;
mod table;

use std::sync::Arc;

use meterhouse_domain::event::Recorded;
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_domain::name::{
    ActorId, Badge, Department, LevelName, LinkName, Sequence, TableName, Timestamp,
};
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::state::LinkState;
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::hit::HitRow;
use meterhouse_store::Position;

use crate::answer::Denied;

pub use displayed::{Cause, CauseKind, Decrease, DisplayedLevel, DisplayedView};
pub use hit_name::{HitName, NotAHit};
pub use proposal::{
    Act, Decided, EffectView, ProposalState, ProposalView, ProposedChange, ResettledView,
};
pub use report::{
    LevelMeter, LifetimeView, LineMeter, PayoffEntry, PayoffSince, PayoffTable, PayoffView,
    PayoffWhat, PoolMeter, VarianceLine, VarianceView,
};
pub use table::{TableRow, TableStatus, TableView};

/// Who asks for something: the holder of a token.
#[derive(Clone, Debug)]
pub struct Person {
    /// As the database numbers people and controllers.
    pub actor: ActorId,
    /// The name of the token's holder.
    pub name: Badge,
    /// The holder's department, which whatever needs two people asks for.
    pub department: Option<Department>,
}

/// Who sends a table's command.
#[derive(Clone, Debug)]
pub struct Sender {
    /// Whose token it is.
    pub actor: ActorId,
    /// The dealer's badge, as the controller says.
    pub by: Option<Badge>,
    /// The controller's own time: evidence, never orders anything.
    pub device_time: Option<Timestamp>,
}

/// The reason of a link that is unavailable.
const NO_ANSWER: &str = "the link did not answer in time; ask again in a few seconds";
/// The reason of a link whose batch the database refused to store. The cause is in the log.
pub(crate) const BATCH_REFUSED: &str =
    "a change would have broken the books; the database did not store it";
/// What the reason began with before it was public text; the name of a constraint follows.
const BATCH_REFUSED_BEFORE: &str = "the database refused a batch: ";

/// Returns the reason of a fault as people may read it: without names of the database.
pub fn public_reason(reason: &str) -> &str {
    if reason.starts_with(BATCH_REFUSED_BEFORE) {
        BATCH_REFUSED
    } else {
        reason
    }
}

/// The state of a link in one word (RULES §1.6).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LinkWord {
    /// In play.
    Open,
    /// No coin-in.
    Suspended,
    /// Suspended, with no open round and no unpaid hit.
    Closed,
    /// Nothing is accepted until two people clear it.
    Faulted,
    /// Not known at present: its committer did not answer.
    Unavailable,
}

impl LinkView {
    /// Returns the tables that are on the link.
    pub fn present_tables(&self) -> impl Iterator<Item = &TableRow> {
        let tables = self.tables.iter();
        tables.filter(|table| table.status != TableStatus::Left)
    }

    /// Returns the link as players see it.
    pub(crate) fn for_players(mut self) -> Self {
        for table in &mut self.tables {
            table.status = table.status.for_players();
        }
        self
    }
}

impl LinkWord {
    /// The word for this state.
    pub fn of(state: &LinkState) -> Self {
        if state.fault.is_some() {
            Self::Faulted
        } else if state.is_closed() {
            Self::Closed
        } else if state.suspended.is_some() || state.unacknowledged || !state.values_accepted {
            Self::Suspended
        } else {
            Self::Open
        }
    }

    /// Returns the word and the reason for a link whose state can't be known.
    pub(crate) fn of_denied(denied: &Denied) -> (Self, String) {
        match denied {
            Denied::LinkFaulted { reason } => (Self::Faulted, reason.clone()),
            _ => (Self::Unavailable, NO_ANSWER.to_owned()),
        }
    }

    /// The word itself.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::Open => "open",
            Self::Suspended => "suspended",
            Self::Closed => "closed",
            Self::Faulted => "faulted",
        }
    }
}

impl std::fmt::Display for LinkWord {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name())
    }
}

/// Why a link is not in play, if it is not.
pub(crate) fn reason_of(state: &LinkState) -> Option<String> {
    let fault = state
        .fault
        .as_deref()
        .map(|fault| public_reason(fault).to_owned());
    let suspended = || state.suspended.as_ref().map(ToString::to_string);
    let waits = |is_so: bool, code: RefusalCode| is_so.then(|| code.sentence().to_owned());
    let unaccepted = || waits(!state.values_accepted, RefusalCode::ValuesNotAccepted);
    let unacknowledged = || waits(state.unacknowledged, RefusalCode::ReturnsNotAcknowledged);
    let suspended = fault.or_else(suspended);
    suspended.or_else(unaccepted).or_else(unacknowledged)
}

/// The levels that are off.
pub(crate) fn disabled_of(state: &LinkState) -> Vec<LevelName> {
    let levels = (0_u8..).zip(&state.terms.content().levels);
    let off = levels.filter(|(index, _)| state.is_disabled(*index));
    off.map(|(_, level)| level.name.clone()).collect()
}

/// A link as of the journal's head.
#[derive(Clone, Debug)]
pub struct LinkView {
    /// What it was opened with, its name among it.
    pub terms: Arc<LinkTerms>,
    /// Its state.
    pub state: LinkWord,
    /// Why it is suspended or faulted.
    pub reason: Option<String>,
    /// Whether a manager accepted its first values, or nobody has to; nothing where that can't be known at present.
    pub values_accepted: Option<bool>,
    /// The levels that are off.
    pub disabled: Vec<LevelName>,
    /// The newest batch.
    pub batch: u64,
    /// What the signs show, in the order of the levels.
    pub displayed: Vec<Money>,
    /// Its tables, those that left it among them.
    pub tables: Vec<TableRow>,
}

/// A link of a list.
#[derive(Clone, Debug)]
pub enum ListedLink {
    /// As its committer or its head shows it.
    Shown(Box<LinkView>),
    /// As its row alone shows it: what it was opened with can't be read.
    Unreadable(UnreadableLink),
}

/// A link whose first event can't be read.
#[derive(Clone, Debug)]
pub struct UnreadableLink {
    /// Its name.
    pub name: LinkName,
    /// The id of its paytable.
    pub paytable: String,
    /// SHA-256 of the paytable's content.
    pub content_hash: [u8; HASH_BYTES],
    /// The one wager amount.
    pub wager: Money,
    /// Decks in play in one round.
    pub decks: u8,
    /// Its state: faulted or unavailable.
    pub state: LinkWord,
    /// The cause.
    pub reason: String,
    /// The newest batch.
    pub batch: u64,
    /// Its tables.
    pub tables: Vec<TableRow>,
}

/// A hit with the names that its row leaves out.
#[derive(Clone, Debug)]
pub struct HitView {
    /// The link.
    pub link: LinkName,
    /// The table.
    pub table: TableName,
    /// The name of the level that a percentage was taken from.
    pub level: Option<LevelName>,
    /// Everything else.
    pub row: HitRow,
    /// Who paid each of its payouts, in their order.
    pub paid_by: Vec<Option<String>>,
}

/// What a rejection did.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The hit.
    pub hit: HitView,
    /// Later hits with new amounts, in their order.
    pub resettled: Vec<ResettledView>,
}

impl HitView {
    /// Its name.
    pub fn name(&self) -> HitName {
        HitName {
            table: self.table.clone(),
            sequence: Sequence(self.row.sequence),
            number: self.row.number,
        }
    }
}

/// Which hits to list.
#[derive(Clone, Debug, Default)]
pub struct HitFilter {
    /// Only those in this state.
    pub state: Option<meterhouse_journal::hit::HitState>,
    /// Only those of this link.
    pub link: Option<LinkName>,
    /// Only those that took from this level; needs a link.
    pub level: Option<LevelName>,
    /// Whether the newest come first; needs a link.
    pub newest_first: bool,
    /// Only those behind this place: the cursor of the page before.
    pub after: Option<HitCursor>,
    /// At most this many.
    pub limit: u32,
}

/// A place in the list of hits: by link, then by order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct HitCursor {
    /// The link's number.
    pub link: i32,
    /// The hit's order on it.
    pub order: u64,
}

/// A page of a list.
#[derive(Clone, Debug)]
pub struct Page<T, C> {
    /// The entries.
    pub items: Vec<T>,
    /// Where the next page begins, if there is more.
    pub next: Option<C>,
}

/// A place in a link's journal: batch and position in it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The batch.
    pub batch: u64,
    /// The position in it, from 0.
    pub position: u32,
}

impl Place {
    /// The place as the store has it.
    pub(crate) const fn stored(self) -> Position {
        Position {
            batch: self.batch,
            position: self.position,
        }
    }

    /// Behind all of a batch.
    pub(crate) const fn end_of(batch: u64) -> Self {
        Self {
            batch,
            position: u32::MAX,
        }
    }
}

/// One entry of the journal.
#[derive(Clone, Debug)]
pub struct JournalEntry {
    /// Where it stands.
    pub place: Place,
    /// The server's time.
    pub at: Timestamp,
    /// The name of whoever's token it was.
    pub actor: String,
    /// The table, where one caused it.
    pub table: Option<TableName>,
    /// What happened.
    pub recorded: Recorded,
}

/// A link's books between two moments, level by level.
#[derive(Clone, Debug)]
pub struct Reconciliation {
    /// The link.
    pub terms: Arc<LinkTerms>,
    /// The last batch before the first moment (0: from the opening).
    pub from_batch: u64,
    /// The last batch that counts.
    pub to_batch: u64,
    /// One a level, then the fixed pays and envy, which touch no meter.
    pub lines: Vec<ReconciliationLine>,
}

/// One level's books: opening + contributions + seeds - payouts + … = closing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReconciliationLine {
    /// The level's name, or `fixed`.
    pub name: String,
    /// What was on meter, reserve and overflow, and won but unpaid, before.
    pub opening: Money,
    /// What wagers added, meter and reserve, less what void rounds took back.
    pub contributions: Money,
    /// What the house put in: seeds, reseeds, fixed pays and envy, less what it got back.
    pub house: Money,
    /// What was paid out to players.
    pub paid: Money,
    /// What two people adjusted.
    pub adjustments: Money,
    /// What is there now, by the stored balances.
    pub closing: Money,
    /// The part of `closing` that is won but not yet paid.
    pub pending: Money,
    /// closing - (opening + contributions + house - paid + adjustments): must be nothing.
    pub difference: Money,
}
