//! The values that queries and operations return, with names instead of numbers.

mod alteration;
mod balances;
mod closing;
mod displayed;
mod exception;
mod history;
mod hit;
mod journal;
mod large_win;
mod last_hits;
mod liability;
mod link;
mod link_status;
mod person;
mod proposal;
mod reconciliation;
mod report;
mod screen;
mod slip;
mod table;

pub use alteration::{Alteration, AlterationKind, AlterationsView};
pub use balances::{BalancesView, BookBalances};
pub use closing::{
    ClosingHit, ClosingLevel, ClosingPayment, ClosingView, Day, DayClosing, WriteClosing,
};
pub use displayed::{Cause, CauseKind, Decrease, DisplayedLevel, DisplayedView};
pub use meterhouse_store::ClosingRow;

pub use exception::{Clearance, ExceptionFilter, ExceptionKind, ExceptionView};
pub use meterhouse_store::{LevelBalances, LevelStep};

pub use history::{HistoryBucket, HistoryCoinIn, HistoryPoints, HistoryView};
pub use hit::{HitCursor, HitFilter, HitView, Rejected};
pub use journal::{JournalEntry, Page};
pub use large_win::{LargeWin, LargeWinFilter, LargeWinsView, WinningPlayer};
pub use last_hits::{LastHitsView, LevelHits};
pub use liability::{AccountSums, LiabilityView};
pub use link::{LinkView, ListedLink, UnreadableLink};
pub use link_status::{LinkStatus, public_reason};
pub(crate) use link_status::{disabled_of, reason_of};
pub use meterhouse_store::{ScreenRow, ShownRow};
pub use person::{Person, Sender};
pub use proposal::{
    Act, Decided, DryRunView, EffectView, ProposalState, ProposalView, ProposedChange,
    ResettledView,
};
pub use reconciliation::{Reconciliation, ReconciliationLine};
pub use report::{
    LevelMeter, LifetimeView, LineMeter, PayoffEntry, PayoffSince, PayoffTable, PayoffView,
    PayoffWhat, PoolMeter, VarianceLine, VarianceView,
};
pub(crate) use screen::SILENT_AFTER;
pub use screen::{Acknowledgement, is_silent};
pub use slip::{ReprintView, SlipView};
pub use table::{TableRow, TableStatus, TableView};
