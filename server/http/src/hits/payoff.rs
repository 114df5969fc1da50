//! `GET /v1/hits/{hit}/payoff`: the origin of a hit's amount since the level was won before.

use axum::extract::State;
use meterhouse_api::report::{Payoff, PayoffContribution, PayoffEntry};
use meterhouse_api::text::Text;
use meterhouse_api::words::PayoffEntryKind;
use meterhouse_edge::authorize;
use meterhouse_engine::view::{self, PayoffSince, PayoffTable, PayoffView, PayoffWhat};

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::HitPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::report::{Format, Report};

/// Reads the payoff report of a hit. One that took nothing from a level has none.
#[utoipa::path(
    get,
    path = "/v1/hits/{hit}/payoff",
    operation_id = "read_payoff",
    tag = "hits",
    security(("token" = [])),
    params(HitPath),
    responses((status = 200, description = "The report", body = Payoff), ReadProblems),
)]
pub(crate) async fn payoff(
    State(shared): State<Shared>,
    format: Format,
    Authenticated(caller): Authenticated,
    PathOf(HitPath { hit }): PathOf<HitPath>,
    _: QueryOf<NoParameters>,
) -> Result<Report<Payoff>, Failure> {
    authorize::read_everything(&caller)?;
    let view = shared.engine.payoff(&hit).await?;
    Ok(Report(format, report(&view)))
}

/// Returns a payoff report.
pub(super) fn report(view: &PayoffView) -> Payoff {
    let (since_hit, since) = match &view.since {
        PayoffSince::Opening { at } => (None, *at),
        PayoffSince::Hit { hit, at } => (Some(Text(hit.clone())), *at),
    };
    let tables = view.contributions.iter();
    Payoff {
        hit: Text(view.hit.name()),
        link: Text(view.hit.link.clone()),
        level: Text(view.level.clone()),
        since_hit,
        since: Text(since),
        opening: Text(view.opening),
        contributions: tables.map(contribution).collect(),
        entries: view.entries.iter().map(entry).collect(),
        before: Text(view.before),
        displayed: Text(view.displayed),
        due: Text(view.due),
        after: Text(view.after),
        difference: Text(view.difference),
    }
}

fn contribution(table: &PayoffTable) -> PayoffContribution {
    PayoffContribution {
        table: Text(table.table.clone()),
        wagers: table.wagers,
        amount: Text(table.amount),
    }
}

fn entry(entry: &view::PayoffEntry) -> PayoffEntry {
    PayoffEntry {
        position: Text(entry.position),
        at: Text(entry.at),
        kind: match entry.what {
            PayoffWhat::Hit => PayoffEntryKind::Hit,
            PayoffWhat::Void => PayoffEntryKind::Void,
            PayoffWhat::Ceiling => PayoffEntryKind::Ceiling,
            PayoffWhat::Adjustment => PayoffEntryKind::Adjustment,
            PayoffWhat::LateHit => PayoffEntryKind::LateHit,
        },
        hit: entry.hit.clone().map(Text),
        amount: Text(entry.amount),
    }
}
