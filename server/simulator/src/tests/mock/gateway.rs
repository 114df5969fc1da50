//! Streams of tables: what a table sends is done as over HTTP, and its hits are followed.

use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use meterhouse_proto::table::command::Command as Asked;
use meterhouse_proto::table::holder::Holder as Whose;
use meterhouse_proto::table::outcome::Outcome as Done;
use meterhouse_proto::table::play_request::Request as Requested;
use meterhouse_proto::table::play_response::Response as Responded;
use meterhouse_proto::table::table_gateway_server::TableGateway;
use meterhouse_proto::table::{self as proto, PlayRequest, PlayResponse};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, Streaming};

use super::{Mock, NOON_MICROS};
use crate::amount;

/// A command that waited so long was kept through an outage.
const KEPT_MIN: Duration = Duration::from_secs(1);
/// The only table of a stream.
const HANDLE: u32 = 1;

/// The service.
pub(super) struct Gateway(pub(super) Arc<Mutex<Mock>>);

/// A table on a stream.
struct Table {
    mock: Arc<Mutex<Mock>>,
    name: String,
    token: String,
    follows: bool,
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

/// Plays a stream to its end.
async fn play(
    mock: Arc<Mutex<Mock>>,
    mut requests: Streaming<PlayRequest>,
    responses: &mpsc::Sender<Result<PlayResponse, Status>>,
) -> Result<(), Status> {
    let first = requests.message().await?.and_then(|it| it.request);
    let Some(Requested::Attach(attach)) = first else {
        return Err(Status::invalid_argument("attach first"));
    };
    let mut changes = mock.lock().expect("no panic").changes.subscribe();
    let (mut table, attached) = Table::attach(mock, attach);
    let mut response = Some(Responded::Attached(attached));
    loop {
        if response.is_some() && responses.send(Ok(PlayResponse { response })).await.is_err() {
            return Ok(());
        }
        response = tokio::select! {
            request = requests.message() => match request?.and_then(|it| it.request) {
                Some(request) => Some(table.answer(request)?),
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
            follows: attach.follow_hits,
            standing: proto::Standing::default(),
        };
        let standing = table.stand();
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

    /// How the table stands now.
    fn stand(&mut self) -> proto::Standing {
        self.standing = self.mock.lock().expect("no panic").standing(&self.name);
        self.standing.clone()
    }

    fn hits_changed(&mut self) -> Option<Responded> {
        let before = self.standing.clone();
        let now = self.stand();
        let is_same = before.round == now.round;
        (self.follows && !is_same).then(|| {
            Responded::HitsChanged(proto::HitsChanged {
                handle: HANDLE,
                standing: Some(now),
                void_hits: Vec::new(),
            })
        })
    }

    fn answer(&mut self, request: Requested) -> Result<Responded, Status> {
        match request {
            Requested::Heartbeat(_) => {
                let mut mock = self.mock.lock().expect("no panic");
                mock.hear(&self.name, &self.token);
                mock.tables.get_mut(&self.name).expect("a table").is_lost = false;
                drop(mock);
                Ok(Responded::Alive(proto::Alive {
                    handle: HANDLE,
                    standing: Some(self.stand()),
                }))
            }
            Requested::Commands(it) => {
                let outcomes = it.commands.iter().map(|command| self.outcome(command));
                let outcomes = outcomes.collect::<Result<_, Status>>()?;
                Ok(Responded::Outcomes(proto::Outcomes { outcomes }))
            }
            Requested::Attach(_) => Err(Status::unimplemented("one table a stream")),
        }
    }

    fn outcome(&mut self, command: &proto::Command) -> Result<proto::Outcome, Status> {
        let body = body(&self.name, command);
        let sequence = usize::try_from(command.sequence).expect("small");
        let mut mock = self.mock.lock().expect("no panic");
        mock.note_device_time(command.device_time_micros);
        mock.hear(&self.name, &self.token);
        let (status, replayed, answer) =
            mock.in_manner(|mock| mock.numbered(&self.name, sequence, &body));
        drop(mock);
        let done = match status {
            200 | 201 => done(command, &answer),
            422 => Done::Refused(proto::Refused {
                code: text(&answer["code"]),
                ..proto::Refused::default()
            }),
            503 => return Err(Status::unavailable("not now")),
            _ => return Err(Status::aborted(answer.to_string())),
        };
        let levels = answer["levels"].as_array().into_iter().flatten();
        let standing = self.follows.then(|| self.stand());
        Ok(proto::Outcome {
            handle: HANDLE,
            sequence: command.sequence,
            replayed,
            at_micros: NOON_MICROS,
            batch: 1,
            position: 0,
            displayed_micros: levels.map(|level| micros(&level["amount"])).collect(),
            standing,
            outcome: Some(done),
        })
    }
}

impl Mock {
    /// A command that is sent when it is pressed says so as well; only one that was kept shows it.
    fn note_device_time(&mut self, at: Option<i64>) {
        let Some(at) = at.and_then(|at| u64::try_from(at).ok()) else {
            return;
        };
        let now = UNIX_EPOCH.elapsed().expect("after 1970");
        if now.saturating_sub(Duration::from_micros(at)) > KEPT_MIN {
            self.seen.insert("device time");
        }
    }

    /// How a table and its link stand.
    fn standing(&self, table: &str) -> proto::Standing {
        let it = &self.tables[table];
        let link = &self.links[&it.link];
        let round = it.round.as_ref().map(|round| {
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

/// What a command asks for, as over HTTP.
fn body(table: &str, command: &proto::Command) -> Value {
    let asked = command.command.as_ref().expect("a command");
    let cards = |it: &Option<proto::Cards>| it.as_ref().map(|it| it.cards.clone());
    let held = |holder: Option<proto::Holder>, mut it: Value| {
        match whose(holder) {
            Some(seat) => it["seat"] = json!(seat),
            None => it["dealer"] = json!(true),
        }
        it
    };
    let (kind, it) = match asked {
        Asked::CoinIn(it) => {
            let wager = |it: &proto::Wager| {
                let on = it.on_dealer.then_some("dealer");
                json!({"seat": it.seat, "on": on})
            };
            let wagers: Vec<Value> = it.wagers.iter().map(wager).collect();
            ("coin_in", json!({"wagers": wagers, "dealt": it.dealt}))
        }
        Asked::Count(it) => ("count", json!({"chips": it.chips})),
        Asked::Fold(it) => ("fold", json!({"seats": it.seats})),
        Asked::Hit(it) => {
            let hit = json!({"hand": it.hand, "cards": cards(&it.cards)});
            ("hit", held(it.holder, hit))
        }
        Asked::Envy(it) => (
            "envy",
            json!({"seat": it.seat, "hand": it.hand, "cards": cards(&it.cards)}),
        ),
        Asked::Bonus(it) => {
            let bonus = json!({"kind": it.kind, "cards": cards(&it.cards)});
            ("bonus", held(it.holder, bonus))
        }
        Asked::Settle(it) => {
            let seat = |it: &proto::SeatCards| json!({"seat": it.seat, "cards": it.cards});
            let seats: Vec<Value> = it.seats.iter().map(seat).collect();
            let all = json!({"dealer": it.dealer, "community": it.community, "seats": seats});
            ("settle", all)
        }
        Asked::CancelHit(it) => {
            let hit = format!("{table}.{}", it.sequence);
            ("cancel_hit", json!({"hit": hit}))
        }
        Asked::Close(_) => ("close", json!({})),
        Asked::Void(it) => ("void", json!({"reason": it.reason})),
    };
    json!({kind: it, "by": command.badge})
}

/// What a command did.
fn done(command: &proto::Command, answer: &Value) -> Done {
    let hits = || answer["hits"].as_array().into_iter().flatten();
    let hit = || hits().map(hit_done).next().unwrap_or_default();
    match command.command.as_ref().expect("a command") {
        Asked::CoinIn(_) => Done::CoinIn(proto::CoinInDone {
            magic_card: text(&answer["magic_card"]),
            lucky_position: Some(&answer["lucky_position"])
                .filter(|position| position.is_object())
                .map(holder),
            ..proto::CoinInDone::default()
        }),
        Asked::Count(_) => Done::Count(proto::CountDone::default()),
        Asked::Fold(_) => Done::Fold(proto::FoldDone::default()),
        Asked::Hit(_) => Done::Hit(hit()),
        Asked::Envy(_) => Done::Envy(hit()),
        Asked::Bonus(_) => Done::Bonus(hit()),
        Asked::Settle(_) => Done::Settle(proto::SettleDone {
            hits: hits().map(hit_done).collect(),
        }),
        Asked::CancelHit(it) => Done::CancelHit(proto::CancelHitDone {
            hit: format!("T.{}", it.sequence),
        }),
        Asked::Close(_) => Done::Close(proto::CloseDone::default()),
        Asked::Void(it) => Done::Void(proto::VoidDone {
            reason: it.reason.clone(),
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
    let paid = &hit["payouts"][0]["paid"];
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
            paid: paid["at"].is_string(),
            document: text(&paid["document"]),
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

/// Whose hand: the dealer's where no seat stands there.
fn holder(it: &Value) -> proto::Holder {
    let seat = it["seat"]
        .as_u64()
        .and_then(|seat| u32::try_from(seat).ok());
    proto::Holder {
        holder: Some(seat.map_or(Whose::Dealer(proto::Dealer {}), Whose::Seat)),
    }
}

fn whose(holder: Option<proto::Holder>) -> Option<u32> {
    match holder.and_then(|it| it.holder) {
        Some(Whose::Seat(seat)) => Some(seat),
        Some(Whose::Dealer(_)) | None => None,
    }
}

fn text(it: &Value) -> String {
    it.as_str().unwrap_or_default().to_owned()
}

fn micros(amount: &Value) -> i64 {
    amount.as_str().and_then(amount::parse).unwrap_or_default()
}
