//! The load generator: many tables that play as fast as they are answered, or to a schedule, over streams or HTTP, and
//! books that are compared at the end.
//!
//! # Shape
//! [`prepare()`] opens the links of a [`Plan`] and lets its tables join; [`run()`] plays and answers a [`Report`]. The
//! tables are shared out among pits (`pit`), each of which is one task with one connection: a gRPC stream (`stream`,
//! `session`) or an HTTP connection (`http`). A pit decides what is sent next and books what was answered, `pace` says
//! when; its connection only carries. Hits go to the floor (`floor`), whose supervisor validates and pays them. It speaks the
//! public API only.
//!
//! # What bounds it
//! Commands under way are bounded by the plan, in an open loop by a limit of its own. Whatever goes without
//! progress for longer than [`Plan::patience`] ends the run.
//!
//! # What order holds
//! A table's commands are sent in the order of their numbers, except where the plan says that a later one goes first.
//! What has no outcome when a connection is lost is sent again in that order, before anything new.
//!
//! # What latency means
//! In a closed loop: from sending to the outcome. In an open loop: from the planned instant to the outcome, however
//! late it was sent, so that a server that stands still is charged with everything that had to wait.

mod alarm;
mod ask;
mod books;
mod commands;
mod error;
mod felt;
mod figures;
mod floor;
mod house;
mod http;
mod machine;
mod moments;
mod pace;
mod pit;
mod plan;
mod prepare;
mod report;
mod run;
mod schedule;
mod session;
mod status;
mod stream;
mod tally;
mod timeline;
mod wire;

pub use error::LoadError;
pub use figures::{CpuUsed, Interval, Latency};
pub use machine::{GENERATOR_THREADS, Processes, TICKS, cluster_ticks, process_ticks};
pub use plan::{End, Mishaps, Node, Pace, Plan, PlanImpossible, Tokens, Way};
pub use prepare::prepare;
pub use report::{Check, Report};
pub use run::run;
