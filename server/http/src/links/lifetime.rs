//! `GET /v1/links/{link}/lifetime`: the meters that only grow.

use axum::extract::State;
use meterhouse_api::report::{Lifetime, LifetimeLevel, LifetimeLine, LifetimePool};
use meterhouse_api::text::Text;
use meterhouse_edge::authorize;
use meterhouse_engine::view::{LevelMeter, LifetimeView, LineMeter, PoolMeter};

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::LinkPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::value::level_name;
use crate::report::{Format, Report};

/// Reads the lifetime meters of a link.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/lifetime",
    operation_id = "read_lifetime",
    tag = "links",
    security(("token" = [])),
    params(LinkPath),
    responses((status = 200, description = "The meters", body = Lifetime), ReadProblems),
)]
pub(crate) async fn lifetime(
    State(shared): State<Shared>,
    format: Format,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    _: QueryOf<NoParameters>,
) -> Result<Report<Lifetime>, Failure> {
    authorize::read_link(&caller, &link)?;
    Ok(Report(
        format,
        report(&shared.engine.lifetime(&link).await?),
    ))
}

fn report(view: &LifetimeView) -> Lifetime {
    Lifetime {
        link: Text(view.link.clone()),
        batch: view.batch,
        rounds: view.rounds,
        wagers: view.wagers,
        wagers_voided: view.wagers_voided,
        coin_in: Text(view.coin_in),
        coin_in_voided: Text(view.coin_in_voided),
        pools: view.pools.iter().map(pool).collect(),
        levels: view.levels.iter().map(level).collect(),
        lines: view.lines.iter().map(line).collect(),
    }
}

fn pool(meter: &PoolMeter) -> LifetimePool {
    LifetimePool {
        level: Text(meter.level.clone()),
        account: Text(meter.account),
        contributed: Text(meter.contributed),
        voided: Text(meter.voided),
    }
}

fn level(meter: &LevelMeter) -> LifetimeLevel {
    LifetimeLevel {
        level: level_name(&meter.name),
        machine_paid: Text(meter.machine_paid),
        attendant_paid: Text(meter.attendant_paid),
        house_funded: Text(meter.house_funded),
        overflow: Text(meter.overflow),
        adjusted_up: Text(meter.adjusted_up),
        adjusted_down: Text(meter.adjusted_down),
        resets: meter.resets,
    }
}

fn line(meter: &LineMeter) -> LifetimeLine {
    LifetimeLine {
        line: meter.name.clone(),
        hits: meter.hits,
        due: Text(meter.due),
    }
}
