//! A pit's gRPC stream: opened, attached to, filled as the plan says, read, and opened again when it ends.
//!
//! # What bounds it
//! What is under way by the plan; messages that wait to be written [`MESSAGES_MAX`]; opening [`OPEN_MAX`]; a server
//! that says nothing while commands are under way by its `session`.
//!
//! # What order holds
//! The server answers in the order of sending: whatever else comes ends the run.

use std::time::Duration;

use meterhouse_client::table_stream::{TableStream, connect};
use meterhouse_proto::table::{Attach, Attached};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tonic::Status;
use tonic::transport::{Channel, Endpoint};

use crate::error::LoadError;
use crate::felt::Felt;
use crate::pace::Pacer;
use crate::pit::Pit;
use crate::session::{Opened, Session, Stream, judge};
use crate::status::{Ended, Patience};
use crate::wire::RequestSent;

/// Messages that wait to be written.
const MESSAGES_MAX: usize = 256;
/// How long opening a stream and attaching its tables may take.
const OPEN_MAX: Duration = Duration::from_secs(10);
/// Bytes that the server may send before the generator has read them, on a stream and on its connection.
const READ_WINDOW: u32 = 1 << 20;

/// Plays a pit to its end.
pub(crate) async fn play(
    mut pit: Pit,
    mut settled: mpsc::Receiver<usize>,
) -> Result<Pit, LoadError> {
    let node = pit.house.plan.node(pit.place);
    let address = node.and_then(|it| it.grpc.as_deref()).unwrap_or_default();
    let endpoint = endpoint(address)?;
    let what = format!("stream {}", pit.place + 1);
    let mut patience = Patience::new(what, pit.house.plan.patience);
    let mut pacer = Pacer::new(&pit)?;
    let mut channel = None;
    let mut is_first = true;
    loop {
        let opened = match timeout(OPEN_MAX, open(&pit, &endpoint, &mut channel)).await {
            Ok(opened) => opened,
            Err(_) => Err(Status::unavailable("the stream did not open in time")),
        };
        let ended = match opened {
            Ok(opened) => {
                check(&pit, &opened.attached)?;
                if is_first {
                    pit.house.begin().await;
                    is_first = false;
                }
                let mut session = Session::new(&mut pit, &mut pacer, opened);
                let ended = session.run(&mut settled).await?;
                let sent = session.sent;
                pit.lost(sent.into_iter());
                pit.tally.reconnects += u64::from(matches!(ended, Ended::Away(_)));
                ended
            }
            Err(status) => judge(&mut pit, &status)?,
        };
        pacer.blocked();
        match ended {
            Ended::Over => {
                pit.tally.unsent += pacer.unsent(&pit);
                pit.flush();
                return Ok(pit);
            }
            Ended::Gap => {}
            Ended::Cut => channel = None,
            Ended::Away(last) => {
                channel = None;
                patience.pause(last, pit.progress()).await?;
            }
        }
    }
}

fn endpoint(address: &str) -> Result<Endpoint, LoadError> {
    let endpoint = Endpoint::from_shared(address.to_owned());
    let endpoint = endpoint.map_err(|_| LoadError::Address {
        address: address.to_owned(),
    })?;
    Ok(endpoint
        .tcp_nodelay(true)
        .connect_timeout(OPEN_MAX)
        .initial_stream_window_size(READ_WINDOW)
        .initial_connection_window_size(READ_WINDOW))
}

async fn open(
    pit: &Pit,
    endpoint: &Endpoint,
    channel: &mut Option<Channel>,
) -> Result<Opened, Status> {
    let connected = match channel {
        Some(connected) => connected,
        None => channel.insert(connect(endpoint).await?),
    };
    let attach = |felt: &Felt| RequestSent {
        attach: Some(Attach {
            table: felt.name.clone(),
            token: felt.token.to_string(),
            follow_hits: false,
        }),
        ..RequestSent::default()
    };
    let first: Vec<RequestSent> = pit.felts.iter().map(attach).collect();
    let mut stream: Stream = TableStream::open(connected.clone(), first, MESSAGES_MAX).await?;
    let mut attached = Vec::with_capacity(pit.felts.len());
    while attached.len() < pit.felts.len() {
        let received = stream.responses.message().await?;
        let received = received.and_then(|response| response.attached);
        attached.push(received.ok_or_else(|| Status::unavailable("the stream ended"))?);
    }
    Ok(Opened { stream, attached })
}

/// Whether the server goes on where the tables are: what was acknowledged is there, and nothing that was never sent.
fn check(pit: &Pit, attached: &[Attached]) -> Result<(), LoadError> {
    for (felt, attached) in pit.felts.iter().zip(attached) {
        if attached.table != felt.name || !felt.may_expect(attached.next_sequence) {
            return Err(LoadError::broken(format!(
                "{} was attached as {} with the next number {}, but {} is acknowledged",
                felt.name, attached.table, attached.next_sequence, felt.last
            )));
        }
    }
    Ok(())
}
