//! The HTTP client of the simulation's staff and of the load generator, with retries while the server is unavailable.
//!
//! # Limits
//! An attempt takes at most [`RESPONSE_MAX`], all attempts of one request [`RETRY_MAX`]. A killed server can restart in
//! that time.
//!
//! # Retries
//! A request without a response is retried, and so is a response of 429 or 503: all writes of the API are idempotent. A
//! faulted link returns 503 as well, but a retry is useless.

use std::time::Duration;

use reqwest::{Method, Url};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, sleep};

use crate::error::SimulatorError;

/// Maximum time of one attempt.
pub(crate) const RESPONSE_MAX: Duration = Duration::from_secs(10);
/// Maximum time of all attempts of one request.
const RETRY_MAX: Duration = Duration::from_mins(1);
/// First pause between attempts. Each further pause is twice as long.
const PAUSE_FIRST: Duration = Duration::from_millis(50);
/// Maximum pause between attempts.
const PAUSE_MAX: Duration = Duration::from_secs(2);
/// Maximum number of a body's characters in an error.
const BODY_SHOWN: usize = 2_000;

/// An HTTP client of one server.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    retry_max: Duration,
}

/// A request of the HTTP API.
#[derive(Clone, Debug)]
pub struct Request {
    /// GET, PUT or DELETE.
    pub method: Method,
    /// The path from the root with its query: `/v1/tables?limit=200`.
    pub path: String,
    /// The body as JSON.
    pub body: Option<String>,
}

/// A response of the HTTP API.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The body as text.
    pub body: String,
}

impl Request {
    /// Returns a GET request.
    pub fn get(path: impl Into<String>) -> Self {
        Self {
            method: Method::GET,
            path: path.into(),
            body: None,
        }
    }

    /// Returns a PUT request with this body.
    pub fn put(path: impl Into<String>, body: String) -> Self {
        Self {
            method: Method::PUT,
            path: path.into(),
            body: Some(body),
        }
    }

    /// Returns a DELETE request.
    pub const fn delete(path: String) -> Self {
        Self {
            method: Method::DELETE,
            path,
            body: None,
        }
    }

    /// Returns the error for an unexpected response.
    pub fn unexpected(&self, reply: &Reply, expected: &str) -> SimulatorError {
        SimulatorError::Unexpected {
            request: self.to_string(),
            answer: reply.to_string(),
            expected: expected.to_owned(),
        }
    }

    /// Parses the body of a response with one of these statuses.
    ///
    /// # Errors
    /// Another status, or a body that lacks a field.
    pub fn read<T: DeserializeOwned>(
        &self,
        reply: &Reply,
        statuses: &[u16],
    ) -> Result<T, SimulatorError> {
        if !statuses.contains(&reply.status) {
            return Err(self.unexpected(reply, &format!("one of {statuses:?}")));
        }
        serde_json::from_str(&reply.body).map_err(|source| SimulatorError::Unreadable {
            request: self.to_string(),
            answer: reply.to_string(),
            source,
        })
    }
}

impl core::fmt::Display for Request {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "{} {}", self.method, self.path)?;
        self.body
            .as_ref()
            .map_or(Ok(()), |body| write!(out, " {}", truncated(body)))
    }
}

impl Reply {
    /// Returns the stable code of a refusal.
    pub fn code(&self) -> Option<String> {
        let problem: serde_json::Value = serde_json::from_str(&self.body).ok()?;
        Some(problem.get("code")?.as_str()?.to_owned())
    }

    /// Returns `true` if a retry may succeed.
    fn is_temporary(&self) -> bool {
        match self.status {
            429 => true,
            503 => self.code().as_deref() != Some("link_faulted"),
            _ => false,
        }
    }
}

impl core::fmt::Display for Reply {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "{} {}", self.status, truncated(&self.body))
    }
}

fn truncated(body: &str) -> String {
    body.chars().take(BODY_SHOWN).collect()
}

impl Client {
    /// Returns a client of the server at this address, without an HTTP proxy.
    ///
    /// # Errors
    /// An invalid address.
    pub fn new(base: &str) -> Result<Self, SimulatorError> {
        Self::with_retry_max(base, RETRY_MAX)
    }

    /// Returns a client with another limit for all attempts of one request.
    ///
    /// # Errors
    /// An invalid address.
    pub fn with_retry_max(base: &str, retry_max: Duration) -> Result<Self, SimulatorError> {
        let invalid = || SimulatorError::Address {
            base: base.to_owned(),
        };
        let url: Url = base.parse().map_err(|_| invalid())?;
        if url.scheme() != "http" || url.host_str().is_none() {
            return Err(invalid());
        }
        let http = reqwest::Client::builder()
            .no_proxy()
            .tcp_nodelay(true)
            .timeout(RESPONSE_MAX)
            .build()
            .map_err(SimulatorError::Client)?;
        Ok(Self {
            http,
            base: url,
            retry_max,
        })
    }

    /// Sends a request, with retries until its response is not temporary.
    ///
    /// # Errors
    /// [`SimulatorError::Unreachable`] after the limit for all attempts.
    pub async fn ask(&self, token: &str, request: &Request) -> Result<Reply, SimulatorError> {
        let started = Instant::now();
        let mut pause = PAUSE_FIRST;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let last = match self.attempt(token, request).await {
                Ok(reply) if reply.is_temporary() => reply.to_string(),
                Ok(reply) => return Ok(reply),
                Err(error) => causes(&error),
            };
            let waited = started.elapsed();
            if waited + pause > self.retry_max {
                let request = request.to_string();
                return Err(SimulatorError::Unreachable {
                    request,
                    waited,
                    attempts,
                    last,
                });
            }
            tracing::debug!(
                request.path = request.path,
                attempts,
                last,
                "retrying a request"
            );
            sleep(pause).await;
            pause = (pause * 2).min(PAUSE_MAX);
        }
    }

    async fn attempt(&self, token: &str, request: &Request) -> Result<Reply, reqwest::Error> {
        let mut url = self.base.clone();
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        url.set_path(path);
        url.set_query((!query.is_empty()).then_some(query));
        let mut builder = self
            .http
            .request(request.method.clone(), url)
            .bearer_auth(token);
        if let Some(body) = &request.body {
            builder = builder
                .header("content-type", "application/json")
                .body(body.clone());
        }
        let response = builder.send().await?;
        let status = response.status().as_u16();
        let body = response.text().await?;
        Ok(Reply { status, body })
    }
}

/// Returns the text of an error with its causes.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
