//! The engine: committers, queries, operations, reports, the feed, tokens, background checks and verification.
//!
//! # Shape
//! [`Engine`] is the only entry. A command goes to the committer of its link, a task of this crate. A caller that
//! disconnects cancels only its own wait, not the command. Queries are single statements of the store, or reads of the
//! committer's replica after its head was confirmed.
//!
//! # Limits
//! Every queue and every wait has a named constant, documented under the heading "Limits" of its module.

pub mod access;
pub mod answer;
pub mod archive;
mod background;
mod checked_state;
pub mod clock;
mod committer;
mod context;
mod engine;
pub mod error_chain;
pub mod evidence;
pub mod export;
mod fault_reason;
pub mod feed;
pub mod held_credentials;
pub mod integrity;
mod known_digests;
pub mod metrics;
pub mod operations;
mod own_thread;
pub mod push;
pub mod queries;
pub mod readiness;
mod registry;
mod reports;
mod server_command;
pub mod signing;
#[doc(hidden)]
pub mod simulation;
mod stored_rows;
pub mod tokens;
mod trace;
pub mod verify;
pub mod view;

pub use context::Engine;
pub use engine::EngineOptions;
