//! The router: all operations, and the layers around them.
//!
//! # Order
//! From the outside: the record, what is done [`around`] every request, the operation. An unknown path passes the same layers
//! and is answered with a problem as well.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::OriginalUri;
use axum::http::Method;
use axum::middleware::{from_fn, from_fn_with_state};
use meterhouse_catalogue::Catalogue;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value::shown;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::Engine;
use serde_json::Value;
use tower::util::option_layer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::around::around;
use crate::document::Base;
use crate::openapi::completed;
use crate::operation_rights::OperationRights;
use crate::options::{Options, Shared};
use crate::problem::Failure;
use crate::record::record;
use crate::{
    attempts, cors, feed, health, hits, house_proof, links, manual, paytables, people, rounds,
    screens, slips, tables, themes, witness,
};

/// The `OpenAPI` document as text, made when it is first asked for.
static DOCUMENT: LazyLock<String> = LazyLock::new(|| document().to_string());

/// Returns the routes of the API with their layers. The router has a fallback for unknown paths, so a router that is
/// merged with it must have none.
pub fn router(engine: Engine, catalogue: Arc<Catalogue>, options: Options) -> Router {
    let (routes, document) = operations().split_for_parts();
    let rights = OperationRights::of(&document);
    let cors = (!options.origins.is_empty()).then(|| cors::layer(&options.origins));
    let record = from_fn_with_state(engine.clone(), record);
    let routes = with_layers(routes).layer(record).layer(option_layer(cors));
    routes.with_state(Shared::new(engine, catalogue, options, &DOCUMENT, rights))
}

/// Returns the `OpenAPI` document, made from the same operations as the routes.
pub fn document() -> Value {
    completed(&operations().into_openapi())
}

/// Returns every operation with its path.
pub(crate) fn operations() -> OpenApiRouter<Shared> {
    OpenApiRouter::with_openapi(Base::openapi())
        .merge(of_people())
        .merge(of_screens())
        .routes(routes!(tables::command))
        .routes(routes!(tables::heartbeat))
        .routes(routes!(tables::list))
        .routes(routes!(tables::read, tables::join))
        .routes(routes!(tables::disable, tables::enable))
        .routes(routes!(tables::leave))
        .routes(routes!(tables::present))
        .routes(routes!(links::list))
        .routes(routes!(links::read, links::open))
        .routes(routes!(links::accept))
        .routes(routes!(links::present))
        .routes(routes!(links::meters))
        .routes(routes!(feed::feed))
        .routes(routes!(links::journal))
        .routes(routes!(links::proof))
        .routes(routes!(links::reconciliation))
        .routes(routes!(links::suspend, links::resume))
        .routes(routes!(links::disable, links::enable))
        .routes(routes!(links::hits))
        .routes(routes!(links::history))
        .routes(routes!(links::lifetime))
        .routes(routes!(links::variance))
        .routes(routes!(links::displayed))
        .routes(routes!(links::alterations))
        .routes(routes!(links::large_wins))
        .routes(routes!(links::last_hits))
        .routes(routes!(links::liability))
        .routes(routes!(links::exceptions::list))
        .routes(routes!(links::exceptions::clear))
        .routes(routes!(links::closings::list))
        .routes(routes!(links::closings::read))
        .routes(routes!(links::closings::sign))
        .routes(routes!(links::proposals::list))
        .routes(routes!(links::proposals::read, links::proposals::propose))
        .routes(routes!(links::proposals::decide))
        .routes(routes!(links::proposals::dry_run))
        .routes(routes!(hits::list))
        .routes(routes!(hits::read))
        .routes(routes!(hits::validate))
        .routes(routes!(hits::payoff))
        .routes(routes!(hits::read_evidence))
        .routes(routes!(hits::pay))
        .routes(routes!(slips::make))
        .routes(routes!(slips::list))
        .routes(routes!(slips::read))
        .routes(routes!(slips::reprint))
        .merge(themes::operations())
        .routes(routes!(paytables::list))
        .routes(routes!(paytables::read))
        .routes(routes!(paytables::returns))
        .routes(routes!(paytables::differences))
        .routes(routes!(paytables::evaluate))
        .routes(routes!(rounds::settle))
        .routes(routes!(manual::games))
        .routes(routes!(manual::page))
        .routes(routes!(house_proof::proof))
        .routes(routes!(witness::deposit))
        .routes(routes!(witness::list))
        .routes(routes!(attempts::list))
        .routes(routes!(health::health))
        .routes(routes!(health::ready))
        .routes(routes!(health::openapi))
}

/// Returns the operations about logins, people and tokens.
fn of_people() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(people::login))
        .routes(routes!(people::begin_openid))
        .routes(routes!(people::finish_openid))
        .routes(routes!(people::password))
        .routes(routes!(people::session, people::logout))
        .routes(routes!(people::draw_factor, people::set_factor))
        .routes(routes!(
            people::read_pin,
            people::set_pin,
            people::remove_own_pin
        ))
        .routes(routes!(people::sign))
        .routes(routes!(people::read_push, people::subscribe_push))
        .routes(routes!(people::unsubscribe_push))
        .routes(routes!(people::list, people::admit))
        .routes(routes!(people::end_access, people::restore_access))
        .routes(routes!(people::end_sessions))
        .routes(routes!(people::end_delay))
        .routes(routes!(people::remove_factor))
        .routes(routes!(people::remove_openid))
        .routes(routes!(people::remove_pin))
        .routes(routes!(people::list_tokens, people::create_token))
        .routes(routes!(people::revoke_tokens))
        .routes(routes!(people::acts))
}

/// Returns the operations about screens and their pairing.
fn of_screens() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(screens::open))
        .routes(routes!(screens::list))
        .routes(routes!(screens::pair, screens::unpair))
        .routes(routes!(screens::acknowledge))
        .routes(routes!(screens::shown))
}

/// Returns the routes with the layers around them.
fn with_layers<S: Clone + Send + Sync + 'static>(routes: Router<S>) -> Router<S> {
    routes
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(from_fn(around))
}

async fn not_found(OriginalUri(uri): OriginalUri) -> Failure {
    EdgeError::new(EdgeCode::NotFound)
        .with("path", shown(uri.path()))
        .into()
}

async fn method_not_allowed(method: Method) -> Failure {
    EdgeError::new(EdgeCode::MethodNotAllowed)
        .with("method", method)
        .into()
}

#[cfg(test)]
mod tests;
