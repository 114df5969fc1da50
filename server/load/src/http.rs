//! The HTTP connection of a group: kept alive, with one command in flight, and opened again when it ends.
//!
//! # Limits
//! [`CONNECT_MAX`] to connect, [`REPLY_MAX`] and [`BODY_MAX`] for a reply.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue};
use hyper::http::uri::Scheme;
use hyper::{Method, Request, Response, Uri};
use hyper_util::rt::TokioIo;
use meterhouse_api::problem::Problem;
use meterhouse_http_client::causes;
use prost::bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::command_bodies::CommandBodies;
use crate::connection_end::{Backoff, ConnectionEnd, Failure, classify_code};
use crate::connection_group::ConnectionGroup;
use crate::error::LoadError;
use crate::in_flight::{InFlight, ReceivedOutcome, Reply};
use crate::pace::Pacer;

/// Maximum time to connect.
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// Maximum time to wait for a reply: longer than the server itself waits.
const REPLY_MAX: Duration = Duration::from_secs(15);
/// Time that a connection to be cut stays open, so that the command can arrive.
const CUT_AFTER: Duration = Duration::from_millis(1);
/// Maximum size of a reply's body, in bytes.
const BODY_MAX: usize = 65_536;
/// The ports of an address without one.
const PORT: u16 = 80;
const TLS_PORT: u16 = 443;
/// The header that marks the reply to a command that was answered before.
const REPLAYED: &str = "meterhouse-replayed";

/// The parts that all requests of a group share.
struct HttpClient {
    host: String,
    port: u16,
    authority: HeaderValue,
    /// The settings of TLS and the name of the server, for an address of `https`.
    tls: Option<(TlsConnector, ServerName<'static>)>,
    /// The `Authorization` header of each table.
    tokens: Vec<HeaderValue>,
    bodies: CommandBodies,
}

/// A connection that is open.
enum Connected {
    Plain(TcpStream),
    Secured(Box<TlsStream<TcpStream>>),
}

/// The group, its pace, the tables whose hits are settled, and the command in flight.
type Played<'a> = (
    &'a mut ConnectionGroup,
    &'a mut Pacer,
    &'a mut mpsc::Receiver<usize>,
    &'a mut Option<InFlight>,
);

/// The result of one command.
enum Step {
    Acknowledged,
    Ended(ConnectionEnd),
}

/// Plays a group until all its commands have outcomes.
pub(crate) async fn play(
    mut group: ConnectionGroup,
    mut settled: mpsc::Receiver<usize>,
) -> Result<ConnectionGroup, LoadError> {
    let client = HttpClient::new(&group)?;
    let name = format!("connection {}", group.index + 1);
    let mut backoff = Backoff::new(name, group.context.plan.patience);
    let mut pacer = Pacer::new(&group)?;
    let mut is_first = true;
    loop {
        let mut in_flight = None;
        let ended = match timeout(CONNECT_MAX, client.connect()).await {
            Ok(Ok(stream)) => {
                if is_first {
                    group.context.wait_for_start().await;
                    is_first = false;
                }
                let played = (&mut group, &mut pacer, &mut settled, &mut in_flight);
                let ended = match stream {
                    Connected::Plain(stream) => client.run_connection(stream, played).await?,
                    Connected::Secured(stream) => client.run_connection(stream, played).await?,
                };
                group.counters.reconnects +=
                    u64::from(matches!(ended, ConnectionEnd::Disconnected(_)));
                ended
            }
            Ok(Err(error)) => ConnectionEnd::Disconnected(causes(&error)),
            Err(_) => ConnectionEnd::Disconnected("the connection did not open in time".to_owned()),
        };
        group.requeue_lost(in_flight.into_iter());
        pacer.mark_blocked();
        match ended {
            ConnectionEnd::Finished => {
                group.counters.unsent += pacer.unsent(&group);
                group.flush();
                return Ok(group);
            }
            ConnectionEnd::SequenceGap | ConnectionEnd::Cut => {}
            ConnectionEnd::Disconnected(last) => backoff.wait(last, group.progress()).await?,
        }
    }
}

