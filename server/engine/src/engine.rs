//! The start and the stop of an engine, and the commands of tables.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::command::TableCommand;
use meterhouse_domain::ids::{Sequence, TableName};
use meterhouse_journal::tree_head::PublicKey;
use meterhouse_store::{Store, StoreError};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::access::{AccessControl, Announcements, Vouching, is_signature};
use crate::answer::{Answer, NotExecuted};
use crate::background::tasks::BackgroundTasks;
use crate::background::{attempt_writer, expiry, integrity_check, liveness, partitions};
use crate::clock::now;
use crate::committer::published_state::StateAt;
use crate::context::check::{AddedCheck, LastWrite};
use crate::context::{Context, Engine, NumberedCommand, TokenCache};
use crate::feed::feeds::Feeds;
use crate::held_credentials::Held;
use crate::integrity::checkpoints::CheckpointOptions;
use crate::operations::pipelined;
use crate::operations::pipelined::AttachedTable;
use crate::push::{PushSender, Pushes, telling};
use crate::readiness;
use crate::registry::link_registry::{LinkRegistry, TableRef};
use crate::signing::{Signing, signer};
use crate::tokens::Caller;
use crate::view::{Sender, TableView};

/// The options of an engine.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The name of the process, for people who read the journal.
    pub node: String,
    /// Interval of the check of each loaded link against the stored rows.
    pub check_every: Duration,
    /// Interval at which contacts are exchanged with other nodes and silent tables are looked for.
    pub contact_exchange_every: Duration,
    /// The distances between the checkpoints of a link's sums.
    pub checkpoints: CheckpointOptions,
    /// Age of the last successful write from which on readiness probes again.
    pub probe_every: Duration,
    /// Readiness checks in addition to the engine's own.
    pub checks: Vec<AddedCheck>,
    /// The key that signs heads; `None` for a node that signs none.
    pub signing: Option<Signing>,
    /// Public keys of older signing keys whose vouchers for credentials still count.
    pub older_keys: Vec<PublicKey>,
    /// Announcements of accesses that may configure; `None` to announce none.
    pub announcements: Option<Announcements>,
    /// Way to push services; `None` if no browser is told of waiting hits.
    pub push: Option<Arc<dyn PushSender>>,
    /// Interval at which waiting hits are looked for to tell them.
    pub tell_every: Duration,
}

impl EngineOptions {
    /// Returns the default options of a process with this name.
    pub fn new(node: impl Into<String>) -> Self {
        Self {
            node: node.into(),
            check_every: integrity_check::CHECK_EVERY,
            contact_exchange_every: liveness::CONTACT_EXCHANGE_EVERY,
            checkpoints: CheckpointOptions::default(),
            probe_every: readiness::PROBE_EVERY,
            checks: Vec::new(),
            signing: None,
            older_keys: Vec::new(),
            announcements: None,
            push: None,
            tell_every: telling::TELL_EVERY,
        }
    }
}

impl Engine {
    /// Starts an engine on a migrated database, and loads the links with a pending hit.
    ///
    /// # Errors
    /// [`StoreError`] if the database can't be queried.
    pub async fn start(store: Store, options: EngineOptions) -> Result<Self, StoreError> {
        let seal_key = store.seal_key().await?;
        let stop = CancellationToken::new();
        let node = Arc::from(options.node.as_str());
        let registry = LinkRegistry::new(store.clone(), node, options.checkpoints);
        let own = options.signing.as_ref().map(|signing| signing.key.clone());
        let vouching = Vouching::of(&store, own, &options.older_keys).await?;
        let vouching = Arc::new(vouching);
        let context = Context {
            feeds: Feeds::new(store.clone(), registry.clone(), seal_key.clone()),
            tokens: TokenCache::new(store.clone(), Arc::clone(&vouching)),
            access: AccessControl::new(store.clone(), vouching)
                .with_announcements(options.announcements.clone()),
            tasks: BackgroundTasks::new(stop.clone()),
            attempts: Arc::default(),
            seal_key,
            pushes: Pushes {
                store: store.clone(),
                sender: options.push.clone(),
            },
            store,
            registry,
            stop,
            added: options.checks.clone(),
            probe_every: options.probe_every,
            last_write: LastWrite::default(),
            signing: Arc::default(),
        };
        let engine = Self {
            context: Arc::new(context),
        };
        engine.context.registry.load_pending().await?;
        engine.start_tasks(&options);
        Ok(engine)
    }

    /// Stops the engine: takes no new commands, commits the waiting ones, writes snapshots, ends the feeds.
    pub async fn stop(&self) {
        self.context.stop.cancel();
        let Context {
            registry,
            attempts,
            store,
            ..
        } = &*self.context;
        registry.stop().await;
        attempts.write(store, &registry.inner.node, true).await;
    }

