//! Parameters of the path and of the query, read as structs of the operation.
//!
//! # Shape
//! One struct an operation lists its parameters, for the handler and for the `OpenAPI` document alike. A field reads its
//! text by [`text`], an optional one by [`optional`].
//!
//! # Limits
//! [`JOURNAL_PAGE_MAX`] entries, [`HITS_PAGE_MAX`] hits or [`LIST_PAGE_MAX`] of another list a page. The server limits
//! the length of an address.

use core::fmt;
use core::str::FromStr;
use std::borrow::Cow;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use meterhouse_api::text::InvalidValue;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value::{self, shown};
use meterhouse_edge::wire_error::EdgeError;
use serde::de::value::{Error, MapDeserializer};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_path_to_error::Track;
use utoipa::IntoParams;

use crate::problem::Failure;

/// Entries of a page if the caller names no limit.
pub const PAGE_DEFAULT: u32 = 100;
/// Maximum number of entries in a page of a journal: some hundred kilobytes of JSON, and one read of the store.
pub const JOURNAL_PAGE_MAX: u32 = 500;
/// Maximum number of hits in a page: each has a payout a seat. One read of the store.
pub const HITS_PAGE_MAX: u32 = 200;
/// Maximum number of entries in a page of the other lists, such as tables or people.
pub(crate) const LIST_PAGE_MAX: u32 = 200;
/// Number of hits that have to be available for each level (CONFORMANCE 62).
pub const LAST_HITS: u32 = 25;

const _: () = assert!(PAGE_DEFAULT <= HITS_PAGE_MAX && PAGE_DEFAULT <= JOURNAL_PAGE_MAX);
const _: () = assert!(PAGE_DEFAULT <= LIST_PAGE_MAX);

/// The parameters in the path.
pub(crate) struct PathOf<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for PathOf<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let params = RawPathParams::from_request_parts(parts, state).await;
        let params = params.map_err(|_| {
            EdgeError::because(EdgeCode::InvalidName, "a name in the path is not UTF-8")
        })?;
        let pairs: Vec<(&str, &str)> = params.iter().collect();
        Ok(Self(read(&pairs)?))
    }
}

/// The parameters of the query: known names, each at most once.
pub(crate) struct QueryOf<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryOf<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let pairs = axum::extract::Query::<Vec<(String, String)>>::from_request_parts(parts, state);
        let Ok(axum::extract::Query(pairs)) = pairs.await else {
            let sent = shown(parts.uri.query().unwrap_or_default());
            let error = EdgeError::new(EdgeCode::InvalidParameter);
            return Err(error.with("query", sent).into());
        };
        let pairs: Vec<(&str, &str)> = pairs
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        Ok(Self(read(&pairs)?))
    }
}

/// The parameters of an operation without any.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct NoParameters {}

/// Reads a required parameter.
pub(crate) fn text<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = InvalidValue>,
{
    let text = <Cow<'de, str>>::deserialize(from)?;
    text.parse().map_err(D::Error::custom)
}

/// Reads an optional parameter.
pub(crate) fn optional<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = InvalidValue>,
{
    text(from).map(Some)
}

/// A whole number from 1 to `MAX`, such as the number of entries in a page.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Whole<const MAX: u32>(pub(crate) u32);

impl<const MAX: u32> FromStr for Whole<MAX> {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        whole(text, MAX).map(Self)
    }
}

/// The number of a batch or head: whole, from 1 on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ordinal(pub(crate) u64);

impl FromStr for Ordinal {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let number = text
            .parse()
            .ok()
            .filter(|number| *number >= 1 && i64::try_from(*number).is_ok());
        number.map(Self).ok_or_else(|| {
            let detail = format_args!("write a whole number from 1 to {}", i64::MAX).to_string();
            InvalidValue::new(EdgeCode::InvalidParameter.code(), detail)
        })
    }
}

/// A parameter that is `true` or `false`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Switch(pub(crate) bool);

impl FromStr for Switch {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        text.parse().map(Self).map_err(|_| {
            let code = EdgeCode::InvalidParameter.code();
            InvalidValue::new(code, "write true or false")
        })
    }
}

/// A text that the operation itself reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlainText(pub(crate) String);

impl FromStr for PlainText {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        Ok(Self(text.to_owned()))
    }
}

fn whole(text: &str, most: u32) -> Result<u32, InvalidValue> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| {
        let detail = format_args!("write a whole number from 1 to {most}").to_string();
        InvalidValue::new(EdgeCode::InvalidParameter.code(), detail)
    })
}

