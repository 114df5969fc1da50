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

#[cfg(test)]
mod tests {
    use super::{TigerBeetleFigures, Unreadable, pgbench_micros};

    /// Printed by `tigerbeetle benchmark` of commit 52ad553f, with a hot account and 123 batches.
    const TIGERBEETLE: &str = "123 batches in 3.12 s
transfer batch size = 8189 txs
transfer batch delay = 0ns
load accepted = 322989 tx/s
batch latency p1   = 8 ms
batch latency p50  = 20 ms
batch latency p99  = 61 ms
batch latency p100 = 151 ms

100 queries in 1.5 s
query latency p1   = 3 ms
query latency p50  = 10 ms
query latency p99  = 54 ms
query latency p100 = 69 ms

rss = 3180281856 bytes

datafile empty = 1141374976 bytes
datafile = 2125991936 bytes
";

    fn missing<T>(what: &str) -> Result<T, Unreadable> {
        Err(Unreadable::new(what))
    }

    #[test]
    fn the_figures_of_tigerbeetle_are_read() {
        let expected = TigerBeetleFigures {
            batch: 8_189,
            a_second: 322_989,
            p50_millis: 20,
            p99_millis: 61,
        };
        assert_eq!(TIGERBEETLE.parse(), Ok(expected));
    }

    /// A line that is missing, without its unit or without a number is named.
    #[test]
    fn an_output_of_another_form_is_refused() {
        let read =
            |from: &str, to: &str| TIGERBEETLE.replace(from, to).parse::<TigerBeetleFigures>();
        assert_eq!(read("load accepted", "load"), missing("load accepted"));
        assert_eq!(read("322989 tx/s", "322989"), missing("load accepted"));
        assert_eq!(read("8189", "many"), missing("transfer batch size"));
        assert_eq!(
            read("batch latency p99 ", "p99 "),
            missing("batch latency p99")
        );
        assert_eq!(
            "".parse::<TigerBeetleFigures>(),
            missing("transfer batch size")
        );
    }

    /// Lines as `pgbench` 15 writes them. The transaction of the last log failed.
    #[test]
    fn latencies_of_pgbench_are_read() {
        let log = "0 1 1834 0 1764211453 918274\n3 7 920 0 1764211453 918301\n";
        assert_eq!(pgbench_micros(log), Ok(vec![1_834, 920]));
        assert_eq!(pgbench_micros(""), Ok(vec![]));
        let failed = "0 2 failed 0 1764211453 918274";
        assert_eq!(pgbench_micros(failed), missing(failed));
    }
}
