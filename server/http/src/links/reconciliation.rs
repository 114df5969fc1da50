//! `GET /v1/links/{link}/reconciliation`: a link's books between two moments.

use axum::Json;
use axum::extract::State;
use meterhouse_domain::ids::Timestamp;
use meterhouse_domain::money::Money;
use meterhouse_edge::authorize;
use meterhouse_engine::view::{Reconciliation, ReconciliationLine};
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{LinkOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::{Amount, At};

/// A link's books between two moments.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Books {
    /// The link.
    link: String,
    /// The first moment; null from the opening.
    from: Option<At>,
    /// The last moment; null up to now.
    to: Option<At>,
    /// The last batch before the first moment; 0 from the opening.
    from_batch: u64,
    /// The last batch that counts.
    to_batch: u64,
    /// Whether every difference is nothing.
    balanced: bool,
    /// Level by level, then `fixed`: odds and envy, which touch no meter.
    levels: Vec<BookLine>,
}

/// opening + contributions + house - paid + adjustments = closing.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BookLine {
    /// The level, or `fixed`.
    level: String,
    /// On meter, reserve and overflow, and won but unpaid, before.
    opening: Amount,
    /// What wagers added, less what void rounds took back.
    contributions: Amount,
    /// What the house put in: seeds, reseeds, fixed pays and envy, less what it got back.
    house: Amount,
    /// What was paid out to players.
    paid: Amount,
    /// What two people adjusted.
    adjustments: Amount,
    /// What is there at the end, by the stored balances.
    closing: Amount,
    /// The part of closing that is won but not yet paid.
    pending: Amount,
    /// Must be 0.00.
    difference: Amount,
}

/// Reconciles a link: what came in, what went out, what is there.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/reconciliation",
    operation_id = "reconcile_link",
    tag = "links",
    security(("token" = [])),
    params(
        ("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("from" = Option<String>, Query, description = "From this moment; the opening if left out",
            format = DateTime),
        ("to" = Option<String>, Query, description = "Before this moment; up to now if left out",
            format = DateTime),
    ),
    responses((status = 200, description = "The books", body = Books), ReadProblems),
)]
pub(crate) async fn reconciliation(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    LinkOf(link): LinkOf,
    query: Query,
) -> Result<Json<Books>, Failure> {
    authorize::read_link(&caller, &link)?;
    let query = query.only(&["from", "to"])?;
    let (from, to) = (query.moment("from")?, query.moment("to")?);
    let books = shared.engine.reconcile(&link, from, to).await?;
    Ok(Json(Books::new(&books, from, to)))
}

impl Books {
    fn new(books: &Reconciliation, from: Option<Timestamp>, to: Option<Timestamp>) -> Self {
        Self {
            link: books.terms.name.to_string(),
            from: from.map(At),
            to: to.map(At),
            from_batch: books.from_batch,
            to_batch: books.to_batch,
            balanced: books.lines.iter().all(|it| it.difference == Money::ZERO),
            levels: books.lines.iter().map(BookLine::from).collect(),
        }
    }
}

impl From<&ReconciliationLine> for BookLine {
    fn from(line: &ReconciliationLine) -> Self {
        Self {
            level: line.name.clone(),
            opening: Amount(line.opening),
            contributions: Amount(line.contributions),
            house: Amount(line.house),
            paid: Amount(line.paid),
            adjustments: Amount(line.adjustments),
            closing: Amount(line.closing),
            pending: Amount(line.pending),
            difference: Amount(line.difference),
        }
    }
}
