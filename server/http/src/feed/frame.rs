//! The bytes that a group writes to its displays: each message encoded once in each form, with the header of its frame.

use bytes::Bytes;
use meterhouse_engine::feed::listener::DisplayMessage;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use super::session::Form;

/// What a group writes at once.
#[derive(Default)]
pub(super) struct Outgoing {
    /// The end of a second, with its heartbeat if the amounts are confirmed.
    pub(super) second: Option<DisplayMessage>,
    /// The message after it.
    pub(super) message: Option<DisplayMessage>,
    encoded: Vec<(Parts, Bytes)>,
}

/// What a display is sent of it.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) form: Form,
    /// Set if a ping comes first.
    pub(super) has_ping: bool,
    /// Set if the display does not know the message.
    pub(super) has_message: bool,
}

impl Outgoing {
    /// Adds a message.
    pub(super) fn add(&mut self, message: DisplayMessage) {
        if is_second(&message) {
            self.second = Some(message);
        } else {
            self.message = Some(message);
        }
    }

    /// Returns what is written to a display, encoded for the first one that gets the same.
    pub(super) fn bytes(&mut self, parts: Parts) -> Bytes {
        if let Some((_, bytes)) = self.encoded.iter().find(|(of, _)| *of == parts) {
            return bytes.clone();
        }
        let ping = parts.has_ping.then(|| Frame::ping(Bytes::new()));
        let message = self.message.as_ref().filter(|_| parts.has_message);
        let messages = self.second.iter().chain(message);
        let frames = messages.filter_map(|message| frame(message, parts.form));
        let mut bytes = Vec::new();
        for frame in ping.into_iter().chain(frames) {
            // A vector takes all bytes. A server's frames have no mask, so they are the same for all displays.
            drop(frame.format(&mut bytes));
        }
        let bytes = Bytes::from(bytes);
        self.encoded.push((parts, bytes.clone()));
        bytes
    }
}

/// Returns `true` for the end of a second.
pub(super) const fn is_second(message: &DisplayMessage) -> bool {
    match message {
        DisplayMessage::Heartbeat(_) | DisplayMessage::Unconfirmed => true,
        DisplayMessage::Item(..) | DisplayMessage::Refused | DisplayMessage::Stopping => false,
    }
}

/// Returns the frame of a message, if one is sent of it.
fn frame(message: &DisplayMessage, form: Form) -> Option<Frame> {
    let payload = match message {
        DisplayMessage::Item(item, terms) => form.item(item, terms),
        DisplayMessage::Heartbeat(at) => form.heartbeat(*at),
        DisplayMessage::Unconfirmed | DisplayMessage::Refused | DisplayMessage::Stopping => {
            return None;
        }
    };
    let kind = match form {
        Form::Text => Data::Text,
        Form::Binary => Data::Binary,
    };
    Some(Frame::message(
        payload.into_data(),
        OpCode::Data(kind),
        true,
    ))
}
