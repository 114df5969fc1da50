//! The journal's form, pure: event rows, canonical bytes, the hash chain, snapshots, the hits as people see them.
//!
//! # Shape
//! [`record`] turns a recorded event into the columns of a row and back. [`chain`] turns a batch of rows into bytes
//! and a hash. [`snapshot`] does the same with a link's whole state. [`hit`] folds events into the table that people
//! read. All bytes are made by the [`Canonical`](codec::Canonical) trait in [`codec`]. `docs/JOURNAL.md` specifies
//! the bytes for readers that don't use this crate.
//!
//! # Bounds
//! Reading trusts no input: the memory allocated is at most a small multiple of the bytes given. A value has exactly
//! one form, so a changed byte is another value or an error.

pub mod access;
pub mod act;
pub mod batch;
pub mod chain;
mod change;
pub mod checkpoint;
pub mod codec;
mod command;
pub mod credential;
pub mod error;
mod event;
pub mod export;
pub mod export_reader;
pub mod file_parts;
mod forms;
pub mod hit;
pub mod house;
pub mod house_reader;
pub mod kind;
pub mod month;
pub mod month_reader;
pub mod position;
pub mod record;
mod round_wagers;
pub mod seal;
pub mod signing_keys;
pub mod slip;
pub mod snapshot;
pub mod terms;
pub mod tree;
pub mod tree_head;
mod values;
