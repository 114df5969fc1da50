//! What stands around the operations: nothing leaves as plain text, whatever was asked.

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::routing::{get, put};
use serde_json::Value;
use tower::ServiceExt;

use super::*;
use crate::extract::{
    BODY_BYTES_MAX, HitOf, JsonBody, LinkOf, Loose, OptionalBody, PayoutOf, ProposalOf, Query,
    SequenceOf,
};

/// Routes that need no engine, with all that stands around the real ones.
fn api() -> Router {
    let routes =
        Router::new()
            .route(
                "/panic",
                get(|| async { assert!(std::hint::black_box(false), "a bug") }),
            )
            .route(
                "/links/{link}",
                get(|LinkOf(link): LinkOf| async move { link.to_string() }),
            )
            .route(
                "/hits/{hit}/{payout}",
                get(|_: HitOf, PayoutOf(it): PayoutOf| async move { it.to_string() }),
            )
            .route(
                "/commands/{sequence}",
                put(|_: SequenceOf, _: JsonBody<Loose>| async { "done" }),
            )
            .route(
                "/heartbeat",
                put(|body: OptionalBody<Loose>| async move {
                    if body.0.is_some() {
                        "something"
                    } else {
                        "nothing"
                    }
                }),
            )
            .route(
                "/proposals/{proposal}",
                get(|ProposalOf(it): ProposalOf| async move {
                    meterhouse_edge::value::proposal_text(it)
                }),
            )
            .route(
                "/pages",
                get(|query: Query| async move {
                    query.only(&["limit"])?.limit(200)?;
                    Ok::<_, Failure>("page")
                }),
            )
            .route("/feed", get(|_: crate::extract::Upgrade| async { "never" }));
    around(routes)
}

struct Asked {
    status: StatusCode,
    code: String,
    response: Response,
}

async fn ask(request: Request) -> Asked {
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
    Asked {
        status,
        code,
        response: Response::from_parts(parts, Body::empty()),
    }
}

