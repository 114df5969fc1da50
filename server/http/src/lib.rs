//! The HTTP API: REST for tables and people, a WebSocket feed for displays, and the `OpenAPI` document of both.
//!
//! # Shape
//! One resource is one folder, and one operation is one file: extract, parse, call the engine, render. [`router()`]
//! builds the routes and the document from the same handlers, so that the two can't differ. [`serve()`] accepts
//! connections. HTTP and gRPC share rights, values and errors in `meterhouse_edge`.
//!
//! # Limits
//! - [`BODY_BYTES_MAX`] for a body, which also has a time limit, and [`WAIT_MAX`] for a response.
//! - [`JOURNAL_PAGE_MAX`] entries or [`HITS_PAGE_MAX`] hits of a page.
//! - [`FEEDS_MAX`](meterhouse_engine::feed::feeds::FEEDS_MAX) feeds, and [`CONNECTIONS_MAX`] connections with timeouts.
//!
//! # Dropped requests
//! A dropped request loses nothing. A handler holds no transaction and no lock: a queued command belongs to the
//! committer.

#![expect(
    unused_qualifications,
    reason = "utoipa's expansion qualifies the types of parameters"
)]

mod around;
mod attempts;
mod caller;
mod client_address;
mod cors;
mod deadline;
mod document;
pub mod evidence;
mod extract;
mod feed;
mod health;
mod hits;
mod house_proof;
mod known_tables;
mod links;
mod listener;
mod manual;
mod observe;
mod openapi;
mod operation_rights;
mod options;
mod paytables;
mod pdf;
mod people;
mod plain_command;
mod problem;
mod record;
mod render;
mod replay;
mod report;
mod request_id;
mod rounds;
mod router;
mod screens;
mod slips;
mod socket;
mod tables;
#[cfg(test)]
mod testing;
mod themes;
mod unread_body;
mod witness;

pub use deadline::WAIT_MAX;
pub use extract::parameters::{HITS_PAGE_MAX, JOURNAL_PAGE_MAX, LAST_HITS, PAGE_DEFAULT};
pub use extract::request::{BODY_BYTES_MAX, parse};
pub use links::closings::closing_bytes;
pub use listener::{
    ANONYMOUS_LIMITS, CONNECTIONS_MAX, HEAD_BYTES_MAX, HEAD_WAIT_MAX, IDLE_MAX, Limits, SILENT_MAX,
    serve,
};
pub use meterhouse_api::request::LIST_MAX;
pub use options::Options;
pub use paytables::{paytable, paytable_list};
pub use router::{document, router};
