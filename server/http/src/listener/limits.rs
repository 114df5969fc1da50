//! The limits of connections.

use std::time::Duration;

use meterhouse_edge::anonymous_connections::AnonymousLimits;
use meterhouse_engine::feed::feeds::FEEDS_MAX;

/// Maximum time for the head of a request: from its first byte, and on a new connection from its start.
pub const HEAD_WAIT_MAX: Duration = Duration::from_secs(10);
/// Maximum idle time between two requests. It is checked once per interval, so a pause may last up to twice as long.
pub const IDLE_MAX: Duration = Duration::from_mins(5);
/// Maximum size of a request's head in bytes: line and headers. A larger head is answered with 431.
pub const HEAD_BYTES_MAX: usize = 16 * 1_024;
/// Maximum number of silent connections, which have sent no complete head yet.
pub const SILENT_MAX: usize = 1_024;
/// Maximum number of active connections, which have sent a complete head: every display, and half as many tables and
/// people.
pub const CONNECTIONS_MAX: usize = 16_384;
/// Limits of anonymous connections, which have shown no valid token.
pub const ANONYMOUS_LIMITS: AnonymousLimits = AnonymousLimits {
    all: 4_096,
    of_address: 256,
    feeds: FEEDS_MAX,
    feeds_of_address: 1_024,
};
/// Number of connections that are reserved for those with a valid token.
const RESERVED_WITH_TOKEN: usize = 2_048;

const _: () =
    assert!(ANONYMOUS_LIMITS.all + ANONYMOUS_LIMITS.feeds + RESERVED_WITH_TOKEN <= CONNECTIONS_MAX);

/// The limits of connections, which tests lower.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// Replaces [`CONNECTIONS_MAX`].
    pub connections: usize,
    /// Replaces [`SILENT_MAX`].
    pub silent: usize,
    /// Replaces [`ANONYMOUS_LIMITS`].
    pub anonymous: AnonymousLimits,
    /// Replaces [`HEAD_WAIT_MAX`].
    pub head_wait: Duration,
    /// Replaces [`IDLE_MAX`].
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: CONNECTIONS_MAX,
            silent: SILENT_MAX,
            anonymous: ANONYMOUS_LIMITS,
            head_wait: HEAD_WAIT_MAX,
            idle: IDLE_MAX,
        }
    }
}
