//! `GET /v1/links/{link}/liability`: what the house owes to players, by account.

use axum::extract::State;
use meterhouse_api::report::{AccountTotals, LevelLiability, Liability};
use meterhouse_api::text::Text;
use meterhouse_api::values::Time;
use meterhouse_edge::authorize;
use meterhouse_engine::view::AccountSums;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{PathOf, QueryOf, optional};
use crate::extract::paths::LinkPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::value::level_name;
use crate::report::{Format, Report};

/// The moment of a liability.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LiabilityQuery {
    /// Past moment; now if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    at: Option<Time>,
}

/// Reads what the house owes to players by level and account, now or at a past moment.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/liability",
    operation_id = "read_liability",
    tag = "links",
    security(("token" = [])),
    params(LinkPath, LiabilityQuery),
    responses((status = 200, description = "The liability", body = Liability), ReadProblems),
)]
pub(crate) async fn liability(
    State(shared): State<Shared>,
    format: Format,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<LiabilityQuery>,
) -> Result<Report<Liability>, Failure> {
    authorize::read_link(&caller, &link)?;
    let at = query.at.map(|at| at.0);
    let view = shared.engine.liability(&link, at).await?;
    let level = |(name, sums): &(String, AccountSums)| LevelLiability {
        level: level_name(name),
        meter: Text(sums.meter),
        reserve: Text(sums.reserve),
        overflow: Text(sums.overflow),
        pending: Text(sums.pending),
        total: Text(sums.total),
    };
    Ok(Report(
        format,
        Liability {
            link: Text(view.balances.terms.name.clone()),
            at: Text(view.balances.at),
            batch: view.balances.batch,
            batch_at: Text(view.balances.batch_at),
            complete: view.balances.complete,
            levels: view.levels.iter().map(level).collect(),
            total: totals(&view.total),
        },
    ))
}

fn totals(sums: &AccountSums) -> AccountTotals {
    AccountTotals {
        meter: Text(sums.meter),
        reserve: Text(sums.reserve),
        overflow: Text(sums.overflow),
        pending: Text(sums.pending),
        total: Text(sums.total),
    }
}
