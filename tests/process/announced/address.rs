//! An address that keeps what is announced to it, and answers as the test says.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::header::{AUTHORIZATION, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::post;
use serde_json::Value;
use tokio::net::TcpListener;

/// An address for announcements.
pub(super) struct Address {
    pub(super) url: String,
    state: Arc<Mutex<Received>>,
}

struct Received {
    bodies: Vec<Value>,
    tokens: Vec<String>,
    status: StatusCode,
}

impl Address {
    /// Starts an address that answers 200.
    pub(super) async fn start() -> Self {
        let state = Arc::new(Mutex::new(Received {
            bodies: Vec::new(),
            tokens: Vec::new(),
            status: StatusCode::OK,
        }));
        let router = Router::new()
            .route("/announcements", post(receive))
            .with_state(Arc::clone(&state));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        drop(tokio::spawn(
            async move { axum::serve(listener, router).await },
        ));
        let url = format!("http://{address}/announcements");
        Self { url, state }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Received) -> T) -> T {
        act(&mut self.state.lock().expect("no panic before"))
    }

    /// Answers with this status from now on.
    pub(super) fn answer(&self, status: u16) {
        let status = StatusCode::from_u16(status).expect("a status");
        self.with(|received| received.status = status);
    }

    /// Returns the announcements so far, in their order.
    pub(super) fn received(&self) -> Vec<Value> {
        self.with(|received| received.bodies.clone())
    }

    /// Returns `true` if each announcement had this header.
    pub(super) fn has_only_token(&self, token: &str) -> bool {
        self.with(|received| received.tokens.iter().all(|sent| sent == token))
    }
}

async fn receive(
    State(state): State<Arc<Mutex<Received>>>,
    headers: HeaderMap,
    body: String,
) -> impl IntoResponse {
    let mut received = state.lock().expect("no panic before");
    let token = headers.get(AUTHORIZATION).expect("a token");
    let token = token.to_str().expect("a text").to_owned();
    received.tokens.push(token);
    let body = serde_json::from_str(&body).expect("JSON");
    received.bodies.push(body);
    // Followed, it would lead to an answer of 405.
    (received.status, [(LOCATION, "/announcements")])
}
