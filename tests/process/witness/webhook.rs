//! A webhook that keeps what is posted to it, and can refuse, forget and contradict.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// A webhook.
pub(super) struct Webhook {
    pub(super) url: String,
    state: Arc<Mutex<Received>>,
}

#[derive(Default)]
struct Received {
    taken: Vec<Value>,
    tokens: Vec<String>,
    /// Number of requests that are still refused.
    refused: u32,
    /// `true` until the first head of a chain arrives again.
    is_lost: bool,
    /// `true` until one head was contradicted.
    contradicts: bool,
}

impl Webhook {
    pub(super) async fn start() -> Self {
        let state = Arc::new(Mutex::new(Received::default()));
        let router = Router::new()
            .route("/hook", post(take))
            .with_state(Arc::clone(&state));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        drop(tokio::spawn(
            async move { axum::serve(listener, router).await },
        ));
        let url = format!("http://{address}/hook");
        Self { url, state }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Received) -> T) -> T {
        act(&mut self.state.lock().expect("no panic before"))
    }

    /// Returns the bodies that were taken, in their order.
    pub(super) fn taken(&self) -> Vec<Value> {
        self.with(|received| received.taken.clone())
    }

    pub(super) fn has_only_token(&self, token: &str) -> bool {
        self.with(|received| received.tokens.iter().all(|sent| sent == token))
    }

    /// Refuses so many requests.
    pub(super) fn refuse(&self, count: u32) {
        self.with(|received| received.refused = count);
    }

    /// Forgets all heads, and answers that they are missing.
    pub(super) fn lose(&self) {
        self.with(|received| {
            received.taken.clear();
            received.is_lost = true;
        });
    }

    /// Contradicts the next head.
    pub(super) fn contradict(&self) {
        self.with(|received| received.contradicts = true);
    }
}

fn problem(code: &str) -> (StatusCode, String) {
    let problem = json!({"type": code, "title": code, "status": 409, "code": code, "detail": code,
        "fields": {"expected": "1"}});
    (StatusCode::CONFLICT, problem.to_string())
}

async fn take(
    State(state): State<Arc<Mutex<Received>>>,
    headers: HeaderMap,
    body: String,
) -> (StatusCode, String) {
    let body: Value = serde_json::from_str(&body).expect("JSON");
    let mut received = state.lock().expect("no panic before");
    let token = headers.get("authorization").expect("a token");
    let token = token.to_str().expect("a text").to_owned();
    received.tokens.push(token);
    if received.refused > 0 {
        received.refused -= 1;
        return (StatusCode::INTERNAL_SERVER_ERROR, String::new());
    }
    if received.is_lost && super::number(&body).1 > 1 {
        return problem("head_gap");
    }
    received.is_lost = false;
    if std::mem::take(&mut received.contradicts) {
        return problem("head_forks");
    }
    received.taken.push(body);
    (StatusCode::NO_CONTENT, String::new())
}
