//! Node processes that are killed at any moment: acknowledged commands are durable, other commands are retried on another
//! process, and no command is committed twice.
//!
//! # Shape
//! Workers ([`crate::worker`]) run on one database and one link. One task for each table sends each command to some worker
//! until a worker acknowledges the command. Another task kills a worker (SIGKILL) after a random number of
//! acknowledgements, and starts a new worker.
//!
//! # Failures
//! - the failures of [`crate::acknowledgements`]
//! - meters that differ from the sum of the wagers
//! - a simulation that exceeds its time limit
//!
//! # Nondeterminism
//! The state of a worker at its kill: during a statement, after the statement, or before the response is read. The test
//! covers these on purpose. The seed decides the commands and their workers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use meterhouse_tests::{Database, in_time};
use rand::RngExt as _;
use rand::rngs::StdRng;
use sqlx::ConnectOptions as _;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::acknowledgements::{Acknowledgements, JournalPosition};
use crate::links::{assert_sums, engine, open};
use crate::pipelining::{REPLY_MAX, all_done};
use crate::seed::{Seed, times};
use crate::worker::{self, LINES_MAX};

const WORKERS: usize = 2;
const TABLES: usize = 4;
const COMMANDS: u64 = 60;
/// Maximum number of acknowledgements between two kills.
const KILL_EVERY: u64 = 40;

type Reply = oneshot::Sender<Option<JournalPosition>>;
/// The callers that wait for a worker's reply, by command.
type Waiting = Arc<Mutex<HashMap<(String, u64), Vec<Reply>>>>;

/// A running worker. Dropping the handle kills the worker.
pub(crate) struct Worker {
    lines: mpsc::Sender<String>,
    waiting: Waiting,
    // Dropping the sender sends SIGKILL.
    _kill_on_drop: oneshot::Sender<()>,
}

impl Worker {
    /// Starts a worker on this database.
    pub(crate) fn start(database: &str, seed: Seed) -> Self {
        let mut process = worker::start(database, seed);
        let input = process.stdin.take().expect("a pipe");
        let output = process.stdout.take().expect("a pipe");
        let (lines, written) = mpsc::channel(LINES_MAX);
        let waiting = Waiting::default();
        let (handle, dropped) = oneshot::channel::<()>();
        tokio::spawn(write(written, input));
        tokio::spawn(read(BufReader::new(output).lines(), Arc::clone(&waiting)));
        tokio::spawn(async move {
            // Ends when the handle is dropped: the sender sends no value.
            drop(dropped.await);
            process.kill().await.expect("the kill succeeds");
        });
        Self {
            lines,
            waiting,
            _kill_on_drop: handle,
        }
    }
}

async fn write(mut lines: mpsc::Receiver<String>, mut input: ChildStdin) {
    while let Some(line) = lines.recv().await {
        // An error means that the worker was killed. The end of its output notifies the callers.
        drop(input.write_all(line.as_bytes()).await);
    }
}

async fn read(mut lines: Lines<BufReader<ChildStdout>>, waiting: Waiting) {
    while let Ok(Some(line)) = lines.next_line().await {
        let Some((table, sequence, position)) = worker::parse(&line) else {
            continue;
        };
        let replies = waiting
            .lock()
            .expect("not poisoned")
            .remove(&(table, sequence));
        for reply in replies.into_iter().flatten() {
            // The caller may have ended with its test.
            let _ = reply.send(position);
        }
    }
    // The worker is killed: no caller gets a reply.
    waiting.lock().expect("not poisoned").clear();
}

/// The workers and their acknowledgements.
pub(crate) struct WorkerPool {
    pub(crate) seed: Seed,
    pub(crate) database: String,
    pub(crate) workers: Mutex<Vec<Worker>>,
    pub(crate) acknowledgements: Acknowledgements,
}

