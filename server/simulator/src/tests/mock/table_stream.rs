//! Streams of tables: handles commands as over HTTP, and sends changes of the round's hits.

use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use meterhouse_proto::table::outcome::Outcome as OutcomeKind;
use meterhouse_proto::table::play_request::Request as RequestKind;
use meterhouse_proto::table::play_response::Response as ResponseKind;
use meterhouse_proto::table::table_gateway_server::TableGateway;
use meterhouse_proto::table::{self as proto, PlayRequest, PlayResponse};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, Streaming};

use super::round::DISPLAYED;
use super::stream_form::{effect, request_of, round_hit};
use super::{Mock, NOON};

/// Minimum age of a command that a controller kept during an outage.
const OUTAGE_MIN: Duration = Duration::from_secs(1);
/// The handle of a stream's only table.
const HANDLE: u32 = 1;

/// The gRPC service.
pub(super) struct Gateway(pub(super) Arc<Mutex<Mock>>);

/// A table attached to a stream.
struct Table {
    mock: Arc<Mutex<Mock>>,
    name: String,
    token: String,
    follows_hits: bool,
    standing: proto::Standing,
}

#[tonic::async_trait]
impl TableGateway for Gateway {
    type PlayStream = ReceiverStream<Result<PlayResponse, Status>>;

    async fn play(
        &self,
        request: Request<Streaming<PlayRequest>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let (responses, queue) = mpsc::channel(16);
        let mock = Arc::clone(&self.0);
        tokio::spawn(async move {
            if let Err(status) = play(mock, request.into_inner(), &responses).await {
                drop(responses.send(Err(status)).await);
            }
        });
        Ok(Response::new(ReceiverStream::new(queue)))
    }
}

/// Handles a stream until its end.
async fn play(
    mock: Arc<Mutex<Mock>>,
    mut requests: Streaming<PlayRequest>,
    responses: &mpsc::Sender<Result<PlayResponse, Status>>,
) -> Result<(), Status> {
    let first = requests
        .message()
        .await?
        .and_then(|message| message.request);
    let Some(RequestKind::Attach(attach)) = first else {
        return Err(Status::invalid_argument("attach first"));
    };
    let mut changes = mock.lock().expect("no panic").changes.subscribe();
    let (mut table, attached) = Table::attach(mock, attach);
    let mut response = Some(ResponseKind::Attached(attached));
    loop {
        if response.is_some() && responses.send(Ok(PlayResponse { response })).await.is_err() {
            return Ok(());
        }
        response = tokio::select! {
            request = requests.message() => match request?.and_then(|message| message.request) {
                Some(request) => Some(table.respond(request)?),
                None => return Ok(()),
            },
            _ = changes.changed() => table.hits_changed(),
        };
    }
}

impl Table {
    fn attach(mock: Arc<Mutex<Mock>>, attach: proto::Attach) -> (Self, proto::Attached) {
        let mut table = Self {
            mock,
            name: attach.table,
            token: attach.token,
            follows_hits: attach.follow_hits,
            standing: proto::Standing::default(),
        };
        let standing = table.refresh();
        let mock = table.mock.lock().expect("no panic");
        let link = mock.link_of(&table.name);
        let attached = proto::Attached {
            table: table.name.clone(),
            handle: HANDLE,
            next_sequence: mock.last_sequence(&table.name) + 1,
            window: 8,
            standing: Some(standing),
            link: mock.tables[&table.name].request.link.to_string(),
            wager_micros: link.request.wager.0.0.micros(),
            levels: vec!["meter".to_owned()],
            silence_seconds_max: link.silence_seconds(),
            seal: String::new(),
        };
        drop(mock);
        (table, attached)
    }

    /// Updates and returns the table's standing.
    fn refresh(&mut self) -> proto::Standing {
        self.standing = self.mock.lock().expect("no panic").standing(&self.name);
        self.standing.clone()
    }

