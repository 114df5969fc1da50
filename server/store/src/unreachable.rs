//! The reasons why no connection to a Postgres is made.

use std::io::ErrorKind;

use crate::error::StoreError;

/// A reason why a Postgres can't be used.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unreachable {
    /// No server listens at the address.
    Refused,
    /// The host's name has no address.
    UnknownHost,
    /// No answer came in time.
    TimedOut,
    /// The server has no such database.
    NoDatabase,
    /// The server refuses this user: unknown, or with another password.
    AccessDenied,
    /// Something else.
    Other,
}

impl StoreError {
    /// Returns the reason why no connection was made, or `None` for another error.
    pub fn unreachable(&self) -> Option<Unreachable> {
        let Self::Connect { source } = self else {
            return None;
        };
        Some(match source {
            sqlx::Error::Io(error) => match error.kind() {
                // A missing socket file means that no server runs.
                ErrorKind::ConnectionRefused | ErrorKind::NotFound => Unreachable::Refused,
                ErrorKind::TimedOut => Unreachable::TimedOut,
                _ if error.to_string().contains("lookup address") => Unreachable::UnknownHost,
                _ => Unreachable::Other,
            },
            sqlx::Error::Database(error) => match error.code().as_deref() {
                Some("3D000") => Unreachable::NoDatabase,
                Some("28P01" | "28000") => Unreachable::AccessDenied,
                _ => Unreachable::Other,
            },
            _ => Unreachable::Other,
        })
    }
}