impl WorkerPool {
    /// Sends a command to a random worker. Returns `None` without a worker, after a kill, or for a temporary denial.
    pub(crate) async fn send(
        &self,
        rng: &mut StdRng,
        table: &str,
        sequence: u64,
    ) -> Option<JournalPosition> {
        let (sender, reply) = oneshot::channel();
        let lines = {
            let workers = self.workers.lock().expect("not poisoned");
            let worker = workers.get(rng.random_range(0..workers.len().max(1)))?;
            let command = (table.to_owned(), sequence);
            let mut waiting = worker.waiting.lock().expect("not poisoned");
            waiting.entry(command).or_default().push(sender);
            worker.lines.clone()
        };
        lines.send(format!("{table} {sequence}\n")).await.ok()?;
        let reply = timeout(REPLY_MAX, reply).await;
        let reply = reply.unwrap_or_else(|_| panic!("{table}.{sequence}: no reply"));
        let position = reply.ok().flatten()?;
        self.acknowledgements.record(table, sequence, position);
        Some(position)
    }

    /// Sends a table's commands in order, each until it is acknowledged, and some replays.
    async fn play(&self, table: &str, count: u64) {
        let mut rng = self.seed.rng((table, "play"));
        for sequence in 1..=count {
            while self.send(&mut rng, table, sequence).await.is_none() {}
            if rng.random_ratio(1, 8) {
                let old = rng.random_range(1..=sequence);
                self.send(&mut rng, table, old).await;
            }
        }
    }

    /// Kills and replaces a worker after each random number of acknowledgements, until all tables are done. Returns the
    /// number of kills.
    async fn kill(&self, mut is_done: watch::Receiver<bool>) -> u64 {
        let mut rng = self.seed.rng("kill");
        let mut counts = self.acknowledgements.counts();
        let mut kills = 0;
        loop {
            let next = counts.borrow().acknowledged + rng.random_range(1..=KILL_EVERY);
            tokio::select! {
                _ = counts.wait_for(|counts| counts.acknowledged >= next) => {}
                _ = is_done.wait_for(|is_done| *is_done) => return kills,
            }
            let fresh = Worker::start(&self.database, self.seed);
            let mut workers = self.workers.lock().expect("not poisoned");
            let index = rng.random_range(0..workers.len());
            drop(std::mem::replace(&mut workers[index], fresh));
            kills += 1;
        }
    }
}

/// After kills at any moment, each command is in the journal once, at its acknowledged position.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_processes_lose_and_double_no_command() {
    play_and_kill("killed", 1, TABLES, COMMANDS).await;
}

/// The same with 40 links, whose batches share statements: a kill leaves each link as its own batches say.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_processes_of_many_links_lose_and_double_no_command() {
    play_and_kill("killed-many", 40, 1, COMMANDS / 4).await;
}

/// Plays links of some tables on processes that are killed, and compares journal and meters.
async fn play_and_kill(name: &str, links: usize, tables: usize, commands: u64) {
    let seed = Seed::announce(name);
    let database = Database::new().await;
    let store = database.store().await;
    let reader = engine(&store, "reader").await;
    let mut opened = Vec::new();
    for link in 0..links {
        opened.push(open(&reader, &format!("{name}-{link}"), tables).await);
    }
    let url = database.application.to_url_lossy().to_string();
    let workers = (0..WORKERS).map(|_| Worker::start(&url, seed)).collect();
    let pool = Arc::new(WorkerPool {
        seed,
        database: url,
        workers: Mutex::new(workers),
        acknowledgements: Acknowledgements::default(),
    });
    let count = times(commands);
    let (done, is_done) = watch::channel(false);
    let killing = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.kill(is_done).await }
    });
    let mut playing = JoinSet::new();
    for table in opened.iter().flatten() {
        let (pool, table) = (Arc::clone(&pool), table.to_string());
        playing.spawn(async move { pool.play(&table, count).await });
    }
    all_done(playing).await;
    done.send_replace(true);
    let kills = in_time("the killing ends", killing)
        .await
        .expect("no panic");
    println!("{name}: {kills} processes killed");
    assert!(kills > 0, "no process was killed");
    pool.workers.lock().expect("not poisoned").clear();
    for tables in &opened {
        assert_sums(seed, &reader, tables, count).await;
    }
    reader.stop().await;
    assert_eq!(
        pool.acknowledgements.len(),
        links * tables * usize::try_from(count).expect("few")
    );
    pool.acknowledgements
        .assert_stored(&database.application, &store)
        .await;
}
