//! `GET` and `PUT /v1/session/push`, `DELETE /v1/session/push/{subscription}`: the browsers that are told of waiting hits.

use axum::Json;
use axum::extract::State;
use meterhouse_api::push::{PushRequest, PushState, PushSubscription};
use meterhouse_api::text::Text;
use meterhouse_edge::authorize;
use meterhouse_engine::push::PushSubscription as NewSubscription;

use crate::caller::Identified;
use crate::document::{SessionProblems, WriteProblems};
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::PushPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;

/// Returns the subscriptions of the session's person, and the key of the house for new ones.
#[utoipa::path(
    get,
    path = "/v1/session/push",
    operation_id = "read_push",
    tag = "people",
    security(("token" = [])),
    responses((status = 200, description = "The subscriptions", body = PushState), SessionProblems),
)]
pub(crate) async fn read_push(
    State(shared): State<Shared>,
    identified: Identified,
    _: QueryOf<NoParameters>,
) -> Result<Json<PushState>, Failure> {
    authorize::read_everything(&identified.caller)?;
    identified.session()?;
    state(&shared, &identified).await
}

/// Tells a browser of waiting hits from now on, for the session's person.
///
/// A browser that another person subscribed is this person's then. Of more than eight subscriptions of a person the oldest
/// end. All of them end with the access of the person.
#[utoipa::path(
    put,
    path = "/v1/session/push",
    operation_id = "subscribe_push",
    tag = "people",
    security(("token" = [])),
    request_body = PushRequest,
    responses((status = 200, description = "Subscribed", body = PushState), WriteProblems),
)]
pub(crate) async fn subscribe_push(
    State(shared): State<Shared>,
    identified: Identified,
    JsonBody(body): JsonBody<PushRequest>,
) -> Result<Json<PushState>, Failure> {
    authorize::read_everything(&identified.caller)?;
    identified.session()?;
    let PushRequest {
        endpoint,
        p256dh,
        auth,
    } = body;
    let subscription = NewSubscription {
        endpoint,
        p256dh,
        auth,
    };
    let pushes = shared.engine.pushes();
    let actor = identified.caller.person.actor;
    pushes.subscribe(actor, subscription).await?;
    state(&shared, &identified).await
}

/// Tells a browser of the session's person nothing any more.
#[utoipa::path(
    delete,
    path = "/v1/session/push/{subscription}",
    operation_id = "unsubscribe_push",
    tag = "people",
    security(("token" = [])),
    params(PushPath),
    responses((status = 200, description = "Removed", body = PushState), WriteProblems),
)]
pub(crate) async fn unsubscribe_push(
    State(shared): State<Shared>,
    identified: Identified,
    PathOf(PushPath { subscription }): PathOf<PushPath>,
) -> Result<Json<PushState>, Failure> {
    authorize::read_everything(&identified.caller)?;
    identified.session()?;
    let pushes = shared.engine.pushes();
    let actor = identified.caller.person.actor;
    pushes.unsubscribe(actor, subscription.0).await?;
    state(&shared, &identified).await
}

async fn state(shared: &Shared, identified: &Identified) -> Result<Json<PushState>, Failure> {
    let pushes = shared.engine.pushes();
    let state = pushes.state(identified.caller.person.actor).await?;
    let known = state
        .subscriptions
        .into_iter()
        .map(|(hash, since)| PushSubscription {
            subscription: hex::encode(hash),
            since: Text(since),
        });
    Ok(Json(PushState {
        public_key: state.public_key,
        subscriptions: known.collect(),
    }))
}
