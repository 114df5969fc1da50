//! The listener: accepts connections, limits their number, and closes the ones that are idle for too long.
//!
//! # Shape
//! One task accepts, and one task per connection serves its requests. Idle time is measured outside hyper. Its
//! `header_read_timeout` also runs between two requests and arms a timer per request.
//!
//! # Limits
//! - [`SILENT_MAX`] connections that have sent no complete head yet. If more connect, the oldest of them are closed.
//! - [`CONNECTIONS_MAX`] connections that have sent one, feeds among them. More are answered with `busy`.
//!   [`ANONYMOUS_LIMITS`] limit those without a valid token, and the rest is reserved for tables and people.
//! - [`HEAD_WAIT_MAX`] and [`HEAD_BYTES_MAX`] for a head, [`IDLE_MAX`] for a pause between two requests.
//!
//! # Order
//! Received bytes are processed before a connection is closed, so a request that arrives in time is answered. When the
//! server stops, requests under way are answered. No other connection is waited for.

mod admission;
pub(crate) mod anonymous_connection;
mod connection;
mod connection_state;
pub(crate) mod limits;

use std::future::pending;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use meterhouse_edge::log_throttle::LogThrottle;
use tokio::net::TcpListener;
use tokio::select;
use tokio::task::JoinSet;
use tokio::time::timeout;

use self::admission::Admission;
use self::connection::serve_connection;
pub use self::limits::{
    ANONYMOUS_LIMITS, CONNECTIONS_MAX, HEAD_BYTES_MAX, HEAD_WAIT_MAX, IDLE_MAX, Limits, SILENT_MAX,
};
use crate::options::Options;

/// Size of a connection's read and write buffers in bytes.
const BUFFER_BYTES_MAX: usize = 4 * HEAD_BYTES_MAX;
/// Maximum pause after a failed accept: no descriptor is free until another connection ends. The next attempt follows
/// even if the free descriptor is not one of this server's.
const ACCEPT_PAUSE_MAX: Duration = Duration::from_millis(100);

/// Serves the router until `options.stopping` is cancelled, then returns once the open requests are answered. Dropping
/// the future aborts them. Feeds are separate tasks: see [`Options::feeds`].
pub async fn serve(listener: TcpListener, router: Router, options: Options) {
    let trusted = options.trusted_proxies;
    let admission = Arc::new(Admission::new(options.limits, trusted));
    // The state is set here, so that the routes are completed once and not per request.
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
                // With `nodelay`, a message to a display does not wait until the display has acknowledged the previous
                // one.
                drop(stream.set_nodelay(true));
                let stream = options.acceptor.accept(stream);
                let address = address.ip();
                connections.spawn(serve_connection(stream, address, http, router, &admission));
            }
            Err(error) if is_peer_error(&error) => {}
            Err(error) => {
                if failed.is_due() {
                    tracing::warn!(%error, "a connection could not be accepted");
                }
                admission.close_oldest_silent();
                drop(timeout(ACCEPT_PAUSE_MAX, any_ends(&mut connections)).await);
            }
        }
    }
    drop(listener);
    admission.stop();
    while connections.join_next().await.is_some() {}
}

/// Waits until a connection has ended.
async fn any_ends(connections: &mut JoinSet<()>) {
    if connections.join_next().await.is_none() {
        pending::<()>().await;
    }
}

/// Returns the configuration of HTTP/1.1.
fn http() -> http1::Builder {
    let mut http = http1::Builder::new();
    http.header_read_timeout(None)
        .max_header_size(HEAD_BYTES_MAX)
        .max_buf_size(BUFFER_BYTES_MAX);
    http
}

/// Returns `true` if the peer ended the connection before it was accepted. The next accept may succeed.
fn is_peer_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

#[cfg(test)]
mod tests;
