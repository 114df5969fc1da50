//! One Postgres for all tests of a process, and a fresh database for each of them.
//!
//! # Shape
//! A thread with a runtime of its own starts the server, migrates one template, and makes a copy of it for
//! whoever asks; no test's runtime holds any of it. `DATABASE_URL`, a superuser's, names another server to use;
//! else it is a private one in a temporary folder, which ends with the process.
//!
//! # What bounds it
//! [`ASKS_MAX`] waiting asks. A database is removed when its [`Database`] is dropped.

use std::path::PathBuf;
use std::str::FromStr as _;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use meterhouse_postgres::{Options, Server};
use meterhouse_store::{Store, StoreOptions, migrate};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Connection as _};
use tokio::sync::{mpsc, oneshot};

use crate::sweep;

/// Databases that may be asked for at once; more than any test harness has threads.
const ASKS_MAX: usize = 1_024;
/// The role of the server.
const APPLICATION: &str = "meterhouse_app";
/// The application's password on a server that wants one. Only ever set on a server that was given for tests.
const APPLICATION_PASSWORD: &str = "meterhouse-tests";
/// Connections of a store: a test has few callers at once.
const POOL_CONNECTIONS: u32 = 4;
const COMMIT_CONNECTIONS: usize = 2;

/// The cluster's thread.
static ASKS: LazyLock<mpsc::Sender<Ask>> = LazyLock::new(|| {
    let (asks, asked) = mpsc::channel(ASKS_MAX);
    let thread = std::thread::Builder::new().name("cluster".to_owned());
    thread.spawn(move || serve(asked)).expect("a thread for the cluster");
    asks
});
static NAMES: AtomicU32 = AtomicU32::new(1);

enum Ask {
    Make(oneshot::Sender<Result<Database, String>>),
    Remove(String),
}

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
        ASKS.send(Ask::Make(reply)).await.expect("the cluster's thread lives");
        let made = made.await.expect("the cluster's thread answers");
        made.unwrap_or_else(|error| panic!("no database for the test: {error}"))
    }

    /// A store, as the server has it.
    pub async fn store(&self) -> Store {
        let options = StoreOptions {
            connect: self.application.clone(),
            pool_connections: POOL_CONNECTIONS,
            commit_connections: COMMIT_CONNECTIONS,
        };
        Store::connect(options).await.expect("the database can be reached")
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
        sqlx::raw_sql(free).execute(&mut connection).await.expect("a superuser may");
        let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}")).rows_affected()
    }

    /// Asks as superuser.
    pub async fn rows(&self, sql: &str) -> Vec<PgRow> {
        let mut connection = connect(&self.superuser).await;
        let rows = sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_all(&mut connection).await;
        rows.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // A test is over: nobody waits, and what is not removed goes with the whole server.
        drop(ASKS.try_send(Ask::Remove(std::mem::take(&mut self.name))));
    }
}

async fn connect(options: &PgConnectOptions) -> PgConnection {
    let connection = PgConnection::connect_with(options).await;
    connection.expect("the database can be reached")
}

async fn run(options: &PgConnectOptions, sql: &str) -> Result<u64, sqlx::Error> {
    let mut connection = PgConnection::connect_with(options).await?;
    let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await?;
    Ok(done.rows_affected())
}

/// The running server.
struct Cluster {
    superuser: PgConnectOptions,
    application: PgConnectOptions,
    connection: PgConnection,
    template: String,
    // Ours, where it is not somebody else's.
    _server: Option<Server>,
}

/// The life of the cluster's thread; it ends with the process.
fn serve(mut asked: mpsc::Receiver<Ask>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime for the cluster").block_on(async {
        let mut cluster = Cluster::start().await;
        while let Some(ask) = asked.recv().await {
            match (ask, &mut cluster) {
                (Ask::Make(reply), Ok(cluster)) => drop(reply.send(cluster.make().await)),
                (Ask::Make(reply), Err(error)) => drop(reply.send(Err(error.clone()))),
                (Ask::Remove(name), Ok(cluster)) => cluster.remove(&name).await,
                (Ask::Remove(_), Err(_)) => {}
            }
        }
    });
}

impl Cluster {
    async fn start() -> Result<Self, String> {
        let (superuser, application, server) = match std::env::var_os("DATABASE_URL") {
            Some(url) => external(&url.to_string_lossy()).await?,
            None => private().await?,
        };
        let connection = PgConnection::connect_with(&superuser).await.map_err(said)?;
        let template = format!("mh_{}_template", std::process::id());
        let mut cluster =
            Self { superuser, application, connection, template, _server: server };
        cluster.remove_left_behind().await?;
        let template = cluster.template.clone();
        cluster.execute(&format!("CREATE DATABASE {template} TEMPLATE template0")).await?;
        migrate(&cluster.superuser.clone().database(&template)).await.map_err(said)?;
        if cluster.is_external() {
            let alter = format!("ALTER ROLE {APPLICATION} PASSWORD '{APPLICATION_PASSWORD}'");
            cluster.execute(&alter).await?;
        }
        Ok(cluster)
    }

    const fn is_external(&self) -> bool {
        self._server.is_none()
    }

    async fn make(&mut self) -> Result<Database, String> {
        let number = NAMES.fetch_add(1, Ordering::Relaxed);
        let name = format!("mh_{}_{number}", std::process::id());
        self.execute(&format!("CREATE DATABASE {name} TEMPLATE {}", self.template)).await?;
        Ok(Database {
            superuser: self.superuser.clone().database(&name),
            application: self.application.clone().database(&name),
            name,
        })
    }

    async fn remove(&mut self, name: &str) {
        let dropped = self.execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
        if let Err(error) = dropped {
            eprintln!("the database {name} stays: {error}");
        }
    }

    /// On somebody else's server: the databases of processes that died.
    async fn remove_left_behind(&mut self) -> Result<(), String> {
        let names = sqlx::query_scalar::<_, String>(
            "SELECT datname::text FROM pg_database WHERE datname ~ '^mh_[0-9]+_'",
        );
        for name in names.fetch_all(&mut self.connection).await.map_err(said)? {
            let pid = name.split('_').nth(1).and_then(|it| it.parse().ok());
            if pid.is_some_and(|pid| !sweep::lives(pid)) {
                self.remove(&name).await;
            }
        }
        Ok(())
    }

    async fn execute(&mut self, sql: &str) -> Result<(), String> {
        let sql = AssertSqlSafe(sql.to_owned());
        sqlx::raw_sql(sql).execute(&mut self.connection).await.map(drop).map_err(said)
    }
}

type Reached = (PgConnectOptions, PgConnectOptions, Option<Server>);

async fn private() -> Result<Reached, String> {
    sweep::sweep().await;
    let folder: PathBuf = sweep::own_folder().map_err(said)?;
    let server = Server::start(&Options::small(folder)).await.map_err(said)?;
    let superuser = server.connect_options();
    let application = superuser.clone().username(APPLICATION);
    Ok((superuser, application, Some(server)))
}

async fn external(url: &str) -> Result<Reached, String> {
    let superuser = PgConnectOptions::from_str(url).map_err(said)?;
    let application = superuser.clone().username(APPLICATION).password(APPLICATION_PASSWORD);
    Ok((superuser, application, None))
}

/// An error with its causes.
fn said(error: impl std::error::Error + 'static) -> String {
    meterhouse_engine::chain::Chain(&error).to_string()
}
