//! One connection: its requests, and how long it may be quiet.
//!
//! # Shape
//! A task runs the library over a socket that notes what moves and a [`Desk`] that hands requests to the router, and
//! looks after each step whether the client is late. Where a feed takes the connection over, the task ends and the
//! socket lives on, with its place.
//!
//! # What bounds it
//! [`Limits::head_wait`], [`Limits::idle`]. An answer that nobody takes is quiet as well.

use std::convert::Infallible;
use std::future::{Ready, poll_fn, ready};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::http::header::{CONNECTION, HOST};
use axum::http::{HeaderValue, Request, Version};
use axum::response::{IntoResponse, Response};
use axum::routing::future::RouteFuture;
use futures_util::future::Either;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::TokioIo;
use meterhouse_edge::codes::EdgeCode;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};
use tokio_util::io::{InspectReader, InspectWriter};
use tower::Service as _;

use super::Limits;
use super::admission::Room;
use super::connection_state::Line;
use crate::problem::Failure;

/// Serves a connection until one of both sides ends it, or a feed takes it over.
pub(super) fn attend(
    stream: TcpStream,
    address: IpAddr,
    http: http1::Builder,
    router: Router,
    room: &Arc<Room>,
) -> impl Future<Output = ()> + use<> {
    // What a display is told next doesn't wait until it has acknowledged the last.
    drop(stream.set_nodelay(true));
    let line = room.come_in();
    let limits = room.limits;
    let desk = Desk {
        router,
        line: Arc::clone(&line),
        address,
        room: Arc::clone(room),
    };
    let seat = Seat {
        line: Arc::clone(&line),
        room: Arc::clone(room),
    };
    let socket = noting(stream, seat);
    async move {
        let serving = http.serve_connection(TokioIo::new(socket), desk);
        let mut serving = pin!(serving.with_upgrades());
        let mut alarm = pin!(sleep(limits.head_wait));
        let mut awaited = line.head();
        let mut ending = false;
        poll_fn(|context| {
            line.wake(context.waker());
            // Why it ended is no matter of the log: clients come and go.
            if serving.as_mut().poll(context).is_ready() || line.has_to_go() {
                return Poll::Ready(());
            }
            if line.is_ending() && !ending {
                ending = true;
                serving.as_mut().graceful_shutdown();
                if serving.as_mut().poll(context).is_ready() {
                    return Poll::Ready(());
                }
            }
            let late = is_late(&line, limits, &mut awaited, alarm.as_mut(), context);
            if late { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

/// Whether the client is too late: with a head that has begun, or with anything. The alarm is set when a head remains
/// incomplete and when it has rung, never for a request that comes whole.
fn is_late(
    line: &Line,
    limits: Limits,
    awaited: &mut Option<u32>,
    mut alarm: Pin<&mut Sleep>,
    context: &mut Context<'_>,
) -> bool {
    let head = line.head();
    if head != *awaited {
        *awaited = head;
        if head.is_some() {
            alarm.as_mut().reset(Instant::now() + limits.head_wait);
        }
    }
    while alarm.as_mut().poll(context).is_ready() {
        if head.is_some() || !line.has_moved() {
            return true;
        }
        alarm.as_mut().reset(Instant::now() + limits.idle);
    }
    false
}

/// Hands requests to the router.
struct Desk {
    router: Router,
    line: Arc<Line>,
    address: IpAddr,
    room: Arc<Room>,
}

impl Service<Request<Incoming>> for Desk {
    type Response = Response;
    type Error = Infallible;
    type Future = Either<RouteFuture<Infallible>, Ready<Result<Response, Infallible>>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        if self.line.asks() && !self.room.speak(&self.line, self.address) {
            return Either::Right(ready(Ok(refused(EdgeCode::Busy))));
        }
        if !has_one_host(&request) {
            return Either::Right(ready(Ok(refused(EdgeCode::InvalidHost))));
        }
        if !self.line.is_known() {
            let place = Place {
                line: Arc::clone(&self.line),
                room: Arc::clone(&self.room),
            };
            request.extensions_mut().insert(place);
        }
        Either::Left(self.router.clone().call(request))
    }
}

/// A connection that has shown no valid token, as its requests see it.
#[derive(Clone)]
pub(crate) struct Place {
    line: Arc<Line>,
    room: Arc<Room>,
}

impl Place {
    /// Marks the connection as one that has shown a valid token.
    pub(crate) fn know(&self) {
        self.room.know(&self.line);
    }

    /// Counts the connection among the feeds; `false` where there are as many as may be.
    pub(crate) fn listen(&self) -> bool {
        self.room.listen(&self.line)
    }
}

/// Checks that a request names its host once, as RFC 9112 has it; HTTP/1.0 need not.
fn has_one_host(request: &Request<Incoming>) -> bool {
    let hosts = request.headers().get_all(HOST).iter().count();
    hosts == 1 || hosts == 0 && request.version() < Version::HTTP_11
}

/// Returns the last answer of a connection.
fn refused(code: EdgeCode) -> Response {
    let mut response = Failure::from(code).into_response();
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(CONNECTION, close);
    response
}

/// A connection's place, as long as its socket lives.
struct Seat {
    line: Arc<Line>,
    room: Arc<Room>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.room.leave(&self.line);
    }
}

/// A connection's socket: it notes what moves, and keeps the connection's place.
fn noting(stream: TcpStream, seat: Seat) -> impl AsyncRead + AsyncWrite + Send + Unpin + 'static {
    let line = Arc::clone(&seat.line);
    let stream = InspectReader::new(stream, move |bytes| {
        if !bytes.is_empty() {
            line.came();
        }
    });
    InspectWriter::new(stream, move |bytes| {
        if !bytes.is_empty() {
            seat.line.went();
        }
    })
}
