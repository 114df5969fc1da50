//! `GET /v1/paytables`: the catalogue.

use axum::Json;
use axum::extract::State;
use meterhouse_api::paytable::{ListedPaytable, PaytableGame, PaytablePage};
use meterhouse_api::text::Text;
use meterhouse_api::values::PaytableId;
use meterhouse_catalogue::{Catalogue, Sheet};
use meterhouse_domain::paytable::Game;
use meterhouse_edge::authorize;
use meterhouse_edge::paytables::not_in_source;
use meterhouse_journal::terms::content_version;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{LIST_PAGE_MAX, PAGE_DEFAULT, QueryOf, Whole, optional};
use crate::options::Shared;
use crate::problem::Failure;

/// The parameters of a list of paytables.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PaytablesQuery {
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    after: Option<PaytableId>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<Whole<LIST_PAGE_MAX>>,
}

/// Lists the paytables, and which of them an operator's file has to complete.
#[utoipa::path(
    get,
    path = "/v1/paytables",
    operation_id = "list_paytables",
    tag = "paytables",
    security(("token" = [])),
    params(PaytablesQuery),
    responses((status = 200, description = "A page of paytables", body = PaytablePage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    QueryOf(query): QueryOf<PaytablesQuery>,
) -> Result<Json<PaytablePage>, Failure> {
    authorize::read_everything(&caller)?;
    let sheets = shared.catalogue.sheets();
    let after = query.after.as_deref();
    let is_after = |sheet: &&Sheet| after.is_none_or(|after| sheet.id > *after);
    let mut sheets = sheets.filter(is_after).peekable();
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let page: Vec<&Sheet> = sheets.by_ref().take(limit).collect();
    let more = sheets.peek().is_some();
    let last = page.last().filter(|_| more);
    Ok(Json(PaytablePage {
        next: last.map(|sheet| Text(sheet.id.clone())),
        paytables: page.into_iter().map(listed_paytable).collect(),
        more,
    }))
}

/// Returns the whole list of a catalogue, as `GET /v1/paytables` pages it.
pub fn paytable_list(catalogue: &Catalogue) -> PaytablePage {
    PaytablePage {
        paytables: catalogue.sheets().map(listed_paytable).collect(),
        more: false,
        next: None,
    }
}

/// Returns a paytable of a list.
pub(super) fn listed_paytable(sheet: &Sheet) -> ListedPaytable {
    let game = |game: &Game| PaytableGame {
        game: Text(game.name.clone()),
        seats_max: game.seats_max,
    };
    ListedPaytable {
        paytable: Text(sheet.id.clone()),
        title: sheet.title.clone(),
        jurisdiction: sheet.jurisdiction.clone(),
        citation: sheet.citation.clone(),
        effective: sheet.effective.clone(),
        wager_kind: Text(sheet.wager_kind),
        games: sheet.games.iter().map(game).collect(),
        linkable: sheet.linkable,
        complete: sheet.missing().next().is_none(),
        version: sheet
            .paytable()
            .map(|paytable| content_version(&paytable.content)),
        not_in_source: not_in_source(sheet),
    }
}
