//! Open loops: latencies at a rate that goes on whatever the answers do, counted from the planned instant.

use std::time::Duration;

use meterhouse_load::{Pace, Plan, Report};

use super::{grouped, steady};
use crate::Failure;
use crate::figure::{Figure, Stage};
use crate::ours::{COMMANDS_A_MESSAGE, streams};
use crate::table::thousandths;

/// Commands a second.
pub(super) const SLOW: u64 = 5_000;
const FAST: u64 = 20_000;
/// How long is asked for, seconds.
const SLOW_SECONDS: u64 = 60;
pub(super) const FAST_SECONDS: u64 = 20;
/// Streams that they are spread over.
const STREAMS: u32 = 8;
/// What is asked of the slow one, µs: median, 99th and 99.9th percentile.
const SLOW_ASKED: [u64; 3] = [1_500, 5_000, 25_000];
/// What is asked of the fast one and of the hits among it, µs: 99th percentile.
const FAST_ASKED: u64 = 10_000;
/// Rounds of a million that have a winning hand, and how many of them are needed for a 99th percentile.
const HITS_PER_MILLION: u32 = 500;
const HITS_MIN: u64 = 100;

/// A plan, with so many commands a second over eight streams, in bursts or, with none, evenly spread.
pub(super) fn looped(plan: Plan, a_second: u64, burst: Duration) -> Plan {
    Plan {
        transport: streams(STREAMS, COMMANDS_A_MESSAGE),
        pace: Pace::Rate { a_second, burst },
        ..plan
    }
}

/// Evenly spread, for so long.
fn even(stage: &Stage, a_second: u64, length: Duration) -> Plan {
    looped(stage.ours.plan("open", length), a_second, Duration::ZERO)
}

/// What stays far below the limit.
pub(super) async fn slow(stage: &Stage) -> Result<Figure, Failure> {
    let length = stage.options.long(SLOW_SECONDS);
    let plan = even(stage, SLOW, length);
    let report = steady(stage, &stage.ours, &plan).await?;
    let latency = report.latency;
    let found = [latency.p50, latency.p99, latency.p999];
    let met = found
        .iter()
        .zip(SLOW_ASKED)
        .all(|(found, asked)| *found <= asked);
    let [p50, p99, p999] = SLOW_ASKED.map(thousandths);
    Ok(Figure::new(
        what(SLOW, length),
        words(&report),
        format!("p50 {p50}, p99 {p99}, p99.9 {p999} ms"),
        Some(met && report.unsent == 0),
    ))
}

/// What comes near the limit of some ways.
pub(super) async fn fast(stage: &Stage) -> Result<Figure, Failure> {
    let length = stage.options.long(FAST_SECONDS);
    let plan = even(stage, FAST, length);
    let report = steady(stage, &stage.ours, &plan).await?;
    Ok(Figure::new(
        what(FAST, length),
        words(&report),
        format!("p99 {} ms", thousandths(FAST_ASKED)),
        Some(report.latency.p99 <= FAST_ASKED && report.unsent == 0),
    ))
}

/// Hits among as many.
pub(super) async fn hits(stage: &Stage) -> Result<Figure, Failure> {
    let length = stage.options.long(FAST_SECONDS);
    let plan = Plan {
        hits_per_million: HITS_PER_MILLION,
        ..even(stage, FAST, length)
    };
    let report = steady(stage, &stage.ours, &plan).await?;
    let hits = report.hits;
    let [p50, p99] = [hits.p50, hits.p99].map(thousandths);
    Ok(Figure::new(
        format!("hits among {}", what(FAST, length)),
        format!("p50 {p50}, p99 {p99} ms of {} hits", hits.count),
        format!(
            "p99 {} ms of {HITS_MIN} hits or more",
            thousandths(FAST_ASKED)
        ),
        (hits.count >= HITS_MIN).then_some(hits.p99 <= FAST_ASKED),
    ))
}

fn what(a_second: u64, length: Duration) -> String {
    let (rate, seconds) = (grouped(a_second), length.as_secs());
    format!("open loop, {rate}/s evenly spread for {seconds} s, {STREAMS} streams")
}

/// The latencies, and what the generator itself adds to them.
fn words(report: &Report) -> String {
    let latency = report.latency;
    let [p50, p99, p999] = [latency.p50, latency.p99, latency.p999].map(thousandths);
    let late = report.delay.map_or_else(String::new, |delay| {
        let late = thousandths(delay.p99);
        format!("; the generator late by {late} ms at p99")
    });
    let unsent = match report.unsent {
        0 => String::new(),
        unsent => format!("; {unsent} never sent"),
    };
    format!("p50 {p50}, p99 {p99}, p99.9 {p999} ms{late}{unsent}")
}
