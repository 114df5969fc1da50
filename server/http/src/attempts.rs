//! `GET /v1/attempts`: attempts that were refused before the rules saw them.

use core::str::FromStr;

use axum::Json;
use axum::extract::State;
use meterhouse_api::operation::{Attempt, AttemptPage};
use meterhouse_api::text::{InvalidValue, Text};
use meterhouse_api::values::{LinkName, Time};
use meterhouse_api::words::AttemptKind;
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_engine::queries::attempts::{self, AttemptRow};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{JOURNAL_PAGE_MAX, PAGE_DEFAULT, QueryOf, Whole, optional};
use crate::extract::period::period;
use crate::options::Shared;
use crate::problem::Failure;

/// The parameters of a list of attempts.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct AttemptsQuery {
    /// Only attempts of this link.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    link: Option<LinkName>,
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>)]
    after: Option<AttemptNumber>,
    /// Only attempts at this time or later.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    from: Option<Time>,
    /// Only attempts before this time.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    to: Option<Time>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 500)]
    limit: Option<Whole<JOURNAL_PAGE_MAX>>,
}

/// Lists attempts that were refused before the rules saw them, newest first.
///
/// They are no part of the journal and use no number up. Ten of a kind at one table or link in a minute have an entry
/// each; of more the last has one, which counts the others.
#[utoipa::path(
    get,
    path = "/v1/attempts",
    operation_id = "list_attempts",
    tag = "operations",
    security(("token" = [])),
    params(AttemptsQuery),
    responses((status = 200, description = "The attempts", body = AttemptPage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    QueryOf(query): QueryOf<AttemptsQuery>,
) -> Result<Json<AttemptPage>, Failure> {
    authorize::read_everything(&caller)?;
    let after = query.after.map(|after| after.0);
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0);
    let link = query.link.as_deref();
    let period = period(query.from, query.to)?;
    let page = shared.engine.attempts(link, after, period, limit).await?;
    let attempts: Option<Vec<Attempt>> = page.items.iter().map(attempt).collect();
    let attempts = attempts.ok_or_else(|| Failure::internal("an attempt's names are no names"))?;
    Ok(Json(AttemptPage {
        attempts,
        more: page.next.is_some(),
        next: page.next.map(|number| number.to_string()),
    }))
}

/// The number of an attempt, from the `next` of the page before.
struct AttemptNumber(u64);

impl FromStr for AttemptNumber {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        text.parse().map(Self).map_err(|_| {
            let detail = "write what the page before has in next, unchanged";
            InvalidValue::new(EdgeCode::InvalidParameter.code(), detail)
        })
    }
}

fn attempt(row: &AttemptRow) -> Option<Attempt> {
    let table = row.table.as_deref().map(str::parse).transpose();
    Some(Attempt {
        attempt: row.number,
        at: Text(row.at),
        kind: match row.kind {
            attempts::AttemptKind::SequenceReused => AttemptKind::SequenceReused,
            attempts::AttemptKind::TermsChanged => AttemptKind::TermsChanged,
            attempts::AttemptKind::TableMoved => AttemptKind::TableMoved,
            attempts::AttemptKind::ProposalReused => AttemptKind::ProposalReused,
        },
        actor: row.actor.clone(),
        link: row.link.parse().ok()?,
        table: table.ok()?,
        sequence: row.sequence,
        node: row.node.clone(),
        detail: row.detail.clone(),
        suppressed: row.suppressed,
    })
}
