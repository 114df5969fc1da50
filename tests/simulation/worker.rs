//! A node in its own process: this test program, started again by [`crate::killed_processes`].
//!
//! # Shape
//! A worker reads lines of `<table> <sequence>`, sends each command to its engine, and writes one line for each reply. An
//! acknowledgement is `> <table> <sequence> <batch> <position>`, a temporary denial `> <table> <sequence>`. A line is
//! one short write, which a kill can't interrupt. The worker ends with its input.

use std::io::Write as _;
use std::process::Stdio;
use std::str::FromStr as _;

use meterhouse_domain::ids::{Sequence, TableName};
use meterhouse_engine::Engine;
use meterhouse_store::{PgConnectOptions, Store, StoreOptions};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

use crate::acknowledgements::JournalPosition;
use crate::links::{controller, engine};
use crate::pipelining::may_be_retried;
use crate::script::command;
use crate::seed::Seed;

/// Environment variable with the database's URL. Only workers have it.
const DATABASE: &str = "METERHOUSE_SIMULATION_WORKER";
/// Environment variable with the seed of the commands.
const SEED: &str = "METERHOUSE_SIMULATION_SEED";
/// Prefix of each line for the parent. The test harness writes other lines.
const MARK: &str = "> ";
/// Maximum number of lines that wait for a worker.
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

/// Parses a line of a worker. Returns `None` if the line is not for the parent.
pub(crate) fn parse(line: &str) -> Option<(String, u64, Option<JournalPosition>)> {
    let mut words = line.strip_prefix(MARK)?.split(' ');
    let table = words.next()?.to_owned();
    let sequence = words.next()?.parse().ok()?;
    let position = match (words.next(), words.next()) {
        (Some(batch), Some(position)) => Some((batch.parse().ok()?, position.parse().ok()?)),
        _ => None,
    };
    Some((table, sequence, position))
}

/// Runs a worker. Without its environment variables it returns immediately.
#[tokio::test]
#[ignore = "started by the test that kills it"]
async fn worker() {
    let (Some(database), Some(seed)) = (std::env::var_os(DATABASE), std::env::var_os(SEED)) else {
        return;
    };
    let seed = Seed(
        seed.to_str()
            .and_then(|text| text.parse().ok())
            .expect("a number"),
    );
    let connect = PgConnectOptions::from_str(database.to_str().expect("text")).expect("a URL");
    let options = StoreOptions {
        servers: connect.into(),
        pool_connections: 2,
        commit_connections: 1,
    };
    let store = Store::connect(options).await.expect("a connection");
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
    let reply = engine
        .table_command(&table, controller(), Sequence(sequence), command)
        .await;
    let line = match reply {
        Ok(answer) => {
            let (batch, position) = (answer.outcome.batch, answer.outcome.position);
            format!("\n{MARK}{table} {sequence} {batch} {position}\n")
        }
        Err(denied) if may_be_retried(&denied) => format!("\n{MARK}{table} {sequence}\n"),
        Err(denied) => panic!("{table}.{sequence}: {denied}"),
    };
    // Bypasses the harness, which would capture the line. An error means that the parent has ended.
    drop(std::io::stdout().lock().write_all(line.as_bytes()));
    drop(std::io::stdout().lock().flush());
}
