//! `POST /v1/links/{link}/closings/{date}/sign-off`: a person signs off a day.

use axum::extract::State;
use meterhouse_api::closing::{Closing, SignOffRequest};
use meterhouse_api::text::Text;
use meterhouse_edge::authorize;

use super::view::{closing, closing_bytes};
use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::ClosingPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Signs off a day that is over, and keeps its report as it is signed.
///
/// Every exception of the day has to be cleared, and its books have to balance. The first signature stays.
#[utoipa::path(
    post,
    path = "/v1/links/{link}/closings/{date}/sign-off",
    operation_id = "sign_off_closing",
    tag = "links",
    security(("token" = [])),
    params(ClosingPath),
    request_body = SignOffRequest,
    responses(
        (status = 201, description = "Signed", body = Closing),
        (status = 200, description = "Signed so before", body = Closing,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn sign(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(ClosingPath { link, date }): PathOf<ClosingPath>,
    JsonBody(body): JsonBody<SignOffRequest>,
) -> Result<Written<Closing>, Failure> {
    authorize::close_days(&caller)?;
    let (engine, day) = (&shared.engine, date.day());
    let note = body.note.map(Text::given);
    let signing = engine.sign_off(&caller.person, &link, day, note, closing_bytes);
    let replayed = signing.await?.replayed;
    let day = engine.closing(&link, day).await?;
    Ok(Written {
        body: closing(&day)?,
        replayed,
    })
}
