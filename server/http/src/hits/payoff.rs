//! `GET /v1/hits/{hit}/payoff`: how the amount arose since the level was won before.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::authorize;
use meterhouse_engine::view::{PayoffEntry, PayoffSince, PayoffTable, PayoffView};
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{HitOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::{Amount, At};

/// opening + contributions + entries = before.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Payoff {
    /// The hit.
    #[schema(examples("C4P-07.2"))]
    hit: String,
    /// The link.
    link: String,
    /// The level.
    #[schema(examples("mega"))]
    level: String,
    /// The win that the level began with; null where it was the link's opening.
    since_hit: Option<String>,
    /// When.
    since: At,
    /// The meter then, exact.
    opening: Amount,
    /// What wagers added, table by table.
    contributions: Vec<PayoffContribution>,
    /// Whatever else moved the meter, in its order.
    entries: Vec<PayoffMove>,
    /// The meter right before the hit, exact.
    before: Amount,
    /// What the signs showed: the same, cut to the cent.
    displayed: Amount,
    /// What the level owes.
    due: Amount,
    /// The meter right after the hit, exact.
    after: Amount,
    /// Must be 0.00.
    difference: Amount,
}

/// What the wagers of one table added.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PayoffContribution {
    /// The table.
    table: String,
    /// Its wagers.
    wagers: u64,
    /// What they added to the meter, exact.
    amount: Amount,
}

/// What else moved the meter.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PayoffMove {
    /// Where it stands in the journal.
    #[schema(examples("12.0"))]
    place: String,
    /// When.
    at: At,
    /// `hit`, `undone`, `void`, `ceiling`, `adjustment`, `correction` or `late_hit`.
    #[schema(value_type = String)]
    what: &'static str,
    /// The hit, where it was one.
    hit: Option<String>,
    /// What it added, exact; negative where it took.
    amount: Amount,
}

/// Reads the payoff report of a hit. One that took nothing from a level has none.
#[utoipa::path(
    get,
    path = "/v1/hits/{hit}/payoff",
    operation_id = "read_payoff",
    tag = "hits",
    security(("token" = [])),
    params(("hit" = String, Path, description = "The hit: TABLE.NUMBER or TABLE.NUMBER.N",
        pattern = r"^[A-Za-z0-9-]{1,32}\.[1-9][0-9]*(\.[1-9][0-9]*)?$")),
    responses((status = 200, description = "The report", body = Payoff), ReadProblems),
)]
pub(crate) async fn payoff(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    HitOf(hit): HitOf,
    query: Query,
) -> Result<Json<Payoff>, Failure> {
    authorize::read_everything(&caller)?;
    query.only(&[])?;
    Ok(Json(Payoff::from(&shared.engine.payoff(&hit).await?)))
}

impl From<&PayoffView> for Payoff {
    fn from(view: &PayoffView) -> Self {
        let (since_hit, since) = match &view.since {
            PayoffSince::Opening { at } => (None, *at),
            PayoffSince::Hit { hit, at } => (Some(hit.to_string()), *at),
        };
        let tables = view.contributions.iter();
        Self {
            hit: view.hit.name().to_string(),
            link: view.hit.link.to_string(),
            level: view.level.to_string(),
            since_hit,
            since: At(since),
            opening: Amount(view.opening),
            contributions: tables.map(PayoffContribution::from).collect(),
            entries: view.entries.iter().map(PayoffMove::from).collect(),
            before: Amount(view.before),
            displayed: Amount(view.displayed),
            due: Amount(view.due),
            after: Amount(view.after),
            difference: Amount(view.difference),
        }
    }
}

impl From<&PayoffTable> for PayoffContribution {
    fn from(it: &PayoffTable) -> Self {
        Self {
            table: it.table.to_string(),
            wagers: it.wagers,
            amount: Amount(it.amount),
        }
    }
}

impl From<&PayoffEntry> for PayoffMove {
    fn from(it: &PayoffEntry) -> Self {
        Self {
            place: it.position.to_string(),
            at: At(it.at),
            what: it.what.name(),
            hit: it.hit.as_ref().map(ToString::to_string),
            amount: Amount(it.amount),
        }
    }
}
