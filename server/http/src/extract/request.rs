//! The body of a write: one JSON object, read strictly as a [`Request`].
//!
//! # Shape
//! A body is read once. If that fails, it is read again with the path of every field, so that the error names the field.
//!
//! # Limits
//! [`BODY_BYTES_MAX`], received within [`BODY_WAIT_MAX`]. `serde_json` refuses more than 128 levels of nesting.

mod unreadable;

use core::fmt;
use std::borrow::Cow;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::extract::{FromRequest, Request as HttpRequest};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use bytes::{Bytes, BytesMut};
use hyper::body::Body as HttpBody;
use meterhouse_api::request::Request;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value::shown;
use meterhouse_edge::wire_error::EdgeError;
use serde::Deserializer;
use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};

use self::unreadable::{Tracked, explained};
use crate::problem::Failure;

/// Maximum size of a body: sixteen times a coin-in of a full table with players named.
pub const BODY_BYTES_MAX: usize = 64 * 1_024;
/// Maximum time in which a body is received: half of the whole request's.
const BODY_WAIT_MAX: Duration = Duration::from_secs(5);
/// Name of what is parsed, in errors over HTTP.
pub(crate) const THE_BODY: &str = "the body";

const _: () = assert!(BODY_WAIT_MAX.as_secs() < crate::deadline::WAIT_MAX.as_secs());

/// A body.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: Request, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: HttpRequest, _: &S) -> Result<Self, Failure> {
        check_media_type(request.headers())?;
        check_length(request.headers())?;
        Ok(Self(parse(THE_BODY, &receive(request.into_body()).await?)?))
    }
}

/// A body that may be left out.
pub(crate) struct OptionalBody<T>(pub(crate) Option<T>);

impl<T: Request, S: Send + Sync> FromRequest<S> for OptionalBody<T> {
    type Rejection = Failure;

    async fn from_request(request: HttpRequest, _: &S) -> Result<Self, Failure> {
        check_length(request.headers())?;
        let checked = check_media_type(request.headers());
        let bytes = receive(request.into_body()).await?;
        if bytes.is_empty() {
            return Ok(Self(None));
        }
        checked?;
        Ok(Self(Some(parse(THE_BODY, &bytes)?)))
    }
}

fn check_media_type(headers: &HeaderMap) -> Result<(), EdgeError> {
    let sent = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    if sent.is_some_and(is_json) {
        return Ok(());
    }
    let sent = shown(sent.unwrap_or_default());
    Err(EdgeError::new(EdgeCode::UnsupportedMediaType).with("content-type", sent))
}

/// Refuses a body whose announced length is too large, before it is received.
fn check_length(headers: &HeaderMap) -> Result<(), EdgeError> {
    let announced = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    let announced = announced.and_then(|text| text.parse::<usize>().ok());
    if announced.is_some_and(|length| length > BODY_BYTES_MAX) {
        return Err(EdgeError::new(EdgeCode::BodyTooLarge));
    }
    Ok(())
}

