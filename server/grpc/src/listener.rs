//! The listener: accepts connections and waits for their HTTP/2 preface.
//!
//! # Shape
//! One task accepts, and one task per connection waits for the preface. A connection costs only a
//! socket until its preface arrives. A connection that sends nothing, or anything else, never
//! reaches the HTTP/2 library.
//!
//! # Limits
//! - [`SILENT_MAX`] connections that have sent nothing yet, each for [`PREFACE_WAIT_MAX`]. If more
//!   connect, the oldest of them are closed.
//! - [`CONNECTIONS_MAX`] connections that speak HTTP/2. [`ANONYMOUS_LIMITS`] limit those without a
//!   valid token, and the rest is reserved for tables.

use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use meterhouse_edge::anonymous_connections::{AnonymousConnections, AnonymousLimits};
use meterhouse_edge::log_throttle::LogThrottle;
use meterhouse_edge::trusted_proxies::TrustedProxies;
use meterhouse_tls::{Acceptor, Stream};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::select;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;

use crate::connection::{Closer, Connection, speaks_http2};

/// Longest wait for the first 24 bytes of a new connection.
pub const PREFACE_WAIT_MAX: Duration = Duration::from_secs(5);
/// Maximum number of new connections that have sent nothing yet.
pub const SILENT_MAX: usize = 1_024;
/// Maximum number of connections that speak HTTP/2.
pub const CONNECTIONS_MAX: usize = 4_096;
/// Limits of connections that have shown no valid token.
pub const ANONYMOUS_LIMITS: AnonymousLimits = AnonymousLimits {
    all: 1_024,
    of_address: 256,
    feeds: 1_024,
    feeds_of_address: 512,
};
/// Number of connections that are reserved for those with a valid token.
const RESERVED_WITH_TOKEN: usize = 2_048;

const _: () =
    assert!(ANONYMOUS_LIMITS.all + ANONYMOUS_LIMITS.feeds + RESERVED_WITH_TOKEN <= CONNECTIONS_MAX);

/// Maximum number of connections that wait for the library to take them.
const READY_MAX: usize = 64;
/// Pause after a failed accept: no descriptor is free until another connection ends.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// Longest time for sending the answer to a client of another protocol.
const HTTP1_ANSWER_WAIT_MAX: Duration = Duration::from_secs(1);
/// Answer to a client of another protocol, which is most often HTTP/1.
const HTTP1_ANSWER: &[u8] = b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 70\r\n\
    Connection: close\r\n\r\nThis port speaks gRPC: HTTP/2 from the first byte, without an upgrade.";

/// The shared state that a new connection needs.
#[derive(Clone)]
struct Shared {
    acceptor: Acceptor,
    ready: mpsc::Sender<io::Result<Connection>>,
    slots: Arc<Semaphore>,
    anonymous: Arc<AnonymousConnections<Closer>>,
    all: CancellationToken,
}

/// Returns the connections that are accepted until `stopping`; `all` ends every connection.
pub(crate) fn accept_until(
    listener: TcpListener,
    acceptor: Acceptor,
    trusted: TrustedProxies,
    stopping: CancellationToken,
    all: CancellationToken,
) -> ReceiverStream<io::Result<Connection>> {
    let (ready, connections) = mpsc::channel(READY_MAX);
    let shared = Shared {
        acceptor,
        ready,
        slots: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
        anonymous: Arc::new(AnonymousConnections::new(ANONYMOUS_LIMITS, trusted)),
        all,
    };
    tokio::spawn(async move {
        select! {
            () = accept(&listener, &shared) => {}
            () = stopping.cancelled() => {}
            () = shared.all.cancelled() => {}
        }
    });
    ReceiverStream::new(connections)
}

async fn accept(listener: &TcpListener, shared: &Shared) {
    let mut silent: VecDeque<AbortHandle> = VecDeque::with_capacity(SILENT_MAX);
    let mut failed = LogThrottle::default();
    let mut count = 0;
    loop {
        let (stream, address) = match listener.accept().await {
            Ok((stream, address)) => (stream, address.ip()),
            Err(error) => {
                if failed.is_due() {
                    tracing::warn!(%error, "a connection could not be accepted");
                }
                close_longest_silent(&mut silent);
                sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        if silent.len() == SILENT_MAX
            && let Some(longest) = silent.pop_front()
        {
            // The oldest connection has most often sent its preface long ago. The abort then does
            // nothing.
            longest.abort();
        }
        count += 1;
        let waiting = tokio::spawn(await_preface(stream, (count, address), shared.clone()));
        silent.push_back(waiting.abort_handle());
    }
}

/// Closes the connection that has been silent longest, because its descriptor is needed.
fn close_longest_silent(silent: &mut VecDeque<AbortHandle>) {
    while let Some(longest) = silent.pop_front() {
        if !longest.is_finished() {
            return longest.abort();
        }
    }
}

/// Waits for the preface and passes the connection to the library.
async fn await_preface(socket: TcpStream, from: (u64, IpAddr), shared: Shared) {
    // With `nodelay`, small messages are sent immediately. Without it they are sent a little later.
    drop(socket.set_nodelay(true));
    let mut stream = shared.acceptor.accept(socket);
    let preface = timeout(PREFACE_WAIT_MAX, speaks_http2(&mut stream)).await;
    match preface {
        Ok(Ok(true)) => {}
        Ok(Ok(false)) => return answer_http1(stream).await,
        Ok(Err(_)) | Err(_) => return,
    }
    let Ok(slot) = shared.slots.try_acquire_owned() else {
        tracing::warn!(limit = CONNECTIONS_MAX, "too many connections");
        return;
    };
    let connection = Connection::new(stream, from, &shared.all, &shared.anonymous, slot);
    // The server may have stopped meanwhile; then no task takes the connection.
    drop(shared.ready.send(Ok(connection)).await);
}

/// Answers a client of another protocol.
async fn answer_http1(mut stream: Stream) {
    drop(timeout(HTTP1_ANSWER_WAIT_MAX, stream.write_all(HTTP1_ANSWER)).await);
}
