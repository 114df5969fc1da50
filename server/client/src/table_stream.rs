//! The raw stream of tables: `TableGateway/Play` message by message, without an outbox, numbers or retries.
//!
//! # Use
//! A table needs a [`Controller`](crate::Controller), which keeps what it sends. Programs that stand for many tables, that
//! measure, or that misbehave on purpose open a stream themselves.
//!
//! # Shape
//! [`TableStream`] is a queue of requests and the server's responses, both to be used side by side. It is generic over
//! the two messages: a program that needs little of them gives its own, with the same field numbers.
//!
//! # What bounds it
//! The queue has the length that the caller gives. No call has a time limit: the caller sets one.

use std::error::Error;

use meterhouse_proto::table::play_request::Request as Requested;
use meterhouse_proto::table::play_response::Response as Responded;
use meterhouse_proto::table::{Attach, Attached, PlayRequest, PlayResponse};
use prost::Message;
use tokio::sync::mpsc;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::{Channel, Endpoint};
use tonic::{IntoRequest, Status, Streaming};
use tonic_prost::ProstCodec;

/// The method.
const PLAY: &str = "/meterhouse.table.v1.TableGateway/Play";
/// Causes of an error that are reported.
const CAUSES_MAX: usize = 4;

/// An open stream.
#[derive(Debug)]
pub struct TableStream<Q = PlayRequest, R = PlayResponse> {
    /// The queue of requests. Once all its senders are dropped, the server is told that no request follows.
    pub requests: mpsc::Sender<Q>,
    /// The server's responses.
    pub responses: Streaming<R>,
}

/// Opens a connection.
///
/// # Errors
/// [`Code::Unavailable`](tonic::Code::Unavailable) with the causes.
pub async fn connect(endpoint: &Endpoint) -> Result<Channel, Status> {
    endpoint
        .connect()
        .await
        .map_err(|error| unavailable(&error))
}

impl<Q, R> TableStream<Q, R>
where
    Q: Message + 'static,
    R: Message + Default + 'static,
{
    /// Opens a stream on a connection. The first requests go out before any from the queue, whatever the queue's
    /// length; they can carry metadata.
    ///
    /// # Errors
    /// The status with which the server refuses the stream.
    pub async fn open(
        channel: Channel,
        first: impl IntoRequest<Vec<Q>>,
        queue_max: usize,
    ) -> Result<Self, Status> {
        let (requests, queue) = mpsc::channel(queue_max);
        let sending = |first| tokio_stream::iter(first).chain(ReceiverStream::new(queue));
        let mut client = Grpc::new(channel);
        client.ready().await.map_err(|error| unavailable(&error))?;
        let path = PathAndQuery::from_static(PLAY);
        let codec = ProstCodec::<Q, R>::default();
        let response = client
            .streaming(first.into_request().map(sending), path, codec)
            .await?;
        Ok(Self {
            requests,
            responses: response.into_inner(),
        })
    }
}

impl TableStream {
    /// Waits for the next response.
    ///
    /// # Errors
    /// The status with which the stream ended.
    pub async fn receive(&mut self) -> Result<Responded, Status> {
        let response = self.responses.message().await?;
        let response = response.and_then(|response| response.response);
        response.ok_or_else(|| Status::unavailable("the stream ended"))
    }

    /// Waits for the answer to an attach, which has to be the next response.
    ///
    /// # Errors
    /// The status with which the stream ended, or [`Code::Internal`](tonic::Code::Internal) for another response.
    pub async fn attached(&mut self) -> Result<Attached, Status> {
        match self.receive().await? {
            Responded::Attached(attached) => Ok(attached),
            Responded::Outcomes(_) | Responded::Alive(_) | Responded::HitsChanged(_) => {
                Err(Status::internal("the table was not attached"))
            }
        }
    }
}

/// Returns a request as it goes onto a stream.
pub const fn request(request: Requested) -> PlayRequest {
    PlayRequest {
        request: Some(request),
    }
}

/// Returns the request that attaches a table with the token of its controller.
pub fn attach(
    table: impl Into<String>,
    token: impl Into<String>,
    follow_hits: bool,
) -> PlayRequest {
    request(Requested::Attach(Attach {
        table: table.into(),
        token: token.into(),
        follow_hits,
    }))
}

fn unavailable(error: &tonic::transport::Error) -> Status {
    Status::unavailable(with_causes(error))
}

/// Returns an error with its causes, none of them twice.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    for _ in 0..CAUSES_MAX {
        let Some(cause) = source else {
            break;
        };
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}
