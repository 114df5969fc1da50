//! Output of the benchmarks of others, as figures: the log of `pgbench`, and the text of `tigerbeetle benchmark`.

use std::num::ParseIntError;
use std::str::FromStr;

/// The place of the latency in a line of `pgbench`'s log: client, number, µs, …
const MICROS_FIELD: usize = 2;

/// An output that has not the expected form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The line or figure that is missing or no number.
    pub what: String,
}

/// The figures of one `tigerbeetle benchmark`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TigerBeetleFigures {
    /// Transfers of one batch at most.
    pub batch: u64,
    /// Accepted transfers a second.
    pub a_second: u64,
    /// The median latency of a batch, in whole ms.
    pub p50_millis: u64,
    /// The 99th percentile of a batch's latency, in whole ms.
    pub p99_millis: u64,
}

/// Returns the latencies of a log of `pgbench`, in µs, one a line.
///
/// # Errors
/// A line without a latency, such as that of a failed transaction.
pub fn pgbench_micros(log: &str) -> Result<Vec<u64>, Unreadable> {
    let micros = |line: &str| {
        let field = line.split(' ').nth(MICROS_FIELD);
        let micros = field.and_then(|field| field.parse().ok());
        micros.ok_or_else(|| Unreadable::new(line))
    };
    log.lines().map(micros).collect()
}

impl FromStr for TigerBeetleFigures {
    type Err = Unreadable;

    fn from_str(output: &str) -> Result<Self, Unreadable> {
        Ok(Self {
            batch: figure(output, "transfer batch size", "txs")?,
            a_second: figure(output, "load accepted", "tx/s")?,
            p50_millis: figure(output, "batch latency p50", "ms")?,
            p99_millis: figure(output, "batch latency p99", "ms")?,
        })
    }
}

/// Returns the figure of the line `name = figure unit`.
fn figure(output: &str, name: &str, unit: &str) -> Result<u64, Unreadable> {
    let values = output.lines().filter_map(|line| line.split_once('='));
    let mut named = values.filter(|(left, _)| left.trim() == name);
    let (_, value) = named.next().ok_or_else(|| Unreadable::new(name))?;
    let digits = value.trim().strip_suffix(unit).map(str::trim);
    let digits = digits.ok_or_else(|| Unreadable::new(name))?;
    digits
        .parse()
        .map_err(|_: ParseIntError| Unreadable::new(name))
}

impl Unreadable {
    fn new(what: &str) -> Self {
        Self {
            what: what.to_owned(),
        }
    }
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "no figure for {:?}", self.what)
    }
}

impl std::error::Error for Unreadable {}
