//! `POST /v1/signatures`: a person's PIN, on the session of a shared device, for a token of two minutes.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use meterhouse_api::signature::{MadeSignature, SignatureRequest};
use meterhouse_api::text::Text;
use meterhouse_edge::{authorize, policy};
use meterhouse_engine::tokens::Right;

use super::session::role;
use crate::caller::Identified;
use crate::document::WriteProblems;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;

/// Signs with a person's PIN: the token counts for two minutes on every node, as that person.
///
/// The request shows the session or token of the shared device. The signature has those of the person's rights that decide
/// about the floor, and reads nothing. After five wrong PINs in a row the PIN is blocked. A name without a PIN is answered
/// as a wrong PIN is.
#[utoipa::path(
    post,
    path = "/v1/signatures",
    operation_id = "sign",
    tag = "people",
    security(("token" = [])),
    request_body = SignatureRequest,
    responses((status = 201, description = "The signature", body = MadeSignature), WriteProblems),
)]
pub(crate) async fn sign(
    State(shared): State<Shared>,
    identified: Identified,
    JsonBody(body): JsonBody<SignatureRequest>,
) -> Result<(StatusCode, Json<MadeSignature>), Failure> {
    authorize::read_everything(&identified.caller)?;
    let access = shared.engine.access();
    let signed = access.sign(&identified.by, &body.name, &body.pin).await?;
    let caller = &signed.caller;
    let rights = policy::rights_of(caller).map(Right::name);
    let department = caller.person.department.as_ref();
    let body = MadeSignature {
        rights: rights.map(str::to_owned).collect(),
        token: signed.token,
        expires_at: Text(signed.expires_at),
        name: caller.person.name.to_string(),
        role: role(caller.role),
        department: department.map(ToString::to_string),
    };
    Ok((StatusCode::CREATED, Json(body)))
}
