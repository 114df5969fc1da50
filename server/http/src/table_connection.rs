//! The table of a connection: what its first command leaves for the later ones.
//!
//! # Shape
//! A connection offers a request that may be a command to remember its table. The handler of the command takes the offer, once
//! the token was found valid and may command the table. [`plain_command`](crate::plain_command) uses what is remembered.

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

use crate::options::Shared;

/// The part of a command's path behind the table.
pub(crate) const AFTER_TABLE: &str = "/commands/";

/// The table whose commands a connection sends, once one of them went through the router.
#[derive(Clone, Default)]
pub(crate) struct TableConnection(Arc<Mutex<Option<Arc<Known>>>>);

/// A table with the token that was found valid and may command it.
pub(crate) struct Known {
    /// Header with the token.
    pub(crate) authorization: HeaderValue,
    pub(crate) token: Held<Caller>,
    pub(crate) name: TableName,
    pub(crate) table: AttachedTable,
    pub(crate) engine: Engine,
    pub(crate) catalogue: Arc<Catalogue>,
}

impl TableConnection {
    fn lock(&self) -> MutexGuard<'_, Option<Arc<Known>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the table, if one is remembered.
    pub(crate) fn known(&self) -> Option<Arc<Known>> {
        self.lock().clone()
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
            connection: self.clone(),
        });
    }
}

/// An offer of a connection to remember the table of a command.
#[derive(Clone)]
pub(crate) struct Offer {
    authorization: HeaderValue,
    connection: TableConnection,
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
        let known = Known {
            authorization: self.authorization,
            token,
            name: name.clone(),
            table: table.clone(),
            engine: shared.engine.clone(),
            catalogue: Arc::clone(&shared.catalogue),
        };
        *self.connection.lock() = Some(Arc::new(known));
    }
}

/// The offer of a request's connection, if there is one.
pub(crate) struct Offered(pub(crate) Option<Offer>);

impl<S: Send + Sync> FromRequestParts<S> for Offered {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.remove()))
    }
}
