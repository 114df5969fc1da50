//! The load generator: many tables play over streams or HTTP, in a closed loop or to a schedule. The books are compared
//! at the end.
//!
//! # Shape
//! [`prepare()`] opens the links of a [`Plan`] and lets its tables join. [`run()`] plays and returns a [`Report`]. The
//! tables are shared out among groups (`connection_group`). Each group is one task with one connection: a gRPC stream
//! (`stream`, `stream_session`) or an HTTP connection (`http`). A group chooses the next command and books each
//! outcome. The pacer (`pace`) sets the time of each send, and the connection only carries the commands. Hits go to the
//! supervisor (`supervisor`), who validates and pays them. The generator uses the public API only.
//!
//! # Limits
//! The plan bounds the commands in flight; an open loop has a limit of its own. A connection without progress for
//! longer than [`Plan::patience`] ends the run.
//!
//! # Order
//! A table's commands are sent in the order of their numbers, unless the plan asks for a later one first. When a
//! connection is lost, commands without an outcome are resent in the same order, before any new command.
//!
//! # Latency
//! In a closed loop, latency is measured from the send to the outcome. In an open loop, latency is measured from the
//! scheduled time, not from the send. A stalled server is therefore charged for every command that had to wait (no
//! coordinated omission).

mod book_windows;
mod books;
mod command_bodies;
mod commands;
mod connection_end;
mod connection_group;
mod counters;
mod error;
mod figures;
mod http;
mod in_flight;
mod machine;
mod pace;
mod plan;
mod prepare;
mod report;
mod run;
mod run_context;
mod schedule;
mod stream;
mod stream_session;
mod supervisor;
mod table_driver;
mod timeline;
mod timer;
mod wire;

pub use error::LoadError;
pub use figures::{CpuUsed, Interval, Latency};
pub use machine::{GENERATOR_THREADS, Processes, TICKS, cluster_ticks, process_ticks};
pub use plan::{End, FaultInjection, Node, Pace, Plan, PlanImpossible, Tokens, Transport};
pub use prepare::prepare;
pub use report::{Check, Report};
pub use run::run;
