//! The pages in the binary: the overhead display with every link's meters and hits, the sign of one link, the pages for staff,
//! and the manual.
//!
//! # Shape
//! `page/` contains plain HTML, CSS and ES modules, without a build step; `page/built/` is built from `client/`, and committed,
//! so that the server is built without Node. The pages request nothing from other hosts, because casino networks are closed.
//! The display reads `GET /v1/links` and each link's feed, as any other display would. The sign reads the feed of its link. The
//! manual reads `GET /v1/manual`.
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

/// Returns a router that serves the display at `/`, the sign of a link at `/sign/{link}`, the floor console at `/floor`, the
/// keypad of a table at `/table/{table}`, the office at `/office`, the manual at `/manual` and `/manual/{game}`, and their files at `/assets/{file}` and `/built/{file}`.
///
/// The router has neither state nor a fallback, so that it merges into any other router.
pub fn router() -> Router {
    Router::new()
        .route("/", get(index))
        .route("/sign/{link}", get(sign))
        .route("/floor", get(floor))
        .route("/table/{table}", get(keypad))
        .route("/office", get(office))
        .route("/office/{*view}", get(office))
        .route("/manual", get(manual))
        .route("/manual/", get(manual))
        .route("/manual/{game}", get(manual))
        .route("/assets/{file}", get(asset))
        .route("/built/{file}", get(built))
}

async fn index(request: HeaderMap) -> Response {
    embedded::answer("index.html", &request)
}

async fn sign(request: HeaderMap) -> Response {
    embedded::answer("built/sign.html", &request)
}

async fn floor(request: HeaderMap) -> Response {
    embedded::answer("built/floor.html", &request)
}

async fn keypad(request: HeaderMap) -> Response {
    embedded::answer("built/keypad.html", &request)
}

async fn office(request: HeaderMap) -> Response {
    embedded::answer("built/office.html", &request)
}

async fn manual(request: HeaderMap) -> Response {
    embedded::answer("manual.html", &request)
}

async fn asset(Path(file): Path<String>, request: HeaderMap) -> Response {
    embedded::answer(&format!("assets/{file}"), &request)
}

async fn built(Path(file): Path<String>, request: HeaderMap) -> Response {
    embedded::answer(&format!("built/{file}"), &request)
}
