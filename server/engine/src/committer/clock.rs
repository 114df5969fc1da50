//! The clock of a committer, and the detection of a clock that was moved.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::Timestamp;
use tokio::time::Instant;

/// How far two clocks may be apart before one of them is wrong: more than a batch ever waits to be sent.
const APART_MAX: Duration = Duration::from_mins(1);

/// What a committer asks for the time: [`now`](crate::clock::now), or the clock of a simulation.
pub(crate) type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// What the clock did between two batches beside going on. Order never depends on it: it is a number (GLI-13).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A batch is earlier than the one before it, by this.
    Back(Duration),
    /// A batch is later than it can be, by this; a machine that slept looks the same.
    Ahead(Duration),
}

/// The time of the last batch, and when that was on the clock that nobody can set.
#[derive(Debug, Default)]
pub(crate) struct LastBatch(Option<(Timestamp, Option<Instant>)>);

impl LastBatch {
    /// The last batch of a journal that is loaded: who committed it had another clock, maybe on another machine.
    pub(crate) fn loaded(at: Timestamp) -> Self {
        Self(Some((at, None)))
    }

    /// Takes the time of the next batch; what the clock did meanwhile, told once for each step.
    pub(crate) fn next(&mut self, at: Timestamp, instant: Instant) -> Option<Step> {
        let (before, then) = self.0.replace((at, Some(instant)))?;
        let later =
            Duration::from_micros(u64::try_from(at.0.saturating_sub(before.0)).unwrap_or(0));
        let earlier =
            Duration::from_micros(u64::try_from(before.0.saturating_sub(at.0)).unwrap_or(0));
        let Some(then) = then else {
            return (earlier > APART_MAX).then_some(Step::Back(earlier));
        };
        if !earlier.is_zero() {
            return Some(Step::Back(earlier));
        }
        let ahead = later.saturating_sub(instant.duration_since(then));
        (ahead > APART_MAX).then_some(Step::Ahead(ahead))
    }
}

#[cfg(test)]
mod tests;
