//! One connection: its requests and its timeouts.
//!
//! # Shape
//! A task runs hyper over a socket that records activity and a [`RequestHandler`] that passes requests to the router,
//! except for [plain commands](crate::plain_command). After each step, the task checks the timeouts. If a feed takes the
//! connection over, the task ends, and the socket keeps the [`AdmissionPermit`].
//!
//! # Limits
//! [`Limits::head_wait`], [`Limits::idle`]. A response that the client does not read counts as idle time too.

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use axum::Router;
use axum::http::header::{CONNECTION, HOST};
use axum::http::{HeaderName, HeaderValue, Request, Version};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_tls::{ClientCertificate, Stream};
use tokio::time::{Instant, Sleep, sleep};
use tokio_util::io::{InspectReader, InspectWriter};
use tower::Service as _;

use super::admission::Admission;
use super::anonymous_connection::AnonymousConnection;
use super::connection_state::ConnectionState;
use super::limits::Limits;
use crate::client_address::ClientAddress;
use crate::known_tables::KnownTables;
use crate::plain_command::PlainCommand;
use crate::problem::Failure;
use crate::socket::{Record, Socket};

/// The header in which proxies pass on the address of their client.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Serves a connection until the client or the server ends it, or a feed takes it over.
pub(super) fn serve_connection(
    stream: Stream,
    address: IpAddr,
    http: http1::Builder,
    router: Router,
    admission: &Arc<Admission>,
) -> impl Future<Output = ()> + use<> {
    let state = admission.admit();
    let limits = admission.limits;
    let handler = Arc::new(RequestHandler {
        router,
        state: Arc::clone(&state),
        address,
        certificate: stream.certificate(),
        admission: Arc::clone(admission),
        tables: KnownTables::default(),
    });
    let permit = AdmissionPermit {
        state: Arc::clone(&state),
        admission: Arc::clone(admission),
    };
    let socket = observed(stream, permit);
    async move {
        let service = service_fn(move |request| {
            // Admission does not wait for the handling.
            let admitted = handler.admit(request);
            let handler = Arc::clone(&handler);
            async move {
                let response = match admitted {
                    Ok(request) => handler.respond(request).await,
                    Err(refused) => *refused,
                };
                Ok::<_, Infallible>(response)
            }
        });
        let serving = http.serve_connection(TokioIo::new(socket), service);
        let mut serving = pin!(serving.with_upgrades());
        let mut timer = pin!(sleep(limits.head_wait));
        let mut timed_head = state.incomplete_head();
        let mut ending = false;
        poll_fn(|context| {
            state.register(context.waker());
            // The reason is not logged: clients disconnect all the time.
            if serving.as_mut().poll(context).is_ready() || state.must_end_now() {
                return Poll::Ready(());
            }
            if state.is_ending() && !ending {
                ending = true;
                serving.as_mut().graceful_shutdown();
                if serving.as_mut().poll(context).is_ready() {
                    return Poll::Ready(());
                }
            }
            let timed_out = is_timed_out(&state, limits, &mut timed_head, timer.as_mut(), context);
            if timed_out {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }
}

/// Returns `true` if the head being received takes too long, or the connection is idle for too long. The timer is reset
/// if a head remains incomplete and after it fired, never for a request that arrives whole.
fn is_timed_out(
    state: &ConnectionState,
    limits: Limits,
    timed_head: &mut Option<u32>,
    mut timer: Pin<&mut Sleep>,
    context: &mut Context<'_>,
) -> bool {
    let head = state.incomplete_head();
    if head != *timed_head {
        *timed_head = head;
        if head.is_some() {
            timer.as_mut().reset(Instant::now() + limits.head_wait);
        }
    }
    while timer.as_mut().poll(context).is_ready() {
        if head.is_some() || !state.take_moved() {
            return true;
        }
        timer.as_mut().reset(Instant::now() + limits.idle);
    }
    false
}

/// The service of one connection, which passes requests to the router.
struct RequestHandler {
    router: Router,
    state: Arc<ConnectionState>,
    address: IpAddr,
    certificate: Arc<OnceLock<ClientCertificate>>,
    admission: Arc<Admission>,
    tables: KnownTables,
}

impl RequestHandler {
    /// Admits a request to the connection, or refuses it with its last response.
    fn admit(&self, request: Request<Incoming>) -> Result<Request<Incoming>, Box<Response>> {
        let is_first = self.state.head_completed();
        if is_first && !self.admission.activate(&self.state, self.client(&request)) {
            return Err(Box::new(last_response(EdgeCode::Busy)));
        }
        if !has_one_host(&request) {
            return Err(Box::new(last_response(EdgeCode::InvalidHost)));
        }
        Ok(request)
    }

    /// Handles a request by the router, or a plain command without it.
    async fn respond(&self, mut request: Request<Incoming>) -> Response {
        if let Some(command) = PlainCommand::of(&self.tables, &request) {
            return command.respond(request).await;
        }
        self.tables.offer(&mut request);
        let client = ClientAddress(self.client(&request));
        request.extensions_mut().insert(client);
        if !self.state.is_authenticated() {
            let connection = AnonymousConnection {
                state: Arc::clone(&self.state),
                admission: Arc::clone(&self.admission),
            };
            request.extensions_mut().insert(connection);
        }
        match self.certificate.get() {
            None | Some(ClientCertificate::Unchecked) => {}
            Some(certificate) => drop(request.extensions_mut().insert(certificate.clone())),
        }
        let routed = self.router.clone().call(request).await;
        routed.unwrap_or_else(|never| match never {})
    }

    /// Returns the address of the client, which trusted proxies pass on.
    fn client(&self, request: &Request<Incoming>) -> IpAddr {
        let forwarded = request.headers().get_all(FORWARDED_FOR).iter();
        // A value that is no text is as good as a wrong address.
        let forwarded: Vec<&str> = forwarded
            .map(|value| value.to_str().unwrap_or_default())
            .collect();
        let trusted = &self.admission.trusted;
        trusted.client(self.address, forwarded.into_iter())
    }
}

/// Returns `true` if a request has exactly one `Host` header, as RFC 9112 requires. HTTP/1.0 needs none.
fn has_one_host(request: &Request<Incoming>) -> bool {
    let hosts = request.headers().get_all(HOST).iter().count();
    hosts == 1 || hosts == 0 && request.version() < Version::HTTP_11
}

/// Returns an error response that ends the connection.
fn last_response(code: EdgeCode) -> Response {
    let mut response = Failure::from(code).into_response();
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(CONNECTION, close);
    response
}

/// The permit of an admitted connection. Dropped with the socket, it removes the connection from the counts.
struct AdmissionPermit {
    state: Arc<ConnectionState>,
    admission: Arc<Admission>,
}

impl Drop for AdmissionPermit {
    fn drop(&mut self) {
        self.admission.remove(&self.state);
    }
}

/// Returns the socket of a connection.
fn observed(stream: Stream, permit: AdmissionPermit) -> Socket {
    let state = Arc::clone(&permit.state);
    let received: Record = Box::new(move |bytes| {
        if !bytes.is_empty() {
            state.bytes_received();
        }
    });
    let sent: Record = Box::new(move |bytes| {
        if !bytes.is_empty() {
            permit.state.bytes_sent();
        }
    });
    InspectWriter::new(InspectReader::new(stream, received), sent)
}
