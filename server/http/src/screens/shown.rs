//! `PUT /v1/shown`, `GET /v1/screens/{screen}/shown`: what a screen shows, as it says itself.

use axum::Json;
use axum::extract::State;
use meterhouse_api::level::LevelAmount;
use meterhouse_api::screen::{
    ComparedLink, SCREEN_LINKS_MAX, Shown, ShownLink, ShownPage, ShownReceipt, ShownRequest,
};
use meterhouse_api::text::Text;
use meterhouse_api::values::Time;
use meterhouse_domain::ids::{LevelName, Timestamp};
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::view::{Acknowledgement, ShownRow};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::{ReadProblems, WriteProblems};
use crate::extract::parameters::{LIST_PAGE_MAX, PAGE_DEFAULT, PathOf, QueryOf, Whole, optional};
use crate::extract::paths::ScreenPath;
use crate::extract::period::period;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;

/// Records what the screen of the token shows. A screen says so every ten seconds.
///
/// The answer compares the amounts with the journal. One that is lost need not be repeated.
#[utoipa::path(
    put,
    path = "/v1/shown",
    operation_id = "acknowledge_shown",
    tag = "displays",
    security(("token" = [])),
    request_body = ShownRequest,
    responses((status = 200, description = "The comparison", body = ShownReceipt), WriteProblems),
)]
pub(crate) async fn acknowledge(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    JsonBody(body): JsonBody<ShownRequest>,
) -> Result<Json<ShownReceipt>, Failure> {
    authorize::show(&caller)?;
    let links = shared.engine.access().links_of_screen(&caller).await?;
    let links = links.ok_or_else(|| EdgeError::new(EdgeCode::UnknownScreen))?;
    if body.shown.len() > SCREEN_LINKS_MAX {
        let detail = format!("a screen shows at most {SCREEN_LINKS_MAX} links");
        let error = EdgeError::because(EdgeCode::InvalidValue, detail);
        return Err(error.with("field", "shown").into());
    }
    for shown in body.shown.iter() {
        authorize::link_of_screen(Some(&links), &shown.link)?;
    }
    let told: Vec<Acknowledgement> = body.shown.iter().map(acknowledgement).collect();
    let engine = &shared.engine;
    let shown = engine.acknowledge_shown(caller.person.actor, &told).await?;
    let compared = shown.into_iter().map(|shown| ComparedLink {
        link: shown.link,
        difference: shown.is_different,
        stale: shown.is_stale,
    });
    Ok(Json(ShownReceipt {
        screen: Text(caller.person.name),
        shown: compared.collect(),
    }))
}

fn acknowledgement(shown: &ShownLink) -> Acknowledgement {
    let levels = shown.levels.iter();
    Acknowledgement {
        link: shown.link.0.clone(),
        batch: shown.batch,
        levels: levels
            .map(|level| (level.level.0.clone(), level.amount.0.0))
            .collect(),
    }
}

/// The parameters of a list of what a screen showed.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ShownQuery {
    /// Start of the period; the oldest that is kept if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    from: Option<Time>,
    /// End of the period; now if left out. Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    to: Option<Time>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<Whole<LIST_PAGE_MAX>>,
}

/// Lists what a screen showed in a period of the last 31 days, newest first.
///
/// A screen that was unpaired keeps its list. A name that no screen had has an empty one.
#[utoipa::path(
    get,
    path = "/v1/screens/{screen}/shown",
    operation_id = "list_shown",
    tag = "displays",
    security(("token" = [])),
    params(ScreenPath, ShownQuery),
    responses((status = 200, description = "A page of what it showed", body = ShownPage), ReadProblems),
)]
pub(crate) async fn shown(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(ScreenPath { screen }): PathOf<ScreenPath>,
    QueryOf(query): QueryOf<ShownQuery>,
) -> Result<Json<ShownPage>, Failure> {
    authorize::read_everything(&caller)?;
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0) as usize;
    let (from, to) = period(query.from, query.to)?;
    let from = from.unwrap_or(Timestamp(i64::MIN));
    let to = to.unwrap_or(Timestamp(i64::MAX));
    let page = shared.engine.shown_by(screen.as_str(), (from, to), limit);
    let page = page.await?;
    let shown: Option<Vec<Shown>> = page.items.iter().map(rendered).collect();
    Ok(Json(ShownPage {
        screen: screen.to_string(),
        shown: shown.ok_or_else(|| Failure::internal("a stored level has no name"))?,
        more: page.next.is_some(),
        next: page.next.map(Text),
    }))
}

/// Returns what a screen showed; nothing if a stored name is none.
pub(super) fn rendered(row: &ShownRow) -> Option<Shown> {
    let levels = row.shown.levels.iter().map(|(level, amount)| {
        let level: LevelName = level.parse().ok()?;
        Some(LevelAmount {
            level: Text(level),
            amount: Text(*amount),
        })
    });
    Some(Shown {
        link: row.shown.link.clone(),
        batch: row.shown.batch,
        levels: levels.collect::<Option<Vec<_>>>()?,
        since: Text(row.since),
        until: Text(row.until),
        difference: row.shown.is_different,
        stale: row.shown.is_stale,
    })
}
