//! A webhook: one address to which JSON is posted, each time by one attempt.

use std::time::Duration;

use reqwest::Url;
use serde::Serialize;

use crate::address::{builder, outside};
use crate::error::ClientError;

/// Maximum time of one attempt.
const POST_WAIT: Duration = Duration::from_secs(10);
/// Maximum number of bytes of a reply that are read.
const REPLY_BYTES_MAX: usize = 65_536;

/// A client of one address.
#[derive(Clone, Debug)]
pub struct Webhook {
    http: reqwest::Client,
    url: Url,
    token: Option<String>,
}

/// The reply of a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookReply {
    /// Status code.
    pub status: u16,
    /// Body as text, cut to its maximum.
    pub body: String,
}

impl Webhook {
    /// Returns the client of an address, with a bearer token. TLS trusts the authorities of the system. Plain text goes to
    /// this machine only.
    ///
    /// # Errors
    /// An address that is none, or of plain text on another machine.
    pub fn new(url: &str, token: Option<String>) -> Result<Self, ClientError> {
        let url = outside(url).ok_or(ClientError::Webhook)?;
        let http = builder(&url).timeout(POST_WAIT);
        Ok(Self {
            http: http.build().map_err(ClientError::Client)?,
            url,
            token,
        })
    }

    /// Returns the address.
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// Returns the host of the address, with its port if it is not the scheme's.
    pub fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        match self.url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// Posts a body, by one attempt. A refusal is a reply as well.
    ///
    /// # Errors
    /// A body that is no JSON, or no reply in time.
    pub async fn post(&self, body: &impl Serialize) -> Result<WebhookReply, ClientError> {
        let body = serde_json::to_vec(body).map_err(|source| ClientError::Body {
            path: self.url.path().to_owned(),
            source,
        })?;
        let mut request = self.http.post(self.url.clone());
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let request = request
            .header("content-type", "application/json")
            .body(body);
        let no_reply = |error: reqwest::Error| ClientError::NoReply(error.without_url());
        let mut response = request.send().await.map_err(no_reply)?;
        let status = response.status().as_u16();
        let mut bytes = Vec::new();
        while bytes.len() < REPLY_BYTES_MAX
            && let Some(chunk) = response.chunk().await.map_err(no_reply)?
        {
            bytes.extend_from_slice(&chunk);
        }
        bytes.truncate(REPLY_BYTES_MAX);
        let body = String::from_utf8_lossy(&bytes).into_owned();
        Ok(WebhookReply { status, body })
    }
}