impl HttpClient {
    fn new(group: &ConnectionGroup) -> Result<Self, LoadError> {
        let node = group.context.plan.node(group.index);
        let base = node.map_or("", |node| &node.base);
        let unusable = || LoadError::Address {
            address: base.to_owned(),
        };
        let uri: Uri = base.parse().map_err(|_| unusable())?;
        let authority = uri.authority().ok_or_else(unusable)?;
        let host = authority.host().trim_matches(['[', ']']).to_owned();
        let (port, tls) = if uri.scheme() == Some(&Scheme::HTTPS) {
            let trust = group.context.plan.trust.as_ref().ok_or_else(unusable)?;
            let name = ServerName::try_from(host.clone()).map_err(|_| unusable())?;
            (TLS_PORT, Some((TlsConnector::from(trust.config()), name)))
        } else {
            (PORT, None)
        };
        let token = |token: &str| {
            let value = HeaderValue::from_str(&format!("Bearer {token}"));
            value.map_err(|_| {
                LoadError::broken("a token contains characters that a header does not allow")
            })
        };
        let tokens: Result<_, LoadError> = group
            .tables
            .iter()
            .map(|table| token(&table.token))
            .collect();
        Ok(Self {
            host,
            port: authority.port_u16().unwrap_or(port),
            authority: HeaderValue::from_str(authority.as_str()).map_err(|_| unusable())?,
            tls,
            tokens: tokens?,
            bodies: CommandBodies::new()?,
        })
    }

    async fn connect(&self) -> std::io::Result<Connected> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
        stream.set_nodelay(true)?;
        let Some((connector, name)) = &self.tls else {
            return Ok(Connected::Plain(stream));
        };
        let secured = connector.connect(name.clone(), stream).await?;
        Ok(Connected::Secured(Box::new(secured)))
    }

    /// Plays on one connection until it ends.
    async fn run_connection(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin,
        (group, pacer, settled, in_flight): Played<'_>,
    ) -> Result<ConnectionEnd, LoadError> {
        let (mut requests, connection) =
            match handshake::<_, Full<Bytes>>(TokioIo::new(stream)).await {
                Ok(connected) => connected,
                Err(error) => return Ok(ConnectionEnd::Disconnected(causes(&error))),
            };
        let connection = pin!(connection);
        tokio::select! {
            biased;
            ended = self.exchange(&mut requests, group, pacer, settled, in_flight) => ended,
            closed = connection => Ok(ConnectionEnd::Disconnected(match closed {
                Ok(()) => "the server closed the connection".to_owned(),
                Err(error) => causes(&error),
            })),
        }
    }

    /// Sends commands on an open connection. The last one sent is left in `in_flight` until it has an outcome.
    async fn exchange(
        &self,
        requests: &mut SendRequest<Full<Bytes>>,
        group: &mut ConnectionGroup,
        pacer: &mut Pacer,
        settled: &mut mpsc::Receiver<usize>,
        in_flight: &mut Option<InFlight>,
    ) -> Result<ConnectionEnd, LoadError> {
        loop {
            let Some(command) = next_command(group, pacer, settled).await? else {
                return Ok(ConnectionEnd::Finished);
            };
            pacer.mark_blocked();
            let request = self.request(group, in_flight.insert(command))?;
            if let Err(error) = requests.ready().await {
                return Ok(ConnectionEnd::Disconnected(causes(&error)));
            }
            let sending = requests.send_request(request);
            if group.cut_is_due() {
                // The reply is dropped, even if the command arrives.
                drop(timeout(CUT_AFTER, sending).await);
                return Ok(ConnectionEnd::Cut);
            }
            let reply = async {
                let response = sending.await.map_err(|error| causes(&error))?;
                read_reply(response).await
            };
            let (status, is_replay, body) = match timeout(REPLY_MAX, reply).await {
                Ok(Ok(reply)) => reply,
                Ok(Err(error)) => return Ok(ConnectionEnd::Disconnected(error)),
                Err(_) => {
                    return Ok(ConnectionEnd::Disconnected(
                        "no reply arrived in time".to_owned(),
                    ));
                }
            };
            match book_reply(group, in_flight, status, is_replay, body)? {
                Step::Acknowledged => {}
                // The connection stays open.
                Step::Ended(ConnectionEnd::SequenceGap) => {
                    group.requeue_lost(in_flight.take().into_iter());
                }
                Step::Ended(ended) => return Ok(ended),
            }
            for hit in group.pending_hits.drain(..) {
                // A failed supervisor ends the whole run.
                drop(group.context.pending_hits.send(hit).await);
            }
        }
    }

    fn request(
        &self,
        group: &ConnectionGroup,
        command: &InFlight,
    ) -> Result<Request<Full<Bytes>>, LoadError> {
        let unknown = || LoadError::broken("a command belongs to an unknown table");
        let table = group.tables.get(command.table_index).ok_or_else(unknown)?;
        let token = self.tokens.get(command.table_index).ok_or_else(unknown)?;
        let request = Request::builder()
            .method(Method::PUT)
            .uri(format!(
                "/v1/tables/{}/commands/{}",
                table.name, command.sequence
            ))
            .header(HOST, self.authority.clone())
            .header(AUTHORIZATION, token.clone())
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let body = Full::new(self.bodies.body(command.kind));
        request
            .body(body)
            .map_err(|error| LoadError::broken(format!("could not build a request: {error}")))
    }
}

