//! What questions answer: values to render, with names instead of numbers.

use std::sync::Arc;

use meterhouse_domain::event::Recorded;
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_domain::name::{
    ActorId, Badge, GameName, LevelName, LinkName, Sequence, TableName, TableNo, Timestamp,
};
use meterhouse_domain::state::LinkState;
use meterhouse_journal::hit::HitRow;

/// Who asks for something: the holder of a token.
#[derive(Clone, Debug)]
pub struct Person {
    /// As the database numbers people and controllers.
    pub actor: ActorId,
    /// The name of the token's holder.
    pub name: Badge,
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

/// A hit as people write it, `C4P-07.4713`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitName {
    /// The table.
    pub table: TableName,
    /// The command that keyed it.
    pub sequence: Sequence,
}

/// A link as of the journal's head.
#[derive(Clone, Debug)]
pub struct LinkView {
    /// What it was opened with, its name among it.
    pub terms: Arc<LinkTerms>,
    /// Whether it is faulted: it then accepts nothing.
    pub faulted: bool,
    /// The newest batch.
    pub batch: u64,
    /// What the signs show, in the order of the levels.
    pub displayed: Vec<Money>,
    /// Its tables.
    pub tables: Vec<TableRow>,
}

/// A table as the list shows it.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// Its name.
    pub name: TableName,
    /// Its link.
    pub link: LinkName,
    /// Its game.
    pub game: GameName,
    /// Seats on its layout.
    pub seats: u8,
}

/// A table with its link's whole state, confirmed after the question came.
#[derive(Clone, Debug)]
pub struct TableView {
    /// Its number on the link.
    pub number: TableNo,
    /// The link's state.
    pub state: Arc<LinkState>,
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
}

/// Which hits to list.
#[derive(Clone, Debug, Default)]
pub struct HitFilter {
    /// Only those in this state.
    pub state: Option<meterhouse_journal::hit::HitState>,
    /// Only those of this link.
    pub link: Option<LinkName>,
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

/// Whether the server can do its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readiness {
    /// Whether everything below is well.
    pub ready: bool,
    /// Each thing looked at: its name, whether it is well, and a sentence.
    pub checks: Vec<(&'static str, bool, String)>,
}
