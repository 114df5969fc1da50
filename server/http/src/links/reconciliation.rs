//! `GET /v1/links/{link}/reconciliation`: the books of a link between two times.

use axum::extract::State;
use meterhouse_api::report::{Reconciliation, ReconciliationLine};
use meterhouse_api::text::Text;
use meterhouse_domain::money::Money;
use meterhouse_edge::authorize;
use meterhouse_engine::view;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{PathOf, QueryOf};
use crate::extract::paths::LinkPath;
use crate::extract::period::PeriodQuery;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::value::level_name;
use crate::report::{Format, Report};

/// Reconciles a link: contributions, payments and balances of a period.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/reconciliation",
    operation_id = "reconcile_link",
    tag = "links",
    security(("token" = [])),
    params(LinkPath, PeriodQuery),
    responses((status = 200, description = "The books", body = Reconciliation), ReadProblems),
)]
pub(crate) async fn reconciliation(
    State(shared): State<Shared>,
    format: Format,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<PeriodQuery>,
) -> Result<Report<Reconciliation>, Failure> {
    authorize::read_link(&caller, &link)?;
    let (from, to) = (query.from.map(|from| from.0), query.to.map(|to| to.0));
    let books = shared.engine.reconcile(&link, from, to).await?;
    Ok(Report(format, report(&books, &query)))
}

fn report(books: &view::Reconciliation, query: &PeriodQuery) -> Reconciliation {
    let mut lines = books.lines.iter();
    Reconciliation {
        link: Text(books.terms.name.clone()),
        from: query.from,
        to: query.to,
        from_batch: books.from_batch,
        to_batch: books.to_batch,
        balanced: lines.all(|line| line.difference == Money::ZERO),
        levels: books.lines.iter().map(line).collect(),
    }
}

fn line(line: &view::ReconciliationLine) -> ReconciliationLine {
    ReconciliationLine {
        level: level_name(&line.name),
        opening: Text(line.opening),
        contributions: Text(line.contributions),
        house: Text(line.house),
        paid: Text(line.paid),
        adjustments: Text(line.adjustments),
        closing: Text(line.closing),
        pending: Text(line.pending),
        difference: Text(line.difference),
    }
}
