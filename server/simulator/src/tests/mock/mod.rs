//! A server that speaks as much of the wire as the simulation needs, and misbehaves when told to.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use meterhouse_proto::table::table_gateway_server::TableGatewayServer;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_stream::wrappers::TcpListenerStream;

mod floor;
mod gateway;
mod killable;
mod office;
mod round;
mod settle;

use gateway::Gateway;
pub(super) use killable::Killable;

/// How the server misbehaves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Manners {
    Good,
    /// Every so many requests "not now", before or after the work was done.
    Tired,
    /// A repeat gets another answer.
    Forgetful,
    /// A repeat isn't marked as one.
    Unmarked,
    /// A repeated coin-in is counted again.
    CountsTwice,
    /// A level loses a cent.
    Leaky,
    /// A settled round has no winners.
    Blind,
    /// A resettled hit keeps its amount.
    Stingy,
}

/// The time of everything.
pub(super) const NOON: &str = "2026-11-21T12:00:00.000000Z";
/// A port that is free.
pub(super) const ANY_PORT: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0));
/// The same as a stream says it.
const NOON_MICROS: i64 = 1_795_262_400_000_000;
/// Seconds of silence where a link doesn't say.
const SILENCE_DEFAULT: u64 = 5;

/// The server's state.
pub(super) struct Mock {
    manners: Manners,
    requests: u64,
    links: BTreeMap<String, Link>,
    tables: BTreeMap<String, Table>,
    hits: BTreeMap<String, Value>,
    /// By UUID: what was proposed, by whom, and whether it was approved.
    proposals: BTreeMap<String, (Value, String, bool)>,
    seen: BTreeSet<&'static str>,
    /// Raised with every request over HTTP: people may have decided about a hit.
    changes: watch::Sender<u64>,
}

#[derive(Default)]
struct Link {
    body: Value,
    wagers: i64,
    paid: i64,
    adjusted: i64,
    accepted: bool,
    suspended: bool,
    disabled: BTreeSet<String>,
    draws: usize,
}

#[derive(Default)]
struct Table {
    body: Value,
    link: String,
    answered: Vec<(Value, u16, Value)>,
    round: Option<Round>,
    heard: Option<Instant>,
    is_lost: bool,
}

#[derive(Default)]
struct Round {
    sequence: usize,
    wagers: Vec<Value>,
    folded: Vec<Value>,
    drawn: Value,
    hits: Vec<String>,
}

type Answer = (u16, bool, Value);

/// Where a server is.
#[derive(Clone)]
pub(super) struct Address {
    /// HTTP.
    pub(super) base: String,
    /// gRPC.
    pub(super) grpc: SocketAddr,
}

/// The ports of a server.
struct Ports {
    http: std::net::TcpListener,
    grpc: std::net::TcpListener,
}

impl Ports {
    fn at(http: SocketAddr, grpc: SocketAddr) -> std::io::Result<Self> {
        Ok(Self {
            http: std::net::TcpListener::bind(http)?,
            grpc: std::net::TcpListener::bind(grpc)?,
        })
    }

    fn address(&self) -> Address {
        let http = self.http.local_addr().expect("an address");
        Address {
            base: format!("http://{http}"),
            grpc: self.grpc.local_addr().expect("an address"),
        }
    }
}

/// Starts a server in this runtime; answers its address and its state.
pub(super) fn start(manners: Manners) -> (Address, Arc<Mutex<Mock>>) {
    let mock = Mock::new(manners);
    let ports = Ports::at(ANY_PORT, ANY_PORT).expect("ports");
    let address = ports.address();
    tokio::spawn(serve(Arc::clone(&mock), ports));
    (address, mock)
}

async fn serve(mock: Arc<Mutex<Mock>>, ports: Ports) {
    let listener = |listener: std::net::TcpListener| {
        listener.set_nonblocking(true).expect("a socket");
        TcpListener::from_std(listener).expect("a socket")
    };
    let gateway = TableGatewayServer::new(Gateway(Arc::clone(&mock)));
    let streams = tonic::transport::Server::builder().add_service(gateway);
    let streams = streams.serve_with_incoming(TcpListenerStream::new(listener(ports.grpc)));
    let router = Router::new().fallback(answer).with_state(mock);
    let (http, streams) = tokio::join!(axum::serve(listener(ports.http), router), streams);
    http.expect("a server");
    streams.expect("a server");
}

async fn answer(
    State(mock): State<Arc<Mutex<Mock>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let token = headers["authorization"]
        .to_str()
        .expect("a token")
        .trim_start_matches("Bearer ")
        .to_owned();
    let (status, replayed, body) = {
        let mut mock = mock.lock().expect("no panic");
        let answer = mock.in_manner(|mock| mock.route(&method, &uri, &token, &body));
        mock.changes.send_modify(|changes| *changes += 1);
        answer
    };
    let replayed = if replayed { "true" } else { "false" };
    let status = StatusCode::from_u16(status).expect("a status");
    (
        status,
        [("meterhouse-replayed", replayed)],
        body.to_string(),
    )
        .into_response()
}

