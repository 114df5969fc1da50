//! The context that all connections of a run share: the plan, the start, the queue of hits, the timeline.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tokio::sync::{Barrier, mpsc};
use tokio_util::sync::CancellationToken;

use crate::error::LoadError;
use crate::plan::{End, Plan};
use crate::schedule::nanos;
use crate::supervisor::PendingHit;
use crate::timeline::Timeline;
use crate::wire::EncodedCommands;

/// The context that all connections of a run share.
#[derive(Debug)]
pub(crate) struct RunContext {
    pub(crate) plan: Plan,
    /// The encoded content of every command.
    pub(crate) encoded: EncodedCommands,
    /// The queue of hits for the supervisor.
    pub(crate) pending_hits: mpsc::Sender<PendingHit>,
    /// The timeline of latencies.
    pub(crate) timeline: Timeline,
    /// Cancelled to end the run early.
    pub(crate) stop: CancellationToken,
    /// The start of the measured time, in nanoseconds since the start of the run.
    pub(crate) measured_from: u64,
    /// The end of the measured time, in nanoseconds since the start of the run.
    pub(crate) measured_until: u64,
    start_barrier: Barrier,
    start: OnceLock<Instant>,
}

impl RunContext {
    /// Creates a context before the start.
    pub(crate) fn new(
        plan: Plan,
        pending_hits: mpsc::Sender<PendingHit>,
        stop: CancellationToken,
    ) -> Result<Self, LoadError> {
        let measured_from = nanos(plan.warm_up);
        let measured_until = match plan.end {
            End::After(length) => measured_from.saturating_add(nanos(length)),
            End::Commands(_) => u64::MAX,
        };
        // The connections, and the task that measures processor time.
        let participants = plan.connections() as usize + 1;
        Ok(Self {
            timeline: Timeline::new(nanos(plan.interval))?,
            encoded: EncodedCommands::new(),
            plan,
            pending_hits,
            stop,
            measured_from,
            measured_until,
            start_barrier: Barrier::new(participants),
            start: OnceLock::new(),
        })
    }

    /// Waits until all participants are ready, and starts the clock for all of them.
    pub(crate) async fn wait_for_start(&self) {
        self.start_barrier.wait().await;
        self.start.get_or_init(Instant::now);
    }

    /// Returns the nanoseconds since the start.
    pub(crate) fn now(&self) -> u64 {
        self.start.get().map_or(0, |start| nanos(start.elapsed()))
    }

    /// Returns the time from now to `at`.
    pub(crate) fn time_to(&self, at: u64) -> Duration {
        Duration::from_nanos(at.saturating_sub(self.now()))
    }
}
