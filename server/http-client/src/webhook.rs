//! A webhook: one address to which JSON is posted, each time by one attempt.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::Url;
use reqwest::redirect::Policy;
use serde::Serialize;

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
        // reqwest asks for the provider of TLS even of a client without it. An error says that there is one already.
        drop(rustls::crypto::ring::default_provider().install_default());
        let parsed: Url = url.parse().map_err(|_| ClientError::Webhook)?;
        let has_user = !parsed.username().is_empty() || parsed.password().is_some();
        if has_user || parsed.fragment().is_some() {
            return Err(ClientError::Webhook);
        }
        // A redirect could lead to another machine, or out of TLS.
        let mut http = reqwest::Client::builder()
            .redirect(Policy::none())
            .timeout(POST_WAIT);
        match parsed.scheme() {
            "https" if parsed.has_host() => {}
            "http" if is_this_machine(&parsed) => http = http.no_proxy(),
            _ => return Err(ClientError::Webhook),
        }
        Ok(Self {
            http: http.build().map_err(ClientError::Client)?,
            url: parsed,
            token,
        })
    }

    /// Returns the address.
    pub fn url(&self) -> &str {
        self.url.as_str()
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

/// Returns `true` if an address is on this machine.
fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_goes_to_this_machine_only() {
        for url in [
            "https://witness.example/v1/witness/heads",
            "http://127.0.0.1:8080/v1/witness/heads",
            "http://[::1]:8080/",
            "http://localhost:8080/",
        ] {
            assert!(Webhook::new(url, None).is_ok(), "{url}");
        }
        for url in [
            "http://witness.example/",
            "http://10.0.0.7:8080/",
            "http://127.0.0.1.example/",
            "ftp://127.0.0.1/",
            "https://ada:secret@witness.example/",
            "https://witness.example/#heads",
            "witness.example",
            "",
        ] {
            assert!(Webhook::new(url, None).is_err(), "{url}");
        }
    }
}
