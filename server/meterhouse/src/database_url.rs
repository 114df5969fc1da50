//! Parsing of a database's URL, and the remedy if no database is reached.

use meterhouse_engine::error_chain::ErrorChain;
use meterhouse_store::{Servers, StoreError, Unreachable};

use crate::failure::Failure;

/// Prefixes of a Postgres URL.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Parses a database's URL. The error says what to write; it does not repeat the text, which may contain a password.
pub(crate) fn parse(url: &str) -> Result<Servers, String> {
    const INSTEAD: &str =
        "write postgres://user@host:5432/name, or several hosts as host1:5432,host2:5432";
    if !SCHEMES.iter().any(|scheme| url.starts_with(scheme)) {
        return Err(format!("this is no URL of Postgres: {INSTEAD}"));
    }
    url.parse()
        .map_err(|error| format!("this URL can't be read ({error}): {INSTEAD}"))
}

/// Returns the failure of a URL without a usable database: one sentence with the address and the
/// remedy.
pub(crate) fn unreachable(servers: &Servers, error: &StoreError) -> Failure {
    let Some(options) = servers.single() else {
        // The error names each server with its reason.
        let what = format!("can't use the database: {}", ErrorChain(error));
        return Failure::Database { what, source: None };
    };
    let (host, user) = (options.get_host(), options.get_username());
    let at = servers.to_string();
    let database = options.get_database().unwrap_or(user);
    let what = match error.unreachable() {
        Some(Unreachable::Refused) => format!(
            "no Postgres listens at {at}: start it, or correct --database-url (DATABASE_URL, database.url)"
        ),
        Some(Unreachable::UnknownHost) => {
            format!(
                "the host {host} is unknown: correct --database-url (DATABASE_URL, database.url)"
            )
        }
        Some(Unreachable::TimedOut) => format!(
            "Postgres at {at} gives no answer: check the network, or correct --database-url (DATABASE_URL, database.url)"
        ),
        Some(Unreachable::NoDatabase) => format!(
            "Postgres at {at} has no database {database}: create it and run `meterhouse migrate`, or correct \
             --database-url (DATABASE_URL, database.url)"
        ),
        Some(Unreachable::AccessDenied) => format!(
            "Postgres at {at} does not let the role {user} in: check its password, or let `meterhouse migrate` make \
             the role meterhouse_app, with a URL that may create roles"
        ),
        Some(Unreachable::Other) | None => {
            return Failure::Database {
                what: format!("can't use the database at {at}: {}", ErrorChain(error)),
                source: None,
            };
        }
    };
    Failure::Database { what, source: None }
}