    fn hits_changed(&mut self) -> Option<ResponseKind> {
        let before = self.standing.clone();
        let now = self.refresh();
        let is_same = before.round == now.round;
        (self.follows_hits && !is_same).then(|| {
            ResponseKind::HitsChanged(proto::HitsChanged {
                handle: HANDLE,
                standing: Some(now),
                void_hits: Vec::new(),
            })
        })
    }

    fn respond(&mut self, request: RequestKind) -> Result<ResponseKind, Status> {
        match request {
            RequestKind::Heartbeat(_) => {
                let mut mock = self.mock.lock().expect("no panic");
                mock.record_contact(&self.name, &self.token);
                mock.tables.get_mut(&self.name).expect("a table").is_lost = false;
                drop(mock);
                Ok(ResponseKind::Alive(proto::Alive {
                    handle: HANDLE,
                    standing: Some(self.refresh()),
                    seal: String::new(),
                }))
            }
            RequestKind::Commands(list) => {
                let outcomes = list.commands.iter().map(|command| self.outcome(command));
                let outcomes = outcomes.collect::<Result<_, Status>>()?;
                Ok(ResponseKind::Outcomes(proto::Outcomes { outcomes }))
            }
            RequestKind::Attach(_) => Err(Status::unimplemented("one table a stream")),
        }
    }

    fn outcome(&mut self, command: &proto::Command) -> Result<proto::Outcome, Status> {
        let request = request_of(&self.name, command);
        let mut mock = self.mock.lock().expect("no panic");
        mock.observe_device_time(command.device_time_micros);
        mock.record_contact(&self.name, &self.token);
        let (status, replayed, response) =
            mock.respond(|mock| mock.replay_or_decide(&self.name, command.sequence, &request));
        drop(mock);
        let mut outcome = proto::Outcome {
            handle: HANDLE,
            sequence: command.sequence,
            replayed,
            at_micros: NOON.0.0,
            batch: 1,
            ..proto::Outcome::default()
        };
        match (status, response) {
            (_, Ok(response)) => {
                outcome.batch = response.position.batch;
                outcome.displayed_micros = vec![DISPLAYED.micros()];
                outcome.outcome = Some(effect(&response.outcome));
            }
            (422, Err(code)) => {
                outcome.outcome = Some(OutcomeKind::Refused(proto::Refused {
                    code: code.to_owned(),
                    ..proto::Refused::default()
                }));
            }
            (503, Err(_)) => return Err(Status::unavailable("not now")),
            (_, Err(code)) => return Err(Status::aborted(code)),
        }
        outcome.standing = self.follows_hits.then(|| self.refresh());
        Ok(outcome)
    }
}

impl Mock {
    /// Observes the device time of a command that was kept during an outage. Other commands have a device time of now.
    fn observe_device_time(&mut self, at: Option<i64>) {
        let Some(at) = at.and_then(|at| u64::try_from(at).ok()) else {
            return;
        };
        let now = UNIX_EPOCH.elapsed().expect("after 1970");
        if now.saturating_sub(Duration::from_micros(at)) > OUTAGE_MIN {
            self.observed.insert("device time");
        }
    }

    /// Returns the standing of a table.
    fn standing(&self, table: &str) -> proto::Standing {
        let entry = &self.tables[table];
        let link = self.link_of(table);
        let round = entry.round.as_ref().map(|round| {
            let number = round.sequence;
            let hits = round.hits.iter();
            proto::Round {
                round: number,
                hits: hits
                    .map(|hit| round_hit(number, &self.hits[hit].hit))
                    .collect(),
                ..proto::Round::default()
            }
        });
        let link_state = if link.suspended { "suspended" } else { "open" };
        proto::Standing {
            link_state: link_state.to_owned(),
            disabled: link.disabled.iter().cloned().collect(),
            lost: self.is_lost(table),
            open_round: round.as_ref().map_or(0, |round| round.round),
            batch: self.requests,
            round,
            table_state: "in_service".to_owned(),
            ..proto::Standing::default()
        }
    }
}
