//! The supervisor of a private Postgres: finds the installed programs, makes the cluster, starts,
//! adopts and stops the server. It knows nothing of the rest of the project.
//!
//! # Shape
//! [`Server::start`] takes a data directory and gives back a running server, reachable through a
//! Unix socket only. What lies in the data directory:
//!
//! - `postgres/`: the cluster; its `PG_VERSION` says the major version, which never changes
//! - `postgres.new-*`: a cluster in the making; a left-over is removed by the next start
//! - `postgres.log`: what Postgres wrote to standard error; one older file, `postgres.log.1`
//! - `run/`: the socket, 0700; a short directory under `/tmp` if the path would be too long
//! - `supervisor.lock`: `flock`ed by the process that owns the server; its pid and socket directory
//!
//! # What bounds it
//! Every wait has a named limit, in the module that waits. The crate reads no environment except
//! `PATH`.
//!
//! # What order or lock holds
//! Who holds the `flock` owns the server and alone creates, starts and stops it; everybody else
//! attaches. The kernel frees the lock when its holder dies, however it dies, so it cannot go
//! stale. The lock is released last: after the server has ended.
//!
//! # What can stop the server
//! [`Server::keep`] starts a server again that dies, at most [`RESTARTS_MAX`] times within
//! [`RESTARTS_WINDOW`], after everything that the last one left has ended.
//!
//! # Root
//! Postgres refuses to run as root. Then it runs as user `meterhouse`, else `postgres`, else `nobody`, and that
//! user must be able to walk to the data directory: a directory below a 0700 home, or a fresh `mkdtemp`
//! (0700), is refused with the remedy. Tests that run as root make their temporary directory 0755.
//! A process that listens becomes that user itself: [`ServiceUser`].

mod account;
mod binaries;
mod cluster;
mod command;
mod connect;
mod error;
mod files;
mod found;
mod keep;
mod layout;
mod lock;
mod options;
mod postmaster;
mod process;
mod server;
mod service_user;
mod settings;
mod socket;

pub use crate::binaries::{Binaries, find_binaries};
pub use crate::error::PostgresError;
pub use crate::keep::{RESTARTS_MAX, RESTARTS_WINDOW};
pub use crate::layout::{has_cluster, is_owned};
pub use crate::options::Options;
pub use crate::server::{Ownership, Server};
pub use crate::service_user::ServiceUser;
pub use crate::socket::SUPERUSER;
