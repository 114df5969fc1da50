//! The pages in the binary: the overhead display with every link's meters and hits, and the manual.
//!
//! # Shape
//! `page/` contains plain HTML, CSS and ES modules, without a build step. The pages request nothing
//! from other hosts, because casino networks are closed. The display reads `GET /v1/links` and each
//! link's feed, as any other display would. The manual reads `GET /v1/manual`.
//!
//! # Caching
//! Browsers revalidate each file and receive "not modified" while its hash is the same. A sign
//! therefore never mixes the files of two versions after its server was replaced.

mod embedded;
mod headers;

use axum::Router;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;

/// Returns a router that serves the display at `/`, the manual at `/manual` and `/manual/{game}`,
/// and their files at `/assets/{file}`.
///
/// The router has neither state nor a fallback, so that it merges into any other router.
pub fn router() -> Router {
    Router::new()
        .route("/", get(index))
        .route("/manual", get(manual))
        .route("/manual/", get(manual))
        .route("/manual/{game}", get(manual))
        .route("/assets/{file}", get(asset))
}

async fn index(request: HeaderMap) -> Response {
    embedded::answer("index.html", &request)
}

async fn manual(request: HeaderMap) -> Response {
    embedded::answer("manual.html", &request)
}

async fn asset(Path(file): Path<String>, request: HeaderMap) -> Response {
    embedded::answer(&format!("assets/{file}"), &request)
}
