//! A mock server with the part of the API that the simulation uses. A test may choose a misbehavior.

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

mod hits;
mod killable;
mod manager;
mod round;
mod settle;
mod table_stream;

pub(super) use killable::Killable;
use table_stream::Gateway;

/// A misbehavior of the server.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Misbehavior {
    None,
    /// Some requests get a temporary error, before or after the work was done.
    TemporarilyUnavailable,
    /// A replay gets another outcome.
    OtherReplay,
    /// A replay isn't marked as one.
    UnmarkedReplay,
    /// The wager of a replayed coin-in is counted again.
    CountsReplay,
    /// The reconciliation of each level misses a cent.
    MissingCent,
    /// A settle command keys no hits.
    SettleWithoutHits,
    /// A resettled hit keeps its amount.
    NoResettlement,
}

/// The time of all outcomes.
pub(super) const NOON: &str = "2026-11-21T12:00:00.000000Z";
/// An address with any free port.
pub(super) const ANY_PORT: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0));
/// [`NOON`] in microseconds since 1970.
const NOON_MICROS: i64 = 1_795_262_400_000_000;
/// Default limit of a link for silence, in seconds.
const SILENCE_DEFAULT: u64 = 5;

/// The server's state.
pub(super) struct Mock {
    misbehavior: Misbehavior,
    requests: u64,
    links: BTreeMap<String, Link>,
    tables: BTreeMap<String, Table>,
    hits: BTreeMap<String, Value>,
    /// Proposals by UUID: the change, the token of the first person, and `true` once approved.
    proposals: BTreeMap<String, (Value, String, bool)>,
    /// Notable features of the API that a run used.
    observed: BTreeSet<&'static str>,
    /// Incremented by every HTTP request, because the state of a hit may have changed.
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
    /// The commands so far: body, status and response.
    commands: Vec<(Value, u16, Value)>,
    round: Option<Round>,
    last_contact: Option<Instant>,
    is_lost: bool,
}

#[derive(Default)]
struct Round {
    sequence: usize,
    wagers: Vec<Value>,
    folded: Vec<Value>,
    draw: Value,
    hits: Vec<String>,
}

/// A response: status, replay mark and body.
type MockResponse = (u16, bool, Value);

/// The addresses of a server.
#[derive(Clone)]
pub(super) struct Address {
    /// The address for HTTP.
    pub(super) base: String,
    /// The address for gRPC.
    pub(super) grpc: SocketAddr,
}

/// The listeners of a server.
struct Listeners {
    http: std::net::TcpListener,
    grpc: std::net::TcpListener,
}

