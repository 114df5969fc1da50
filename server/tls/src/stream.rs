//! A connection, plain or with TLS.
//!
//! # Order
//! The handshake runs inside the first read or write, so that the limits of the listener hold for it as well. The
//! client certificate is known from the first byte that was read.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;
use tokio_rustls::{Accept, TlsAcceptor};
use tokio_util::either::Either;

use crate::client::ClientCertificate;
use crate::tls::{Protocol, Tls};

/// What a listener does with an accepted socket.
#[derive(Clone, Debug, Default)]
pub enum Acceptor {
    /// Plain text.
    #[default]
    Plain,
    /// TLS for this protocol.
    Tls(Tls, Protocol),
}

/// A connection, plain or with TLS.
pub struct Stream {
    state: State,
    certificate: Arc<OnceLock<ClientCertificate>>,
    needs_certificate: bool,
}

/// A connection without a handshake, or after it.
type Ready = Either<TcpStream, Box<TlsStream<TcpStream>>>;

enum State {
    Handshake(Box<Accept<TcpStream>>),
    Ready(Ready),
}

impl Acceptor {
    /// Returns the connection of an accepted socket. Nothing is read yet.
    pub fn accept(&self, socket: TcpStream) -> Stream {
        let (state, needs_certificate) = match self {
            Self::Plain => (State::Ready(Either::Left(socket)), false),
            Self::Tls(tls, protocol) => {
                let acceptor = TlsAcceptor::from(tls.config(*protocol));
                let state = State::Handshake(Box::new(acceptor.accept(socket)));
                (state, tls.needs_certificate())
            }
        };
        Stream {
            state,
            certificate: Arc::default(),
            needs_certificate,
        }
    }
}

impl Stream {
    /// Returns the client certificate, which is known from the first byte that was read.
    pub fn certificate(&self) -> Arc<OnceLock<ClientCertificate>> {
        Arc::clone(&self.certificate)
    }

    /// Returns the socket of a connection without TLS, which takes bytes as they are.
    pub fn plain(&self) -> Option<&TcpStream> {
        match &self.state {
            State::Ready(Either::Left(socket)) => Some(socket),
            State::Ready(Either::Right(_)) | State::Handshake(_) => None,
        }
    }

    /// Returns the connection once there is no handshake, or none any more.
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Pin<&mut Ready>>> {
        if let State::Handshake(accept) = &mut self.state {
            let stream = ready!(Pin::new(accept).poll(context))?;
            let chain = stream.get_ref().1.peer_certificates();
            let certificate = ClientCertificate::of(chain, self.needs_certificate);
            // A handshake finishes once.
            drop(self.certificate.set(certificate));
            self.state = State::Ready(Either::Right(Box::new(stream)));
        }
        match &mut self.state {
            State::Ready(stream) => Poll::Ready(Ok(Pin::new(stream))),
            State::Handshake(_) => Poll::Pending,
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(self.poll_ready(context))?.poll_read(context, into)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_ready(context))?.poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_ready(context))?.poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        // A connection with TLS takes several buffers as well.
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_ready(context))?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.state {
            State::Ready(stream) => Pin::new(stream).poll_shutdown(context),
            State::Handshake(_) => Poll::Ready(Ok(())),
        }
    }
}
