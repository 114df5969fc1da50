//! The short way of a table's command in its plain form: past the router, with the token that its connection showed before.
//!
//! # Shape
//! The first command of a table over a connection goes through the router. Its handler checks the token and leaves the table
//! in [`KnownTables`]. A later request of the plain form ([`PlainCommand::of`]) shows the same token for the same table, and
//! nothing in its head changes what is done with it. The functions that handle it are those that the router's handler calls.
//! Every other request goes through the router.
//!
//! # Limits
//! A token that has ended or can't be confirmed is none: the router looks it up. With
//! [`Options::origins`](crate::Options::origins) there is no short way, because their layer writes into every response.

use std::pin::pin;
use std::sync::Arc;

use axum::http::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, TRANSFER_ENCODING, UPGRADE,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri, Version};
use axum::response::{IntoResponse as _, Response};
use hyper::body::{Body as _, Incoming};
use meterhouse_api::command::CommandRequest;
use meterhouse_api::outcome::CommandResponse;
use meterhouse_api::sequence::SequenceNumber;
use meterhouse_domain::ids::Sequence;
use meterhouse_engine::held_credentials::Standing;

use crate::around::Around;
use crate::deadline::in_time;
use crate::extract::request::{BODY_BYTES_MAX, THE_BODY, parse, receive};
use crate::known_tables::{AFTER_TABLE, KnownTable, KnownTables};
use crate::observe::Route;
use crate::problem::Failure;
use crate::replay::Written;
use crate::tables::{To, carry_out, sent};
use crate::unread_body::announce_close;

/// The part of a command's path before the table.
const BEFORE_TABLE: &str = "/v1/tables/";
/// The media type of the plain form.
const JSON: &str = "application/json";

/// A command in its plain form.
pub(crate) struct PlainCommand {
    known: Arc<KnownTable>,
    sequence: Sequence,
}

impl PlainCommand {
    /// Returns the command of a request that has the plain form, and shows the token of a table that its connection knows.
    pub(crate) fn of<B>(tables: &KnownTables, request: &Request<B>) -> Option<Self> {
        if *request.method() != Method::PUT || request.version() != Version::HTTP_11 {
            return None;
        }
        let (name, sequence) = table_and_number(request.uri())?;
        let known = tables.find(name)?;
        let is_plain = shown_token(request.headers())
            .is_some_and(|authorization| known.is_shown_by(authorization))
            && known.token.standing() == Standing::Valid;
        is_plain.then_some(Self { known, sequence })
    }

    /// Carries the command out, and returns the response that the router would return.
    pub(crate) async fn respond(self, request: Request<Incoming>) -> Response {
        let around = Around::begin(&request, Route::Command);
        let mut body = request.into_body();
        let operation = async {
            let outcome = async { self.outcome(&mut body).await.into_response() };
            let mut response = in_time(&Method::PUT, pin!(outcome)).await;
            if !body.is_end_stream() {
                announce_close(&mut response);
            }
            response
        };
        let mut response = around.handled(pin!(operation)).await;
        // As the router does, after all other headers.
        if let Some(length) = response.body().size_hint().exact() {
            let headers = response.headers_mut();
            headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        }
        response
    }

    async fn outcome(&self, body: &mut Incoming) -> Result<Written<CommandResponse>, Failure> {
        let known = &*self.known;
        let request: CommandRequest = parse(THE_BODY, &receive(body).await?)?;
        let to = To {
            name: &known.name,
            game: known.table.game(),
            catalogue: &known.catalogue,
        };
        let sent = sent(request, to)?;
        let actor = known.token.person.actor;
        carry_out(&known.engine, actor, &known.table, self.sequence, sent).await
    }
}

/// Returns the table's name in the path of a command, and the command's number, without a query.
fn table_and_number(uri: &Uri) -> Option<(&str, Sequence)> {
    if uri.scheme().is_some() || uri.query().is_some() {
        return None;
    }
    let rest = uri.path().strip_prefix(BEFORE_TABLE)?;
    let (name, number) = rest.split_once(AFTER_TABLE)?;
    let number: SequenceNumber = number.parse().ok()?;
    Some((name, number.0))
}

/// Returns the token of a plain head: it has one token, a body of JSON with an allowed length, and nothing that changes how
/// the body is received.
fn shown_token(headers: &HeaderMap) -> Option<&HeaderValue> {
    let length = only(headers, &CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let length = length.and_then(|length| length.parse::<usize>().ok());
    let is_plain = only(headers, &CONTENT_TYPE).is_some_and(|value| value == JSON)
        && length.is_some_and(|length| length <= BODY_BYTES_MAX)
        && ![TRANSFER_ENCODING, EXPECT, UPGRADE]
            .iter()
            .any(|name| headers.contains_key(name));
    only(headers, &AUTHORIZATION).filter(|_| is_plain)
}

/// Returns the value of a header that is there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a HeaderValue> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    first.filter(|_| values.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(uri: &'static str) -> Option<(String, u64)> {
        let uri = Uri::from_static(uri);
        table_and_number(&uri).map(|(name, sequence)| (name.to_owned(), sequence.0))
    }

    #[test]
    fn only_the_path_of_a_command_is_plain() {
        for (plain, table, number) in [
            ("/v1/tables/C4P-07/commands/17", "C4P-07", 17),
            // No table has these names.
            ("/v1/tables/C4P%2D07/commands/17", "C4P%2D07", 17),
            ("/v1/tables//commands/17", "", 17),
        ] {
            assert_eq!(of(plain), Some((table.to_owned(), number)), "{plain}");
        }
        for other in [
            "/v1/tables/C4P-07/commands/17?",
            "/v1/tables/C4P-07/commands/17?x=1",
            "/v1/tables/C4P-07/commands/17/",
            "/v1/tables/C4P-07/commands/17/commands/17",
            "/v1/tables/C4P-07/commands/017",
            "/v1/tables/C4P-07/commands/0",
            "/v1/tables/C4P-07/commands/",
            "/v1/tables/commands/17",
            "/v1/tables/C4P-07/heartbeat",
            "//v1/tables/C4P-07/commands/17",
            "http://house.example/v1/tables/C4P-07/commands/17",
            "*",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn only_a_plain_head_is_plain() {
        let token = HeaderValue::from_static("Bearer abc");
        let plain = [
            (AUTHORIZATION, "Bearer abc"),
            (CONTENT_TYPE, "application/json"),
            (CONTENT_LENGTH, "65536"),
        ];
        let is_plain = |headers: &[(HeaderName, &'static str)]| {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.append(name, HeaderValue::from_static(value));
            }
            shown_token(&map) == Some(&token)
        };
        assert!(is_plain(&plain));
        for missing in 0..plain.len() {
            let mut headers = plain.to_vec();
            headers.remove(missing);
            assert!(!is_plain(&headers), "without {missing}");
        }
        for more in [
            (AUTHORIZATION, "Bearer abc"),
            (CONTENT_TYPE, "application/json"),
            (CONTENT_LENGTH, "65536"),
            (TRANSFER_ENCODING, "chunked"),
            (EXPECT, "100-continue"),
            (UPGRADE, "websocket"),
        ] {
            assert!(
                !is_plain(&[&plain[..], std::slice::from_ref(&more)].concat()),
                "{more:?}"
            );
        }
        for (at, other) in [
            (0, "Bearer other"),
            (1, "text/plain"),
            (2, "65537"),
            (2, "x"),
        ] {
            let mut headers = plain.to_vec();
            headers[at].1 = other;
            assert!(!is_plain(&headers), "{other}");
        }
    }
}
