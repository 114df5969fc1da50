//! `GET /v1/links/{link}/closings/{date}`: the report of a day, with its signature.

use axum::extract::State;
use meterhouse_api::closing::Closing;
use meterhouse_edge::authorize;

use super::view::closing;
use crate::caller::Authenticated;
use crate::document::JudgedProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::ClosingPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::report::{Format, Report};

/// Reads the closing of a day: balances, contributions, decreases with their causes, hits, payments and exceptions.
///
/// A day begins and ends at midnight UTC. A signed day has the report as it was signed, and says if the journal gives the
/// same report now.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/closings/{date}",
    operation_id = "read_closing",
    tag = "links",
    security(("token" = [])),
    params(ClosingPath),
    responses((status = 200, description = "The day", body = Closing), JudgedProblems),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    format: Format,
    Authenticated(caller): Authenticated,
    PathOf(ClosingPath { link, date }): PathOf<ClosingPath>,
    _: QueryOf<NoParameters>,
) -> Result<Report<Closing>, Failure> {
    authorize::read_link(&caller, &link)?;
    let day = shared.engine.closing(&link, date.day()).await?;
    Ok(Report(format, closing(&day)?))
}
