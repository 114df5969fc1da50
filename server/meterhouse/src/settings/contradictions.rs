//! Settings that exclude or need each other.

use std::net::SocketAddr;

use super::merge::Values;
use super::mistake::{Mistake, Origin};
use super::{
    announcement_keys, database_keys, device_keys, key, keys, openid_keys, push_keys, signing_keys,
};

/// What to do if an address that other machines reach has no TLS.
pub(crate) const PLAIN_TEXT: &str = "other machines reach this address, and plain text would show them tokens and \
    commands: set tls.certificate and tls.key, or listen on 127.0.0.1, or write tls.insecure = true";

/// Records settings that exclude or need each other.
pub(super) fn find(values: &Values, mistakes: &mut Vec<Mistake>) {
    of_places(values, mistakes);
    of_proof(values, mistakes);
    of_logins(values, mistakes);
    of_push(values, mistakes);
}

/// Records settings of addresses, TLS and the database that exclude or need each other.
fn of_places(values: &Values, mistakes: &mut Vec<Mistake>) {
    let found = |key: &key::Described| values.found(key).map(|found| found.origin.clone());
    let url = found(&database_keys::DATABASE_URL.described);
    let mut wrong = |origin: Origin, message: String| mistakes.push(Mistake { origin, message });
    if let (Some(url), Some(folder)) = (&url, found(&database_keys::DATABASE_DATA_DIR.described)) {
        wrong(
            folder,
            format!(
                "database.data_dir is for a private Postgres, and {url} names another: keep one"
            ),
        );
    }
    if let (None, Some(folder)) = (&url, found(&database_keys::DATABASE_STATE_DIR.described)) {
        wrong(
            folder,
            "database.state_dir needs database.url: a private Postgres keeps its heads in database.data_dir"
                .to_owned(),
        );
    }
    let certificate = found(&keys::TLS_CERTIFICATE.described);
    match (&certificate, found(&keys::TLS_KEY.described)) {
        (Some(given), None) => wrong(given.clone(), "tls.certificate needs tls.key".to_owned()),
        (None, Some(given)) => wrong(given, "tls.key needs tls.certificate".to_owned()),
        _ => {}
    }
    if let (None, Some(given)) = (&certificate, found(&keys::TLS_CLIENT_CA.described)) {
        wrong(
            given,
            "tls.client_ca needs tls.certificate and tls.key".to_owned(),
        );
    }
    let is_insecure = values.value(&keys::TLS_INSECURE) == Some(true);
    match (&certificate, found(&keys::TLS_INSECURE.described)) {
        (Some(tls), Some(given)) if is_insecure => wrong(
            given,
            format!("tls.insecure is for plain text, and {tls} names a certificate: keep one"),
        ),
        _ => {}
    }
    for key in [&keys::HTTP_LISTEN, &keys::GRPC_LISTEN] {
        let address = values.value(key).unwrap_or_default();
        let address: Option<SocketAddr> = address.parse().ok();
        let is_remote = address.is_some_and(|address| !address.ip().is_loopback());
        if certificate.is_none()
            && !is_insecure
            && is_remote
            && let Some(given) = found(&key.described)
        {
            wrong(given, format!("{}: {PLAIN_TEXT}", key.described.name));
        }
    }
}

/// Records settings of signing, witnesses and announcements that exclude or need each other.
fn of_proof(values: &Values, mistakes: &mut Vec<Mistake>) {
    let found = |key: &key::Described| values.found(key).map(|found| found.origin.clone());
    let mut wrong = |origin: Origin, message: String| mistakes.push(Mistake { origin, message });
    let of_device = device_keys::all().map(found);
    if let Some(given) = of_device.iter().flatten().next() {
        if of_device.iter().any(Option::is_none) {
            let message =
                "pkcs11.module, pkcs11.token, pkcs11.key and pkcs11.pin_file need each other";
            wrong(given.clone(), message.to_owned());
        }
        if let Some(file) = found(&signing_keys::SIGNING_KEY_FILE.described) {
            wrong(
                file,
                format!(
                    "signing.key_file is for a key in a file, and {given} names a device: keep one"
                ),
            );
        }
    }
    let has_key = of_device.iter().any(Option::is_some)
        || found(&signing_keys::SIGNING_KEY_FILE.described).is_some()
        || found(&database_keys::DATABASE_URL.described).is_none();
    if !has_key && let Some(given) = found(&signing_keys::SIGNING_OLDER_KEYS.described) {
        wrong(
            given,
            "signing.older_keys needs signing.key_file or pkcs11.module: without a key every stored credential counts"
                .to_owned(),
        );
    }
    if let (None, Some(given)) = (
        found(&keys::WITNESS_URL.described),
        found(&keys::WITNESS_TOKEN.described),
    ) {
        wrong(given, "witness.token needs witness.url".to_owned());
    }
    if let (None, Some(given)) = (
        found(&announcement_keys::URL.described),
        found(&announcement_keys::TOKEN.described),
    ) {
        let message = "announcement.token needs announcement.url";
        wrong(given, message.to_owned());
    }
}

/// Records settings of logins that need each other.
fn of_logins(values: &Values, mistakes: &mut Vec<Mistake>) {
    let of_openid = openid_keys::all().map(|key| values.found(key));
    if let Some(given) = of_openid.iter().flatten().next()
        && of_openid.iter().any(Option::is_none)
    {
        let message = "openid.issuer, openid.client_id, openid.client_secret and openid.public_url need each other";
        mistakes.push(Mistake {
            origin: given.origin.clone(),
            message: message.to_owned(),
        });
    }
}

/// Records settings of notices that need each other.
fn of_push(values: &Values, mistakes: &mut Vec<Mistake>) {
    let found = |key: &key::Described| values.found(key).map(|found| found.origin.clone());
    let subject = found(&push_keys::SUBJECT.described);
    let key_file = found(&push_keys::KEY_FILE.described);
    let url = found(&database_keys::DATABASE_URL.described);
    let wrong = match (subject, key_file, url) {
        (Some(subject), None, Some(_)) => Some((
            subject,
            "push.subject needs push.key_file with database.url: the key is the same on every node, and not in the database",
        )),
        (None, Some(given), _) => Some((given, "push.key_file needs push.subject")),
        _ => None,
    };
    if let Some((origin, message)) = wrong {
        let message = message.to_owned();
        mistakes.push(Mistake { origin, message });
    }
}
