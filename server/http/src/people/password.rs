//! `PUT /v1/password`: sets a new password.

use axum::Json;
use axum::extract::State;
use meterhouse_api::access::{PasswordChanged, PasswordRequest};
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::access::PasswordProof;

use crate::caller::Stranger;
use crate::document::WriteProblems;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;

/// Sets a new password of a person who has an administrator's code, or the old password.
///
/// The code is good once, and all sessions of the person end. With the old password a person who has a second factor
/// sends its code too.
#[utoipa::path(
    put,
    path = "/v1/password",
    operation_id = "set_password",
    tag = "people",
    security(()),
    request_body = PasswordRequest,
    responses((status = 200, description = "Set", body = PasswordChanged), WriteProblems),
)]
pub(crate) async fn password(
    State(shared): State<Shared>,
    Stranger(by): Stranger,
    JsonBody(body): JsonBody<PasswordRequest>,
) -> Result<Json<PasswordChanged>, Failure> {
    let proof = match (&body.old, &body.code) {
        (Some(password), None) => PasswordProof::Old {
            password,
            second_factor: body.second_factor.as_deref(),
        },
        (None, Some(code)) => PasswordProof::Code(code),
        _ => {
            let detail = "send either the field old or the field code";
            return Err(EdgeError::because(EdgeCode::InvalidValue, detail).into());
        }
    };
    let access = shared.engine.access();
    access
        .set_password(&by, &body.name, proof, &body.new)
        .await?;
    Ok(Json(PasswordChanged {
        name: body.name,
        changed: true,
    }))
}
