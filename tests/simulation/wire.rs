//! What a client of Postgres sends, as groups of messages: enough of the protocol to know when a commit is on its way.
//!
//! # Shape
//! The first packet has no type; then each message is a type and a length. A group ends where the server begins to
//! answer: with Sync, or with a simple query. Prepared statements are remembered by name.

use std::collections::BTreeSet;

/// The comments with which the statements of a commit and of a confirmation begin.
const COMMIT: &[u8] = b"/* journal.commit";
const CONFIRM: &[u8] = b"/* journal.confirm_head";
/// Bytes of a length.
const LENGTH: usize = 4;

/// What a group of messages asks the server to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// To move the head.
    Commit,
    /// To say where it is, and to keep others out.
    Confirm,
    /// To begin a transaction.
    Begin,
    /// Anything else.
    Other,
}

/// The client's side of one connection.
#[derive(Default)]
pub(crate) struct Wire {
    buffer: Vec<u8>,
    is_started: bool,
    group: Vec<u8>,
    asked: Option<Asked>,
    commits: BTreeSet<Vec<u8>>,
    confirms: BTreeSet<Vec<u8>>,
}

impl Wire {
    /// Takes more bytes in.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole group, and what it asks for.
    pub(crate) fn group(&mut self) -> Option<(Vec<u8>, Asked)> {
        while let Some(message) = self.message() {
            let is_last = self.look(&message);
            self.group.extend_from_slice(&message);
            if is_last {
                let asked = self.asked.take().unwrap_or(Asked::Other);
                return Some((std::mem::take(&mut self.group), asked));
            }
        }
        None
    }

    /// The next whole message.
    fn message(&mut self) -> Option<Vec<u8>> {
        let before = usize::from(self.is_started);
        let length = self.buffer.get(before..before + LENGTH)?;
        let length = u32::from_be_bytes(length.try_into().ok()?);
        let end = before + usize::try_from(length).ok()?;
        if self.buffer.len() < end {
            return None;
        }
        let rest = self.buffer.split_off(end);
        Some(std::mem::replace(&mut self.buffer, rest))
    }

    /// Remembers what a message says; whether it ends its group.
    fn look(&mut self, message: &[u8]) -> bool {
        if !self.is_started {
            self.is_started = true;
            return true;
        }
        let mut texts = message[1 + LENGTH..].split(|it| *it == 0);
        match message[0] {
            // Parse: name, text.
            b'P' => {
                let (name, text) = (texts.next().unwrap_or(b""), texts.next().unwrap_or(b""));
                if text.starts_with(COMMIT) {
                    self.commits.insert(name.to_vec());
                } else if text.starts_with(CONFIRM) {
                    self.confirms.insert(name.to_vec());
                }
                false
            }
            // Bind: portal, name.
            b'B' => {
                let name = texts.nth(1).unwrap_or(b"");
                if self.commits.contains(name) {
                    self.asked = Some(Asked::Commit);
                } else if self.confirms.contains(name) {
                    self.asked = Some(Asked::Confirm);
                }
                false
            }
            b'Q' => {
                let text = texts.next().unwrap_or(b"");
                if text.starts_with(COMMIT) {
                    self.asked = Some(Asked::Commit);
                } else if text.to_ascii_uppercase().starts_with(b"BEGIN") {
                    self.asked = Some(Asked::Begin);
                }
                true
            }
            // Describe, Execute, Close: more follows.
            b'D' | b'E' | b'C' => false,
            _ => true,
        }
    }
}
