//! The limits of the streams of tables.

use std::time::Duration;

/// Commands that may be under way on a stream without an outcome.
pub const WINDOW: usize = 1_024;
/// Streams of tables that may be open at once.
pub const STREAMS_MAX: usize = 4_096;
/// Streams that may have no table yet: everybody may open one.
pub const UNATTACHED_MAX: usize = 1_024;
/// Tables on one stream: a concentrator of a large floor.
pub const TABLES_MAX: usize = 1_024;
/// Bytes of one request: a window of commands with all that they can say is several of these.
pub const MESSAGE_BYTES_MAX: usize = 256 * 1_024;
/// How long a stream may take for its first request, which is an attach.
pub const ATTACH_WAIT_MAX: Duration = Duration::from_secs(10);
/// How long a stream that begins may wait for the place of another that has no table.
pub(super) const PLACE_WAIT_MAX: Duration = Duration::from_secs(2);
/// How long an answer may wait for a client that doesn't read.
pub const ANSWER_WAIT_MAX: Duration = Duration::from_secs(10);
/// How often the tokens of a stream are looked at.
pub const TOKENS_EVERY: Duration = Duration::from_secs(5);
/// How long a command's outcome is awaited: as long as over HTTP.
pub(super) const OUTCOME_WAIT_MAX: Duration = Duration::from_secs(10);
/// Outcomes in one response.
pub(super) const OUTCOMES_MAX: usize = 256;
/// Questions about tables (an attach, a heartbeat) that one stream asks the engine at a time.
pub(super) const ASKS_MAX: usize = 16;
/// Commands sent again that one stream has looked up at a time, so that nobody else waits for them.
pub(super) const REPEATS_MAX: usize = 16;
/// Pause before a repeat is looked up again that was one of too many; it doubles each time.
pub(super) const REPEAT_PAUSE: Duration = Duration::from_millis(10);
/// The longest such pause: after a restart thousands of repeats come at once.
pub(super) const REPEAT_PAUSE_MAX: Duration = Duration::from_millis(160);
/// Hits of void rounds that one message names.
pub(super) const VOID_HITS_MAX: usize = 64;
/// Responses that wait for the connection beside the one that is being gathered.
pub(super) const ANSWERS_MAX: usize = 1;

const _: () = assert!(OUTCOMES_MAX <= WINDOW);
