//! A node as a process of its own: this test program, started again by [`crate::killed`].
//!
//! # Shape
//! Reads `<table> <sequence>` from its input, sends that command to its engine, and writes one line a command that
//! was heard of: `> <table> <sequence> <batch> <position>`, or `> <table> <sequence>` where it has to be sent
//! again. A line is one write of few bytes, which a kill can't tear. Ends with its input.

use std::io::Write as _;
use std::process::Stdio;
use std::str::FromStr as _;

use meterhouse_domain::ids::{Sequence, TableName};
use meterhouse_engine::Engine;
use meterhouse_store::{PgConnectOptions, Store, StoreOptions};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

use crate::chance::Seed;
use crate::felts::{controller, engine};
use crate::ledger::Position;
use crate::rush::may_be_sent_again;
use crate::script::command;

/// Where the database is, for a worker; nobody else has it.
const DATABASE: &str = "METERHOUSE_SIMULATION_WORKER";
/// The seed of the commands.
const SEED: &str = "METERHOUSE_SIMULATION_SEED";
/// Before each line that is for the parent; the test harness writes others.
const MARK: &str = "> ";
/// Lines that wait for a worker.
pub(crate) const LINES_MAX: usize = 64;

/// Starts this program again as a worker.
pub(crate) fn start(database: &str, seed: Seed) -> Child {
    let program = std::env::current_exe().expect("this program has a path");
    Command::new(program)
        .args([
            "--exact",
            "worker::worker",
            "--ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(DATABASE, database)
        .env(SEED, seed.0.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("this program can be started again")
}

/// What a line of a worker says, if it is for the parent.
pub(crate) fn parse(line: &str) -> Option<(String, u64, Option<Position>)> {
    let mut words = line.strip_prefix(MARK)?.split(' ');
    let table = words.next()?.to_owned();
    let sequence = words.next()?.parse().ok()?;
    let position = match (words.next(), words.next()) {
        (Some(batch), Some(position)) => Some((batch.parse().ok()?, position.parse().ok()?)),
        _ => None,
    };
    Some((table, sequence, position))
}

/// The worker. Without its environment it is nobody's.
#[tokio::test]
#[ignore = "started by the test that kills it"]
async fn worker() {
    let (Some(database), Some(seed)) = (std::env::var_os(DATABASE), std::env::var_os(SEED)) else {
        return;
    };
    let seed = Seed(
        seed.to_str()
            .and_then(|it| it.parse().ok())
            .expect("a number"),
    );
    let connect = PgConnectOptions::from_str(database.to_str().expect("text")).expect("a URL");
    let options = StoreOptions {
        connect,
        pool_connections: 2,
        commit_connections: 1,
    };
    let store = Store::connect(options)
        .await
        .expect("the database can be reached");
    let engine = engine(&store, &format!("worker-{}", std::process::id())).await;
    let (sender, mut lines) = mpsc::channel(LINES_MAX);
    std::thread::spawn(move || {
        let lines = std::io::stdin().lines().map_while(Result::ok);
        lines
            .take_while(|line| sender.blocking_send(line.clone()).is_ok())
            .for_each(drop);
    });
    while let Some(line) = lines.recv().await {
        let (table, sequence) = line.split_once(' ').expect("a table and a number");
        let table: TableName = table.parse().expect("a name");
        let sequence = sequence.parse().expect("a number");
        tokio::spawn(serve(engine.clone(), seed, table, sequence));
    }
    engine.stop().await;
}

async fn serve(engine: Engine, seed: Seed, table: TableName, sequence: u64) {
    let command = command(seed, table.as_str(), sequence);
    let heard = engine
        .table_command(&table, controller(), Sequence(sequence), command)
        .await;
    let line = match heard {
        Ok(answer) => {
            let (batch, position) = (answer.outcome.batch, answer.outcome.position);
            format!("\n{MARK}{table} {sequence} {batch} {position}\n")
        }
        Err(denied) if may_be_sent_again(&denied) => format!("\n{MARK}{table} {sequence}\n"),
        Err(denied) => panic!("{table}.{sequence}: {denied}"),
    };
    // Past the harness, which would gather it; an error means that the parent is gone.
    drop(std::io::stdout().lock().write_all(line.as_bytes()));
    drop(std::io::stdout().lock().flush());
}
