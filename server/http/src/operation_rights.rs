//! The access to each operation, by its route: what a request is checked against before it is read.

use std::collections::BTreeMap;

use axum::extract::{FromRequestParts, MatchedPath, RawPathParams};
use axum::http::Method;
use axum::http::request::Parts;
use meterhouse_edge::operation_access::{self, NamedTargets};
use meterhouse_edge::policy::{Access, HTTP};
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::tokens::Caller;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{OpenApi, Paths};

/// The rows of the policy for each route, by path and method.
#[derive(Clone, Debug, Default)]
pub(crate) struct OperationRights(BTreeMap<String, BTreeMap<&'static str, Vec<Access>>>);

impl OperationRights {
    /// Finds the rows of every documented operation.
    pub(crate) fn of(document: &OpenApi) -> Self {
        let Paths { paths, .. } = &document.paths;
        let rows = paths.iter().map(|(path, item)| {
            let operations = methods(item).into_iter();
            let operations = operations.filter_map(|(method, operation)| {
                Some((method, rows(operation?.operation_id.as_deref()?)))
            });
            (path.clone(), operations.collect())
        });
        Self(rows.collect())
    }

    /// Allows a caller the operation of a request, by the request's head alone.
    ///
    /// # Errors
    /// `forbidden`.
    pub(crate) async fn check(&self, caller: &Caller, parts: &mut Parts) -> Result<(), EdgeError> {
        let route = parts.extensions.get::<MatchedPath>().cloned();
        let route = route.as_ref().map_or("", MatchedPath::as_str);
        let rows = self.rows(route, &parts.method);
        let params = RawPathParams::from_request_parts(parts, &()).await;
        let named = |name: &str| {
            let mut params = params.iter().flat_map(RawPathParams::iter);
            params.find(|(param, _)| *param == name)
        };
        let link = named("link").and_then(|(_, name)| name.parse().ok());
        let table = named("table").and_then(|(_, name)| name.parse().ok());
        let targets = NamedTargets {
            link: link.as_ref(),
            table: table.as_ref(),
        };
        operation_access::check(caller, rows, targets)
    }

    /// Returns the rows of a route. `HEAD` is answered by the operation of `GET`.
    fn rows(&self, route: &str, method: &Method) -> &[Access] {
        let method = if *method == Method::HEAD {
            Method::GET.as_str()
        } else {
            method.as_str()
        };
        let rows = self.0.get(route).and_then(|methods| methods.get(method));
        rows.map(Vec::as_slice).unwrap_or_default()
    }
}

fn rows(operation: &str) -> Vec<Access> {
    let rows = HTTP.iter().filter(|row| row.name == operation);
    rows.map(|row| row.access).collect()
}

fn methods(item: &PathItem) -> [(&'static str, Option<&Operation>); 5] {
    [
        ("GET", item.get.as_ref()),
        ("PUT", item.put.as_ref()),
        ("POST", item.post.as_ref()),
        ("DELETE", item.delete.as_ref()),
        ("PATCH", item.patch.as_ref()),
    ]
}

#[cfg(test)]
mod tests {
    use meterhouse_engine::tokens::Right;

    use super::*;
    use crate::router::operations;

    #[test]
    fn every_route_has_its_rows() {
        let rights = OperationRights::of(&operations().into_openapi());
        let needs = |route: &str, method: Method| rights.rows(route, &method).to_vec();
        let command = "/v1/tables/{table}/commands/{sequence}";
        assert_eq!(needs(command, Method::PUT), [Access::Right(Right::Command)]);
        assert_eq!(needs(command, Method::GET), []);
        assert_eq!(needs("/v1/links", Method::HEAD), [Access::Public]);
        assert_eq!(needs("", Method::GET), []);
        let routes = rights.0.values().flat_map(BTreeMap::values);
        assert!(routes.clone().count() >= 15);
        assert!(
            routes.into_iter().all(|rows| !rows.is_empty()),
            "{rights:?}"
        );
    }
}
