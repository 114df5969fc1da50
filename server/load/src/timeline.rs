//! Latencies of all connections, in total and for each interval.
//!
//! # Limits
//! [`OPEN_INTERVALS_MAX`] intervals are kept as histograms. Older intervals keep only their figures.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hdrhistogram::Histogram;

use crate::error::LoadError;
use crate::figures::{Interval, Latency};

/// Significant digits of a latency.
const DIGITS: u8 = 3;
/// The longest latency that is distinguished from longer ones, in microseconds: an hour.
const LATENCY_MAX: u64 = 3_600_000_000;
/// Maximum number of intervals that connections may still add to. Later additions are counted in the oldest of them.
const OPEN_INTERVALS_MAX: usize = 4;

/// A histogram of latencies in microseconds.
#[derive(Clone, Debug)]
pub(crate) struct Latencies(Histogram<u64>);

impl Latencies {
    /// Creates an empty histogram.
    pub(crate) fn new() -> Result<Self, LoadError> {
        Ok(Self(Histogram::new_with_max(LATENCY_MAX, DIGITS)?))
    }

    /// Creates an empty histogram with equal bounds.
    pub(crate) fn empty_like(&self) -> Self {
        Self(Histogram::new_from(&self.0))
    }

    /// Adds one latency, given in nanoseconds.
    pub(crate) fn record(&mut self, nanos: u64) {
        self.0.saturating_record(nanos / 1_000);
    }

    /// Adds all latencies of another histogram.
    pub(crate) fn add(&mut self, other: &Self) {
        // Both histograms have equal bounds, so that every value fits.
        if self.0.add(&other.0).is_err() {
            tracing::warn!("latencies with other bounds were not added");
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all latencies.
    pub(crate) fn clear(&mut self) {
        self.0.reset();
    }

    /// Returns the count, the percentiles and the maximum.
    pub(crate) fn figures(&self) -> Latency {
        let at = |quantile| self.0.value_at_quantile(quantile);
        Latency {
            count: self.0.len(),
            p50: at(0.50),
            p90: at(0.90),
            p99: at(0.99),
            p999: at(0.999),
            max: self.0.max(),
        }
    }
}

/// The timeline to which all connections add their latencies.
#[derive(Debug)]
pub(crate) struct Timeline {
    interval_length: u64,
    intervals: Mutex<Intervals>,
}

#[derive(Debug)]
struct Intervals {
    total: Latencies,
    open: BTreeMap<u64, Latencies>,
    closed: Vec<Interval>,
}

impl Timeline {
    /// Creates a timeline with intervals of this length, in nanoseconds.
    pub(crate) fn new(interval_length: u64) -> Result<Self, LoadError> {
        Ok(Self {
            interval_length: interval_length.max(1),
            intervals: Mutex::new(Intervals {
                total: Latencies::new()?,
                open: BTreeMap::new(),
                closed: Vec::new(),
            }),
        })
    }

    /// Returns the interval of a time, given in nanoseconds since the measurement started.
    pub(crate) const fn interval(&self, at: u64) -> u64 {
        at / self.interval_length
    }

    /// Adds one connection's latencies to an interval.
    pub(crate) fn add(&self, interval: u64, latencies: &Latencies) {
        if latencies.is_empty() {
            return;
        }
        let mut intervals = self.intervals();
        intervals.total.add(latencies);
        let first_open = intervals
            .closed
            .last()
            .map_or(0, |interval| interval.number + 1);
        let interval = intervals.open.entry(interval.max(first_open));
        interval
            .or_insert_with(|| latencies.empty_like())
            .add(latencies);
        if intervals.open.len() > OPEN_INTERVALS_MAX {
            intervals.close_first();
        }
    }

    /// Closes all intervals. Returns the total and each interval.
    pub(crate) fn finish(&self) -> (Latency, Vec<Interval>) {
        let mut intervals = self.intervals();
        while !intervals.open.is_empty() {
            intervals.close_first();
        }
        (intervals.total.figures(), intervals.closed.clone())
    }

    fn intervals(&self) -> MutexGuard<'_, Intervals> {
        self.intervals
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Intervals {
    fn close_first(&mut self) {
        if let Some((number, latencies)) = self.open.pop_first() {
            let latency = latencies.figures();
            self.closed.push(Interval { number, latency });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Latencies, Timeline};

    fn latencies(millis: impl Iterator<Item = u64>) -> Latencies {
        let mut latencies = Latencies::new().expect("possible bounds");
        millis.for_each(|millis| latencies.record(millis * 1_000_000));
        latencies
    }

    /// Percentiles cover all connections together, in total and in each interval.
    #[test]
    fn latencies_of_all_connections_are_added() {
        let timeline = Timeline::new(1_000).expect("possible bounds");
        assert_eq!(timeline.interval(999), 0);
        assert_eq!(timeline.interval(1_000), 1);
        timeline.add(0, &latencies(1..=50));
        timeline.add(1, &latencies([500].into_iter()));
        timeline.add(0, &latencies(51..=99));
        timeline.add(2, &latencies([].into_iter()));
        let (total, closed) = timeline.finish();
        assert_eq!(total.count, 100);
        // Three significant digits give a precision of a thousandth.
        let near = |found: u64, millis: u64| found.abs_diff(millis * 1_000) <= millis;
        assert!(near(total.p50, 50), "{total:?}");
        assert!(near(total.p99, 99), "{total:?}");
        assert!(near(total.max, 500), "{total:?}");
        let counts: Vec<_> = closed
            .iter()
            .map(|interval| (interval.number, interval.latency.count))
            .collect();
        assert_eq!(counts, [(0, 99), (1, 1)]);
    }

    /// A day of intervals needs the memory of a few histograms. A late addition is counted in the oldest open interval.
    #[test]
    fn old_intervals_keep_only_their_figures() {
        let timeline = Timeline::new(1_000).expect("possible bounds");
        for number in 0..100 {
            timeline.add(number, &latencies([1].into_iter()));
        }
        timeline.add(0, &latencies([7].into_iter()));
        assert!(timeline.intervals().open.len() <= 5);
        let (total, closed) = timeline.finish();
        assert_eq!(total.count, 101);
        assert_eq!(closed.len(), 100);
        assert_eq!(
            closed
                .iter()
                .map(|interval| interval.latency.count)
                .sum::<u64>(),
            101
        );
    }
}
