//! The controller of one table.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tonic::transport::Endpoint;

use crate::board::{Board, Life};
use crate::command::Command;
use crate::decisions::{Decisions, Noted};
use crate::error::{DecisionError, OpenError, OutboxError, SendError, Stopped};
use crate::kept::{Coming, Kept, Outcomes};
use crate::outbox::Outbox;
use crate::outbox_writer::{Job, Keep, Writer, device_time};
use crate::round::RoundHit;
use crate::session::{Session, Target, Token};
use crate::status::{Online, Status, Statuses};
use crate::values::{HitName, Sequence, TableName};

/// What a controller needs to know.
#[derive(Clone, Debug)]
pub struct Options {
    address: Address,
    table: TableName,
    token: Token,
    outbox: PathBuf,
}

#[derive(Clone, Debug)]
enum Address {
    Text(String),
    Endpoint(Box<Endpoint>),
}

impl Options {
    /// A table at a server, as in `http://10.0.0.5:8081`, with the token of the table's controller and the file that
    /// is its outbox: on a local disk that keeps what it has synced, one for each table.
    pub fn new(
        address: impl Into<String>,
        table: TableName,
        token: impl Into<String>,
        outbox: impl Into<PathBuf>,
    ) -> Self {
        Self {
            address: Address::Text(address.into()),
            table,
            token: Token(token.into()),
            outbox: outbox.into(),
        }
    }

    /// The same with an endpoint of tonic's, as for TLS: its own timeouts and settings are then kept.
    #[must_use]
    pub fn with_endpoint(mut self, endpoint: Endpoint) -> Self {
        self.address = Address::Endpoint(Box::new(endpoint));
        self
    }
}

/// The controller of one table: keeps commands, sends them in order, and tells what became of them.
///
/// Closed or dropped, it stops sending; what is kept stays in the outbox.
#[derive(Debug)]
pub struct Controller {
    board: Closing,
    writer: Writer,
    status: watch::Receiver<Status>,
    decisions: Decisions,
    session: JoinHandle<()>,
}

/// The board, closed when the controller is closed or dropped.
#[derive(Debug)]
struct Closing(Arc<Board>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Controller {
    /// Opens the outbox and begins to reach for the server. Beside the controller it gives the outcomes of commands
    /// that nobody waits for.
    ///
    /// # Errors
    /// When the outbox can't be used, or the address is none. Whether the server is there is no matter.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub async fn open(options: Options) -> Result<(Self, Outcomes), OpenError> {
        let endpoint = options.address.endpoint()?;
        let (path, table) = (options.outbox, options.table);
        let target = Target {
            endpoint,
            table: table.clone(),
            token: options.token,
        };
        let opening = tokio::task::spawn_blocking(move || Outbox::open(&path, &table));
        let opened = opening.await.map_err(|error| OpenError::Thread {
            what: error.to_string(),
        })?;
        let (outbox, contents) = opened?;
        let board = Arc::new(Board::new(contents));
        let writer = Writer::start(outbox, Arc::clone(&board))?;
        let (says, status) = watch::channel(Status::Connecting);
        let (noted, decisions) = Noted::pair(Arc::clone(&board));
        let jobs = writer.jobs().clone();
        let session = Session::new(target, Arc::clone(&board), jobs, says, noted);
        let controller = Self {
            board: Closing(Arc::clone(&board)),
            writer,
            status,
            decisions,
            session: tokio::spawn(session.run()),
        };
        Ok((controller, Outcomes::new(board)))
    }

    /// Keeps a command under the table's next number. It is durable when this returns: it is sent as soon as the server
    /// is reached, in order, and counted once. Whether the rules accept it is in its outcome: a lamp is lit by that, not
    /// by this.
    ///
    /// Given up before it ends, the command may be kept all the same; its outcome then comes to [`Outcomes`].
    ///
    /// # Errors
    /// Nothing is kept when the outbox is full, has never reached the server, or the controller has stopped. A disk
    /// that fails leaves open whether the command is kept.
    pub async fn send(&self, command: impl Into<Command>) -> Result<Kept, SendError> {
        let command = command.into().message(device_time())?;
        self.board.0.accepts(0)?;
        let (waiter, coming) = Coming::pair(Arc::clone(&self.board.0));
        let (kept, is_kept) = oneshot::channel();
        let keep = Keep {
            command,
            waiter,
            kept,
        };
        let given = self.writer.jobs().send(Job::Keep(Box::new(keep))).await;
        if given.is_err() {
            return Err(self.failed().await);
        }
        match is_kept.await {
            Ok(kept) => Ok(Kept::new(kept?, coming)),
            Err(_) => Err(self.failed().await),
        }
    }

    /// Why the outbox's thread gives no answer: it has failed, and the board hears of that last.
    async fn failed(&self) -> SendError {
        let mut life = self.board.0.life();
        // It fails only where the board is gone, which lives as long as this.
        drop(life.wait_for(|it| !matches!(it, Life::Playing)).await);
        self.board.0.playing().err().unwrap_or(SendError::Closed)
    }

    /// Returns the number that the next command gets; none before the table was online for the first time.
    pub fn next_sequence(&self) -> Option<Sequence> {
        self.board.0.next()
    }

    /// How it stands now.
    pub fn status(&self) -> Status {
        self.status.borrow().clone()
    }

    /// The status as it changes.
    pub fn statuses(&self) -> Statuses {
        Statuses::new(self.status.clone())
    }

    /// Waits until a hit of this table is decided: see [`Decisions::wait_for`].
    ///
    /// # Errors
    /// As [`Decisions::wait_for`].
    pub async fn wait_for_decision(&self, hit: &HitName) -> Result<RoundHit, DecisionError> {
        self.decisions.wait_for(hit).await
    }

    /// Returns what waits for decisions, for another task than the one that sends.
    pub fn decisions(&self) -> Decisions {
        self.decisions.clone()
    }

    /// Waits until the table is online.
    ///
    /// # Errors
    /// When a person has to look first.
    pub async fn online(&self) -> Result<Online, Stopped> {
        let mut status = self.status.clone();
        loop {
            match &*status.borrow_and_update() {
                Status::Online(online) => return Ok(online.clone()),
                Status::Stopped(why) => return Err(why.clone()),
                Status::Connecting | Status::Offline { .. } => {}
            }
            // The session ends with a status, or with the controller, which is borrowed here.
            status.changed().await.map_err(|_| Stopped::Fault)?;
        }
    }

    /// Stops sending and closes the outbox, which another process may open then.
    ///
    /// # Errors
    /// When the disk fails, or the outbox's thread has failed before; what was kept is kept.
    pub async fn close(self) -> Result<(), OutboxError> {
        let Self {
            board,
            writer,
            session,
            status: _,
            decisions: _,
        } = self;
        drop(board);
        // It ends by itself; a panic in it would have been logged.
        drop(session.await);
        writer.close().await
    }
}

impl Address {
    fn endpoint(self) -> Result<Endpoint, OpenError> {
        match self {
            Self::Endpoint(endpoint) => Ok(*endpoint),
            Self::Text(address) => {
                crate::session::endpoint(&address).ok_or(OpenError::Address { address })
            }
        }
    }
}
