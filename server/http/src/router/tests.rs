//! The layers around the operations: every error is a problem, with the id of its request.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use axum::routing::{get, put};
use meterhouse_api::sequence::SequenceNumber;
use meterhouse_api::values::ProposalId;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use tower::ServiceExt;

use super::*;
use crate::extract::parameters::{PathOf, QueryOf, Whole, optional, text};
use crate::extract::paths::{HitPath, LinkPath, PayoutPath};
use crate::extract::request::{BODY_BYTES_MAX, JsonBody, OptionalBody};
use crate::extract::upgrade::Upgrade;

/// Any object.
struct AnyBody;

impl meterhouse_api::request::Request for AnyBody {
    fn read<'de, D: Deserializer<'de>>(_: &str, from: D) -> Result<Self, D::Error> {
        BTreeMap::<String, IgnoredAny>::deserialize(from).map(|_| Self)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageQuery {
    #[serde(default, deserialize_with = "optional")]
    limit: Option<Whole<200>>,
}

#[derive(Deserialize)]
struct NumberPath {
    #[serde(deserialize_with = "text")]
    sequence: SequenceNumber,
}

#[derive(Deserialize)]
struct ProposalIdPath {
    #[serde(deserialize_with = "text")]
    proposal: ProposalId,
}

/// Returns routes that need no engine, with the layers of the real ones.
fn api() -> Router {
    let routes = Router::new()
        .route(
            "/panic",
            get(|| async { assert!(std::hint::black_box(false), "a bug") }),
        )
        .route(
            "/links/{link}",
            get(|PathOf(LinkPath { link }): PathOf<LinkPath>| async move { link.to_string() }),
        )
        .route(
            "/hits/{hit}/{payout}",
            get(
                |_: PathOf<HitPath>, PathOf(path): PathOf<PayoutPath>| async move {
                    path.payout.0.to_string()
                },
            ),
        )
        .route(
            "/commands/{sequence}",
            put(
                |PathOf(path): PathOf<NumberPath>, _: JsonBody<AnyBody>| async move {
                    let _ = path.sequence;
                    "done"
                },
            ),
        )
        .route(
            "/heartbeat",
            put(|body: OptionalBody<AnyBody>| async move {
                if body.0.is_some() {
                    "something"
                } else {
                    "nothing"
                }
            }),
        )
        .route(
            "/proposals/{proposal}",
            get(|PathOf(path): PathOf<ProposalIdPath>| async move { path.proposal.to_string() }),
        )
        .route(
            "/pages",
            get(|QueryOf(query): QueryOf<PageQuery>| async move {
                let _ = query.limit;
                "page"
            }),
        )
        .route("/feed", get(|_: Upgrade| async { "never" }));
    with_layers(routes)
}

/// A response, with the code of its problem.
struct Received {
    status: StatusCode,
    code: String,
    response: Response,
}

async fn send(request: Request) -> Received {
    let response = api().oneshot(request).await.expect("infallible");
    let status = response.status();
    let (parts, body) = response.into_parts();
    let bytes = axum::body::to_bytes(body, usize::MAX)
        .await
        .expect("a body");
    let code = match serde_json::from_slice::<Value>(&bytes) {
        Ok(body) if !status.is_success() => {
            assert_eq!(parts.headers[CONTENT_TYPE], "application/problem+json");
            assert_eq!(body["status"], status.as_u16());
            assert_eq!(
                body["type"],
                format!("urn:meterhouse:problem:{}", body["code"].as_str().unwrap())
            );
            body["code"].as_str().expect("a code").to_owned()
        }
        Ok(_) | Err(_) => String::new(),
    };
    assert!(parts.headers.contains_key("x-request-id"));
    Received {
        status,
        code,
        response: Response::from_parts(parts, Body::empty()),
    }
}

fn request(method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Request {
    let request = Request::builder().method(method).uri(path);
    let request = headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    });
    request.body(body.into()).expect("a request")
}

const JSON: (&str, &str) = ("content-type", "application/json");

#[track_caller]
fn assert_is(received: &Received, status: u16, code: &str) {
    assert_eq!(
        (received.status.as_u16(), received.code.as_str()),
        (status, code)
    );
}

#[tokio::test]
async fn an_unknown_path_is_a_problem() {
    for path in [
        "/",
        "/nowhere",
        "/v1/links/main/",
        "//",
        "/links/",
        "/%ff",
        "/links/a/b",
    ] {
        assert_is(
            &send(request("GET", path, &[], Body::empty())).await,
            404,
            "not_found",
        );
    }
    let received = send(request("DELETE", "/links/main", &[], Body::empty())).await;
    assert_is(&received, 405, "method_not_allowed");
    assert_eq!(received.response.headers()[ALLOW], "GET,HEAD");
}

#[tokio::test]
async fn a_bad_path_or_query_is_a_problem() {
    let code = |path: &str| send(request("GET", path, &[], Body::empty()));
    assert_is(&code("/links/%ff").await, 400, "invalid_name");
    assert_is(&code("/links/a%2Fb").await, 400, "invalid_name");
    assert_is(&code("/links/a%00b").await, 400, "invalid_name");
    assert_is(
        &code(&format!("/links/{}", "x".repeat(33))).await,
        400,
        "invalid_name",
    );
    assert_is(&code("/hits/T1/1").await, 400, "invalid_name");
    assert_is(&code("/hits/T1.1/0").await, 400, "invalid_sequence");
    assert_is(
        &code("/hits/T1.1/4294967296").await,
        400,
        "invalid_sequence",
    );
    assert_is(&code("/hits/T1.1.0/1").await, 400, "invalid_name");
    assert_is(&code("/hits/T1.1.2/1").await, 200, "");
    assert_is(&code("/proposals/1").await, 400, "invalid_name");
    let proposal = "/proposals/1b4e28ba-2fa1-41d2-883f-0016d3cca427";
    assert_is(&code(proposal).await, 200, "");
    assert_is(&code("/pages?limit=0").await, 400, "invalid_parameter");
    assert_is(
        &code("/pages?limit=1&limit=1").await,
        400,
        "invalid_parameter",
    );
    assert_is(&code("/pages?%ff=%ff").await, 400, "invalid_parameter");
    assert_is(&code("/pages?page=1").await, 400, "invalid_parameter");
    assert_is(&code("/pages").await, 200, "");
    for sequence in ["0", "-1", "1.0", "x", "9223372036854775808", "%20", "01"] {
        let path = format!("/commands/{sequence}");
        assert_is(
            &send(request("PUT", &path, &[JSON], "1")).await,
            400,
            "invalid_sequence",
        );
    }
}

#[tokio::test]
async fn a_bad_body_is_a_problem() {
    let put = |headers, body: String| send(request("PUT", "/commands/1", headers, body));
    assert_is(
        &put(&[], "{}".to_owned()).await,
        415,
        "unsupported_media_type",
    );
    assert_is(
        &put(&[("content-type", "text/plain")], "{}".to_owned()).await,
        415,
        "unsupported_media_type",
    );
    assert_is(
        &put(&[JSON], " ".repeat(BODY_BYTES_MAX + 1)).await,
        413,
        "body_too_large",
    );
    assert_is(
        &put(&[JSON, ("content-length", "65537")], "{}".to_owned()).await,
        413,
        "body_too_large",
    );
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert_is(&put(&[JSON], deep).await, 400, "malformed_body");
    for body in ["", "{", "no", "1", "[]"] {
        assert_is(&put(&[JSON], body.to_owned()).await, 400, "malformed_body");
    }
}

#[tokio::test]
async fn an_optional_body_is_checked_if_it_is_sent() {
    let put = |headers, body: &str| send(request("PUT", "/heartbeat", headers, body.to_owned()));
    assert_is(&put(&[], "").await, 200, "");
    assert_is(&put(&[JSON], "").await, 200, "");
    assert_is(&put(&[JSON], "{}").await, 200, "");
    assert_is(&put(&[], "{}").await, 415, "unsupported_media_type");
    for body in ["[]", "1", "{", " "] {
        assert_is(&put(&[JSON], body).await, 400, "malformed_body");
    }
    let long = " ".repeat(BODY_BYTES_MAX + 1);
    assert_is(&put(&[JSON], &long).await, 413, "body_too_large");
    let announced = [("content-length", "65537")];
    assert_is(&put(&announced, "").await, 413, "body_too_large");
}

#[tokio::test]
async fn a_feed_without_websocket_is_a_problem() {
    assert_is(
        &send(request("GET", "/feed", &[], Body::empty())).await,
        426,
        "upgrade_required",
    );
}

#[tokio::test]
async fn a_panic_is_an_internal_error_of_its_request() {
    assert_is(
        &send(request("GET", "/panic", &[], Body::empty())).await,
        500,
        "internal",
    );
}

#[tokio::test]
async fn a_usable_id_of_the_caller_is_kept() {
    for path in ["/links/main", "/nowhere", "/panic"] {
        let own = [("x-request-id", "abc-1")];
        let received = send(request("GET", path, &own, Body::empty())).await;
        assert_eq!(received.response.headers()["x-request-id"], "abc-1");
        assert_eq!(received.response.headers()["cache-control"], "no-store");
    }
}

#[tokio::test]
async fn an_unusable_id_of_the_caller_is_replaced() {
    let own = [("x-request-id", "a b"), ("x-request-id", "abc-1")];
    let received = send(request("GET", "/links/main", &own, Body::empty())).await;
    let ids = received.response.headers().get_all("x-request-id");
    let ids: Vec<&[u8]> = ids.iter().map(HeaderValue::as_bytes).collect();
    assert_eq!(ids.len(), 1);
    assert!(ids[0] != b"a b" && ids[0] != b"abc-1", "{ids:?}");
}

/// Returns `true` if a path is routed for a method: `axum` refuses a second route.
fn is_routed(path: &str, filter: axum::routing::MethodFilter) -> bool {
    let again = axum::routing::on(filter, || async {});
    let (routes, _) = operations().split_for_parts();
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| routes.route(path, again))).is_err()
}

#[test]
fn the_document_describes_the_routes_and_nothing_else() {
    use axum::routing::MethodFilter;
    let document = document();
    for (path, item) in document["paths"].as_object().expect("paths") {
        let methods = [
            (MethodFilter::GET, "get"),
            (MethodFilter::PUT, "put"),
            (MethodFilter::POST, "post"),
            (MethodFilter::DELETE, "delete"),
            (MethodFilter::PATCH, "patch"),
        ];
        for (filter, method) in methods {
            let is_documented = item.get(method).is_some();
            assert_eq!(is_routed(path, filter), is_documented, "{path} {filter:?}");
        }
    }
    assert!(!is_routed("/v1/nowhere", MethodFilter::GET));
}
