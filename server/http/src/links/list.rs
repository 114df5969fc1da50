//! `GET /v1/links`: the links, without a token.

use axum::Json;
use axum::extract::State;
use meterhouse_api::link::LinkPage;
use meterhouse_api::text::Text;
use meterhouse_api::values::LinkName;
use serde::Deserialize;
use utoipa::IntoParams;

use super::read::listed_link;
use crate::document::PublicProblems;
use crate::extract::parameters::{LIST_PAGE_MAX, PAGE_DEFAULT, QueryOf, Whole, optional};
use crate::options::Shared;
use crate::problem::Failure;

/// The parameters of a list of links.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LinksQuery {
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    after: Option<LinkName>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<Whole<LIST_PAGE_MAX>>,
}

/// Lists the links with their displayed amounts.
#[utoipa::path(
    get,
    path = "/v1/links",
    operation_id = "list_links",
    tag = "links",
    security(()),
    params(LinksQuery),
    responses((status = 200, description = "A page of links", body = LinkPage), PublicProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    QueryOf(query): QueryOf<LinksQuery>,
) -> Result<Json<LinkPage>, Failure> {
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0);
    let after = query.after.as_deref();
    let page = shared.engine.links(after, limit).await?;
    Ok(Json(LinkPage {
        links: page.items.iter().map(listed_link).collect(),
        more: page.next.is_some(),
        next: page.next.map(Text),
    }))
}
