//! A client of push services: messages to the addresses that browsers named, each by one attempt.

use core::str::FromStr;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::RETRY_AFTER;

use crate::address::{builder, outside};
use crate::error::ClientError;

/// Maximum time of one attempt.
const PUSH_WAIT: Duration = Duration::from_secs(10);

/// The address of a subscription at a push service: HTTPS, or plain text on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushAddress(Url);

impl FromStr for PushAddress {
    type Err = ClientError;

    fn from_str(text: &str) -> Result<Self, ClientError> {
        outside(text).map(Self).ok_or(ClientError::Webhook)
    }
}

impl PushAddress {
    /// Returns the host.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Returns the port, if it is not the scheme's.
    pub fn port(&self) -> Option<u16> {
        self.0.port()
    }

    /// Returns the host, with its port if it is not the scheme's.
    pub fn authority(&self) -> String {
        match self.port() {
            Some(port) => format!("{}:{port}", self.host()),
            None => self.host().to_owned(),
        }
    }

    /// Returns scheme and authority.
    pub fn origin(&self) -> String {
        format!("{}://{}", self.0.scheme(), self.authority())
    }

    /// Returns `true` for plain text.
    pub fn is_plain_text(&self) -> bool {
        self.0.scheme() == "http"
    }
}

/// The reply of a push service. Its body is not read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PushReply {
    /// Status code.
    pub status: u16,
    /// Seconds of the header `Retry-After`, if it has a number.
    pub retry_after_seconds: Option<u64>,
}

/// A client of push services.
#[derive(Clone, Debug)]
pub struct PushClient {
    encrypted: reqwest::Client,
    plain: reqwest::Client,
}

impl PushClient {
    /// Returns a client. TLS trusts the authorities of the system. Redirects are not followed.
    ///
    /// # Errors
    /// If the client can't be built.
    pub fn new() -> Result<Self, ClientError> {
        let client = |url: &str| {
            let url: Url = url.parse().map_err(|_| ClientError::Webhook)?;
            let client = builder(&url).timeout(PUSH_WAIT).build();
            client.map_err(ClientError::Client)
        };
        Ok(Self {
            encrypted: client("https://localhost/")?,
            plain: client("http://localhost/")?,
        })
    }

    /// Posts a message, by one attempt.
    ///
    /// # Errors
    /// No reply in time.
    pub async fn post(
        &self,
        to: &PushAddress,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Result<PushReply, ClientError> {
        let client = if to.is_plain_text() {
            &self.plain
        } else {
            &self.encrypted
        };
        let mut request = client.post(to.0.clone()).body(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let no_reply = |error: reqwest::Error| ClientError::NoReply(error.without_url());
        let reply = request.send().await.map_err(no_reply)?;
        let after = reply.headers().get(RETRY_AFTER);
        Ok(PushReply {
            status: reply.status().as_u16(),
            retry_after_seconds: after
                .and_then(|after| after.to_str().ok())
                .and_then(|after| after.trim().parse().ok()),
        })
    }
}
