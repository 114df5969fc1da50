//! What can go wrong, by who hears it: whoever opens a controller, sends, waits, or looks at the status.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::limits::{KEPT_MAX, LIST_MAX};
use crate::values::{HitName, Sequence, TableName};

/// A controller can't be opened.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OpenError {
    /// Its outbox.
    #[error(transparent)]
    Outbox(#[from] OutboxError),
    /// The address is none.
    #[error("`{address}` is not the address of a server: write http://HOST:PORT")]
    Address {
        /// What was given.
        address: String,
    },
    /// No thread or runtime could be started.
    #[error("the operating system gives no thread for the controller: {what}")]
    Thread {
        /// What it said.
        what: String,
    },
}

/// An outbox can't be used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OutboxError {
    /// Another process, or this one, has it open.
    #[error(
        "the outbox {} is in use: one program at a time plays for a table; stop the other one",
        path.display()
    )]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// It was made for another table.
    #[error(
        "the outbox {} is that of table {found}, not of {table}: give every table its own file",
        path.display()
    )]
    OtherTable {
        /// The file.
        path: PathBuf,
        /// The table it was made for.
        found: String,
        /// The table that was asked for.
        table: TableName,
    },
    /// It is no outbox, or no longer a whole one.
    #[error(
        "the outbox {} is damaged or not an outbox ({what}): commands that it kept may not have reached the server; \
         keep the file for a person to look at, nothing was put in its place",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A later release wrote it.
    #[error(
        "the outbox {} has format {found}, this release reads {known}: use the release that wrote it, or a later one",
        path.display()
    )]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// What it has.
        found: u64,
        /// What is read here.
        known: u64,
    },
    /// The file system refused something.
    #[error("the outbox {} can't be read or written: {what}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// What it said.
        what: String,
    },
    /// A fault of this crate.
    #[error(
        "the outbox {} was not closed in order: the thread that writes it failed by a fault of its own; \
         report what it wrote before this, what was kept is kept",
        path.display()
    )]
    Fault {
        /// The file.
        path: PathBuf,
    },
}

/// A list is longer than a command may have.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{count} {what} in one command; there may be {LIST_MAX}")]
pub struct TooLong {
    /// Which list.
    pub what: &'static str,
    /// How many it has.
    pub count: usize,
}

/// A command was not kept: no lamp may be lit for it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SendError {
    /// The outbox is full.
    #[error(
        "the outbox is full: {KEPT_MAX} commands wait for their outcome, or for somebody to take it; \
         let the table stand until some have one"
    )]
    Full,
    /// The outbox is new and has never reached the server.
    #[error(
        "the outbox is new and the server has not said yet which number comes next: wait until the table is online once"
    )]
    NotNumbered,
    /// It has too long a list.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// Whether it is kept isn't known: the disk failed. It counts once or never.
    #[error("{0}; whether the command is kept shows when the outbox is opened again")]
    Outbox(OutboxError),
    /// The controller has stopped.
    #[error("the controller has stopped: {0}")]
    Stopped(Stopped),
    /// The controller was closed.
    #[error("the controller was closed")]
    Closed,
}

/// No outcome comes any more in this process. The command stays in the outbox.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OutcomeError {
    /// The controller has stopped.
    #[error("the controller has stopped: {0}")]
    Stopped(Stopped),
    /// The controller was closed. Opened again, it tells the outcome to `Outcomes`.
    #[error("the controller was closed; the command stays in the outbox")]
    Closed,
}

/// What became of a hit can't be said.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DecisionError {
    /// The server keeps no such hit for this table.
    #[error(
        "the server keeps no hit {hit} for this table: it is another table's, its round is void, or newer hits have \
         taken its place; ask the floor"
    )]
    NotKept {
        /// The hit.
        hit: HitName,
    },
    /// The controller has stopped.
    #[error("the controller has stopped: {0}")]
    Stopped(Stopped),
    /// The controller was closed.
    #[error("the controller was closed")]
    Closed,
}

/// What no retry mends: a person has to look. What is kept stays in the outbox.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Stopped {
    /// The server says no, to the table or to one of its commands, and no number was used up.
    #[error("the server refuses this table: {detail} ({code})")]
    Refused {
        /// The stable code, such as `unauthenticated`, `forbidden`, `unknown_table` or `sequence_reused`.
        code: String,
        /// What it says, for people.
        detail: String,
        /// What it is about.
        fields: BTreeMap<String, String>,
    },
    /// The server has used up numbers that this outbox never gave.
    #[error(
        "the server expects command {server_next} of table {table}, but this outbox gave numbers only up to {given}: \
         another controller played for the table, or this outbox is an old copy"
    )]
    ServerAhead {
        /// The table.
        table: TableName,
        /// The number that the server expects.
        server_next: u64,
        /// The last number that this outbox gave.
        given: u64,
    },
    /// The server lacks numbers of which this outbox had the outcome.
    #[error(
        "the server expects command {server_next} of table {table}, but the oldest that this outbox can send is {oldest}: \
         the server has lost commands that it had counted"
    )]
    ServerBehind {
        /// The table.
        table: TableName,
        /// The number that the server expects.
        server_next: u64,
        /// The oldest command without an outcome, or the next one to be given.
        oldest: u64,
    },
    /// The server said something that this release can't read.
    #[error(
        "the server's answer can't be read: {what}; use the release of the client that fits the server's"
    )]
    Unreadable {
        /// What is missing or wrong.
        what: &'static str,
        /// The command, where it is the outcome of one.
        sequence: Option<Sequence>,
    },
    /// The disk failed.
    #[error(transparent)]
    Outbox(OutboxError),
    /// A fault of this crate.
    #[error(
        "the controller failed by a fault of its own: start the program again, and report what it wrote before this"
    )]
    Fault,
}

/// A message can't be read: this is missing or wrong.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the server's answer can't be read: {0}")]
pub struct Unreadable(pub(crate) &'static str);
