//! Connections that never come to a request: silence, half of something, nonsense.
//!
//! # What bounds it
//! [`SILENT`] connections at a time; a connection that was closed is opened again after [`PAUSE`].

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::Failure;

/// Connections that say nothing.
pub(super) const SILENT: usize = 10_000;
/// Connections that speak nonsense at a time, for each address.
pub(super) const NONSENSE: usize = 8;
/// Before a connection that was closed is opened again.
const PAUSE: Duration = Duration::from_secs(1);
/// How long whoever speaks nonsense listens to what is said to that.
const LISTENS: Duration = Duration::from_millis(50);
/// What a client of HTTP/2 sends first, empty settings, and headers that never come whole.
const HALF_A_FRAME: &[u8] =
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\0\0\x64\x01\x04\0\0\0\x01abc";
/// The same, and behind it a frame that is larger than any may be.
const HUGE_FRAME: &[u8] =
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\xff\xff\xff\x00\x00\0\0\0\x01";
/// Half of a request.
const HALF_A_REQUEST: &[u8] = b"PUT /v1/tables/x/commands/1 HTTP/1.1\r\nContent-Le";
/// A body that is shorter than it says.
const HALF_A_BODY: &[u8] =
    b"PUT /v1/tables/x/commands/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n{\"coin_in\":";
/// What no protocol begins with.
const NOISE: &[u8] = &[0xff; 512];

/// Opens connections that say nothing, until `stop`; answers how many the server closed.
pub(super) async fn silent(
    address: SocketAddr,
    stop: CancellationToken,
) -> Result<String, Failure> {
    let closed = Arc::new(AtomicU64::new(0));
    let mut open = JoinSet::new();
    for _ in 0..SILENT {
        let closed = Arc::clone(&closed);
        open.spawn(async move {
            loop {
                if say(address, b"", Duration::MAX).await.is_ok() {
                    closed.fetch_add(1, Ordering::Relaxed);
                }
                sleep(PAUSE).await;
            }
        });
    }
    stop.cancelled().await;
    open.shutdown().await;
    Ok(format!("{} closed", closed.load(Ordering::Relaxed)))
}

/// Says halves and nonsense at all addresses, one after another, until `stop`; answers how often.
pub(super) async fn nonsense(
    addresses: [SocketAddr; 2],
    stop: CancellationToken,
) -> Result<String, Failure> {
    let said = Arc::new(AtomicU64::new(0));
    let mut open = JoinSet::new();
    for address in addresses {
        for _ in 0..NONSENSE {
            let said = Arc::clone(&said);
            open.spawn(async move {
                let all = [HALF_A_FRAME, HUGE_FRAME, HALF_A_REQUEST, HALF_A_BODY, NOISE];
                for bytes in all.into_iter().cycle() {
                    if say(address, bytes, LISTENS).await.is_ok() {
                        said.fetch_add(1, Ordering::Relaxed);
                    } else {
                        // There is no port left, or the queue of the listener is full.
                        sleep(LISTENS).await;
                    }
                }
            });
        }
    }
    stop.cancelled().await;
    open.shutdown().await;
    Ok(format!("{} connections", said.load(Ordering::Relaxed)))
}

/// Says this on a connection of its own and listens until it is closed, or for so long.
async fn say(address: SocketAddr, bytes: &[u8], most: Duration) -> Result<(), Failure> {
    let mut stream = TcpStream::connect(address).await?;
    // Its port is free at once.
    stream.set_zero_linger()?;
    stream.write_all(bytes).await?;
    let mut heard = [0; 256];
    let listening = async { while stream.read(&mut heard).await.is_ok_and(|it| it > 0) {} };
    // However it ends: nothing useful was said.
    drop(timeout(most, listening).await);
    Ok(())
}
