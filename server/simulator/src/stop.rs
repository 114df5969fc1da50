//! The wait for the end of a run.

use tokio::sync::watch;

/// Waits until told to stop; for ever if nobody is left who could.
pub(crate) async fn stopped(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}
