//! The pages in the binary: the front page, the signs, the pages for staff, and the manual.
//!
//! # Shape
//! `page/built/` is built from `client/`, and committed, so that the server is built without Node. The manual in `page/` is plain
//! HTML, CSS and an ES module. The pages use the public API as any other client does. They request nothing from other hosts,
//! because casino networks are closed.
//!
//! # Caching
//! Browsers revalidate each file and receive "not modified" while its hash is the same. A sign
//! therefore never mixes the files of two versions after its server was replaced.
//!
//! # Workers
//! A page that has to open without the server, or to be told of something while it is closed, has a service worker,
//! `built/{page}-worker.js`, which answers for the page's addresses alone.

mod embedded;
mod headers;

use axum::Router;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;

/// Returns a router that serves the front page at `/`, the sign of a link at `/sign/{link}` and of a paired screen at `/sign`, the
/// floor console at `/floor`, the keypad of a table at `/table/{table}`, the office at `/office`, the manual at `/manual` and
/// `/manual/{game}`, and their files at `/assets/{file}` and `/built/{file}`.
///
/// The router has neither state nor a fallback, so that it merges into any other router.
pub fn router() -> Router {
    Router::new()
        .route("/", get(front))
        .route("/sign", get(sign))
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

async fn front(request: HeaderMap) -> Response {
    embedded::answer("built/front.html", &request)
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
