//! Rates of closed loops: one hot link, and 64 in flight over streams and over HTTP.

use meterhouse_load::{Pace, Plan, Transport};

use super::{Rates, grouped, in_turn};
use crate::Failure;
use crate::figure::{Figure, Stage};
use crate::ours::{Way, streams};
use crate::rounds::{Cell, Counted, What};
use crate::sql::Sql;

/// The cell of the hot link.
pub(super) const HOT: What = What {
    way: Counted::Ours(Way::Stream),
    in_flight: 4_096,
    links: 1,
};
/// The cell that its coin-ins are compared with.
pub(super) const NAIVE: What = What {
    way: Counted::Sql(Sql::Naive),
    in_flight: FEW,
    links: 1,
};
/// Few in flight.
const FEW: usize = 64;
const FEW_COUNT: u32 = 64;
/// What is asked of each, commands a second.
const HOT_ASKED: u64 = 150_000;
const STREAM_ASKED: u64 = 50_000;
const HTTP_ASKED: u64 = 35_000;
/// How many times as many coin-ins as the naive way.
const TIMES_ASKED: u64 = 80;
/// Over how many streams few in flight are spread, and what that is called.
const SPREADS: [(u32, &str); 3] = [
    (64, "64 streams with 1 each"),
    (8, "8 streams (concentrators of many tables) with 8 each"),
    (1, "1 stream with 64"),
];

/// One hot link, and its coin-ins beside the naive way: what the comparison measured.
pub(super) fn hot(cells: &[Cell]) -> Result<Vec<Figure>, Failure> {
    let of = |what: What| cells.iter().find_map(|it| it.rates(what));
    let (rate, coin_ins) = of(HOT).ok_or("the comparison has no hot link")?;
    let (_, naive) = of(NAIVE).ok_or("the comparison has no naive way")?;
    let times = coin_ins / naive.max(1);
    Ok(vec![
        Figure::new(
            "streams, one hot link, 4,096 in flight; of the comparison",
            format!("{}/s", grouped(rate)),
            format!("{}/s (250,000 stretch)", grouped(HOT_ASKED)),
            Some(rate >= HOT_ASKED),
        ),
        Figure::new(
            "its coin-ins against the naive way with 64 clients; of the comparison",
            format!(
                "{times} times ({}/s and {}/s)",
                grouped(coin_ins),
                grouped(naive)
            ),
            format!("{TIMES_ASKED} times"),
            Some(times >= TIMES_ASKED),
        ),
    ])
}

/// Few in flight over streams, one command a message, spread in three ways.
pub(super) async fn stream64(stage: &Stage) -> Result<Vec<Figure>, Failure> {
    let plan = |(count, _): (u32, &str)| Plan {
        transport: streams(count, 1),
        pace: Pace::InFlight(FEW_COUNT),
        ..stage.ours.plan("few", stage.options.length)
    };
    let rates = in_turn(stage, &stage.ours, SPREADS.map(plan)).await?;
    let figures = SPREADS.iter().zip(rates).map(|((_, spread), rates)| {
        let what = format!("streams, 64 in flight, one command a message: {spread}");
        figure(what, &rates, STREAM_ASKED)
    });
    Ok(figures.collect())
}

/// Few in flight over HTTP, each on its connection.
pub(super) async fn http64(stage: &Stage) -> Result<Figure, Failure> {
    let plan = Plan {
        transport: Transport::Http {
            connections: FEW_COUNT,
        },
        pace: Pace::InFlight(FEW_COUNT),
        ..stage.ours.plan("few", stage.options.length)
    };
    let [rates] = in_turn(stage, &stage.ours, [plan]).await?;
    let what = "HTTP PUT, 64 connections".to_owned();
    Ok(figure(what, &rates, HTTP_ASKED))
}

fn figure(what: String, rates: &Rates, asked: u64) -> Figure {
    let met = Some(rates.median >= asked);
    Figure::new(what, rates.words(), format!("{}/s", grouped(asked)), met)
}
