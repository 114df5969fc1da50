//! Repeats of commands that a server which was started again no longer remembers.

use std::net::SocketAddr;
use std::time::Instant;

use meterhouse_load::Plan;
use tokio::task::JoinSet;

use super::grouped;
use crate::Failure;
use crate::figure::{Figure, Stage};
use crate::line::Line;
use crate::ours::{Ending, Ours};

/// Tables, with a connection each.
const TABLES: u32 = 64;
/// Rounds that each has played: a coin-in and a close.
const ROUNDS: u64 = 500;
/// Repeats a second.
const ASKED: u64 = 5_000;
/// What the load is called.
const PREFIX: &str = "repeats";
/// A coin-in and a close.
const COMMANDS: [&str; 2] = [
    r#"{"command": "coin_in", "wagers": [{"seat": 1, "amount": "1.00"}], "dealt": [1]}"#,
    r#"{"command": "close"}"#,
];

/// Plays, starts the server again, and sends every command once more, in the order of their numbers.
pub(super) async fn measure(stage: &Stage) -> Result<Figure, Failure> {
    let figure = async |ours: &mut Ours| figure(stage, ours).await;
    stage.on_fresh(PREFIX, figure).await
}

async fn figure(stage: &Stage, ours: &mut Ours) -> Result<Figure, Failure> {
    let plan = Plan {
        tables: TABLES,
        ..ours.plan(PREFIX, stage.options.length)
    };
    let tokens = ours.seated(&plan).await?.controllers;
    let tables: Vec<(String, String)> = tokens.into_iter().collect();
    all(ours, &tables, false).await?;
    ours.restart(Ending::InOrder).await?;
    stage.settle().await?;
    let begun = Instant::now();
    all(ours, &tables, true).await?;
    let taken = begun.elapsed();
    let count = u64::from(TABLES) * ROUNDS * 2;
    let rate = count * 1_000 / u64::try_from(taken.as_millis())?.max(1);
    Ok(Figure::new(
        format!(
            "{} repeats over HTTP after a restart, {TABLES} connections",
            grouped(count)
        ),
        format!("{}/s, each with its first answer", grouped(rate)),
        format!("{}/s", grouped(ASKED)),
        Some(rate >= ASKED),
    ))
}

/// Sends all commands of all tables, each table's in turn.
async fn all(ours: &Ours, tables: &[(String, String)], is_repeat: bool) -> Result<(), Failure> {
    let address: SocketAddr = ours.http().trim_start_matches("http://").parse()?;
    let mut playing = JoinSet::new();
    for (table, token) in tables.iter().cloned() {
        playing.spawn(play(address, table, token, is_repeat));
    }
    while let Some(played) = playing.join_next().await {
        played??;
    }
    Ok(())
}

async fn play(
    address: SocketAddr,
    table: String,
    token: String,
    is_repeat: bool,
) -> Result<(), Failure> {
    let mut line = Line::open(address).await?;
    let bodies = COMMANDS.iter().cycle();
    for (number, body) in (1..=ROUNDS * 2).zip(bodies) {
        let what = format!("PUT /v1/tables/{table}/commands/{number}");
        let request = line.request(&what, &token, body);
        let answer = line.ask(&request).await?;
        if !answer.is_success() || answer.is_replayed != is_repeat {
            return Err(format!("{what}: {answer:?}").into());
        }
    }
    Ok(())
}
