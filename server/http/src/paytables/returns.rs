//! `GET /v1/paytables/{paytable}/returns`: what a wager on it is worth.

use std::num::NonZeroU32;

use axum::Json;
use axum::extract::State;
use meterhouse_api::returns::PaytableReturns;
use meterhouse_domain::seat::SEATS_MAX;
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::paytables;
use meterhouse_edge::returns::{Question, paytable_returns};
use meterhouse_edge::value::shown;
use meterhouse_edge::wire_error::EdgeError;

use crate::caller::Authenticated;
use crate::document::JudgedProblems;
use crate::extract::{PaytableOf, Query};
use crate::options::Shared;
use crate::problem::Failure;

/// What may be asked.
const KNOWN: [&str; 5] = [
    "wager",
    "meter",
    "seats",
    "magic_card_one_in",
    "lucky_bonus_one_in",
];

/// Says what a wager on a paytable is worth: exactly, from how often each hand is dealt.
#[utoipa::path(
    get,
    path = "/v1/paytables/{paytable}/returns",
    operation_id = "read_returns",
    tag = "paytables",
    security(("token" = [])),
    params(
        ("paytable" = String, Path, description = "The paytable", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("wager" = Option<String>, Query, description = "The link's wager; 1.00 if left out"),
        ("meter" = Option<String>, Query,
            description = "What levels display, as in mega:12345.67,major:1000.00, or one amount where there is one \
                level; others display their seeds"),
        ("seats" = Option<u8>, Query, minimum = 1, maximum = 15,
            description = "Betting positions of the layout; the most that a game of the paytable has if left out"),
        ("magic_card_one_in" = Option<u32>, Query, minimum = 1,
            description = "A Magic Card is drawn in one of so many rounds; none if left out"),
        ("lucky_bonus_one_in" = Option<u32>, Query, minimum = 1,
            description = "A lucky position is drawn in one of so many rounds; none if left out"),
    ),
    responses((status = 200, description = "What it is worth", body = PaytableReturns), JudgedProblems),
)]
pub(crate) async fn returns(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PaytableOf(id): PaytableOf,
    query: Query,
) -> Result<Json<PaytableReturns>, Failure> {
    authorize::read_everything(&caller)?;
    let query = query.only(&KNOWN)?;
    let text = |_: &str, text: &str| Ok(text.to_owned());
    let question = Question {
        wager: query.get("wager", text)?,
        meter: query.get("meter", text)?,
        seats: query
            .get("seats", |name, text| whole(name, text, SEATS_MAX.into()))?
            .and_then(|it| u8::try_from(it.get()).ok()),
        magic_card_one_in: query.get("magic_card_one_in", |name, text| {
            whole(name, text, u32::MAX)
        })?,
        lucky_bonus_one_in: query.get("lucky_bonus_one_in", |name, text| {
            whole(name, text, u32::MAX)
        })?,
    };
    Ok(Json(paytable_returns(
        paytables::whole(&shared.catalogue, &id)?,
        &question,
    )?))
}

/// A number from 1 to `most`.
fn whole(name: &str, text: &str, most: u32) -> Result<NonZeroU32, EdgeError> {
    let number: Option<NonZeroU32> = text.parse().ok();
    let number = number.filter(|it| it.get() <= most);
    number.ok_or_else(|| {
        let detail = format!("{name} is a whole number from 1 to {most}");
        EdgeError::because(EdgeCode::InvalidParameter, detail).with(name, shown(text))
    })
}
