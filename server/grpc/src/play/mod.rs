//! `TableGateway/Play`: commands of tables, pipelined, answered in order when they are durable.
//!
//! # Shape
//! Two tasks a stream. The [`reader`] takes requests, hands commands over to the engine, which waits for room there, and
//! puts what is then under way into a queue, in order. The [`writer`] awaits the oldest of it, gathers everything that
//! is there already, and sends it. [`tables`] are the attached ones, [`tokens`] looks whether their tokens still hold,
//! [`room`] says how many may be open.
//! What was used up before the table came onto the stream is sent again: such [`repeats`] are looked up beside the rest.
//! [`follow`] collects the tables whose hits changed, for the writer.
//!
//! # What bounds it
//! [`WINDOW`] under way on a stream: the reader takes nothing more until the oldest has an outcome, and HTTP/2 then stops
//! the client. [`TABLES_MAX`] tables, [`ASKS_MAX`] questions about them and [`REPEATS_MAX`] repeats at a time. An outcome
//! is awaited for [`OUTCOME_WAIT_MAX`], a client that doesn't read for [`ANSWER_WAIT_MAX`]; after that it is cut off.
//!
//! # Order
//! Answers come in the order of the requests. What ends a stream is said after the outcomes of what came before it.

mod follow;
mod pending;
mod reader;
mod repeats;
mod room;
mod tables;
mod tokens;
mod writer;

use std::sync::Arc;
use std::time::Duration;

use meterhouse_engine::Engine;
use meterhouse_proto::table::table_gateway_server::TableGateway;
use meterhouse_proto::table::{PlayRequest, PlayResponse};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, Streaming};

use self::follow::News;
use self::reader::Reader;
use self::room::Room;
use self::writer::Writer;
use crate::Options;
use crate::connection::Peer;

pub use tokens::TOKENS_EVERY;

/// Commands that may be under way on a stream without an outcome.
pub const WINDOW: usize = 1_024;
/// Streams of tables that may be open at once.
pub const STREAMS_MAX: usize = 4_096;
/// Streams that may have no table yet: everybody may open one.
pub const UNATTACHED_MAX: usize = 1_024;
/// Tables on one stream: a concentrator of a large floor.
pub const TABLES_MAX: usize = 1_024;
/// Bytes of one request: a window of commands with all that they can say is several of these.
pub const MESSAGE_BYTES_MAX: usize = 256 * 1_024;
/// How long a stream may take for its first request, which is an attach.
pub const ATTACH_WAIT_MAX: Duration = Duration::from_secs(10);
/// How long a stream that begins may wait for the place of another that has no table.
const PLACE_WAIT_MAX: Duration = Duration::from_secs(2);
/// How long an answer may wait for a client that doesn't read.
pub const ANSWER_WAIT_MAX: Duration = Duration::from_secs(10);
/// How long a command's outcome is awaited: as long as over HTTP.
const OUTCOME_WAIT_MAX: Duration = Duration::from_secs(10);
/// Outcomes in one response.
const OUTCOMES_MAX: usize = 256;
/// Questions about tables (an attach, a heartbeat) that one stream asks the engine at a time.
const ASKS_MAX: usize = 16;
/// Commands sent again that one stream has looked up at a time, so that nobody else waits for them.
const REPEATS_MAX: usize = 16;
/// Pause before a repeat is looked up again that was one of too many; it doubles each time.
const REPEAT_PAUSE: Duration = Duration::from_millis(10);
/// The longest such pause: after a restart thousands of repeats come at once.
const REPEAT_PAUSE_MAX: Duration = Duration::from_millis(160);
/// Hits of void rounds that one message names.
const VOID_HITS_MAX: usize = 64;
/// Responses that wait for the connection beside the one that is being gathered.
const ANSWERS_MAX: usize = 1;

const _: () = assert!(OUTCOMES_MAX <= WINDOW);

/// The service.
pub(crate) struct Gateway {
    engine: Engine,
    options: Options,
    room: Room,
}

impl Gateway {
    /// The service of this engine.
    pub(crate) fn new(engine: Engine, options: Options) -> Self {
        Self {
            engine,
            options,
            room: Room::new(),
        }
    }
}

#[tonic::async_trait]
impl TableGateway for Gateway {
    type PlayStream = ReceiverStream<Result<PlayResponse, Status>>;

    async fn play(
        &self,
        request: Request<Streaming<PlayRequest>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let place = self.room.begin().await?;
        let peer = request.extensions().get::<Peer>().cloned();
        let authorization = request.metadata().get("authorization");
        let authorization = authorization.map(|it| Arc::from(it.as_encoded_bytes()));
        // One is with the writer: then as many as the window are under way.
        let (pending, pendings) = mpsc::channel(WINDOW - 1);
        let (answers, stream) = mpsc::channel(ANSWERS_MAX);
        let news = News::default();
        let reader = Reader::new(
            self.engine.clone(),
            request.into_inner(),
            authorization,
            pending,
            news.clone(),
            self.room.clone(),
            self.options.stopping.clone(),
        );
        let reader = reader.over(peer.as_ref().map(|peer| peer.place.clone()));
        let closer = peer.map(|peer| peer.closer);
        let writer = Writer::new(self.engine.clone(), pendings, news, answers, closer);
        let reading = tokio::spawn(reader.run(place));
        tokio::spawn(async move {
            writer.run().await;
            // Its room is free when both have ended.
            drop(reading.await);
        });
        Ok(Response::new(ReceiverStream::new(stream)))
    }
}
