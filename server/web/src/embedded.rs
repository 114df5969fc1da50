//! The embedded files of the page.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::headers::secured;

/// The files of the page, by their paths below `page/`.
#[derive(RustEmbed)]
#[folder = "page"]
struct Page;

/// Length in bytes of the hash in an entity tag: the size of a `u128`.
const TAG_BYTES: usize = 16;

/// The header that lets a worker answer for addresses outside its own folder (Service Workers, "Service-Worker-Allowed").
const SERVICE_WORKER_ALLOWED: HeaderName = HeaderName::from_static("service-worker-allowed");

/// The workers of the pages, and the addresses that each may answer for.
const WORKERS: [(&str, &str); 2] = [
    ("built/floor-worker.js", "/floor"),
    ("built/keypad-worker.js", "/table/"),
];

/// Returns a file, "not modified" if the browser has it, or a short 404.
pub(crate) fn answer(path: &str, request: &HeaderMap) -> Response {
    secured(match Page::get(path) {
        Some(file) => found(path, file, request),
        None => (StatusCode::NOT_FOUND, "no such file\n").into_response(),
    })
}

fn found(path: &str, file: EmbeddedFile, request: &HeaderMap) -> Response {
    let tag = entity_tag(&file);
    let unchanged = request
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| names(value, &tag));
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut full = Response::new(Body::from(file.data));
        full.headers_mut()
            .insert(CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
        full
    };
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Some((_, scope)) = WORKERS.iter().find(|(worker, _)| *worker == path) {
        response
            .headers_mut()
            .insert(SERVICE_WORKER_ALLOWED, HeaderValue::from_static(scope));
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(ETAG, tag);
    }
    response
}

/// Returns `true` if an `If-None-Match` contains this tag, strong or weak (RFC 9110, 13.1.2).
fn names(value: &str, tag: &str) -> bool {
    value
        .split(',')
        .map(str::trim)
        .any(|listed| listed == "*" || listed.trim_start_matches("W/") == tag)
}

/// Returns the strong entity tag of a file: the beginning of its hash, in quotes.
fn entity_tag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let beginning = hash
        .iter()
        .take(TAG_BYTES)
        .fold(0_u128, |tag, byte| tag << 8 | u128::from(*byte));
    format!("\"{beginning:032x}\"")
}

/// Returns the content type of a file.
fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("png") => "image/png",
        Some("txt") => "text/plain; charset=utf-8",
        Some("woff2") => "font/woff2",
        Some(_) | None => "application/octet-stream",
    }
}
