//! Tables: their commands, heartbeats, state, joining and departure.

mod command;
mod heartbeat;
mod join;
mod list;
mod outcome;
mod play;
mod presentation;
mod read;
pub(crate) mod request;
mod service;

pub(crate) use command::{__path_command, carry_out, command};
pub(crate) use heartbeat::{__path_heartbeat, heartbeat};
pub(crate) use join::{__path_join, join};
pub(crate) use list::{__path_list, list};
pub(crate) use presentation::{__path_present, present};
pub(crate) use read::{__path_read, read};
pub(crate) use request::{To, sent};
pub(crate) use service::{__path_disable, __path_enable, __path_leave, disable, enable, leave};
