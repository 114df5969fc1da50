//! `GET /v1/paytables`: the catalogue.

use axum::Json;
use axum::extract::State;
use meterhouse_api::paytable::NotInSource;
use meterhouse_catalogue::{Catalogue, Sheet};
use meterhouse_domain::ids::PaytableId;
use meterhouse_domain::paytable::Game;
use meterhouse_edge::paytables::not_in_source;
use meterhouse_edge::{authorize, value};
use meterhouse_journal::terms::content_version;
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{LIST_PAGE_MAX, Query};
use crate::options::Shared;
use crate::problem::Failure;

/// A page of the catalogue.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PaytablePage {
    /// By id.
    paytables: Vec<PaytableListed>,
    /// Whether there is more.
    more: bool,
    /// What to write as `after` for the next page.
    next: Option<String>,
}

/// A paytable of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PaytableListed {
    /// Its id.
    #[schema(examples("pa-657a-five-card-c"))]
    paytable: String,
    /// What people call it.
    title: String,
    /// Whose law it is.
    jurisdiction: String,
    /// Where it stands.
    citation: String,
    /// Since when; null where the source bears no date.
    effective: Option<String>,
    /// The wager that it pays.
    #[schema(value_type = String)]
    wager_kind: &'static str,
    /// Games that offer it.
    games: Vec<GameListed>,
    /// Whether tables of several games may share its meters.
    linkable: bool,
    /// Whether a link can open with it: nothing is lacking.
    complete: bool,
    /// The version of its content: the same where content is the same, whatever the id is; null where it is incomplete.
    #[schema(examples("0f3a5b6c7d8e9f01"))]
    version: Option<String>,
    /// What its source doesn't print, and where it was taken from.
    not_in_source: Vec<NotInSource>,
}

/// A game that offers a paytable.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GameListed {
    /// The game.
    game: String,
    /// The most seats that its layout may have.
    seats_max: u8,
}

/// Lists the paytables, and which of them an operator's file has to complete.
#[utoipa::path(
    get,
    path = "/v1/paytables",
    operation_id = "list_paytables",
    tag = "paytables",
    security(("token" = [])),
    params(
        ("after" = Option<String>, Query, description = "What the page before has in next"),
        ("limit" = Option<u32>, Query, description = "Entries of the page; 100 if left out",
            minimum = 1, maximum = 200),
    ),
    responses((status = 200, description = "A page of paytables", body = PaytablePage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    query: Query,
) -> Result<Json<PaytablePage>, Failure> {
    authorize::read_everything(&caller)?;
    let query = query.only(&["after", "limit"])?;
    let after = query.get::<PaytableId>("after", value::name)?;
    let limit = query.limit(LIST_PAGE_MAX)?;
    let sheets = shared.catalogue.sheets();
    let is_behind = |sheet: &&Sheet| after.as_ref().is_none_or(|after| sheet.id > *after);
    let mut sheets = sheets.filter(is_behind).peekable();
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let page: Vec<&Sheet> = sheets.by_ref().take(limit).collect();
    let more = sheets.peek().is_some();
    let last = page.last().filter(|_| more);
    Ok(Json(PaytablePage {
        more,
        next: last.map(|sheet| sheet.id.to_string()),
        paytables: page.into_iter().map(PaytableListed::from).collect(),
    }))
}

/// Returns what `GET /v1/paytables` answers, all of it on one page, for programs that read the command line's JSON.
pub fn paytable_list(catalogue: &Catalogue) -> impl Serialize + use<> {
    PaytablePage {
        paytables: catalogue.sheets().map(PaytableListed::from).collect(),
        more: false,
        next: None,
    }
}

impl From<&Sheet> for PaytableListed {
    fn from(it: &Sheet) -> Self {
        let game = |it: &Game| GameListed {
            game: it.name.to_string(),
            seats_max: it.seats_max,
        };
        Self {
            paytable: it.id.to_string(),
            title: it.title.clone(),
            jurisdiction: it.jurisdiction.clone(),
            citation: it.citation.clone(),
            effective: it.effective.clone(),
            wager_kind: it.wager_kind.name(),
            games: it.games.iter().map(game).collect(),
            linkable: it.linkable,
            complete: it.missing().next().is_none(),
            version: it.paytable().map(|it| content_version(&it.content)),
            not_in_source: not_in_source(it),
        }
    }
}
