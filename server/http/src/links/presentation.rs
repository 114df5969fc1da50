//! `PUT /v1/links/{link}/presentation`: how the signs of a link present it.

use axum::extract::State;
use meterhouse_api::presentation::{PresentLinkRequest, PresentedLink};
use meterhouse_domain::presentation::{Celebration, LinkPresentation};
use meterhouse_edge::authorize;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::LinkPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::value::link_presentation;
use crate::replay::Written;

/// Presents a link on its signs: a name, the time of the celebration, a look and a language.
///
/// The body is the whole presentation: what it leaves out is no longer chosen. It touches no money, and is in the record
/// of acts, not in the journal. Signs follow within a second, on every node.
#[utoipa::path(
    put,
    path = "/v1/links/{link}/presentation",
    operation_id = "present_link",
    tag = "links",
    security(("token" = [])),
    params(LinkPath),
    request_body = PresentLinkRequest,
    responses(
        (status = 201, description = "Presented", body = PresentedLink),
        (status = 200, description = "Presented so before", body = PresentedLink,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn present(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    JsonBody(body): JsonBody<PresentLinkRequest>,
) -> Result<Written<PresentedLink>, Failure> {
    authorize::configure(&caller)?;
    let new = LinkPresentation {
        name: body.name.map(|name| name.0),
        celebration: body.celebration.map_or(Celebration::Validation, |at| at.0),
        theme: body.theme.map(|theme| theme.0),
        theme_version: None,
        locale: body.locale.map(|locale| locale.0),
    };
    let presented = shared.engine.present_link(&caller.person, &link, new);
    let presented = presented.await?;
    Ok(Written {
        body: PresentedLink {
            link,
            presentation: link_presentation(&presented.value),
        },
        replayed: presented.replayed,
    })
}
