//! `GET /v1/paytables/{paytable}/returns`: the return of a wager on a paytable.

use std::num::NonZeroU32;

use axum::Json;
use axum::extract::State;
use meterhouse_api::returns::PaytableReturns;
use meterhouse_domain::seat::SEATS_MAX;
use meterhouse_edge::authorize;
use meterhouse_edge::paytables;
use meterhouse_edge::returns::{Question, paytable_returns};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::JudgedProblems;
use crate::extract::parameters::{PathOf, PlainText, QueryOf, Whole, optional};
use crate::extract::paths::PaytablePath;
use crate::options::Shared;
use crate::problem::Failure;

/// The parameters of a return.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReturnsQuery {
    /// Wager of the link; 1.00 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>)]
    wager: Option<PlainText>,
    /// Displayed amounts of levels, as in `mega:12345.67,major:1000.00`, or one amount if there is one level; the seeds of the
    /// others.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>)]
    meter: Option<PlainText>,
    /// Betting positions of the layout; the maximum of the games of the paytable if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u8>, minimum = 1, maximum = 15)]
    seats: Option<Whole<{ SEATS_MAX as u32 }>>,
    /// Number of rounds per draw of a Magic Card; no draw if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1)]
    magic_card_one_in: Option<Whole<{ u32::MAX }>>,
    /// Number of rounds per draw of a lucky position; no draw if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1)]
    lucky_bonus_one_in: Option<Whole<{ u32::MAX }>>,
}

/// Reads the return of a wager on a paytable, exactly, from the frequency of each hand.
#[utoipa::path(
    get,
    path = "/v1/paytables/{paytable}/returns",
    operation_id = "read_returns",
    tag = "paytables",
    security(("token" = [])),
    params(PaytablePath, ReturnsQuery),
    responses((status = 200, description = "The return", body = PaytableReturns), JudgedProblems),
)]
pub(crate) async fn returns(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(PaytablePath { paytable }): PathOf<PaytablePath>,
    QueryOf(query): QueryOf<ReturnsQuery>,
) -> Result<Json<PaytableReturns>, Failure> {
    authorize::read_everything(&caller)?;
    let one_in =
        |number: Option<Whole<{ u32::MAX }>>| number.and_then(|number| NonZeroU32::new(number.0));
    let question = Question {
        wager: query.wager.map(|wager| wager.0),
        meter: query.meter.map(|meter| meter.0),
        seats: query.seats.and_then(|seats| u8::try_from(seats.0).ok()),
        magic_card_one_in: one_in(query.magic_card_one_in),
        lucky_bonus_one_in: one_in(query.lucky_bonus_one_in),
    };
    Ok(Json(paytable_returns(
        paytables::whole(&shared.catalogue, &paytable)?,
        &question,
    )?))
}
