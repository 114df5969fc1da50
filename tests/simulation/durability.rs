//! Durability and atomicity, law 5 (RULES §7.5): no acknowledged command is lost, and no other command is applied in part.
//!
//! # Shape
//! Nodes run as processes ([`crate::worker`]) on one database and one link. Each table sends its commands in order. After
//! a random number of acknowledgements all processes are killed concurrently, each with a command of every table in
//! flight. Some tables retry the command on a surviving node, the others drop it. Then everything is compared, and new
//! processes continue.
//!
//! # Failures
//! - the failures of [`crate::acknowledgements`]
//! - meters that differ from the sum of the commands in the journal, acknowledged or not
//!
//! # Nondeterminism
//! The state of a process at its kill, and the statements that its database still finishes. The test covers these
//! on purpose.

use std::sync::{Arc, Mutex};

use meterhouse_domain::ids::{Sequence, TableName};
use meterhouse_engine::Engine;
use meterhouse_tests::{Database, in_time};
use rand::RngExt as _;
use sqlx::ConnectOptions as _;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::acknowledgements::{Acknowledgements, JournalPositions, stored};
use crate::killed_processes::{Worker, WorkerPool};
use crate::links::{assert_meters, controller, engine, open};
use crate::script::{command, wagers};
use crate::seed::{Seed, times};

const WORKERS: usize = 2;
const TABLES: usize = 4;
/// Number of times that all processes are killed.
const KILLS: u64 = 5;
/// Maximum number of acknowledgements between two kills.
const KILL_EVERY: u64 = 60;

/// Sends a table's commands in order until all processes are killed. Returns the first unacknowledged sequence.
async fn play(
    pool: Arc<WorkerPool>,
    table: TableName,
    first: u64,
    killed: watch::Receiver<bool>,
) -> u64 {
    let mut rng = pool.seed.rng((table.as_str(), first));
    let mut sequence = first;
    loop {
        match pool.send(&mut rng, table.as_str(), sequence).await {
            Some(_) => sequence += 1,
            None if *killed.borrow() => return sequence,
            None => {}
        }
    }
}

/// Plays from these sequences, and kills all processes after a random number of acknowledgements. Returns the sequences
/// in flight.
async fn play_and_kill(
    pool: &Arc<WorkerPool>,
    tables: &[TableName],
    firsts: &[u64],
    nth: u64,
) -> Vec<u64> {
    let mut rng = pool.seed.rng(("kill", nth));
    let workers = (0..WORKERS).map(|_| Worker::start(&pool.database, pool.seed));
    *pool.workers.lock().expect("not poisoned") = workers.collect();
    let (kill, killed) = watch::channel(false);
    let mut playing = JoinSet::new();
    for (index, (table, first)) in tables.iter().zip(firsts).enumerate() {
        let play = play(Arc::clone(pool), table.clone(), *first, killed.clone());
        playing.spawn(async move { (index, play.await) });
    }
    let mut counts = pool.acknowledgements.counts();
    let enough = counts.borrow().acknowledged + rng.random_range(1..=KILL_EVERY);
    let until = counts.wait_for(|counts| counts.acknowledged >= enough);
    in_time("enough is acknowledged", until)
        .await
        .expect("acknowledgements");
    kill.send_replace(true);
    pool.workers.lock().expect("not poisoned").clear();
    let mut in_flight = firsts.to_vec();
    while let Some(table) = in_time("everything is killed", playing.join_next()).await {
        let (index, sequence) = table.expect("no panic");
        in_flight[index] = sequence;
    }
    in_flight
}

/// Retries the commands in flight of some tables. The first table also sends its next command: after this commit, no
/// statement of a killed process can take effect. Returns the next sequences.
async fn retry_some(
    pool: &WorkerPool,
    engine: &Engine,
    tables: &[TableName],
    in_flight: &[u64],
    nth: u64,
) -> Vec<u64> {
    let mut rng = pool.seed.rng(("retry", nth));
    let mut next = Vec::new();
    for (index, (table, first)) in tables.iter().zip(in_flight).enumerate() {
        let count = if index == 0 {
            2
        } else {
            rng.random_range(0..2)
        };
        for sequence in *first..first + count {
            let command = command(pool.seed, table.as_str(), sequence);
            let sequence = Sequence(sequence);
            let answer = engine.table_command(table, controller(), sequence, command);
            let answer = answer.await.expect("a reply of the surviving node");
            pool.acknowledgements
                .record_answer(table, sequence.0, &answer);
        }
        next.push(first + count);
    }
    next
}

/// Returns the last sequence of a table in the journal.
fn last(stored: &JournalPositions, table: &TableName) -> u64 {
    let numbers = stored.keys().filter(|(name, _)| name == table.as_str());
    numbers.map(|(_, number)| *number).max().unwrap_or(0)
}

/// After each kill, every acknowledged command is in the journal, and every other command completely or not at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn law_5_acknowledged_commands_are_durable_and_others_are_atomic() {
    let seed = Seed::announce("law 5");
    let database = Database::new().await;
    let store = database.store().await;
    let survivor = engine(&store, "survivor").await;
    let tables = open(&survivor, "law5", TABLES).await;
    let pool = Arc::new(WorkerPool {
        seed,
        database: database.application.to_url_lossy().to_string(),
        workers: Mutex::new(Vec::new()),
        acknowledgements: Acknowledgements::default(),
    });
    let mut next = vec![1; TABLES];
    let mut unacknowledged = 0;
    for nth in 0..times(KILLS) {
        let in_flight = play_and_kill(&pool, &tables, &next, nth).await;
        next = retry_some(&pool, &survivor, &tables, &in_flight, nth).await;
        let stored = stored(&database.application).await;
        let mut expected = 0;
        for ((table, next), first) in tables.iter().zip(&next).zip(&in_flight) {
            let last = last(&stored, table);
            assert!(
                (next - 1..=*next).contains(&last),
                "{table} has {last} commands, and {next} was not acknowledged"
            );
            unacknowledged += u64::from(next == first && last == *first);
            expected += wagers(seed, table.as_str(), last);
        }
        let view = survivor
            .table(&tables[0])
            .await
            .expect("the link can be read");
        assert_meters(&view.state, expected);
        pool.acknowledgements
            .assert_stored(&database.application, &store)
            .await;
    }
    let acknowledged = pool.acknowledgements.len();
    println!("law 5: {acknowledged} acknowledged, {unacknowledged} more in the journal");
    survivor.stop().await;
}
