//! A connection that has sent the HTTP/2 preface.
//!
//! # Shape
//! The preface of the TCP connection was already read, and the HTTP/2 library reads it a second
//! time from memory. A [`Closer`] can end the connection if a client leaves no other way. The
//! connection is anonymous until it shows a valid token.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use meterhouse_edge::anonymous_connections::AnonymousConnections;
use meterhouse_tls::{ClientCertificate, Stream};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::Status;
use tonic::transport::server::Connected;

/// First bytes of every HTTP/2 client (RFC 9113 § 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A connection that speaks HTTP/2.
pub(crate) struct Connection {
    stream: Stream,
    /// Part of the preface that the library has not read yet.
    unread_preface: &'static [u8],
    address: IpAddr,
    closer: Closer,
    closed: Pin<Box<WaitForCancellationFutureOwned>>,
    anonymous: AnonymousEntry,
    _slot: OwnedSemaphorePermit,
}

/// A handle that ends a connection.
#[derive(Clone, Debug)]
pub(crate) struct Closer(CancellationToken);

impl Closer {
    /// Ends the connection, whatever runs on it.
    pub(crate) fn close(&self) {
        self.0.cancel();
    }

    /// Returns a closer that only cancels this token.
    #[cfg(test)]
    pub(crate) const fn of(token: CancellationToken) -> Self {
        Self(token)
    }
}

/// The entry of a connection among those without a valid token.
#[derive(Clone)]
pub(crate) struct AnonymousEntry {
    number: u64,
    connections: Arc<AnonymousConnections<Closer>>,
}

impl AnonymousEntry {
    /// Removes the connection from the anonymous ones, because it has shown a valid token.
    pub(crate) fn authenticated(&self) {
        self.connections.remove(self.number);
    }

    /// Counts the connection among the feeds. Returns `false` if the limit is reached.
    pub(crate) fn count_as_feed(&self) -> bool {
        self.connections.count_as_feed(self.number)
    }
}

/// The connection of a request.
#[derive(Clone)]
pub(crate) struct Peer {
    /// Address of the client.
    pub(crate) address: IpAddr,
    /// Handle that ends the connection.
    pub(crate) closer: Closer,
    /// Entry of the connection among the anonymous ones.
    pub(crate) anonymous: AnonymousEntry,
    certificate: Arc<OnceLock<ClientCertificate>>,
}

impl Peer {
    /// Returns the client certificate of the connection.
    pub(crate) fn certificate(&self) -> ClientCertificate {
        self.certificate.get().cloned().unwrap_or_default()
    }
}

/// Sends the status that ends a stream and waits until the client has received it or has gone. If
/// the client does neither in time, closes the connection, because nothing else frees the stream.
pub(crate) async fn end_stream<T>(
    answers: mpsc::Sender<Result<T, Status>>,
    status: Status,
    most: Duration,
    connection: Option<Closer>,
) {
    let sent = async {
        drop(answers.send(Err(status)).await);
        answers.closed().await;
    };
    if timeout(most, sent).await.is_err()
        && let Some(connection) = connection
    {
        connection.close();
    }
}

/// Reads the preface. Returns `false` if other bytes arrive, and reads no further.
pub(crate) async fn speaks_http2(stream: &mut Stream) -> io::Result<bool> {
    let mut read = [0; PREFACE.len()];
    let mut length = 0;
    while let Some(rest) = read.get_mut(length..).filter(|rest| !rest.is_empty()) {
        let more = stream.read(rest).await?;
        length += more;
        if more == 0 || !PREFACE.starts_with(read.get(..length).unwrap_or_default()) {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Connection {
    /// Creates an anonymous connection whose preface was read; `all` ends every connection.
    pub(crate) fn new(
        stream: Stream,
        from: (u64, IpAddr),
        all: &CancellationToken,
        anonymous: &Arc<AnonymousConnections<Closer>>,
        slot: OwnedSemaphorePermit,
    ) -> Self {
        let this = all.child_token();
        let closer = Closer(this.clone());
        let (number, address) = from;
        if let Some(oldest) = anonymous.add(number, address, closer.clone()) {
            oldest.close();
        }
        let anonymous = AnonymousEntry {
            number,
            connections: Arc::clone(anonymous),
        };
        Self {
            stream,
            unread_preface: PREFACE,
            address,
            closed: Box::pin(this.cancelled_owned()),
            closer,
            anonymous,
            _slot: slot,
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.anonymous.connections.remove(self.anonymous.number);
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        Peer {
            address: self.address,
            closer: self.closer.clone(),
            anonymous: self.anonymous.clone(),
            certificate: self.stream.certificate(),
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
        if self.unread_preface.is_empty() {
            return Pin::new(&mut self.stream).poll_read(context, into);
        }
        let length = self.unread_preface.len().min(into.remaining());
        let (now, later) = self.unread_preface.split_at(length);
        into.put_slice(now);
        self.unread_preface = later;
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
