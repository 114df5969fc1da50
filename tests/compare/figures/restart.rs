//! How soon a server that starts serves, and takes a coin-in of a link with a long history.

use std::time::{Duration, Instant};

use meterhouse_load::Plan;
use tokio::time::{sleep, timeout};

use super::grouped;
use crate::Failure;
use crate::figure::{Figure, Stage};
use crate::line::Line;
use crate::ours::{Ending, Ours};

/// A table that the load doesn't play at.
const TABLE: u32 = 513;
/// For how long a load would run; the server behind it is killed before.
const LOAD: Duration = Duration::from_mins(1);
/// Events that it has added when the server is killed.
const LOADED: u64 = 50_000;
/// Between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// How long a start may take to be measured.
const START_MAX: Duration = Duration::from_mins(5);
/// Ms within which a server serves.
const SERVES_MAX: u128 = 1_000;
/// Ms within which it takes a coin-in.
const COIN_IN_MAX: u128 = 2_000;
/// One wager.
const COIN_IN: &str =
    r#"{"command": "coin_in", "wagers": [{"seat": 1, "amount": "1.00"}], "dealt": [1]}"#;
/// The end of its round.
const CLOSE: &str = r#"{"command": "close"}"#;

/// A table of the link, which counts its commands.
struct Felt {
    path: String,
    token: String,
    sequence: u64,
}

/// Starts the server again, after an end in order and after a kill behind a load, on the link of these plans.
pub(super) async fn measure(
    stage: &Stage,
    ours: &mut Ours,
    prefix: &str,
) -> Result<Vec<Figure>, Failure> {
    let with_felt = Plan {
        tables: TABLE,
        ..ours.plan(prefix, LOAD)
    };
    let table = format!("{prefix}-1-{TABLE}");
    let tokens = ours.seated(&with_felt).await?;
    let token = tokens.controllers.get(&table).ok_or("no token")?;
    let mut felt = Felt {
        path: format!("/v1/tables/{table}/commands"),
        token: token.clone(),
        sequence: 1,
    };
    let mut figures = Vec::new();
    for end in [Ending::InOrder, Ending::Killed] {
        stage.settle().await?;
        if end == Ending::Killed {
            // It ends in the midst of commands.
            tokio::select! {
                played = ours.play(ours.plan(prefix, LOAD)) => {
                    drop(played?);
                    return Err("the load ended before the server was killed".into());
                }
                loaded = timeout(START_MAX, loaded(stage, ours)) => loaded??,
            }
        }
        let events = ours.events(&stage.postgres).await?;
        figures.push(started(ours, end, events, &mut felt).await?);
    }
    Ok(figures)
}

/// Waits until a load has added its events.
async fn loaded(stage: &Stage, ours: &Ours) -> Result<(), Failure> {
    let before = ours.events(&stage.postgres).await?;
    while ours.events(&stage.postgres).await? < before + LOADED {
        sleep(LOOK_EVERY).await;
    }
    Ok(())
}

async fn started(
    ours: &mut Ours,
    end: Ending,
    events: u64,
    felt: &mut Felt,
) -> Result<Figure, Failure> {
    let begun = ours.restart(end).await?;
    let address = ours.http().trim_start_matches("http://").parse()?;
    let mut line = Line::open(address).await?;
    let ready = line.request("GET /readyz", &felt.token, "");
    let serves = until_done(&mut line, &ready, begun).await?;
    let coin_in = felt.request(&line, COIN_IN);
    let counts = until_done(&mut line, &coin_in, begun).await?;
    let close = felt.request(&line, CLOSE);
    until_done(&mut line, &close, begun).await?;
    let ended = match end {
        Ending::InOrder => "an end in order",
        Ending::Killed => "a kill behind a load",
    };
    Ok(Figure::new(
        format!("a start after {ended}, {} events", grouped(events)),
        format!(
            "serves within {serves} ms, takes a coin-in within {counts} ms of the process's start"
        ),
        format!("{SERVES_MAX} ms, {COIN_IN_MAX} ms"),
        Some(serves <= SERVES_MAX && counts <= COIN_IN_MAX),
    ))
}

/// Asks until it is done; the ms since the beginning.
async fn until_done(line: &mut Line, request: &str, begun: Instant) -> Result<u128, Failure> {
    while !line.ask(request).await?.is_success() {
        if begun.elapsed() > START_MAX {
            return Err("the server did not come up in time".into());
        }
        sleep(LOOK_EVERY).await;
    }
    Ok(begun.elapsed().as_millis())
}

impl Felt {
    /// The request for its next command.
    fn request(&mut self, line: &Line, body: &str) -> String {
        let what = format!("PUT {}/{}", self.path, self.sequence);
        self.sequence += 1;
        line.request(&what, &self.token, body)
    }
}
