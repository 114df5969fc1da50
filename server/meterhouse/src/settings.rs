//! The settings of the program: one strict file, environment variables over it, flags over both.
//!
//! # Shape
//! `keys` describes each setting once. `flags` makes the command line of the descriptions, `form` the example file.
//! `file` and `layer` read the sources, `merge` chooses, and [`Settings`] is what the program uses. All mistakes are
//! found in one run (`mistake`).

mod database_keys;
mod device_keys;
mod file;
mod flags;
mod form;
mod key;
mod keys;
mod layer;
mod merge;
mod mistake;
mod read;
mod signing_keys;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::http::HeaderValue;
use meterhouse_edge::trusted_proxies::TrustedProxies;
use meterhouse_journal::tree_head::PublicKey;
use meterhouse_store::Servers;
use meterhouse_tls::TlsFiles;

pub(crate) use self::flags::{GlobalFlags, ServeFlags};

use self::file::FileText;
use self::keys::ALL;
use self::layer::Layer;
use self::merge::Values;
use self::mistake::{Mistake, Origin};
use crate::failure::Failure;
use crate::log_format::LogFormat;
use crate::program::ProgramHash;

/// Name of the file in its default folder.
const FILE: &str = "meterhouse.toml";
/// Environment variable that names the file.
pub(crate) const FILE_VARIABLE: &str = "METERHOUSE_CONFIG";

/// What to do if an address that other machines reach has no TLS.
pub(crate) const PLAIN_TEXT: &str = "other machines reach this address, and plain text would show them tokens and \
    commands: set tls.certificate and tls.key, or listen on 127.0.0.1, or write tls.insecure = true";

/// The settings in force.
#[derive(Clone)]
pub(crate) struct Settings {
    /// Address of page, API and feed.
    pub(crate) http_listen: String,
    /// Proxies whose word about a client's address counts.
    pub(crate) trusted_proxies: TrustedProxies,
    /// Origins whose pages may call the API.
    pub(crate) allowed_origins: Vec<HeaderValue>,
    /// Address of gRPC.
    pub(crate) grpc_listen: String,
    /// Files of TLS; `None` for plain text.
    pub(crate) tls: Option<TlsFiles>,
    /// True if plain text may be served to other machines.
    pub(crate) is_insecure: bool,
    /// Location of the data.
    pub(crate) database: DatabaseSettings,
    /// Folder with the operator's own paytable files.
    pub(crate) paytables: Option<PathBuf>,
    /// Address of the metrics' page.
    pub(crate) metrics_listen: Option<String>,
    /// Signing of heads.
    pub(crate) signing: SigningSettings,
    /// Witnesses of the heads.
    pub(crate) witness: WitnessSettings,
    /// Hash of the approved program.
    pub(crate) program_hash: Option<ProgramHash>,
    /// Filter of the log; `None` for the command's own default.
    pub(crate) log_filter: Option<String>,
    /// Form of the log.
    pub(crate) log_format: LogFormat,
}

/// The signing of heads.
#[derive(Clone, Default)]
pub(crate) struct SigningSettings {
    /// File of the key; `None` for the one in the folder of a private Postgres.
    pub(crate) key_file: Option<PathBuf>,
    /// Public keys whose vouchers for credentials still count.
    pub(crate) older_keys: Vec<PublicKey>,
    /// Device with the key, instead of a file.
    pub(crate) device: Option<DeviceSettings>,
    /// Interval between two heads; `None` for the default.
    pub(crate) every: Option<Duration>,
}

/// A key in a device of PKCS#11. Without `Debug`: the PIN is a secret.
#[derive(Clone)]
#[cfg_attr(
    not(feature = "pkcs11"),
    expect(dead_code, reason = "a program without the feature only refuses them")
)]
pub(crate) struct DeviceSettings {
    /// Library of the device's maker.
    pub(crate) module: PathBuf,
    /// Label of the token.
    pub(crate) token: String,
    /// Label of the key.
    pub(crate) key: String,
    /// PIN of the token's user.
    pub(crate) pin: String,
}

/// The settings of the witnesses. Without `Debug`: the token is a secret.
#[derive(Clone, Default)]
pub(crate) struct WitnessSettings {
    /// File that heads are appended to.
    pub(crate) file: Option<PathBuf>,
    /// Address that heads are posted to.
    pub(crate) url: Option<String>,
    /// Bearer token of the address.
    pub(crate) token: Option<String>,
}

/// The location of the data: an existing Postgres, or a private one in a folder. Without `Debug`: the URL may have a
/// password.
#[derive(Clone)]
pub(crate) struct DatabaseSettings {
    /// Existing Postgres; `None` for a private one.
    pub(crate) url: Option<Servers>,
    /// Folder of the private Postgres; `None` for the default.
    pub(crate) data_dir: Option<PathBuf>,
    /// Folder that keeps the last known heads of a database by URL.
    pub(crate) state_dir: Option<PathBuf>,
    /// Folder with Postgres' programs; `None` to search.
    pub(crate) programs: Option<PathBuf>,
}

/// Where to look for the file.
#[derive(Clone, Debug)]
pub(crate) enum FileChoice {
    /// This file, or the default one if it exists.
    Read(Option<PathBuf>),
    /// No file: a command that plays with play money.
    None,
}

/// The sources with their values.
pub(crate) struct Sources {
    /// File that was read.
    pub(crate) path: Option<PathBuf>,
    values: Values,
    mistakes: Vec<Mistake>,
}

