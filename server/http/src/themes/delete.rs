//! `DELETE /v1/themes/{theme}`: deletes a theme that no link uses.

use axum::extract::State;
use meterhouse_api::theme::DeletedTheme;
use meterhouse_edge::authorize;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::ThemePath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Deletes a theme with its artwork.
///
/// A theme that a link presents itself by is not deleted: choose another one for the link first.
#[utoipa::path(
    delete,
    path = "/v1/themes/{theme}",
    operation_id = "delete_theme",
    tag = "themes",
    security(("token" = [])),
    params(ThemePath),
    responses(
        (status = 201, description = "Deleted", body = DeletedTheme),
        (status = 200, description = "Deleted before", body = DeletedTheme,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn delete(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(ThemePath { theme }): PathOf<ThemePath>,
) -> Result<Written<DeletedTheme>, Failure> {
    authorize::configure(&caller)?;
    let deleted = shared.engine.delete_theme(&caller.person, &theme).await?;
    Ok(Written {
        body: DeletedTheme { theme },
        replayed: deleted.replayed,
    })
}
