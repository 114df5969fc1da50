//! The errors of opening, sending and waiting, and the reasons that a controller stops.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::limits::OUTBOX_COMMANDS_MAX;
use crate::values::{HitName, Sequence, TableName};

/// The reason that a controller can't be opened.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OpenError {
    /// The outbox can't be used.
    #[error(transparent)]
    Outbox(#[from] OutboxError),
    /// The address is invalid.
    #[error(
        "`{address}` is not the address of a server; write http://HOST:PORT or https://HOST:PORT"
    )]
    Address {
        /// The invalid address.
        address: String,
    },
    /// The certificates of TLS can't be used.
    #[error(
        "TLS: {what}; name PEM files of the server's signer, and of the table's certificate and key"
    )]
    Tls {
        /// The message of the library.
        what: String,
    },
    /// No thread or runtime could be started.
    #[error("could not start a thread for the controller: {what}")]
    Thread {
        /// The message of the operating system.
        what: String,
    },
}

/// The reason that an outbox can't be used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OutboxError {
    /// A process has the outbox open: another one, or this one.
    #[error(
        "the outbox {} is in use: only one program at a time may play for a table; stop the other program",
        path.display()
    )]
    InUse {
        /// The path of the outbox.
        path: PathBuf,
    },
    /// The outbox was made for another table.
    #[error(
        "the outbox {} is that of table {found}, not of {table}: give every table its own file",
        path.display()
    )]
    OtherTable {
        /// The path of the outbox.
        path: PathBuf,
        /// The table that the outbox was made for.
        found: String,
        /// The table of this controller.
        table: TableName,
    },
    /// The file is not an outbox, or is damaged.
    #[error(
        "the outbox {} is damaged or not an outbox ({what}): commands stored in it may not have reached the server; \
         keep the file for inspection, it was not replaced",
        path.display()
    )]
    Damaged {
        /// The path of the file.
        path: PathBuf,
        /// A description of the damage.
        what: String,
    },
    /// The outbox was written by a later release.
    #[error(
        "the outbox {} has format {found}, but this release reads {known}; use the release that wrote it, or a later one",
        path.display()
    )]
    OtherFormat {
        /// The path of the outbox.
        path: PathBuf,
        /// The format of the outbox.
        found: u64,
        /// The format that this release reads.
        known: u64,
    },
    /// The file system reported an error.
    #[error("the outbox {} can't be read or written: {what}", path.display())]
    Disk {
        /// The path of the outbox.
        path: PathBuf,
        /// The message of the file system.
        what: String,
    },
    /// A defect of this crate.
    #[error(
        "the outbox {} was not closed properly: the thread that writes it failed because of a defect of this crate; \
         report the log before this message; stored commands stay stored",
        path.display()
    )]
    Fault {
        /// The path of the outbox.
        path: PathBuf,
    },
}

/// A list that is longer than a command may have.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{count} {what} in one command; the maximum is {most}")]
pub struct TooLong {
    /// The name of the list.
    pub what: &'static str,
    /// The length of the list.
    pub count: usize,
    /// The maximum length of the list.
    pub most: usize,
}

/// The reason that a command was not stored. No lamp may be lit for it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SendError {
    /// The outbox is full.
    #[error(
        "the outbox is full: {OUTBOX_COMMANDS_MAX} commands have no outcome, or one that was not taken; \
         pause the table until outcomes are taken"
    )]
    Full,
    /// The outbox is new and has never reached the server.
    #[error("the outbox is new and has no first number yet: wait until the table is online once")]
    NotNumbered,
    /// The command has a list that is too long.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// The disk failed, so that it is unknown if the command is stored. The command counts once or never.
    #[error("{0}; open the outbox again to see if the command is stored")]
    Outbox(OutboxError),
    /// The controller has stopped.
    #[error("the controller has stopped: {0}")]
    Stopped(Stopped),
    /// The controller was closed.
    #[error("the controller was closed")]
    Closed,
}

/// The reason that no outcome arrives any more in this process. The command stays in the outbox.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OutcomeError {
    /// The controller has stopped.
    #[error("the controller has stopped: {0}")]
    Stopped(Stopped),
    /// The controller was closed. After it is opened again, the outcome goes to `Outcomes`.
    #[error("the controller was closed; the command stays in the outbox")]
    Closed,
}

/// The reason that the decision about a hit can't be returned.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DecisionError {
    /// The server keeps no such hit for this table.
    #[error(
        "the server has no hit {hit} for this table: the hit is another table's, its round is void, or newer hits \
         replaced it; ask the floor"
    )]
    NotKept {
        /// The name of the hit.
        hit: HitName,
    },
    /// The controller has stopped.
    #[error("the controller has stopped: {0}")]
    Stopped(Stopped),
    /// The controller was closed.
    #[error("the controller was closed")]
    Closed,
}

/// The reason that a person has to intervene, because no retry helps. Stored commands stay in the outbox.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Stopped {
    /// The server refused the table or one of its commands, and no number was used up.
    #[error("the server refuses this table: {detail} ({code})")]
    Refused {
        /// The stable code, such as `unauthenticated`, `forbidden`, `unknown_table` or `sequence_reused`.
        code: String,
        /// The server's explanation, for people.
        detail: String,
        /// The details of the refusal: field and value.
        fields: BTreeMap<String, String>,
    },
    /// The server has used up numbers that this outbox never assigned.
    #[error(
        "the server expects command {server_next} of table {table}, but this outbox assigned numbers only up to {last_assigned}: \
         another controller played for the table, or this outbox is an old copy"
    )]
    ServerAhead {
        /// The name of the table.
        table: TableName,
        /// The number that the server expects.
        server_next: u64,
        /// The last number that this outbox assigned.
        last_assigned: u64,
    },
    /// The server lacks numbers for which this outbox had the outcome.
    #[error(
        "the server expects command {server_next} of table {table}, but the oldest that this outbox can send is {oldest}: \
         the server has lost commands that it had counted"
    )]
    ServerBehind {
        /// The name of the table.
        table: TableName,
        /// The number that the server expects.
        server_next: u64,
        /// The oldest command without an outcome, or the next one to be assigned.
        oldest: u64,
    },
    /// The server sent a message that this release can't read.
    #[error(
        "the server's message can't be read: {what}; use the release of the client that matches the server's"
    )]
    Unreadable {
        /// The part that is missing or wrong.
        what: &'static str,
        /// The command, if the message is its outcome.
        sequence: Option<Sequence>,
    },
    /// The disk failed.
    #[error(transparent)]
    Outbox(OutboxError),
    /// A defect of this crate.
    #[error(
        "the controller failed because of a defect of this crate: start the program again, and report the log before this message"
    )]
    Fault,
}

/// A message with a missing or wrong part.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the server's message can't be read: {0}")]
pub struct Unreadable(pub(crate) &'static str);
