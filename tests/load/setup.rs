//! The measured bench: a private Postgres, an engine, and links with their tables.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::command::JoinTable;
use meterhouse_domain::ids::{ActorId, LinkName, TableName};
use meterhouse_domain::link::{LinkSettings, LinkTerms, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{Paytable, TableLimits};
use meterhouse_engine::view::Person;
use meterhouse_engine::{Engine, EngineOptions};
use meterhouse_postgres::{Options as ServerOptions, Server};
use meterhouse_store::{Store, StoreOptions, migrate};
use meterhouse_tests::first_values;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection as _};
use tempfile::TempDir;

use crate::Failure;
use crate::options::Options;

/// The paytable of all links: three levels, and every hit needs a supervisor.
const PAYTABLE: &str = "pa-657a-five-card-c";
/// Connections of the pool, and connections that commit.
const POOL: u32 = 8;
const COMMITS: usize = 4;
/// Seats on every layout.
pub(crate) const SEATS: u8 = 6;
/// The database of the journal, and the database of the naive baseline.
const DATABASE: &str = "meterhouse";
pub(crate) const NAIVE: &str = "naive";

/// The controller's view of a table.
#[derive(Debug)]
pub(crate) struct BenchTable {
    pub(crate) name: TableName,
    /// The last acknowledged sequence number.
    pub(crate) last: AtomicU64,
    /// The number of acknowledged wagers.
    pub(crate) wagers: AtomicU64,
}

/// A link and its tables.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) name: LinkName,
    pub(crate) tables: Vec<Arc<BenchTable>>,
}

/// The measured bench.
pub(crate) struct Bench {
    pub(crate) server: Server,
    pub(crate) engine: Engine,
    pub(crate) store: Store,
    pub(crate) links: Vec<Link>,
    options: ServerOptions,
    // The folder is removed after the server has ended.
    _folder: Option<TempDir>,
}

impl Bench {
    /// Opens `links` links with `tables` tables in total.
    pub(crate) async fn open(asked: &Options, tables: usize) -> Result<Self, Failure> {
        let (path, folder) = folder(asked.data.as_deref())?;
        let mut options = ServerOptions::new(path);
        options.extra_settings.clone_from(&asked.settings);
        let links = asked.links;
        let server = Server::start(&options).await?;
        let superuser = server.connect_options();
        for name in [DATABASE, NAIVE] {
            run(
                &superuser,
                &format!("CREATE DATABASE {name} TEMPLATE template0"),
            )
            .await?;
        }
        migrate(&superuser.clone().database(DATABASE)).await?;
        let store = connect(&server).await?;
        let engine = Engine::start(store.clone(), EngineOptions::new("bench")).await?;
        let mut bench = Self {
            server,
            engine,
            store,
            links: Vec::new(),
            options,
            _folder: folder,
        };
        let paytable = Catalogue::compiled_in()?
            .find(&PAYTABLE.parse()?)
            .cloned()
            .ok_or("the paytable is not in the catalogue")?;
        for number in 1..=links {
            let link = bench.open_link(number, tables / links, &paytable).await?;
            bench.links.push(link);
        }
        Ok(bench)
    }

    async fn open_link(
        &self,
        number: usize,
        tables: usize,
        paytable: &Paytable,
    ) -> Result<Link, Failure> {
        let manager = Person {
            actor: ActorId(1),
            name: "bench".parse()?,
            department: None,
        };
        let terms = LinkTerms {
            name: format!("link-{number}").parse()?,
            paytable: paytable.clone(),
            wager: Money::DOLLAR,
            decks: 1,
            reserve_policy: ReservePolicy::Add,
            settings: LinkSettings::default(),
            limits: TableLimits::default(),
            counts_draws_and_envy: true,
            must_accept_values: true,
        };
        let (name, values) = (terms.name.clone(), first_values(&terms));
        self.engine.open_link(&manager, terms).await?;
        self.engine.accept_values(&manager, &name, &values).await?;
        let mut joined = Vec::new();
        for place in 1..=tables {
            let join = JoinTable {
                name: format!("L{number}-T{place}").parse()?,
                game: "crazy-4-poker".parse()?,
                seats: SEATS,
                paytable: paytable.clone(),
                wager: Money::DOLLAR,
                decks: 1,
            };
            let table = BenchTable {
                name: join.name.clone(),
                last: AtomicU64::new(0),
                wagers: AtomicU64::new(0),
            };
            self.engine.join_table(&manager, &name, join).await?;
            joined.push(Arc::new(table));
        }
        Ok(Link {
            name,
            tables: joined,
        })
    }

