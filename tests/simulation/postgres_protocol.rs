//! The client's side of the Postgres protocol, as groups of messages: the part that is needed to detect a commit.
//!
//! # Shape
//! The first packet has no type. Every further message has a type and a length. A group ends with Sync or with a simple
//! query, after which the server responds. Prepared statements are recognised by name.

use std::collections::BTreeSet;

/// Comment at the start of a commit's statement.
const COMMIT: &[u8] = b"/* journal.commit";
/// Comment at the start of a confirmation's statement.
const CONFIRM: &[u8] = b"/* journal.confirm_head";
/// The whole packet of a client that asks for TLS: its length and its code.
const TLS_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f];
/// Bytes of a message's length field.
const LENGTH: usize = 4;

/// The kind of a group of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupKind {
    /// Commits a batch.
    Commit,
    /// Confirms the head, and fences other writers.
    Confirm,
    /// Begins a transaction.
    Begin,
    /// Any other group.
    Other,
}

/// The reader of one connection's groups.
#[derive(Default)]
pub(crate) struct GroupReader {
    buffer: Vec<u8>,
    is_started: bool,
    group: Vec<u8>,
    kind: Option<GroupKind>,
    commits: BTreeSet<Vec<u8>>,
    confirms: BTreeSet<Vec<u8>>,
}

impl GroupReader {
    /// Appends received bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the next complete group and its kind.
    pub(crate) fn next_group(&mut self) -> Option<(Vec<u8>, GroupKind)> {
        while let Some(message) = self.message() {
            let is_last = self.classify(&message);
            self.group.extend_from_slice(&message);
            if is_last {
                let kind = self.kind.take().unwrap_or(GroupKind::Other);
                return Some((std::mem::take(&mut self.group), kind));
            }
        }
        None
    }

    /// Returns the next complete message.
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

    /// Updates the group's kind from a message. Returns `true` if the message ends the group.
    fn classify(&mut self, message: &[u8]) -> bool {
        if !self.is_started {
            // A client that asks for TLS first starts with its next packet.
            self.is_started = message != TLS_REQUEST;
            return true;
        }
        let mut texts = message[1 + LENGTH..].split(|byte| *byte == 0);
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
                    self.kind = Some(GroupKind::Commit);
                } else if self.confirms.contains(name) {
                    self.kind = Some(GroupKind::Confirm);
                }
                false
            }
            b'Q' => {
                let text = texts.next().unwrap_or(b"");
                if text.starts_with(COMMIT) {
                    self.kind = Some(GroupKind::Commit);
                } else if text.to_ascii_uppercase().starts_with(b"BEGIN") {
                    self.kind = Some(GroupKind::Begin);
                }
                true
            }
            // Describe, Execute, Close: the group continues.
            b'D' | b'E' | b'C' => false,
            _ => true,
        }
    }
}
