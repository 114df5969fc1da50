//! The limits of the streams of tables.

use std::time::Duration;

/// Maximum number of commands in flight on one stream.
pub const WINDOW: usize = 1_024;
/// Maximum number of open streams of tables.
pub const STREAMS_MAX: usize = 4_096;
/// Maximum number of streams without a table, which any client may open.
pub const UNATTACHED_MAX: usize = 1_024;
/// Maximum number of tables on one stream: enough for a concentrator of a large floor.
pub const TABLES_MAX: usize = 1_024;
/// Maximum size in bytes of one request. A full window of large commands needs several requests.
pub const MESSAGE_BYTES_MAX: usize = 256 * 1_024;
/// Longest wait for the first request of a stream, which must be an attach.
pub const ATTACH_WAIT_MAX: Duration = Duration::from_secs(10);
/// Longest wait of a new stream for the slot of another stream that has no table.
pub(super) const SLOT_WAIT_MAX: Duration = Duration::from_secs(2);
/// Longest wait for a client that doesn't read its responses.
pub const ANSWER_WAIT_MAX: Duration = Duration::from_secs(10);
/// Interval between two looks at what a stream's tokens are worth.
pub const TOKENS_EVERY: Duration = Duration::from_millis(500);
/// Interval between two lookups of a stream's tokens while they can't be confirmed.
pub(super) const TOKENS_LOOKED_UP_EVERY: Duration = Duration::from_secs(5);
/// Longest wait for a command's outcome, as over HTTP.
pub(super) const OUTCOME_WAIT_MAX: Duration = Duration::from_secs(10);
/// Maximum number of outcomes in one response.
pub(super) const OUTCOMES_MAX: usize = 256;
/// Number of bytes at which a response gets no further outcome, so that clients with the usual limit of
/// 4 MiB can read rounds with fixed wagers.
pub(super) const OUTCOME_BYTES_MAX: usize = 1_024 * 1_024;
/// Maximum number of concurrent queries (attach, heartbeat) of one stream to the engine.
pub(super) const ASKS_MAX: usize = 16;
/// Maximum number of repeated commands that one stream looks up concurrently, so that other streams
/// don't wait for them.
pub(super) const REPEATS_MAX: usize = 16;
/// First pause before another lookup of a repeated command that the engine was too busy for. The
/// pause doubles each time.
pub(super) const REPEAT_PAUSE: Duration = Duration::from_millis(10);
/// Longest pause between two lookups. After a restart, thousands of repeated commands arrive
/// together.
pub(super) const REPEAT_PAUSE_MAX: Duration = Duration::from_millis(160);
/// Maximum number of hits of void rounds that one message names.
pub(super) const VOID_HITS_MAX: usize = 64;
/// Maximum number of responses that wait for the connection, in addition to the one being built.
pub(super) const ANSWERS_MAX: usize = 1;

const _: () = assert!(OUTCOMES_MAX <= WINDOW);
