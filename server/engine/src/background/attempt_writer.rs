//! The task that writes refused attempts, once a second.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_store::Store;
use tokio::time::{MissedTickBehavior, interval};

use crate::context::AttemptLog;

/// Interval between two writes.
const WRITE_EVERY: Duration = Duration::from_secs(1);

/// Writes refused attempts. Never returns.
pub(crate) async fn run(store: Store, node: Arc<str>, attempts: Arc<AttemptLog>) {
    let mut ticks = interval(WRITE_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        attempts.write(&store, &node, false).await;
    }
}