impl Sources {
    /// Reads the file, the environment and the flags.
    pub(crate) fn read(file: FileChoice, flags: Layer) -> Result<Self, Failure> {
        let file = match file {
            FileChoice::Read(path) => find_file(path)?,
            FileChoice::None => None,
        };
        Ok(Self::of(file, |name| std::env::var_os(name), flags))
    }

    fn of(
        file: Option<FileText>,
        variable: impl Fn(&str) -> Option<OsString>,
        flags: Layer,
    ) -> Self {
        let mut mistakes = Vec::new();
        let path = file.as_ref().map(|file| file.path.clone());
        let file = file.map(|file| file::read(&file, &ALL, &mut mistakes));
        let environment = layer::of_environment(&ALL, variable, &mut mistakes);
        let layers = [flags, environment, file.unwrap_or_default()];
        let values = merge::merge(&layers, &ALL, &mut mistakes);
        contradictions(&values, &mut mistakes);
        contradictions_of_proof(&values, &mut mistakes);
        mistakes.sort_by(|one, other| one.origin.cmp(&other.origin));
        Self {
            path,
            values,
            mistakes,
        }
    }

    /// Returns the settings, or all mistakes.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        if !self.mistakes.is_empty() {
            return Err(mistake::failure(&self.mistakes));
        }
        let values = &self.values;
        let missing = || Failure::Internal {
            what: "a setting with a default has no value".to_owned(),
            source: None,
        };
        Ok(Settings {
            http_listen: values.value(&keys::HTTP_LISTEN).ok_or_else(missing)?,
            trusted_proxies: TrustedProxies::new(
                values
                    .value(&keys::HTTP_TRUSTED_PROXIES)
                    .unwrap_or_default(),
            ),
            allowed_origins: values
                .value(&keys::HTTP_ALLOWED_ORIGINS)
                .unwrap_or_default(),
            grpc_listen: values.value(&keys::GRPC_LISTEN).ok_or_else(missing)?,
            tls: tls_files(values),
            is_insecure: values.value(&keys::TLS_INSECURE).unwrap_or_default(),
            database: DatabaseSettings {
                url: values.value(&database_keys::DATABASE_URL),
                data_dir: values.value(&database_keys::DATABASE_DATA_DIR),
                state_dir: values.value(&database_keys::DATABASE_STATE_DIR),
                programs: values.value(&database_keys::DATABASE_PROGRAMS),
            },
            paytables: values.value(&keys::PAYTABLES_FOLDER),
            metrics_listen: values.value(&keys::METRICS_LISTEN),
            signing: SigningSettings {
                key_file: values.value(&signing_keys::SIGNING_KEY_FILE),
                older_keys: values
                    .value(&signing_keys::SIGNING_OLDER_KEYS)
                    .unwrap_or_default(),
                device: device(values),
                every: values.value(&signing_keys::SIGNING_EVERY),
            },
            witness: WitnessSettings {
                file: values.value(&keys::WITNESS_FILE),
                url: values.value(&keys::WITNESS_URL),
                token: values.value(&keys::WITNESS_TOKEN),
            },
            program_hash: values.value(&keys::PROGRAM_HASH),
            log_filter: values.value(&keys::LOG_FILTER),
            log_format: values.value(&keys::LOG_FORMAT).ok_or_else(missing)?,
        })
    }

    /// Returns the values in force as TOML, each with its place. Secrets are masked.
    pub(crate) fn print(&self) -> String {
        form::print(&self.values, &ALL)
    }
}

/// Returns the example file.
pub(crate) fn example() -> String {
    form::example(&ALL)
}

/// Returns the files of TLS, if there is a certificate.
fn tls_files(values: &Values) -> Option<TlsFiles> {
    let certificate = values.value(&keys::TLS_CERTIFICATE);
    let both = certificate.zip(values.value(&keys::TLS_KEY));
    both.map(|(certificate, key)| TlsFiles {
        certificate,
        key,
        client_ca: values.value(&keys::TLS_CLIENT_CA),
        tables_need_certificate: values
            .value(&keys::TLS_TABLES_NEED_CERTIFICATE)
            .unwrap_or(true),
    })
}

/// Returns the device with the key, if all of its settings are there.
fn device(values: &Values) -> Option<DeviceSettings> {
    Some(DeviceSettings {
        module: values.value(&device_keys::MODULE)?,
        token: values.value(&device_keys::TOKEN)?,
        key: values.value(&device_keys::KEY)?,
        pin: values.value(&device_keys::PIN)?,
    })
}

/// Records settings that exclude or need each other.
fn contradictions(values: &Values, mistakes: &mut Vec<Mistake>) {
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

/// Records settings of signing and witnesses that exclude or need each other.
fn contradictions_of_proof(values: &Values, mistakes: &mut Vec<Mistake>) {
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
}

/// Reads the named file, which must exist, or the default one, which may be missing.
fn find_file(named: Option<PathBuf>) -> Result<Option<FileText>, Failure> {
    let is_named = named.is_some();
    let Some(path) = named.or_else(default_file) else {
        return Ok(None);
    };
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some(FileText { path, text })),
        Err(error) if error.kind() == ErrorKind::NotFound && !is_named => Ok(None),
        Err(error) => Err(Failure::Configuration(format!(
            "the file of settings {} can't be read ({error}): correct --config ({FILE_VARIABLE}), or let the program read it",
            path.display()
        ))),
    }
}

/// Returns the default path of the file.
pub(crate) fn default_file() -> Option<PathBuf> {
    if nix::unistd::geteuid().is_root() {
        return Some(Path::new("/etc/meterhouse").join(FILE));
    }
    let home = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let home =
        home.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".config")));
    home.map(|home| home.join("meterhouse").join(FILE))
}
