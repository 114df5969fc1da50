//! A mock server with the part of the API that the simulation uses. A test may choose a misbehavior.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use meterhouse_api::change::ProposalRequest;
use meterhouse_api::command::{CommandRequest, Wager};
use meterhouse_api::hit_detail::HitDetail;
use meterhouse_api::link::OpenLinkRequest;
use meterhouse_api::outcome::{BettingPosition, CommandResponse};
use meterhouse_api::problem::Problem;
use meterhouse_api::table::JoinTableRequest;
use meterhouse_api::text::Text;
use meterhouse_api::values::{Card, Time};
use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::hit::HitState;
use meterhouse_proto::table::table_gateway_server::TableGatewayServer;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_stream::wrappers::TcpListenerStream;

mod hits;
mod killable;
mod manager;
mod round;
mod settle;
mod stream_form;
mod table_stream;
mod tables;

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

/// The time of all outcomes: noon of 2026-11-21.
const NOON: Time = Text(Timestamp(1_795_262_400_000_000));
/// An address with any free port.
pub(super) const ANY_PORT: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0));
/// Default limit of a link for silence, in seconds.
const SILENCE_DEFAULT: u32 = 5;

/// The server's state.
pub(super) struct Mock {
    misbehavior: Misbehavior,
    requests: u64,
    links: BTreeMap<String, Link>,
    tables: BTreeMap<String, Table>,
    hits: BTreeMap<String, HitDetail>,
    /// Proposals by UUID: the change, the token of the first person, and `true` once approved.
    proposals: BTreeMap<String, (ProposalRequest, String, bool)>,
    /// Notable features of the API that a run used.
    observed: BTreeSet<&'static str>,
    /// Incremented by every HTTP request, because the state of a hit may have changed.
    changes: watch::Sender<u64>,
}

struct Link {
    request: OpenLinkRequest,
    wagers: i64,
    paid: i64,
    adjusted: i64,
    accepted: bool,
    suspended: bool,
    disabled: BTreeSet<String>,
    draws: usize,
}

struct Table {
    request: JoinTableRequest,
    /// The commands so far, with their outcomes or the codes of their refusals.
    commands: Vec<(CommandRequest, Result<CommandResponse, &'static str>)>,
    round: Option<Round>,
    last_contact: Option<Instant>,
    is_lost: bool,
}

#[derive(Default)]
struct Round {
    sequence: u64,
    wagers: Vec<Wager>,
    folded: Vec<u8>,
    draw: Draw,
    hits: Vec<String>,
}

/// The card and the position that were drawn for a round.
#[derive(Copy, Clone, Default)]
struct Draw {
    magic_card: Option<Card>,
    lucky_position: Option<BettingPosition>,
}

/// A response: status, replay mark, and the body or the code of a problem.
type MockResponse<T = String> = (u16, bool, Result<T, &'static str>);

/// Returns the response to a read.
fn found(body: &impl Serialize) -> MockResponse {
    (200, false, Ok(json(body)))
}

/// Returns the response to a write. The simulation does not read every body, and such a body is null.
fn written(is_replay: bool, body: &impl Serialize) -> MockResponse {
    let status = if is_replay { 200 } else { 201 };
    (status, is_replay, Ok(json(body)))
}

fn json(body: &impl Serialize) -> String {
    serde_json::to_string(body).expect("JSON")
}

fn problem(status: u16, code: &str) -> String {
    json(&Problem {
        kind: format!("urn:meterhouse:problem:{code}"),
        title: code.to_owned(),
        status,
        code: code.to_owned(),
        detail: String::new(),
        fields: BTreeMap::new(),
    })
}

/// Reads the body of a request.
fn read<T: DeserializeOwned>(body: &[u8]) -> T {
    serde_json::from_slice(body).expect("a request of the API")
}

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
    let body = body.unwrap_or_else(|code| problem(status, code));
    let status = StatusCode::from_u16(status).expect("a status");
    (status, [("meterhouse-replayed", replayed)], body).into_response()
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
    fn respond<T>(&mut self, work: impl FnOnce(&mut Self) -> MockResponse<T>) -> MockResponse<T> {
        self.requests += 1;
        let fails = self.misbehavior == Misbehavior::TemporarilyUnavailable
            && self.requests.is_multiple_of(50);
        let temporary = (503, false, Err("outcome_unknown"));
        match (fails, self.requests.is_multiple_of(100)) {
            (true, true) => temporary,
            (true, false) => {
                drop(work(self));
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
    pub(super) fn last_sequence(&self, table: &str) -> u64 {
        self.tables[table].commands.len() as u64
    }

    /// Returns `true` if no round is open, no hit is unpaid, and every link is in play.
    pub(super) fn is_settled(&self) -> bool {
        let mut links = self.links.values();
        let mut states = self.hits.values().map(|hit| *hit.hit.summary.state);
        self.tables.values().all(|table| table.round.is_none())
            && states.all(|state| ![HitState::Pending, HitState::Validated].contains(&state))
            && links.all(|link| !link.suspended && link.disabled.is_empty())
    }

    /// Returns the notable features of the API that the run used.
    pub(super) fn observed(&self) -> Vec<&'static str> {
        self.observed.iter().copied().collect()
    }

    fn route(&mut self, method: &Method, uri: &Uri, token: &str, body: &[u8]) -> MockResponse {
        let parts: Vec<&str> = uri.path().split('/').skip(2).collect();
        match (method.as_str(), parts.as_slice()) {
            ("PUT", ["links", link]) => self.open(link, read(body)),
            ("GET", ["links", link]) => found(&self.link(link)),
            ("PUT", ["links", link, "values"]) => self.accept(link, &read(body)),
            ("PUT", ["links", link, "suspension"]) => self.suspend(link, &read(body)),
            ("DELETE", ["links", link, "suspension"]) => self.set_suspended(link, false),
            ("PUT", ["links", link, "levels", level, "disabled"]) => {
                self.disable(link, level, &read(body))
            }
            ("DELETE", ["links", link, "levels", level, "disabled"]) => {
                self.set_disabled(link, level, false)
            }
            ("PUT", ["links", _, "proposals", id]) => self.propose(id, token, &read(body)),
            ("PUT", ["links", link, "proposals", id, "approval"]) => {
                self.approve(link, id, token, &read(body))
            }
            ("GET", ["links", link, "reconciliation"]) => found(&self.reconcile(link)),
            ("PUT", ["tables", table]) => self.join(table, read(body)),
            ("GET", ["tables"]) => found(&self.table_page()),
            ("PUT", ["tables", table, "commands", sequence]) => {
                self.record_contact(table, token);
                let sequence = sequence.parse().expect("a number");
                let (status, replayed, response) =
                    self.replay_or_decide(table, sequence, &read(body));
                (status, replayed, response.map(|response| json(&response)))
            }
            ("GET", ["hits"]) => found(&self.list(uri.query().unwrap_or_default())),
            ("GET", ["hits", hit]) => found(&self.hits[*hit]),
            ("PUT", ["hits", hit, "validation"]) => self.validate(hit, token, &read(body)),
            ("PUT", ["hits", hit, "payouts", "1", "payment"]) => self.pay(hit, &read(body)),
            _ => (404, false, Err("not_found")),
        }
    }
}

impl Link {
    fn silence_seconds(&self) -> u32 {
        self.request.silence_seconds_max.unwrap_or(SILENCE_DEFAULT)
    }
}
