//! A table in a hurry: its numbers are sent out of order, to any node, several at once, some again.
//!
//! # What counts as failure
//! Somebody hears nothing within [`HEARD_WITHIN`]; or hears anything but an answer and what means "send it again".

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

use crate::chance::{Seed, times};
use crate::felts::controller;
use crate::ledger::Ledger;
use crate::script::command;

/// Every caller hears something so soon: the longest way is a commit that is lost in silence (10 s), then the
/// attempts to find out what became of it (5 s), on a machine that is busy with other builds.
pub(crate) const HEARD_WITHIN: Duration = Duration::from_secs(25);
/// How long a whole play may take, for once the usual amount.
const ENOUGH: Duration = Duration::from_mins(2);
/// Numbers that are sent before the lowest of them is answered.
const AHEAD: usize = 4;

type Sent<'a> = BoxFuture<'a, (u64, Result<Answer, NotExecuted>)>;

/// The engines that a table may ask; one of them may be replaced at any time.
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

    /// Any of them.
    pub(crate) fn any(&self, rng: &mut StdRng) -> Engine {
        let engines = self.engines.read().expect("nobody failed while writing");
        engines[rng.random_range(0..engines.len())].clone()
    }

    /// Puts another engine in a position; answers the one that was there.
    pub(crate) fn replace(&self, position: usize, engine: Engine) -> Engine {
        let mut engines = self.engines.write().expect("nobody failed while writing");
        std::mem::replace(&mut engines[position], engine)
    }

    /// Stops all of them.
    pub(crate) async fn stop(&self) {
        let engines =
            std::mem::take(&mut *self.engines.write().expect("nobody failed while writing"));
        for engine in engines {
            engine.stop().await;
        }
    }
}

/// Sends a table's commands up to `count` until every one is acknowledged.
pub(crate) async fn rush(
    seed: Seed,
    nodes: Nodes,
    table: TableName,
    count: u64,
    ledger: Arc<Ledger>,
) {
    let mut rng = seed.rng((table.as_str(), "rush"));
    let mut missing: Vec<u64> = (1..=count).collect();
    let mut under_way: FuturesUnordered<Sent<'_>> = FuturesUnordered::new();
    while !missing.is_empty() || !under_way.is_empty() {
        while !missing.is_empty() && under_way.len() < AHEAD {
            let sequence = pick(&mut rng, &missing);
            under_way.push(send(seed, nodes.any(&mut rng), &table, sequence));
        }
        let Some((sequence, heard)) = under_way.next().await else {
            continue;
        };
        match heard {
            Ok(answer) => {
                ledger.note_answer(&table, sequence, &answer);
                missing.retain(|it| *it != sequence);
            }
            Err(denied) => {
                assert!(may_be_sent_again(&denied), "{table}.{sequence}: {denied}");
                ledger.note_denial();
            }
        }
    }
}

/// One of the lowest missing numbers, mostly the lowest; now and then one that was answered long ago.
fn pick(rng: &mut StdRng, missing: &[u64]) -> u64 {
    if missing[0] > 1 && rng.random_ratio(1, 12) {
        return rng.random_range(1..missing[0]);
    }
    let ahead = missing.len().min(AHEAD);
    missing[rng.random_range(0..ahead).min(rng.random_range(0..ahead))]
}

fn send(seed: Seed, engine: Engine, table: &TableName, sequence: u64) -> Sent<'_> {
    let sending = async move {
        let command = command(seed, table.as_str(), sequence);
        let sent = engine.table_command(table, controller(), Sequence(sequence), command);
        let heard = timeout(HEARD_WITHIN, sent).await;
        let heard = heard.unwrap_or_else(|_| panic!("{table}.{sequence}: nothing was heard"));
        (sequence, heard)
    };
    sending.boxed()
}

/// Whether the same command may be answered later.
pub(crate) const fn may_be_sent_again(denied: &NotExecuted) -> bool {
    matches!(
        denied,
        NotExecuted::SequenceGap { .. }
            | NotExecuted::TooManyRefusals { .. }
            | NotExecuted::Busy
            | NotExecuted::DatabaseUnavailable
            | NotExecuted::DatabaseNotWritable(_)
            | NotExecuted::OutcomeUnknown
    )
}

/// Waits until every table is done.
pub(crate) async fn all_done(mut tables: JoinSet<()>) {
    let enough = ENOUGH * u32::try_from(times(1)).expect("few");
    let all = async {
        while let Some(done) = tables.join_next().await {
            done.expect("the table is done");
        }
    };
    let done = timeout(enough, all).await;
    done.unwrap_or_else(|_| panic!("not done within {enough:?}"));
}
