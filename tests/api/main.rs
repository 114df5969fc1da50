//! The server across the wire: real engine, real router, real Postgres, a file a capability.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that can't go on fails"
)]

mod append_only;
mod bodies;
mod counted;
mod faults;
mod feed;
mod figures;
mod figures_of_voids;
mod lists;
mod nodes;
mod openapi;
mod paths;
mod repeats;
mod roles;
mod rounds;
mod setup;
mod slow_display;
mod states;
mod tampering;
