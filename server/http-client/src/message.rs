//! Requests, and the replies to them.

use core::fmt;

use meterhouse_api::problem::Problem;
use reqwest::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::ClientError;

/// Maximum number of a body's characters in an error.
const BODY_SHOWN: usize = 2_000;

/// A request of the HTTP API.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: Method,
    /// The path from the root with its query: `/v1/tables?limit=200`.
    pub(crate) path: String,
    /// The body as JSON.
    pub(crate) body: Option<String>,
}

/// A reply of the server to one request.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The body as text.
    pub(crate) body: String,
    /// The request, for errors.
    pub(crate) request: Request,
}

impl Request {
    pub(crate) const fn without_body(method: Method, path: String) -> Self {
        Self {
            method,
            path,
            body: None,
        }
    }

    pub(crate) fn put(path: String, body: &impl Serialize) -> Result<Self, ClientError> {
        match serde_json::to_string(body) {
            Ok(body) => Ok(Self {
                method: Method::PUT,
                path,
                body: Some(body),
            }),
            Err(source) => Err(ClientError::Body { path, source }),
        }
    }
}

impl Reply {
    /// Returns true if the server did what the request asks for, now (201) or before (200).
    pub const fn is_done(&self) -> bool {
        matches!(self.status, 200 | 201)
    }

    /// Checks that the server did what the request asks for.
    ///
    /// # Errors
    /// [`ClientError::Unexpected`] for another status than 200 and 201.
    pub fn done(&self) -> Result<(), ClientError> {
        if self.is_done() {
            Ok(())
        } else {
            Err(self.unexpected("200 or 201"))
        }
    }

    /// Reads the body.
    ///
    /// # Errors
    /// Another status than 200 and 201, or a body of another type.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ClientError> {
        self.done()?;
        serde_json::from_str(&self.body).map_err(|source| ClientError::Unreadable {
            request: self.request.to_string(),
            answer: self.to_string(),
            source,
        })
    }

    /// Returns the stable code of a refusal.
    pub fn code(&self) -> Option<String> {
        let problem: Problem = serde_json::from_str(&self.body).ok()?;
        Some(problem.code)
    }

    /// Returns the error for a reply that the caller did not expect.
    pub fn unexpected(&self, expected: &str) -> ClientError {
        ClientError::Unexpected {
            request: self.request.to_string(),
            answer: self.to_string(),
            expected: expected.to_owned(),
        }
    }

    /// Returns true if a retry may succeed.
    pub(crate) fn is_temporary(&self) -> bool {
        match self.status {
            429 => true,
            503 => self.code().as_deref() != Some("link_faulted"),
            _ => false,
        }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.method, self.path)?;
        match &self.body {
            Some(body) => write!(out, " {}", truncated(body)),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.status, truncated(&self.body))
    }
}

fn truncated(body: &str) -> String {
    body.chars().take(BODY_SHOWN).collect()
}
