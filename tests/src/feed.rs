//! A display: it listens to a link, in any of the ways that there are, and keeps what it heard.

mod message;
mod same;

use std::net::SocketAddr;

use futures_util::{SinkExt as _, StreamExt as _};
use meterhouse_api::feed as api;
use meterhouse_proto::feed::meter_feed_client::MeterFeedClient;
use meterhouse_proto::feed::{FeedMessage, Position, WatchRequest};
use prost::Message as _;
use serde_json::Value;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::{self, HeaderValue};
use tokio_tungstenite::tungstenite::{Error, Message};
use tonic::{Request, Status, Streaming};

pub use same::{Ways, assert_same};

use crate::client::shape::same;
use crate::wait::{PATIENCE, in_time};

/// The subprotocol of binary frames.
const BINARY: &str = "meterhouse.v1.proto";

/// A display.
#[derive(Debug)]
pub struct Feed {
    way: Way,
    /// Everything that was heard, in its order, as the texts say it.
    pub heard: Vec<Value>,
    /// Why it ended, where that is told.
    pub ended: Option<Status>,
}

/// How it listens.
#[derive(Debug)]
enum Way {
    Texts(WebSocketStream<TcpStream>),
    Frames(WebSocketStream<TcpStream>),
    Stream(Box<Streaming<FeedMessage>>),
}

impl Feed {
    /// Begins to listen, behind a place where there is one.
    pub async fn open(address: SocketAddr, link: &str, after: Option<&str>) -> Self {
        Self::open_as(address, link, after, None).await
    }

    /// Begins to listen with a token, where there is one.
    pub async fn open_as(
        address: SocketAddr,
        link: &str,
        after: Option<&str>,
        token: Option<&str>,
    ) -> Self {
        let request = asked(address, link, after, token);
        Self::new(Way::Texts(over(connected(address).await, request).await))
    }

    /// Begins to listen with so small a buffer that the server notices soon when nobody reads.
    pub async fn open_narrow(address: SocketAddr, link: &str) -> Self {
        /// The least that Linux gives.
        const NARROW: u32 = 2_304;
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(NARROW).expect("a small buffer");
        let stream = socket.connect(address).await.expect("the server listens");
        let request = asked(address, link, None, None);
        Self::new(Way::Texts(over(stream, request).await))
    }

    /// Begins to listen to binary frames, with a token where there is one. The server has to agree to the subprotocol.
    pub async fn open_binary(
        address: SocketAddr,
        link: &str,
        after: Option<&str>,
        token: Option<&str>,
    ) -> Self {
        let mut request = asked(address, link, after, token);
        let protocol = HeaderValue::from_static(BINARY);
        request
            .headers_mut()
            .insert("sec-websocket-protocol", protocol);
        Self::new(Way::Frames(over(connected(address).await, request).await))
    }

    /// Asks for the floor's feed as a browser does: with a session's cookie, and the page that opens it.
    ///
    /// # Errors
    /// The status of the refusal.
    pub async fn open_by_session(
        address: SocketAddr,
        link: &str,
        (cookie, origin): (&str, Option<&str>),
    ) -> Result<Self, u16> {
        let url = format!("ws://{address}/v1/links/{link}/feed?audience=floor");
        let mut request = url.as_str().into_client_request().expect("an address");
        let headers = request.headers_mut();
        headers.insert("cookie", cookie.parse().expect("a header"));
        if let Some(origin) = origin {
            headers.insert("origin", origin.parse().expect("a header"));
        }
        let upgraded = tokio_tungstenite::client_async(request, connected(address).await);
        match in_time("the feed opens", upgraded).await {
            Ok((stream, _)) => Ok(Self::new(Way::Texts(stream))),
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{url}: {error}"),
        }
    }

    /// Begins to listen over gRPC, at the address where that is spoken.
    ///
    /// # Errors
    /// The status, where the server says no.
    pub async fn watch(
        address: SocketAddr,
        link: &str,
        after: Option<&str>,
    ) -> Result<Self, Status> {
        Self::watch_as(address, link, after, None).await
    }

    /// Begins to listen over gRPC with a token, where there is one.
    ///
    /// # Errors
    /// The status, where the server says no.
    pub async fn watch_as(
        address: SocketAddr,
        link: &str,
        after: Option<&str>,
        token: Option<&str>,
    ) -> Result<Self, Status> {
        let client = MeterFeedClient::connect(format!("http://{address}"));
        let mut client = in_time("a connection", client).await.expect("it listens");
        let position = |text: &str| {
            let (batch, index) = text.split_once('.').expect("a place");
            Position {
                batch: batch.parse().expect("a batch"),
                index: index.parse().expect("an index in it"),
            }
        };
        let mut request = Request::new(WatchRequest {
            link: link.to_owned(),
            after: after.map(position),
            seal: String::new(),
        });
        if let Some(token) = token {
            let bearer = format!("Bearer {token}").parse().expect("a header");
            request.metadata_mut().insert("authorization", bearer);
        }
        let answer = in_time("the feed opens", client.watch(request)).await?;
        Ok(Self::new(Way::Stream(Box::new(answer.into_inner()))))
    }

