//! Errors of a login by OpenID Connect.

use std::time::Duration;

use meterhouse_http_client::ClientError;

/// A login by OpenID Connect that did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum OpenIdError {
    /// The login was not begun in this browser, or too long ago.
    #[error("{0}")]
    NotBegun(&'static str),
    /// The provider sent the person back without a login.
    #[error("the provider refused the login: {0}")]
    Refused(String),
    /// The provider's answer does not prove who the person is.
    #[error("{0}")]
    NotProven(String),
    /// The provider can't be asked now.
    #[error("the provider can't be asked: {0}")]
    Unavailable(String),
}

/// A mistake of the settings.
#[derive(Debug, thiserror::Error)]
pub enum InvalidSettings {
    /// The issuer's address can't be used.
    #[error(transparent)]
    Issuer(#[from] ClientError),
    /// An address can't be used.
    #[error(
        "{0:?} is no address of this server: write https://HOST, or http://127.0.0.1:PORT on this machine, without a path"
    )]
    PublicUrl(String),
}

impl OpenIdError {
    /// Returns the error of a wait that was given up.
    pub(crate) fn late(wait: Duration) -> Self {
        Self::Unavailable(format!("no answer within {wait:?}"))
    }
}
