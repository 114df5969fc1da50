//! The way to the server that takes writes.
//!
//! # Shape
//! With a single server, a connection is made and nothing is asked. With several, each new connection asks if its
//! server takes writes and on which timeline. A timeline is Postgres' number of a promotion. If the server that took
//! writes last is gone, all servers are asked concurrently.
//!
//! A server that takes writes on an older timeline is a primary that was replaced while it was away. It is never used
//! again, so that one process sees the same journal in all its connections.
//!
//! # Limits
//! - [`SERVER_WAIT_MAX`] for one server to connect and answer.
//! - [`OTHERS_WAIT`] for the other servers once one takes writes.
//! - One search at a time for all readers, each after [`SEARCH_PAUSE`].

use std::convert::Infallible;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::sync::{Mutex, watch};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::error::StoreError;
use crate::servers::{Servers, address};
use crate::session::{connect, session_options};
use crate::sql::admin::TAKES_WRITES;
use crate::unreachable::Unreachable;

/// Longest time for one of several servers to connect and to answer if it takes writes.
const SERVER_WAIT_MAX: Duration = Duration::from_secs(2);
/// Longest wait for the other servers once one takes writes: a newer primary may be among them.
const OTHERS_WAIT: Duration = Duration::from_millis(250);
/// Pause before each search while a reader waits for the current server.
const SEARCH_PAUSE: Duration = Duration::from_millis(500);

/// The servers of a database, and the one that took writes last.
pub(crate) struct Primary {
    servers: Vec<PgConnectOptions>,
    /// Index of the server that took writes last.
    current: watch::Sender<usize>,
    /// Newest timeline that a server took writes on.
    timeline: AtomicI32,
    searching: Mutex<()>,
}

/// A connection to a server that takes writes.
pub(crate) struct Found {
    pub(crate) connection: PgConnection,
    /// Index of the server.
    pub(crate) server: usize,
    /// Connection options of the server.
    pub(crate) options: PgConnectOptions,
    timeline: i32,
}

impl Primary {
    pub(crate) fn new(servers: &Servers) -> Self {
        Self {
            servers: servers.each().to_vec(),
            current: watch::Sender::new(0),
            timeline: AtomicI32::new(0),
            searching: Mutex::new(()),
        }
    }

    /// Returns the connection options of each server.
    pub(crate) fn servers(&self) -> &[PgConnectOptions] {
        &self.servers
    }

    /// Returns `true` if the database has one server, which is used whatever it is.
    pub(crate) fn is_single(&self) -> bool {
        self.servers.len() == 1
    }

    /// Returns the index of the server that took writes last.
    pub(crate) fn current(&self) -> usize {
        *self.current.borrow()
    }

    /// Returns the changes of the current server.
    pub(crate) fn changes(&self) -> watch::Receiver<usize> {
        self.current.subscribe()
    }

    /// Connects to the current server, or to the one that takes writes instead.
    pub(crate) async fn connect(&self, statement_timeout: &str) -> Result<Found, StoreError> {
        if let [single] = self.servers.as_slice() {
            return connected(0, single, statement_timeout).await;
        }
        let current = self.current();
        if let Some(options) = self.servers.get(current)
            && let Ok(found) = self.attempt(current, options, statement_timeout).await
        {
            return Ok(found);
        }
        self.find(statement_timeout).await
    }

    /// Asks all servers and connects to the newest primary.
    pub(crate) async fn find(&self, statement_timeout: &str) -> Result<Found, StoreError> {
        // Many callers hold this future, and few ever poll it.
        Box::pin(self.ask_all(statement_timeout)).await
    }

    async fn ask_all(&self, statement_timeout: &str) -> Result<Found, StoreError> {
        if let [single] = self.servers.as_slice() {
            return connected(0, single, statement_timeout).await;
        }
        let servers = self.servers.iter().enumerate();
        let attempt = |(server, options)| self.attempt(server, options, statement_timeout);
        let mut attempts: FuturesUnordered<_> = servers.map(attempt).collect();
        let mut best: Option<(Found, Instant)> = None;
        let mut refusals = Vec::new();
        loop {
            let attempted = match &best {
                None => attempts.next().await,
                Some((_, until)) => timeout_at(*until, attempts.next()).await.unwrap_or(None),
            };
            match attempted {
                None => break,
                Some(Err(refusal)) => refusals.push(refusal),
                Some(Ok(found)) => {
                    let until = best.as_ref().map(|(_, until)| *until);
                    let until = until.unwrap_or_else(|| Instant::now() + OTHERS_WAIT);
                    let is_newer = |(best, _): &(Found, _)| found.timeline > best.timeline;
                    if best.as_ref().is_none_or(is_newer) {
                        best = Some((found, until));
                    }
                }
            }
        }
        let Some((found, _)) = best else {
            let servers = refusals.join(", ");
            return Err(StoreError::NoPrimary { servers });
        };
        self.follow(&found);
        Ok(found)
    }

