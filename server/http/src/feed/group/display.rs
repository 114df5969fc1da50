//! One display of a group: what it is sent without waiting, and what is read from it.
//!
//! # Limits
//! [`READS_AT_ONCE`].

use std::io::{self, ErrorKind};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use futures_util::{SinkExt as _, StreamExt as _};
use meterhouse_engine::feed::group::Member;
use meterhouse_engine::feed::listener::DisplayMessage;
use tokio::io::Interest;
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::Message;
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::feed::frame::{Outgoing, Parts};
use crate::feed::session::Session;
use crate::socket::{Socket, plain};

/// Maximum number of messages from a display that a group reads at once. A display that has sent more leaves.
const READS_AT_ONCE: usize = 64;

/// A display in a group.
pub(super) struct GroupDisplay {
    pub(super) session: Session<WebSocketStream<Socket>>,
    pub(super) member: Box<Member>,
    /// What the socket has not taken of the last message. A display with a rest leaves.
    pub(super) unsent: Bytes,
    pub(super) open: TaskTrackerToken,
}

/// What becomes of a display that was sent a message.
pub(super) enum Course {
    Stays,
    Leaves,
    Ends,
}

impl GroupDisplay {
    pub(super) fn new(
        session: Session<WebSocketStream<Socket>>,
        member: Member,
        open: TaskTrackerToken,
    ) -> Self {
        Self {
            session,
            member: Box::new(member),
            unsent: Bytes::new(),
            open,
        }
    }

    /// Reads what has come, and writes a message as far as the socket takes it. A display whose pass has ended, or has to be
    /// looked up, is sent nothing and leaves.
    pub(super) fn send(&mut self, outgoing: &mut Outgoing, now: Instant) -> Course {
        let course = if self.member.is_check_due() {
            Course::Leaves
        } else {
            self.receive(now)
        };
        match (course, &outgoing.message) {
            (Course::Stays, _) => {}
            (Course::Leaves, Some(DisplayMessage::Item(item, _))) => {
                self.member.owe(item);
                return Course::Leaves;
            }
            (course, _) => return course,
        }
        let is_second = outgoing.second.is_some();
        if is_second && self.session.is_silent(now) {
            return Course::Ends;
        }
        let has_message = match &outgoing.message {
            Some(DisplayMessage::Refused | DisplayMessage::Stopping) => return Course::Leaves,
            Some(DisplayMessage::Item(item, _)) => self.member.takes(item),
            Some(DisplayMessage::Heartbeat(_) | DisplayMessage::Unconfirmed) | None => false,
        };
        let bytes = outgoing.bytes(Parts {
            form: self.session.form,
            has_ping: is_second && self.session.take_ping(now),
            has_message,
        });
        match self.write(&bytes) {
            Ok(sent) if sent < bytes.len() => {
                self.unsent = bytes.slice(sent..);
                Course::Leaves
            }
            Ok(_) => Course::Stays,
            Err(_) => Course::Ends,
        }
    }

    /// Writes bytes without waiting. Returns the number of those that the socket has taken.
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        let socket = plain(self.session.socket.get_ref()).ok_or(ErrorKind::Unsupported)?;
        match socket.try_write(bytes) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            sent => sent,
        }
    }

    /// Reads what the display has sent. It leaves if it has sent too much at once, or does not take the answer to a ping.
    fn receive(&mut self, now: Instant) -> Course {
        let Some(socket) = plain(self.session.socket.get_ref()) else {
            return Course::Leaves;
        };
        // Looks at what the runtime knows of the socket, without a system call.
        if socket.try_io(Interest::READABLE, || Ok(())).is_err() {
            return Course::Stays;
        }
        let socket = &mut self.session.socket;
        // The next message is the time to look again.
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..READS_AT_ONCE {
            match socket.poll_next_unpin(&mut context) {
                Poll::Ready(None | Some(Err(_) | Ok(Message::Close(_)))) => return Course::Ends,
                Poll::Ready(Some(Ok(_))) => self.session.received_at = now,
                Poll::Pending => {
                    return match socket.poll_flush_unpin(&mut context) {
                        Poll::Ready(Ok(())) => Course::Stays,
                        Poll::Ready(Err(_)) => Course::Ends,
                        Poll::Pending => Course::Leaves,
                    };
                }
            }
        }
        Course::Leaves
    }
}
