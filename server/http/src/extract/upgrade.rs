//! The upgrade to WebSocket, with buffers that are small enough for thousands of displays.
//!
//! # Shape
//! axum reads the handshake. The connection is taken over from hyper with its own type, so that messages which were
//! encoded once can be written to it as they are: see [`group`](crate::feed::group).

use axum::body::Body;
use axum::extract::{FromRequestParts, WebSocketUpgrade};
use axum::http::header::{
    CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, UPGRADE,
};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_tls::ClientCertificate;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use crate::caller::certificate;
use crate::listener::anonymous_connection::AnonymousConnection;
use crate::problem::Failure;
use crate::socket::Socket;

/// Size of a connection's read buffer in bytes: displays send only pongs. The library clears the buffer at each read,
/// which is at each message. Its default of 128 KiB is 1.2 GB for ten thousand displays.
const READ_BUFFER: usize = 512;
/// Bytes that are buffered before a write: none, because each message is due immediately.
const WRITE_BUFFER: usize = 0;
/// Maximum size in bytes of a message from a display.
const MESSAGE_MAX: usize = 4 * 1_024;

/// A request to upgrade to WebSocket, its connection while no valid token was shown on it, and the connection's client
/// certificate.
pub(crate) struct Upgrade(
    pub(crate) Handshake,
    pub(crate) Option<AnonymousConnection>,
    pub(crate) ClientCertificate,
);

/// A handshake that was read, and has to be answered.
pub(crate) struct Handshake {
    read: WebSocketUpgrade,
    key: HeaderValue,
    taken_over: OnUpgrade,
}

impl Handshake {
    /// Selects the first of the protocols that the client offers.
    pub(crate) fn select(&mut self, known: [&'static str; 2]) -> Option<&'static str> {
        let offered = |known: &&str| {
            self.read
                .requested_protocols()
                .any(|protocol| protocol == *known)
        };
        let selected = known.into_iter().find(offered)?;
        self.read
            .set_selected_protocol(HeaderValue::from_static(selected));
        Some(selected)
    }

    /// Returns the response, and the connection once the response was sent.
    pub(crate) fn accept(
        self,
    ) -> (
        Response,
        impl Future<Output = Option<WebSocketStream<Socket>>>,
    ) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let accept = HeaderValue::try_from(derive_accept_key(self.key.as_bytes()));
        let headers: [(HeaderName, Option<HeaderValue>); 4] = [
            (CONNECTION, Some(HeaderValue::from_static("upgrade"))),
            (UPGRADE, Some(HeaderValue::from_static("websocket"))),
            (SEC_WEBSOCKET_ACCEPT, accept.ok()),
            (
                SEC_WEBSOCKET_PROTOCOL,
                self.read.selected_protocol().cloned(),
            ),
        ];
        for (name, value) in headers {
            if let Some(value) = value {
                response.headers_mut().insert(name, value);
            }
        }
        (response, connection(self.taken_over))
    }
}

/// Takes a connection over. Returns nothing if the client has gone.
async fn connection(taken_over: OnUpgrade) -> Option<WebSocketStream<Socket>> {
    let upgraded = taken_over.await.ok()?;
    let parts = upgraded.downcast::<TokioIo<Socket>>().ok()?;
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_message_size(Some(MESSAGE_MAX))
        .max_frame_size(Some(MESSAGE_MAX));
    let (socket, received) = (parts.io.into_inner(), parts.read_buf.to_vec());
    let stream = WebSocketStream::from_partially_read(socket, received, Role::Server, Some(config));
    Some(stream.await)
}

impl<S: Send + Sync> FromRequestParts<S> for Upgrade {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let taken_over = parts.extensions.get::<OnUpgrade>().cloned();
        let key = parts.headers.get(SEC_WEBSOCKET_KEY).cloned();
        let read = WebSocketUpgrade::from_request_parts(parts, state).await;
        let refused = |detail: String| EdgeError::because(EdgeCode::UpgradeRequired, detail);
        let read = read.map_err(|rejection| {
            let advice = EdgeCode::UpgradeRequired.advice();
            let detail = rejection.body_text();
            refused(format!("{}; {advice}", detail.trim_end_matches('.')))
        })?;
        // axum has found both.
        let (Some(key), Some(taken_over)) = (key, taken_over) else {
            return Err(refused(EdgeCode::UpgradeRequired.advice().to_owned()).into());
        };
        Ok(Self(
            Handshake {
                read,
                key,
                taken_over,
            },
            parts.extensions.get::<AnonymousConnection>().cloned(),
            certificate(&parts.extensions),
        ))
    }
}
