//! Tables: what they are, their commands, how they join.

mod answer;
mod command;
mod done;
mod heartbeat;
mod join;
mod list;
mod read;
mod request;
mod service;

pub(crate) use command::{__path_command, command};
pub(crate) use heartbeat::{__path_heartbeat, heartbeat};
pub(crate) use join::{__path_join, join};
pub(crate) use list::{__path_list, list};
pub(crate) use read::{__path_read, read};
pub(crate) use request::holder;
pub(crate) use service::{__path_disable, __path_enable, __path_leave, disable, enable, leave};
