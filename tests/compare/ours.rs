//! Our ways in: HTTP and streams, played by the load generator, which checks the books itself.

use std::collections::BTreeMap;
use std::time::Duration;

use meterhouse_engine::tokens;
use meterhouse_load::{End, Mishaps, Pace, Plan, Processes, Report, Tokens};
use meterhouse_store::{NewActor, Store};
use tokio_util::sync::CancellationToken;

use crate::Failure;
use crate::server::{self, Running};

/// Tables, all links together, where fewer are in flight; over HTTP each connection has a table of its own.
const TABLES: usize = 512;
/// Streams that what is in flight is spread over at most.
const STREAMS_MAX: usize = 64;
/// Commands in one message at most.
const COMMANDS_A_MESSAGE: u32 = 16;
/// Nothing is measured so long at first.
const WARM_UP: Duration = Duration::from_secs(1);
/// For how long anything may go without progress.
const PATIENCE: Duration = Duration::from_secs(10);
/// Seats of the tables' rounds are drawn from this.
const SEED: u64 = 7;

/// A way in.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    /// One request a command, a connection for each that is in flight.
    Http,
    /// Streams of many tables.
    Stream,
}

impl Way {
    /// What the table calls it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Http => "Meterhouse, HTTP",
            Self::Stream => "Meterhouse, streams",
        }
    }
}

/// The server and whoever speaks to it.
pub(crate) struct Ours {
    running: Running,
    store: Store,
    postgres: i32,
    manager: String,
    supervisor: String,
    /// Controllers' tokens, by the names of their tables.
    controllers: BTreeMap<String, String>,
}

impl Ours {
    /// Starts the server.
    pub(crate) async fn start(
        socket: &str,
        database: &str,
        postgres: i32,
    ) -> Result<Self, Failure> {
        let store = server::store(socket, database).await?;
        let manager = token(&store, "manager", "manager", None).await?;
        let supervisor = token(&store, "supervisor", "supervisor", None).await?;
        Ok(Self {
            running: Running::start(socket, database).await?,
            store,
            postgres,
            manager,
            supervisor,
            controllers: BTreeMap::new(),
        })
    }

    /// The server's process.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.running.pid()
    }

    /// Plays one way with so many commands in flight on so many links for so long.
    pub(crate) async fn play(
        &mut self,
        way: Way,
        in_flight: usize,
        links: usize,
        length: Duration,
    ) -> Result<Report, Failure> {
        let plan = self.plan(way, in_flight, links, length)?;
        meterhouse_load::prepare(&plan, &self.manager).await?;
        for (_, table) in plan.tables() {
            if !self.controllers.contains_key(&table) {
                let name = format!("c-{table}");
                let token = token(&self.store, &name, "controller", Some(&table)).await?;
                self.controllers.insert(table, token);
            }
        }
        let tokens = Tokens {
            manager: self.manager.clone(),
            supervisor: self.supervisor.clone(),
            controllers: self.controllers.clone(),
        };
        let report = meterhouse_load::run(plan, tokens, CancellationToken::new()).await?;
        match report.checks.iter().find(|it| !it.agrees()) {
            Some(check) => Err(check.to_string().into()),
            None => Ok(report),
        }
    }

    fn plan(
        &self,
        way: Way,
        in_flight: usize,
        links: usize,
        length: Duration,
    ) -> Result<Plan, Failure> {
        let count = u32::try_from(in_flight)?;
        let (way, tables) = match way {
            Way::Http => {
                let connections = count;
                (
                    meterhouse_load::Way::Http { connections },
                    in_flight.max(TABLES),
                )
            }
            Way::Stream => (
                meterhouse_load::Way::Streams {
                    streams: u32::try_from(in_flight.min(STREAMS_MAX))?,
                    commands_a_message: COMMANDS_A_MESSAGE,
                },
                TABLES,
            ),
        };
        Ok(Plan {
            base: self.running.http.clone(),
            grpc: Some(self.running.grpc.clone()),
            prefix: format!("c{links}"),
            links: u32::try_from(links)?,
            tables: u32::try_from(tables)?,
            seed: SEED,
            way,
            pace: Pace::InFlight(count),
            warm_up: WARM_UP,
            end: End::After(length),
            hits_per_million: 0,
            mishaps: Mishaps::default(),
            patience: PATIENCE,
            interval: length,
            processes: Processes {
                server: self.pid().and_then(|it| i32::try_from(it).ok()),
                postgres: Some(self.postgres),
            },
        })
    }

    /// Stops the server.
    pub(crate) async fn stop(self) -> Result<(), Failure> {
        self.store.close().await;
        self.running.stop().await
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
    };
    Ok(tokens::create(store, &who, None).await?)
}
