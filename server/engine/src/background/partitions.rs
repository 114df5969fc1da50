//! The task that makes the journal's partitions before the months begin.

use std::time::Duration;

use meterhouse_store::Store;

use crate::clock::{now, period_of};
use crate::error_chain::ErrorChain;

/// Interval between two looks for the partitions of the coming months.
const PERIODS_EVERY: Duration = Duration::from_hours(6);

/// Makes the journal's partitions of the coming months in time, for good.
pub(crate) async fn run(store: Store) {
    let mut ticks = tokio::time::interval(PERIODS_EVERY);
    loop {
        ticks.tick().await;
        let first = period_of(now());
        let count = meterhouse_store::PERIODS_AHEAD + 1;
        if let Err(error) = store.make_periods(first, count).await {
            tracing::error!(error = %ErrorChain(&error), "the coming months have no partition yet");
        }
    }
}
