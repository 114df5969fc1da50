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
//! the client. [`TABLES_MAX`] tables, [`ASKS_MAX`](limits::ASKS_MAX) questions about them and [`REPEATS_MAX`](limits::REPEATS_MAX) repeats at a time. An outcome
//! is awaited for [`OUTCOME_WAIT_MAX`](limits::OUTCOME_WAIT_MAX), a client that doesn't read for [`ANSWER_WAIT_MAX`]; after that it is cut off.
//!
//! # Order
//! Answers come in the order of the requests. What ends a stream is said after the outcomes of what came before it.

mod follow;
mod limits;
mod pending;
mod reader;
mod repeats;
mod room;
mod tables;
mod tokens;
mod used_up;
mod writer;

use std::sync::Arc;

use meterhouse_engine::Engine;
use meterhouse_proto::table::table_gateway_server::TableGateway;
use meterhouse_proto::table::{PlayRequest, PlayResponse};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};

use self::follow::News;
use self::limits::ANSWERS_MAX;
use self::reader::Reader;
use self::room::Room;
use self::writer::Writer;
use crate::connection::Peer;

pub use self::limits::{
    ANSWER_WAIT_MAX, ATTACH_WAIT_MAX, MESSAGE_BYTES_MAX, STREAMS_MAX, TABLES_MAX, TOKENS_EVERY,
    UNATTACHED_MAX, WINDOW,
};

/// The service.
pub(crate) struct Gateway {
    engine: Engine,
    stopping: CancellationToken,
    room: Room,
}

impl Gateway {
    /// Returns the service of this engine; its streams end when `stopping` is cancelled.
    pub(crate) fn new(engine: Engine, stopping: CancellationToken) -> Self {
        Self {
            engine,
            stopping,
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
        let (pending, queue) = mpsc::channel(WINDOW - 1);
        let (answers, stream) = mpsc::channel(ANSWERS_MAX);
        let news = News::default();
        let reader = Reader::new(
            self.engine.clone(),
            request.into_inner(),
            authorization,
            pending,
            news.clone(),
            self.room.clone(),
            self.stopping.clone(),
        );
        let reader = reader.over(peer.as_ref().map(|peer| peer.place.clone()));
        let closer = peer.map(|peer| peer.closer);
        let writer = Writer::new(self.engine.clone(), queue, news, answers, closer);
        let reading = tokio::spawn(reader.run(place));
        tokio::spawn(async move {
            writer.run().await;
            // Its room is free when both have ended.
            drop(reading.await);
        });
        Ok(Response::new(ReceiverStream::new(stream)))
    }
}
