//! The controller of one table.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tonic::transport::{ClientTlsConfig, Endpoint};

use crate::command::Command;
use crate::decisions::{Decisions, HitRecorder};
use crate::error::{DecisionError, OpenError, OutboxError, SendError, Stopped};
use crate::in_flight::{InFlight, Lifecycle};
use crate::outbox::Outbox;
use crate::outbox_writer::{Job, OutboxWriter, StoreRequest, device_time};
use crate::receipt::{Outcomes, PendingOutcome, Receipt};
use crate::round::RoundHit;
use crate::session::{TableSession, Target, Token};
use crate::status::{Online, Status, Statuses};
use crate::table_stream::with_causes;
use crate::values::{HitName, Sequence, TableName};

/// The options of a controller.
#[derive(Clone, Debug)]
pub struct Options {
    address: Address,
    table: TableName,
    token: Token,
    outbox: PathBuf,
    tls: Option<ClientTlsConfig>,
}

#[derive(Clone, Debug)]
enum Address {
    Text(String),
    Endpoint(Box<Endpoint>),
}

impl Options {
    /// Creates the options for a table: the server's address such as `http://10.0.0.5:8081`, and the token of the
    /// table's controller. The outbox is a file of its own for each table, on a local disk that keeps synced data.
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
            tls: None,
        }
    }

    /// Sets the TLS of an address such as `https://10.0.0.5:8081`: the certificate of the server's signer, and the
    /// table's own certificate if the server asks for one. Without, `https` trusts the signers of the operating system.
    #[must_use]
    pub fn with_tls(mut self, tls: ClientTlsConfig) -> Self {
        self.tls = Some(tls);
        self
    }

    /// Replaces the address by an endpoint of tonic. The endpoint's own timeouts and settings apply, TLS among them.
    #[must_use]
    pub fn with_endpoint(mut self, endpoint: Endpoint) -> Self {
        self.address = Address::Endpoint(Box::new(endpoint));
        self
    }
}

/// The controller of one table: stores commands, sends them in order, and returns their outcomes.
///
/// A controller that is closed or dropped stops sending. Stored commands stay in the outbox.
#[derive(Debug)]
pub struct Controller {
    in_flight: CloseOnDrop,
    writer: OutboxWriter,
    status: watch::Receiver<Status>,
    decisions: Decisions,
    session: JoinHandle<()>,
}

/// The commands in flight, closed when the controller is closed or dropped.
#[derive(Debug)]
struct CloseOnDrop(Arc<InFlight>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Controller {
    /// Opens the outbox and starts to connect to the server. Returns the controller and the unclaimed outcomes.
    ///
    /// # Errors
    /// The outbox can't be used, or the address is invalid. An unreachable server is no error.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub async fn open(options: Options) -> Result<(Self, Outcomes), OpenError> {
        let endpoint = options.address.endpoint(options.tls)?;
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
        let in_flight = Arc::new(InFlight::new(contents));
        let writer = OutboxWriter::start(outbox, Arc::clone(&in_flight))?;
        let (status_sender, status) = watch::channel(Status::Connecting);
        let (recorder, decisions) = HitRecorder::pair(Arc::clone(&in_flight));
        let jobs = writer.jobs().clone();
        let session = TableSession::new(
            target,
            Arc::clone(&in_flight),
            jobs,
            status_sender,
            recorder,
        );
        let controller = Self {
            in_flight: CloseOnDrop(Arc::clone(&in_flight)),
            writer,
            status,
            decisions,
            session: tokio::spawn(session.run()),
        };
        Ok((controller, Outcomes::new(in_flight)))
    }

    /// Stores a command under the table's next number. The command is durable when this returns. It is sent in order as
    /// soon as the server is reached, and counted once. The outcome shows if the rules accept the command, so light a
    /// lamp by the outcome.
    ///
    /// If the call is cancelled, the command may be stored nevertheless. Its outcome then goes to [`Outcomes`].
    ///
    /// # Errors
    /// Nothing is stored if the outbox is full or has never reached the server, or if the controller has stopped. After
    /// an error of the disk, it is unknown if the command is stored.
    pub async fn send(&self, command: impl Into<Command>) -> Result<Receipt, SendError> {
        let command = command.into().message(device_time())?;
        self.in_flight.0.check_capacity(0)?;
        let (outcome, pending) = PendingOutcome::pair(Arc::clone(&self.in_flight.0));
        let (stored, is_stored) = oneshot::channel();
        let request = StoreRequest {
            command,
            outcome,
            stored,
        };
        let queued = self.writer.jobs().send(Job::Store(Box::new(request))).await;
        if queued.is_err() {
            return Err(self.writer_failure().await);
        }
        match is_stored.await {
            Ok(sequence) => Ok(Receipt::new(sequence?, pending)),
            Err(_) => Err(self.writer_failure().await),
        }
    }

    /// Returns the error of an outbox thread that gives no reply. The thread has failed, and its failure is recorded
    /// last.
    async fn writer_failure(&self) -> SendError {
        let mut lifecycle = self.in_flight.0.lifecycle();
        // The wait fails only without the sender, which lives as long as this controller.
        drop(
            lifecycle
                .wait_for(|lifecycle| !matches!(lifecycle, Lifecycle::Running))
                .await,
        );
        self.in_flight
            .0
            .check_running()
            .err()
            .unwrap_or(SendError::Closed)
    }

    /// Returns the number that the next command gets. Returns `None` before the table was online for the first time.
    pub fn next_sequence(&self) -> Option<Sequence> {
        self.in_flight.0.next()
    }

    /// Returns the current status.
    pub fn status(&self) -> Status {
        self.status.borrow().clone()
    }

    /// Returns the status as it changes.
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

    /// Returns a handle that waits for decisions, for another task than the one that sends.
    pub fn decisions(&self) -> Decisions {
        self.decisions.clone()
    }

    /// Waits until the table is online.
    ///
    /// # Errors
    /// The controller has stopped: a person has to intervene.
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

    /// Stops sending and closes the outbox, so that another process may open it.
    ///
    /// # Errors
    /// The disk failed, or the outbox's thread failed earlier. Stored commands stay stored.
    pub async fn close(self) -> Result<(), OutboxError> {
        let Self {
            in_flight,
            writer,
            session,
            status: _,
            decisions: _,
        } = self;
        drop(in_flight);
        // The session ends by itself. A panic would have been logged.
        drop(session.await);
        writer.close().await
    }
}

impl Address {
    fn endpoint(self, tls: Option<ClientTlsConfig>) -> Result<Endpoint, OpenError> {
        let address = match self {
            Self::Endpoint(endpoint) => return Ok(*endpoint),
            Self::Text(address) => address,
        };
        let Some(endpoint) = crate::session::endpoint(&address) else {
            return Err(OpenError::Address { address });
        };
        if endpoint.uri().scheme_str() != Some("https") {
            return Ok(endpoint);
        }
        let tls = tls.unwrap_or_else(|| ClientTlsConfig::new().with_native_roots());
        endpoint.tls_config(tls).map_err(|error| OpenError::Tls {
            what: with_causes(&error),
        })
    }
}
