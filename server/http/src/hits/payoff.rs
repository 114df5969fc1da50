//! `GET /v1/hits/{hit}/payoff`: the origin of a hit's amount since the level was won before.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use meterhouse_api::report::{Payoff, PayoffContribution, PayoffEntry};
use meterhouse_api::text::Text;
use meterhouse_api::words::PayoffEntryKind;
use meterhouse_edge::authorize;
use meterhouse_engine::view::{self, PayoffSince, PayoffTable, PayoffView, PayoffWhat};

use crate::caller::Authenticated;
use crate::csv_report::{Format, Report};
use crate::document::ReadProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::HitPath;
use crate::options::Shared;
use crate::pdf::{PrefersPdf, payoff_sheet, printed};
use crate::problem::Failure;

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
    pdf: PrefersPdf,
    Authenticated(caller): Authenticated,
    PathOf(HitPath { hit }): PathOf<HitPath>,
    _: QueryOf<NoParameters>,
) -> Result<Response, Failure> {
    authorize::read_everything(&caller)?;
    let report = report(&shared.engine.payoff(&hit).await?);
    if pdf.0 {
        let (status, name) = (StatusCode::OK, format!("payoff-{hit}"));
        return Ok(printed(status, &name, payoff_sheet(&report)));
    }
    Ok(Report(format, report).into_response())
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