fn request(method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Request {
    let request = Request::builder().method(method).uri(path);
    let request = headers
        .iter()
        .fold(request, |it, (name, value)| it.header(*name, *value));
    request.body(body.into()).expect("a request")
}

const JSON: (&str, &str) = ("content-type", "application/json");

#[track_caller]
fn is(asked: &Asked, status: u16, code: &str) {
    assert_eq!((asked.status.as_u16(), asked.code.as_str()), (status, code));
}

#[tokio::test]
async fn what_is_routed_nowhere_is_a_problem() {
    for path in [
        "/",
        "/nowhere",
        "/v1/links/main/",
        "//",
        "/links/",
        "/%ff",
        "/links/a/b",
    ] {
        is(
            &ask(request("GET", path, &[], Body::empty())).await,
            404,
            "not_found",
        );
    }
    let asked = ask(request("DELETE", "/links/main", &[], Body::empty())).await;
    is(&asked, 405, "method_not_allowed");
    assert_eq!(asked.response.headers()[ALLOW], "GET,HEAD");
}

#[tokio::test]
async fn a_bad_path_or_query_is_a_problem() {
    let code = |path: &str| ask(request("GET", path, &[], Body::empty()));
    is(&code("/links/%ff").await, 400, "invalid_name");
    is(&code("/links/a%2Fb").await, 400, "invalid_name");
    is(&code("/links/a%00b").await, 400, "invalid_name");
    is(
        &code(&format!("/links/{}", "x".repeat(33))).await,
        400,
        "invalid_name",
    );
    is(&code("/hits/T1/1").await, 400, "invalid_name");
    is(&code("/hits/T1.1/0").await, 400, "invalid_sequence");
    is(
        &code("/hits/T1.1/4294967296").await,
        400,
        "invalid_sequence",
    );
    is(&code("/hits/T1.1.0/1").await, 400, "invalid_name");
    is(&code("/hits/T1.1.2/1").await, 200, "");
    is(&code("/proposals/1").await, 400, "invalid_name");
    let proposal = "/proposals/1b4e28ba-2fa1-41d2-883f-0016d3cca427";
    is(&code(proposal).await, 200, "");
    is(&code("/pages?limit=0").await, 400, "invalid_parameter");
    is(
        &code("/pages?limit=1&limit=1").await,
        400,
        "invalid_parameter",
    );
    is(&code("/pages?%ff=%ff").await, 400, "invalid_parameter");
    is(&code("/pages?page=1").await, 400, "invalid_parameter");
    is(&code("/pages").await, 200, "");
    for sequence in ["0", "-1", "1.0", "x", "9223372036854775808", "%20", "01"] {
        let path = format!("/commands/{sequence}");
        is(
            &ask(request("PUT", &path, &[JSON], "1")).await,
            400,
            "invalid_sequence",
        );
    }
}

#[tokio::test]
async fn a_bad_body_is_a_problem() {
    let put = |headers, body: String| ask(request("PUT", "/commands/1", headers, body));
    is(
        &put(&[], "{}".to_owned()).await,
        415,
        "unsupported_media_type",
    );
    is(
        &put(&[("content-type", "text/plain")], "{}".to_owned()).await,
        415,
        "unsupported_media_type",
    );
    is(
        &put(&[JSON], " ".repeat(BODY_BYTES_MAX + 1)).await,
        413,
        "body_too_large",
    );
    is(
        &put(&[JSON, ("content-length", "65537")], "{}".to_owned()).await,
        413,
        "body_too_large",
    );
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    is(&put(&[JSON], deep).await, 400, "malformed_body");
    for body in ["", "{", "no", "1", "[]"] {
        is(&put(&[JSON], body.to_owned()).await, 400, "malformed_body");
    }
}

#[tokio::test]
async fn a_body_that_may_be_left_out_is_strict_once_it_is_there() {
    let put = |headers, body: &str| ask(request("PUT", "/heartbeat", headers, body.to_owned()));
    is(&put(&[], "").await, 200, "");
    is(&put(&[JSON], "").await, 200, "");
    is(&put(&[JSON], "{}").await, 200, "");
    is(&put(&[], "{}").await, 415, "unsupported_media_type");
    for body in ["[]", "1", "{", " "] {
        is(&put(&[JSON], body).await, 400, "malformed_body");
    }
    let long = " ".repeat(BODY_BYTES_MAX + 1);
    is(&put(&[JSON], &long).await, 413, "body_too_large");
    let announced = [("content-length", "65537")];
    is(&put(&announced, "").await, 413, "body_too_large");
}

#[tokio::test]
async fn a_feed_without_websocket_is_a_problem() {
    is(
        &ask(request("GET", "/feed", &[], Body::empty())).await,
        426,
        "upgrade_required",
    );
}

#[tokio::test]
async fn a_panic_stops_at_its_request() {
    is(
        &ask(request("GET", "/panic", &[], Body::empty())).await,
        500,
        "internal",
    );
}

#[tokio::test]
async fn a_request_keeps_the_id_that_it_came_with() {
    let own = [("x-request-id", "abc-1")];
    let asked = ask(request("GET", "/links/main", &own, Body::empty())).await;
    assert_eq!(asked.response.headers()["x-request-id"], "abc-1");
    assert_eq!(asked.response.headers()["cache-control"], "no-store");
    let other = ask(request(
        "GET",
        "/links/main",
        &[("x-request-id", "a b")],
        Body::empty(),
    ))
    .await;
    assert_ne!(other.response.headers()["x-request-id"], "a b");
}

/// Whether a path is routed for a method: `axum` refuses to route it again.
fn is_routed(path: &str, filter: axum::routing::MethodFilter) -> bool {
    let again = axum::routing::on(filter, || async {});
    let (routes, _) = operations_of_the_api().split_for_parts();
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
