//! The socket of a connection, by the name with which a feed takes it over from hyper.

use meterhouse_tls::Stream;
use tokio::net::TcpStream;
use tokio_util::io::{InspectReader, InspectWriter};

/// What records the activity of a socket.
pub(crate) type Record = Box<dyn FnMut(&[u8]) + Send>;
/// A socket that records its activity, and owns the permit of its connection.
pub(crate) type Socket = InspectWriter<InspectReader<Stream, Record>, Record>;

/// Returns the socket of a connection without TLS, which takes bytes as they are.
pub(crate) fn plain(socket: &Socket) -> Option<&TcpStream> {
    socket.get_ref().get_ref().plain()
}
