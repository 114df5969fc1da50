//! The table's way to the server: one stream after another, until the controller is closed or a person has to look.
//!
//! # Shape
//! [`Session::run`] opens streams ([`stream`]) and waits longer from one failure to the next. What a status of the
//! server means is decided in [`verdict`].
//!
//! # What order holds
//! A new stream begins with the oldest command without an outcome. Nothing is ever sent under another number than
//! the one it was kept under.
//!
//! # What bounds it
//! [`CONNECT_WITHIN`] for a connection, [`stream::SILENCE_MAX`] for any answer, [`PAUSE_MAX`] between two streams with
//! as much again by chance, and [`ASKED_PAUSE_MAX`] before that where the server asks for it.

mod stream;
mod verdict;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep};
use tonic::transport::Endpoint;

use crate::board::{Board, Guard, Life};
use crate::decisions::Noted;
use crate::error::Stopped;
use crate::outbox_writer::Job;
use crate::status::{Offline, Status};
use crate::values::TableName;

/// How long a connection may take to open.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// The pause after the first failure, before chance adds to it.
const PAUSE_MIN: Duration = Duration::from_millis(100);
/// The longest pause, before chance adds as much again at most.
const PAUSE_MAX: Duration = Duration::from_secs(5);
/// The longest pause that a server may ask for.
const ASKED_PAUSE_MAX: Duration = Duration::from_secs(30);

/// Which table, where.
#[derive(Debug)]
pub(crate) struct Target {
    /// The server.
    pub(crate) endpoint: Endpoint,
    /// The table.
    pub(crate) table: TableName,
    /// The token of its controller.
    pub(crate) token: Token,
}

/// A secret: no log and no error shows it.
#[derive(Clone)]
pub(crate) struct Token(pub(crate) String);

impl fmt::Debug for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Token")
    }
}

/// How a stream ended.
#[derive(Debug)]
enum Ended {
    /// A person has to look.
    Stopped(Stopped),
    /// Another one is opened.
    Again {
        /// Why this one ended.
        reason: Offline,
        /// How long the server asks to wait.
        pause: Duration,
    },
}

impl Ended {
    const fn because(reason: Offline) -> Self {
        Self::Again {
            reason,
            pause: Duration::ZERO,
        }
    }
}

/// The endpoint of an address such as `http://10.0.0.5:8081`.
pub(crate) fn endpoint(address: &str) -> Option<Endpoint> {
    let endpoint = Endpoint::from_shared(address.to_owned()).ok()?;
    let uri = endpoint.uri();
    (uri.scheme().is_some() && uri.host().is_some())
        .then(|| endpoint.connect_timeout(CONNECT_WITHIN).tcp_nodelay(true))
}

/// The table's way to the server.
pub(crate) struct Session {
    target: Target,
    board: Arc<Board>,
    outbox: mpsc::Sender<Job>,
    status: watch::Sender<Status>,
    noted: Noted,
    pauses: ExponentialBackoff,
    /// Whether the stream that is open has led anywhere: to an outcome, or to a server that stayed for a while.
    has_progressed: bool,
    /// When the server was last heard, on this stream.
    heard_at: Option<Instant>,
}

impl Session {
    pub(crate) fn new(
        target: Target,
        board: Arc<Board>,
        outbox: mpsc::Sender<Job>,
        status: watch::Sender<Status>,
        noted: Noted,
    ) -> Self {
        Self {
            target,
            board,
            outbox,
            status,
            noted,
            pauses: pauses(),
            has_progressed: false,
            heard_at: None,
        }
    }

    /// Plays until the controller is closed or a person has to look.
    pub(crate) async fn run(mut self) {
        let (table, status) = (self.target.table.clone(), self.status.clone());
        let mut life = self.board.life();
        let guard = Guard(Arc::clone(&self.board));
        let mut playing = tokio::spawn(async move {
            let _guard = guard;
            self.play().await;
        });
        let has_ended = tokio::select! {
            _ = life.wait_for(|it| !matches!(it, Life::Playing)) => false,
            // However it ended, the board knows.
            _ = &mut playing => true,
        };
        if !has_ended {
            playing.abort();
            // Until it is gone it may say how it stands, over what is said below.
            drop(playing.await);
        }
        let why = match &*life.borrow() {
            Life::Stopped(why) => (**why).clone(),
            Life::Playing | Life::Closed => return,
        };
        tracing::error!(%table, "stopped: {why}");
        status.send_replace(Status::Stopped(why));
    }

    async fn play(&mut self) {
        loop {
            match self.stream().await {
                Ended::Stopped(why) => return self.board.stop(why),
                Ended::Again { reason, pause } => {
                    tracing::warn!(table = %self.target.table, "offline: {reason}");
                    self.go_offline(reason);
                    // An attempt that only took long leads nowhere: the pauses go on growing.
                    if std::mem::take(&mut self.has_progressed) {
                        self.pauses = pauses();
                    }
                    self.pause(pause).await;
                }
            }
        }
    }

    /// It is offline since the server was last heard; the reason is the newest.
    fn go_offline(&mut self, reason: Offline) {
        let heard_at = self.heard_at.take().unwrap_or_else(Instant::now);
        self.status.send_if_modified(|status| {
            let since = match status {
                // Nothing comes after that.
                Status::Stopped(_) => return false,
                Status::Offline { reason: told, .. } if *told == reason => return false,
                Status::Offline { since, .. } => *since,
                Status::Connecting | Status::Online(_) => heard_at,
            };
            *status = Status::Offline { since, reason };
            true
        });
    }

    async fn pause(&mut self, asked: Duration) {
        let own = self.pauses.next().unwrap_or(PAUSE_MAX);
        // Our own comes on top: tables that were asked for the same pause don't come back as one. Only time ends it:
        // what is kept meanwhile is no reason to hurry a server that is not there.
        sleep(asked.min(ASKED_PAUSE_MAX) + own).await;
    }
}

/// From [`PAUSE_MIN`], doubled up to [`PAUSE_MAX`], each with a chance part so that tables don't come back as one.
fn pauses() -> ExponentialBackoff {
    let pauses = ExponentialBuilder::default()
        .with_min_delay(PAUSE_MIN)
        .with_max_delay(PAUSE_MAX)
        .with_jitter()
        .without_max_times();
    pauses.build()
}

#[cfg(test)]
mod tests;
