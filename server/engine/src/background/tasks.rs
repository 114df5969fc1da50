//! The tasks that an engine keeps beside its links.
//!
//! # Failures
//! The engine's own stop. A task that ends before that failed, which the readiness says: signs would grow stale, or
//! silent tables stay in service, and nobody would know why.

use std::sync::{Mutex, PoisonError};

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The tasks of one engine.
#[derive(Debug)]
pub(crate) struct BackgroundTasks {
    stop: CancellationToken,
    started: Mutex<Vec<(&'static str, JoinHandle<()>)>>,
}

impl BackgroundTasks {
    /// None yet; those that come end when `stop` is cancelled.
    pub(crate) fn new(stop: CancellationToken) -> Self {
        Self {
            stop,
            started: Mutex::default(),
        }
    }

    /// Starts one that never ends by itself.
    pub(crate) fn start(
        &self,
        name: &'static str,
        task: impl Future<Output = ()> + Send + 'static,
    ) {
        let stop = self.stop.clone();
        let handle = tokio::spawn(async move {
            stop.run_until_cancelled(task).await;
        });
        // Nothing is awaited while this is held, and no code under it can panic half way.
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.push((name, handle));
    }

    /// Those that have ended although the engine goes on.
    pub(crate) fn ended(&self) -> Vec<&'static str> {
        if self.stop.is_cancelled() {
            return Vec::new();
        }
        let started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = started.iter().filter(|(_, task)| task.is_finished());
        ended.map(|(name, _)| *name).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_that_ends_before_the_engine_is_named() {
        let stop = CancellationToken::new();
        let tasks = BackgroundTasks::new(stop.clone());
        tasks.start("feed", pending());
        tasks.start("sweeper", async {});
        while tasks.ended() != ["sweeper"] {
            tokio::task::yield_now().await;
        }
        stop.cancel();
        assert!(tasks.ended().is_empty(), "all of them end with the engine");
    }
}
