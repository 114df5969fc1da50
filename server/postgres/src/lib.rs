//! The supervisor of a private Postgres: finds the installed programs, makes the cluster, starts, adopts and stops
//! the server. It depends on no other crate of the project.
//!
//! # Shape
//! [`Server::start`] takes a data directory and returns a running server, reachable through a Unix socket only. The
//! data directory holds:
//!
//! - `postgres/`: the cluster; its `PG_VERSION` holds the major version, which never changes
//! - `postgres.new-*`: a cluster in the making; the next start removes a left-over one
//! - `postgres.log`: standard error of Postgres; one older file, `postgres.log.1`
//! - `run/`: the socket, 0700; a short directory under `/tmp` if the path would be too long
//! - `supervisor.lock`: `flock`ed by the process that owns the server; its pid and socket directory
//!
//! # Bounds
//! Every wait has a named limit, in the module that waits. The crate reads no environment except `PATH`.
//!
//! # Order and locking
//! The holder of the `flock` owns the server: it alone creates, starts and stops it. Every other process attaches.
//! The kernel frees the lock when its holder ends for any reason, so the lock can't go stale. The lock is released
//! last, after the server has ended.
//!
//! # Restarts
//! [`Server::keep`] restarts a server that ended by itself, at most [`RESTARTS_MAX`] times within
//! [`RESTARTS_WINDOW`], after every process of the last one has ended.
//!
//! # Root
//! Postgres refuses to run as root. A process of root starts Postgres as user `meterhouse`, else as `postgres`, else as
//! the unprivileged user of the system. The chosen user must be able to walk to the data directory. A directory below a
//! 0700 home, or a fresh `mkdtemp` (0700), is refused with the remedy. Tests that run as root make their temporary
//! directory 0755. A process that listens becomes that user itself: [`ServiceUser`].

mod account;
mod binaries;
mod cluster;
mod command;
mod connect;
mod error;
mod files;
mod found;
mod installing;
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
