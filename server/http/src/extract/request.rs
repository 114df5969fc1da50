//! The body of a write: one JSON object, read strictly as a [`Request`].
//!
//! # Shape
//! A body is read once. If that fails, it is read again with the path of every field, so that the error names the field.
//!
//! # Limits
//! [`BODY_BYTES_MAX`], received within [`BODY_WAIT_MAX`]. `serde_json` refuses more than 128 levels of nesting.

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
use meterhouse_api::text::InvalidValue;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value::{self, shown};
use meterhouse_edge::wire_error::EdgeError;
use serde::Deserializer;
use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Error, Value};
use serde_path_to_error::{Path, Segment, Track};

use crate::problem::Failure;

/// Maximum size of a body: sixteen times a coin-in of a full table with players named.
pub const BODY_BYTES_MAX: usize = 64 * 1_024;
/// Maximum time in which a body is received: half of the whole request's.
const BODY_WAIT_MAX: Duration = Duration::from_secs(5);
/// Maximum number of characters of a parser's message that an error repeats: enough for the longest list of known fields.
const MESSAGE_MAX: usize = 512;
/// Integer types in serde's messages, with their maximum.
const INTEGERS: [(&str, u64); 3] = [
    ("u8", u8::MAX as u64),
    ("u32", u32::MAX as u64),
    ("u64", u64::MAX),
];

const _: () = assert!(BODY_WAIT_MAX.as_secs() < crate::deadline::WAIT_MAX.as_secs());

/// A body.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: Request, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: HttpRequest, _: &S) -> Result<Self, Failure> {
        check_media_type(request.headers())?;
        check_length(request.headers())?;
        Ok(Self(parse(&receive(request.into_body()).await?)?))
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
        Ok(Self(Some(parse(&bytes)?)))
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

/// Parses a body.
///
/// # Errors
/// `malformed_body`, `unknown_field`, or the code of a wrong value; with the place and the field.
pub fn parse<T: Request>(bytes: &[u8]) -> Result<T, EdgeError> {
    let variant = match T::TAG {
        Some(tag) => find_variant::<T>(tag, bytes)?,
        None => "",
    };
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let read = T::read(variant, &mut json).and_then(|body| json.end().map(|()| body));
    read.map_err(|error| explained::<T>(variant, bytes, &error))
}

/// Returns the error of a body with the path of its field.
fn explained<T: Request>(variant: &str, bytes: &[u8], error: &Error) -> EdgeError {
    let mut track = Track::new();
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let tracked = serde_path_to_error::Deserializer::new(&mut json, &mut track);
    let failed = T::read(variant, tracked).err();
    let path = track.path();
    let body = serde_json::from_slice(bytes).unwrap_or_default();
    refused(failed.as_ref().unwrap_or(error), &path, &body)
}

/// Returns the error for a parser's error at a path.
fn refused(error: &Error, path: &Path, body: &Value) -> EdgeError {
    let place = format!("line {} column {}", error.line(), error.column());
    let whole = error.to_string();
    let message: String = whole
        .strip_suffix(&format!(" at {place}"))
        .unwrap_or(&whole)
        .chars()
        .take(MESSAGE_MAX)
        .collect();
    let data = matches!(error.classify(), Category::Data);
    if data && let Some(field) = unknown_field(&message) {
        let detail = format_args!("{message}, at {place}");
        let error = EdgeError::because(EdgeCode::UnknownField, detail);
        return error.with("field", shown(field)).with("place", place);
    }
    if data && let Some(error) = wrong_value(&message, path, body) {
        return error;
    }
    let detail = if data {
        let at = field_of(path).map_or_else(String::new, |field| format!("{field}: "));
        format!("{at}{message}, at {place}")
    } else {
        format!("the body is not one JSON value: {message}, at {place}")
    };
    EdgeError::because(EdgeCode::MalformedBody, detail).with("place", place)
}

/// Returns the error of a value that is not one of its field, if the message is about a value.
fn wrong_value(message: &str, path: &Path, body: &Value) -> Option<EdgeError> {
    let field = field_of(path)?;
    let sent = sent_value(path, body);
    if let Some(invalid) = InvalidValue::from_message(message) {
        EdgeCode::from_code(&invalid.code)?;
        return Some(value::refused(&field, &sent, &invalid));
    }
    let is_wrong = message.starts_with("invalid type: ") || message.starts_with("invalid value: ");
    let (_, expected) = message.rsplit_once(", expected ")?;
    let (_, most) = INTEGERS.iter().find(|(name, _)| *name == expected)?;
    let detail = format!("{field} is a whole number from 0 to {most}, not {sent}");
    is_wrong.then(|| EdgeError::because(EdgeCode::InvalidValue, detail).with(&field, sent))
}

/// Returns the path as a field: `wagers[0].amount`; `None` for the whole body.
fn field_of(path: &Path) -> Option<String> {
    let field = path.to_string();
    (field != ".").then_some(field)
}

/// Returns the value at a path, as an error repeats it.
fn sent_value(path: &Path, body: &Value) -> String {
    let at = path.iter().try_fold(body, |value, segment| match segment {
        Segment::Seq { index } => value.get(index),
        Segment::Map { key } => value.get(key),
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    match at {
        Some(Value::String(text)) => shown(text),
        Some(value) => shown(&value.to_string()),
        None => String::new(),
    }
}

/// Returns the field in serde's message about an unknown one.
fn unknown_field(message: &str) -> Option<&str> {
    let rest = message.strip_prefix("unknown field `")?;
    Some(rest.split_once("`, ").map_or(rest, |(field, _)| field))
}

/// Returns the name of a union's variant.
fn find_variant<T: Request>(tag: &'static str, bytes: &[u8]) -> Result<&'static str, EdgeError> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let found = json.deserialize_map(VariantVisitor(tag, T::VARIANTS));
    let found = found.map_err(|error| {
        let (path, body) = (Track::new().path(), Value::Null);
        refused(&error, &path, &body)
    })?;
    let known = || T::VARIANTS.join(", ");
    match found {
        Found::Variant(variant) => {
            let mut variants = T::VARIANTS.iter();
            if let Some(found) = variants.find(|known| **known == variant) {
                return Ok(found);
            }
            let known = known();
            let detail = format!("{tag} is one of {known}");
            Err(EdgeError::because(EdgeCode::InvalidValue, detail).with(tag, shown(&variant)))
        }
        Found::Key(key) => {
            let detail = format!(
                "unknown field `{key}`: write \"{tag}\": \"{key}\", and the fields of {key} next to it"
            );
            Err(EdgeError::because(EdgeCode::UnknownField, detail).with("field", key))
        }
        Found::Nothing => {
            let detail = format!("{tag} is missing: one of {}", known());
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
