//! Latencies of all connections, whole and interval by interval.
//!
//! # What bounds it
//! [`OPEN_MAX`] intervals are kept as histograms; older ones as their figures.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hdrhistogram::Histogram;

use crate::error::LoadError;
use crate::figures::{Interval, Latency};

/// Significant digits of a latency.
const DIGITS: u8 = 3;
/// The longest latency that is told apart from longer ones, in microseconds: an hour.
const LATENCY_MAX: u64 = 3_600_000_000;
/// Intervals that connections may still add to; later additions count for the oldest of them.
const OPEN_MAX: usize = 4;

/// Microseconds, counted.
#[derive(Clone, Debug)]
pub(crate) struct Latencies(Histogram<u64>);

impl Latencies {
    /// None yet.
    pub(crate) fn new() -> Result<Self, LoadError> {
        Ok(Self(Histogram::new_with_max(LATENCY_MAX, DIGITS)?))
    }

    /// None yet, counted in the same way.
    pub(crate) fn anew(&self) -> Self {
        Self(Histogram::new_from(&self.0))
    }

    /// Adds one, given in nanoseconds.
    pub(crate) fn record(&mut self, nanos: u64) {
        self.0.saturating_record(nanos / 1_000);
    }

    /// Adds all of another.
    pub(crate) fn add(&mut self, other: &Self) {
        // Both have the same bounds, so that there is always room.
        if self.0.add(&other.0).is_err() {
            tracing::warn!("latencies with other bounds were not added");
        }
    }

    /// Whether there is any.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Begins anew.
    pub(crate) fn clear(&mut self) {
        self.0.reset();
    }

    /// What people look at.
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

/// What all connections add to.
#[derive(Debug)]
pub(crate) struct Timeline {
    every: u64,
    inside: Mutex<Inside>,
}

#[derive(Debug)]
struct Inside {
    total: Latencies,
    open: BTreeMap<u64, Latencies>,
    done: Vec<Interval>,
}

impl Timeline {
    /// Intervals of so many nanoseconds.
    pub(crate) fn new(every: u64) -> Result<Self, LoadError> {
        Ok(Self {
            every: every.max(1),
            inside: Mutex::new(Inside {
                total: Latencies::new()?,
                open: BTreeMap::new(),
                done: Vec::new(),
            }),
        })
    }

    /// The interval of a moment, in nanoseconds since the measurement began.
    pub(crate) const fn interval(&self, at: u64) -> u64 {
        at / self.every
    }

    /// One connection's share of an interval.
    pub(crate) fn add(&self, interval: u64, latencies: &Latencies) {
        if latencies.is_empty() {
            return;
        }
        let mut inside = self.inside();
        inside.total.add(latencies);
        let done = inside.done.last().map_or(0, |it| it.number + 1);
        let interval = inside.open.entry(interval.max(done));
        interval.or_insert_with(|| latencies.anew()).add(latencies);
        if inside.open.len() > OPEN_MAX {
            inside.close_first();
        }
    }

    /// The whole, and each interval.
    pub(crate) fn finish(&self) -> (Latency, Vec<Interval>) {
        let mut inside = self.inside();
        while !inside.open.is_empty() {
            inside.close_first();
        }
        (inside.total.figures(), inside.done.clone())
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    fn close_first(&mut self) {
        if let Some((number, latencies)) = self.open.pop_first() {
            let latency = latencies.figures();
            self.done.push(Interval { number, latency });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Latencies, Timeline};

    fn some(millis: impl Iterator<Item = u64>) -> Latencies {
        let mut latencies = Latencies::new().expect("possible bounds");
        millis.for_each(|it| latencies.record(it * 1_000_000));
        latencies
    }

    /// Percentiles are of all connections together, and of each interval.
    #[test]
    fn connections_are_added_up() {
        let timeline = Timeline::new(1_000).expect("possible bounds");
        assert_eq!(timeline.interval(999), 0);
        assert_eq!(timeline.interval(1_000), 1);
        timeline.add(0, &some(1..=50));
        timeline.add(1, &some([500].into_iter()));
        timeline.add(0, &some(51..=99));
        timeline.add(2, &some([].into_iter()));
        let (whole, intervals) = timeline.finish();
        assert_eq!(whole.count, 100);
        // Three digits: to a thousandth.
        let near = |found: u64, millis: u64| found.abs_diff(millis * 1_000) <= millis;
        assert!(near(whole.p50, 50), "{whole:?}");
        assert!(near(whole.p99, 99), "{whole:?}");
        assert!(near(whole.max, 500), "{whole:?}");
        let counts: Vec<_> = intervals
            .iter()
            .map(|it| (it.number, it.latency.count))
            .collect();
        assert_eq!(counts, [(0, 99), (1, 1)]);
    }

    /// A day of intervals needs the memory of a few histograms; who is late adds to the oldest that is open.
    #[test]
    fn old_intervals_are_only_figures() {
        let timeline = Timeline::new(1_000).expect("possible bounds");
        for number in 0..100 {
            timeline.add(number, &some([1].into_iter()));
        }
        timeline.add(0, &some([7].into_iter()));
        assert!(timeline.inside().open.len() <= 5);
        let (whole, intervals) = timeline.finish();
        assert_eq!(whole.count, 101);
        assert_eq!(intervals.len(), 100);
        assert_eq!(
            intervals.iter().map(|it| it.latency.count).sum::<u64>(),
            101
        );
    }
}
