//! Readers of values. An error says what to write instead.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::{HeaderValue, Uri};
use ipnet::IpNet;
use meterhouse_journal::tree_head::PublicKey;
use meterhouse_push::{Host, Subject};

use super::file::LIST_SEPARATOR;

/// Reads an address: a host and a port. The host is looked up later.
pub(super) fn address(text: &str) -> Result<String, String> {
    let parts = text.rsplit_once(':');
    match parts.map(|(host, port)| (host, port.parse::<u16>())) {
        Some((host, Ok(_))) if !host.is_empty() => Ok(text.to_owned()),
        _ => Err(format!(
            "{text:?} is no address: write HOST:PORT, as in 127.0.0.1:8080, with port 0 for a free one"
        )),
    }
}

/// Reads `true` or `false`.
pub(super) fn boolean(text: &str) -> Result<bool, String> {
    text.parse()
        .map_err(|_| format!("{text:?}: write true or false"))
}

/// Reads a list. An empty text is an empty list.
pub(super) fn list<T>(text: &str, read: fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    let items = text.split(LIST_SEPARATOR).map(str::trim);
    items.filter(|item| !item.is_empty()).map(read).collect()
}

/// Reads a network, or the address of one machine.
pub(super) fn network(text: &str) -> Result<IpNet, String> {
    let machine = || text.parse::<IpAddr>().map(IpNet::from).ok();
    text.parse().ok().or_else(machine).ok_or_else(|| {
        format!("{text:?} is no network: write an address or a network, as in 10.0.0.0/8")
    })
}

/// Reads the origin of a page: scheme, host and port.
pub(super) fn origin(text: &str) -> Result<HeaderValue, String> {
    let instead = || format!("{text:?} is no origin: write https://HOST, without a path");
    let uri: Uri = text.parse().map_err(|_| instead())?;
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let scheme = uri.scheme_str().unwrap_or_default();
    if !is_web || text != format!("{scheme}://{authority}") {
        return Err(instead());
    }
    HeaderValue::from_str(text).map_err(|_| instead())
}

/// Reads a path.
pub(super) fn path(text: &str) -> Result<PathBuf, String> {
    if text.is_empty() {
        return Err("an empty path: write a path".to_owned());
    }
    Ok(PathBuf::from(text))
}

/// Shortest and longest interval between two signed heads.
const SIGN_EVERY_LEAST: Duration = Duration::from_secs(1);
const SIGN_EVERY_MOST: Duration = Duration::from_hours(12);

/// Reads the interval of signing.
pub(super) fn signing_interval(text: &str) -> Result<Duration, String> {
    let every = humantime::parse_duration(text).ok();
    let every = every.filter(|every| (SIGN_EVERY_LEAST..=SIGN_EVERY_MOST).contains(every));
    every.ok_or_else(|| format!("{text:?}: write a time from 1s to 12h, as in 1m or 30s"))
}

/// Reads the contact of the operator for push services.
pub(super) fn contact(text: &str) -> Result<Subject, String> {
    text.parse()
        .map_err(|error| format!("{text:?} is no contact: {error}"))
}

/// Reads a host of push services.
pub(super) fn push_host(text: &str) -> Result<Host, String> {
    text.parse()
        .map_err(|error| format!("{text:?} is no host: {error}"))
}

/// Reads a public key.
pub(super) fn public_key(text: &str) -> Result<PublicKey, String> {
    text.parse().map_err(|error| {
        format!("{text:?} is no public key ({error}); `meterhouse key list` shows them")
    })
}

/// Reads the address of a webhook.
pub(super) fn webhook(text: &str) -> Result<String, String> {
    let webhook = meterhouse_http_client::Webhook::new(text, None);
    webhook
        .map(|webhook| webhook.url().to_owned())
        .map_err(|error| error.to_string())
}

/// Reads a word of a kind, such as a token or a secret, which no message repeats.
fn word(text: &str, kind: &str) -> Result<String, String> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(format!(
            "a {kind} has letters, digits and signs, and no space"
        ));
    }
    Ok(text.to_owned())
}

/// Reads a bearer token.
pub(super) fn bearer(text: &str) -> Result<String, String> {
    word(text, "token")
}

/// Reads the name of a client.
pub(super) fn client_id(text: &str) -> Result<String, String> {
    word(text, "name")
}

/// Reads the secret of a client.
pub(super) fn client_secret(text: &str) -> Result<String, String> {
    word(text, "secret")
}

/// Reads the address of a provider of logins.
pub(super) fn issuer(text: &str) -> Result<String, String> {
    let checked = meterhouse_openid::check_issuer(text);
    checked.map_err(|error| error.to_string())?;
    Ok(text.to_owned())
}

/// Reads the address of this server as browsers see it.
pub(super) fn public_url(text: &str) -> Result<String, String> {
    let checked = meterhouse_openid::check_public_url(text);
    checked.map_err(|error| error.to_string())?;
    Ok(text.to_owned())
}
