//! The task that takes the requests of a stream in sequence.
//!
//! # Order
//! The first request is an attach. Until then, the stream has a [`WaitingSlot`] that another stream
//! may take. Afterwards it has a slot of its own.

use std::net::IpAddr;
use std::sync::Arc;

use meterhouse_catalogue::Catalogue;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value;
use meterhouse_edge::wire_error::{EdgeError, WireError};
use meterhouse_engine::Engine;
use meterhouse_engine::operations::pipelined::Arrival;
use meterhouse_journal::seal::Seal;
use meterhouse_proto::table::play_request::Request;
use meterhouse_proto::table::{Attach, Command, Commands, Heartbeat, PlayRequest};
use meterhouse_tls::ClientCertificate;
use opentelemetry::trace::FutureExt as _;
use tokio::select;
use tokio::sync::mpsc::{Permit, Sender};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use tonic::{Code, Status, Streaming};

use super::admission::{Admission, WaitingSlot};
use super::follow::{ChangedTables, HitFollowers};
use super::limits::{ASKS_MAX, ATTACH_WAIT_MAX, WINDOW};
use super::pending::{AwaitedOutcome, Pending, Query, QueryKind, SubmittedCommand};
use super::repeats::Repeats;
use super::tables::{Authorization, Tables};
use super::tokens::TokenCheck;
use crate::connection::{self, Peer};
use crate::status::{About, End, status};
use crate::trace;

/// The reading side of a stream.
pub(super) struct Reader {
    requests: Streaming<PlayRequest>,
    connection: Option<connection::AnonymousEntry>,
    tokens: TokenCheck,
    handler: RequestHandler,
}

/// The state of the reading side without the parts that are awaited.
struct RequestHandler {
    engine: Engine,
    catalogue: Arc<Catalogue>,
    /// Token in the stream's metadata.
    authorization: Option<Authorization>,
    /// Client certificate of the connection.
    certificate: ClientCertificate,
    /// Address of the client.
    address: Option<IpAddr>,
    tables: Tables,
    follows: HitFollowers,
    pending: Sender<Pending>,
    asks: Arc<Semaphore>,
    repeats: Repeats,
    admission: Admission,
    /// Slot of the stream, since its first table.
    taken: Option<OwnedSemaphorePermit>,
    stopping: CancellationToken,
}

impl Reader {
    /// Creates the reading side of a new stream.
    pub(super) fn new(
        (engine, catalogue): (Engine, Arc<Catalogue>),
        requests: Streaming<PlayRequest>,
        authorization: Option<Authorization>,
        pending: Sender<Pending>,
        changed: ChangedTables,
        admission: Admission,
        stopping: CancellationToken,
    ) -> Self {
        Self {
            requests,
            connection: None,
            tokens: TokenCheck::new(engine.clone()),
            handler: RequestHandler {
                repeats: Repeats::new(engine.clone()),
                follows: HitFollowers::new(engine.clone(), changed),
                engine,
                catalogue,
                authorization,
                certificate: ClientCertificate::default(),
                address: None,
                tables: Tables::default(),
                pending,
                asks: Arc::new(Semaphore::new(ASKS_MAX)),
                admission,
                taken: None,
                stopping,
            },
        }
    }

    /// Returns the reader with its connection, which is not anonymous once a table is attached.
    pub(super) fn over(mut self, peer: Option<&Peer>) -> Self {
        self.connection = peer.map(|peer| peer.anonymous.clone());
        self.handler.certificate = peer.map(Peer::certificate).unwrap_or_default();
        self.handler.address = peer.map(|peer| peer.address);
        self
    }

    /// Takes requests until the stream ends. The stream starts in `slot`. Returns the slot that it
    /// held at the end.
    pub(super) async fn run(mut self, slot: WaitingSlot) -> Option<OwnedSemaphorePermit> {
        let begun = self.begin(&slot).await;
        drop(slot);
        let ended = match begun {
            Ok(true) => self.take_all().await,
            Ok(false) => Ok(()),
            Err(why) => Err(why),
        };
        // If the writer has gone, the end is not sent.
        drop(self.handler.pending.send(Pending::End(ended)).await);
        self.handler.taken
    }

    /// Takes the first request. Returns `false` if none arrives.
    async fn begin(&mut self, slot: &WaitingSlot) -> Result<bool, Status> {
        let handler = &mut self.handler;
        let request = select! {
            biased;
            () = handler.stopping.cancelled() => return Err(End::ServerStops.into()),
            () = handler.pending.closed() => return Ok(false),
            // A request that has arrived is taken before the slot is given away.
            request = self.requests.message() => request,
            needed = slot.needed() => return Err(needed),
            () = sleep(ATTACH_WAIT_MAX) => return Err(End::NothingAttached.into()),
        };
        let Some(request) = request.map_err(|error| unreadable(&error))? else {
            return Ok(false);
        };
        handler.take(request).await?;
        if handler.tables.is_empty() {
            return Err(End::NothingAttached.into());
        }
        // A table is attached only with a valid token.
        if let Some(connection) = &self.connection {
            connection.authenticated();
        }
        Ok(true)
    }

    async fn take_all(&mut self) -> Result<(), Status> {
        loop {
            let handler = &mut self.handler;
            let request = select! {
                biased;
                () = handler.stopping.cancelled() => return Err(End::ServerStops.into()),
                // The writer has ended the stream. A client that keeps its side open holds no other
                // resource.
                () = handler.pending.closed() => return Ok(()),
                refused = self.tokens.refused(&handler.tables) => return Err(refused),
                request = self.requests.message() => request,
            };
            let Some(request) = request.map_err(|error| unreadable(&error))? else {
                return Ok(());
            };
            handler.take(request).await?;
        }
    }
}

