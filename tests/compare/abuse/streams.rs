//! Streams that are used badly: answers that nobody reads, repeats, refused commands, one table's flood.
//!
//! # Shape
//! Each abuser has a table of its own on the link of the others, with an open round whose chips it counts: that is as
//! much work as any command, and moves no money, so that the books of the others can be compared.

use std::time::Duration;

use meterhouse_client::table_stream::{TableStream, attach, connect, request};
use meterhouse_proto::table::command::Command as Asked;
use meterhouse_proto::table::outcome::Outcome as Done;
use meterhouse_proto::table::play_request::Request;
use meterhouse_proto::table::play_response::Response;
use meterhouse_proto::table::{
    CoinIn, Command, Commands, Count, Fold, PlayRequest, PlayResponse, Wager,
};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::transport::Endpoint;
use tonic_types::StatusExt as _;

use crate::Failure;

/// Requests that wait to be sent.
const REQUESTS_MAX: usize = 16;
/// Commands of one request.
const COMMANDS: usize = 256;
/// Numbers that are sent again and again: more than the server has at hand.
const REPEATED: u64 = 512;
/// The one wager, in micro-dollars, and the seat that makes it. The other seats get no cards.
const WAGER_MICROS: i64 = 1_000_000;
const SEAT: u32 = 1;
const NOT_DEALT: u32 = 6;
/// Before a stream is opened again that was ended.
const PAUSE: Duration = Duration::from_millis(10);
/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Who plays badly: a table and its token.
#[derive(Clone, Debug)]
pub(super) struct Abuser {
    /// Where gRPC is spoken.
    pub(super) grpc: String,
    /// Where HTTP is spoken.
    pub(super) http: std::net::SocketAddr,
    pub(super) table: String,
    pub(super) token: String,
}

/// How it plays badly.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// It never reads an answer.
    Unread,
    /// It sends what has an outcome again and again.
    Repeats,
    /// It sends what the rules refuse.
    Refused,
    /// It sends as fast as it is taken.
    Flood,
}

/// An open stream with a table on it.
struct Open {
    stream: TableStream,
    handle: u32,
    next: u64,
}

/// Sends on a stream.
struct Sender {
    requests: mpsc::Sender<PlayRequest>,
    handle: u32,
}

/// What came of it so far.
#[derive(Debug, Default)]
struct Came {
    outcomes: u64,
    ended: u64,
    /// Why the last one ended.
    why: Option<String>,
}

/// Opens the abuser's round.
pub(super) async fn open_round(abuser: &Abuser) -> Result<(), Failure> {
    let Open {
        mut stream,
        handle,
        next,
    } = open(abuser).await?;
    let asked = Asked::CoinIn(CoinIn {
        wagers: vec![Wager {
            seat: SEAT,
            amount_micros: WAGER_MICROS,
            ..Wager::default()
        }],
        dealt: vec![SEAT],
    });
    let requests = stream.requests.clone();
    Sender { requests, handle }.send(next, 1, &asked).await?;
    match in_time(stream.receive()).await? {
        Response::Outcomes(it) if matches!(done(&it.outcomes), Some(Done::CoinIn(_))) => Ok(()),
        other => Err(format!("an abuser's round did not open: {other:?}").into()),
    }
}

fn done(outcomes: &[meterhouse_proto::table::Outcome]) -> Option<&Done> {
    outcomes.first()?.outcome.as_ref()
}

/// Plays badly until `stop`; answers what came of it.
pub(super) async fn abuse(
    abuser: Abuser,
    manner: Manner,
    stop: CancellationToken,
) -> Result<String, Failure> {
    let mut came = Came::default();
    let abusing = async {
        loop {
            let status = match open(&abuser).await {
                Ok(open) => open.play(manner, &mut came).await,
                Err(status) => status,
            };
            came.ended += 1;
            let reason = status.get_details_error_info().map(|it| it.reason);
            came.why = Some(reason.unwrap_or_else(|| status.code().to_string()));
            sleep(PAUSE).await;
        }
    };
    let _: Option<()> = stop.run_until_cancelled(abusing).await;
    let why = came.why.map(|it| format!(" with {it}")).unwrap_or_default();
    let (outcomes, ended) = (came.outcomes, came.ended);
    Ok(format!("{outcomes} outcomes, {ended} streams ended{why}"))
}

/// Opens a stream and attaches the table.
async fn open(abuser: &Abuser) -> Result<Open, Status> {
    let endpoint = Endpoint::from_shared(abuser.grpc.clone());
    let endpoint = endpoint.map_err(|error| Status::unavailable(error.to_string()))?;
    let channel = connect(&endpoint.tcp_nodelay(true)).await?;
    let first = vec![attach(&abuser.table, &abuser.token, false)];
    let mut stream = TableStream::open(channel, first, REQUESTS_MAX).await?;
    let attached = in_time(stream.attached()).await?;
    Ok(Open {
        stream,
        handle: attached.handle,
        next: attached.next_sequence,
    })
}

/// Waits for a response, but not for ever.
async fn in_time<T>(response: impl Future<Output = Result<T, Status>>) -> Result<T, Status> {
    let received = timeout(PATIENCE, response).await;
    received.map_err(|_| Status::deadline_exceeded("no answer came"))?
}

impl Sender {
    /// Sends these numbers; waits while the server takes no more.
    async fn send(&self, from: u64, count: u64, asked: &Asked) -> Result<(), Failure> {
        let commands = (from..from + count).map(|sequence| Command {
            handle: self.handle,
            sequence,
            command: Some(asked.clone()),
            ..Command::default()
        });
        let commands = commands.collect();
        let request = request(Request::Commands(Commands { commands }));
        Ok(self.requests.send(request).await?)
    }

    /// Sends until the server takes no more.
    async fn send_all(self, manner: Manner, mut next: u64) {
        let count = Asked::Count(Count { chips: 1 });
        let fold = Asked::Fold(Fold {
            seats: vec![NOT_DEALT],
        });
        let asked = match manner {
            Manner::Refused => fold,
            Manner::Unread | Manner::Repeats | Manner::Flood => count,
        };
        // The round's coin-in has the number 1.
        let mut again = (2..REPEATED).step_by(COMMANDS).cycle();
        loop {
            let is_again = manner == Manner::Repeats && next > REPEATED;
            let from = match again.next() {
                Some(from) if is_again => from,
                Some(_) | None => next,
            };
            if self.send(from, COMMANDS as u64, &asked).await.is_err() {
                return;
            }
            next = next.max(from + COMMANDS as u64);
        }
    }
}

impl Open {
    /// Plays until the stream ends; answers why it ended.
    async fn play(self, manner: Manner, came: &mut Came) -> Status {
        let TableStream {
            requests,
            mut responses,
        } = self.stream;
        let handle = self.handle;
        let sending = Sender { requests, handle }.send_all(manner, self.next);
        let reading = async {
            loop {
                match responses.message().await {
                    Ok(Some(answer)) => came.outcomes += outcomes(&answer),
                    Ok(None) => return Status::unavailable("the stream ended"),
                    Err(status) => return status,
                }
            }
        };
        if manner == Manner::Unread {
            sending.await;
            // What is there by now is of no use, only how it ends.
            return reading.await;
        }
        tokio::join!(reading, sending).0
    }
}

/// How many outcomes an answer has.
fn outcomes(answer: &PlayResponse) -> u64 {
    match &answer.response {
        Some(Response::Outcomes(it)) => it.outcomes.len() as u64,
        Some(Response::Attached(_) | Response::Alive(_) | Response::HitsChanged(_)) | None => 0,
    }
}
