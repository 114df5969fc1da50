//! A table that pipelines its commands: out of order, to any node, several concurrently, some as replays.
//!
//! # Failures
//! A caller without a reply within [`REPLY_MAX`], or with a denial that is not temporary.

use std::sync::{Arc, RwLock};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use meterhouse_domain::ids::{Sequence, TableName};
use meterhouse_engine::Engine;
use meterhouse_engine::answer::{Answer, NotExecuted};
use rand::RngExt as _;
use rand::rngs::StdRng;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::acknowledgements::Acknowledgements;
use crate::links::controller;
use crate::script::command;
use crate::seed::{Seed, times};

/// Maximum time to a reply. On a silent network a page of a link that is loaded is given up after 30 s, and a commit after
/// 10 s; its outcome is resolved within 5 s more. The rest is for a busy machine.
pub(crate) const REPLY_MAX: Duration = Duration::from_secs(45);
/// Maximum time of a simulation, for one time the usual amount.
const RUN_MAX: Duration = Duration::from_mins(2);
/// Maximum number of commands in flight for one table.
const IN_FLIGHT_MAX: usize = 4;

type Sent<'a> = BoxFuture<'a, (u64, Result<Answer, NotExecuted>)>;

/// The engines that a table may send to. A test may replace an engine at any time.
#[derive(Clone)]
pub(crate) struct Nodes {
    engines: Arc<RwLock<Vec<Engine>>>,
}

impl Nodes {
    pub(crate) fn new(engines: Vec<Engine>) -> Self {
        Self {
            engines: Arc::new(RwLock::new(engines)),
        }
    }

    /// Returns a random engine.
    pub(crate) fn random(&self, rng: &mut StdRng) -> Engine {
        let engines = self.engines.read().expect("not poisoned");
        engines[rng.random_range(0..engines.len())].clone()
    }

    /// Replaces an engine, and returns the previous engine.
    pub(crate) fn replace(&self, index: usize, engine: Engine) -> Engine {
        let mut engines = self.engines.write().expect("not poisoned");
        std::mem::replace(&mut engines[index], engine)
    }

    /// Stops all engines.
    pub(crate) async fn stop(&self) {
        let engines = std::mem::take(&mut *self.engines.write().expect("not poisoned"));
        for engine in engines {
            engine.stop().await;
        }
    }
}

/// Sends a table's commands up to `count` until each is acknowledged.
async fn send_pipelined(
    seed: Seed,
    nodes: Nodes,
    table: TableName,
    count: u64,
    acknowledgements: Arc<Acknowledgements>,
) {
    let mut rng = seed.rng((table.as_str(), "pipelined"));
    let mut missing: Vec<u64> = (1..=count).collect();
    let mut in_flight: FuturesUnordered<Sent<'_>> = FuturesUnordered::new();
    while !missing.is_empty() || !in_flight.is_empty() {
        while !missing.is_empty() && in_flight.len() < IN_FLIGHT_MAX {
            let sequence = pick(&mut rng, &missing);
            in_flight.push(send(seed, nodes.random(&mut rng), &table, sequence));
        }
        let Some((sequence, reply)) = in_flight.next().await else {
            continue;
        };
        match reply {
            Ok(answer) => {
                acknowledgements.record_answer(&table, sequence, &answer);
                missing.retain(|number| *number != sequence);
            }
            Err(denied) => {
                assert!(may_be_retried(&denied), "{table}.{sequence}: {denied}");
                acknowledgements.record_denial(&denied);
            }
        }
    }
}

/// Starts to send the commands of all tables.
pub(crate) fn send_all(
    seed: Seed,
    nodes: &Nodes,
    tables: &[TableName],
    count: u64,
    acknowledgements: &Arc<Acknowledgements>,
) -> JoinSet<()> {
    let mut sending = JoinSet::new();
    for table in tables {
        let (nodes, table) = (nodes.clone(), table.clone());
        let acknowledgements = Arc::clone(acknowledgements);
        sending.spawn(send_pipelined(seed, nodes, table, count, acknowledgements));
    }
    sending
}

/// Returns one of the lowest missing sequences, most often the lowest. Sometimes returns an acknowledged sequence.
fn pick(rng: &mut StdRng, missing: &[u64]) -> u64 {
    if missing[0] > 1 && rng.random_ratio(1, 12) {
        return rng.random_range(1..missing[0]);
    }
    let window = missing.len().min(IN_FLIGHT_MAX);
    missing[rng.random_range(0..window).min(rng.random_range(0..window))]
}

fn send(seed: Seed, engine: Engine, table: &TableName, sequence: u64) -> Sent<'_> {
    let sending = async move {
        let command = command(seed, table.as_str(), sequence);
        let sent = engine.table_command(table, controller(), Sequence(sequence), command);
        let reply = timeout(REPLY_MAX, sent).await;
        let reply = reply.unwrap_or_else(|_| panic!("{table}.{sequence}: no reply"));
        (sequence, reply)
    };
    sending.boxed()
}

/// Returns `true` if a retry of the command may succeed.
pub(crate) const fn may_be_retried(denied: &NotExecuted) -> bool {
    matches!(
        denied,
        NotExecuted::SequenceGap { .. }
            | NotExecuted::TooManyRefusals { .. }
            | NotExecuted::Busy
            | NotExecuted::DatabaseUnavailable
            | NotExecuted::DatabaseNotWritable(_)
            | NotExecuted::OutcomeUnknown
            | NotExecuted::BooksNotChecked
    )
}

/// Waits until all tables have sent all commands.
pub(crate) async fn all_done(mut tables: JoinSet<()>) {
    let limit = RUN_MAX * u32::try_from(times(1)).expect("few");
    let all = async {
        while let Some(done) = tables.join_next().await {
            done.expect("the table is done");
        }
    };
    let done = timeout(limit, all).await;
    done.unwrap_or_else(|_| panic!("not done within {limit:?}"));
}
