//! The gRPC stream of a group: opened, attached, filled to the plan, read, and opened again when it ends.
//!
//! # Limits
//! The plan bounds the commands in flight. [`MESSAGES_MAX`] messages wait to be written, and [`OPEN_MAX`] bounds
//! opening. A silent server with commands in flight is bounded by `stream_session`.
//!
//! # Order
//! The server answers in the order of sending. Any other outcome ends the run.

use std::time::Duration;

use hyper::http::uri::Scheme;
use meterhouse_client::table_stream::{TableStream, connect};
use meterhouse_client::{Certificate, ClientTlsConfig};
use meterhouse_http_client::Trust;
use meterhouse_proto::table::{Attach, Attached};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tonic::Status;
use tonic::transport::{Channel, Endpoint};

use crate::connection_end::{Backoff, ConnectionEnd};
use crate::connection_group::ConnectionGroup;
use crate::error::LoadError;
use crate::pace::Pacer;
use crate::stream_session::{OpenedStream, Stream, StreamSession, stream_end};
use crate::table_driver::TableDriver;
use crate::wire::RequestSent;

/// Maximum number of messages that wait to be written.
const MESSAGES_MAX: usize = 256;
/// Maximum time to open a stream and attach its tables.
const OPEN_MAX: Duration = Duration::from_secs(10);
/// Maximum number of unread bytes, on a stream and on its connection.
const READ_WINDOW: u32 = 1 << 20;

/// Plays a group until all its commands have outcomes.
pub(crate) async fn play(
    mut group: ConnectionGroup,
    mut settled: mpsc::Receiver<usize>,
) -> Result<ConnectionGroup, LoadError> {
    let node = group.context.plan.node(group.index);
    let address = node
        .and_then(|node| node.grpc.as_deref())
        .unwrap_or_default();
    let endpoint = endpoint(address, group.context.plan.trust.as_ref())?;
    let name = format!("stream {}", group.index + 1);
    let mut backoff = Backoff::new(name, group.context.plan.patience);
    let mut pacer = Pacer::new(&group)?;
    let mut channel = None;
    let mut is_first = true;
    loop {
        let opened = match timeout(OPEN_MAX, open(&group, &endpoint, &mut channel)).await {
            Ok(opened) => opened,
            Err(_) => Err(Status::unavailable("the stream did not open in time")),
        };
        let ended = match opened {
            Ok(opened) => {
                check_attached(&group, &opened.attached)?;
                if is_first {
                    group.context.wait_for_start().await;
                    is_first = false;
                }
                let mut session = StreamSession::new(&mut group, &mut pacer, opened);
                let ended = session.run(&mut settled).await?;
                let in_flight = session.in_flight;
                group.requeue_lost(in_flight.into_iter());
                group.counters.reconnects +=
                    u64::from(matches!(ended, ConnectionEnd::Disconnected(_)));
                ended
            }
            Err(status) => stream_end(&mut group, &status)?,
        };
        pacer.mark_blocked();
        match ended {
            ConnectionEnd::Finished => {
                group.counters.unsent += pacer.unsent(&group);
                group.flush();
                return Ok(group);
            }
            ConnectionEnd::SequenceGap => {}
            ConnectionEnd::Cut => channel = None,
            ConnectionEnd::Disconnected(last) => {
                channel = None;
                backoff.wait(last, group.progress()).await?;
            }
        }
    }
}

fn endpoint(address: &str, trust: Option<&Trust>) -> Result<Endpoint, LoadError> {
    let unusable = || LoadError::Address {
        address: address.to_owned(),
    };
    let mut endpoint = Endpoint::from_shared(address.to_owned()).map_err(|_| unusable())?;
    if endpoint.uri().scheme() == Some(&Scheme::HTTPS) {
        let certificates = Certificate::from_pem(trust.ok_or_else(unusable)?.pem());
        let tls = ClientTlsConfig::new().ca_certificate(certificates);
        endpoint = endpoint.tls_config(tls).map_err(|_| unusable())?;
    }
    Ok(endpoint
        .tcp_nodelay(true)
        .connect_timeout(OPEN_MAX)
        .initial_stream_window_size(READ_WINDOW)
        .initial_connection_window_size(READ_WINDOW))
}

async fn open(
    group: &ConnectionGroup,
    endpoint: &Endpoint,
    channel: &mut Option<Channel>,
) -> Result<OpenedStream, Status> {
    let connected = match channel {
        Some(connected) => connected,
        None => channel.insert(connect(endpoint).await?),
    };
    let attach = |table: &TableDriver| RequestSent {
        attach: Some(Attach {
            table: table.name.clone(),
            token: table.token.to_string(),
            follow_hits: false,
            seal: String::new(),
        }),
        ..RequestSent::default()
    };
    let first: Vec<RequestSent> = group.tables.iter().map(attach).collect();
    let mut stream: Stream = TableStream::open(connected.clone(), first, MESSAGES_MAX).await?;
    let mut attached = Vec::with_capacity(group.tables.len());
    while attached.len() < group.tables.len() {
        let received = stream.responses.message().await?;
        let received = received.and_then(|response| response.attached);
        attached.push(received.ok_or_else(|| Status::unavailable("the stream ended"))?);
    }
    Ok(OpenedStream { stream, attached })
}

/// Checks that the server's next numbers fit the tables: acknowledged commands are stored, and no unsent number is
/// expected.
fn check_attached(group: &ConnectionGroup, attached: &[Attached]) -> Result<(), LoadError> {
    for (table, attached) in group.tables.iter().zip(attached) {
        if attached.table != table.name || !table.may_expect(attached.next_sequence) {
            return Err(LoadError::broken(format!(
                "{} was attached as {} with the next number {}, but {} is acknowledged",
                table.name, attached.table, attached.next_sequence, table.last_acknowledged
            )));
        }
    }
    Ok(())
}
