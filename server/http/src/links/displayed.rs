//! `GET /v1/links/{link}/displayed`: displayed amounts by the day, each decrease with its cause.

use axum::Json;
use axum::extract::State;
use meterhouse_domain::ids::Timestamp;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value::proposal_text;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_edge::{authorize, timestamp};
use meterhouse_engine::view::{Decrease, DisplayedLevel, DisplayedView};
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{LinkOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::{Amount, At};

/// A day in microseconds.
const DAY: i64 = 86_400_000_000;

/// The displayed amounts of a link at the beginning and the end of a stretch.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DisplayedAmounts {
    /// The link.
    link: String,
    /// The beginning.
    from: At,
    /// The end.
    to: At,
    /// Whether the stretch is over: nothing is added to it any more.
    complete: bool,
    /// The last batch before the stretch; 0 where the link was not open yet.
    from_batch: u64,
    /// The last batch of the stretch.
    to_batch: u64,
    /// Level by level.
    levels: Vec<LevelDisplayed>,
    /// Every decrease of a meter, in the journal's order.
    decreases: Vec<DecreaseShown>,
    /// How many decreases have no cause: must be 0.
    flagged: usize,
}

/// What a level showed at the beginning and the end.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LevelDisplayed {
    /// The level.
    #[schema(examples("mega"))]
    level: String,
    /// The displayed amount at the beginning.
    opening: Amount,
    /// The displayed amount at the end.
    closing: Amount,
}

/// One decrease of a meter.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DecreaseShown {
    /// The level.
    #[schema(examples("mega"))]
    level: String,
    /// Where it stands in the journal.
    position: String,
    /// When.
    at: At,
    /// The exact amount by which the meter fell, a restart taken into account.
    amount: Amount,
    /// `hit`, `hit_cancelled`, `hit_rejected`, `void`, `adjustment`, `correction` or `late_hit`; null where nothing in
    /// the journal explains it.
    #[schema(value_type = Option<String>)]
    cause: Option<&'static str>,
    /// The hit, where the cause is about one.
    hit: Option<String>,
    /// The proposal, where two people did it.
    proposal: Option<String>,
    /// Whether it has no cause.
    flagged: bool,
}

/// Reads what a link's signs showed at the beginning and the end of a day, and every decrease in between with its cause.
///
/// A day begins and ends at midnight UTC. `from` and `to` in its position give any other stretch, such as a gaming day that
/// begins at 06:00. Without any of them it is today so far.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/displayed",
    operation_id = "read_displayed",
    tag = "links",
    security(("token" = [])),
    params(
        ("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("day" = Option<String>, Query, description = "A day in UTC: YYYY-MM-DD", format = Date),
        ("from" = Option<String>, Query, description = "From this moment; the beginning of `to`'s day if left out",
            format = DateTime),
        ("to" = Option<String>, Query, description = "Before this moment; up to now if left out",
            format = DateTime),
    ),
    responses((status = 200, description = "The amounts", body = DisplayedAmounts), ReadProblems),
)]
pub(crate) async fn displayed(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    LinkOf(link): LinkOf,
    query: Query,
) -> Result<Json<DisplayedAmounts>, Failure> {
    authorize::read_link(&caller, &link)?;
    let query = query.only(&["day", "from", "to"])?;
    let (from, to) = stretch(&query)?;
    let view = shared.engine.displayed_between(&link, from, to).await?;
    Ok(Json(DisplayedAmounts::from(&view)))
}

/// Reads the stretch that is asked for.
fn stretch(query: &Query) -> Result<(Timestamp, Timestamp), EdgeError> {
    let (from, to) = (query.moment("from")?, query.moment("to")?);
    if let Some(day) = query.get("day", day)? {
        if from.is_some() || to.is_some() {
            let detail = "day is a stretch by itself; leave from and to out";
            return Err(
                EdgeError::because(EdgeCode::InvalidParameter, detail).with("parameter", "day")
            );
        }
        return Ok((day, Timestamp(day.0.saturating_add(DAY))));
    }
    let to = to.unwrap_or_else(meterhouse_engine::clock::now);
    let midnight = to.0.saturating_sub(to.0.rem_euclid(DAY));
    let from = from.unwrap_or(Timestamp(midnight));
    if from > to {
        let detail = "to is before from; a stretch ends after it begins";
        return Err(EdgeError::because(EdgeCode::InvalidParameter, detail).with("parameter", "to"));
    }
    Ok((from, to))
}

/// Reads the beginning of a day.
fn day(field: &str, text: &str) -> Result<Timestamp, EdgeError> {
    let midnight = timestamp::parse(field, &format!("{text}T00:00:00Z"));
    midnight.map_err(|_| {
        let detail = "day is a date in UTC, written as YYYY-MM-DD";
        let sent = meterhouse_edge::value::shown(text);
        EdgeError::because(EdgeCode::InvalidTime, detail).with(field, sent)
    })
}

impl From<&DisplayedView> for DisplayedAmounts {
    fn from(view: &DisplayedView) -> Self {
        let flagged = view
            .decreases
            .iter()
            .filter(|decrease| decrease.cause.is_none());
        Self {
            link: view.link.to_string(),
            from: At(view.from),
            to: At(view.to),
            complete: view.complete,
            from_batch: view.from_batch,
            to_batch: view.to_batch,
            levels: view.levels.iter().map(LevelDisplayed::from).collect(),
            flagged: flagged.count(),
            decreases: view.decreases.iter().map(DecreaseShown::from).collect(),
        }
    }
}

impl From<&DisplayedLevel> for LevelDisplayed {
    fn from(level: &DisplayedLevel) -> Self {
        Self {
            level: level.level.to_string(),
            opening: Amount(level.opening),
            closing: Amount(level.closing),
        }
    }
}

impl From<&Decrease> for DecreaseShown {
    fn from(decrease: &Decrease) -> Self {
        let cause = decrease.cause.as_ref();
        Self {
            level: decrease.level.to_string(),
            position: decrease.position.to_string(),
            at: At(decrease.at),
            amount: Amount(decrease.amount),
            cause: cause.map(|cause| cause.kind.name()),
            hit: cause.and_then(|cause| Some(cause.hit.as_ref()?.to_string())),
            proposal: cause.and_then(|cause| Some(proposal_text(cause.proposal?))),
            flagged: cause.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_a_date() {
        assert_eq!(day("day", "1970-01-02"), Ok(Timestamp(DAY)));
        for text in [
            "",
            "1970-1-2",
            "1970-01-02T00:00:00Z",
            "1970-02-30",
            "today",
        ] {
            let code = day("day", text).map_err(|error| error.code);
            assert_eq!(code, Err(EdgeCode::InvalidTime), "{text:?}");
        }
    }
}
