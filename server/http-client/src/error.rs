//! The errors of a request.

use std::time::Duration;

/// An error of a client or of one request.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The server's address is invalid.
    #[error(
        "{base:?} is not the address of a server: write http://HOST:PORT, or https://HOST:PORT with the certificates of its signers"
    )]
    Address {
        /// The given address.
        base: String,
    },
    /// The address of a webhook is invalid. It may hold a password, so that it is not repeated.
    #[error(
        "this is no address to post to: write https://HOST/PATH, or http://127.0.0.1:PORT/PATH on this machine, without a name and a password"
    )]
    Webhook,
    /// The address of a provider is invalid, or not of its kind.
    #[error(
        "{url:?} is no address of a provider: write https://HOST/PATH, or http://127.0.0.1:PORT/PATH on this machine, without a name and a password"
    )]
    Provider {
        /// The given address.
        url: String,
    },
    /// The reply of a provider is longer than allowed.
    #[error("the reply has more than {max} bytes")]
    TooLong {
        /// The maximum number of bytes.
        max: usize,
    },
    /// A webhook or provider gave no reply in time.
    #[error("no reply")]
    NoReply(#[source] reqwest::Error),
    /// The certificates of the trusted signers can't be used.
    #[error("the certificates of the signers can't be used: {0}")]
    Trust(String),
    /// The HTTP client could not be built.
    #[error("the HTTP client could not be built")]
    Client(#[source] reqwest::Error),
    /// The body of a request could not be written as JSON.
    #[error("the body of {path} could not be written as JSON")]
    Body {
        /// The path of the request.
        path: String,
        /// The error of the JSON writer.
        #[source]
        source: serde_json::Error,
    },
    /// The server stayed unreachable for the maximum time.
    #[error("no answer to {request} within {waited:?}, after {attempts} attempts; last: {last}")]
    Unreachable {
        /// The request.
        request: String,
        /// The time from the first attempt to the last.
        waited: Duration,
        /// The number of attempts.
        attempts: u32,
        /// The error of the last attempt.
        last: String,
    },
    /// The server sent an unexpected response.
    #[error("{request} was answered {answer}, expected {expected}")]
    Unexpected {
        /// The request with its body.
        request: String,
        /// The status and the body.
        answer: String,
        /// The expected response.
        expected: String,
    },
    /// A response is not of the type that the API has for it.
    #[error("{request} was answered {answer}, which can't be read")]
    Unreadable {
        /// The request.
        request: String,
        /// The status and the body.
        answer: String,
        /// The error of the JSON parser.
        #[source]
        source: serde_json::Error,
    },
}

/// Returns the text of an error with its causes.
pub fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
