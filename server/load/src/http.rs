//! A pit's HTTP connection: kept open, one command at a time, opened again when it ends.
//!
//! # What bounds it
//! Connecting [`CONNECT_MAX`], an answer [`ANSWER_MAX`] and [`BODY_MAX`].

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue};
use hyper::{Method, Request, Response, Uri};
use hyper_util::rt::TokioIo;
use prost::bytes::Bytes;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::ask::{Answer, Ask, Given};
use crate::commands::{BADGE, HANDS, Kind, SEATS_MAX};
use crate::error::{LoadError, causes};
use crate::pace::Pacer;
use crate::pit::Pit;
use crate::status::{Ended, Patience, Said, of_code};

/// How long connecting may take.
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// How long an answer may take: longer than the server itself waits.
const ANSWER_MAX: Duration = Duration::from_secs(15);
/// How long a connection that is cut stays open for the command to arrive.
const CUT_AFTER: Duration = Duration::from_millis(1);
/// Bytes of an answer.
const BODY_MAX: usize = 65_536;
/// The port where an address names none.
const PORT: u16 = 80;
/// The header that says that an answer was given before.
const REPLAYED: &str = "meterhouse-replayed";

/// What every request of a pit has in common.
struct Wire {
    host: String,
    port: u16,
    authority: HeaderValue,
    /// `Bearer …` of each table.
    tokens: Vec<HeaderValue>,
    bodies: Bodies,
}

/// What commands ask for, as JSON.
struct Bodies {
    coin_ins: Vec<Bytes>,
    hits: Vec<Bytes>,
    close: Bytes,
}

/// What came of one command.
enum Outcome {
    Answered,
    Ended(Ended),
}

/// Plays a pit to its end.
pub(crate) async fn play(
    mut pit: Pit,
    mut settled: mpsc::Receiver<usize>,
) -> Result<Pit, LoadError> {
    let wire = Wire::new(&pit)?;
    let what = format!("connection {}", pit.place + 1);
    let mut patience = Patience::new(what, pit.house.plan.patience);
    let mut pacer = Pacer::new(&pit)?;
    let mut is_first = true;
    loop {
        let mut under_way = None;
        let ended = match timeout(CONNECT_MAX, wire.connect()).await {
            Ok(Ok(stream)) => {
                if is_first {
                    pit.house.begin().await;
                    is_first = false;
                }
                let talking =
                    wire.on_one(stream, &mut pit, &mut pacer, &mut settled, &mut under_way);
                let ended = talking.await?;
                pit.tally.reconnects += u64::from(matches!(ended, Ended::Away(_)));
                ended
            }
            Ok(Err(error)) => Ended::Away(causes(&error)),
            Err(_) => Ended::Away("no connection in time".to_owned()),
        };
        pit.lost(under_way.into_iter());
        pacer.blocked();
        match ended {
            Ended::Over => {
                pit.tally.unsent += pacer.unsent(&pit);
                pit.flush();
                return Ok(pit);
            }
            Ended::Gap | Ended::Cut => {}
            Ended::Away(last) => patience.pause(last, pit.progress()).await?,
        }
    }
}

impl Wire {
    fn new(pit: &Pit) -> Result<Self, LoadError> {
        let node = pit.house.plan.node(pit.place);
        let base = node.map_or("", |it| &it.base);
        let unusable = || LoadError::Address {
            address: base.to_owned(),
        };
        let uri: Uri = base.parse().map_err(|_| unusable())?;
        let authority = uri.authority().ok_or_else(unusable)?;
        let token = |token: &str| {
            let value = HeaderValue::from_str(&format!("Bearer {token}"));
            value.map_err(|_| LoadError::broken("a token has letters that no header takes"))
        };
        let tokens: Result<_, LoadError> = pit.felts.iter().map(|it| token(&it.token)).collect();
        Ok(Self {
            host: authority.host().trim_matches(['[', ']']).to_owned(),
            port: authority.port_u16().unwrap_or(PORT),
            authority: HeaderValue::from_str(authority.as_str()).map_err(|_| unusable())?,
            tokens: tokens?,
            bodies: Bodies::new(),
        })
    }

