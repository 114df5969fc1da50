//! `GET /v1/links/{link}/variance`: the expected contributions of wagers against the booked ones.

use axum::extract::State;
use meterhouse_api::report::{PoolVariance, Variance};
use meterhouse_api::text::Text;
use meterhouse_edge::authorize;
use meterhouse_engine::view::{VarianceLine, VarianceView};

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::LinkPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::report::{Format, Report};

/// Reads the coin-in test of a link: the expected contributions of its wagers against the booked ones.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/variance",
    operation_id = "read_variance",
    tag = "links",
    security(("token" = [])),
    params(LinkPath),
    responses((status = 200, description = "The test", body = Variance), ReadProblems),
)]
pub(crate) async fn variance(
    State(shared): State<Shared>,
    format: Format,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    _: QueryOf<NoParameters>,
) -> Result<Report<Variance>, Failure> {
    authorize::read_link(&caller, &link)?;
    Ok(Report(
        format,
        report(&shared.engine.variance(&link).await?),
    ))
}

fn report(view: &VarianceView) -> Variance {
    Variance {
        link: Text(view.link.clone()),
        batch: view.batch,
        wagers: view.wagers,
        wagers_voided: view.wagers_voided,
        limit: Text(view.limit),
        pools: view.lines.iter().map(pool).collect(),
    }
}

fn pool(line: &VarianceLine) -> PoolVariance {
    PoolVariance {
        level: Text(line.level.clone()),
        account: Text(line.account),
        share: Text(line.share),
        expected: Text(line.expected),
        booked: Text(line.booked),
        adjusted: Text(line.adjusted),
        variance: Text(line.variance),
        flagged: line.flagged,
    }
}
