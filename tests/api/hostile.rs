//! Hostile input to every operation of the document: SQL and HTML, large and deep bodies, tampered parameters.
//!
//! Operations and fields come from the document, so that a new one is tried without a change here. Random input is sent
//! by `tests/fuzz/run`, and tokens of every kind by `tests/api/policy.rs`.

mod documented;

use std::net::SocketAddr;

use meterhouse_http::BODY_BYTES_MAX;
use meterhouse_tests::{Answer, Caller, FIVE_CARD_C, House, in_time};
use reqwest::Method;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use self::documented::{Operation, operations, put, smallest, texts};

/// Texts that would do something in a database, a page, a shell, a log or a template.
const TEXTS: [&str; 8] = [
    "'; DROP TABLE events; --",
    "' OR '1'='1",
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "$(reboot) `reboot` | reboot",
    "{{7*7}}${7*7}%s%n",
    "a\u{0}b",
    "\u{1b}[2J\u{202e}\r\nMeterhouse-Replayed: true",
];
/// Parts of a path that are no name, as they are written into the request.
const PARTS: [&str; 10] = [
    "%2e%2e",
    "..%2fmain",
    "main%2fmeters",
    "main%5cmeters",
    "%00",
    "main%00",
    "%ff",
    "%252e",
    "%27%20OR%201=1",
    "%3Cscript%3E",
];
/// A part of a path that is longer than any name.
const LONG: usize = 4_000;

/// A house, and callers of which each operation allows one.
struct Ground {
    house: House,
    document: Value,
    callers: Vec<Caller>,
}

impl Ground {
    async fn new() -> Self {
        let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
        let dealer = dealers.first().expect("a table");
        drop(dealer.coin_in(&[3]).await.created());
        let document = house.nobody().get("/openapi.json").await.is(200).body;
        // She is the person in the paths, whose access ends meanwhile.
        drop(house.person("ann", "auditor").await);
        let callers = vec![
            dealer.caller.clone(),
            house.of_department("mia", "manager", "slots").await,
            house.of_department("sue", "supervisor", "floor").await,
            house.person("root", "administrator").await,
            house.person("casino-b", "witnessed").await,
            house.person("board", "display").await,
        ];
        Self {
            house,
            document,
            callers,
        }
    }

    /// Sends a target as it is written, and returns the response.
    async fn send_raw(&self, caller: &Caller, method: &Method, target: &str) -> String {
        raw(self.house.server.address, method, target, caller.token()).await
    }

    /// Returns the first caller that an operation does not refuse.
    async fn caller(&self, operation: &Operation) -> &Caller {
        for caller in &self.callers {
            let (method, path) = (operation.method.clone(), operation.filled(None));
            let answer = caller.send(method, &path, &[], Vec::new()).await;
            if !matches!(answer.status, 401 | 403) {
                return caller;
            }
        }
        panic!("no caller may {} {}", operation.method, operation.path)
    }
}

/// Sends a body.
async fn send(caller: &Caller, operation: &Operation, media_type: &str, body: &[u8]) -> Answer {
    let headers = [("content-type", media_type)];
    let (method, path) = (operation.method.clone(), operation.filled(None));
    caller.send(method, &path, &headers, body.to_vec()).await
}

/// Sends a request byte by byte as it is written: a client's library would tidy its path up.
async fn raw(address: SocketAddr, method: &Method, target: &str, token: &str) -> String {
    let stream = TcpStream::connect(address).await;
    let mut stream = stream.expect("it listens");
    let request = format!(
        "{method} {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
    );
    stream
        .write_all(request.as_bytes())
        .await
        .expect("it is open");
    let mut heard = Vec::new();
    let read = in_time("it is closed", stream.read_to_end(&mut heard)).await;
    read.expect("a response");
    String::from_utf8_lossy(&heard).into_owned()
}

/// Returns the status of a response.
fn status(response: &str) -> u16 {
    let status = response
        .split(' ')
        .nth(1)
        .and_then(|text| text.parse().ok());
    status.unwrap_or_else(|| panic!("no status: {response:?}"))
}

