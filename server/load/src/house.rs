//! What all connections of a run share: the plan, the beginning, the floor, the timeline.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tokio::sync::{Barrier, mpsc};
use tokio_util::sync::CancellationToken;

use crate::error::LoadError;
use crate::floor::Winner;
use crate::plan::{End, Plan};
use crate::schedule::nanos;
use crate::timeline::Timeline;
use crate::wire::Encoded;

/// What all connections share.
#[derive(Debug)]
pub(crate) struct House {
    /// What is played.
    pub(crate) plan: Plan,
    /// What every command of a kind asks for.
    pub(crate) encoded: Encoded,
    /// Where hits go.
    pub(crate) floor: mpsc::Sender<Winner>,
    /// Where latencies go.
    pub(crate) timeline: Timeline,
    /// Cancelled when the run is to end early.
    pub(crate) stop: CancellationToken,
    /// From when it is measured, in nanoseconds since the beginning.
    pub(crate) from: u64,
    /// Until when.
    pub(crate) until: u64,
    together: Barrier,
    start: OnceLock<Instant>,
}

impl House {
    /// A house where nobody plays yet.
    pub(crate) fn new(
        plan: Plan,
        floor: mpsc::Sender<Winner>,
        stop: CancellationToken,
    ) -> Result<Self, LoadError> {
        let from = nanos(plan.warm_up);
        let until = match plan.end {
            End::After(length) => from.saturating_add(nanos(length)),
            End::Commands(_) => u64::MAX,
        };
        // The connections, and the one who measures.
        let everybody = plan.pits() as usize + 1;
        Ok(Self {
            timeline: Timeline::new(nanos(plan.interval))?,
            encoded: Encoded::new(),
            plan,
            floor,
            stop,
            from,
            until,
            together: Barrier::new(everybody),
            start: OnceLock::new(),
        })
    }

    /// Waits until everybody is ready: the clock begins for all at once.
    pub(crate) async fn begin(&self) {
        self.together.wait().await;
        self.start.get_or_init(Instant::now);
    }

    /// Nanoseconds since the beginning.
    pub(crate) fn now(&self) -> u64 {
        self.start.get().map_or(0, |it| nanos(it.elapsed()))
    }

    /// How far away a moment is.
    pub(crate) fn time_to(&self, at: u64) -> Duration {
        Duration::from_nanos(at.saturating_sub(self.now()))
    }
}