    const fn new(way: Way) -> Self {
        Self {
            way,
            heard: Vec::new(),
            ended: None,
        }
    }

    /// The next message; nothing when the server has closed the feed.
    pub async fn next(&mut self) -> Option<Value> {
        let message = in_time("a message of the feed", self.said()).await?;
        self.heard.push(message.clone());
        Some(message)
    }

    async fn said(&mut self) -> Option<Value> {
        match &mut self.way {
            Way::Texts(stream) => match frame(stream).await? {
                Message::Text(text) => {
                    let message = serde_json::from_str(&text).expect("JSON");
                    same::<api::FeedMessage>("feed", &message);
                    Some(message)
                }
                other => panic!("not a text: {other:?}"),
            },
            Way::Frames(stream) => match frame(stream).await? {
                Message::Binary(bytes) => {
                    let message = FeedMessage::decode(bytes).expect("a message");
                    Some(message::as_text(&message))
                }
                other => panic!("not a binary frame: {other:?}"),
            },
            Way::Stream(stream) => match stream.message().await {
                Ok(message) => message.as_ref().map(message::as_text),
                Err(status) => {
                    self.ended = Some(status);
                    None
                }
            },
        }
    }

    /// Reads until what was heard is enough.
    pub async fn until(&mut self, what: &str, enough: impl Fn(&[Value]) -> bool) {
        let reading = async { while !enough(&self.heard) && self.next().await.is_some() {} };
        // Heartbeats come all the time: the limit is for all of it.
        drop(timeout(PATIENCE, reading).await);
        assert!(
            enough(&self.heard),
            "not heard: {what}; the last were {:#?}",
            self.last()
        );
    }

    /// Reads until a message of this type comes that `is_it`.
    pub async fn hears(&mut self, kind: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let is_it = |it: &&Value| it["type"] == kind && is_it(it);
        self.until(kind, |heard| heard.iter().any(|it| is_it(&it)))
            .await;
        let found = self.heard.iter().find(is_it);
        found.cloned().expect("it was heard")
    }

    /// The end of what was heard, for messages.
    fn last(&self) -> &[Value] {
        /// Messages that somebody who looks for a mistake can read.
        const SHOWN: usize = 20;
        let from = self.heard.len().saturating_sub(SHOWN);
        self.heard.get(from..).unwrap_or_default()
    }

    /// What was heard of one type.
    pub fn of(&self, kind: &str) -> Vec<&Value> {
        self.heard.iter().filter(|it| it["type"] == kind).collect()
    }

    /// Leaves.
    pub async fn close(self) {
        match self.way {
            // A server that has gone already is as well.
            Way::Texts(mut stream) | Way::Frames(mut stream) => {
                drop(stream.send(Message::Close(None)).await);
            }
            Way::Stream(_) => {}
        }
    }
}

async fn connected(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).await;
    stream.expect("the server listens")
}

/// The request for the WebSocket of a feed.
fn asked(
    address: SocketAddr,
    link: &str,
    after: Option<&str>,
    token: Option<&str>,
) -> http::Request<()> {
    let query = after.map(|it| format!("?after={it}")).unwrap_or_default();
    let url = format!("ws://{address}/v1/links/{link}/feed{query}");
    let mut request = url.as_str().into_client_request().expect("an address");
    if let Some(token) = token {
        let bearer = format!("Bearer {token}").parse().expect("a header");
        request.headers_mut().insert("authorization", bearer);
    }
    request
}

/// The WebSocket of a feed.
async fn over(stream: TcpStream, request: http::Request<()>) -> WebSocketStream<TcpStream> {
    let url = request.uri().clone();
    let upgraded = tokio_tungstenite::client_async(request, stream);
    let upgraded = in_time("the feed opens", upgraded).await;
    let (stream, _) = upgraded.unwrap_or_else(|error| panic!("{url}: {error}"));
    stream
}

/// The next frame that says something; nothing at the end.
async fn frame(stream: &mut WebSocketStream<TcpStream>) -> Option<Message> {
    loop {
        match stream.next().await {
            // Pings are answered by the library.
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
            Some(Ok(message)) => return Some(message),
        }
    }
}
