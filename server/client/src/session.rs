//! The session of a table: one stream after another, until the controller is closed or has to stop.
//!
//! # Shape
//! [`TableSession::run`] opens streams ([`stream`]), with exponential backoff and jitter. The reaction to a status of
//! the server is decided in [`stream_end`].
//!
//! # Order
//! A new stream starts with the oldest command without an outcome. No command is ever sent under another number than
//! the one it was stored under.
//!
//! # Limits
//! [`CONNECT_TIMEOUT`] to connect and [`stream::SILENCE_MAX`] for any reply. Between two streams [`PAUSE_MAX`], with as
//! much jitter again, after at most [`SERVER_PAUSE_MAX`] if the server asks for a pause.

mod stream;
mod stream_end;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep};
use tonic::transport::Endpoint;

use crate::decisions::HitRecorder;
use crate::error::Stopped;
use crate::in_flight::{InFlight, Lifecycle, PanicGuard};
use crate::outbox_writer::Job;
use crate::status::{Offline, Status};
use crate::values::TableName;

/// Maximum time to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The pause after the first failure, without jitter.
const PAUSE_MIN: Duration = Duration::from_millis(100);
/// The longest pause, without jitter. The jitter is at most as long again.
const PAUSE_MAX: Duration = Duration::from_secs(5);
/// The longest pause that a server may ask for.
const SERVER_PAUSE_MAX: Duration = Duration::from_secs(30);

/// The table and its server.
#[derive(Debug)]
pub(crate) struct Target {
    /// The endpoint of the server.
    pub(crate) endpoint: Endpoint,
    /// The name of the table.
    pub(crate) table: TableName,
    /// The token of the table's controller.
    pub(crate) token: Token,
}

/// A secret that no log and no error shows.
#[derive(Clone)]
pub(crate) struct Token(pub(crate) String);

impl fmt::Debug for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Token")
    }
}

/// The end of a stream.
#[derive(Debug)]
enum StreamEnd {
    /// The controller has to stop: a person has to intervene.
    Stopped(Stopped),
    /// Another stream is opened.
    Retry {
        /// The reason that this stream ended.
        reason: Offline,
        /// The pause that the server asks for.
        pause: Duration,
    },
}

impl StreamEnd {
    const fn retry(reason: Offline) -> Self {
        Self::Retry {
            reason,
            pause: Duration::ZERO,
        }
    }
}

/// Returns the endpoint of an address such as `http://10.0.0.5:8081`.
pub(crate) fn endpoint(address: &str) -> Option<Endpoint> {
    let endpoint = Endpoint::from_shared(address.to_owned()).ok()?;
    let uri = endpoint.uri();
    (uri.scheme().is_some() && uri.host().is_some())
        .then(|| endpoint.connect_timeout(CONNECT_TIMEOUT).tcp_nodelay(true))
}

/// The session of a table.
pub(crate) struct TableSession {
    target: Target,
    in_flight: Arc<InFlight>,
    outbox: mpsc::Sender<Job>,
    status: watch::Sender<Status>,
    recorder: HitRecorder,
    backoff: ExponentialBackoff,
    /// `true` if the open stream brought an outcome, or has lasted for some time.
    has_progressed: bool,
    /// The time of the last message from the server on this stream.
    last_received_at: Option<Instant>,
}

impl TableSession {
    pub(crate) fn new(
        target: Target,
        in_flight: Arc<InFlight>,
        outbox: mpsc::Sender<Job>,
        status: watch::Sender<Status>,
        recorder: HitRecorder,
    ) -> Self {
        Self {
            target,
            in_flight,
            outbox,
            status,
            recorder,
            backoff: backoff(),
            has_progressed: false,
            last_received_at: None,
        }
    }

    /// Runs until the controller is closed or has to stop.
    pub(crate) async fn run(mut self) {
        let (table, status) = (self.target.table.clone(), self.status.clone());
        let mut lifecycle = self.in_flight.lifecycle();
        let guard = PanicGuard(Arc::clone(&self.in_flight));
        let mut running = tokio::spawn(async move {
            let _guard = guard;
            self.reconnect_loop().await;
        });
        let has_ended = tokio::select! {
            _ = lifecycle.wait_for(|lifecycle| !matches!(lifecycle, Lifecycle::Running)) => false,
            // The lifecycle shows the reason of the end.
            _ = &mut running => true,
        };
        if !has_ended {
            running.abort();
            // Until it has ended, the task may overwrite the status that is set below.
            drop(running.await);
        }
        let why = match &*lifecycle.borrow() {
            Lifecycle::Stopped(why) => (**why).clone(),
            Lifecycle::Running | Lifecycle::Closed => return,
        };
        tracing::error!(%table, "stopped: {why}");
        status.send_replace(Status::Stopped(why));
    }

    async fn reconnect_loop(&mut self) {
        loop {
            match self.run_stream().await {
                StreamEnd::Stopped(why) => return self.in_flight.stop(why),
                StreamEnd::Retry { reason, pause } => {
                    tracing::warn!(table = %self.target.table, "offline: {reason}");
                    self.go_offline(reason);
                    // An attempt that only took long is no progress. The pauses continue to grow.
                    if std::mem::take(&mut self.has_progressed) {
                        self.backoff = backoff();
                    }
                    self.pause(pause).await;
                }
            }
        }
    }

    /// Sets the status to offline since the last message from the server, with the newest reason.
    fn go_offline(&mut self, reason: Offline) {
        let last_received_at = self.last_received_at.take().unwrap_or_else(Instant::now);
        self.status.send_if_modified(|status| {
            let since = match status {
                // The stopped status is final.
                Status::Stopped(_) => return false,
                Status::Offline {
                    reason: current, ..
                } if *current == reason => return false,
                Status::Offline { since, .. } => *since,
                Status::Connecting | Status::Online(_) => last_received_at,
            };
            *status = Status::Offline { since, reason };
            true
        });
    }

    async fn pause(&mut self, server_pause: Duration) {
        let jittered = self.backoff.next().unwrap_or(PAUSE_MAX);
        // The client's own pause is added, so that tables with the same pause from the server don't reconnect together.
        // Only time ends the pause: a new command is no reason to reconnect earlier.
        sleep(server_pause.min(SERVER_PAUSE_MAX) + jittered).await;
    }
}

/// Returns the pauses: from [`PAUSE_MIN`], doubled up to [`PAUSE_MAX`], with jitter so that tables don't reconnect
/// together.
fn backoff() -> ExponentialBackoff {
    let backoff = ExponentialBuilder::default()
        .with_min_delay(PAUSE_MIN)
        .with_max_delay(PAUSE_MAX)
        .with_jitter()
        .without_max_times();
    backoff.build()
}

#[cfg(test)]
mod tests;
