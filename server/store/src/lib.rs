//! The only crate with SQL: the schema's migrations and every statement of the project.
//!
//! # Shape
//! [`Journal`] is the interface that a link's committer needs, and [`PgJournal`] implements it in
//! Postgres. [`Store`] covers the rest: links, hits, the feed, contacts of tables, people, reports,
//! the running check and [`verify`]. Statements are in [`sql`](ALL), and each kind of row has one
//! decoder.
//!
//! # Limits
//! Every page, wait and number of attempts has a named constant in the module that uses it.
//!
//! # Order and locking
//! The isolation level is READ COMMITTED, except in [`verify`]. A command waits for one row only,
//! its link's head. A request's future never holds a transaction. There are three explicit
//! transactions: in `transaction`, in `pg_journal`'s locked mode and in [`verify`]. Each runs on a
//! task of this program.

mod access;
mod access_change;
mod access_logins;
mod access_openid;
mod actors;
mod acts;
mod archive;
mod archived_month;
mod archiver;
mod attempts;
mod checkpoints;
mod clearances;
mod closings;
mod combiner;
mod commit;
mod commit_many;
mod company;
mod concurrent_index;
mod connections;
mod contacts;
mod copy;
mod copy_stream;
mod database;
mod documents;
mod error;
mod falls;
mod feed;
mod head_page;
mod history;
mod hits;
mod house_chain;
mod identity;
mod journal;
mod journal_page;
mod limits;
mod links;
mod login_facts;
mod logins;
mod measures;
mod migrate;
mod migration_notes;
mod migration_plan;
mod migration_state;
mod new_batch;
mod no_writes;
mod numbers;
mod open_batch;
mod pairings;
mod pg_journal;
mod pins;
mod presentations;
mod primary;
mod purpose;
mod pushes;
mod range;
mod reach;
mod readiness;
mod reading;
mod reconcile;
mod rows;
mod running_check;
mod screens;
mod servers;
mod session;
mod signed_heads;
mod slips;
mod sql;
mod start;
mod store;
mod stored_credentials;
mod themes;
mod tokens;
mod transaction;
mod unreachable;
pub mod verify;
mod witness;

pub use crate::access::{Changed, Only, Vouch};
pub use crate::access_change::{
    AccessChange, ConfirmedFactor, NewScreen, NewSignature, OpenIdSubject, Proven,
};
pub use crate::actors::{ActorRow, NewActor, NewToken, TokenHash, actor_fact};
pub use crate::acts::{ACTS_MAX, ActFilter, NewAct};
pub use crate::archive::MONTH_HASHES_MAX;
pub use crate::archived_month::{
    ArchiveRecord, ArchivedEnd, ArchivedState, BatchHash, KnownMonth, Month, MonthPlace,
};
pub use crate::archiver::{Archiver, RecordedState};
pub use crate::attempts::{ATTEMPTS_MAX, Attempt, AttemptKind, AttemptRow};
pub use crate::checkpoints::{CHECKPOINTS_MAX, StoredCheckpoint};
pub use crate::clearances::{ClearanceRow, NewClearance};
pub use crate::closings::{CLOSINGS_MAX, ClosingRow, CoveringHead, NewClosing};
pub use crate::connections::COMMIT_WAIT_MAX;
pub use crate::contacts::{CONTACTS_MAX, Contact};
pub use crate::database::POOL_WAIT_MAX;
pub use crate::error::StoreError;
pub use crate::falls::MeterFall;
pub use crate::feed::{HeadRow, NOTABLE_MAX, PositionedEvent};
pub use crate::history::{LevelAt, LevelBalances, LevelExtremes, LevelStep};
pub use crate::hits::{Entered, FoundHit, HITS_MAX, HitSelection, LargeHits, NewestHits};
pub use crate::house_chain::{HOUSE_PAGE_MAX, StoredHouseEntry};
pub use crate::identity::{HeadCheck, KnownHead};
pub use crate::journal::{
    Commit, FoundCommand, Head, Journal, Missed, RolledBack, StoredBatch, StoredSnapshot,
};
pub use crate::journal_page::{JOURNAL_PAGE_MAX, JournalLine};
pub use crate::limits::{FOUND_BATCHES_MAX, FOUND_EVENTS_MAX, READ_BATCHES_MAX, READ_EVENTS_MAX};
pub use crate::links::{LIST_MAX, LinkRow, NewLink, TableRow};
pub use crate::login_facts::LoginTable;
pub use crate::logins::{
    FactorRow, Failures, OpenIdRow, PEOPLE_MAX, PasswordRow, PersonRow, SessionRow,
};
pub use crate::measures::{DatabaseMeasures, LogArchive, STANDBYS_MAX, WaitingHits};
pub use crate::migrate::{MigrateReport, PERIODS_AHEAD, create_database, migrate};
pub use crate::migration_notes::{Blocks, Work};
pub use crate::migration_plan::{MigrationPlan, PlannedMigration, TableSize};
pub use crate::migration_state::MigrationState;
pub use crate::new_batch::{JoinedRow, Mark, NewBatch};
pub use crate::no_writes::NoWrites;
pub use crate::open_batch::OpenBatch;
pub use crate::pairings::{KeyOwner, NewPairing, PairingRow};
pub use crate::pg_journal::PgJournal;
pub use crate::pins::PinRow;
pub use crate::presentations::PresentedLink;
pub use crate::purpose::Purpose;
pub use crate::pushes::{PUSH_HITS_MAX, PUSH_SUBSCRIPTIONS_MAX, PushRow};
pub use crate::range::{TABLE_EVENTS_MAX, TIMES_MAX, TableContributions, WIDE_COIN_INS_MAX};
pub use crate::reach::reach;
pub use crate::readiness::{FAULTED_MAX, PROBE_WAIT_MAX};
pub use crate::reconcile::BalancesAt;
pub use crate::running_check::{BatchEnd, CHECK_BATCHES_MAX, RunningCheck};
pub use crate::screens::{SCREENS_MAX, ScreenRow, Shown, ShownRow, ShownTimes};
pub use crate::servers::{InvalidServers, SERVERS_MAX, Servers};
pub use crate::signed_heads::{HEADS_MAX, LEAVES_MAX, STORED_LEVEL, TreeChain, TreeNodes};
pub use crate::slips::{MadeSlip, NewSlip, Reprinted, SLIPS_MAX};
pub use crate::sql::{ALL, Statement};
pub use crate::store::{Enforcement, NotEnforced, Store, StoreOptions};
pub use crate::stored_credentials::StoredCredential;
pub use crate::themes::{ChangedTheme, DeletedTheme, THEMES_MAX};
pub use crate::tokens::{FoundToken, TOKENS_MAX, TokenRow};
pub use crate::unreachable::Unreachable;
pub use crate::witness::{
    WITNESSED_MAX, WitnessChain, WitnessCursor, WitnessedHead, WitnessedNear,
};
pub use sqlx::postgres::PgConnectOptions;
