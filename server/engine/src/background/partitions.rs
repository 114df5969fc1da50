//! The task that creates the journal's monthly partitions in advance.

use std::time::Duration;

use meterhouse_store::Store;

use crate::clock::{now, period_of};
use crate::error_chain::ErrorChain;

/// Interval between two checks of the partitions.
const PERIODS_EVERY: Duration = Duration::from_hours(6);

/// Creates the partitions of the coming months. Never returns.
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
