//! One Postgres for all tests of a process, and a fresh database for each of them.
//!
//! # Shape
//! A thread with a runtime of its own starts the server, migrates one template, makes a copy of it for whoever
//! asks, and beside that removes what is not needed any more; no test's runtime holds any of it. The crate
//! `test-postgres` chooses the server: one that a URL names, a container, or a private one.
//!
//! # What bounds it
//! [`ASKS_MAX`] waiting. A database is removed when its [`Database`] is dropped.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use meterhouse_store::{Store, StoreOptions, migrate};
use meterhouse_test_postgres::{TestPostgres, lives};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Connection as _};
use tokio::sync::{mpsc, oneshot};

/// Databases that may be asked for at once; more than any test harness has threads.
const ASKS_MAX: usize = 1_024;
/// Connections of a store: a test has few callers at once.
const POOL_CONNECTIONS: u32 = 4;
const COMMIT_CONNECTIONS: usize = 2;

/// The cluster's thread.
static THREAD: LazyLock<Thread> = LazyLock::new(|| {
    let (makes, asked) = mpsc::channel(ASKS_MAX);
    let (removals, unneeded) = mpsc::channel(ASKS_MAX);
    let thread = std::thread::Builder::new().name("cluster".to_owned());
    thread
        .spawn(move || serve(asked, unneeded))
        .expect("a thread for the cluster");
    Thread { makes, removals }
});
static NAMES: AtomicU32 = AtomicU32::new(1);

/// The way to the cluster's thread.
struct Thread {
    makes: mpsc::Sender<Make>,
    removals: mpsc::Sender<String>,
}

/// Where a new database goes.
type Make = oneshot::Sender<Result<Database, String>>;

/// A migrated database of one test.
#[derive(Debug)]
pub struct Database {
    name: String,
    /// As superuser: for whoever tampers.
    pub superuser: PgConnectOptions,
    /// As the server's role.
    pub application: PgConnectOptions,
}

impl Database {
    /// A fresh one.
    pub async fn new() -> Self {
        let (reply, made) = oneshot::channel();
        THREAD
            .makes
            .send(reply)
            .await
            .expect("the cluster's thread lives");
        let made = made.await.expect("the cluster's thread answers");
        made.unwrap_or_else(|error| panic!("no database for the test: {error}"))
    }

    /// A copy of it as it is, such as a backup. No server may be connected.
    pub async fn copy(&self) -> Self {
        let number = NAMES.fetch_add(1, Ordering::Relaxed);
        let name = format!("mh_{}_{number}", std::process::id());
        let copy = format!("CREATE DATABASE {name} TEMPLATE {}", self.name);
        let done = run(&self.superuser.clone().database("postgres"), &copy).await;
        done.unwrap_or_else(|error| panic!("{copy}: {error}"));
        Self {
            superuser: self.superuser.clone().database(&name),
            application: self.application.clone().database(&name),
            name,
        }
    }

    /// A store, as the server has it.
    pub async fn store(&self) -> Store {
        let options = StoreOptions {
            servers: self.application.clone().into(),
            pool_connections: POOL_CONNECTIONS,
            commit_connections: COMMIT_CONNECTIONS,
        };
        Store::connect(options)
            .await
            .expect("the database can be reached")
    }

    /// Runs statements as the server's role.
    ///
    /// # Errors
    /// What Postgres says.
    pub async fn run_as_application(&self, sql: &str) -> Result<u64, sqlx::Error> {
        run(&self.application, sql).await
    }

    /// Runs statements as superuser.
    ///
    /// # Errors
    /// What Postgres says.
    pub async fn run_as_superuser(&self, sql: &str) -> Result<u64, sqlx::Error> {
        run(&self.superuser, sql).await
    }

    /// Changes what is written, as somebody who is superuser can: triggers and foreign keys don't fire.
    pub async fn tamper(&self, sql: &str) -> u64 {
        let mut connection = connect(&self.superuser).await;
        let free = "SET session_replication_role = replica";
        sqlx::raw_sql(free)
            .execute(&mut connection)
            .await
            .expect("a superuser may");
        let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
            .execute(&mut connection)
            .await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"))
            .rows_affected()
    }

    /// Asks as superuser.
    pub async fn rows(&self, sql: &str) -> Vec<PgRow> {
        let mut connection = connect(&self.superuser).await;
        let rows = sqlx::query(AssertSqlSafe(sql.to_owned()))
            .fetch_all(&mut connection)
            .await;
        rows.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // A test is over: nobody waits, and what is not removed goes with the whole server.
        drop(THREAD.removals.try_send(std::mem::take(&mut self.name)));
    }
}

