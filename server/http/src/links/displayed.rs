//! `GET /v1/links/{link}/displayed`: displayed amounts by the day, each decrease with its cause.

use axum::extract::State;
use meterhouse_api::report::{Decrease, DisplayedAmounts, DisplayedLevel};
use meterhouse_api::text::Text;
use meterhouse_api::values::Time;
use meterhouse_api::words::DecreaseCause;
use meterhouse_domain::ids::Timestamp;
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::view::{self, CauseKind, DisplayedView};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::date::Date;
use crate::extract::parameters::{PathOf, QueryOf, optional};
use crate::extract::paths::LinkPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::report::{Format, Report};

/// A day in microseconds.
const DAY: i64 = 86_400_000_000;

/// The period of a report.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DisplayedQuery {
    /// A day in UTC: YYYY-MM-DD.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>, format = Date)]
    day: Option<Date>,
    /// Start of the period; the start of the day of `to` if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    from: Option<Time>,
    /// End of the period; now if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    to: Option<Time>,
}

/// Reads the displayed amounts of a link at the start and the end of a day, and every decrease in between with its cause.
///
/// A day begins and ends at midnight UTC. `from` and `to` in its position give any other stretch, such as a gaming day that
/// begins at 06:00. Without any of them it is today so far.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/displayed",
    operation_id = "read_displayed",
    tag = "links",
    security(("token" = [])),
    params(LinkPath, DisplayedQuery),
    responses((status = 200, description = "The amounts", body = DisplayedAmounts), ReadProblems),
)]
pub(crate) async fn displayed(
    State(shared): State<Shared>,
    format: Format,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<DisplayedQuery>,
) -> Result<Report<DisplayedAmounts>, Failure> {
    authorize::read_link(&caller, &link)?;
    let (from, to) = period(&query)?;
    let view = shared.engine.displayed_between(&link, from, to).await?;
    Ok(Report(format, report(&view)))
}

/// Returns the requested period.
fn period(query: &DisplayedQuery) -> Result<(Timestamp, Timestamp), EdgeError> {
    if let Some(Date(day)) = query.day {
        if query.from.is_some() || query.to.is_some() {
            let detail = "day is a period by itself; leave from and to out";
            return Err(
                EdgeError::because(EdgeCode::InvalidParameter, detail).with("parameter", "day")
            );
        }
        return Ok((day, Timestamp(day.0.saturating_add(DAY))));
    }
    let to = query
        .to
        .map_or_else(meterhouse_engine::clock::now, |to| to.0);
    let midnight = to.0.saturating_sub(to.0.rem_euclid(DAY));
    let from = query.from.map_or(Timestamp(midnight), |from| from.0);
    if from > to {
        let detail = "to is before from; a period ends after it begins";
        return Err(EdgeError::because(EdgeCode::InvalidParameter, detail).with("parameter", "to"));
    }
    Ok((from, to))
}

fn report(view: &DisplayedView) -> DisplayedAmounts {
    let flagged = view
        .decreases
        .iter()
        .filter(|decrease| decrease.cause.is_none());
    DisplayedAmounts {
        link: Text(view.link.clone()),
        from: Text(view.from),
        to: Text(view.to),
        complete: view.complete,
        from_batch: view.from_batch,
        to_batch: view.to_batch,
        levels: view.levels.iter().map(displayed_level).collect(),
        flagged: flagged.count(),
        decreases: view.decreases.iter().map(decrease).collect(),
    }
}

fn displayed_level(level: &view::DisplayedLevel) -> DisplayedLevel {
    DisplayedLevel {
        level: Text(level.level.clone()),
        opening: Text(level.opening),
        closing: Text(level.closing),
    }
}

pub(super) fn decrease(decrease: &view::Decrease) -> Decrease {
    let cause = decrease.cause.as_ref();
    Decrease {
        level: Text(decrease.level.clone()),
        position: Text(decrease.position),
        at: Text(decrease.at),
        amount: Text(decrease.amount),
        cause: cause.map(|cause| decrease_cause(cause.kind)),
        hit: cause.and_then(|cause| cause.hit.clone()).map(Text),
        proposal: cause.and_then(|cause| cause.proposal).map(Text),
        flagged: cause.is_none(),
    }
}

const fn decrease_cause(kind: CauseKind) -> DecreaseCause {
    match kind {
        CauseKind::Hit => DecreaseCause::Hit,
        CauseKind::Cancelled => DecreaseCause::HitCancelled,
        CauseKind::Rejected => DecreaseCause::HitRejected,
        CauseKind::Void => DecreaseCause::Void,
        CauseKind::Adjustment => DecreaseCause::Adjustment,
        CauseKind::Correction => DecreaseCause::Correction,
        CauseKind::LateHit => DecreaseCause::LateHit,
    }
}