impl Listeners {
    fn bind(http: SocketAddr, grpc: SocketAddr) -> std::io::Result<Self> {
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

/// Starts a server in this runtime. Returns its addresses and its state.
pub(super) fn start(misbehavior: Misbehavior) -> (Address, Arc<Mutex<Mock>>) {
    let mock = Mock::new(misbehavior);
    let listeners = Listeners::bind(ANY_PORT, ANY_PORT).expect("free ports");
    let address = listeners.address();
    tokio::spawn(serve(Arc::clone(&mock), listeners));
    (address, mock)
}

async fn serve(mock: Arc<Mutex<Mock>>, listeners: Listeners) {
    let listener = |listener: std::net::TcpListener| {
        listener.set_nonblocking(true).expect("a socket");
        TcpListener::from_std(listener).expect("a socket")
    };
    let gateway = TableGatewayServer::new(Gateway(Arc::clone(&mock)));
    let streams = tonic::transport::Server::builder().add_service(gateway);
    let streams = streams.serve_with_incoming(TcpListenerStream::new(listener(listeners.grpc)));
    let router = Router::new().fallback(handle).with_state(mock);
    let (http, streams) = tokio::join!(axum::serve(listener(listeners.http), router), streams);
    http.expect("a server");
    streams.expect("a server");
}

async fn handle(
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
        let response = mock.respond(|mock| mock.route(&method, &uri, &token, &body));
        mock.changes.send_modify(|changes| *changes += 1);
        response
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
    /// Returns a server without links and tables.
    pub(super) fn new(misbehavior: Misbehavior) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            misbehavior,
            requests: 0,
            links: BTreeMap::new(),
            tables: BTreeMap::new(),
            hits: BTreeMap::new(),
            proposals: BTreeMap::new(),
            observed: BTreeSet::new(),
            changes: watch::Sender::new(0),
        }))
    }

    /// Responds to a request, or with a temporary error before or after the work was done.
    fn respond(&mut self, work: impl FnOnce(&mut Self) -> MockResponse) -> MockResponse {
        self.requests += 1;
        let fails = self.misbehavior == Misbehavior::TemporarilyUnavailable
            && self.requests.is_multiple_of(50);
        let temporary = (503, false, json!({"code": "outcome_unknown"}));
        match (fails, self.requests.is_multiple_of(100)) {
            (true, true) => temporary,
            (true, false) => {
                work(self);
                temporary
            }
            (false, _) => work(self),
        }
    }

    /// Returns the number of requests.
    pub(super) fn requests(&self) -> u64 {
        self.requests
    }

    /// Returns the sequence of a table's last command.
    pub(super) fn last_sequence(&self, table: &str) -> usize {
        self.tables[table].commands.len()
    }

    /// Returns `true` if no round is open, no hit is unpaid, and every link is in play.
    pub(super) fn is_settled(&self) -> bool {
        let mut links = self.links.values();
        self.tables.values().all(|table| table.round.is_none())
            && self.hits.values().all(|hit| hit["state"] != "pending")
            && self.hits.values().all(|hit| hit["state"] != "validated")
            && links.all(|link| !link.suspended && link.disabled.is_empty())
    }

    /// Returns the notable features of the API that the run used.
    pub(super) fn observed(&self) -> Vec<&'static str> {
        self.observed.iter().copied().collect()
    }

    fn route(&mut self, method: &Method, uri: &Uri, token: &str, body: &Value) -> MockResponse {
        let parts: Vec<&str> = uri.path().split('/').skip(2).collect();
        match (method.as_str(), parts.as_slice()) {
            ("PUT", ["links", link]) => self.open(link, body),
            ("GET", ["links", link]) => (200, false, self.link(link)),
            ("PUT", ["links", link, "values"]) => self.accept(link, body),
            ("PUT" | "DELETE", ["links", link, "suspension"]) => {
                self.set_suspended(link, method == Method::PUT)
            }
            ("PUT" | "DELETE", ["links", link, "levels", level, "disabled"]) => {
                self.set_disabled(link, level, method == Method::PUT)
            }
            ("PUT", ["links", _, "proposals", id]) => self.propose(id, token, body),
            ("PUT", ["links", link, "proposals", id, "approval"]) => {
                self.approve(link, id, token, body)
            }
            ("GET", ["links", link, "reconciliation"]) => self.reconcile(link),
            ("PUT", ["tables", table]) => self.join(table, body),
            ("GET", ["tables"]) => (200, false, self.table_list()),
            ("PUT", ["tables", table, "commands", sequence]) => {
                self.record_contact(table, token);
                let sequence = sequence.parse().expect("a number");
                self.replay_or_decide(table, sequence, body)
            }
            ("GET", ["hits"]) => self.list(uri.query().unwrap_or_default()),
            ("GET", ["hits", hit]) => (200, false, self.hits[*hit].clone()),
            ("PUT", ["hits", hit, "validation"]) => self.validate(hit, token, body),
            ("PUT", ["hits", hit, "payouts", n, "payment"]) => self.pay(hit, n, body),
            unknown => (
                404,
                false,
                json!({"code": "not_found", "detail": format!("{unknown:?}")}),
            ),
        }
    }

    /// Records the time of a table's contact.
    fn record_contact(&mut self, table: &str, token: &str) {
        assert_eq!(token, format!("c-{table}"));
        let is_lost = self.is_lost(table);
        let entry = self.tables.get_mut(table).expect("a table");
        entry.is_lost = is_lost;
        entry.last_contact = Some(Instant::now());
    }

    fn is_lost(&self, table: &str) -> bool {
        let entry = &self.tables[table];
        let limit = self.links[&entry.link].body["silence_seconds_max"].as_u64();
        let limit = Duration::from_secs(limit.unwrap_or(SILENCE_DEFAULT));
        entry.is_lost
            || entry
                .last_contact
                .is_some_and(|contact| contact.elapsed() > limit)
    }

    fn table_list(&self) -> Value {
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

    fn replay_or_decide(&mut self, table: &str, sequence: usize, body: &Value) -> MockResponse {
        let used = self.tables[table].commands.len();
        if sequence > used + 1 {
            return (
                409,
                false,
                json!({"code": "sequence_gap", "expected": used + 1}),
            );
        }
        if sequence <= used {
            let (first_body, status, first) = self.tables[table].commands[sequence - 1].clone();
            if first_body != *body {
                return (409, false, json!({"code": "sequence_reused"}));
            }
            let replay_status = if status == 422 { 422 } else { 200 };
            return match self.misbehavior {
                Misbehavior::OtherReplay => (replay_status, true, json!({"other": true})),
                Misbehavior::UnmarkedReplay => (replay_status, false, first),
                Misbehavior::CountsReplay if body["command"] == "coin_in" => {
                    let link = self.tables[table].link.clone();
                    self.links.get_mut(&link).expect("a link").wagers += 1;
                    (replay_status, true, first)
                }
                _ => (replay_status, true, first),
            };
        }
        let (status, answer) = match self.command(table, sequence, body) {
            Ok(answer) => (201, answer),
            Err(code) => (422, json!({"code": code, "status": 422})),
        };
        let entry = self.tables.get_mut(table).expect("a table");
        entry.commands.push((body.clone(), status, answer.clone()));
        (status, false, answer)
    }
}
