//! The body of a write: one JSON object, strictly.
//!
//! # What bounds it
//! [`BODY_BYTES_MAX`], read within [`BODY_WAIT_MAX`]; `serde_json` refuses more than 128 levels of nesting.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use bytes::BytesMut;
use futures_util::StreamExt;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value::shown;
use meterhouse_edge::wire_error::EdgeError;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use super::Object;
use crate::problem::Failure;

/// Bytes of the largest body: sixteen times a coin-in of a full table with players named.
pub const BODY_BYTES_MAX: usize = 64 * 1_024;
/// How long a body may take to come: half of what the whole request may.
const BODY_WAIT_MAX: Duration = Duration::from_secs(5);
/// Characters of a parser's message that an error repeats: enough for the longest list of known fields.
const MESSAGE_MAX: usize = 512;

const _: () = assert!(BODY_WAIT_MAX.as_secs() < crate::deadline::WAIT_MAX.as_secs());

/// A body as a value.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        check_headers(request.headers())?;
        let bytes = tokio::time::timeout(BODY_WAIT_MAX, read(request.into_body())).await;
        let bytes = bytes.map_err(|_| EdgeError::new(EdgeCode::BodyTooSlow))??;
        Ok(Self(parse(&bytes)?))
    }
}

/// A body that may be left out.
pub(crate) struct OptionalBody<T>(pub(crate) Option<T>);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for OptionalBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        check_length(request.headers())?;
        let checked = check_headers(request.headers());
        let bytes = tokio::time::timeout(BODY_WAIT_MAX, read(request.into_body())).await;
        let bytes = bytes.map_err(|_| EdgeError::new(EdgeCode::BodyTooSlow))??;
        if bytes.is_empty() {
            return Ok(Self(None));
        }
        checked?;
        Ok(Self(Some(parse(&bytes)?)))
    }
}

fn check_headers(headers: &HeaderMap) -> Result<(), EdgeError> {
    let text = |name| headers.get(name).and_then(|it| it.to_str().ok());
    if !text(CONTENT_TYPE).is_some_and(is_json) {
        let sent = shown(text(CONTENT_TYPE).unwrap_or_default());
        return Err(EdgeError::new(EdgeCode::UnsupportedMediaType).with("content-type", sent));
    }
    check_length(headers)
}

/// Refuses what says itself that it is too large, before it is read.
fn check_length(headers: &HeaderMap) -> Result<(), EdgeError> {
    let announced = headers.get(CONTENT_LENGTH).and_then(|it| it.to_str().ok());
    let announced = announced.and_then(|it| it.parse::<usize>().ok());
    if announced.is_some_and(|it| it > BODY_BYTES_MAX) {
        return Err(EdgeError::new(EdgeCode::BodyTooLarge));
    }
    Ok(())
}

/// `application/json`, with or without parameters, or a kind of it.
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

