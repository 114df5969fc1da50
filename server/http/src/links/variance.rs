//! `GET /v1/links/{link}/variance`: what wagers should have added against what was booked.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::authorize;
use meterhouse_engine::view::{VarianceLine, VarianceView};
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{LinkOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::Amount;

/// The coin-in test of a link.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Variance {
    /// The link.
    link: String,
    /// The batch that it is as of.
    sequence: u64,
    /// Wagers accepted, those of void rounds among them.
    wagers: u64,
    /// Wagers that void rounds gave back.
    wagers_voided: u64,
    /// A variance above this is flagged.
    limit: Amount,
    /// Pool by pool.
    pools: Vec<PoolVariance>,
}

/// The coin-in test of one pool.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PoolVariance {
    /// The level.
    #[schema(examples("mega"))]
    level: String,
    /// `meter` or `reserve`.
    #[schema(value_type = String)]
    account: &'static str,
    /// What each wager adds, exact.
    share: Amount,
    /// Wagers × share.
    expected: Amount,
    /// What the coin-ins booked.
    booked: Amount,
    /// What two people added with the reason `variance`; negative where they took away.
    adjusted: Amount,
    /// booked + adjusted - expected.
    variance: Amount,
    /// Whether it is above the limit: two people adjust the account then, with the reason `variance`.
    flagged: bool,
}

/// Reads the coin-in test of a link.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/variance",
    operation_id = "read_variance",
    tag = "links",
    security(("token" = [])),
    params(("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$")),
    responses((status = 200, description = "The test", body = Variance), ReadProblems),
)]
pub(crate) async fn variance(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    LinkOf(link): LinkOf,
    query: Query,
) -> Result<Json<Variance>, Failure> {
    authorize::read_link(&caller, &link)?;
    query.only(&[])?;
    Ok(Json(Variance::from(&shared.engine.variance(&link).await?)))
}

impl From<&VarianceView> for Variance {
    fn from(view: &VarianceView) -> Self {
        Self {
            link: view.link.to_string(),
            sequence: view.batch,
            wagers: view.wagers,
            wagers_voided: view.wagers_voided,
            limit: Amount(view.limit),
            pools: view.lines.iter().map(PoolVariance::from).collect(),
        }
    }
}

impl From<&VarianceLine> for PoolVariance {
    fn from(line: &VarianceLine) -> Self {
        Self {
            level: line.level.to_string(),
            account: line.account.name(),
            share: Amount(line.share),
            expected: Amount(line.expected),
            booked: Amount(line.booked),
            adjusted: Amount(line.adjusted),
            variance: Amount(line.variance),
            flagged: line.flagged,
        }
    }
}
