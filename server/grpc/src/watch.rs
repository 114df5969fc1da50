//! `MeterFeed/Watch`: the feed of displays, as over WebSocket. Players' feeds need no token. A
//! token of the floor opens the floor's feed.
//!
//! # Shape
//! A task writes the messages of its listener into a channel of one message, from which the stream
//! takes them. A display that reads nothing is noticed at the channel, even if its connection is
//! alive.
//!
//! # Limits
//! [`FEEDS_MAX`](meterhouse_engine::feed::feeds::FEEDS_MAX) displays over all protocols,
//! [`UNREAD_MAX`] messages, and [`WRITE_MAX`] for each. The final status may wait for as long
//! again. Then the connection of a display that reads nothing is closed.
//!
//! # Order
//! The listener's order. A stream ends with a status, unless its display reads nothing at all.

use meterhouse_domain::ids::LinkName;
use meterhouse_edge::wire_error::WireError;
use meterhouse_edge::{authenticate, feed, value};
use meterhouse_engine::Engine;
use meterhouse_engine::answer::NotExecuted;
use meterhouse_engine::feed::listener::{DisplayMessage, Listener};
use meterhouse_engine::feed::writes::WRITE_MAX;
use meterhouse_journal::seal::Seal;
use meterhouse_proto::encoded::Encoded;
use meterhouse_proto::encoded::meter_feed_server::MeterFeed;
use meterhouse_proto::feed::{Position, WatchRequest};
use meterhouse_tls::ClientCertificate;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::metadata::MetadataValue;
use tonic::{Request, Response, Status};

use crate::connection::{Closer, Peer, end_stream};
use crate::status::{About, End, status};

/// Maximum size in bytes of a request: a name and two numbers.
pub(crate) const REQUEST_BYTES_MAX: usize = 1_024;
/// Maximum number of messages that wait for a stream to take them.
const UNREAD_MAX: usize = 1;

/// The feeds of links.
pub(crate) struct Watch {
    engine: Engine,
    stopping: CancellationToken,
}

impl Watch {
    /// Creates the feeds of an engine, until the server stops.
    pub(crate) const fn new(engine: Engine, stopping: CancellationToken) -> Self {
        Self { engine, stopping }
    }

    async fn listen(
        &self,
        request: &WatchRequest,
        header: Option<&[u8]>,
        certificate: &ClientCertificate,
    ) -> Result<Listener, WireError> {
        let link: LinkName = value::read("link", &request.link)?;
        let pass = authenticate::feed_pass(&self.engine, header, certificate, &link).await?;
        let after =
            |position: &Position| value::position_of("after", position.batch, position.index);
        let after = request.after.as_ref().map(after).transpose()?;
        if !request.seal.is_empty() {
            let seal: Seal = value::read("seal", &request.seal)?;
            self.engine.compare_link_seal(&link, &seal).await?;
        }
        let stopping = self.stopping.clone();
        Ok(self.engine.listen(&link, after, pass, stopping).await?)
    }
}

#[tonic::async_trait]
impl MeterFeed for Watch {
    type WatchStream = Messages;

    async fn watch(&self, request: Request<WatchRequest>) -> Result<Response<Messages>, Status> {
        let peer = request.extensions().get::<Peer>().cloned();
        let header = request.metadata().get("authorization");
        let header = header.map(MetadataValue::as_bytes);
        let certificate = peer.as_ref().map(Peer::certificate).unwrap_or_default();
        let listener = self.listen(request.get_ref(), header, &certificate).await;
        let listener = listener.map_err(|error| status(error, About::default()))?;
        if let (Some(_), Some(peer)) = (header, &peer) {
            peer.anonymous.authenticated();
        }
        if peer
            .as_ref()
            .is_some_and(|peer| !peer.anonymous.count_as_feed())
        {
            return Err(status(NotExecuted::TooManyFeeds, About::default()));
        }
        let connection = peer.map(|peer| peer.closer);
        Ok(Response::new(messages(listener, connection)))
    }
}

/// The messages of one display.
type Messages = ReceiverStream<Result<Encoded, Status>>;
/// The sending side of a display's messages.
type MessageSender = mpsc::Sender<Result<Encoded, Status>>;

/// Returns the messages of a listener, which end with a status.
fn messages(listener: Listener, connection: Option<Closer>) -> Messages {
    let (to_display, unread) = mpsc::channel(UNREAD_MAX);
    tokio::spawn(async move {
        // The display's slot among the feeds is free from here on.
        if let Some(status) = serve(listener, &to_display).await {
            end_stream(to_display, status, WRITE_MAX, connection).await;
        }
    });
    ReceiverStream::new(unread)
}

/// Serves a display until it has gone or there is a status to send.
async fn serve(mut listener: Listener, to_display: &MessageSender) -> Option<Status> {
    let writes = listener.writes();
    loop {
        // Dropping either wait loses no message.
        let message = tokio::select! {
            biased;
            () = to_display.closed() => return None,
            message = listener.next() => message,
        };
        let bytes = match message {
            Ok(DisplayMessage::Item(item, terms)) => {
                item.bytes(|event| feed::encoded(event, &terms))
            }
            Ok(DisplayMessage::Heartbeat(at)) => feed::heartbeat(at),
            Ok(DisplayMessage::Unconfirmed) => continue,
            Ok(DisplayMessage::Refused) => {
                return Some(status(authenticate::no_longer(), About::default()));
            }
            Ok(DisplayMessage::Stopping) => return Some(End::FeedStops.into()),
            Err(denied) => return Some(status(denied, About::default())),
        };
        match writes.taken(to_display.send(Ok(Encoded(bytes)))).await {
            Some(Ok(())) => {}
            Some(Err(_)) => return None,
            None => return Some(End::MessagesNotRead.into()),
        }
    }
}

#[cfg(test)]
mod tests;
