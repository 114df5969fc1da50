//! Who comes in: connections that have begun to speak HTTP/2.
//!
//! # Shape
//! One task accepts; one a connection waits for its preface. Only what has sent it costs more than a socket: whoever
//! says nothing, or anything else, never gets to the library that speaks HTTP/2.
//!
//! # What bounds it
//! [`SILENT_MAX`] that have said nothing yet, for [`PREFACE_WAIT_MAX`]: where more come, those that have waited longest
//! go. [`CONNECTIONS_MAX`] that speak; of these the strangers, which have shown no valid token, have [`STRANGER_LIMITS`],
//! and the rest is kept for tables.

use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use meterhouse_edge::log_throttle::LogThrottle;
use meterhouse_edge::strangers::{StrangerLimits, Strangers};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::select;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;

use crate::connection::{Closer, Connection, speaks_http2};

/// How long a new connection may take for its first 24 bytes.
pub const PREFACE_WAIT_MAX: Duration = Duration::from_secs(5);
/// New connections that may have said nothing yet.
pub const SILENT_MAX: usize = 1_024;
/// Connections that speak.
pub const CONNECTIONS_MAX: usize = 4_096;
/// Limits of connections that have shown no valid token.
pub const STRANGER_LIMITS: StrangerLimits = StrangerLimits {
    all: 1_024,
    of_address: 256,
    feeds: 1_024,
    feeds_of_address: 512,
};
/// Connections that are kept for those that have shown one.
const KNOWN_KEPT: usize = 2_048;

const _: () = assert!(STRANGER_LIMITS.all + STRANGER_LIMITS.feeds + KNOWN_KEPT <= CONNECTIONS_MAX);

/// Connections that may wait to be taken by the library.
const READY_MAX: usize = 64;
/// Pause after a connection could not be accepted: there is no free descriptor, and another has to end first.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How long whoever speaks something else may take to be told.
const TOLD_WAIT_MAX: Duration = Duration::from_secs(1);
/// What whoever speaks something else is told: it is HTTP/1 most often.
const SPEAK_GRPC: &[u8] = b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 70\r\n\
    Connection: close\r\n\r\nThis port speaks gRPC: HTTP/2 from the first byte, without an upgrade.";

/// What a new connection needs to come in.
#[derive(Clone)]
struct Way {
    ready: mpsc::Sender<io::Result<Connection>>,
    room: Arc<Semaphore>,
    strangers: Arc<Strangers<Closer>>,
    all: CancellationToken,
}

/// The connections that come in until `stopping`; `all` ends them.
pub(crate) fn open(
    listener: TcpListener,
    stopping: CancellationToken,
    all: CancellationToken,
) -> ReceiverStream<io::Result<Connection>> {
    let (ready, connections) = mpsc::channel(READY_MAX);
    let way = Way {
        ready,
        room: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
        strangers: Arc::new(Strangers::new(STRANGER_LIMITS)),
        all,
    };
    tokio::spawn(async move {
        select! {
            () = accept(&listener, &way) => {}
            () = stopping.cancelled() => {}
            () = way.all.cancelled() => {}
        }
    });
    ReceiverStream::new(connections)
}

async fn accept(listener: &TcpListener, way: &Way) {
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
                end_longest(&mut silent);
                sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        if silent.len() == SILENT_MAX
            && let Some(longest) = silent.pop_front()
        {
            // Most often it has come in long ago, and this does nothing.
            longest.abort();
        }
        count += 1;
        let coming = tokio::spawn(come_in(stream, (count, address), way.clone()));
        silent.push_back(coming.abort_handle());
    }
}

/// Ends the one that has been silent longest: its descriptor is needed.
fn end_longest(silent: &mut VecDeque<AbortHandle>) {
    while let Some(longest) = silent.pop_front() {
        if !longest.is_finished() {
            return longest.abort();
        }
    }
}

/// Waits for the preface and hands the connection on.
async fn come_in(mut stream: TcpStream, from: (u64, IpAddr), way: Way) {
    let spoken = timeout(PREFACE_WAIT_MAX, speaks_http2(&mut stream)).await;
    match spoken {
        Ok(Ok(true)) => {}
        Ok(Ok(false)) => return tell(stream).await,
        Ok(Err(_)) | Err(_) => return,
    }
    let Ok(room) = way.room.try_acquire_owned() else {
        tracing::warn!(limit = CONNECTIONS_MAX, "too many connections");
        return;
    };
    // Small messages leave at once; where it can't be set they leave a little later.
    drop(stream.set_nodelay(true));
    let connection = Connection::new(stream, from, &way.all, &way.strangers, room);
    // Where the server has stopped meanwhile nobody takes it.
    drop(way.ready.send(Ok(connection)).await);
}

/// Tells whoever speaks something else.
async fn tell(mut stream: TcpStream) {
    drop(timeout(TOLD_WAIT_MAX, stream.write_all(SPEAK_GRPC)).await);
}
