//! The settings of the program: one strict file, environment variables over it, flags over both.
//!
//! # Shape
//! `keys` describes each setting once. `flags` makes the command line of the descriptions, `form` the example file.
//! `file` and `layer` read the sources, `merge` chooses, and [`Settings`] is what the program uses. All mistakes are
//! found in one run (`mistake`).

mod announcement_keys;
mod contradictions;
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
mod openid_keys;
mod push_keys;
mod read;
mod signing_keys;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::http::HeaderValue;
use meterhouse_edge::trusted_proxies::TrustedProxies;
use meterhouse_journal::tree_head::PublicKey;
use meterhouse_openid::OpenIdSettings;
use meterhouse_push::{Host, Subject};
use meterhouse_store::Servers;
use meterhouse_tls::TlsFiles;

pub(crate) use self::contradictions::PLAIN_TEXT;
pub(crate) use self::flags::{GlobalFlags, ServeFlags};

use self::file::FileText;
use self::keys::ALL;
use self::layer::Layer;
use self::merge::Values;
use self::mistake::Mistake;
use crate::failure::Failure;
use crate::log_format::LogFormat;
use crate::program::ProgramHash;

/// Name of the file in its default folder.
const FILE: &str = "meterhouse.toml";
/// Environment variable that names the file.
pub(crate) const FILE_VARIABLE: &str = "METERHOUSE_CONFIG";

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
    /// Provider of logins by OpenID Connect.
    pub(crate) openid: Option<OpenIdSettings>,
    /// Signing of heads.
    pub(crate) signing: SigningSettings,
    /// Witnesses of the heads.
    pub(crate) witness: WitnessSettings,
    /// Announcement of accesses that may configure.
    pub(crate) announcement: AnnouncementSettings,
    /// Notices of waiting hits.
    pub(crate) push: PushSettings,
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

/// The settings of the address that accesses are announced to. Without `Debug`: the token is a secret.
#[derive(Clone, Default)]
pub(crate) struct AnnouncementSettings {
    /// Address that announcements are posted to.
    pub(crate) url: Option<String>,
    /// Bearer token of the address.
    pub(crate) token: Option<String>,
}

/// The settings of notices of waiting hits.
#[derive(Clone, Debug, Default)]
pub(crate) struct PushSettings {
    /// Contact of the operator; `None` for no notices.
    pub(crate) subject: Option<Subject>,
    /// Hosts of push services that browsers may name.
    pub(crate) hosts: Vec<Host>,
    /// File of the key; `None` for the one in the folder of a private Postgres.
    pub(crate) key_file: Option<PathBuf>,
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
        contradictions::find(&values, &mut mistakes);
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
            openid: openid(values),
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
            announcement: AnnouncementSettings {
                url: values.value(&announcement_keys::URL),
                token: values.value(&announcement_keys::TOKEN),
            },
            push: PushSettings {
                subject: values.value(&push_keys::SUBJECT),
                hosts: values.value(&push_keys::HOSTS).unwrap_or_default(),
                key_file: values.value(&push_keys::KEY_FILE),
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

/// Returns the provider of logins, if all of its settings are there.
fn openid(values: &Values) -> Option<OpenIdSettings> {
    Some(OpenIdSettings {
        issuer: values.value(&openid_keys::ISSUER)?,
        client_id: values.value(&openid_keys::CLIENT_ID)?,
        client_secret: values.value(&openid_keys::CLIENT_SECRET)?,
        public_url: values.value(&openid_keys::PUBLIC_URL)?,
    })
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
