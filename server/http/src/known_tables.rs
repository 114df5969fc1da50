//! The tables of a connection: what the first command of each leaves for its later ones.
//!
//! # Shape
//! A table's controller has one connection. Behind a proxy, or from one client for a pit, tables share connections. A
//! connection offers a request that may be a command to remember its table. The handler of the command takes the offer, once
//! the token was found valid and may command the table. [`plain_command`](crate::plain_command) uses what is remembered.
//!
//! # Limits
//! [`KNOWN_TABLES_MAX`] tables a connection. One more replaces any other, whose next command goes through the router.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Request};
use meterhouse_catalogue::Catalogue;
use meterhouse_domain::ids::TableName;
use meterhouse_engine::Engine;
use meterhouse_engine::held_credentials::Held;
use meterhouse_engine::operations::pipelined::AttachedTable;
use meterhouse_engine::tokens::Caller;
use subtle::ConstantTimeEq as _;

use crate::options::Shared;

/// The part of a command's path behind the table.
pub(crate) const AFTER_TABLE: &str = "/commands/";
/// Maximum number of tables that a connection remembers: as many as a stream may have.
const KNOWN_TABLES_MAX: usize = 1_024;

/// The tables whose commands a connection sends, each once a command of it went through the router.
#[derive(Clone, Default)]
pub(crate) struct KnownTables(Arc<Mutex<Tables>>);

type Tables = HashMap<TableName, Arc<KnownTable>>;

/// A table with the token that was found valid and may command it.
pub(crate) struct KnownTable {
    /// Header with the token.
    authorization: HeaderValue,
    pub(crate) token: Held<Caller>,
    pub(crate) name: TableName,
    pub(crate) table: AttachedTable,
    pub(crate) engine: Engine,
    pub(crate) catalogue: Arc<Catalogue>,
}

impl KnownTables {
    /// No code awaits or panics while the lock is held, so a poisoned lock is ignored.
    fn lock(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the table with a name, if it is remembered.
    pub(crate) fn find(&self, name: &str) -> Option<Arc<KnownTable>> {
        self.lock().get(name).cloned()
    }

    /// Offers to remember the table of a request that may be a command, if its token is found valid.
    pub(crate) fn offer<B>(&self, request: &mut Request<B>) {
        if *request.method() != Method::PUT || !request.uri().path().contains(AFTER_TABLE) {
            return;
        }
        let Some(authorization) = request.headers().get(AUTHORIZATION).cloned() else {
            return;
        };
        request.extensions_mut().insert(Offer {
            authorization,
            tables: self.clone(),
        });
    }
}

impl KnownTable {
    /// Returns `true` if a header shows the token of this table. The time that it takes tells nothing about the token: over a
    /// proxy, others may come over the same connection.
    pub(crate) fn is_shown_by(&self, authorization: &HeaderValue) -> bool {
        let (own, shown) = (self.authorization.as_bytes(), authorization.as_bytes());
        own.ct_eq(shown).into()
    }
}

/// An offer of a connection to remember the table of a command.
#[derive(Clone)]
pub(crate) struct Offer {
    authorization: HeaderValue,
    tables: KnownTables,
}

impl Offer {
    /// Remembers a table that the holder of this token may command.
    pub(crate) fn take(
        self,
        shared: &Shared,
        token: Held<Caller>,
        (name, table): (&TableName, &AttachedTable),
    ) {
        if !shared.options.origins.is_empty() {
            return;
        }
        let known = KnownTable {
            authorization: self.authorization,
            token,
            name: name.clone(),
            table: table.clone(),
            engine: shared.engine.clone(),
            catalogue: Arc::clone(&shared.catalogue),
        };
        let mut tables = self.tables.lock();
        let replaced = remember(&mut tables, name.clone(), Arc::new(known));
        drop(tables);
        drop(replaced);
    }
}

/// Adds a table, and returns the one that it replaces: its own older entry, or any other if the limit is reached.
fn remember<V>(tables: &mut HashMap<TableName, V>, name: TableName, table: V) -> Option<V> {
    let is_full = tables.len() >= KNOWN_TABLES_MAX && !tables.contains_key(&name);
    let other = tables.keys().next().filter(|_| is_full).cloned();
    let other = other.and_then(|other| tables.remove(&other));
    tables.insert(name, table).or(other)
}

/// The offer of a request's connection, if there is one.
pub(crate) struct Offered(pub(crate) Option<Offer>);

impl<S: Send + Sync> FromRequestParts<S> for Offered {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.remove()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(number: usize) -> TableName {
        format!("T{number}").parse().expect("a name")
    }

    #[test]
    fn tables_are_remembered_up_to_the_limit() {
        let mut tables = HashMap::new();
        for number in 0..KNOWN_TABLES_MAX {
            assert_eq!(remember(&mut tables, name(number), number), None);
        }
        assert_eq!(remember(&mut tables, name(0), 1_000), Some(0), "its own");
        for number in 0..KNOWN_TABLES_MAX {
            assert!(tables.contains_key(name(number).as_str()), "{number}");
        }
        for number in KNOWN_TABLES_MAX..3 * KNOWN_TABLES_MAX {
            let replaced = remember(&mut tables, name(number), number);
            assert!(replaced.is_some_and(|other| other != number), "{number}");
            assert_eq!(tables.get(name(number).as_str()), Some(&number));
            assert_eq!(tables.len(), KNOWN_TABLES_MAX);
        }
    }
}