/// Reads the parameters of an operation.
fn read<T: DeserializeOwned>(pairs: &[(&str, &str)]) -> Result<T, EdgeError> {
    let mut track = Track::new();
    let map = MapDeserializer::new(pairs.iter().copied());
    let tracked = serde_path_to_error::Deserializer::new(map, &mut track);
    let read: Result<T, Error> = T::deserialize(tracked);
    read.map_err(|error| {
        let field = track.path().to_string();
        refused(&error.to_string(), &field, pairs)
    })
}

fn refused(message: &str, field: &str, pairs: &[(&str, &str)]) -> EdgeError {
    let quoted = |text: &str| text.split('`').nth(1).map(str::to_owned);
    let wrong = |name: &str, detail: fmt::Arguments<'_>| {
        EdgeError::because(EdgeCode::InvalidParameter, detail).with("parameter", shown(name))
    };
    if let Some(invalid) = InvalidValue::from_message(message)
        && EdgeCode::from_code(&invalid.code).is_some()
    {
        let sent = pairs.iter().find(|(name, _)| *name == field);
        let sent = sent.map(|(_, value)| shown(value)).unwrap_or_default();
        return value::refused(field, &sent, &invalid);
    }
    let name = quoted(message).unwrap_or_default();
    if message.starts_with("duplicate field") {
        return wrong(&name, format_args!("{name} comes twice; write it once"));
    }
    let known: Vec<&str> = message.split('`').skip(3).step_by(2).collect();
    let known = if known.is_empty() {
        "none".to_owned()
    } else {
        known.join(", ")
    };
    wrong(
        &name,
        format_args!("unknown parameter; this path knows {known}"),
    )
}

#[cfg(test)]
mod tests {
    use meterhouse_api::values::{Position, TableName};

    use super::*;

    #[derive(Debug, PartialEq, Eq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Page {
        #[serde(default, deserialize_with = "optional")]
        after: Option<Position>,
        #[serde(default, deserialize_with = "optional")]
        limit: Option<Whole<200>>,
    }

    fn page(pairs: &[(&str, &str)]) -> Result<Page, EdgeError> {
        read(pairs)
    }

    #[test]
    fn parameters_are_read_by_their_kinds() {
        let read = page(&[("limit", "200"), ("after", "12.3")]).expect("a page");
        assert_eq!(read.limit, Some(Whole(200)));
        assert_eq!(
            read.after.map(|after| after.to_string()).as_deref(),
            Some("12.3")
        );
        let none = page(&[]).expect("a page");
        assert_eq!((none.after, none.limit), (None, None));
    }

    #[test]
    fn unknown_and_repeated_parameters_are_named() {
        let error = page(&[("page", "2")]).expect_err("unknown");
        assert_eq!(error.code, EdgeCode::InvalidParameter);
        assert_eq!(
            error.detail,
            "unknown parameter; this path knows after, limit"
        );
        assert_eq!(error.fields, [("parameter".to_owned(), "page".to_owned())]);
        let error = page(&[("after", "1"), ("after", "1")]).expect_err("twice");
        assert_eq!(error.detail, "after comes twice; write it once");
        let error = read::<NoParameters>(&[("x", "1")])
            .map(|_| ())
            .expect_err("unknown");
        assert_eq!(error.detail, "unknown parameter; this path knows none");
    }

    #[test]
    fn a_wrong_value_is_named_with_its_parameter() {
        for text in ["", "0", "201", "-1", "x", "1.0"] {
            let error = page(&[("limit", text)]).expect_err("no limit");
            assert_eq!(error.detail, "limit: write a whole number from 1 to 200");
            assert_eq!(error.code, EdgeCode::InvalidParameter, "{text:?}");
            assert_eq!(error.fields, [("limit".to_owned(), text.to_owned())]);
        }
        let error = page(&[("after", "x.y")]).expect_err("no position");
        assert_eq!(error.code, EdgeCode::InvalidParameter);
    }

    #[test]
    fn a_name_in_a_path_has_the_code_of_names() {
        #[derive(Deserialize)]
        struct One {
            #[serde(deserialize_with = "text")]
            table: TableName,
        }
        let one: One = read(&[("table", "C4P-07")]).expect("a name");
        assert_eq!(one.table.as_str(), "C4P-07");
        let error = read::<One>(&[("table", "a b")])
            .map(|_| ())
            .expect_err("no name");
        assert_eq!(error.code, EdgeCode::InvalidName);
    }
}
