//! Themes of the house: looks of signs that a manager makes, and their artwork.

mod artwork;
mod delete;
mod list;
mod picture;
mod put;
mod read;
mod view;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::options::Shared;

/// Returns the operations on themes.
pub(crate) fn operations() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(list::list))
        .routes(routes!(read::read, put::put, delete::delete))
        .routes(routes!(artwork::put, artwork::remove))
        .routes(routes!(artwork::read))
}
