//! Logins by OpenID Connect, at one provider: the authorization code flow with PKCE (RFC 7636), state and nonce.
//!
//! # Shape
//! [`Provider::begin`] returns the address that the browser goes to, and a cookie. [`Provider::finish`] takes what the
//! browser comes back with, exchanges the code, and returns the subject that the provider vouches for. Who that is, the
//! caller knows.
//!
//! # Failures
//! A provider that is down, hangs or answers nonsense is [`OpenIdError::Unavailable`]: logins by it are refused meanwhile,
//! and nothing else happens. The documents of the provider are fetched at the first login.
//!
//! # Limits
//! A login lasts [`LOGIN_GOOD`] at most. A request to the provider takes [`EXCHANGE_WAIT_MAX`] at most, with its turn.

mod address;
mod attempt;
mod error;
mod provider;
mod published;
mod return_path;

pub use address::{check_issuer, check_public_url};
pub use attempt::LOGIN_GOOD;
pub use error::{InvalidSettings, OpenIdError};
pub use provider::{Begun, EXCHANGE_WAIT_MAX, Finished, OpenIdSettings, Provider, Returned};
pub use return_path::ReturnPath;
