//! The one crate with SQL: the schema's migrations, every statement, and what the rest of the
//! project asks of them.
//!
//! # Shape
//! [`Journal`] is what a link's committer needs; [`PgJournal`] does it in Postgres. [`Store`] is
//! everything else: links, hits, the feed, when tables were heard, people, reports,
//! what a running check reads, [`verify`]. Statements stand in
//! [`sql`](ALL), rows become values in one place each.
//!
//! # What bounds it
//! Every page, wait and number of attempts has its named constant in the module that needs it.
//!
//! # What order or lock holds
//! READ COMMITTED, except in [`verify`]. A link's head row is the only thing that is waited for on
//! the way of a command. No request's future ever holds a transaction: there are three explicit
//! ones, in `transaction`, in `pg_journal`'s locked mode and in [`verify`], all on tasks of ours.

mod attempts;
mod checkpoints;
mod commit;
mod connections;
mod contacts;
mod copied;
mod copy;
mod database;
mod error;
mod falls;
mod feed;
mod hits;
mod house_chain;
mod identity;
mod journal;
mod journal_page;
mod limits;
mod links;
mod migrate;
mod no_writes;
mod numbers;
mod pg_journal;
mod purpose;
mod range;
mod reach;
mod readiness;
mod reading;
mod reconcile;
mod rows;
mod running_check;
mod sql;
mod start;
mod store;
mod tokens;
mod transaction;
pub mod verify;

pub use crate::attempts::{ATTEMPTS_MAX, Attempt, AttemptKind, AttemptRow};
pub use crate::checkpoints::{CHECKPOINTS_MAX, StoredCheckpoint};
pub use crate::contacts::{CONTACTS_MAX, Contact};
pub use crate::database::POOL_WAIT_MAX;
pub use crate::error::StoreError;
pub use crate::falls::MeterFall;
pub use crate::feed::{HAPPENINGS_MAX, Happening, HeadRow, Position};
pub use crate::hits::{FoundHit, HITS_MAX, HitFilter, NewestHits};
pub use crate::house_chain::{HOUSE_PAGE_MAX, StoredHouseEntry};
pub use crate::identity::{Held, KnownHead};
pub use crate::journal::{
    Commit, FoundCommand, Head, JoinedRow, Journal, Mark, Missed, NewBatch, RolledBack,
    StoredBatch, StoredSnapshot,
};
pub use crate::journal_page::{JOURNAL_PAGE_MAX, JournalLine};
pub use crate::limits::{FOUND_BATCHES_MAX, FOUND_EVENTS_MAX, READ_BATCHES_MAX, READ_EVENTS_MAX};
pub use crate::links::{LIST_MAX, LinkRow, NewLink, TableRow};
pub use crate::migrate::{MigrateReport, MigrationState, PERIODS_AHEAD, create_database, migrate};
pub use crate::no_writes::NoWrites;
pub use crate::pg_journal::{COMMIT_WAIT_MAX, PgJournal};
pub use crate::purpose::Purpose;
pub use crate::range::{MOMENTS_MAX, TABLE_EVENTS_MAX, TableContributions, WIDE_COIN_INS_MAX};
pub use crate::reach::{Unreachable, reach};
pub use crate::readiness::{FAULTED_MAX, PROBE_WAIT_MAX};
pub use crate::reconcile::BalancesAt;
pub use crate::running_check::{BatchEnd, CHECK_BATCHES_MAX, RunningCheck};
pub use crate::sql::{ALL, Statement};
pub use crate::store::{Enforcement, NotEnforced, Store, StoreOptions};
pub use crate::tokens::{ActorRow, NewActor, NewToken, TOKENS_MAX, TokenHash, TokenRow};
pub use sqlx::postgres::PgConnectOptions;
