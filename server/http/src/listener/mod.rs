//! Who comes in: connections, until they have said what they want and while they say nothing more.
//!
//! # Shape
//! One task accepts; one a connection serves its requests. Silence is measured around the library that speaks HTTP, not
//! by it: its own timer would run between two requests as well, and cost every request one.
//!
//! # What bounds it
//! [`SILENT_MAX`] connections that have sent no whole head yet: where more come, those that have waited longest go.
//! [`CONNECTIONS_MAX`] that have, feeds among them: more hear `busy`. Of these the strangers, which have shown no valid
//! token, have [`ANONYMOUS_LIMITS`]; the rest is kept for tables and people. A head has [`HEAD_WAIT_MAX`] and
//! [`HEAD_BYTES_MAX`], a pause between two requests [`IDLE_MAX`].
//!
//! # Order
//! What has come is looked at before a connection is ended, so whoever speaks in time is heard. When the server stops,
//! requests under way are answered; nobody else is waited for.

mod admission;
mod connection;
mod connection_state;

use std::future::pending;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use meterhouse_edge::anonymous_connections::AnonymousLimits;
use meterhouse_edge::log_throttle::LogThrottle;
use meterhouse_engine::feed::feeds::FEEDS_MAX;
use tokio::net::TcpListener;
use tokio::select;
use tokio::task::JoinSet;
use tokio::time::timeout;

use self::admission::Room;
pub(crate) use self::connection::Place;
use self::connection::attend;
use crate::options::Options;

/// How long the head of a request may take: from its first byte, and on a new connection from the beginning.
pub const HEAD_WAIT_MAX: Duration = Duration::from_secs(10);
/// How long a connection may say nothing between two requests. It is looked at no oftener, so it may last twice as
/// long.
pub const IDLE_MAX: Duration = Duration::from_mins(5);
/// Bytes of a request's head: line and headers. More are answered with 431.
pub const HEAD_BYTES_MAX: usize = 16 * 1_024;
/// Connections that may have sent no whole head yet.
pub const SILENT_MAX: usize = 1_024;
/// Connections that have: every display, and half as many tables and people.
pub const CONNECTIONS_MAX: usize = 16_384;
/// Limits of connections that have shown no valid token.
pub const ANONYMOUS_LIMITS: AnonymousLimits = AnonymousLimits {
    all: 4_096,
    of_address: 256,
    feeds: FEEDS_MAX,
    feeds_of_address: 1_024,
};
/// Connections that are kept for those that have shown one.
const KNOWN_KEPT: usize = 2_048;
/// Bytes that a connection may hold of what comes, and of what goes.
const BUFFER_BYTES_MAX: usize = 4 * HEAD_BYTES_MAX;
/// Pause after a connection could not be accepted: there is no free descriptor, and another has to end first. Where that
/// is none of ours it is tried again all the same.
const ACCEPT_WAIT_MAX: Duration = Duration::from_millis(100);

const _: () =
    assert!(ANONYMOUS_LIMITS.all + ANONYMOUS_LIMITS.feeds + KNOWN_KEPT <= CONNECTIONS_MAX);

/// What connections may take.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// Instead of [`CONNECTIONS_MAX`].
    pub connections: usize,
    /// Instead of [`SILENT_MAX`].
    pub silent: usize,
    /// Instead of [`ANONYMOUS_LIMITS`].
    pub anonymous: AnonymousLimits,
    /// Instead of [`HEAD_WAIT_MAX`].
    pub head_wait: Duration,
    /// Instead of [`IDLE_MAX`].
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: CONNECTIONS_MAX,
            silent: SILENT_MAX,
            anonymous: ANONYMOUS_LIMITS,
            head_wait: HEAD_WAIT_MAX,
            idle: IDLE_MAX,
        }
    }
}

/// Serves the router until `options.stopping` is cancelled, then ends when all open requests have. Dropped, it cuts
/// them off. Feeds are tasks of their own: see [`Options::feeds`].
pub async fn serve(listener: TcpListener, router: Router, options: Options) {
    let room = Arc::new(Room::new(options.limits));
    // The routes are finished once, not at every request.
    let router: Router = router.with_state(());
    let http = http();
    let mut connections = JoinSet::new();
    let mut failed = LogThrottle::default();
    let mut stopping = pin!(options.stopping.cancelled());
    loop {
        let accepted = select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
            () = &mut stopping => break,
        };
        match accepted {
            Ok((stream, address)) => {
                let (http, router) = (http.clone(), router.clone());
                connections.spawn(attend(stream, address.ip(), http, router, &room));
            }
            Err(error) if is_its_own(&error) => {}
            Err(error) => {
                if failed.is_due() {
                    tracing::warn!(%error, "a connection could not be accepted");
                }
                room.end_longest();
                drop(timeout(ACCEPT_WAIT_MAX, one_ends(&mut connections)).await);
            }
        }
    }
    drop(listener);
    room.stop();
    while connections.join_next().await.is_some() {}
}

/// Waits until a connection has ended.
async fn one_ends(connections: &mut JoinSet<()>) {
    if connections.join_next().await.is_none() {
        pending::<()>().await;
    }
}

/// How HTTP is spoken.
fn http() -> http1::Builder {
    let mut http = http1::Builder::new();
    http.header_read_timeout(None)
        .max_header_size(HEAD_BYTES_MAX)
        .max_buf_size(BUFFER_BYTES_MAX);
    http
}

/// Whether the connection that failed has gone by itself: the next may be well.
fn is_its_own(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

#[cfg(test)]
mod tests;