async fn connect(options: &PgConnectOptions) -> PgConnection {
    let connection = PgConnection::connect_with(options).await;
    connection.expect("the database can be reached")
}

async fn run(options: &PgConnectOptions, sql: &str) -> Result<u64, sqlx::Error> {
    let mut connection = PgConnection::connect_with(options).await?;
    let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
        .execute(&mut connection)
        .await?;
    Ok(done.rows_affected())
}

/// The running server.
struct Cluster {
    postgres: TestPostgres,
    template: String,
}

/// The life of the cluster's thread; it ends with the process.
fn serve(makes: mpsc::Receiver<Make>, removals: mpsc::Receiver<String>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime for the cluster").block_on(async {
        let cluster = Cluster::start().await;
        tokio::join!(
            make_all(cluster.as_ref(), makes),
            remove_all(cluster.as_ref(), removals)
        );
    });
}

async fn make_all(cluster: Result<&Cluster, &String>, mut makes: mpsc::Receiver<Make>) {
    let mut connection = match cluster {
        Ok(cluster) => PgConnection::connect_with(&cluster.postgres.superuser)
            .await
            .map_err(said),
        Err(error) => Err(error.clone()),
    };
    while let Some(reply) = makes.recv().await {
        let made = match (cluster, &mut connection) {
            (Ok(cluster), Ok(connection)) => cluster.make(connection).await,
            (_, Err(error)) => Err(error.clone()),
            (Err(error), _) => Err(error.clone()),
        };
        // Whoever gave up waiting needs none.
        drop(reply.send(made));
    }
}

async fn remove_all(cluster: Result<&Cluster, &String>, mut removals: mpsc::Receiver<String>) {
    let Ok(cluster) = cluster else { return };
    let mut connection = connect(&cluster.postgres.superuser).await;
    while let Some(name) = removals.recv().await {
        remove(&mut connection, &name).await;
    }
}

impl Cluster {
    async fn start() -> Result<Self, String> {
        let postgres = TestPostgres::start().await?;
        let superuser = &postgres.superuser;
        let mut connection = PgConnection::connect_with(superuser).await.map_err(said)?;
        remove_left_behind(&mut connection).await?;
        let template = format!("mh_{}_template", std::process::id());
        let make = format!("CREATE DATABASE {template} TEMPLATE template0");
        execute(&mut connection, &make).await?;
        migrate(&superuser.clone().database(&template))
            .await
            .map_err(said)?;
        Ok(Self { postgres, template })
    }

    async fn make(&self, connection: &mut PgConnection) -> Result<Database, String> {
        if !self.postgres.is_running() {
            return Err("the private Postgres died".to_owned());
        }
        let number = NAMES.fetch_add(1, Ordering::Relaxed);
        let name = format!("mh_{}_{number}", std::process::id());
        execute(
            connection,
            &format!("CREATE DATABASE {name} TEMPLATE {}", self.template),
        )
        .await?;
        Ok(Database {
            superuser: self.postgres.superuser.clone().database(&name),
            application: self.postgres.application.clone().database(&name),
            name,
        })
    }
}

async fn remove(connection: &mut PgConnection, name: &str) {
    let sql = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
    if let Err(error) = execute(connection, &sql).await {
        eprintln!("the database {name} stays: {error}");
    }
}

/// On somebody else's server: the databases of processes that died.
async fn remove_left_behind(connection: &mut PgConnection) -> Result<(), String> {
    let sql = "SELECT datname::text FROM pg_database WHERE datname ~ '^mh_[0-9]+_'";
    let names = sqlx::query_scalar::<_, String>(sql)
        .fetch_all(&mut *connection)
        .await;
    for name in names.map_err(said)? {
        let pid = name.split('_').nth(1).and_then(|it| it.parse().ok());
        if pid.is_some_and(|pid| !lives(pid)) {
            remove(connection, &name).await;
        }
    }
    Ok(())
}

async fn execute(connection: &mut PgConnection, sql: &str) -> Result<(), String> {
    let sql = AssertSqlSafe(sql.to_owned());
    sqlx::raw_sql(sql)
        .execute(connection)
        .await
        .map(drop)
        .map_err(said)
}

/// An error with its causes.
fn said(error: impl std::error::Error + 'static) -> String {
    meterhouse_engine::error_chain::ErrorChain(&error).to_string()
}
