//! The library for makers of table controllers, against the real server on real Postgres. Through cuts, silence and
//! kills of either side, every stored command is counted once.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that can't go on fails"
)]

mod blocking;
mod client_killed;
mod cut_connections;
mod decisions;
mod faulted_link;
mod fixed_wagers;
mod fixture;
mod offline;
mod play;
mod refused;
mod sequence_numbers;
mod server_killed;
mod set_back;
