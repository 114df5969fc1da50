//! The pages inside the binary: the overhead display, which shows every link's meters and hits, and the manual.
//!
//! # Shape
//! `page/` holds plain HTML, CSS and ES modules; there is no build step and nothing is asked of another host, because
//! casino networks are closed. The display reads `GET /v1/links` and each link's feed, as any other display would; the
//! manual reads `GET /v1/manual`.
//!
//! # Caching
//! Browsers ask again each time and are answered "not modified" while the file's hash is the same, so that a sign
//! never mixes the files of two versions after its server was replaced.

mod embedded;
mod headers;

use axum::Router;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;

/// Serves the display at `/`, the manual at `/manual` and `/manual/{game}`, their files at `/assets/{file}`.
///
/// It has neither state nor a fallback, so it merges into any other router.
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
