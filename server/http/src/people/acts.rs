//! `GET /v1/acts`: the record of what people and programs did.

use core::str::FromStr;

use axum::Json;
use axum::extract::State;
use meterhouse_api::access::{ActDetail, ActPage, RecordedAct};
use meterhouse_api::text::{InvalidValue, Text};
use meterhouse_api::values::{Badge, Time};
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_engine::access::{ACT_WORDS, Act, ActFilter};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{
    JOURNAL_PAGE_MAX, Ordinal, PAGE_DEFAULT, QueryOf, Whole, optional,
};
use crate::extract::period::period;
use crate::options::Shared;
use crate::problem::Failure;

/// The parameters of a list of acts.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ActsQuery {
    /// Only acts of this word, such as `login_failed`.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>, pattern = "^[a-z_]{1,32}$")]
    act: Option<ActWord>,
    /// Only acts of this name.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    name: Option<Badge>,
    /// Only acts from this time on.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    from: Option<Time>,
    /// Only acts before this time.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    to: Option<Time>,
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>)]
    after: Option<Ordinal>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 500)]
    limit: Option<Whole<JOURNAL_PAGE_MAX>>,
}

/// A word of an act.
struct ActWord(&'static str);

impl FromStr for ActWord {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let word = ACT_WORDS.into_iter().find(|word| *word == text);
        word.map(Self).ok_or_else(|| {
            let detail = format!("one of {}", ACT_WORDS.join(", "));
            InvalidValue::new(EdgeCode::InvalidParameter.code(), detail)
        })
    }
}

/// Lists acts, newest first: logins, refusals, changes of access, and what people changed over the API.
///
/// Commands of tables are in the journal of their link.
#[utoipa::path(
    get,
    path = "/v1/acts",
    operation_id = "list_acts",
    tag = "people",
    security(("token" = [])),
    params(ActsQuery),
    responses((status = 200, description = "A page of acts", body = ActPage), ReadProblems),
)]
pub(crate) async fn acts(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    QueryOf(query): QueryOf<ActsQuery>,
) -> Result<Json<ActPage>, Failure> {
    authorize::read_acts(&caller)?;
    let (from, to) = period(query.from, query.to)?;
    let filter = ActFilter {
        act: query.act.map(|act| act.0.to_owned()),
        name: query.name.map(|name| name.to_string()),
        from,
        to,
    };
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0) as usize;
    let after = query.after.map(|after| after.0);
    let page = shared.engine.access().acts(&filter, after, limit).await?;
    Ok(Json(ActPage {
        acts: page.acts.into_iter().map(recorded).collect(),
        more: page.next.is_some(),
        next: page.next.map(|number| number.to_string()),
    }))
}

fn recorded(act: Act) -> RecordedAct {
    let detail = |(name, value)| ActDetail { name, value };
    RecordedAct {
        number: act.number,
        at: Text(act.at),
        act: act.act,
        name: act.name,
        known: act.actor.is_some(),
        proof: act.proof,
        address: act.address,
        subject: act.subject,
        details: act.details.into_iter().map(detail).collect(),
    }
}
