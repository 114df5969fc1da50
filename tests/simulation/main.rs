//! Simulations of the real engine on a real database, or on a faulty journal in memory. Faults occur at random, and the
//! callers' acknowledgements are compared with the journal.
//!
//! # Failures
//! - an acknowledged command that is not in the journal, is there twice, or is at another position
//! - a caller without a reply within the limit
//! - a link that does not recover by itself after the fault
//! - any finding of `verify`
//!
//! # No failures
//! A temporary denial: the command may be committed or not, and a retry returns its outcome.
//!
//! # Reproduction
//! Each test prints its seed; see [`seed`].
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "in tests the panic is the message"
)]

mod acknowledgements;
mod cancelled;
mod clocks;
mod committers;
mod displays;
mod durability;
mod faulty_journal;
mod journal_faults;
mod killed_processes;
mod links;
mod many_links;
mod memory_database;
mod outage;
mod pipelining;
mod postgres_protocol;
mod proxy;
mod refused_batches;
mod rounds;
mod script;
mod seed;
mod supervisors;
mod worker;