/// SQL, HTML and control characters in every text field: refused where the document bounds the text, and never an error
/// of the server. A browser takes no answer for a page. The journal agrees with the database afterwards.
#[tokio::test]
async fn sql_and_html_in_every_text_field() {
    let ground = Ground::new().await;
    let mut tried = 0;
    for operation in operations(&ground.document) {
        let caller = ground.caller(&operation).await;
        for schema in &operation.bodies {
            let mut fields = Vec::new();
            texts(&ground.document, schema, &[], &mut fields);
            for field in fields {
                for text in TEXTS {
                    let mut body = smallest(&ground.document, schema);
                    put(&mut body, &field.steps, text);
                    let sent = body.to_string().into_bytes();
                    let answer = send(caller, &operation, "application/json", &sent).await;
                    let shown = format!("{} {body}: {}", answer.asked, answer.text);
                    assert!(answer.status < 500, "{shown}");
                    assert!(!field.is_bounded || answer.status >= 400, "{shown}");
                    assert!(
                        !text.contains('\u{0}') || matches!(answer.status, 400..500),
                        "{shown}"
                    );
                    let media_type = answer.headers["content-type"].to_str().unwrap_or_default();
                    assert!(
                        matches!(media_type, "application/json" | "application/problem+json"),
                        "{shown}"
                    );
                    assert_eq!(answer.headers["x-content-type-options"], "nosniff");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 40 * TEXTS.len(), "{tried} requests");
    ground.house.end().await;
}

/// A reason that people wrote is kept letter by letter, whatever it would mean elsewhere.
#[tokio::test]
async fn a_free_text_comes_back_as_it_was() {
    let house = House::open().await;
    house.link("main", FIVE_CARD_C).await;
    let manager = house.manager().await.caller;
    for text in TEXTS.iter().filter(|text| !text.contains(char::is_control)) {
        let body = serde_json::json!({"reason": text});
        let answer = manager.put("/v1/links/main/suspension", &body).await;
        assert_eq!(answer.created()["reason"], *text);
        let journal = manager.get("/v1/links/main/journal").await.is(200);
        let entries = journal["entries"].as_array().expect("entries");
        let last = entries.last().expect("an entry");
        assert_eq!(last["event"]["reason"], *text, "{last}");
        drop(manager.delete("/v1/links/main/suspension").await.created());
    }
    house.end().await;
}

/// Bodies that are too large, too deep or of another kind are refused by every operation, and reach nobody without the
/// right: such a caller gets 401 or 403 first.
#[tokio::test]
async fn large_and_deep_bodies() {
    let ground = Ground::new().await;
    let display = ground.house.token("sign", "display", None, None).await;
    let display = ground.house.nobody().with_token(display);
    let large = vec![b' '; BODY_BYTES_MAX + 1];
    let deep = "[".repeat(BODY_BYTES_MAX).into_bytes();
    let deep_object = "{\"a\":".repeat(10_000).into_bytes();
    let cases: [(&str, &[u8], u16); 5] = [
        ("application/json", &large, 413),
        ("application/json", &deep, 400),
        ("application/json", &deep_object, 400),
        ("application/json", b"\xff\xfe", 400),
        ("text/html", b"<script>", 415),
    ];
    let mut tried = 0;
    for operation in operations(&ground.document) {
        if operation.bodies.is_empty() {
            continue;
        }
        let caller = ground.caller(&operation).await;
        // A display has a right to one operation with a body. There a table has none.
        let without = match operation.path.as_str() {
            "/v1/shown" => ground.callers.first().expect("a table"),
            _ => &display,
        };
        for (media_type, body, expected) in cases {
            let answer = send(caller, &operation, media_type, body).await;
            assert_eq!(answer.status, expected, "{}: {}", answer.asked, answer.text);
            // Everybody may call what is about the own session.
            if operation.is_public || operation.path.starts_with("/v1/session") {
                continue;
            }
            for (caller, expected) in [(ground.house.nobody(), 401), (without.clone(), 403)] {
                let answer = send(&caller, &operation, media_type, body).await;
                assert_eq!(answer.status, expected, "{}: {}", answer.asked, answer.text);
            }
            tried += 1;
        }
    }
    assert!(tried >= 10 * cases.len(), "{tried} requests");
    ground.house.end().await;
}

/// A part of a path that is no name reaches nothing: no other resource, and no error of the server.
#[tokio::test]
async fn tampered_paths() {
    let ground = Ground::new().await;
    let long = "x".repeat(LONG);
    for operation in operations(&ground.document) {
        let caller = ground.caller(&operation).await;
        let send = async |target: &str| ground.send_raw(caller, &operation.method, target).await;
        for name in operation.parameters() {
            for part in PARTS.into_iter().chain([long.as_str()]) {
                let target = operation.filled(Some((&name, part)));
                let response = send(&target).await;
                assert!(
                    matches!(status(&response), 400 | 404),
                    "{} {target}: {response}",
                    operation.method
                );
            }
        }
        let loud = operation.filled(None).to_uppercase();
        let dotted = format!("/v1/..{}", operation.filled(None));
        let doubled = format!("/{}", operation.filled(None));
        for target in [loud, dotted, doubled] {
            let response = send(&target).await;
            assert_eq!(status(&response), 404, "{target}: {response}");
        }
    }
    ground.house.end().await;
}

/// Parameters of the query that come twice, in another case, or with SQL and HTML.
#[tokio::test]
async fn tampered_parameters() {
    let ground = Ground::new().await;
    let mut tried = 0;
    for operation in operations(&ground.document) {
        let path = operation.filled(None);
        let caller = ground.caller(&operation).await;
        let send = async |target: &str| ground.send_raw(caller, &operation.method, target).await;
        for name in &operation.query {
            let twice = format!("{path}?{name}=1&{name}=1");
            let loud = format!("{path}?{}=1", name.to_uppercase());
            let list = format!("{path}?{name}[]=1");
            // A provider may send the browser back with parameters of its own.
            let unknown = if path.ends_with("/callback") {
                409
            } else {
                400
            };
            for (target, refused) in [(twice, 400), (loud, unknown), (list, unknown)] {
                let response = send(&target).await;
                assert_eq!(status(&response), refused, "{target}: {response}");
            }
            for value in PARTS.into_iter().chain(["%0d%0aSet-Cookie:%20a=b", ""]) {
                let target = format!("{path}?{name}={value}");
                let response = send(&target).await;
                let is_refused = matches!(status(&response), 400..500);
                assert!(is_refused, "{target}: {response}");
                let (head, _) = response.split_once("\r\n\r\n").expect("a head");
                assert!(!head.to_lowercase().contains("set-cookie:"), "{target}");
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried} requests");
    ground.house.end().await;
}