/// Waits for the next command. Returns `None` if everything was played.
async fn next_command(
    group: &mut ConnectionGroup,
    pacer: &mut Pacer,
    settled: &mut mpsc::Receiver<usize>,
) -> Result<Option<InFlight>, LoadError> {
    let context = Arc::clone(&group.context);
    let mut is_stopping = context.stop.is_cancelled();
    loop {
        let now = context.now();
        if let Some(command) = pacer.next(group, now, 0) {
            return Ok(Some(command));
        }
        if group.is_finished() {
            return Ok(None);
        }
        pacer.set_timer(group, now)?;
        tokio::select! {
            Some(table) = settled.recv() => group.mark_settled(table),
            expired = pacer.timer_expired() => expired?,
            () = context.stop.cancelled(), if !is_stopping => is_stopping = true,
        }
    }
}

/// Reads a reply: its status, `true` for a replay, and the body.
async fn read_reply(response: Response<Incoming>) -> Result<(u16, bool, Bytes), String> {
    let status = response.status().as_u16();
    let is_replay = response.headers().get(REPLAYED);
    let is_replay = is_replay.is_some_and(|value| value == "true");
    let body = Limited::new(response.into_body(), BODY_MAX).collect().await;
    let body = body.map_err(|error| causes(error.as_ref()))?.to_bytes();
    Ok((status, is_replay, body))
}

/// Books a reply.
fn book_reply(
    group: &mut ConnectionGroup,
    in_flight: &mut Option<InFlight>,
    status: u16,
    is_replay: bool,
    body: Bytes,
) -> Result<Step, LoadError> {
    let refusal = match status {
        200 | 201 => None,
        422 => Some(
            problem(&body)
                .map(|problem| problem.code)
                .unwrap_or_default(),
        ),
        _ => return error_end(group, status, &body).map(Step::Ended),
    };
    let now = group.context.now();
    if let Some(command) = in_flight.take() {
        let is_refused = refusal.is_some();
        let received = || ReceivedOutcome::Body {
            refused: is_refused,
            body,
        };
        group.acknowledge(command, Reply { is_replay, refusal }, received, now)?;
    }
    Ok(Step::Acknowledged)
}

/// Classifies a reply that used up no sequence number.
fn error_end(
    group: &mut ConnectionGroup,
    status: u16,
    body: &[u8],
) -> Result<ConnectionEnd, LoadError> {
    let message = format!("{status} {}", String::from_utf8_lossy(body));
    let problem = problem(body);
    let code = problem.as_ref().map_or("", |problem| &problem.code);
    let expected = problem
        .as_ref()
        .and_then(|problem| problem.fields.get("expected"));
    let held_back = group.held_back_table().unwrap_or_default();
    match classify_code(
        code,
        Some(&held_back),
        expected.map(String::as_str),
        message.clone(),
    ) {
        Failure::Retryable(last) => Ok(ConnectionEnd::Disconnected(last)),
        Failure::SequenceGap { table, expected } if group.is_provoked_gap(&table, expected) => {
            Ok(ConnectionEnd::SequenceGap)
        }
        Failure::SequenceGap { .. } | Failure::Fatal(_) => Err(LoadError::broken(format!(
            "a command was answered {message}"
        ))),
    }
}

/// Reads the body of a refusal. Returns `None` for a body that is none, such as that of a proxy.
fn problem(body: &[u8]) -> Option<Problem> {
    serde_json::from_slice(body).ok()
}
