//! What a maker of table controllers embeds, against the real server on real Postgres: through cuts, silence and
//! kills of either side every kept command is counted once.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that can't go on fails"
)]

mod blocking;
mod client_killed;
mod cut;
mod decisions;
mod faulted;
mod numbers;
mod offline;
mod play;
mod refused;
mod scene;
mod server_killed;