    /// Looks for a newer primary, for a caller that waited too long for a lock. On a primary that was
    /// replaced, a commit waits for its standby forever and keeps the lock.
    pub(crate) async fn look_for_newer(&self) {
        if !self.is_single()
            && let Ok(_searching) = self.searching.try_lock()
        {
            // Without a primary, the caller's next attempt fails with the reason.
            drop(self.find("0").await);
        }
    }

    /// Searches again and again for the server that takes writes, while a caller waits for the
    /// current one. The driver tries a server that refuses connections for the whole wait.
    pub(crate) async fn seek(&self) -> Infallible {
        if self.is_single() {
            return std::future::pending().await;
        }
        loop {
            sleep(SEARCH_PAUSE).await;
            self.look_for_newer().await;
        }
    }

    /// Returns the index of the server that takes writes after `left` failed with `error`. While another caller
    /// searches, returns the error: that caller has waited, too.
    pub(crate) async fn search(&self, left: usize, error: StoreError) -> Result<usize, StoreError> {
        if self.current() != left {
            return Ok(self.current());
        }
        let searching = self.searching.try_lock();
        if self.is_single() || searching.is_err() {
            return Err(error);
        }
        self.find("0").await.map(|found| found.server)
    }

    /// Returns an error unless the server of this connection takes writes on the newest timeline.
    pub(crate) async fn check(&self, connection: &mut PgConnection) -> Result<i32, String> {
        let row = sqlx::query_as(TAKES_WRITES.sql).fetch_one(connection).await;
        let (is_standby, is_read_only, timeline): (bool, bool, i32) =
            row.map_err(|error| format!("does not say if it takes writes ({error})"))?;
        let newest = self.timeline.load(Ordering::Acquire);
        match (is_standby, is_read_only) {
            (true, _) => Err("is a standby".to_owned()),
            (_, true) => Err("is read-only".to_owned()),
            _ if timeline < newest => Err(format!(
                "is a primary that was replaced (timeline {timeline}, the newest is {newest})"
            )),
            _ => Ok(timeline),
        }
    }

    /// Connects to one of several servers and checks it. The error is a sentence about the server.
    async fn attempt(
        &self,
        server: usize,
        options: &PgConnectOptions,
        statement_timeout: &str,
    ) -> Result<Found, String> {
        let attempt = async {
            let made = connected(server, options, statement_timeout).await;
            let mut found = made.map_err(|error| reason(&error))?;
            found.timeline = self.check(&mut found.connection).await?;
            Ok(found)
        };
        let attempted = timeout(SERVER_WAIT_MAX, attempt).await;
        let attempted = attempted.unwrap_or_else(|_| Err("gives no answer".to_owned()));
        attempted.map_err(|reason| format!("{} {reason}", address(options)))
    }

    /// Makes a server the current one.
    fn follow(&self, found: &Found) {
        self.timeline.fetch_max(found.timeline, Ordering::AcqRel);
        let is_other = self
            .current
            .send_if_modified(|current| std::mem::replace(current, found.server) != found.server);
        if is_other {
            let address = address(&found.options);
            tracing::info!(
                server.address = address,
                timeline = found.timeline,
                "another server of the database takes writes"
            );
        }
    }
}

/// Connects to a server without a check.
async fn connected(
    server: usize,
    options: &PgConnectOptions,
    statement_timeout: &str,
) -> Result<Found, StoreError> {
    let connection = Box::pin(connect(&session_options(options, statement_timeout))).await?;
    let (options, timeline) = (options.clone(), 0);
    Ok(Found {
        connection,
        server,
        options,
        timeline,
    })
}

/// Returns why a server could not be connected, as the end of a sentence.
fn reason(error: &StoreError) -> String {
    match error.unreachable() {
        Some(Unreachable::Refused) => "does not listen".to_owned(),
        Some(Unreachable::UnknownHost) => "is unknown".to_owned(),
        Some(Unreachable::TimedOut) => "gives no answer".to_owned(),
        Some(Unreachable::NoDatabase) => "has no such database".to_owned(),
        Some(Unreachable::AccessDenied) => "does not let this role in".to_owned(),
        Some(Unreachable::Other) | None => {
            let cause = std::error::Error::source(error).map(ToString::to_string);
            format!("can't be used ({})", cause.unwrap_or_default())
        }
    }
}
