//! `MeterFeed/Watch`: what displays listen to, as over WebSocket. No token is needed; with one of the floor's it is the
//! floor's feed.
//!
//! # Shape
//! A task writes what its listener is told into a channel of one message, which the stream takes from. A display that
//! takes nothing is seen there, while its connection may be well.
//!
//! # What bounds it
//! [`FEEDS_MAX`](meterhouse_engine::feed::feeds::FEEDS_MAX) displays over all ways to listen; [`UNTAKEN_MAX`], [`WRITE_MAX`]; as
//! long again for the status, and then the connection of a display that takes nothing is closed.
//!
//! # What order holds
//! The listener's. A stream ends with a status that says why, unless its display takes nothing at all.

use meterhouse_domain::ids::LinkName;
use meterhouse_edge::wire_error::WireError;
use meterhouse_edge::{authenticate, feed, value};
use meterhouse_engine::Engine;
use meterhouse_engine::answer::Denied;
use meterhouse_engine::feed::listener::{DisplayMessage, Listener, WRITE_MAX};
use meterhouse_proto::encoded::Encoded;
use meterhouse_proto::encoded::meter_feed_server::MeterFeed;
use meterhouse_proto::feed::{Position, WatchRequest};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::metadata::MetadataValue;
use tonic::{Request, Response, Status};

use crate::connection::{Closer, Peer, end_stream};
use crate::status::{About, End, status};

/// Bytes of a request: a name and two numbers.
pub(crate) const REQUEST_BYTES_MAX: usize = 1_024;
/// Messages that wait for a stream to take them.
const UNTAKEN_MAX: usize = 1;

/// The feeds of links.
pub(crate) struct Watch {
    engine: Engine,
    stopping: CancellationToken,
}

impl Watch {
    /// The feeds of an engine, until the server stops.
    pub(crate) const fn new(engine: Engine, stopping: CancellationToken) -> Self {
        Self { engine, stopping }
    }

    async fn listen(
        &self,
        request: &WatchRequest,
        header: Option<&[u8]>,
    ) -> Result<Listener, WireError> {
        let link: LinkName = value::name("link", &request.link)?;
        let pass = authenticate::floor_token(&self.engine, header, &link).await?;
        let after = |it: &Position| value::place_of("after", it.batch, it.place);
        let after = request.after.as_ref().map(after).transpose()?;
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
        let listener = self.listen(request.get_ref(), header).await;
        let listener = listener.map_err(|error| status(error, About::default()))?;
        if let (Some(_), Some(peer)) = (header, &peer) {
            peer.place.know();
        }
        if peer.as_ref().is_some_and(|peer| !peer.place.listen()) {
            return Err(status(Denied::TooManyFeeds, About::default()));
        }
        let connection = peer.map(|peer| peer.closer);
        Ok(Response::new(messages(listener, connection)))
    }
}

/// What one display reads.
type Messages = ReceiverStream<Result<Encoded, Status>>;
/// Where what it is told waits.
type Untaken = mpsc::Sender<Result<Encoded, Status>>;

/// What a listener is told, until one of the two goes; then why it ended.
fn messages(listener: Listener, connection: Option<Closer>) -> Messages {
    let (to_display, untaken) = mpsc::channel(UNTAKEN_MAX);
    tokio::spawn(async move {
        // Its place among the feeds is free from here on.
        if let Some(why) = serve(listener, &to_display).await {
            end_stream(to_display, why, WRITE_MAX, connection).await;
        }
    });
    ReceiverStream::new(untaken)
}

/// Serves a display until it has gone, or there is something to say about the end.
async fn serve(mut listener: Listener, to_display: &Untaken) -> Option<Status> {
    loop {
        // Dropping either wait loses nothing.
        let told = tokio::select! {
            biased;
            () = to_display.closed() => return None,
            told = listener.next() => told,
        };
        let bytes = match told {
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
        match timeout(WRITE_MAX, to_display.send(Ok(Encoded(bytes)))).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return None,
            Err(_) => return Some(End::MessagesNotRead.into()),
        }
    }
}

#[cfg(test)]
mod tests;
