//! Several committers on one link: whoever moves the head commits, nobody is elected, nothing is counted twice.
//!
//! # Shape
//! Engines in one process, each with connections of its own, on one database and one link. Tables in a hurry
//! ([`crate::rush`]) send to any of them; one engine after another is stopped and replaced meanwhile, so that links
//! are loaded from snapshots while others commit.
//!
//! # What counts as failure
//! What [`crate::ledger`] and [`crate::rush`] say; meters that are not the sum of the wagers.
//!
//! # Known sources of nondeterminism
//! Which node wins a batch, and how commands share batches: the tasks run on several threads, Postgres schedules
//! its own. The commands and where each is sent first follow from the seed.

use std::sync::Arc;

use meterhouse_engine::Engine;
use meterhouse_store::Store;
use meterhouse_tests::{Database, in_time};
use tokio::task::JoinSet;

use crate::chance::{Seed, times};
use crate::felts::{assert_meters, engine, open};
use crate::ledger::Ledger;
use crate::rush::{Nodes, rush};
use crate::script::wagers;

const NODES: usize = 3;
const TABLES: usize = 6;
const COMMANDS: u64 = 90;

/// Every command is counted once, whichever nodes it was sent to, and every answer to it names the same place.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn committers_on_one_link_count_each_command_once() {
    let seed = Seed::announce("committers");
    let database = Database::new().await;
    let mut stores = Vec::new();
    let mut engines = Vec::new();
    for number in 0..NODES {
        let store = database.store().await;
        engines.push(engine(&store, &format!("node-{number}")).await);
        stores.push(store);
    }
    let tables = open(&engines[0], "shared", TABLES).await;
    let nodes = Nodes::new(engines);
    let ledger = Arc::new(Ledger::default());
    let count = times(COMMANDS);
    let mut rushing = JoinSet::new();
    for table in &tables {
        rushing.spawn(rush(
            seed,
            nodes.clone(),
            table.clone(),
            count,
            Arc::clone(&ledger),
        ));
    }
    let mut left = TABLES;
    // Each time a table is done, one node is replaced: it writes a snapshot, the new one loads it.
    while let Some(done) = in_time("the tables are done", rushing.join_next()).await {
        done.expect("the table is done");
        left -= 1;
        let store = &stores[left % NODES];
        replace(&nodes, left % NODES, store).await;
    }
    let expected = tables
        .iter()
        .map(|it| wagers(seed, it.as_str(), count))
        .sum();
    let state = engine(&stores[0], "reader").await.table(&tables[0]).await;
    assert_meters(&state.expect("the link can be read").state, expected);
    nodes.stop().await;
    assert_eq!(ledger.len(), TABLES * usize::try_from(count).expect("few"));
    ledger.assert_kept(&database.application, &stores[0]).await;
}

async fn replace(nodes: &Nodes, place: usize, store: &Store) {
    let fresh: Engine = engine(store, &format!("fresh-{place}")).await;
    nodes.replace(place, fresh).stop().await;
}
