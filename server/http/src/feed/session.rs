//! One connection's life.
//!
//! # Shape
//! [`run`] writes what its listener is told, one message at a time, and hears the display: here is only what a
//! WebSocket needs beside that. What comes in which order is the listener's.
//!
//! # What bounds it
//! [`PING_EVERY`], [`SILENCE_MAX`], [`WRITE_MAX`]; nothing is queued here.

use std::time::Duration;

use axum::extract::ws::{CloseCode, CloseFrame, Message, close_code};
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use meterhouse_domain::ids::Timestamp;
use meterhouse_domain::link::LinkTerms;
use meterhouse_edge::authenticate;
use meterhouse_edge::feed as binary;
use meterhouse_engine::feed::item::FeedItem;
use meterhouse_engine::feed::listener::{DisplayMessage, Listener, WRITE_MAX};
use tokio::time::{Instant, timeout};

use super::message as text;

/// Between two pings.
const PING_EVERY: Duration = Duration::from_secs(10);
/// A display that has answered nothing for so long is gone.
const SILENCE_MAX: Duration = Duration::from_secs(30);

const _: () = assert!(2 * PING_EVERY.as_secs() < SILENCE_MAX.as_secs());

/// In which form a connection's messages are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON, as texts.
    Text,
    /// Protocol Buffers, as binary frames.
    Binary,
}

impl Form {
    /// A message of the feed. It is encoded once for all displays of a form.
    fn item(self, item: &FeedItem, terms: &LinkTerms) -> Message {
        match self {
            Self::Text => Message::text(&*item.text(|event| text::text(event, terms))),
            Self::Binary => Message::Binary(item.bytes(|event| binary::encoded(event, terms))),
        }
    }

    fn heartbeat(self, at: Timestamp) -> Message {
        match self {
            Self::Text => Message::text(text::heartbeat(at)),
            Self::Binary => Message::Binary(binary::heartbeat(at)),
        }
    }
}

/// The connection is over: gone, silent, too slow, or the server stops.
struct Over;

/// A connection.
struct Session<S> {
    socket: S,
    form: Form,
    heard_at: Instant,
    pinged_at: Instant,
}

/// Serves a display until one of the two goes.
pub(super) async fn run<S, E>(socket: S, mut listener: Listener, form: Form)
where
    S: Stream<Item = Result<Message, E>> + Sink<Message, Error = E> + Unpin + Send,
    E: Send,
{
    let now = Instant::now();
    let mut session = Session {
        socket,
        form,
        heard_at: now,
        pinged_at: now,
    };
    // Why it ended is no matter of the log: displays come and go.
    let _: Result<(), Over> = session.serve(&mut listener).await;
}

impl<S, E> Session<S>
where
    S: Stream<Item = Result<Message, E>> + Sink<Message, Error = E> + Unpin,
{
    async fn serve(&mut self, listener: &mut Listener) -> Result<(), Over> {
        loop {
            // Dropping either wait loses nothing.
            tokio::select! {
                biased;
                told = listener.next() => match told.map_err(|_| Over)? {
                    DisplayMessage::Item(item, terms) => self.send(self.form.item(&item, &terms)).await?,
                    DisplayMessage::Heartbeat(at) => {
                        self.second().await?;
                        self.send(self.form.heartbeat(at)).await?;
                    }
                    DisplayMessage::Unconfirmed => self.second().await?,
                    DisplayMessage::Refused => {
                        let detail = authenticate::no_longer().to_string();
                        return self.close(close_code::POLICY, detail).await;
                    }
                    DisplayMessage::Stopping => {
                        return self.close(close_code::AWAY, "the server stops".to_owned()).await;
                    }
                },
                message = self.socket.next() => match message {
                    None | Some(Err(_) | Ok(Message::Close(_))) => return Err(Over),
                    Some(Ok(_)) => self.heard_at = Instant::now(),
                },
            }
        }
    }

    /// A second passed: now and then a ping, and an end to silence.
    async fn second(&mut self) -> Result<(), Over> {
        let now = Instant::now();
        if now.duration_since(self.heard_at) > SILENCE_MAX {
            return Err(Over);
        }
        if now.duration_since(self.pinged_at) >= PING_EVERY {
            self.pinged_at = now;
            self.send(Message::Ping(Vec::new().into())).await?;
        }
        Ok(())
    }

    async fn close(&mut self, code: CloseCode, reason: String) -> Result<(), Over> {
        let frame = CloseFrame {
            code,
            reason: reason.into(),
        };
        self.send(Message::Close(Some(frame))).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Over> {
        match timeout(WRITE_MAX, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Over),
        }
    }
}

#[cfg(test)]
mod tests;
