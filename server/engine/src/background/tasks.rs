//! The background tasks of one engine.
//!
//! # Failures
//! A task ends with the engine. A task that ends earlier has failed, and the readiness reports its name. Otherwise
//! displays would grow stale, or silent tables would stay in service, without a visible cause.

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
    /// Creates an empty set of tasks that end when `stop` is cancelled.
    pub(crate) fn new(stop: CancellationToken) -> Self {
        Self {
            stop,
            started: Mutex::default(),
        }
    }

    /// Starts a task that never returns by itself.
    pub(crate) fn start(
        &self,
        name: &'static str,
        task: impl Future<Output = ()> + Send + 'static,
    ) {
        let stop = self.stop.clone();
        let handle = tokio::spawn(async move {
            stop.run_until_cancelled(task).await;
        });
        // No code awaits or panics while the lock is held, so a poisoned lock is ignored.
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.push((name, handle));
    }

    /// Returns the names of the tasks that have ended before the engine.
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
    async fn a_task_that_ends_before_the_engine_is_named() {
        let stop = CancellationToken::new();
        let tasks = BackgroundTasks::new(stop.clone());
        tasks.start("feed", pending());
        tasks.start("contact exchange", async {});
        while tasks.ended() != ["contact exchange"] {
            tokio::task::yield_now().await;
        }
        stop.cancel();
        assert!(tasks.ended().is_empty(), "all tasks end with the engine");
    }
}
