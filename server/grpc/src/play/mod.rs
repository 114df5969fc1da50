//! `TableGateway/Play`: pipelined commands of tables, answered in order once they are durable.
//!
//! # Shape
//! Each stream has two tasks. The [`reader`] takes requests and submits commands to the engine,
//! which applies backpressure. The reader queues every submitted command in order. The [`writer`]
//! awaits the oldest command, adds all outcomes that are already there, and sends them.
//!
//! - [`tables`] contains the attached tables, and [`tokens`] checks that their tokens stay valid.
//! - [`admission`] limits the number of streams.
//! - [`repeats`] looks up commands that were used up before the table joined the stream,
//!   concurrently with new commands.
//! - [`follow`] collects the tables whose hits changed, for the writer.
//!
//! # Limits
//! [`WINDOW`] commands in flight per stream. A full window stops the reader until the oldest
//! command has an outcome, and HTTP/2 then stops the client. A stream has at most [`TABLES_MAX`]
//! tables, and concurrently [`ASKS_MAX`](limits::ASKS_MAX) queries about them and
//! [`REPEATS_MAX`](limits::REPEATS_MAX) repeats. An outcome is awaited for
//! [`OUTCOME_WAIT_MAX`](limits::OUTCOME_WAIT_MAX). A client that doesn't read is cut off after
//! [`ANSWER_WAIT_MAX`].
//!
//! # Order
//! Responses are sent in the order of the requests. The status that ends a stream is sent after the
//! outcomes of all earlier commands.

mod admission;
mod follow;
mod limits;
mod pending;
mod reader;
mod refusals;
mod repeats;
mod tables;
mod tokens;
mod used_up;
mod writer;

use std::sync::Arc;

use meterhouse_catalogue::Catalogue;
use meterhouse_engine::Engine;
use meterhouse_proto::encoded::Encoded;
use meterhouse_proto::encoded::table_gateway_server::TableGateway;
use meterhouse_proto::table::PlayRequest;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};

use self::admission::Admission;
use self::follow::ChangedTables;
use self::limits::ANSWERS_MAX;
use self::reader::Reader;
use self::writer::Writer;
use crate::connection::Peer;

pub use self::limits::{
    ANSWER_WAIT_MAX, ATTACH_WAIT_MAX, MESSAGE_BYTES_MAX, STREAMS_MAX, TABLES_MAX, TOKENS_EVERY,
    UNATTACHED_MAX, WINDOW,
};

/// The gRPC service of tables.
pub(crate) struct Gateway {
    engine: Engine,
    catalogue: Arc<Catalogue>,
    stopping: CancellationToken,
    admission: Admission,
}

impl Gateway {
    /// Returns the service of an engine. Its streams end when `stopping` is cancelled.
    pub(crate) fn new(
        engine: Engine,
        catalogue: Arc<Catalogue>,
        stopping: CancellationToken,
    ) -> Self {
        Self {
            engine,
            catalogue,
            stopping,
            admission: Admission::new(),
        }
    }
}

#[tonic::async_trait]
impl TableGateway for Gateway {
    type PlayStream = ReceiverStream<Result<Encoded, Status>>;

    async fn play(
        &self,
        request: Request<Streaming<PlayRequest>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let slot = self.admission.begin().await?;
        let peer = request.extensions().get::<Peer>().cloned();
        let authorization = request.metadata().get("authorization");
        let authorization = authorization.map(|header| Arc::from(header.as_encoded_bytes()));
        // The writer holds one command, so that the queue is one shorter than the window.
        let (pending, queue) = mpsc::channel(WINDOW - 1);
        let (answers, stream) = mpsc::channel(ANSWERS_MAX);
        let changed = ChangedTables::default();
        let reader = Reader::new(
            (self.engine.clone(), Arc::clone(&self.catalogue)),
            request.into_inner(),
            authorization,
            pending,
            changed.clone(),
            self.admission.clone(),
            self.stopping.clone(),
        );
        let reader = reader.over(peer.as_ref());
        let closer = peer.map(|peer| peer.closer);
        let writer = Writer::new(self.engine.clone(), queue, changed, answers, closer);
        let reading = tokio::spawn(reader.run(slot));
        tokio::spawn(async move {
            writer.run().await;
            // The stream's slot is free when both tasks have ended.
            drop(reading.await);
        });
        Ok(Response::new(ReceiverStream::new(stream)))
    }
}
