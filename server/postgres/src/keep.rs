//! Restarting a private server that ended by itself, after all of its processes are gone.
//!
//! # Shape
//! Wait for the postmaster's end, end the backends that it left, start the next postmaster on the same socket. A
//! failed start counts like an unexpected end.
//!
//! # Bounds
//! [`RESTARTS_MAX`] restarts within [`RESTARTS_WINDOW`]; a pause before each that doubles up to [`PAUSE_MAX`], none
//! before the first; [`REMAINS_WAIT`] for the backends.
//!
//! # Order
//! No postmaster starts while a process of the last one works in the cluster's folder. If the system doesn't show its
//! processes, Postgres' own check holds: it refuses to start while the old shared memory is in use, and the start is
//! retried.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

use crate::error::PostgresError;
use crate::files::{last_words, log_tail};
use crate::server::{Ownership, REMAINS_WAIT, Server, start};

/// Number of restarts within the window before the server is given up.
pub const RESTARTS_MAX: usize = 10;
/// Window in which restarts are counted.
pub const RESTARTS_WINDOW: Duration = Duration::from_mins(1);
/// Pause before the second restart in the window.
const PAUSE_FIRST: Duration = Duration::from_millis(50);
/// Longest pause before a restart.
const PAUSE_MAX: Duration = Duration::from_secs(1);
/// Interval at which the backends of an ended postmaster are looked for.
const REMAINS_POLL: Duration = Duration::from_millis(5);

impl Server {
    /// Keeps the server running while this future is polled. Returns the reason when the server is given up. Meant
    /// for a `select!` with the work that needs the server. Never returns for another process's server.
    pub async fn keep(&self) -> PostgresError {
        if self.role() == Ownership::Attached {
            std::future::pending::<()>().await;
        }
        let mut restarts: VecDeque<Instant> = VecDeque::new();
        loop {
            let mut error = self.died().await;
            loop {
                let since = Instant::now();
                restarts.retain(|at| since.duration_since(*at) < RESTARTS_WINDOW);
                if restarts.len() >= RESTARTS_MAX {
                    return self.given_up(&error);
                }
                tracing::warn!(%error, restarts = restarts.len(), "starting Postgres again");
                sleep(pause(restarts.len())).await;
                restarts.push_back(since);
                match self.start_again().await {
                    Ok(()) => break,
                    Err(failed) => error = failed,
                }
            }
        }
    }

    /// Starts the next postmaster after the last one has ended with all its backends.
    async fn start_again(&self) -> Result<(), PostgresError> {
        let died = Instant::now();
        let Some(prepared) = self.prepared.clone() else {
            return Err(PostgresError::Internal);
        };
        end_backends(&self.layout.cluster).await?;
        let postmaster = start(&self.layout, &prepared).await?;
        let pid = postmaster.pid();
        self.replace(Arc::new(postmaster));
        tracing::info!(%pid, elapsed = ?died.elapsed(), "Postgres was started again");
        Ok(())
    }

    fn given_up(&self, last: &PostgresError) -> PostgresError {
        tracing::error!(%last, "Postgres is given up");
        PostgresError::GivenUp {
            restarts: RESTARTS_MAX,
            window_seconds: RESTARTS_WINDOW.as_secs(),
            last_words: last_words(&log_tail(&self.layout.log, self.log_from)),
            log: self.layout.log.clone(),
        }
    }
}

/// Returns the pause before a restart, by the number of earlier restarts in the window.
fn pause(before: usize) -> Duration {
    let Some(doubled) = before.checked_sub(1) else {
        return Duration::ZERO;
    };
    let factor = 1_u32 << u32::try_from(doubled).unwrap_or(u32::MAX).min(10);
    (PAUSE_FIRST * factor).min(PAUSE_MAX)
}

/// Ends the remaining processes of an ended postmaster, and waits until none is left.
async fn end_backends(cluster: &Path) -> Result<(), PostgresError> {
    let deadline = Instant::now() + REMAINS_WAIT;
    loop {
        let folder = cluster.to_owned();
        let left = spawn_blocking(move || crate::found::end_processes_in(&folder))
            .await
            .map_err(|_| PostgresError::Internal)?;
        if left == 0 {
            return Ok(());
        }
        if Instant::now() >= deadline {
            return Err(PostgresError::CannotTakeOver {
                cluster: cluster.to_owned(),
                last_words: format!("{left} of its processes do not end"),
            });
        }
        sleep(REMAINS_POLL).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_stay_short_of_the_three_seconds() {
        let pauses: Vec<u128> = (0..8).map(|before| pause(before).as_millis()).collect();
        assert_eq!(pauses, [0, 50, 100, 200, 400, 800, 1_000, 1_000]);
    }
}
