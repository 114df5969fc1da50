//! Takes the requests of a stream, one after another.
//!
//! # Order
//! The first is an attach: until then the stream has a [`Place`] that another may need, from then on room of its own.

use std::sync::Arc;

use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::{EdgeError, WireError};
use meterhouse_engine::Engine;
use meterhouse_proto::table::play_request::Request;
use meterhouse_proto::table::{Attach, Command, Commands, Heartbeat, PlayRequest};
use tokio::select;
use tokio::sync::mpsc::{Permit, Sender};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use tonic::{Code, Status, Streaming};

use super::follow::{Follows, News};
use super::limits::{ASKS_MAX, ATTACH_WAIT_MAX, WINDOW};
use super::pending::{Asked, Coming, Handed, Pending, Question};
use super::repeats::Repeats;
use super::room::{Place, Room};
use super::tables::{Authorization, Tables};
use super::tokens::Tokens;
use crate::connection;
use crate::status::{About, End, status};

/// The reading side of a stream.
pub(super) struct Reader {
    requests: Streaming<PlayRequest>,
    connection: Option<connection::Place>,
    tokens: Tokens,
    inner: Inner,
}

/// All of it but what is waited for.
struct Inner {
    engine: Engine,
    /// The token of the stream's metadata.
    authorization: Option<Authorization>,
    tables: Tables,
    follows: Follows,
    pending: Sender<Pending>,
    asks: Arc<Semaphore>,
    repeats: Repeats,
    room: Room,
    /// Its own, since its first table.
    taken: Option<OwnedSemaphorePermit>,
    stopping: CancellationToken,
}

impl Reader {
    /// The reading side of a stream that begins.
    pub(super) fn new(
        engine: Engine,
        requests: Streaming<PlayRequest>,
        authorization: Option<Authorization>,
        pending: Sender<Pending>,
        news: News,
        room: Room,
        stopping: CancellationToken,
    ) -> Self {
        Self {
            requests,
            connection: None,
            tokens: Tokens::new(engine.clone()),
            inner: Inner {
                repeats: Repeats::new(engine.clone()),
                follows: Follows::new(engine.clone(), news),
                engine,
                authorization,
                tables: Tables::default(),
                pending,
                asks: Arc::new(Semaphore::new(ASKS_MAX)),
                room,
                taken: None,
                stopping,
            },
        }
    }

    /// The same over a connection, which is no stranger once a table is attached.
    pub(super) fn over(self, connection: Option<connection::Place>) -> Self {
        Self { connection, ..self }
    }

    /// Takes requests until the stream ends, which has this place at first; gives back the room that it had then.
    pub(super) async fn run(mut self, place: Place) -> Option<OwnedSemaphorePermit> {
        let begun = self.begin(&place).await;
        drop(place);
        let ended = match begun {
            Ok(true) => self.take_all().await,
            Ok(false) => Ok(()),
            Err(why) => Err(why),
        };
        // Where the writer has gone nobody is told.
        drop(self.inner.pending.send(Pending::End(ended)).await);
        self.inner.taken
    }

    /// Takes the first request; `false` where none comes.
    async fn begin(&mut self, place: &Place) -> Result<bool, Status> {
        let inner = &mut self.inner;
        let request = select! {
            biased;
            () = inner.stopping.cancelled() => return Err(End::ServerStops.into()),
            () = inner.pending.closed() => return Ok(false),
            // A table that has said who it is keeps its place.
            request = self.requests.message() => request,
            needed = place.needed() => return Err(needed),
            () = sleep(ATTACH_WAIT_MAX) => return Err(End::NothingAttached.into()),
        };
        let Some(request) = request.map_err(|error| unreadable(&error))? else {
            return Ok(false);
        };
        inner.take(request).await?;
        if inner.tables.is_empty() {
            return Err(End::NothingAttached.into());
        }
        // A table is attached with a valid token only.
        if let Some(connection) = &self.connection {
            connection.know();
        }
        Ok(true)
    }

