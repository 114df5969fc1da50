//! Nodes as processes that are killed at any moment: what one of them acknowledged stays, what it did not is sent
//! again to another, and nothing is counted twice.
//!
//! # Shape
//! Workers ([`crate::worker`]) on one database and one link. A task a table sends each number to some worker until
//! one acknowledges it. A task kills a worker (SIGKILL) after every so many acknowledgements and starts another.
//!
//! # What counts as failure
//! What [`crate::ledger`] says; meters that are not the sum of the wagers; no end within the patience.
//!
//! # Known sources of nondeterminism
//! Where a worker is when it is killed: in the middle of a statement, after it, before its answer is read. That is
//! the point of it. The commands, and whom each is sent to, follow from the seed.

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

use crate::chance::{Seed, times};
use crate::felts::{assert_meters, engine, open};
use crate::ledger::{Ledger, Position};
use crate::rush::{HEARD_WITHIN, all_done};
use crate::script::wagers;
use crate::worker::{self, LINES_MAX};

const WORKERS: usize = 2;
const TABLES: usize = 4;
const COMMANDS: u64 = 60;
/// Acknowledgements between two kills, at most.
const KILL_EVERY: u64 = 40;

type Reply = oneshot::Sender<Option<Position>>;
/// Who waits for a worker's word, by command.
type Waiting = Arc<Mutex<HashMap<(String, u64), Vec<Reply>>>>;

/// A running worker; without its handle it is killed.
pub(crate) struct Worker {
    lines: mpsc::Sender<String>,
    waiting: Waiting,
    // Dropped: SIGKILL.
    _life: oneshot::Sender<()>,
}

impl Worker {
    /// Starts one on this database.
    pub(crate) fn start(database: &str, seed: Seed) -> Self {
        let mut process = worker::start(database, seed);
        let input = process.stdin.take().expect("it is piped");
        let output = process.stdout.take().expect("it is piped");
        let (lines, written) = mpsc::channel(LINES_MAX);
        let waiting = Waiting::default();
        let (life, killed) = oneshot::channel::<()>();
        tokio::spawn(write(written, input));
        tokio::spawn(read(BufReader::new(output).lines(), Arc::clone(&waiting)));
        tokio::spawn(async move {
            // Nobody sends: it ends when the handle is dropped.
            drop(killed.await);
            process.kill().await.expect("it can be killed");
        });
        Self {
            lines,
            waiting,
            _life: life,
        }
    }
}

async fn write(mut lines: mpsc::Receiver<String>, mut input: ChildStdin) {
    while let Some(line) = lines.recv().await {
        // An error means that it was killed; who waits hears that at its output.
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
            .expect("nobody failed")
            .remove(&(table, sequence));
        for reply in replies.into_iter().flatten() {
            // Whoever asked may have ended with his test.
            let _ = reply.send(position);
        }
    }
    // Killed. Nobody hears anything any more.
    waiting.lock().expect("nobody failed").clear();
}

/// The workers, and what was heard from them.
pub(crate) struct Floor {
    pub(crate) seed: Seed,
    pub(crate) database: String,
    pub(crate) workers: Mutex<Vec<Worker>>,
    pub(crate) ledger: Ledger,
}

impl Floor {
    /// Sends a command to any worker; nothing if there is none, it was killed, or says "again".
    pub(crate) async fn send(
        &self,
        rng: &mut StdRng,
        table: &str,
        sequence: u64,
    ) -> Option<Position> {
        let (reply, heard) = oneshot::channel();
        let lines = {
            let workers = self.workers.lock().expect("nobody failed");
            let worker = workers.get(rng.random_range(0..workers.len().max(1)))?;
            let command = (table.to_owned(), sequence);
            let mut waiting = worker.waiting.lock().expect("nobody failed");
            waiting.entry(command).or_default().push(reply);
            worker.lines.clone()
        };
        lines.send(format!("{table} {sequence}\n")).await.ok()?;
        let heard = timeout(HEARD_WITHIN, heard).await;
        let position = heard.unwrap_or_else(|_| panic!("{table}.{sequence}: nothing was heard"));
        let position = position.ok().flatten()?;
        self.ledger.note(table, sequence, position);
        Some(position)
    }

    /// One table: number after number, each until it is acknowledged, some again.
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

    /// Kills a worker after every so many acknowledgements and starts another, until all is done.
    async fn kill(&self, mut is_done: watch::Receiver<bool>) -> u64 {
        let mut rng = self.seed.rng("kill");
        let mut heard = self.ledger.heard();
        let mut kills = 0;
        loop {
            let next = heard.borrow().answers + rng.random_range(1..=KILL_EVERY);
            tokio::select! {
                _ = heard.wait_for(|it| it.answers >= next) => {}
                _ = is_done.wait_for(|it| *it) => return kills,
            }
            let fresh = Worker::start(&self.database, self.seed);
            let mut workers = self.workers.lock().expect("nobody failed");
            let position = rng.random_range(0..workers.len());
            drop(std::mem::replace(&mut workers[position], fresh));
            kills += 1;
        }
    }
}

/// Processes are killed in the middle of everything; each command is counted once, where it was said to be.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_processes_lose_and_double_nothing() {
    let seed = Seed::announce("killed");
    let database = Database::new().await;
    let store = database.store().await;
    let reader = engine(&store, "reader").await;
    let tables = open(&reader, "killed", TABLES).await;
    let url = database.application.to_url_lossy().to_string();
    let workers = (0..WORKERS).map(|_| Worker::start(&url, seed)).collect();
    let floor = Arc::new(Floor {
        seed,
        database: url,
        workers: Mutex::new(workers),
        ledger: Ledger::default(),
    });
    let count = times(COMMANDS);
    let (done, is_done) = watch::channel(false);
    let killing = tokio::spawn({
        let floor = Arc::clone(&floor);
        async move { floor.kill(is_done).await }
    });
    let mut playing = JoinSet::new();
    for table in &tables {
        let (floor, table) = (Arc::clone(&floor), table.to_string());
        playing.spawn(async move { floor.play(&table, count).await });
    }
    all_done(playing).await;
    done.send_replace(true);
    let kills = in_time("the killing ends", killing)
        .await
        .expect("it ends well");
    println!("killed: {kills} processes killed");
    assert!(kills > 0, "no process was killed");
    floor.workers.lock().expect("nobody failed").clear();
    let expected = tables
        .iter()
        .map(|it| wagers(seed, it.as_str(), count))
        .sum();
    let state = reader
        .table(&tables[0])
        .await
        .expect("the link can be read")
        .state;
    assert_meters(&state, expected);
    reader.stop().await;
    assert_eq!(
        floor.ledger.len(),
        TABLES * usize::try_from(count).expect("few")
    );
    floor
        .ledger
        .assert_kept(&database.application, &store)
        .await;
}
