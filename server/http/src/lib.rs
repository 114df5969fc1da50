//! The way in over HTTP: REST for tables and people, WebSocket for displays, the `OpenAPI` document of both.
//!
//! # Shape
//! One resource one folder, one operation one file: extract, parse, ask the engine, render. [`router()`] puts
//! them together with the document made from the same handlers, so that the two can't differ; [`serve()`] lets clients
//! in. What every way in shares (who may, values, errors) is in `meterhouse_edge`.
//!
//! # What bounds it
//! A body is at most [`BODY_BYTES_MAX`] and read within its time; a request waits at most [`WAIT_MAX`] for its
//! answer; a page has at most [`JOURNAL_PAGE_MAX`] entries or [`HITS_PAGE_MAX`] hits;
//! [`FEEDS_MAX`](meterhouse_engine::feed::feeds::FEEDS_MAX) displays may listen at once;
//! [`CONNECTIONS_MAX`] connections are open, and each must say something in time.
//!
//! # What a dropped request can lose
//! Nothing. A handler holds no transaction and no lock: a command belongs to the committer once it is queued.

mod attempts;
mod caller;
mod constraints;
mod deadline;
mod document;
mod extract;
mod feed;
mod hits;
mod links;
mod listener;
mod manual;
mod operations;
mod options;
mod paytables;
mod problem;
mod render;
mod replay;
mod request_id;
mod router;
mod tables;
#[cfg(test)]
mod testing;

pub use deadline::WAIT_MAX;
pub use extract::{
    BODY_BYTES_MAX, HITS_PAGE_MAX, JOURNAL_PAGE_MAX, LAST_HITS, LIST_MAX, PAGE_DEFAULT,
};
pub use listener::{
    ANONYMOUS_LIMITS, CONNECTIONS_MAX, HEAD_BYTES_MAX, HEAD_WAIT_MAX, IDLE_MAX, Limits, SILENT_MAX,
    serve,
};
pub use options::Options;
pub use paytables::{paytable, paytable_list};
pub use router::{document, router};
