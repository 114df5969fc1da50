//! Medians, and their printed table.

use std::time::Duration;

use hdrhistogram::Histogram;

use crate::machine::Load;

/// Nanoseconds in a hundredth of a second of a core.
const NANOS_PER_HUNDREDTH: u64 = 10_000_000;

/// A measurement of one case.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// Commands a second.
    pub(crate) rate: u64,
    /// Latencies in microseconds: median, 99th and 99.9th percentile.
    pub(crate) latency: Option<[u64; 3]>,
    /// Events in a mean batch, tenths.
    pub(crate) batch: Option<u64>,
    /// The usage of the processors during the measurement.
    pub(crate) load: Load,
}

/// Returns the rate a second.
pub(crate) fn rate(count: u64, elapsed: Duration) -> u64 {
    let micros = elapsed.as_micros().max(1);
    u64::try_from(u128::from(count) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

/// Returns the median, the 99th and the 99.9th percentile.
pub(crate) fn percentiles(latency: &Histogram<u64>) -> [u64; 3] {
    [0.5, 0.99, 0.999].map(|quantile| latency.value_at_quantile(quantile))
}

/// Prints the header of the table.
pub(crate) fn head() {
    println!();
    println!(
        "{:<34} {:>9} {:>21} {:>8} {:>8} {:>8} {:>7} {:>5} {:>5} {:>6} {:>7} {:>7}",
        "case",
        "rate/s",
        "[least-most]",
        "p50 ms",
        "p99 ms",
        "p99.9",
        "batch",
        "own",
        "pg",
        "others",
        "own us",
        "pg us"
    );
}

/// Prints one row with the medians of the rounds.
pub(crate) fn row(case: &str, rounds: &[Measured]) {
    let rates = sorted(rounds.iter().map(|round| round.rate));
    let Some(median) = middle(&rates) else { return };
    let least = rates.first().copied().unwrap_or_default();
    let most = rates.last().copied().unwrap_or_default();
    let of = |index: usize| {
        let all = sorted(
            rounds
                .iter()
                .filter_map(|round| round.latency.map(|latency| latency[index])),
        );
        middle(&all).map_or_else(|| "-".to_owned(), thousandths)
    };
    let batches = sorted(rounds.iter().filter_map(|round| round.batch));
    let batch = middle(&batches).map_or_else(
        || "-".to_owned(),
        |tenths| format!("{}.{}", tenths / 10, tenths % 10),
    );
    let load = |of: fn(&Load) -> u64| {
        let all = sorted(rounds.iter().map(|round| of(&round.load)));
        hundredths(middle(&all).unwrap_or_default())
    };
    // Processor time of one command. Other processes disturb it less than the rate.
    let each = |of: fn(&Load) -> u64| {
        let all = rounds
            .iter()
            .map(|round| of(&round.load) * NANOS_PER_HUNDREDTH / round.rate.max(1));
        thousandths(middle(&sorted(all)).unwrap_or_default())
    };
    println!(
        "{case:<34} {median:>9} {:>21} {:>8} {:>8} {:>8} {batch:>7} {:>5} {:>5} {:>6} {:>7} {:>7}",
        format!("[{least}-{most}]"),
        of(0),
        of(1),
        of(2),
        load(|load| load.own),
        load(|load| load.postgres),
        load(|load| load.others),
        each(|load| load.own),
        each(|load| load.postgres),
    );
}

/// Returns the median.
pub(crate) fn median(values: impl Iterator<Item = u64>) -> Option<u64> {
    middle(&sorted(values))
}

fn sorted(values: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    values
}

fn middle(sorted: &[u64]) -> Option<u64> {
    sorted.get(sorted.len() / 2).copied()
}

/// Formats a value in thousandths, such as microseconds as milliseconds.
pub(crate) fn thousandths(value: u64) -> String {
    format!("{}.{:03}", value / 1_000, value % 1_000)
}

/// Formats hundredths of a core.
pub(crate) fn hundredths(value: u64) -> String {
    format!("{}.{:02}", value / 100, value % 100)
}
