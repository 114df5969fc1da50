//! The wait for the end of a run.

use tokio::sync::watch;

/// Waits until `stop` is true. Waits forever if its sender is dropped.
pub(crate) async fn stopped(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}
