//! A display: it listens to a link and keeps what it heard.

use std::net::SocketAddr;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use crate::wait::{PATIENCE, in_time};

/// A display.
#[derive(Debug)]
pub struct Feed {
    stream: WebSocketStream<TcpStream>,
    /// Everything that was heard, in its order.
    pub heard: Vec<Value>,
}

impl Feed {
    /// Begins to listen, behind a place where there is one.
    pub async fn open(address: SocketAddr, link: &str, after: Option<&str>) -> Self {
        let stream = TcpStream::connect(address)
            .await
            .expect("the server listens");
        Self::over(stream, address, link, after).await
    }

    /// Begins to listen with so small a buffer that the server notices soon when nobody reads.
    pub async fn open_narrow(address: SocketAddr, link: &str) -> Self {
        /// The least that Linux gives.
        const NARROW: u32 = 2_304;
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(NARROW).expect("a small buffer");
        let stream = socket.connect(address).await.expect("the server listens");
        Self::over(stream, address, link, None).await
    }

    async fn over(stream: TcpStream, address: SocketAddr, link: &str, after: Option<&str>) -> Self {
        let query = after.map(|it| format!("?after={it}")).unwrap_or_default();
        let url = format!("ws://{address}/v1/links/{link}/feed{query}");
        let upgraded = in_time(
            "the feed opens",
            tokio_tungstenite::client_async(&url, stream),
        );
        let (stream, _) = upgraded
            .await
            .unwrap_or_else(|error| panic!("{url}: {error}"));
        Self {
            stream,
            heard: Vec::new(),
        }
    }

    /// The next message; nothing when the server has closed the feed.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            match in_time("a message of the feed", self.stream.next()).await {
                Some(Ok(Message::Text(text))) => {
                    let message: Value = serde_json::from_str(&text).expect("JSON");
                    self.heard.push(message.clone());
                    return Some(message);
                }
                // Pings are answered by the library.
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(other)) => panic!("not a text: {other:?}"),
            }
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
    pub async fn close(mut self) {
        // A server that has gone already is as well.
        drop(self.stream.send(Message::Close(None)).await);
    }
}