    async fn connect(&self) -> std::io::Result<TcpStream> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// Plays on one connection until it ends.
    async fn on_one(
        &self,
        stream: TcpStream,
        pit: &mut Pit,
        pacer: &mut Pacer,
        settled: &mut mpsc::Receiver<usize>,
        under_way: &mut Option<Ask>,
    ) -> Result<Ended, LoadError> {
        let (mut requests, connection) =
            match handshake::<_, Full<Bytes>>(TokioIo::new(stream)).await {
                Ok(connected) => connected,
                Err(error) => return Ok(Ended::Away(causes(&error))),
            };
        let connection = pin!(connection);
        tokio::select! {
            biased;
            ended = self.talk(&mut requests, pit, pacer, settled, under_way) => ended,
            closed = connection => Ok(Ended::Away(match closed {
                Ok(()) => "the server closed the connection".to_owned(),
                Err(error) => causes(&error),
            })),
        }
    }

    /// Talks on an open connection. What it sent last is left in `under_way` until it is answered.
    async fn talk(
        &self,
        requests: &mut SendRequest<Full<Bytes>>,
        pit: &mut Pit,
        pacer: &mut Pacer,
        settled: &mut mpsc::Receiver<usize>,
        under_way: &mut Option<Ask>,
    ) -> Result<Ended, LoadError> {
        loop {
            let Some(ask) = pick(pit, pacer, settled).await? else {
                return Ok(Ended::Over);
            };
            pacer.blocked();
            let request = self.request(pit, under_way.insert(ask))?;
            if let Err(error) = requests.ready().await {
                return Ok(Ended::Away(causes(&error)));
            }
            let answering = requests.send_request(request);
            if pit.is_cut() {
                // Whether it arrives or not, nobody hears the answer.
                drop(timeout(CUT_AFTER, answering).await);
                return Ok(Ended::Cut);
            }
            let answered = async {
                let response = answering.await.map_err(|error| causes(&error))?;
                whole(response).await
            };
            let (status, replayed, body) = match timeout(ANSWER_MAX, answered).await {
                Ok(Ok(answer)) => answer,
                Ok(Err(error)) => return Ok(Ended::Away(error)),
                Err(_) => return Ok(Ended::Away("no answer in time".to_owned())),
            };
            match book(pit, under_way, status, replayed, body)? {
                Outcome::Answered => {}
                // The connection stays as it is.
                Outcome::Ended(Ended::Gap) => pit.lost(under_way.take().into_iter()),
                Outcome::Ended(ended) => return Ok(ended),
            }
            for winner in pit.winners.drain(..) {
                // A floor that went home ends the whole run.
                drop(pit.house.floor.send(winner).await);
            }
        }
    }

    fn request(&self, pit: &Pit, ask: &Ask) -> Result<Request<Full<Bytes>>, LoadError> {
        let unknown = || LoadError::broken("a command of a table that nobody has");
        let felt = pit.felts.get(ask.felt).ok_or_else(unknown)?;
        let token = self.tokens.get(ask.felt).ok_or_else(unknown)?;
        let request = Request::builder()
            .method(Method::PUT)
            .uri(format!(
                "/v1/tables/{}/commands/{}",
                felt.name, ask.sequence
            ))
            .header(HOST, self.authority.clone())
            .header(AUTHORIZATION, token.clone())
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let body = Full::new(self.bodies.of(ask.kind));
        request
            .body(body)
            .map_err(|error| LoadError::broken(format!("no request: {error}")))
    }
}

