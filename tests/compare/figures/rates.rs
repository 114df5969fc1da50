//! Rates of closed loops: one hot link, and 64 in flight over streams and over HTTP.

use meterhouse_load::{Pace, Plan, Transport};

use super::{Rates, grouped, in_turn, rate_words};
use crate::Failure;
use crate::figure::{Figure, Stage};
use crate::ours::streams;
use crate::rows::with_ends;
use crate::table::hundredths;
use crate::way::{Cells, Way, What};

/// The cell of the hot link.
pub(super) const HOT: What = What {
    way: Way::Stream,
    in_flight: 4_096,
    links: 1,
};
/// The cell that its coin-ins are compared with.
pub(super) const NAIVE: What = What {
    way: Way::Naive,
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

/// Returns the rate of one hot link, and its coin-ins against the naive way: what the comparison measured.
pub(super) fn hot(cells: &Cells) -> Result<Vec<Figure>, Failure> {
    let hot = cells.cell(HOT).ok_or("the comparison has no hot link")?;
    let naive = cells.cell(NAIVE);
    let naive = naive.ok_or("the comparison has no naive way")?;
    let rate = hot.rate();
    let times = hot.ratio_to(naive);
    Ok(vec![
        Figure::new(
            "streams, one hot link, 4,096 in flight; of the comparison",
            rate_words(rate),
            format!("{}/s (250,000 stretch)", grouped(HOT_ASKED)),
            Some(rate.median >= HOT_ASKED),
        ),
        Figure::new(
            "its coin-ins against the naive way with 64 clients; of the comparison, one ratio a round",
            format!("{} times", with_ends(times, hundredths)),
            format!("{TIMES_ASKED} times"),
            Some(times.median >= TIMES_ASKED * 100),
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
    let met = Some(rates.median() >= asked);
    Figure::new(what, rates.words(), format!("{}/s", grouped(asked)), met)
}