    /// Returns the first tables of every link, `count` in total.
    pub(crate) fn tables(&self, count: usize) -> Vec<Arc<BenchTable>> {
        let each = count.div_ceil(self.links.len().max(1));
        let tables = self
            .links
            .iter()
            .flat_map(|link| link.tables.iter().take(each));
        tables.cloned().collect()
    }

    /// Returns the superuser's connection to a database.
    pub(crate) fn superuser(&self, database: &str) -> PgConnectOptions {
        self.server.connect_options().database(database)
    }

    /// Queries one number from the journal's database.
    pub(crate) async fn number(&self, sql: &str) -> Result<i64, Failure> {
        let mut connection = PgConnection::connect_with(&self.superuser(DATABASE)).await?;
        Ok(sqlx::query_scalar(AssertSqlSafe(sql.to_owned()))
            .fetch_one(&mut connection)
            .await?)
    }

    /// Runs a checkpoint, so that no round pays for the writes of the round before.
    pub(crate) async fn checkpoint(&self) -> Result<(), Failure> {
        run(&self.superuser(DATABASE), "CHECKPOINT").await
    }

    /// Deletes the snapshots that a second node wrote at the journal's end, so that the next start has events to
    /// replay.
    pub(crate) async fn forget_snapshots_at_end(&self) -> Result<(), Failure> {
        let sql = "DELETE FROM snapshot USING link_head AS head
          WHERE snapshot.link_id = head.link_id AND snapshot.batch = head.batch";
        run(&self.superuser(DATABASE), sql).await
    }

    /// Stops the engine and the server, and starts them again with empty caches.
    pub(crate) async fn restart(self) -> Result<Self, Failure> {
        self.engine.stop().await;
        self.store.close().await;
        self.server.stop().await?;
        let server = Server::start(&self.options).await?;
        let store = connect(&server).await?;
        let engine = Engine::start(store.clone(), EngineOptions::new("bench")).await?;
        Ok(Self {
            server,
            engine,
            store,
            ..self
        })
    }

    /// Connects another node to the database.
    pub(crate) async fn another_store(&self) -> Result<Store, Failure> {
        connect(&self.server).await
    }

    /// Stops the engine and the server.
    pub(crate) async fn close(self) -> Result<(), Failure> {
        self.engine.stop().await;
        self.store.close().await;
        Ok(self.server.stop().await?)
    }
}

/// Returns a folder that the user of Postgres can enter.
fn folder(data: Option<&str>) -> Result<(PathBuf, Option<TempDir>), Failure> {
    if let Some(data) = data {
        return Ok((PathBuf::from(data), None));
    }
    let folder = tempfile::Builder::new().prefix("mh-bench-").tempdir()?;
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
    Ok((folder.path().to_owned(), Some(folder)))
}

/// Connects the store with the application's role.
async fn connect(server: &Server) -> Result<Store, Failure> {
    let connect = server
        .connect_options()
        .database(DATABASE)
        .username("meterhouse_app");
    let options = StoreOptions {
        servers: connect.into(),
        pool_connections: POOL,
        commit_connections: COMMITS,
    };
    Ok(Store::connect(options).await?)
}

/// Runs a statement without a result.
pub(crate) async fn run(options: &PgConnectOptions, sql: &str) -> Result<(), Failure> {
    let mut connection = PgConnection::connect_with(options).await?;
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
        .execute(&mut connection)
        .await?;
    Ok(connection.close().await?)
}
