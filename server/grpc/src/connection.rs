//! A connection that has begun to speak HTTP/2.
//!
//! # Shape
//! A TCP connection whose preface was read already and is read once more by the library, and which whoever holds its
//! [`Closer`] can end: for clients that leave no other way. Until it shows a valid token it is a stranger.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use meterhouse_edge::strangers::Strangers;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::Status;
use tonic::transport::server::Connected;

/// What every client of HTTP/2 sends first (RFC 9113 § 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A connection that speaks HTTP/2.
pub(crate) struct Connection {
    stream: TcpStream,
    /// What of the preface is still to be read again.
    again: &'static [u8],
    closer: Closer,
    closed: Pin<Box<WaitForCancellationFutureOwned>>,
    place: Place,
    _room: OwnedSemaphorePermit,
}

/// Ends a connection.
#[derive(Clone, Debug)]
pub(crate) struct Closer(CancellationToken);

impl Closer {
    /// Ends it, whatever is under way on it.
    pub(crate) fn close(&self) {
        self.0.cancel();
    }

    /// One that ends no more than this token.
    #[cfg(test)]
    pub(crate) const fn of(token: CancellationToken) -> Self {
        Self(token)
    }
}

/// A connection among those that have shown no valid token.
#[derive(Clone)]
pub(crate) struct Place {
    number: u64,
    strangers: Arc<Strangers<Closer>>,
}

impl Place {
    /// Marks the connection as one that has shown a valid token.
    pub(crate) fn know(&self) {
        self.strangers.leave(self.number);
    }

    /// Counts the connection among the feeds; `false` where there are as many as may be.
    pub(crate) fn listen(&self) -> bool {
        self.strangers.listen(self.number)
    }
}

/// A connection as its requests see it.
#[derive(Clone)]
pub(crate) struct Peer {
    /// Ends it.
    pub(crate) closer: Closer,
    /// Among the strangers.
    pub(crate) place: Place,
}

/// Says why a stream ends and waits until the client has taken that, or has gone; from one that does neither in time
/// the connection is taken: nothing else frees what waits for it.
pub(crate) async fn end_stream<T>(
    answers: mpsc::Sender<Result<T, Status>>,
    why: Status,
    most: Duration,
    connection: Option<Closer>,
) {
    let told = async {
        drop(answers.send(Err(why)).await);
        answers.closed().await;
    };
    if timeout(most, told).await.is_err()
        && let Some(connection) = connection
    {
        connection.close();
    }
}

/// Reads the preface; whether it was one. What comes instead is not read any further.
pub(crate) async fn speaks_http2(stream: &mut TcpStream) -> io::Result<bool> {
    let mut read = [0; PREFACE.len()];
    let mut length = 0;
    while let Some(rest) = read.get_mut(length..).filter(|it| !it.is_empty()) {
        let more = stream.read(rest).await?;
        length += more;
        if more == 0 || !PREFACE.starts_with(read.get(..length).unwrap_or_default()) {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Connection {
    /// A connection whose preface was read, a stranger; `all` ends all of them.
    pub(crate) fn new(
        stream: TcpStream,
        from: (u64, IpAddr),
        all: &CancellationToken,
        strangers: &Arc<Strangers<Closer>>,
        room: OwnedSemaphorePermit,
    ) -> Self {
        let this = all.child_token();
        let closer = Closer(this.clone());
        let (number, address) = from;
        if let Some(longest) = strangers.come_in(number, address, closer.clone()) {
            longest.close();
        }
        let place = Place {
            number,
            strangers: Arc::clone(strangers),
        };
        Self {
            stream,
            again: PREFACE,
            closed: Box::pin(this.cancelled_owned()),
            closer,
            place,
            _room: room,
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.place.strangers.leave(self.place.number);
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        Peer {
            closer: self.closer.clone(),
            place: self.place.clone(),
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.closed.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        if self.again.is_empty() {
            return Pin::new(&mut self.stream).poll_read(context, into);
        }
        let length = self.again.len().min(into.remaining());
        let (now, later) = self.again.split_at(length);
        into.put_slice(now);
        self.again = later;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