/// Waits for the next command; nothing where everything was played.
async fn pick(
    pit: &mut Pit,
    pacer: &mut Pacer,
    settled: &mut mpsc::Receiver<usize>,
) -> Result<Option<Ask>, LoadError> {
    let house = Arc::clone(&pit.house);
    let mut is_stopping = house.stop.is_cancelled();
    loop {
        let now = house.now();
        if let Some(ask) = pacer.next(pit, now, 0) {
            return Ok(Some(ask));
        }
        if pit.is_over() {
            return Ok(None);
        }
        pacer.set_alarm(pit, now)?;
        tokio::select! {
            Some(felt) = settled.recv() => pit.settled(felt),
            rung = pacer.rings() => rung?,
            () = house.stop.cancelled(), if !is_stopping => is_stopping = true,
        }
    }
}

/// Status, whether it was given before, and the body.
async fn whole(response: Response<Incoming>) -> Result<(u16, bool, Bytes), String> {
    let status = response.status().as_u16();
    let replayed = response.headers().get(REPLAYED);
    let replayed = replayed.is_some_and(|it| it == "true");
    let body = Limited::new(response.into_body(), BODY_MAX).collect().await;
    let body = body.map_err(|error| causes(error.as_ref()))?.to_bytes();
    Ok((status, replayed, body))
}

/// What an answer means to a pit.
fn book(
    pit: &mut Pit,
    under_way: &mut Option<Ask>,
    status: u16,
    replayed: bool,
    body: Bytes,
) -> Result<Outcome, LoadError> {
    let refused = match status {
        200 | 201 => None,
        422 => Some(field(&body, "code").unwrap_or_default()),
        _ => return judge(pit, status, &body).map(Outcome::Ended),
    };
    let now = pit.house.now();
    if let Some(ask) = under_way.take() {
        let is_refused = refused.is_some();
        let given = || Given::Body {
            refused: is_refused,
            body,
        };
        pit.answered(ask, Answer { replayed, refused }, given, now)?;
    }
    Ok(Outcome::Answered)
}

/// What an answer means that used no number up.
fn judge(pit: &mut Pit, status: u16, body: &[u8]) -> Result<Ended, LoadError> {
    let whole = format!("{status} {}", String::from_utf8_lossy(body));
    let code = field(body, "code").unwrap_or_default();
    let expected = serde_json::from_slice(body)
        .ok()
        .and_then(|it: Value| Some(it.pointer("/fields/expected")?.as_str()?.to_owned()));
    let held = pit.held_table().unwrap_or_default();
    match of_code(&code, Some(&held), expected.as_deref(), whole.clone()) {
        Said::Away(last) => Ok(Ended::Away(last)),
        Said::Gap { table, expected } if pit.is_expected(&table, expected) => Ok(Ended::Gap),
        Said::Gap { .. } | Said::Broken(_) => {
            Err(LoadError::broken(format!("a command was answered {whole}")))
        }
    }
}

fn field(body: &[u8], name: &str) -> Option<String> {
    let problem: Value = serde_json::from_slice(body).ok()?;
    Some(problem.get(name)?.as_str()?.to_owned())
}

impl Bodies {
    fn new() -> Self {
        let bytes = |value: Value| Bytes::from(value.to_string());
        let coin_in = |seats| {
            let seats: Vec<u8> = (1..=seats).collect();
            let wager = |seat: &u8| json!({"seat": seat, "amount": "1.00"});
            let wagers: Vec<Value> = seats.iter().map(wager).collect();
            bytes(json!({"coin_in": {"wagers": wagers, "dealt": seats}}))
        };
        let hits = HANDS.iter().map(|hand| {
            let hit = json!({"seat": 1, "hand": hand.name, "cards": hand.cards});
            bytes(json!({"hit": hit, "by": BADGE}))
        });
        Self {
            coin_ins: (0..=SEATS_MAX).map(coin_in).collect(),
            hits: hits.collect(),
            close: bytes(json!({"close": {}})),
        }
    }

    fn of(&self, kind: Kind) -> Bytes {
        let body = match kind {
            Kind::CoinIn { seats } => self.coin_ins.get(usize::from(seats)),
            Kind::Hit { hand } => self.hits.get(usize::from(hand)),
            Kind::Close => Some(&self.close),
        };
        body.cloned().unwrap_or_default()
    }
}
