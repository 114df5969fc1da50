//! `GET /v1/links/{link}/meters`: the displayed amounts, now or at a past moment, for programs without the feed.

use axum::extract::State;
use meterhouse_api::link::LinkMeters;
use meterhouse_api::text::Text;
use meterhouse_api::values::Time;
use meterhouse_edge::authorize;
use meterhouse_engine::clock;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::PerhapsAuthenticated;
use crate::document::ShownProblems;
use crate::extract::parameters::{PathOf, QueryOf, optional};
use crate::extract::paths::LinkPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::value::{book_balances, level_amounts, link_state};
use crate::report::{Format, Report};

/// The moment of displayed amounts.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct MetersQuery {
    /// Past moment; now if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    at: Option<Time>,
}

/// Reads the displayed amounts of a link, now or at a past moment.
///
/// With `at`, the amounts are those after the last batch up to that moment. A token is looked at only with `at`: one that
/// may read the link adds the exact balances, reserves included.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/meters",
    operation_id = "read_meters",
    tag = "displays",
    security((), ("token" = [])),
    params(LinkPath, MetersQuery),
    responses((status = 200, description = "The amounts", body = LinkMeters), ShownProblems),
)]
pub(crate) async fn meters(
    State(shared): State<Shared>,
    format: Format,
    request: PerhapsAuthenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<MetersQuery>,
) -> Result<Report<LinkMeters>, Failure> {
    let Some(Text(at)) = query.at else {
        let view = shared.engine.link(&link).await?;
        return Ok(Report(
            format,
            LinkMeters {
                link: Text(view.terms.name.clone()),
                state: link_state(view.state),
                batch: view.batch,
                at: Text(clock::now()),
                levels: level_amounts(&view.terms, &view.displayed),
                batch_at: None,
                complete: None,
                floor: None,
            },
        ));
    };
    let caller = request.caller(&shared).await?;
    let may_read = caller.is_some_and(|caller| authorize::read_link(&caller, &link).is_ok());
    let then = shared.engine.balances_of(&link, Some(at)).await?;
    let view = shared.engine.link(&link).await?;
    Ok(Report(
        format,
        LinkMeters {
            link: Text(view.terms.name.clone()),
            state: link_state(view.state),
            batch: then.batch,
            at: Text(then.at),
            levels: level_amounts(&view.terms, &then.displayed()),
            batch_at: Some(Text(then.batch_at)),
            complete: Some(then.complete),
            floor: may_read.then(|| then.books.iter().map(book_balances).collect()),
        },
    ))
}
