//! One display's WebSocket session.
//!
//! # Shape
//! [`run`] writes the messages of its listener, one at a time, and reads from the display. The listener decides the
//! order of messages. This file adds pings, close frames and timeouts.
//!
//! # Limits
//! [`PING_EVERY`], [`SILENCE_MAX`], [`WRITE_MAX`](meterhouse_engine::feed::writes::WRITE_MAX). Nothing is queued here.

use std::time::Duration;

use axum::extract::ws::{CloseCode, CloseFrame, Message, close_code};
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use meterhouse_domain::ids::Timestamp;
use meterhouse_domain::link::LinkTerms;
use meterhouse_edge::authenticate;
use meterhouse_edge::feed as binary;
use meterhouse_engine::feed::item::FeedItem;
use meterhouse_engine::feed::listener::{DisplayMessage, Listener};
use meterhouse_engine::feed::writes::Writes;
use tokio::time::Instant;

use super::message as text;

/// Interval between two pings.
const PING_EVERY: Duration = Duration::from_secs(10);
/// Maximum time without a message from the display. After that, the connection is closed.
const SILENCE_MAX: Duration = Duration::from_secs(30);

const _: () = assert!(2 * PING_EVERY.as_secs() < SILENCE_MAX.as_secs());

/// The form of a connection's messages.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON texts.
    Text,
    /// Binary frames of Protocol Buffers.
    Binary,
}

impl Form {
    /// Returns a message of the feed. Each message is encoded once for all displays of a form.
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

/// The end of a session: the display is gone, silent or too slow, or the server stops.
struct Ended;

/// The session of one connection.
struct Session<S> {
    socket: S,
    form: Form,
    writes: Writes,
    received_at: Instant,
    pinged_at: Instant,
}

/// Serves a display until the display or the server ends the session.
pub(super) async fn run<S, E>(socket: S, mut listener: Listener, form: Form)
where
    S: Stream<Item = Result<Message, E>> + Sink<Message, Error = E> + Unpin + Send,
    E: Send,
{
    let now = Instant::now();
    let mut session = Session {
        socket,
        form,
        writes: listener.writes(),
        received_at: now,
        pinged_at: now,
    };
    // The reason is not logged: displays disconnect all the time.
    let _: Result<(), Ended> = session.serve(&mut listener).await;
}

impl<S, E> Session<S>
where
    S: Stream<Item = Result<Message, E>> + Sink<Message, Error = E> + Unpin,
{
    async fn serve(&mut self, listener: &mut Listener) -> Result<(), Ended> {
        loop {
            // Dropping either future loses nothing.
            tokio::select! {
                biased;
                message = listener.next() => match message.map_err(|_| Ended)? {
                    DisplayMessage::Item(item, terms) => self.send(self.form.item(&item, &terms)).await?,
                    DisplayMessage::Heartbeat(at) => {
                        self.check_activity().await?;
                        self.send(self.form.heartbeat(at)).await?;
                    }
                    DisplayMessage::Unconfirmed => self.check_activity().await?,
                    DisplayMessage::Refused => {
                        let detail = authenticate::no_longer().to_string();
                        return self.close(close_code::POLICY, detail).await;
                    }
                    DisplayMessage::Stopping => {
                        return self.close(close_code::AWAY, "the server stops".to_owned()).await;
                    }
                },
                message = self.socket.next() => match message {
                    None | Some(Err(_) | Ok(Message::Close(_))) => return Err(Ended),
                    Some(Ok(_)) => self.received_at = Instant::now(),
                },
            }
        }
    }

    /// Ends the session if the display was silent for too long, and sends a ping when due. Called once a second.
    async fn check_activity(&mut self) -> Result<(), Ended> {
        let now = Instant::now();
        if now.duration_since(self.received_at) > SILENCE_MAX {
            return Err(Ended);
        }
        if now.duration_since(self.pinged_at) >= PING_EVERY {
            self.pinged_at = now;
            self.send(Message::Ping(Vec::new().into())).await?;
        }
        Ok(())
    }

    async fn close(&mut self, code: CloseCode, reason: String) -> Result<(), Ended> {
        let frame = CloseFrame {
            code,
            reason: reason.into(),
        };
        self.send(Message::Close(Some(frame))).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Ended> {
        match self.writes.taken(self.socket.send(message)).await {
            Some(Ok(())) => Ok(()),
            Some(Err(_)) | None => Err(Ended),
        }
    }
}

#[cfg(test)]
mod tests;
