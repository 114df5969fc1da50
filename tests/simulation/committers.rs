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

use std::pin::pin;
use std::sync::Arc;

use meterhouse_tests::Database;
use rand::RngExt as _;
use tokio::task::JoinSet;

use crate::chance::{Seed, times};
use crate::felts::{assert_meters, engine, open};
use crate::ledger::Ledger;
use crate::rush::{Nodes, all_done, rush};
use crate::script::wagers;

const NODES: usize = 3;
const TABLES: usize = 6;
const COMMANDS: u64 = 90;
/// Answers between two replaced nodes, at most.
const REPLACE_EVERY: u64 = 100;

/// Every command is counted once, whichever nodes it was sent to, and every answer to it names the same position.
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
    let mut rng = seed.rng("replace");
    let mut heard = ledger.heard();
    let mut done = pin!(all_done(rushing));
    loop {
        let answers = heard.borrow().answers + rng.random_range(1..REPLACE_EVERY);
        tokio::select! {
            () = &mut done => break,
            _ = heard.wait_for(|it| it.answers >= answers) => {}
        }
        // The old one writes a snapshot when it stops; the next one to be started loads it.
        let position = rng.random_range(0..NODES);
        let fresh = engine(&stores[position], &format!("fresh-{answers}")).await;
        nodes.replace(position, fresh).stop().await;
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
