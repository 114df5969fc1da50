//! What the tests across the wire share: a Postgres for the process, a migrated database for each test, real
//! servers on real ports, and clients that speak in verbs of roles.
//!
//! # Shape
//! [`Database`] is fresh for each test and comes from [`cluster`]. [`TestServer`] is the real engine and router on
//! it; several may serve one database. [`House`] is one server with its people. [`client`] has the roles,
//! [`Feed`] a display, [`Stream`] the tables of a stream.
//!
//! # What bounds it
//! Nothing sleeps: whoever waits, waits for a condition, at most [`PATIENCE`].

#![expect(
    clippy::missing_panics_doc,
    clippy::expect_used,
    clippy::panic,
    reason = "a harness that can't go on fails its test, and says why"
)]

mod cable;
pub mod certificates;
pub mod client;
pub mod cluster;
pub mod comparison;
pub mod feed;
mod first_values;
mod house;
mod open_files;
pub mod page;
mod server;
mod stream;
mod wait;
mod watch;
pub mod worked_rounds;

pub use crate::cable::Cable;
pub use crate::client::{Answer, Caller, Dealer, Manager, Supervisor, TwoPeople};
pub use crate::cluster::Database;
pub use crate::feed::Feed;
pub use crate::first_values::first_values;
pub use crate::house::{
    Balances, CHARGED_TO_METER, FIVE_CARD_A, FIVE_CARD_C, FOUR_CARD_A, FOUR_CARD_B, FOUR_LEVELS,
    HAND_BONUS, House, token_of,
};
pub use crate::open_files::raise_open_files;
pub use crate::server::TestServer;
pub use crate::stream::{Answers, Heard, Requests, Stream, connection, reason};
pub use crate::wait::{PATIENCE, eventually, in_time};
pub use crate::watch::Watch;
