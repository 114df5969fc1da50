//! Our ways in: HTTP and streams, played by the load generator, which checks the books itself.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::time::{Duration, Instant};

use meterhouse_engine::access::{AccessControl, By, Only, Vouching};
use meterhouse_load::{End, FaultInjection, Pace, Plan, Processes, Report, Tokens, Transport};
use meterhouse_postgres::Server;
use meterhouse_store::{NewActor, Store, StoreOptions};
use sqlx::postgres::PgConnectOptions;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::server::{Launch, ROLE, Running};
use crate::way::{Way, What};
use crate::{Failure, ground, machine};

/// Tables, all links together, and the fewest of each link. Over HTTP each connection has a table of its own, and there are at
/// most as many connections.
const TABLES: u32 = 512;
const TABLES_A_LINK_MIN: u32 = 5;
/// Streams that what is in flight is spread over at most, and commands in flight on each at least.
const STREAMS_MAX: u32 = 64;
const ON_A_STREAM_MIN: u32 = 8;
/// Commands in one message at most.
pub(crate) const COMMANDS_A_MESSAGE: u32 = 16;
/// Commands in flight, where nothing else is said.
const IN_FLIGHT: u32 = 512;
/// Nothing is measured so long at first.
pub(crate) const WARM_UP: Duration = Duration::from_secs(1);
/// For how long anything may go without progress.
const PATIENCE: Duration = Duration::from_secs(10);
/// Events of the journal.
const EVENTS: &str = "SELECT coalesce(sum(events), 0)::bigint FROM batch";
/// Seats of the tables' rounds are drawn from this.
const SEED: u64 = 7;

/// How a server ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It was asked to stop.
    InOrder,
    /// It was killed.
    Killed,
}

/// The server and whoever speaks to it.
pub(crate) struct Ours {
    running: Running,
    launch: Launch,
    store: Store,
    postgres: i32,
    manager: String,
    supervisor: String,
    /// Controllers' tokens, by the names of their tables.
    controllers: Mutex<BTreeMap<String, String>>,
}

impl Ours {
    /// Starts the server.
    pub(crate) async fn start(launch: Launch, postgres: i32) -> Result<Self, Failure> {
        let connect = PgConnectOptions::new()
            .socket(&launch.socket)
            .username(ROLE)
            .database(&launch.database);
        let store = Store::connect(StoreOptions::new(connect)).await?;
        let manager = token(&store, "manager", "manager", None).await?;
        let supervisor = token(&store, "supervisor", "supervisor", None).await?;
        Ok(Self {
            running: Running::start(&launch).await?,
            launch,
            store,
            postgres,
            manager,
            supervisor,
            controllers: Mutex::default(),
        })
    }

    /// Starts another server on the same database.
    pub(crate) async fn node(&self) -> Result<Running, Failure> {
        Running::start(&self.launch).await
    }

    /// Where its HTTP API is.
    pub(crate) fn http(&self) -> &str {
        &self.running.http
    }

    /// Where its gRPC API is.
    pub(crate) fn grpc(&self) -> &str {
        &self.running.grpc
    }

    /// Ends the server, in order or killed, and starts it again; returns the moment of the new start.
    pub(crate) async fn restart(&mut self, end: Ending) -> Result<Instant, Failure> {
        match end {
            Ending::InOrder => self.running.stop().await?,
            Ending::Killed => self.running.kill().await?,
        }
        let begun = Instant::now();
        self.running = Running::start(&self.launch).await?;
        Ok(begun)
    }

