//! `GET /v1/links/{link}/levels/{level}/history`: the amounts of a level over time, for a plot.

use axum::Json;
use axum::extract::State;
use meterhouse_api::history::{
    HistoryCoinIn, HistoryHit, HistoryPoint, HistoryRange, LevelHistory,
};
use meterhouse_api::text::Text;
use meterhouse_api::values::Time;
use meterhouse_domain::ids::{TableName, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_edge::authorize;
use meterhouse_engine::clock::now;
use meterhouse_engine::view::{
    HistoryBucket, HistoryPoints, HistoryView, HitView, LevelBalances, LevelStep,
};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::JudgedProblems;
use crate::extract::parameters::{PathOf, QueryOf, Whole, optional};
use crate::extract::paths::LevelPath;
use crate::extract::period::period;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::value::amount;

/// Maximum number of points of a history: more than a screen has columns of pixels to tell apart.
const HISTORY_POINTS_MAX: u32 = 2_000;
/// Number of points without a number in the request.
const POINTS_DEFAULT: u32 = 500;
/// Length of the period without a start, in microseconds: a day.
const DAY: i64 = 86_400_000_000;

/// The parameters of a history.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct HistoryQuery {
    /// First time of the period; a day before its end if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    from: Option<Time>,
    /// First time after the period; now if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    to: Option<Time>,
    /// Maximum number of points; 500 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 2000)]
    points: Option<Whole<HISTORY_POINTS_MAX>>,
}

/// Reads the amounts of a level over time, for a plot, with the hits that took from it.
///
/// A period with at most as many batches as points has a point a batch. A longer one is cut into stretches of equal length,
/// each with its first, least, greatest and last amount. All are stored balances of batches, and none is a mean.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/levels/{level}/history",
    operation_id = "read_level_history",
    tag = "links",
    security(("token" = [])),
    params(LevelPath, HistoryQuery),
    responses((status = 200, description = "The history", body = LevelHistory), JudgedProblems),
)]
pub(crate) async fn history(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LevelPath { link, level }): PathOf<LevelPath>,
    QueryOf(query): QueryOf<HistoryQuery>,
) -> Result<Json<LevelHistory>, Failure> {
    authorize::read_link(&caller, &link)?;
    let (from, to) = period(query.from, query.to)?;
    let to = to.unwrap_or_else(now);
    let from = from.unwrap_or(Timestamp(to.0.saturating_sub(DAY)));
    let points = query.points.map_or(POINTS_DEFAULT, |points| points.0);
    let read = shared
        .engine
        .level_history(&link, &level, (from, to), points);
    Ok(Json(shown(read.await?)))
}

fn shown(view: HistoryView) -> LevelHistory {
    let (is_each_batch, points, coin_ins) = match view.points {
        HistoryPoints::Steps(steps, coin_ins) => {
            let coin_ins = coin_ins.map(|all| all.into_iter().filter_map(coin_in).collect());
            (true, steps.iter().map(step).collect(), coin_ins)
        }
        HistoryPoints::Buckets(buckets) => (false, buckets.iter().map(bucket).collect(), None),
    };
    LevelHistory {
        link: Text(view.link),
        level: Text(view.level),
        from: Text(view.from),
        to: Text(view.to),
        complete: view.complete,
        from_batch: view.from_batch,
        to_batch: view.to_batch,
        is_each_batch,
        points,
        coin_ins,
        hits: view.hits.iter().map(hit).collect(),
        hits_missing: view.hits_missing,
    }
}

fn step(step: &LevelStep) -> HistoryPoint {
    let (first, last) = (step.before, step.after);
    HistoryPoint {
        from: Text(step.at),
        to: Text(step.at),
        batch: step.batch,
        amount: displayed(
            [first, lesser(first, last), greater(first, last), last].map(|all| all.meter),
        ),
        reserve: exact(
            [first, lesser(first, last), greater(first, last), last].map(|all| all.reserve),
        ),
    }
}

fn bucket(bucket: &HistoryBucket) -> HistoryPoint {
    let all = [bucket.first, bucket.least, bucket.greatest, bucket.last];
    HistoryPoint {
        from: Text(bucket.from),
        to: Text(bucket.to),
        batch: bucket.batch,
        amount: displayed(all.map(|one| one.meter)),
        reserve: exact(all.map(|one| one.reserve)),
    }
}

fn lesser(one: LevelBalances, other: LevelBalances) -> LevelBalances {
    LevelBalances {
        meter: one.meter.min(other.meter),
        reserve: one.reserve.min(other.reserve),
    }
}

fn greater(one: LevelBalances, other: LevelBalances) -> LevelBalances {
    LevelBalances {
        meter: one.meter.max(other.meter),
        reserve: one.reserve.max(other.reserve),
    }
}

/// Returns amounts as a sign shows them.
fn displayed(micros: [i64; 4]) -> HistoryRange {
    range(micros.map(|amount| Money::from_micros(amount).displayed()))
}

fn exact(micros: [i64; 4]) -> HistoryRange {
    range(micros.map(Money::from_micros))
}

fn range([first, min, max, last]: [Money; 4]) -> HistoryRange {
    HistoryRange {
        first: Text(first),
        min: Text(min),
        max: Text(max),
        last: Text(last),
    }
}

fn coin_in(made: meterhouse_engine::view::HistoryCoinIn) -> Option<HistoryCoinIn> {
    let table: TableName = made.table.parse().ok()?;
    Some(HistoryCoinIn {
        at: Text(made.at),
        batch: made.batch,
        round: made.round,
        table: Text(table),
        amount: Text(made.amount),
    })
}

fn hit(view: &HitView) -> HistoryHit {
    HistoryHit {
        hit: Text(view.name()),
        at: Text(Timestamp(view.row.keyed_at)),
        table: Text(view.table.clone()),
        hand: view.hand.map(Text),
        state: Text(view.row.state),
        percent: view.row.percent,
        before: view.row.before.map(amount),
        after: view.row.after.map(amount),
    }
}