    /// Executes a table's numbered command. A refusal by the rules is an answer too.
    ///
    /// # Errors
    /// [`NotExecuted`] if nothing was counted, or the outcome is unknown.
    pub async fn table_command(
        &self,
        table: &TableName,
        sender: Sender,
        sequence: Sequence,
        command: TableCommand,
    ) -> Result<Answer, NotExecuted> {
        let table = self.attach(table).await?;
        self.attached_command(&table, sender, sequence, command)
            .await
    }

    /// Executes an attached table's numbered command, as [`Engine::table_command`] does.
    ///
    /// # Errors
    /// [`NotExecuted`] if nothing was counted, or the outcome is unknown.
    pub async fn attached_command(
        &self,
        table: &AttachedTable,
        sender: Sender,
        sequence: Sequence,
        command: TableCommand,
    ) -> Result<Answer, NotExecuted> {
        let table_ref = &table.table_ref;
        let received = Instant::now();
        table_ref.last_seen.record(received, now());
        let numbered = NumberedCommand {
            link: table_ref.link,
            table: table_ref.number,
            sequence,
            actor: sender.actor,
        };
        let envelope = pipelined::envelope(table_ref, sender, sequence, command);
        let reached = self
            .context
            .registry
            .submit(table_ref.link, envelope, received)
            .await;
        let answer = pipelined::answer(reached);
        self.context.attempts.note_command(numbered, &answer);
        answer
    }

    /// Returns a table with its link's state, confirmed after the call, from which a controller resumes.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such table or the database can't confirm the state.
    pub async fn table(&self, table: &TableName) -> Result<TableView, NotExecuted> {
        let table_ref = self.context.registry.find_table(table).await?;
        let known = self
            .context
            .registry
            .confirmed_state(table_ref.link)
            .await?;
        let seal = known.state.table(table_ref.number).map(|found| {
            let key = &self.context.seal_key;
            key.of_table(table, found.last_sequence, now())
        });
        Ok(TableView {
            seal,
            ..view_of(&table_ref, known)
        })
    }

    /// Returns an attached table as of this batch or a later one. The committer is asked only if the published state is
    /// older.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn table_at(
        &self,
        table: &AttachedTable,
        batch: u64,
    ) -> Result<TableView, NotExecuted> {
        let known = self
            .context
            .registry
            .known_at(table.table_ref.link, batch)
            .await?;
        Ok(view_of(&table.table_ref, known))
    }
}

fn view_of(table_ref: &TableRef, known: StateAt) -> TableView {
    TableView {
        number: table_ref.number,
        state: known.state,
        batch: known.batch,
        heard_at: table_ref.last_seen.heard_at(),
        seal: None,
    }
}

impl Engine {
    fn start_tasks(&self, options: &EngineOptions) {
        let Context {
            store,
            registry,
            feeds,
            tokens,
            access,
            tasks,
            attempts,
            ..
        } = &*self.context;
        tasks.start("feed", feeds.clone().run());
        tasks.start("presentations", feeds.clone().follow_presentations());
        tasks.start("periods", partitions::run(store.clone()));
        tasks.start("known tokens", tokens.known().refresh(store.clone()));
        let sessions = access.known_sessions();
        tasks.start("known sessions", sessions.refresh(store.clone()));
        tasks.start("held tokens", tokens.held().confirm(store.clone()));
        let sessions = access.held_sessions();
        tasks.start("held sessions", sessions.confirm(store.clone()));
        tasks.start("expiry", expiry::run(store.clone(), registry.clone()));
        let (every, checkpoints) = (options.check_every, options.checkpoints);
        let check = integrity_check::run(store.clone(), registry.clone(), every, checkpoints);
        tasks.start("running check", check);
        let exchange = liveness::run(
            store.clone(),
            registry.clone(),
            options.contact_exchange_every,
        );
        tasks.start("contact exchange", exchange);
        let node = Arc::clone(&registry.inner.node);
        let attempts = attempt_writer::run(store.clone(), node, Arc::clone(attempts));
        tasks.start("refused attempts", attempts);
        if let Some(signing) = &options.signing {
            let status = Arc::clone(&self.context.signing);
            let signing = signer::run(store.clone(), signing.clone(), status);
            tasks.start("signed heads", signing);
        }
        if let Some(sender) = &options.push {
            let (sender, every) = (Arc::clone(sender), options.tell_every);
            let telling = telling::run(store.clone(), registry.clone(), sender, every);
            tasks.start("notices of waiting hits", telling);
        }
    }
}

impl Engine {
    /// Returns the holder of a token or signature. Returns nothing if it is unknown, expired, ended or revoked.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn authenticate(&self, token: &str) -> Result<Option<Held<Caller>>, NotExecuted> {
        if is_signature(token) {
            return self.context.access.signature(token).await;
        }
        self.context.tokens.find(token).await
    }

    /// Returns the subscriptions of people's browsers.
    pub fn pushes(&self) -> &Pushes {
        &self.context.pushes
    }

    /// Returns the access control: logins, sessions, people, and the record of acts.
    pub fn access(&self) -> &AccessControl {
        &self.context.access
    }
}
