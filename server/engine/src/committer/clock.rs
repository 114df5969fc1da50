//! The clock of a committer, and the detection of a clock that was moved.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::Timestamp;
use tokio::time::Instant;

/// Maximum difference of two correct clocks, in either direction. A batch never waits this long to be sent.
const APART_MAX: Duration = Duration::from_mins(1);

/// The clock of a committer: [`now`](crate::clock::now), or a simulated clock.
pub(crate) type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// A step of the wall clock between two batches. Order never depends on the clock: batches are numbered (GLI-13).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ClockStep {
    /// A batch earlier than the one before it, by this duration.
    Back(Duration),
    /// A batch later than the elapsed time allows, by this duration. A machine that slept looks like this too.
    Ahead(Duration),
}

/// The time of the last batch, by the wall clock and by the monotonic clock.
#[derive(Debug, Default)]
pub(crate) struct LastBatch(Option<(Timestamp, Option<Instant>)>);

impl LastBatch {
    /// Returns the last batch of a loaded journal. The node that committed the batch had another clock, perhaps on
    /// another machine.
    pub(crate) fn loaded(at: Timestamp) -> Self {
        Self(Some((at, None)))
    }

    /// Records the time of the next batch. Returns each step of the clock once.
    pub(crate) fn next(&mut self, at: Timestamp, instant: Instant) -> Option<ClockStep> {
        let (before, then) = self.0.replace((at, Some(instant)))?;
        let later =
            Duration::from_micros(u64::try_from(at.0.saturating_sub(before.0)).unwrap_or(0));
        let earlier =
            Duration::from_micros(u64::try_from(before.0.saturating_sub(at.0)).unwrap_or(0));
        let Some(then) = then else {
            return (earlier > APART_MAX).then_some(ClockStep::Back(earlier));
        };
        if !earlier.is_zero() {
            return Some(ClockStep::Back(earlier));
        }
        let ahead = later.saturating_sub(instant.duration_since(then));
        (ahead > APART_MAX).then_some(ClockStep::Ahead(ahead))
    }
}

#[cfg(test)]
mod tests;
