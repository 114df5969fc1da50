//! One display's WebSocket session.
//!
//! # Shape
//! [`Session::serve`] writes the messages of a listener, one at a time, and reads from the display. The listener decides
//! the order of messages. This file adds pings, close frames and timeouts. While a display is in a [group](super::group),
//! the group writes for it.
//!
//! # Limits
//! [`PING_EVERY`], [`SILENCE_MAX`], [`WRITE_MAX`](meterhouse_engine::feed::writes::WRITE_MAX). Nothing is queued here.

use std::time::Duration;

use futures_util::{Sink, SinkExt, Stream, StreamExt};
use meterhouse_domain::ids::Timestamp;
use meterhouse_domain::link::LinkTerms;
use meterhouse_edge::authenticate;
use meterhouse_edge::feed as binary;
use meterhouse_engine::feed::item::FeedItem;
use meterhouse_engine::feed::listener::{DisplayMessage, Listener};
use meterhouse_engine::feed::writes::Writes;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message};

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
    pub(super) fn item(self, item: &FeedItem, terms: &LinkTerms) -> Message {
        match self {
            Self::Text => Message::text(&*item.text(|event| text::text(event, terms))),
            Self::Binary => Message::Binary(item.bytes(|event| binary::encoded(event, terms))),
        }
    }

    pub(super) fn heartbeat(self, at: Timestamp) -> Message {
        match self {
            Self::Text => Message::text(text::heartbeat(at)),
            Self::Binary => Message::Binary(binary::heartbeat(at)),
        }
    }
}

/// The end of a session: the display is gone, silent or too slow, or the server stops.
#[derive(Debug)]
pub(super) struct Ended;

/// What a display was served.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Served {
    /// A message of the feed.
    Item,
    /// The end of a second, with a heartbeat if the amounts are confirmed.
    Second,
}

/// The session of one connection.
pub(super) struct Session<S> {
    pub(super) socket: S,
    pub(super) form: Form,
    pub(super) writes: Writes,
    pub(super) received_at: Instant,
    pub(super) pinged_at: Instant,
}

impl<S> Session<S> {
    /// Begins a session.
    pub(super) fn new(socket: S, form: Form, listener: &Listener) -> Self {
        let now = Instant::now();
        Self {
            socket,
            form,
            writes: listener.writes(),
            received_at: now,
            pinged_at: now,
        }
    }

    /// Returns `true` if the display was silent for too long.
    pub(super) fn is_silent(&self, now: Instant) -> bool {
        now.duration_since(self.received_at) > SILENCE_MAX
    }

    /// Returns `true` if a ping is due, which is then sent.
    pub(super) fn take_ping(&mut self, now: Instant) -> bool {
        let is_due = now.duration_since(self.pinged_at) >= PING_EVERY;
        if is_due {
            self.pinged_at = now;
        }
        is_due
    }
}

impl<S, E> Session<S>
where
    S: Stream<Item = Result<Message, E>> + Sink<Message, Error = E> + Unpin,
{
    /// Serves a display until it was sent the next message, or a second has passed.
    ///
    /// # Errors
    /// The end of the session. The reason is not logged: displays disconnect all the time.
    pub(super) async fn serve(&mut self, listener: &mut Listener) -> Result<Served, Ended> {
        loop {
            // Dropping either future loses nothing.
            tokio::select! {
                biased;
                message = listener.next() => {
                    let message = message.map_err(|_| Ended)?;
                    return self.send_message(message).await;
                }
                message = self.socket.next() => match message {
                    None | Some(Err(_) | Ok(Message::Close(_))) => return Err(Ended),
                    Some(Ok(_)) => self.received_at = Instant::now(),
                },
            }
        }
    }

    async fn send_message(&mut self, message: DisplayMessage) -> Result<Served, Ended> {
        match message {
            DisplayMessage::Item(item, terms) => {
                self.send(self.form.item(&item, &terms)).await?;
                return Ok(Served::Item);
            }
            DisplayMessage::Heartbeat(at) => {
                self.check_activity().await?;
                self.send(self.form.heartbeat(at)).await?;
            }
            DisplayMessage::Unconfirmed => self.check_activity().await?,
            DisplayMessage::Refused => return Err(self.refuse().await),
            DisplayMessage::Stopping => {
                let reason = "the server stops".to_owned();
                return Err(self.close(CloseCode::Away, reason).await);
            }
        }
        Ok(Served::Second)
    }

    /// Ends the session because its token or its person's session is no longer valid.
    pub(super) async fn refuse(&mut self) -> Ended {
        let detail = authenticate::no_longer().to_string();
        self.close(CloseCode::Policy, detail).await
    }

    /// Ends the session if the display was silent for too long, and sends a ping when due. Called once a second.
    async fn check_activity(&mut self) -> Result<(), Ended> {
        let now = Instant::now();
        if self.is_silent(now) {
            return Err(Ended);
        }
        if self.take_ping(now) {
            self.send(Message::Ping(Vec::new().into())).await?;
        }
        Ok(())
    }

    async fn close(&mut self, code: CloseCode, reason: String) -> Ended {
        let frame = CloseFrame {
            code,
            reason: reason.into(),
        };
        // The session ends in any case.
        drop(self.send(Message::Close(Some(frame))).await);
        Ended
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
