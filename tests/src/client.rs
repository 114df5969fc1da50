//! Clients that speak in verbs of roles.

mod answer;
mod dealer;
mod people;
pub(crate) mod shape;
mod two_people;

pub use answer::{Answer, amounts};
pub use dealer::{BADGE, Dealer, coin_in, hit, keyed, on_dealer, settle};
pub use people::{Manager, Supervisor, felt, first_values};
pub use two_people::TwoPeople;

use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::redirect::Policy;
use serde_json::Value;

/// Somebody with or without a token, at one server.
#[derive(Clone, Debug)]
pub struct Caller {
    http: reqwest::Client,
    base: String,
    token: Option<String>,
}

impl Caller {
    /// Somebody without a token.
    pub fn nobody(base: String) -> Self {
        // reqwest asks for the provider of TLS even of a client without it. An error says that there is one already.
        drop(rustls::crypto::ring::default_provider().install_default());
        // A redirect is an answer. The authorities of the system are not needed, and reading them takes time.
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .tls_certs_only([])
            .build();
        // Its own connections: a client that is shared by runtimes keeps those of one that has ended.
        Self {
            http: client.expect("a client"),
            base,
            token: None,
        }
    }

    /// The same at the same server, with a token.
    #[must_use]
    pub fn with_token(&self, token: impl Into<String>) -> Self {
        Self {
            token: Some(token.into()),
            ..self.clone()
        }
    }

    /// The same at another server.
    #[must_use]
    pub fn at(&self, base: String) -> Self {
        Self {
            base,
            ..self.clone()
        }
    }

    /// The token; empty for somebody without.
    pub fn token(&self) -> &str {
        self.token.as_deref().unwrap_or_default()
    }

    /// Reads.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], Vec::new()).await
    }

    /// Writes JSON.
    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        self.put_text(path, body.to_string()).await
    }

    /// Writes what is said to be JSON.
    pub async fn put_text(&self, path: &str, body: impl Into<Vec<u8>>) -> Answer {
        let json = [(CONTENT_TYPE.as_str(), "application/json")];
        self.send(Method::PUT, path, &json, body.into()).await
    }

    /// Posts JSON.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        let json = [(CONTENT_TYPE.as_str(), "application/json")];
        let body = body.to_string().into_bytes();
        self.send(Method::POST, path, &json, body).await
    }

    /// Takes away.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, &[], Vec::new()).await
    }

    /// Sends anything.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Answer {
        let asked = format!("{method} {path}");
        let mut request = self
            .http
            .request(method, format!("{}{path}", self.base))
            .body(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        let response = request.send().await;
        let response = response.unwrap_or_else(|error| panic!("{asked}: no answer: {error}"));
        let answer = Answer::of(asked, response).await;
        if answer.body.is_object() {
            shape::assert_shape(&answer.asked, answer.status, &answer.body);
        }
        answer
    }
}
