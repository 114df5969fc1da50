//! What happens between the wire and the journal: committers, questions, the feed, tokens, verification.
//!
//! # Shape
//! [`Engine`] is the one door. A command goes to the committer of its link, a task that this crate owns; whoever
//! waits for the answer owns only the wait and may hang up at any time. Questions are single statements of the
//! store, or the committer's memory after it was confirmed.
//!
//! # What bounds it
//! Every queue and wait has its named constant: see [`committer`](self) for commands, `feed` for displays.

pub mod answer;
mod background;
pub mod clock;
mod committer;
mod context;
mod engine;
pub mod error_chain;
mod fault_reason;
pub mod feed;
pub mod integrity;
pub mod operations;
pub mod queries;
pub mod readiness;
mod registry;
mod reports;
mod server_command;
#[doc(hidden)]
pub mod simulation;
mod stored_rows;
pub mod tokens;
pub mod verify;
pub mod view;

pub use context::Engine;
pub use engine::EngineOptions;
