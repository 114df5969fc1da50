//! The raw stream of tables: `TableGateway/Play` message by message, without an outbox, numbers or retries.
//!
//! # Use
//! A table needs a [`Controller`](crate::Controller), which stores what it sends. Programs that simulate many tables,
//! measure, or violate the protocol on purpose open a stream themselves.
//!
//! # Shape
//! [`TableStream`] is a queue of requests and the server's responses, to be used concurrently. The type is generic over
//! both messages. A program that needs few fields supplies its own messages, with the same field numbers.
//!
//! # Limits
//! The caller sets the length of the queue. No call has a time limit: the caller sets one.

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

/// The path of the gRPC method.
const PLAY: &str = "/meterhouse.table.v1.TableGateway/Play";
/// Maximum number of causes of an error that are reported.
const CAUSES_MAX: usize = 4;

/// An open stream.
#[derive(Debug)]
pub struct TableStream<Q = PlayRequest, R = PlayResponse> {
    /// The queue of requests. Once all its senders are dropped, the server is notified that no request follows.
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
    /// Opens a stream on a connection. The first requests precede any from the queue, independently of the queue's
    /// length. They can carry metadata.
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

/// Returns a request in the form that a stream sends.
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
        seal: String::new(),
    }))
}

fn unavailable(error: &tonic::transport::Error) -> Status {
    Status::unavailable(with_causes(error))
}

/// Returns an error with its causes, without repetitions.
pub(crate) fn with_causes(error: &dyn Error) -> String {
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
