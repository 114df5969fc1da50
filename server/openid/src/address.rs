//! The addresses of the settings: the provider's, and this server's own.

use meterhouse_http_client::{ClientError, ProviderClient};
use openidconnect::{IssuerUrl, RedirectUrl};

use crate::error::InvalidSettings;

/// Path to which the provider sends the browser back.
const CALLBACK: &str = "/v1/login/openid/callback";

/// Checks the address of an issuer.
///
/// # Errors
/// An address that is none, or of plain text on another machine.
pub fn check_issuer(text: &str) -> Result<(), InvalidSettings> {
    issuer(text).map(drop)
}

/// Checks the address of this server as browsers see it.
///
/// # Errors
/// An address with a path, or of plain text on another machine.
pub fn check_public_url(text: &str) -> Result<(), InvalidSettings> {
    redirect(text).map(drop)
}

/// Returns an issuer with the client that asks it.
pub(crate) fn issuer(text: &str) -> Result<(IssuerUrl, ProviderClient), InvalidSettings> {
    let client = ProviderClient::new(text)?;
    let issuer = IssuerUrl::new(text.to_owned());
    let issuer = issuer.map_err(|_| ClientError::Provider {
        url: text.to_owned(),
    })?;
    Ok((issuer, client))
}

/// Returns the address to which the provider sends the browser back.
pub(crate) fn redirect(public_url: &str) -> Result<RedirectUrl, InvalidSettings> {
    let other = || InvalidSettings::PublicUrl(public_url.to_owned());
    ProviderClient::new(public_url).map_err(|_| other())?;
    let base = public_url.trim_end_matches('/');
    let host = base.split_once("://").map(|(_, host)| host);
    if host.is_none_or(|host| host.contains(['/', '?', '#'])) {
        return Err(other());
    }
    RedirectUrl::new(format!("{base}{CALLBACK}")).map_err(|_| other())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_of_tls_or_of_this_machine() {
        for text in ["https://id.example/realms/house", "http://127.0.0.1:9"] {
            assert!(check_issuer(text).is_ok(), "{text}");
        }
        for text in ["http://id.example", "id.example", ""] {
            assert!(check_issuer(text).is_err(), "{text}");
        }
        for text in [
            "https://m.example",
            "https://m.example:8443/",
            "http://[::1]:8080",
        ] {
            assert!(check_public_url(text).is_ok(), "{text}");
        }
        for text in [
            "http://m.example",
            "https://m.example/a",
            "https://m.example?x",
            "",
        ] {
            assert!(check_public_url(text).is_err(), "{text}");
        }
    }
}
