//! The client: sends requests, and retries them.

use std::time::Duration;

use reqwest::{Method, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, sleep};

use crate::error::{ClientError, causes};
use crate::message::{Reply, Request};
use crate::trust::Trust;

/// Maximum time of one attempt.
const RESPONSE_MAX: Duration = Duration::from_secs(10);
/// Maximum time of all attempts of one request.
const RETRY_MAX: Duration = Duration::from_mins(1);
/// First pause between attempts. Each further pause is twice as long.
const PAUSE_FIRST: Duration = Duration::from_millis(50);
/// Maximum pause between attempts.
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// An HTTP client of one server.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    retry_max: Duration,
}

impl Client {
    /// Returns a client of the server at this address, without an HTTP proxy. An address of `https` needs trusted
    /// signers.
    ///
    /// # Errors
    /// An invalid address.
    pub fn new(base: &str, trust: Option<&Trust>) -> Result<Self, ClientError> {
        let invalid = || ClientError::Address {
            base: base.to_owned(),
        };
        // reqwest asks for the provider of TLS even of a client without it. An error says that there is one already.
        drop(rustls::crypto::ring::default_provider().install_default());
        let url: Url = base.parse().map_err(|_| invalid())?;
        if url.host_str().is_none() {
            return Err(invalid());
        }
        let mut http = reqwest::Client::builder()
            .no_proxy()
            .tcp_nodelay(true)
            .timeout(RESPONSE_MAX);
        match (url.scheme(), trust) {
            // The authorities of the system are not read for plain text.
            ("http", _) => http = http.tls_certs_only([]),
            ("https", Some(trust)) => {
                http = http.tls_backend_preconfigured((*trust.config()).clone());
            }
            _ => return Err(invalid()),
        }
        Ok(Self {
            http: http.build().map_err(ClientError::Client)?,
            base: url,
            retry_max: RETRY_MAX,
        })
    }

    /// Sets the limit for all attempts of one request.
    #[must_use]
    pub fn with_retry_max(mut self, retry_max: Duration) -> Self {
        self.retry_max = retry_max;
        self
    }

    /// Reads a path, such as `/v1/tables?limit=200`.
    ///
    /// # Errors
    /// A server that stays unreachable, another status than 200, or a body of another type.
    pub async fn get<T: DeserializeOwned>(
        &self,
        token: &str,
        path: impl Into<String>,
    ) -> Result<T, ClientError> {
        let request = Request::without_body(Method::GET, path.into());
        self.send(token, request).await?.read()
    }

    /// Writes a body to a path. A refusal is a reply as well.
    ///
    /// # Errors
    /// A body that is no JSON, or a server that stays unreachable.
    pub async fn put(
        &self,
        token: &str,
        path: impl Into<String>,
        body: &impl Serialize,
    ) -> Result<Reply, ClientError> {
        self.send(token, Request::put(path.into(), body)?).await
    }

    /// Deletes what is at a path. A refusal is a reply as well.
    ///
    /// # Errors
    /// A server that stays unreachable.
    pub async fn delete(&self, token: &str, path: impl Into<String>) -> Result<Reply, ClientError> {
        let request = Request::without_body(Method::DELETE, path.into());
        self.send(token, request).await
    }

    /// Sends a request, with retries until its reply is not temporary.
    async fn send(&self, token: &str, request: Request) -> Result<Reply, ClientError> {
        let started = Instant::now();
        let mut pause = PAUSE_FIRST;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let last = match self.attempt(token, &request).await {
                Ok(reply) if reply.is_temporary() => reply.to_string(),
                Ok(reply) => return Ok(reply),
                Err(error) => causes(&error),
            };
            let waited = started.elapsed();
            if waited + pause > self.retry_max {
                return Err(ClientError::Unreachable {
                    request: request.to_string(),
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
        Ok(Reply {
            status,
            body,
            request: request.clone(),
        })
    }
}
