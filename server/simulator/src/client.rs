//! One HTTP client for the people of the house and for the load generator: asks, and asks again while the server is away.
//!
//! # What bounds it
//! A request [`ANSWER_MAX`], all attempts of one request [`RETRY_MAX`]: long enough for a server that was killed
//! to come back.
//!
//! # What is asked again
//! Everything that was not answered or answered "not now" (429, 503): all writes of the API may be sent again.
//! A faulted link answers 503 as well, but waiting won't help it.

use std::time::Duration;

use reqwest::{Method, Url};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, sleep};

use crate::error::SimulatorError;

/// How long one answer may take.
pub(crate) const ANSWER_MAX: Duration = Duration::from_secs(10);
/// How long a request is tried again.
const RETRY_MAX: Duration = Duration::from_mins(1);
/// The first pause between attempts; each is twice the one before.
const PAUSE_FIRST: Duration = Duration::from_millis(50);
/// The longest pause between attempts.
const PAUSE_MAX: Duration = Duration::from_secs(2);
/// How much of a body is repeated in an error.
const BODY_SHOWN: usize = 2_000;

/// Speaks to one server.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    retry_max: Duration,
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Request {
    /// GET, PUT or DELETE.
    pub method: Method,
    /// From the root: `/v1/tables`.
    pub path: String,
    /// JSON.
    pub body: Option<String>,
}

/// What was answered.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: String,
}

impl Request {
    /// GET.
    pub fn get(path: impl Into<String>) -> Self {
        Self {
            method: Method::GET,
            path: path.into(),
            body: None,
        }
    }

    /// PUT with this body.
    pub fn put(path: impl Into<String>, body: String) -> Self {
        Self {
            method: Method::PUT,
            path: path.into(),
            body: Some(body),
        }
    }

    /// DELETE.
    pub const fn delete(path: String) -> Self {
        Self {
            method: Method::DELETE,
            path,
            body: None,
        }
    }

    /// The error of an answer that should have been another.
    pub fn unexpected(&self, reply: &Reply, expected: &str) -> SimulatorError {
        SimulatorError::Unexpected {
            request: self.to_string(),
            answer: reply.to_string(),
            expected: expected.to_owned(),
        }
    }

    /// The answer as what it should be, if it is one of these statuses.
    ///
    /// # Errors
    /// Another status, or a body that lacks something.
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
            .map_or(Ok(()), |body| write!(out, " {}", shown(body)))
    }
}

impl Reply {
    /// The stable code of a refusal.
    pub fn code(&self) -> Option<String> {
        let problem: serde_json::Value = serde_json::from_str(&self.body).ok()?;
        Some(problem.get("code")?.as_str()?.to_owned())
    }

    /// Whether the server can't answer now but may soon.
    fn is_not_now(&self) -> bool {
        match self.status {
            429 => true,
            503 => self.code().as_deref() != Some("link_faulted"),
            _ => false,
        }
    }
}

impl core::fmt::Display for Reply {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "{} {}", self.status, shown(&self.body))
    }
}

fn shown(body: &str) -> String {
    body.chars().take(BODY_SHOWN).collect()
}

impl Client {
    /// A client of the server at this address; never through a proxy.
    ///
    /// # Errors
    /// An address that is none of a server.
    pub fn new(base: &str) -> Result<Self, SimulatorError> {
        Self::with_retry_max(base, RETRY_MAX)
    }

    /// The same, which tries a request again for this long.
    ///
    /// # Errors
    /// An address that is none of a server.
    pub fn with_retry_max(base: &str, retry_max: Duration) -> Result<Self, SimulatorError> {
        let unusable = || SimulatorError::Address {
            base: base.to_owned(),
        };
        let url: Url = base.parse().map_err(|_| unusable())?;
        if url.scheme() != "http" || url.host_str().is_none() {
            return Err(unusable());
        }
        let http = reqwest::Client::builder()
            .no_proxy()
            .tcp_nodelay(true)
            .timeout(ANSWER_MAX)
            .build()
            .map_err(SimulatorError::Client)?;
        Ok(Self {
            http,
            base: url,
            retry_max,
        })
    }

    /// Asks until there is an answer other than "not now".
    ///
    /// # Errors
    /// None came for too long.
    pub async fn ask(&self, token: &str, request: &Request) -> Result<Reply, SimulatorError> {
        let started = Instant::now();
        let mut pause = PAUSE_FIRST;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let last = match self.ask_once(token, request).await {
                Ok(reply) if reply.is_not_now() => reply.to_string(),
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
            tracing::debug!(request.path = request.path, attempts, last, "asking again");
            sleep(pause).await;
            pause = (pause * 2).min(PAUSE_MAX);
        }
    }

    async fn ask_once(&self, token: &str, request: &Request) -> Result<Reply, reqwest::Error> {
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

/// An error with its causes.
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
