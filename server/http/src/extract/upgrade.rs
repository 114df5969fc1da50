//! The upgrade to WebSocket, with buffers that are small enough for thousands of displays.

use axum::extract::{FromRequestParts, WebSocketUpgrade};
use axum::http::request::Parts;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_tls::ClientCertificate;

use crate::caller::certificate;
use crate::listener::anonymous_connection::AnonymousConnection;
use crate::problem::Failure;

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
    pub(crate) WebSocketUpgrade,
    pub(crate) Option<AnonymousConnection>,
    pub(crate) ClientCertificate,
);

impl<S: Send + Sync> FromRequestParts<S> for Upgrade {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let upgrade = WebSocketUpgrade::from_request_parts(parts, state).await;
        let upgrade = upgrade.map_err(|rejection| {
            let advice = EdgeCode::UpgradeRequired.advice();
            let detail = format!("{}; {advice}", rejection.body_text().trim_end_matches('.'));
            EdgeError::because(EdgeCode::UpgradeRequired, detail)
        })?;
        let sized = upgrade
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(WRITE_BUFFER);
        let sized = sized
            .max_message_size(MESSAGE_MAX)
            .max_frame_size(MESSAGE_MAX);
        Ok(Self(
            sized,
            parts.extensions.get::<AnonymousConnection>().cloned(),
            certificate(&parts.extensions),
        ))
    }
}