impl RequestHandler {
    async fn take(&mut self, request: PlayRequest) -> Result<(), Status> {
        match request.request {
            Some(Request::Attach(attach)) => self.attach(attach).await,
            Some(Request::Commands(commands)) => self.commands(commands).await,
            Some(Request::Heartbeat(heartbeat)) => self.heartbeat(heartbeat).await,
            None => {
                let detail = "a request is an attach, commands or a heartbeat";
                Err(refused(EdgeError::because(EdgeCode::MalformedBody, detail)))
            }
        }
    }

    async fn attach(&mut self, attach: Attach) -> Result<(), Status> {
        let authorization = match attach.token.as_str() {
            "" => self.authorization.clone(),
            token => Some(Arc::from(format!("Bearer {token}").as_bytes())),
        };
        let handle = self
            .tables
            .attach(
                &self.engine,
                &attach.table,
                (authorization, &self.certificate, self.address),
                attach.follow_hits,
            )
            .await
            .map_err(refused)?;
        if self.taken.is_none() {
            self.taken = Some(self.admission.attach()?);
        }
        if !attach.seal.is_empty() {
            let seal: Seal = value::read("attach.seal", &attach.seal).map_err(refused)?;
            let name = self.tables.find(handle).map_err(refused)?.name.clone();
            let compared = self.engine.compare_table_seal(&name, &seal).await;
            compared.map_err(refused)?;
        }
        if attach.follow_hits {
            // The following starts before the state is read, so that no change is missed.
            let attached = self.tables.find(handle).map_err(refused)?;
            let following = self
                .follows
                .follow(handle, &attached.name, &attached.reference);
            following.await.map_err(refused)?;
        }
        self.query(handle, QueryKind::Attach).await
    }

    async fn heartbeat(&mut self, heartbeat: Heartbeat) -> Result<(), Status> {
        self.query(heartbeat.handle, QueryKind::Heartbeat).await
    }

    /// Queries the state of a table, concurrently with later commands.
    async fn query(&mut self, handle: u32, kind: QueryKind) -> Result<(), Status> {
        let attached = self.tables.find(handle).map_err(refused)?;
        let table = attached.name.clone();
        let follows = attached.follows;
        let used_up = attached.used_up.clone();
        let slot = slot(&self.pending, &self.stopping).await?;
        let asks = Arc::clone(&self.asks).acquire_owned().await;
        let (engine, name) = (self.engine.clone(), table.clone());
        let view = tokio::spawn(async move {
            let _one_of_few = asks;
            if kind == QueryKind::Heartbeat {
                return engine.heartbeat(&name).await;
            }
            let view = engine.table(&name).await?;
            let table = view.state.table(view.number);
            used_up.set(table.map_or(0, |table| table.last_sequence.0));
            Ok(view)
        });
        slot.send(Pending::Query(Query {
            handle,
            table,
            follows,
            kind,
            view: AbortOnDropHandle::new(view),
        }));
        Ok(())
    }

    async fn commands(&mut self, commands: Commands) -> Result<(), Status> {
        let count = commands.commands.len();
        if count > WINDOW {
            let detail =
                format!("a request has at most {WINDOW} commands; send the others behind it");
            let error = EdgeError::because(EdgeCode::InvalidValue, detail);
            return Err(refused(error.with("commands", count)));
        }
        let mut arrival = self.engine.arrival();
        for command in &commands.commands {
            self.command(command, &mut arrival).await?;
        }
        Ok(())
    }

    async fn command(&mut self, sent: &Command, arrival: &mut Arrival) -> Result<(), Status> {
        let table = self.tables.find(sent.handle).map_err(refused)?;
        let read = table.read(sent, &self.catalogue);
        let about = About {
            table: Some(table.name.as_str()),
            sequence: Some(sent.sequence),
        };
        let read = read.map_err(|error| status(error, about))?;
        let slot = if let Ok(slot) = self.pending.try_reserve() {
            slot
        } else {
            let slot = slot(&self.pending, &self.stopping).await?;
            arrival.renew();
            slot
        };
        let sequence = read.sequence;
        let span = trace::begin(&sent.traceparent, table.name.as_str(), sequence.0);
        let outcome = if table.used_up.contains(sequence.0) {
            let repeated = self.repeats.look_up(table.reference.clone(), read).await;
            arrival.renew();
            AwaitedOutcome::Repeated(repeated)
        } else {
            let submitted =
                arrival.hand_over(&table.reference, read.sender, sequence, read.command);
            let submitted = match &span {
                Some(span) => submitted.with_context(span.clone()).await,
                None => submitted.await,
            };
            AwaitedOutcome::Submitted(submitted.map_err(|denied| status(denied, about))?)
        };
        slot.send(Pending::Command(SubmittedCommand {
            handle: sent.handle,
            follows: table.follows,
            sequence,
            outcome,
            span,
        }));
        Ok(())
    }
}

/// Reserves a slot in the window.
async fn slot<'a>(
    pending: &'a Sender<Pending>,
    stopping: &CancellationToken,
) -> Result<Permit<'a, Pending>, Status> {
    select! {
        biased;
        // If the writer has gone, the status is not sent.
        slot = pending.reserve() => slot.map_err(|_| End::AnswersNotRead.into()),
        () = stopping.cancelled() => Err(End::ServerStops.into()),
    }
}

fn refused(error: impl Into<WireError>) -> Status {
    status(error, About::default())
}

/// Returns the status for an unreadable request. If the connection has gone, the status is not
/// sent.
fn unreadable(error: &Status) -> Status {
    let code = match error.code() {
        Code::OutOfRange | Code::ResourceExhausted => EdgeCode::BodyTooLarge,
        _ => EdgeCode::MalformedBody,
    };
    refused(EdgeError::because(code, error.message()))
}
