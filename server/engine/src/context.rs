//! The context of operations, queries and reports: the database, the loaded links, the feeds, the tokens.

mod attempt_log;
pub(crate) mod check;
mod token_cache;

use std::sync::Arc;
use std::time::Duration;

use meterhouse_journal::seal::SealKey;
use meterhouse_store::Store;
use tokio_util::sync::CancellationToken;

use self::check::{AddedCheck, LastWrite};
use crate::access::AccessControl;
use crate::background::tasks::BackgroundTasks;
use crate::feed::feeds::Feeds;
use crate::push::Pushes;
use crate::queries::checked_hits::HitReader;
use crate::queries::link_reader::LinkReader;
use crate::registry::link_registry::LinkRegistry;
use crate::signing::status::SigningStatus;

pub(crate) use attempt_log::{AttemptLog, NumberedCommand};
pub(crate) use token_cache::TokenCache;

/// The engine of one process. Clones are cheap and share the engine.
#[derive(Clone)]
pub struct Engine {
    pub(crate) context: Arc<Context>,
}

/// The parts of an engine that its operations share.
pub(crate) struct Context {
    pub(crate) store: Store,
    pub(crate) registry: LinkRegistry,
    pub(crate) feeds: Feeds,
    pub(crate) tokens: TokenCache,
    pub(crate) access: AccessControl,
    pub(crate) tasks: BackgroundTasks,
    pub(crate) attempts: Arc<AttemptLog>,
    /// Key of the seals that tables and displays receive.
    pub(crate) seal_key: SealKey,
    pub(crate) stop: CancellationToken,
    /// Readiness checks in addition to the engine's own.
    pub(crate) added: Vec<AddedCheck>,
    /// Age up to which a successful write needs no probe.
    pub(crate) probe_every: Duration,
    pub(crate) last_write: LastWrite,
    pub(crate) signing: Arc<SigningStatus>,
    pub(crate) pushes: Pushes,
}

impl Engine {
    /// Returns the reader of links and their tables.
    pub(crate) fn link_reader(&self) -> LinkReader<'_> {
        LinkReader {
            store: &self.context.store,
            registry: &self.context.registry,
        }
    }

    /// Returns the reader of hits as the journal has them.
    pub(crate) fn hit_reader(&self) -> HitReader<'_> {
        HitReader {
            store: &self.context.store,
            registry: &self.context.registry,
        }
    }
}
