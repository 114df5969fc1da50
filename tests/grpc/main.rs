//! The server over gRPC: real engine, real Postgres, the same meaning as over HTTP.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that can't go on fails"
)]

mod abuse;
mod commands;
mod cut;
mod ends;
mod feed;
mod form;
mod heartbeats;
mod hits;
mod pipelining;
mod random;
mod same;
mod settlements;
mod strangers;
mod ways;
