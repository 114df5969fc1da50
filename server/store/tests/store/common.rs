//! Shared helpers of the tests: the server, one database per test, links and batches.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};

use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::{Batch, ChainHash, EventRow};
use meterhouse_journal::chain::chain_hash;
use meterhouse_store::{
    Commit, Head, Journal, NewBatch, NewLink, OpenBatch, Store, StoreOptions, migrate,
};
use meterhouse_test_postgres::TestPostgres;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection as _};
use tempfile::TempDir;
use tokio::sync::Mutex;

/// 21 Nov 2026, in microseconds.
pub(crate) const NOW: i64 = 1_795_219_200_000_000;
/// Month of that time.
pub(crate) const PERIOD: i32 = 12 * 2026 + 10;

static SHARED: Mutex<Weak<TestPostgres>> = Mutex::const_new(Weak::new());
static DATABASES: AtomicU32 = AtomicU32::new(1);

/// A migrated database for one test.
pub(crate) struct World {
    // Ends after the last test that uses it.
    _shared: Arc<TestPostgres>,
    /// Options of the superuser.
    pub(crate) admin: PgConnectOptions,
    /// Options of the application.
    pub(crate) app: PgConnectOptions,
}

/// A temporary directory that the user Postgres runs as can walk through.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::Builder::new().prefix("mh-").tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    folder
}

async fn shared() -> Arc<TestPostgres> {
    let mut shared = SHARED.lock().await;
    if let Some(running) = shared.upgrade() {
        return running;
    }
    let started = Arc::new(TestPostgres::start().await.unwrap());
    *shared = Arc::downgrade(&started);
    started
}

impl World {
    /// Creates a database without migrations.
    pub(crate) async fn empty() -> Self {
        let shared = shared().await;
        let number = DATABASES.fetch_add(1, Ordering::Relaxed);
        let name = format!("mh_{}_{number}", std::process::id());
        let mut connection = PgConnection::connect_with(&shared.superuser).await.unwrap();
        let create = AssertSqlSafe(format!("CREATE DATABASE {name} TEMPLATE template0"));
        sqlx::raw_sql(create)
            .execute(&mut connection)
            .await
            .unwrap();
        Self {
            admin: shared.superuser.clone().database(&name),
            app: shared.application.clone().database(&name),
            _shared: shared,
        }
    }

    pub(crate) async fn new() -> Self {
        let world = Self::empty().await;
        migrate(&world.admin).await.unwrap();
        world
            .run_as_admin(&format!("SELECT meterhouse_make_periods({PERIOD}, 3)"))
            .await
            .unwrap();
        world
    }

    pub(crate) async fn store(&self) -> Store {
        store(&self.app).await
    }

    /// Runs statements as the superuser.
    pub(crate) async fn run_as_admin(&self, sql: &str) -> Result<u64, sqlx::Error> {
        run(&self.admin, sql).await
    }

    /// Runs statements as the application.
    pub(crate) async fn run_as_app(&self, sql: &str) -> Result<u64, sqlx::Error> {
        run(&self.app, sql).await
    }

    /// Returns one number, queried as the superuser.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let mut connection = PgConnection::connect_with(&self.admin).await.unwrap();
        let query = sqlx::query_scalar(AssertSqlSafe(sql.to_owned()));
        query.fetch_one(&mut connection).await.unwrap()
    }
}

pub(crate) async fn store(connect: &PgConnectOptions) -> Store {
    let connect = connect.clone();
    let options = StoreOptions {
        servers: connect.into(),
        pool_connections: 3,
        commit_connections: 2,
    };
    Store::connect(options).await.unwrap()
}

async fn run(options: &PgConnectOptions, sql: &str) -> Result<u64, sqlx::Error> {
    let mut connection = PgConnection::connect_with(options).await?;
    let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
        .execute(&mut connection)
        .await?;
    Ok(done.rows_affected())
}

pub(crate) fn new_link(name: &str) -> NewLink {
    NewLink {
        name: name.to_owned(),
        paytable_id: "pa-657a".to_owned(),
        content_hash: [7; 32],
        document: b"the paytable".to_vec(),
        wager_micros: 1_000_000,
        decks: 1,
        reserve_policy: "add".to_owned(),
        created_at: Timestamp(NOW),
    }
}

/// Returns the head of a link that was just opened.
pub(crate) const EMPTY: Head = Head {
    batch: 0,
    epoch: 1,
    chain_hash: ChainHash::GENESIS,
    period: PERIOD,
};

/// Opens a link whose first batch puts 100 dollars into its meter.
pub(crate) async fn open(store: &Store, name: &str) -> (LinkId, Head) {
    let link = store
        .open_link(&new_link(name), &first_batch)
        .await
        .unwrap();
    (link, after(&first_batch(link)))
}

pub(crate) fn first_batch(link: LinkId) -> NewBatch {
    let mut new = following(
        link,
        &EMPTY,
        vec![EventRow {
            actor: 1,
            kind: 16,
            ..EventRow::default()
        }],
    );
    new.batch.deltas = vec![0; 16];
    new.batch.deltas[1] = -100_000_000;
    new.batch.deltas[2] = 100_000_000;
    new.batch.after.clone_from(&new.batch.deltas);
    sealed(new)
}

/// Returns the batch with these events after a head.
pub(crate) fn following(link: LinkId, head: &Head, events: Vec<EventRow>) -> NewBatch {
    let mut after = vec![0; 16];
    after[1] = -100_000_000;
    after[2] = 100_000_000;
    let batch = Batch {
        link,
        number: head.batch + 1,
        at: Timestamp(NOW + i64::try_from(head.batch).unwrap()),
        node: "test".to_owned(),
        epoch: head.epoch,
        rule_version: 1,
        period: head.period,
        events,
        deltas: vec![0; 16],
        after,
    };
    let previous_hash = head.chain_hash;
    sealed(NewBatch {
        batch,
        previous_hash,
        chain_hash: previous_hash,
        status: 1,
        marks: Vec::new(),
        hits: Vec::new(),
        tables: Vec::new(),
    })
}

/// Returns the batch with the hash of its current content.
pub(crate) fn sealed(mut new: NewBatch) -> NewBatch {
    new.chain_hash = chain_hash(new.previous_hash, &new.batch);
    new
}

/// Journals that commit a batch of a test, which is not shared.
pub(crate) trait CommitOne: Journal {
    /// Commits a copy of the batch.
    async fn commit_one(&mut self, new: &NewBatch) -> Commit {
        self.commit(&waiting(new)).await
    }
}

impl<J: Journal> CommitOne for J {}

/// Returns a copy of the batch that can grow.
pub(crate) fn waiting(new: &NewBatch) -> Arc<OpenBatch> {
    Arc::new(OpenBatch::new(new.clone()))
}

/// Returns the head after a batch.
pub(crate) fn after(new: &NewBatch) -> Head {
    Head {
        batch: new.batch.number,
        epoch: new.batch.epoch,
        chain_hash: new.chain_hash,
        period: new.batch.period,
    }
}

/// Returns coin-ins of one table, numbered from `first`.
pub(crate) fn coin_ins(table: u32, first: u64, count: u64) -> Vec<EventRow> {
    let coin_in = |sequence| EventRow {
        table: Some(table),
        sequence: Some(sequence),
        actor: 1,
        kind: 1,
        own_seats: Some(0b101),
        numbers: [Some(270_000), Some(210_000), Some(90_000), None],
        ..EventRow::default()
    };
    (first..first + count).map(coin_in).collect()
}
