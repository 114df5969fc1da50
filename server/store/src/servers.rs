//! The servers of one database: a single one, or the members of a cluster.
//!
//! # Shape
//! A URL names several servers in libpq's form: `postgres://user@h1:5432,h2:5432/name`. Everything but host and port is
//! common to all of them. The driver takes one host, so the URL is split before the driver reads it.
//!
//! # Limits
//! [`SERVERS_MAX`] servers.

use std::fmt;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

/// Maximum number of servers in a URL.
pub const SERVERS_MAX: usize = 8;

/// The servers of one database, at least one. If there are several, one of them takes writes.
#[derive(Clone)]
pub struct Servers(Vec<PgConnectOptions>);

/// A URL that names no servers.
#[derive(Debug, thiserror::Error)]
pub enum InvalidServers {
    /// A host is empty.
    #[error("a host is missing before or after a comma")]
    NoHost,
    /// The list is too long.
    #[error("more than {SERVERS_MAX} hosts")]
    TooMany,
    /// The driver refuses the URL.
    #[error(transparent)]
    Url(#[from] sqlx::Error),
}

impl Servers {
    /// Returns the connection options of each server.
    pub fn each(&self) -> &[PgConnectOptions] {
        &self.0
    }

    /// Returns the only server; `None` if there are several.
    pub fn single(&self) -> Option<&PgConnectOptions> {
        match self.0.as_slice() {
            [single] => Some(single),
            _ => None,
        }
    }
}

/// Returns a server's address, `host:port`.
pub(crate) fn address(server: &PgConnectOptions) -> String {
    format!("{}:{}", server.get_host(), server.get_port())
}

impl From<PgConnectOptions> for Servers {
    fn from(single: PgConnectOptions) -> Self {
        Self(vec![single])
    }
}

impl FromStr for Servers {
    type Err = InvalidServers;

    fn from_str(url: &str) -> Result<Self, InvalidServers> {
        let authority = url.find("://").map_or(0, |at| at + 3);
        let end = url[authority..]
            .find(['/', '?', '#'])
            .map_or(url.len(), |at| authority + at);
        let hosts = url[authority..end]
            .rfind('@')
            .map_or(authority, |at| authority + at + 1);
        let (before, after) = (&url[..hosts], &url[end..]);
        let hosts: Vec<&str> = url[hosts..end].split(',').collect();
        if hosts.len() > SERVERS_MAX {
            return Err(InvalidServers::TooMany);
        }
        // A single empty host is the driver's default.
        if hosts.len() > 1 && hosts.iter().any(|host| host.is_empty()) {
            return Err(InvalidServers::NoHost);
        }
        let read = |host| Ok(format!("{before}{host}{after}").parse()?);
        hosts
            .into_iter()
            .map(read)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// Shows the addresses without the password.
impl fmt::Display for Servers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let addresses: Vec<String> = self.0.iter().map(address).collect();
        out.write_str(&addresses.join(", "))
    }
}

impl fmt::Debug for Servers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Servers({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_hosts_is_one_server_each() {
        let url = "postgres://app:a,b@h1:5433,h2,[::1]:5434/casino?application_name=mh";
        // A comma in a password is not a separator: it stands before the last `@`.
        let servers: Servers = url.parse().unwrap();
        assert_eq!(servers.to_string(), "h1:5433, h2:5432, [::1]:5434");
        for server in servers.each() {
            assert_eq!(server.get_username(), "app");
            assert_eq!(server.get_database(), Some("casino"));
            assert_eq!(server.get_application_name(), Some("mh"));
        }
        assert!(servers.single().is_none());
    }

    #[test]
    fn a_single_host_is_read_as_before() {
        for url in [
            "postgres://app@h1:5433/casino",
            "postgres:///casino?host=/run/postgresql",
            "postgres://%2Frun%2Fpostgresql/casino",
        ] {
            let servers: Servers = url.parse().unwrap();
            let driver: PgConnectOptions = url.parse().unwrap();
            let single = servers.single().unwrap();
            assert_eq!(address(single), address(&driver), "{url}");
            assert_eq!(single.get_database(), driver.get_database(), "{url}");
        }
    }

    #[test]
    fn a_list_that_is_none_is_refused() {
        let read = |url: &str| url.parse::<Servers>().unwrap_err();
        for url in [
            "postgres://h1,,h2/d",
            "postgres://,h2/d",
            "postgres://h1,/d",
        ] {
            assert!(matches!(read(url), InvalidServers::NoHost), "{url}");
        }
        let many = format!("postgres://{}h/d", "h,".repeat(SERVERS_MAX));
        assert!(matches!(read(&many), InvalidServers::TooMany));
        assert!(matches!(
            read("postgres://h1:x,h2/d"),
            InvalidServers::Url(_)
        ));
    }

    #[test]
    fn no_password_is_shown() {
        let servers: Servers = "postgres://app:secret@h1,h2/d".parse().unwrap();
        assert!(!format!("{servers} {servers:?}").contains("secret"));
    }
}
