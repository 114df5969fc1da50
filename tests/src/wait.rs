//! Waiting for a condition, with a limit.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

/// How long any condition is waited for: far longer than it takes on a machine that is busy with other builds.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// How often a condition is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Looks until `look` finds something.
pub async fn eventually<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        sleep(LOOK_EVERY).await;
    }
}

/// Waits for something that comes by itself.
pub async fn in_time<T>(what: &str, coming: impl Future<Output = T>) -> T {
    let came = timeout(PATIENCE, coming).await;
    came.unwrap_or_else(|_| panic!("not within {PATIENCE:?}: {what}"))
}
