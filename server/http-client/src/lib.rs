//! An HTTP client of the API, with retries while the server is unavailable.
//!
//! # Shape
//! A [`Client`] sends the types of `meterhouse-api`. A read returns such a type, and a write returns a [`Reply`], which
//! the caller reads or ignores.
//!
//! # Limits
//! An attempt takes at most 10 s, all attempts of one request a minute. A killed server can restart in that time.
//!
//! A [`Webhook`] posts to one address, a [`ProviderClient`] sends any request to one provider, and a [`PushClient`] posts to
//! push services. They leave retries to their callers.
//!
//! # Retries
//! A request without a response is retried, and so is a response of 429 or 503: all writes of the API are idempotent. A
//! faulted link returns 503 as well, but a retry is useless.

mod address;
mod client;
mod error;
mod message;
mod provider;
mod push;
#[cfg(test)]
mod tests;
mod trust;
mod webhook;

pub use client::Client;
pub use error::{ClientError, causes};
pub use message::Reply;
pub use provider::{ProviderClient, ProviderReply, ProviderRequest};
pub use push::{PushAddress, PushClient, PushReply};
pub use trust::Trust;
pub use webhook::{Webhook, WebhookReply};
