//! Requests to a server that sends prepared replies.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use meterhouse_api::link::ReasonRequest;
use meterhouse_api::operation::Health;
use meterhouse_api::problem::Problem;
use meterhouse_api::words::HealthStatus;
use tokio::net::TcpListener;

use super::{Client, ClientError, Trust, Webhook};

/// A server with its replies, the last of them for all further requests, and the requests so far.
#[derive(Clone)]
struct Server {
    replies: Arc<Vec<(u16, String)>>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server, and returns it with a client.
    async fn start(replies: Vec<(u16, String)>) -> (Self, Client) {
        let server = Self {
            replies: Arc::new(replies),
            requests: Arc::default(),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let router = Router::new().fallback(respond).with_state(server.clone());
        tokio::spawn(async { axum::serve(listener, router).await });
        let limit = Duration::from_millis(500);
        let client = Client::new(&format!("http://{address}"), None).expect("an address");
        (server, client.with_retry_max(limit))
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no panic").clone()
    }
}

async fn respond(
    State(server): State<Server>,
    method: Method,
    uri: Uri,
    body: String,
) -> (StatusCode, String) {
    let mut requests = server.requests.lock().expect("no panic");
    let reply = server.replies.get(requests.len());
    let (status, text) = reply.or(server.replies.last()).expect("a reply").clone();
    requests.push(format!("{method} {uri} {body}"));
    (StatusCode::from_u16(status).expect("a status"), text)
}

fn problem(status: u16, code: &str) -> (u16, String) {
    let problem = Problem {
        kind: format!("urn:meterhouse:problem:{code}"),
        title: String::new(),
        status,
        code: code.to_owned(),
        detail: String::new(),
        fields: BTreeMap::new(),
    };
    (status, serde_json::to_string(&problem).expect("JSON"))
}

fn alive() -> (u16, String) {
    (200, r#"{"status": "alive"}"#.to_owned())
}

fn reason() -> ReasonRequest {
    let reason = "shift change".parse().expect("a note");
    ReasonRequest { reason }
}

#[tokio::test]
async fn temporary_replies_are_retried() {
    let not_json = (503, "down for maintenance".to_owned());
    let replies = vec![
        problem(429, "too_many_requests"),
        problem(503, "busy"),
        not_json,
        alive(),
    ];
    let (server, client) = Server::start(replies).await;
    let health: Health = client.get("t", "/healthz?now=1").await.expect("a reply");
    assert_eq!(health.status, HealthStatus::Alive);
    assert_eq!(server.requests(), ["GET /healthz?now=1 "; 4]);
}

#[tokio::test]
async fn other_refusals_are_replies() {
    for (status, code) in [(503, "link_faulted"), (409, "busy"), (422, "hit_paid")] {
        let (server, client) = Server::start(vec![problem(status, code)]).await;
        let path = "/v1/links/main/suspension";
        let reply = client.put("t", path, &reason()).await.expect("a reply");
        assert_eq!(
            (reply.status, reply.code().as_deref()),
            (status, Some(code))
        );
        let sent = r#"PUT /v1/links/main/suspension {"reason":"shift change"}"#;
        assert_eq!(server.requests(), [sent]);
        let error = reply.done().expect_err("a refusal").to_string();
        assert!(
            error.starts_with(&format!("{sent} was answered {status}")),
            "{error}"
        );
        assert!(error.ends_with("expected 200 or 201"), "{error}");
    }
}

#[tokio::test]
async fn a_body_of_another_type_is_an_error() {
    let (_server, client) = Server::start(vec![(200, r#"{"status": "well"}"#.to_owned())]).await;
    let read = client.get::<Health>("t", "/healthz").await;
    assert!(
        matches!(read, Err(ClientError::Unreadable { .. })),
        "{read:?}"
    );
    let deleted = client.delete("t", "/v1/links/main/suspension").await;
    assert!(deleted.expect("a reply").is_done());
}

#[tokio::test]
async fn retries_end_at_the_limit() {
    let (server, client) = Server::start(vec![problem(503, "busy")]).await;
    let read = client.get::<Health>("t", "/healthz").await;
    let Err(ClientError::Unreachable { attempts, last, .. }) = read else {
        panic!("{read:?}");
    };
    assert_eq!(attempts as usize, server.requests().len());
    assert!(attempts >= 2 && last.contains("busy"), "{attempts} {last}");
}

#[tokio::test]
async fn an_unreachable_server_is_an_error() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let client = Client::new(&base, None).expect("an address");
    let client = client.with_retry_max(Duration::from_millis(200));
    let error = client
        .get::<Health>("t", "/healthz")
        .await
        .expect_err("no server");
    assert!(
        matches!(error, ClientError::Unreachable { attempts: 2.., .. }),
        "{error}"
    );
}

#[test]
fn only_addresses_of_http_are_accepted() {
    for base in ["", "127.0.0.1:80", "https://127.0.0.1", "file:///tmp"] {
        let refused = Client::new(base, None);
        assert!(
            matches!(refused, Err(ClientError::Address { .. })),
            "{base}"
        );
    }
    assert!(Client::new("http://127.0.0.1:8080", None).is_ok());
}

#[test]
fn only_certificates_are_trusted() {
    let half = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for pem in ["", "a text", half] {
        let refused = Trust::from_pem(pem.into()).expect_err("no certificate");
        assert!(matches!(refused, ClientError::Trust(_)), "{pem}");
    }
}

#[test]
fn a_webhook_names_its_host() {
    for (url, host) in [
        ("https://regulator.example/hook?key=x", "regulator.example"),
        ("https://regulator.example:443/", "regulator.example"),
        ("http://127.0.0.1:8080/hook", "127.0.0.1:8080"),
    ] {
        let webhook = Webhook::new(url, None).expect("an address");
        assert_eq!(webhook.host(), host, "{url}");
    }
}