    /// The server's process.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.running.pid()
    }

    /// Memory of the server's process that is in use, and the most it was, KiB.
    pub(crate) fn memory(&self) -> Result<(u64, u64), Failure> {
        machine::memory_of(self.pid().ok_or("the server is gone")?)
    }

    /// The name of its database.
    pub(crate) fn database(&self) -> &str {
        &self.launch.database
    }

    /// Events of its journal, all links together.
    pub(crate) async fn events(&self, postgres: &Server) -> Result<u64, Failure> {
        let database = postgres.connect_options().database(self.database());
        Ok(u64::try_from(ground::number(&database, EVENTS).await?)?)
    }

    /// Returns the load of a cell of the comparison, for so long.
    pub(crate) fn plan_of(&self, what: What, length: Duration) -> Result<Plan, Failure> {
        let count = u32::try_from(what.in_flight)?;
        let links = u32::try_from(what.links)?;
        let plan = self.plan(&format!("c{links}"), length);
        Ok(Plan {
            links,
            tables: plan.tables.max(links * TABLES_A_LINK_MIN),
            pace: Pace::InFlight(count),
            transport: match what.way {
                Way::Http => Transport::Http { connections: count },
                Way::Single => streams(count, 1),
                _ => {
                    let fitting = (count / ON_A_STREAM_MIN).clamp(1, STREAMS_MAX);
                    streams(fitting, COMMANDS_A_MESSAGE)
                }
            },
            ..plan
        })
    }

    /// A load of [`TABLES`] tables on one link, with [`IN_FLIGHT`] commands in flight for so long, to be changed.
    pub(crate) fn plan(&self, prefix: &str, length: Duration) -> Plan {
        Plan {
            nodes: vec![self.running.node()],
            trust: None,
            prefix: prefix.to_owned(),
            links: 1,
            tables: TABLES,
            seed: SEED,
            transport: streams(STREAMS_MAX, COMMANDS_A_MESSAGE),
            pace: Pace::InFlight(IN_FLIGHT),
            warm_up: WARM_UP,
            end: End::After(length),
            hits_per_million: 0,
            faults: FaultInjection::default(),
            patience: PATIENCE,
            interval: length,
            processes: Processes {
                server: self.pid().and_then(|it| i32::try_from(it).ok()),
                postgres: Some(self.postgres),
            },
        }
    }

    /// Opens the links and tables of a plan, and answers the tokens of all that take part.
    pub(crate) async fn seated(&self, plan: &Plan) -> Result<Tokens, Failure> {
        meterhouse_load::prepare(plan, &self.manager).await?;
        let mut controllers = self.controllers.lock().await;
        for (_, table) in plan.tables() {
            let name = format!("c-{table}");
            if let Entry::Vacant(place) = controllers.entry(table) {
                let token = token(&self.store, &name, "controller", Some(place.key())).await?;
                place.insert(token);
            }
        }
        Ok(Tokens {
            manager: self.manager.clone(),
            supervisor: self.supervisor.clone(),
            controllers: controllers.clone(),
        })
    }

    /// Plays a plan; books that differ are a failure.
    pub(crate) async fn play(&self, plan: Plan) -> Result<Report, Failure> {
        let tokens = self.seated(&plan).await?;
        let report = meterhouse_load::run(plan, tokens, CancellationToken::new()).await?;
        match report.checks.iter().find(|it| !it.agrees()) {
            Some(check) => Err(check.to_string().into()),
            None => Ok(report),
        }
    }

    /// Stops the server.
    pub(crate) async fn stop(mut self) -> Result<(), Failure> {
        self.store.close().await;
        self.running.stop().await
    }
}

/// So many streams.
pub(crate) const fn streams(streams: u32, commands_a_message: u32) -> Transport {
    Transport::Streams {
        streams,
        commands_a_message,
    }
}

/// Makes a token.
async fn token(
    store: &Store,
    name: &str,
    role: &str,
    table: Option<&str>,
) -> Result<String, Failure> {
    let who = NewActor {
        name: name.to_owned(),
        role: role.to_owned(),
        table_name: table.map(str::to_owned),
        link_name: None,
        department: None,
        rights: None,
    };
    let vouching = Arc::new(Vouching::of(store, None, &[]).await?);
    let access = AccessControl::new(store.clone(), vouching);
    let by = By {
        proof: "command line",
        ..By::default()
    };
    Ok(access.new_token(&by, Only::Always, who, None).await?)
}
