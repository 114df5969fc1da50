//! Addresses outside of this house: TLS, or plain text on this machine only.

use std::net::IpAddr;

use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, Url};

/// Reads an address of HTTPS, or of HTTP on this machine, without a name, a password and a fragment.
pub(crate) fn outside(text: &str) -> Option<Url> {
    let url: Url = text.parse().ok()?;
    let has_user = !url.username().is_empty() || url.password().is_some();
    if has_user || url.fragment().is_some() {
        return None;
    }
    let is_allowed = match url.scheme() {
        "https" => url.has_host(),
        "http" => is_this_machine(&url),
        _ => false,
    };
    is_allowed.then_some(url)
}

/// Returns the builder of a client for an address. Redirects are not followed: one could lead to another machine, or out
/// of TLS.
pub(crate) fn builder(url: &Url) -> ClientBuilder {
    // reqwest asks for the provider of TLS even of a client without it. An error says that there is one already.
    drop(rustls::crypto::ring::default_provider().install_default());
    let builder = reqwest::Client::builder().redirect(Policy::none());
    if url.scheme() == "http" {
        // The authorities of the system are not read for plain text.
        builder.no_proxy().tls_certs_only([])
    } else {
        builder
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
    use super::outside;

    #[test]
    fn plain_text_goes_to_this_machine_only() {
        for url in [
            "https://witness.example/v1/witness/heads",
            "http://127.0.0.1:8080/v1/witness/heads",
            "http://[::1]:8080/",
            "http://localhost:8080/",
        ] {
            assert!(outside(url).is_some(), "{url}");
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
            assert!(outside(url).is_none(), "{url}");
        }
    }
}
