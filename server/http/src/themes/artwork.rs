//! `PUT` and `DELETE /v1/themes/{theme}/artwork/{artwork}`, and `GET /v1/artwork/{digest}`: the pictures of themes.
//!
//! # Caching
//! The address of a picture is its digest: what is there never changes.

use axum::extract::State;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse as _, Response};
use meterhouse_api::theme::{ArtworkFile, HouseTheme};
use meterhouse_domain::theme;
use meterhouse_edge::authorize;
use meterhouse_engine::answer::Idempotent;

use super::picture::{MEDIA_TYPE, Sent, remade};
use super::view::house_theme;
use crate::caller::Authenticated;
use crate::document::{ArtworkProblems, PublicProblems, WriteProblems};
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::{ArtworkPath, ThemeArtworkPath};
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// Opened by itself, a picture may do nothing.
const SANDBOX: &str = "default-src 'none'; sandbox";

/// Gives a theme a picture.
///
/// The body is the file: PNG, JPEG or WebP, told by its first bytes. The server decodes it, and keeps what it encodes
/// anew: nothing of the file but its pixels. Signs follow within a second.
#[utoipa::path(
    put,
    path = "/v1/themes/{theme}/artwork/{artwork}",
    operation_id = "put_artwork",
    tag = "themes",
    security(("token" = [])),
    params(ThemeArtworkPath),
    request_body(content = inline(ArtworkFile), content_type = "application/octet-stream"),
    responses(
        (status = 201, description = "The theme has the picture", body = HouseTheme),
        (status = 200, description = "It had it before", body = HouseTheme,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        ArtworkProblems,
    ),
)]
pub(crate) async fn put(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(ThemeArtworkPath { theme, artwork }): PathOf<ThemeArtworkPath>,
    Sent(bytes): Sent,
) -> Result<Written<HouseTheme>, Failure> {
    authorize::configure(&caller)?;
    // A theme that does not exist costs no decoding.
    drop(shared.engine.theme(&theme).await?);
    let new = remade(bytes, artwork.0).await?;
    let set = shared
        .engine
        .set_artwork(&caller.person, (&theme, artwork.0), Some(new));
    Ok(written(&set.await?))
}

/// Takes a picture from a theme.
#[utoipa::path(
    delete,
    path = "/v1/themes/{theme}/artwork/{artwork}",
    operation_id = "remove_artwork",
    tag = "themes",
    security(("token" = [])),
    params(ThemeArtworkPath),
    responses(
        (status = 201, description = "The theme has no such picture any more", body = HouseTheme),
        (status = 200, description = "It had none before", body = HouseTheme,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn remove(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(ThemeArtworkPath { theme, artwork }): PathOf<ThemeArtworkPath>,
) -> Result<Written<HouseTheme>, Failure> {
    authorize::configure(&caller)?;
    let set = shared
        .engine
        .set_artwork(&caller.person, (&theme, artwork.0), None);
    Ok(written(&set.await?))
}

/// Reads a picture: WebP, under an address that never changes its content.
#[utoipa::path(
    get,
    path = "/v1/artwork/{digest}",
    operation_id = "read_artwork",
    tag = "themes",
    security(()),
    params(ArtworkPath),
    responses(
        (status = 200, description = "The picture, as image/webp"),
        (status = 304, description = "The picture that the header If-None-Match names"),
        PublicProblems,
    ),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    headers: HeaderMap,
    PathOf(ArtworkPath { digest }): PathOf<ArtworkPath>,
    _: QueryOf<NoParameters>,
) -> Result<Response, Failure> {
    let tag = format!("\"{}\"", hex::encode(digest.0));
    let bytes = shared.engine.artwork(digest.0).await?;
    let sent = headers
        .get(IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok());
    let common: [(HeaderName, String); 3] = [
        (ETAG, tag.clone()),
        (CACHE_CONTROL, IMMUTABLE.to_owned()),
        (CONTENT_SECURITY_POLICY, SANDBOX.to_owned()),
    ];
    if sent.is_some_and(|sent| sent.split(',').any(|one| one.trim() == tag)) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let typed = [(CONTENT_TYPE, MEDIA_TYPE)];
    Ok((common, typed, bytes).into_response())
}

fn written(set: &Idempotent<theme::HouseTheme>) -> Written<HouseTheme> {
    Written {
        body: house_theme(&set.value),
        replayed: set.replayed,
    }
}
