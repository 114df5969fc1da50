//! The change to WebSocket, with buffers that thousands of displays can have at once.

use axum::extract::{FromRequestParts, WebSocketUpgrade};
use axum::http::request::Parts;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;

use crate::listener::AnonymousConnection;
use crate::problem::Failure;

/// Bytes of a connection's read buffer: displays send pongs. The library clears as many at each look for one, which is
/// at each message; its own 128 KiB are 1.2 GB for ten thousand displays.
const READ_BUFFER: usize = 512;
/// Bytes that are gathered before they are written: none, each message is due at once.
const WRITE_BUFFER: usize = 0;
/// Bytes of the largest message that a display may send.
const MESSAGE_MAX: usize = 4 * 1_024;

/// A request to change to WebSocket, and its connection's place among the strangers.
pub(crate) struct Upgrade(
    pub(crate) WebSocketUpgrade,
    pub(crate) Option<AnonymousConnection>,
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
        ))
    }
}