/// Returns true for `application/json`, with or without parameters, and for its subtypes.
fn is_json(media_type: &str) -> bool {
    let essence = media_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    essence == "application/json"
        || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// Receives a body of JSON.
///
/// # Errors
/// `body_too_large`, `body_too_slow`, or `malformed_body` if it ends too early.
pub(crate) async fn receive(body: impl HttpBody<Data = Bytes> + Unpin) -> Result<Bytes, EdgeError> {
    receive_at_most(body, BODY_BYTES_MAX, EdgeCode::BodyTooLarge).await
}

/// Receives a body of at most `most` bytes. A larger one is refused with `too_large`.
///
/// # Errors
/// `too_large`, `body_too_slow`, or `malformed_body` if it ends too early.
pub(crate) async fn receive_at_most(
    body: impl HttpBody<Data = Bytes> + Unpin,
    most: usize,
    too_large: EdgeCode,
) -> Result<Bytes, EdgeError> {
    let received = tokio::time::timeout(BODY_WAIT_MAX, receive_all(body, most, too_large)).await;
    received.map_err(|_| EdgeError::new(EdgeCode::BodyTooSlow))?
}

async fn receive_all(
    mut body: impl HttpBody<Data = Bytes> + Unpin,
    most: usize,
    too_large: EdgeCode,
) -> Result<Bytes, EdgeError> {
    let mut bytes = BytesMut::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let broken = |_| EdgeError::because(EdgeCode::MalformedBody, "the body ended too early");
        // Trailers are no part of the body.
        let Ok(chunk) = frame.map_err(broken)?.into_data() else {
            continue;
        };
        if bytes.len() + chunk.len() > most {
            return Err(EdgeError::new(too_large));
        }
        if bytes.is_empty() && body.is_end_stream() {
            return Ok(chunk);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.freeze())
}

/// Parses a text of JSON that errors call `source`, such as `the body`.
///
/// # Errors
/// `malformed_body`, `unknown_field`, or the code of a wrong value; with the place and the field.
pub fn parse<T: Request>(source: &str, bytes: &[u8]) -> Result<T, EdgeError> {
    let variant = match T::TAG {
        Some(tag) => find_variant::<T>(source, tag, bytes)?,
        None => "",
    };
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let read = T::read(variant, &mut json).and_then(|body| json.end().map(|()| body));
    read.map_err(|error| {
        let again = |tracked: Tracked<'_, '_>| T::read(variant, tracked).err();
        explained(source, bytes, &error, again)
    })
}

/// Returns the name of a union's variant.
fn find_variant<T: Request>(
    source: &str,
    tag: &'static str,
    bytes: &[u8],
) -> Result<&'static str, EdgeError> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let found = json.deserialize_map(VariantVisitor(tag, T::VARIANTS));
    let found = found.map_err(|error| {
        let again = |tracked: Tracked<'_, '_>| {
            let visitor = VariantVisitor(tag, T::VARIANTS);
            tracked.deserialize_map(visitor).err()
        };
        explained(source, bytes, &error, again)
    })?;
    let known = || T::VARIANTS.join(", ");
    match found {
        Found::Variant(variant) => {
            let mut variants = T::VARIANTS.iter();
            if let Some(found) = variants.find(|known| **known == variant) {
                return Ok(found);
            }
            let sent = shown(&variant);
            let detail = format!("{tag}: {sent:?} is not valid: write one of {}", known());
            Err(EdgeError::because(EdgeCode::InvalidValue, detail).with(tag, sent))
        }
        Found::Key(key) => {
            let detail = format!(
                "unknown field `{key}`: write \"{tag}\": \"{key}\", and the fields of {key} next to it"
            );
            Err(EdgeError::because(EdgeCode::UnknownField, detail).with("field", key))
        }
        Found::Nothing => {
            let detail = format!("{tag} is missing: write one of {}", known());
            Err(EdgeError::because(EdgeCode::MalformedBody, detail).with("field", tag))
        }
    }
}

/// The result of the search for a union's variant.
enum Found {
    /// Value of the tag.
    Variant(String),
    /// Without a tag: the name of a variant as a field.
    Key(String),
    /// Neither.
    Nothing,
}

/// Finds the tag of an object, with the names of all variants.
struct VariantVisitor(&'static str, &'static [&'static str]);

impl<'de> Visitor<'de> for VariantVisitor {
    type Value = Found;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Found, A::Error> {
        let Self(tag, variants) = self;
        let mut found = Found::Nothing;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            if key != tag {
                map.next_value::<IgnoredAny>()?;
                if variants.contains(&&*key) && matches!(found, Found::Nothing) {
                    found = Found::Key(key.into_owned());
                }
            } else if matches!(found, Found::Variant(_)) {
                return Err(A::Error::duplicate_field(tag));
            } else {
                found = Found::Variant(map.next_value()?);
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests;