async fn read(body: Body) -> Result<BytesMut, EdgeError> {
    let mut chunks = body.into_data_stream();
    let mut bytes = BytesMut::new();
    while let Some(chunk) = chunks.next().await {
        let broken = |_| EdgeError::because(EdgeCode::MalformedBody, "the body ended too early");
        let chunk = chunk.map_err(broken)?;
        if bytes.len() + chunk.len() > BODY_BYTES_MAX {
            return Err(EdgeError::new(EdgeCode::BodyTooLarge));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// The value that these bytes say.
///
/// # Errors
/// `malformed_body` or `unknown_field`, with what was found and where.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, EdgeError> {
    serde_json::from_slice(bytes)
        .map(|Object(it)| it)
        .map_err(|error| refused(&error))
}

fn refused(error: &serde_json::Error) -> EdgeError {
    let place = format!(" at line {} column {}", error.line(), error.column());
    let whole = error.to_string();
    let message: String = whole
        .strip_suffix(&place)
        .unwrap_or(&whole)
        .chars()
        .take(MESSAGE_MAX)
        .collect();
    let field = unknown_field(&message);
    let error = match (error.classify(), field) {
        (Category::Data, Some(field)) => {
            EdgeError::because(EdgeCode::UnknownField, format_args!("{message},{place}"))
                .with("field", shown(field))
        }
        (Category::Data, None) => {
            EdgeError::because(EdgeCode::MalformedBody, format_args!("{message},{place}"))
        }
        (Category::Syntax | Category::Eof | Category::Io, _) => {
            let detail = format_args!("the body is not one JSON value: {message},{place}");
            EdgeError::because(EdgeCode::MalformedBody, detail)
        }
    };
    error.with("place", place.trim_start_matches(" at "))
}

/// The field in serde's message about an unknown one.
fn unknown_field(message: &str) -> Option<&str> {
    let rest = message.strip_prefix("unknown field `")?;
    Some(rest.split_once("`, ").map_or(rest, |(field, _)| field))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Eq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Pair {
        one: u8,
        two: Option<Box<Pair>>,
    }

    fn error(text: &str) -> EdgeError {
        parse::<Pair>(text.as_bytes()).expect_err("no pair")
    }

    #[test]
    fn an_unknown_field_is_named_with_the_known_ones() {
        let error = error(r#"{"one":1,"tow":2}"#);
        assert_eq!(error.code, EdgeCode::UnknownField);
        assert_eq!(error.fields[0], ("field".to_owned(), "tow".to_owned()));
        assert_eq!(
            error.detail,
            "unknown field `tow`, expected `one` or `two`, at line 1 column 14"
        );
    }

    #[test]
    fn an_object_is_read_once_for_each_field() {
        let inner = Some(Box::new(Pair { one: 2, two: None }));
        let pair = parse(br#" {"two":{"one":2},"one":1} "#);
        assert_eq!(pair, Ok(Pair { one: 1, two: inner }));
    }

    #[test]
    fn a_long_unknown_field_is_cut() {
        let error = error(&format!(r#"{{"{}":1}}"#, "x".repeat(10_000)));
        assert_eq!(error.code, EdgeCode::UnknownField);
        assert!(
            error.detail.len() < 600 && error.fields[0].1.len() == 64,
            "{error:?}"
        );
    }

    #[test]
    fn everything_else_that_is_no_such_object_is_malformed() {
        let deep = format!("{}1{}", r#"{"one":1,"two":"#.repeat(200), "}".repeat(200));
        let bodies = [
            "",
            " ",
            "x",
            "[]",
            "[1,null]",
            "null",
            "1",
            "\"one\"",
            "{}",
            r#"{"one":1"#,
            r#"{"one":1}{}"#,
            r#"{"one":1}x"#,
            r#"{"one":1,"one":1}"#,
            r#"{"one":256}"#,
            r#"{"one":1.0}"#,
            r#"{"one":"1"}"#,
            r#"{"one":1,"two":[]}"#,
            r"{'one':1}",
            "{\"one\":1,}",
            "\u{feff}{\"one\":1}",
            &deep,
        ];
        for body in bodies {
            assert_eq!(error(body).code, EdgeCode::MalformedBody, "{body}");
        }
        let bytes = parse::<Pair>(b"{\"one\":1,\"two\":\"\xff\"}").expect_err("not UTF-8");
        assert_eq!(bytes.code, EdgeCode::MalformedBody);
    }

    #[test]
    fn json_is_json_however_it_is_announced() {
        for it in [
            "application/json",
            "Application/JSON; charset=utf-8",
            "application/problem+json",
        ] {
            assert!(is_json(it), "{it}");
        }
        for it in [
            "",
            "text/plain",
            "text/json",
            "application/jsonp",
            "application/x-www-form-urlencoded",
        ] {
            assert!(!is_json(it), "{it}");
        }
    }

    #[tokio::test]
    async fn a_body_is_read_up_to_the_limit_and_no_further() {
        let full = read(Body::from(vec![b' '; BODY_BYTES_MAX]))
            .await
            .map(|it| it.len());
        assert_eq!(full, Ok(BODY_BYTES_MAX));
        let over = read(Body::from(vec![b' '; BODY_BYTES_MAX + 1])).await;
        assert_eq!(over.map_err(|it| it.code), Err(EdgeCode::BodyTooLarge));
    }
}