    async fn take_all(&mut self) -> Result<(), Status> {
        loop {
            let inner = &mut self.inner;
            let request = select! {
                biased;
                () = inner.stopping.cancelled() => return Err(End::ServerStops.into()),
                // The writer has ended the stream; a client that keeps its side open keeps nothing else.
                () = inner.pending.closed() => return Ok(()),
                refused = self.tokens.refused(&inner.tables) => return Err(refused),
                request = self.requests.message() => request,
            };
            let Some(request) = request.map_err(|error| unreadable(&error))? else {
                return Ok(());
            };
            inner.take(request).await?;
        }
    }
}

impl Inner {
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
                authorization,
                attach.follow_hits,
            )
            .await
            .map_err(refused)?;
        if self.taken.is_none() {
            self.taken = Some(self.room.attach()?);
        }
        if attach.follow_hits {
            // Before its state is read: no change falls in between.
            let attached = self.tables.find(handle).map_err(refused)?;
            let following = self
                .follows
                .follow(handle, &attached.name, &attached.seated);
            following.await.map_err(refused)?;
        }
        self.ask(handle, Asked::Attach).await
    }

    async fn heartbeat(&mut self, heartbeat: Heartbeat) -> Result<(), Status> {
        self.ask(heartbeat.handle, Asked::Heartbeat).await
    }

    /// Asks how a table stands, beside the commands that come behind it.
    async fn ask(&mut self, handle: u32, what: Asked) -> Result<(), Status> {
        let attached = self.tables.find(handle).map_err(refused)?;
        let table = attached.name.clone();
        let follows = attached.follows;
        let used_up = attached.used_up.clone();
        let slot = slot(&self.pending, &self.stopping).await?;
        let asks = Arc::clone(&self.asks).acquire_owned().await;
        let (engine, name) = (self.engine.clone(), table.clone());
        let view = tokio::spawn(async move {
            let _one_of_few = asks;
            if what == Asked::Heartbeat {
                return engine.heartbeat(&name).await;
            }
            let view = engine.table(&name).await?;
            let table = view.state.table(view.number);
            used_up.is(table.map_or(0, |it| it.last_sequence.0));
            Ok(view)
        });
        slot.send(Pending::Question(Question {
            handle,
            table,
            follows,
            what,
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
        for command in &commands.commands {
            self.command(command).await?;
        }
        Ok(())
    }

    async fn command(&mut self, sent: &Command) -> Result<(), Status> {
        let table = self.tables.find(sent.handle).map_err(refused)?;
        let (name, follows) = (table.name.clone(), table.follows);
        let about = About {
            table: Some(name.as_str()),
            sequence: Some(sent.sequence),
        };
        let read = table.read(sent).map_err(|error| status(error, about))?;
        let slot = slot(&self.pending, &self.stopping).await?;
        let sequence = read.sequence;
        let coming = if table.used_up.has(sequence.0) {
            Coming::Again(self.repeats.look_up(table.seated.clone(), read).await)
        } else {
            let handed = self
                .engine
                .hand_over(&table.seated, read.sender, sequence, read.command);
            Coming::Once(handed.await.map_err(|denied| status(denied, about))?)
        };
        slot.send(Pending::Command(Handed {
            handle: sent.handle,
            table: name,
            follows,
            sequence,
            coming,
        }));
        Ok(())
    }
}

/// Room in the window.
async fn slot<'a>(
    pending: &'a Sender<Pending>,
    stopping: &CancellationToken,
) -> Result<Permit<'a, Pending>, Status> {
    select! {
        biased;
        // Where the writer has gone nobody reads why.
        slot = pending.reserve() => slot.map_err(|_| End::AnswersNotRead.into()),
        () = stopping.cancelled() => Err(End::ServerStops.into()),
    }
}

fn refused(error: impl Into<WireError>) -> Status {
    status(error, About::default())
}

/// Why a request could not be read. Where the connection has gone nobody reads it.
fn unreadable(error: &Status) -> Status {
    let code = match error.code() {
        Code::OutOfRange | Code::ResourceExhausted => EdgeCode::BodyTooLarge,
        _ => EdgeCode::MalformedBody,
    };
    refused(EdgeError::because(code, error.message()))
}
