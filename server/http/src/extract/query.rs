//! What stands behind the question mark: known names, each at most once.
//!
//! # What bounds it
//! [`JOURNAL_PAGE_MAX`] entries, [`HITS_PAGE_MAX`] hits or [`LIST_PAGE_MAX`] of another list a page; the server bounds the length of an address.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use meterhouse_domain::ids::Timestamp;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::timestamp;
use meterhouse_edge::value::shown;
use meterhouse_edge::wire_error::EdgeError;

use crate::problem::Failure;

/// Entries of a page where the caller names no limit.
pub const PAGE_DEFAULT: u32 = 100;
/// Entries of the longest page of a journal: some hundred kilobytes of JSON, and what the store reads at once.
pub const JOURNAL_PAGE_MAX: u32 = 500;
/// Hits of the longest page: each has a payout a seat. What the store reads at once.
pub const HITS_PAGE_MAX: u32 = 200;

/// Entries of the longest page of links, tables, paytables or proposals.
pub(crate) const LIST_PAGE_MAX: u32 = 200;

/// Hits that have to be at hand for each level (CONFORMANCE 62).
pub const LAST_HITS: u32 = 25;

const _: () = assert!(PAGE_DEFAULT <= HITS_PAGE_MAX && PAGE_DEFAULT <= JOURNAL_PAGE_MAX);
const _: () = assert!(PAGE_DEFAULT <= LIST_PAGE_MAX);

/// The parameters of a request.
pub(crate) struct Query(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let pairs = axum::extract::Query::<Vec<(String, String)>>::from_request_parts(parts, state);
        if let Ok(axum::extract::Query(pairs)) = pairs.await {
            return Ok(Self(pairs));
        }
        let sent = shown(parts.uri.query().unwrap_or_default());
        Err(EdgeError::new(EdgeCode::InvalidParameter)
            .with("query", sent)
            .into())
    }
}

impl Query {
    /// Refuses every parameter that is not among these, and any that comes twice.
    pub(crate) fn only(self, known: &[&str]) -> Result<Self, EdgeError> {
        for (index, (name, _)) in self.0.iter().enumerate() {
            let refused = |detail: String| {
                EdgeError::because(EdgeCode::InvalidParameter, detail)
                    .with("parameter", shown(name))
            };
            if !known.contains(&name.as_str()) {
                let known = if known.is_empty() {
                    "none".to_owned()
                } else {
                    known.join(", ")
                };
                return Err(refused(format!(
                    "unknown parameter; this path knows {known}"
                )));
            }
            if self.0.iter().take(index).any(|(other, _)| other == name) {
                return Err(refused(format!("{name} comes twice; write it once")));
            }
        }
        Ok(self)
    }

    /// The value of a parameter, read by `read`.
    pub(crate) fn get<T>(
        &self,
        name: &str,
        read: impl FnOnce(&str, &str) -> Result<T, EdgeError>,
    ) -> Result<Option<T>, EdgeError> {
        let value = self.0.iter().find(|(known, _)| known == name);
        value.map(|(_, value)| read(name, value)).transpose()
    }

    /// How many entries a page may have, at most `most`; [`PAGE_DEFAULT`] if left out.
    pub(crate) fn limit(&self, most: u32) -> Result<u32, EdgeError> {
        self.limit_or(most, PAGE_DEFAULT)
    }

    /// How many entries a page may have, at most `most`; so many if left out.
    pub(crate) fn limit_or(&self, most: u32, otherwise: u32) -> Result<u32, EdgeError> {
        let limit = self.get("limit", |name, text| {
            let number = text.parse().ok().filter(|it| (1..=most).contains(it));
            number.ok_or_else(|| {
                let detail = format!("limit is a whole number from 1 to {most}");
                EdgeError::because(EdgeCode::InvalidParameter, detail).with(name, shown(text))
            })
        });
        Ok(limit?.unwrap_or(otherwise))
    }

    /// A moment.
    pub(crate) fn moment(&self, name: &str) -> Result<Option<Timestamp>, EdgeError> {
        self.get(name, timestamp::parse)
    }
}

#[cfg(test)]
mod tests {
    use meterhouse_edge::value;

    use super::*;

    fn query(pairs: &[(&str, &str)]) -> Query {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Query(pairs.iter().map(owned).collect())
    }

    #[test]
    fn unknown_and_repeated_parameters_are_named() {
        let code = |pairs: &[(&str, &str)]| {
            query(pairs)
                .only(&["after", "limit"])
                .err()
                .map(|it| (it.code, it.detail))
        };
        assert_eq!(code(&[("after", "1"), ("limit", "2")]), None);
        let (unknown, detail) = code(&[("page", "2")]).expect("unknown");
        assert_eq!(unknown, EdgeCode::InvalidParameter);
        assert_eq!(detail, "unknown parameter; this path knows after, limit");
        assert!(code(&[("after", "1"), ("after", "1")]).is_some());
    }

    #[test]
    fn a_limit_has_a_default_and_a_bound() {
        assert_eq!(query(&[]).limit(HITS_PAGE_MAX), Ok(PAGE_DEFAULT));
        assert_eq!(query(&[("limit", "500")]).limit(JOURNAL_PAGE_MAX), Ok(500));
        for text in ["", "0", "201", "-1", "x", "1.0"] {
            let error = query(&[("limit", text)])
                .limit(HITS_PAGE_MAX)
                .expect_err("no limit");
            assert_eq!(error.code, EdgeCode::InvalidParameter, "{text:?}");
        }
    }

    #[test]
    fn a_value_is_read_by_its_kind() {
        let query = query(&[("after", "12.3"), ("from", "today")]);
        assert!(
            query
                .get("after", value::position)
                .is_ok_and(|it| it.is_some())
        );
        assert!(
            query
                .get("until", value::position)
                .is_ok_and(|it| it.is_none())
        );
        assert_eq!(
            query.moment("from").map_err(|it| it.code),
            Err(EdgeCode::InvalidTime)
        );
    }
}
