//! Streams of tables: handles commands as over HTTP, and sends changes of the round's hits.

use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use meterhouse_proto::table::command::Command as CommandKind;
use meterhouse_proto::table::holder::Holder as HolderKind;
use meterhouse_proto::table::outcome::Outcome as OutcomeKind;
use meterhouse_proto::table::play_request::Request as RequestKind;
use meterhouse_proto::table::play_response::Response as ResponseKind;
use meterhouse_proto::table::table_gateway_server::TableGateway;
use meterhouse_proto::table::{self as proto, PlayRequest, PlayResponse};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, Streaming};

use super::{Mock, NOON_MICROS};
use crate::amount;

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
        let link = &mock.tables[&table.name].link;
        let settings = &mock.links[link].body;
        let silence = settings["silence_seconds_max"].as_u64().unwrap_or(5);
        let attached = proto::Attached {
            table: table.name.clone(),
            handle: HANDLE,
            next_sequence: mock.last_sequence(&table.name) as u64 + 1,
            window: 8,
            standing: Some(standing),
            link: link.clone(),
            wager_micros: micros(&settings["wager"]),
            levels: vec!["meter".to_owned()],
            silence_seconds_max: u32::try_from(silence).expect("small"),
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
        let body = body(&self.name, command);
        let sequence = usize::try_from(command.sequence).expect("small");
        let mut mock = self.mock.lock().expect("no panic");
        mock.observe_device_time(command.device_time_micros);
        mock.record_contact(&self.name, &self.token);
        let (status, replayed, response) =
            mock.respond(|mock| mock.replay_or_decide(&self.name, sequence, &body));
        drop(mock);
        let outcome = match status {
            200 | 201 => outcome_kind(command, &response),
            422 => OutcomeKind::Refused(proto::Refused {
                code: text(&response["code"]),
                ..proto::Refused::default()
            }),
            503 => return Err(Status::unavailable("not now")),
            _ => return Err(Status::aborted(response.to_string())),
        };
        let levels = response["levels"].as_array().into_iter().flatten();
        let standing = self.follows_hits.then(|| self.refresh());
        Ok(proto::Outcome {
            handle: HANDLE,
            sequence: command.sequence,
            replayed,
            at_micros: NOON_MICROS,
            batch: 1,
            position: 0,
            displayed_micros: levels.map(|level| micros(&level["amount"])).collect(),
            standing,
            outcome: Some(outcome),
        })
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
        let link = &self.links[&entry.link];
        let round = entry.round.as_ref().map(|round| {
            let number = round.sequence as u64;
            let hits = round.hits.iter();
            proto::Round {
                round: number,
                hits: hits.map(|hit| round_hit(number, &self.hits[hit])).collect(),
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

/// Returns the body of a command as over HTTP.
fn body(table: &str, command: &proto::Command) -> Value {
    let kind = command.command.as_ref().expect("a command");
    let cards = |cards: &Option<proto::Cards>| cards.as_ref().map(|list| list.cards.clone());
    let with_holder = |holder: Option<proto::Holder>, mut fields: Value| {
        match seat_of(holder) {
            Some(seat) => fields["seat"] = json!(seat),
            None => fields["dealer"] = json!(true),
        }
        fields
    };
    let (name, mut body) = match kind {
        CommandKind::CoinIn(coin_in) => {
            let wager = |wager: &proto::Wager| {
                let on = wager.on_dealer.then_some("dealer");
                json!({"seat": wager.seat, "on": on})
            };
            let wagers: Vec<Value> = coin_in.wagers.iter().map(wager).collect();
            let fields = json!({"wagers": wagers, "dealt": coin_in.dealt});
            ("coin_in", fields)
        }
        CommandKind::Count(count) => ("count", json!({"chips": count.chips})),
        CommandKind::Fold(fold) => ("fold", json!({"seats": fold.seats})),
        CommandKind::Hit(hit) => {
            let fields = json!({"hand": hit.hand, "cards": cards(&hit.cards)});
            ("hit", with_holder(hit.holder, fields))
        }
        CommandKind::Envy(envy) => (
            "envy",
            json!({"seat": envy.seat, "hand": envy.hand, "cards": cards(&envy.cards)}),
        ),
        CommandKind::Bonus(bonus) => {
            let fields = json!({"kind": bonus.kind, "cards": cards(&bonus.cards)});
            ("bonus", with_holder(bonus.holder, fields))
        }
        CommandKind::Settle(settle) => {
            let seat = |shown: &proto::SeatCards| json!({"seat": shown.seat, "cards": shown.cards});
            let seats: Vec<Value> = settle.seats.iter().map(seat).collect();
            let (dealer, community) = (&settle.dealer, &settle.community);
            let fields = json!({"dealer": dealer, "community": community, "seats": seats});
            ("settle", fields)
        }
        CommandKind::CancelHit(cancel) => {
            let hit = format!("{table}.{}", cancel.sequence);
            ("cancel_hit", json!({"hit": hit}))
        }
        CommandKind::Close(_) => ("close", json!({})),
        CommandKind::Void(void) => ("void", json!({"reason": void.reason})),
    };
    body["command"] = json!(name);
    body["by"] = json!(command.badge);
    body
}

/// Returns the outcome of an accepted command.
fn outcome_kind(command: &proto::Command, response: &Value) -> OutcomeKind {
    let hits = || response["hits"].as_array().into_iter().flatten();
    let hit = || hits().map(hit_done).next().unwrap_or_default();
    match command.command.as_ref().expect("a command") {
        CommandKind::CoinIn(_) => OutcomeKind::CoinIn(proto::CoinInDone {
            magic_card: text(&response["magic_card"]),
            lucky_position: Some(&response["lucky_position"])
                .filter(|position| position.is_object())
                .map(holder),
            ..proto::CoinInDone::default()
        }),
        CommandKind::Count(_) => OutcomeKind::Count(proto::CountDone::default()),
        CommandKind::Fold(_) => OutcomeKind::Fold(proto::FoldDone::default()),
        CommandKind::Hit(_) => OutcomeKind::Hit(hit()),
        CommandKind::Envy(_) => OutcomeKind::Envy(hit()),
        CommandKind::Bonus(_) => OutcomeKind::Bonus(hit()),
        CommandKind::Settle(_) => OutcomeKind::Settle(proto::SettleDone {
            hits: hits().map(hit_done).collect(),
        }),
        CommandKind::CancelHit(cancel) => OutcomeKind::CancelHit(proto::CancelHitDone {
            hit: format!("T.{}", cancel.sequence),
        }),
        CommandKind::Close(_) => OutcomeKind::Close(proto::CloseDone::default()),
        CommandKind::Void(void) => OutcomeKind::Void(proto::VoidDone {
            reason: void.reason.clone(),
            ..proto::VoidDone::default()
        }),
    }
}

fn hit_done(hit: &Value) -> proto::HitDone {
    proto::HitDone {
        hit: text(&hit["hit"]),
        round: 1,
        kind: text(&hit["kind"]),
        holder: Some(holder(hit)),
        hand: text(&hit["hand"]),
        state: text(&hit["state"]),
        due_micros: micros(&hit["due"]),
        payouts: vec![payout(hit)],
        ..proto::HitDone::default()
    }
}

fn round_hit(round: u64, hit: &Value) -> proto::RoundHit {
    let payment = &hit["payouts"][0]["payment"];
    proto::RoundHit {
        hit: text(&hit["hit"]),
        round,
        kind: text(&hit["kind"]),
        holder: Some(holder(hit)),
        hand: text(&hit["hand"]),
        state: text(&hit["state"]),
        due_micros: micros(&hit["due"]),
        payouts: vec![proto::RoundPayout {
            payout: Some(payout(hit)),
            paid: payment["paid"] == true,
            document: text(&payment["document"]),
        }],
        ..proto::RoundHit::default()
    }
}

fn payout(hit: &Value) -> proto::Payout {
    let payout = &hit["payouts"][0];
    proto::Payout {
        kind: "line".to_owned(),
        amount_micros: micros(&payout["amount"]),
        handed_over: text(&payout["handed_over"]),
        ..proto::Payout::default()
    }
}

/// Returns the holder of a hit: the dealer if the hit has no seat.
fn holder(hit: &Value) -> proto::Holder {
    let seat = hit["seat"]
        .as_u64()
        .and_then(|seat| u32::try_from(seat).ok());
    proto::Holder {
        holder: Some(seat.map_or(HolderKind::Dealer(proto::Dealer {}), HolderKind::Seat)),
    }
}

fn seat_of(holder: Option<proto::Holder>) -> Option<u32> {
    match holder.and_then(|holder| holder.holder) {
        Some(HolderKind::Seat(seat)) => Some(seat),
        Some(HolderKind::Dealer(_)) | None => None,
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn micros(amount: &Value) -> i64 {
    amount.as_str().and_then(amount::parse).unwrap_or_default()
}
