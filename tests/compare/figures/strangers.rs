//! What unknown tokens cost: requests to a schedule, each with another token that nobody made.

use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use tokio::task::JoinSet;
use tokio::time::sleep_until;

use super::grouped;
use crate::Failure;
use crate::figure::{Figure, Stage};
use crate::line::Line;
use crate::table::thousandths;

/// Connections that ask in turn.
const CONNECTIONS: u32 = 16;
/// Requests a second, all connections together.
const RATE: u32 = 1_500;
/// Seconds.
const SECONDS: u64 = 20;
/// µs within which half of the answers come.
const P50_MAX: u64 = 400;
/// The status of an unknown token.
const UNAUTHENTICATED: u16 = 401;

/// Asks for a table with unknown tokens.
pub(super) async fn measure(stage: &Stage) -> Result<Figure, Failure> {
    let address = stage.ours.http().trim_start_matches("http://").parse()?;
    stage.settle().await?;
    let length = stage.options.long(SECONDS);
    let (begun, every) = (Instant::now(), Duration::from_secs(1) * CONNECTIONS / RATE);
    let mut asking = JoinSet::new();
    for connection in 0..CONNECTIONS {
        let first = begun + every * connection / CONNECTIONS;
        let line = Line::open(address).await?;
        asking.spawn(ask(line, connection, first, every, begun + length));
    }
    let mut all = Histogram::<u64>::new(3)?;
    while let Some(asked) = asking.join_next().await {
        all.add(asked??)?;
    }
    let [p50, p99] = [0.5, 0.99].map(|part| all.value_at_quantile(part));
    Ok(Figure::new(
        format!(
            "unknown tokens, {}/s for {} s, each another",
            grouped(RATE.into()),
            length.as_secs()
        ),
        format!(
            "p50 {} ms, p99 {} ms of {}",
            thousandths(p50),
            thousandths(p99),
            grouped(all.len())
        ),
        format!("p50 {} ms", thousandths(P50_MAX)),
        Some(p50 <= P50_MAX),
    ))
}

/// Asks to a schedule until the end; returns the µs that each answer took. Where the one before came too late it counts
/// from the planned moment; else from the sending, for the runtime's clock wakes up to a millisecond late.
async fn ask(
    mut line: Line,
    connection: u32,
    first: Instant,
    every: Duration,
    end: Instant,
) -> Result<Histogram<u64>, Failure> {
    let mut waited = Histogram::new(3)?;
    let (mut planned, mut number) = (first, 0_u64);
    while planned < end {
        let mut sent = planned;
        if Instant::now() < planned {
            sleep_until(planned.into()).await;
            sent = Instant::now();
        }
        let token = format!("{connection:032x}{number:032x}");
        let request = line.request("GET /v1/tables", &token, "");
        let answer = line.ask(&request).await?;
        if answer.status != UNAUTHENTICATED {
            return Err(format!("an unknown token was answered {}", answer.status).into());
        }
        waited.record(u64::try_from(sent.elapsed().as_micros())?)?;
        planned += every;
        number += 1;
    }
    Ok(waited)
}