impl Mock {
    /// A server without links and tables.
    pub(super) fn new(manners: Manners) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            manners,
            requests: 0,
            links: BTreeMap::new(),
            tables: BTreeMap::new(),
            hits: BTreeMap::new(),
            proposals: BTreeMap::new(),
            seen: BTreeSet::new(),
            changes: watch::Sender::new(0),
        }))
    }

    /// Answers a request, or is tired: before or after it did the work.
    fn in_manner(&mut self, work: impl FnOnce(&mut Self) -> Answer) -> Answer {
        self.requests += 1;
        let tired = self.manners == Manners::Tired && self.requests.is_multiple_of(50);
        let not_now = (503, false, json!({"code": "outcome_unknown"}));
        match (tired, self.requests.is_multiple_of(100)) {
            (true, true) => not_now,
            (true, false) => {
                work(self);
                not_now
            }
            (false, _) => work(self),
        }
    }

    /// Requests that were answered.
    pub(super) fn requests(&self) -> u64 {
        self.requests
    }

    /// Commands that a table used up.
    pub(super) fn last_sequence(&self, table: &str) -> usize {
        self.tables[table].answered.len()
    }

    /// Whether no round is open, no hit waits, and every link plays.
    pub(super) fn is_quiet(&self) -> bool {
        let mut links = self.links.values();
        self.tables.values().all(|it| it.round.is_none())
            && self.hits.values().all(|it| it["state"] != "pending")
            && self.hits.values().all(|it| it["state"] != "validated")
            && links.all(|it| !it.suspended && it.disabled.is_empty())
    }

    /// What was done here beside the usual.
    pub(super) fn seen(&self) -> Vec<&'static str> {
        self.seen.iter().copied().collect()
    }

    fn route(&mut self, method: &Method, uri: &Uri, token: &str, body: &Value) -> Answer {
        let parts: Vec<&str> = uri.path().split('/').skip(2).collect();
        match (method.as_str(), parts.as_slice()) {
            ("PUT", ["links", link]) => self.open(link, body),
            ("GET", ["links", link]) => (200, false, self.link(link)),
            ("PUT", ["links", link, "values"]) => self.accept(link, body),
            ("PUT" | "DELETE", ["links", link, "suspension"]) => {
                self.suspend(link, method == Method::PUT)
            }
            ("PUT" | "DELETE", ["links", link, "levels", level, "disabled"]) => {
                self.switch(link, level, method == Method::PUT)
            }
            ("PUT", ["links", _, "proposals", id]) => self.propose(id, token, body),
            ("PUT", ["links", link, "proposals", id, "approval"]) => {
                self.approve(link, id, token, body)
            }
            ("GET", ["links", link, "reconciliation"]) => self.reconcile(link),
            ("PUT", ["tables", table]) => self.join(table, body),
            ("GET", ["tables"]) => (200, false, self.all_tables()),
            ("PUT", ["tables", table, "commands", sequence]) => {
                self.hear(table, token);
                let sequence = sequence.parse().expect("a number");
                self.numbered(table, sequence, body)
            }
            ("GET", ["hits"]) => self.list(uri.query().unwrap_or_default()),
            ("GET", ["hits", hit]) => (200, false, self.hits[*hit].clone()),
            ("PUT", ["hits", hit, "validation"]) => self.validate(hit, token, body),
            ("PUT", ["hits", hit, "payouts", n, "payment"]) => self.pay(hit, n, body),
            asked => (
                404,
                false,
                json!({"code": "not_found", "detail": format!("{asked:?}")}),
            ),
        }
    }

    /// A table said something.
    fn hear(&mut self, table: &str, token: &str) {
        assert_eq!(token, format!("c-{table}"));
        let is_lost = self.is_lost(table);
        let it = self.tables.get_mut(table).expect("a table");
        it.is_lost = is_lost;
        it.heard = Some(Instant::now());
    }

    fn is_lost(&self, table: &str) -> bool {
        let it = &self.tables[table];
        let limit = self.links[&it.link].body["silence_seconds_max"].as_u64();
        let limit = Duration::from_secs(limit.unwrap_or(SILENCE_DEFAULT));
        it.is_lost || it.heard.is_some_and(|heard| heard.elapsed() > limit)
    }

    fn all_tables(&self) -> Value {
        let listed = |table: &String| {
            let state = if self.is_lost(table) {
                "lost"
            } else {
                "in_service"
            };
            json!({"table": table, "state": state})
        };
        json!({"tables": self.tables.keys().map(listed).collect::<Vec<_>>()})
    }

    fn numbered(&mut self, table: &str, sequence: usize, body: &Value) -> Answer {
        let used = self.tables[table].answered.len();
        if sequence > used + 1 {
            return (
                409,
                false,
                json!({"code": "sequence_gap", "expected": used + 1}),
            );
        }
        if sequence <= used {
            let (sent, status, first) = self.tables[table].answered[sequence - 1].clone();
            if sent != *body {
                return (409, false, json!({"code": "sequence_reused"}));
            }
            let again = if status == 422 { 422 } else { 200 };
            return match self.manners {
                Manners::Forgetful => (again, true, json!({"forgotten": true})),
                Manners::Unmarked => (again, false, first),
                Manners::CountsTwice if body.get("coin_in").is_some() => {
                    let link = self.tables[table].link.clone();
                    self.links.get_mut(&link).expect("a link").wagers += 1;
                    (again, true, first)
                }
                _ => (again, true, first),
            };
        }
        let (status, answer) = match self.command(table, sequence, body) {
            Ok(answer) => (201, answer),
            Err(code) => (422, json!({"code": code, "status": 422})),
        };
        let it = self.tables.get_mut(table).expect("a table");
        it.answered.push((body.clone(), status, answer.clone()));
        (status, false, answer)
    }
}
