//! `GET`, `PUT` and `DELETE /v1/session/pin`, `DELETE /v1/people/{person}/pin`: the PINs that people sign with.

use axum::Json;
use axum::extract::State;
use meterhouse_api::signature::{PinRequest, PinState};
use meterhouse_api::text::Text;
use meterhouse_edge::authorize;
use meterhouse_engine::access::Only;

use crate::caller::Identified;
use crate::document::{SessionProblems, WriteProblems};
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::PersonPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;

/// Returns whether the session's person has a PIN, and whether it is blocked.
#[utoipa::path(
    get,
    path = "/v1/session/pin",
    operation_id = "read_pin",
    tag = "people",
    security(("token" = [])),
    responses((status = 200, description = "The state of the PIN", body = PinState), SessionProblems),
)]
pub(crate) async fn read_pin(
    State(shared): State<Shared>,
    identified: Identified,
    _: QueryOf<NoParameters>,
) -> Result<Json<PinState>, Failure> {
    identified.session()?;
    state(&shared, identified.caller.person.name.as_str()).await
}

/// Sets the PIN of the session's person, who sends the password too.
///
/// Attempts are delayed as at a login. A person without a password sets a PIN within five minutes of the login. All
/// signatures of the person end, and a blocked PIN is good again.
#[utoipa::path(
    put,
    path = "/v1/session/pin",
    operation_id = "set_pin",
    tag = "people",
    security(("token" = [])),
    request_body = PinRequest,
    responses((status = 200, description = "Set", body = PinState), WriteProblems),
)]
pub(crate) async fn set_pin(
    State(shared): State<Shared>,
    identified: Identified,
    JsonBody(body): JsonBody<PinRequest>,
) -> Result<Json<PinState>, Failure> {
    let session = identified.session()?;
    let access = shared.engine.access();
    let password = body.password.as_deref();
    access
        .set_pin(&identified.by, session, &body.pin, password)
        .await?;
    state(&shared, identified.caller.person.name.as_str()).await
}

/// Takes the PIN of the session's person away.
#[utoipa::path(
    delete,
    path = "/v1/session/pin",
    operation_id = "remove_own_pin",
    tag = "people",
    security(("token" = [])),
    responses((status = 200, description = "Removed", body = PinState), WriteProblems),
)]
pub(crate) async fn remove_own_pin(
    State(shared): State<Shared>,
    identified: Identified,
) -> Result<Json<PinState>, Failure> {
    identified.session()?;
    removed(&shared, &identified, identified.caller.person.name.as_str()).await
}

/// Takes a person's PIN away, for example after it was blocked. The person sets a new one with the password.
#[utoipa::path(
    delete,
    path = "/v1/people/{person}/pin",
    operation_id = "remove_pin",
    tag = "people",
    security(("token" = [])),
    params(PersonPath),
    responses((status = 200, description = "Removed", body = PinState), WriteProblems),
)]
pub(crate) async fn remove_pin(
    State(shared): State<Shared>,
    identified: Identified,
    PathOf(PersonPath { person }): PathOf<PersonPath>,
) -> Result<Json<PinState>, Failure> {
    authorize::admit(&identified.caller)?;
    removed(&shared, &identified, person.as_str()).await
}

async fn removed(
    shared: &Shared,
    identified: &Identified,
    name: &str,
) -> Result<Json<PinState>, Failure> {
    let access = shared.engine.access();
    let by = &identified.by;
    access.remove_pin(by, Only::Always, name).await?;
    state(shared, name).await
}

async fn state(shared: &Shared, name: &str) -> Result<Json<PinState>, Failure> {
    let state = shared.engine.access().pin_state(name).await?;
    Ok(Json(PinState {
        name: name.to_owned(),
        set: state.set_at.is_some(),
        set_at: state.set_at.map(Text),
        blocked: state.is_blocked,
    }))
}
