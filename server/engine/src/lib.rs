//! What happens between the wire and the journal: committers, questions, the feed, tokens, verification.
//!
//! # Shape
//! [`Engine`] is the one door. A command goes to the committer of its link, a task that this crate owns; whoever
//! waits for the answer owns only the wait and may hang up at any time. Questions are single statements of the
//! store, or the committer's memory after it was confirmed.
//!
//! # What bounds it
//! Every queue and wait has its named constant: see [`committer`](self) for commands, `feed` for displays.

pub mod answer;
mod background;
pub mod clock;
mod committer;
pub mod error_chain;
pub mod feed;
pub mod integrity;
pub mod operations;
mod queries;
pub mod readiness;
mod registry;
mod reports;
#[doc(hidden)]
pub mod simulation;
pub mod verify;
pub mod view;

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::command::TableCommand;
use meterhouse_domain::name::{Sequence, TableName};
use meterhouse_store::{Store, StoreError};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::answer::{Answer, Denied};
use crate::background::tasks::Chores;
use crate::background::{expiry, liveness};
use crate::committer::published_state::Known;
use crate::feed::feeds::Feeds;
use crate::integrity::checkpoints::CheckpointOptions;
use crate::integrity::running_check;
use crate::operations::attempts::{Attempts, Numbered};
use crate::operations::pipelined::Seated;
use crate::operations::tokens::TokenCache;
use crate::operations::{attempts, pipelined};
use crate::readiness::{AddedCheck, LastWrite};
use crate::registry::link_registry::{Felt, House};
use crate::view::{Sender, TableView};

/// What an engine is told at its start.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Which process this is, for people who read the journal.
    pub node: String,
    /// How often each loaded link is checked against what is stored.
    pub check_every: Duration,
    /// How often contacts are written, and silent tables looked for.
    pub sweep_every: Duration,
    /// How far apart the checkpoints of a link's sums are.
    pub checkpoints: CheckpointOptions,
    /// How old a write that worked may be before readiness probes the next one.
    pub probe_every: Duration,
    /// What readiness checks in addition to the engine's own.
    pub checks: Vec<AddedCheck>,
}

impl EngineOptions {
    /// The options of a process with this name.
    pub fn new(node: impl Into<String>) -> Self {
        Self {
            node: node.into(),
            check_every: running_check::CHECK_EVERY,
            sweep_every: liveness::SWEEP_EVERY,
            checkpoints: CheckpointOptions::default(),
            probe_every: readiness::PROBE_EVERY,
            checks: Vec::new(),
        }
    }
}

/// The engine of one process. Cloning it is cheap; all clones are one engine.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    house: House,
    feeds: Feeds,
    tokens: TokenCache,
    chores: Chores,
    attempts: Arc<Attempts>,
    stop: CancellationToken,
    added: Vec<AddedCheck>,
    probe_every: Duration,
    last_write: LastWrite,
}

impl Engine {
    /// Starts an engine over a migrated database; links with a pending hit are loaded at once.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn start(store: Store, options: EngineOptions) -> Result<Self, StoreError> {
        let stop = CancellationToken::new();
        let node = Arc::from(options.node.as_str());
        let house = House::new(store.clone(), node, options.checkpoints);
        let inner = Inner {
            feeds: Feeds::new(store.clone(), house.clone()),
            tokens: TokenCache::new(store.clone()),
            chores: Chores::new(stop.clone()),
            attempts: Arc::default(),
            store,
            house,
            stop,
            added: options.checks.clone(),
            probe_every: options.probe_every,
            last_write: LastWrite::default(),
        };
        let engine = Self {
            inner: Arc::new(inner),
        };
        engine.inner.house.load_pending().await?;
        engine.begin_chores(&options);
        Ok(engine)
    }

    /// Stops: no new commands, what waits is committed, snapshots are written, feeds end.
    pub async fn stop(&self) {
        self.inner.stop.cancel();
        let Inner {
            house,
            attempts,
            store,
            ..
        } = &*self.inner;
        house.stop().await;
        attempts.write(store, &house.inner.node, true).await;
    }

    /// A table's numbered command. A refusal by the rules is an answer too.
    ///
    /// # Errors
    /// [`Denied`]: nothing was counted, unless it says that the outcome is unknown.
    pub async fn table_command(
        &self,
        table: &TableName,
        sender: Sender,
        sequence: Sequence,
        command: TableCommand,
    ) -> Result<Answer, Denied> {
        let felt = self.inner.house.find_table(table).await?;
        let received = Instant::now();
        felt.contact.hear(received, clock::now());
        let numbered = Numbered {
            link: felt.link,
            table: felt.number,
            sequence,
            actor: sender.actor,
        };
        let envelope = pipelined::envelope(&felt, sender, sequence, command);
        let reached = self.inner.house.submit(felt.link, envelope, received).await;
        let answer = pipelined::answer(reached);
        self.inner.attempts.note_command(numbered, &answer);
        answer
    }

    /// A table with its link's state, confirmed after the question came: what a controller resumes by.
    ///
    /// # Errors
    /// [`Denied`] where there is no such table or the database can't confirm.
    pub async fn table(&self, table: &TableName) -> Result<TableView, Denied> {
        let felt = self.inner.house.find_table(table).await?;
        let known = self.inner.house.look(felt.link).await?;
        Ok(view_of(&felt, known))
    }

    /// Returns an attached table as of a batch or a later one. The committer is asked only where that is not known yet.
    ///
    /// # Errors
    /// [`Denied`] where the database can't be asked.
    pub async fn table_at(&self, table: &Seated, batch: u64) -> Result<TableView, Denied> {
        let known = self.inner.house.known_at(table.felt.link, batch).await?;
        Ok(view_of(&table.felt, known))
    }
}

fn view_of(felt: &Felt, known: Known) -> TableView {
    TableView {
        number: felt.number,
        state: known.state,
        batch: known.batch,
        heard_at: felt.contact.heard_at(),
    }
}

/// How often it is looked whether the coming months have their partitions.
const PERIODS_EVERY: Duration = Duration::from_hours(6);

impl Engine {
    fn begin_chores(&self, options: &EngineOptions) {
        let Inner {
            store,
            house,
            feeds,
            tokens,
            chores,
            attempts,
            ..
        } = &*self.inner;
        chores.start("feed", feeds.clone().run());
        chores.start("periods", keep_periods(store.clone()));
        chores.start("known tokens", tokens.known().keep(store.clone()));
        chores.start("expiry", expiry::run(store.clone(), house.clone()));
        let (every, checkpoints) = (options.check_every, options.checkpoints);
        let check = running_check::run(store.clone(), house.clone(), every, checkpoints);
        chores.start("running check", check);
        let sweeper = liveness::run(store.clone(), house.clone(), options.sweep_every);
        chores.start("sweeper", sweeper);
        let node = Arc::clone(&house.inner.node);
        let attempts = attempts::run(store.clone(), node, Arc::clone(attempts));
        chores.start("refused attempts", attempts);
    }
}

/// Makes the journal's partitions of the coming months in time, for good.
async fn keep_periods(store: Store) {
    let mut ticks = tokio::time::interval(PERIODS_EVERY);
    loop {
        ticks.tick().await;
        let first = clock::period_of(clock::now());
        let count = meterhouse_store::PERIODS_AHEAD + 1;
        if let Err(error) = store.make_periods(first, count).await {
            tracing::error!(error = %error_chain::Chain(&error), "the coming months have no partition yet");
        }
    }
}
