//! Several committers on one link, without a leader: the committer that moves the head commits, and no command is
//! committed twice.
//!
//! # Shape
//! Engines in one process, each with its own connections, share one database and one link. Tables pipeline their commands
//! ([`crate::pipelining`]) to random engines. Meanwhile engines are stopped and replaced, so links are loaded
//! from snapshots while other engines commit.
//!
//! # Failures
//! The failures of [`crate::acknowledgements`] and [`crate::pipelining`], and meters that differ from the sum of the
//! wagers.
//!
//! # Nondeterminism
//! The node that commits a batch, and the commands of each batch: tasks run on several threads, and Postgres schedules its
//! own processes. The seed decides the commands and the first node of each.

use std::pin::pin;
use std::sync::Arc;

use meterhouse_tests::Database;
use rand::RngExt as _;

use crate::acknowledgements::Acknowledgements;
use crate::links::{assert_sums, engine, engines, open};
use crate::pipelining::{Nodes, all_done, send_all};
use crate::seed::{Seed, times};

const NODES: usize = 3;
const TABLES: usize = 6;
const COMMANDS: u64 = 90;
/// Maximum number of acknowledgements between two replacements of a node.
const REPLACE_EVERY: u64 = 100;

/// Each command is committed once, on whatever nodes it is sent to. All its replies name the same position.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn committers_on_one_link_count_each_command_once() {
    let seed = Seed::announce("committers");
    let database = Database::new().await;
    let (stores, engines) = engines(&database, NODES).await;
    let tables = open(&engines[0], "shared", TABLES).await;
    let nodes = Nodes::new(engines);
    let acknowledgements = Arc::new(Acknowledgements::default());
    let count = times(COMMANDS);
    let sending = send_all(seed, &nodes, &tables, count, &acknowledgements);
    let mut rng = seed.rng("replace");
    let mut counts = acknowledgements.counts();
    let mut done = pin!(all_done(sending));
    loop {
        let enough = counts.borrow().acknowledged + rng.random_range(1..REPLACE_EVERY);
        tokio::select! {
            () = &mut done => break,
            _ = counts.wait_for(|counts| counts.acknowledged >= enough) => {}
        }
        // A stopping engine writes a snapshot, and the next started engine loads it.
        let index = rng.random_range(0..NODES);
        let fresh = engine(&stores[index], &format!("fresh-{enough}")).await;
        nodes.replace(index, fresh).stop().await;
    }
    let reader = engine(&stores[0], "reader").await;
    assert_sums(seed, &reader, &tables, count).await;
    nodes.stop().await;
    assert_eq!(
        acknowledgements.len(),
        TABLES * usize::try_from(count).expect("few")
    );
    acknowledgements
        .assert_stored(&database.application, &stores[0])
        .await;
}
