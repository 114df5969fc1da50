//! The key that signs heads, in a file or in a device. It is outside the database, so that the database alone proves
//! nothing.
//!
//! # Order
//! A new file is written for its owner only, and synced before its key signs anything. An existing file is never
//! replaced.

#[cfg(feature = "pkcs11")]
mod pkcs11;

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use meterhouse_engine::signing::{HeadKey, SIGN_EVERY, Signing};
use meterhouse_journal::tree_head::{KEY_BYTES, PublicKey, SigningKey};
use rand::TryRng as _;

use crate::database::Database;
use crate::failure::Failure;
use crate::secret_file;
use crate::settings::{DeviceSettings, SigningSettings};

/// Name of the file in the folder of a private Postgres.
pub(crate) const FILE: &str = "signing-key.pem";

/// The key of a server.
pub(crate) struct ServerKey {
    /// Key and interval.
    pub(crate) signing: Signing,
    /// `true` if the file was made by this start, so that the key can vouch for what was there before.
    pub(crate) is_new: bool,
    /// Public keys of older keys whose vouchers for credentials still count.
    pub(crate) older: Vec<PublicKey>,
}

/// Returns the key of a server: the one in the settings, or the one in the folder of the private Postgres, which is made
/// there by the first start. Returns nothing for a database by URL without a key.
pub(crate) fn of_server(
    settings: &SigningSettings,
    database: &Database,
) -> Result<Option<ServerKey>, Failure> {
    let mut is_new = false;
    let key: Arc<dyn HeadKey> = match (&settings.device, &settings.key_file, database.data_dir()) {
        (Some(device), _, _) => in_device(device)?,
        (None, Some(path), _) => Arc::new(read(path)?),
        (None, None, Some(folder)) => {
            let path = folder.join(FILE);
            is_new = matches!(path.try_exists(), Ok(false));
            Arc::new(if is_new { create(&path)? } else { read(&path)? })
        }
        (None, None, None) => return Ok(None),
    };
    let every = settings.every.unwrap_or(SIGN_EVERY);
    let signing = Signing { key, every };
    let older = settings.older_keys.clone();
    Ok(Some(ServerKey {
        signing,
        is_new,
        older,
    }))
}

/// Returns the key in a device.
#[cfg(feature = "pkcs11")]
pub(crate) fn in_device(settings: &DeviceSettings) -> Result<Arc<dyn HeadKey>, Failure> {
    let key = pkcs11::DeviceKey::open(settings.clone());
    let key = key.map_err(|error| {
        let error = meterhouse_engine::error_chain::ErrorChain(&error);
        Failure::Configuration(format!(
            "the signing key in the device can't be used ({error}): correct pkcs11.module, pkcs11.token, pkcs11.key and pkcs11.pin_file"
        ))
    })?;
    Ok(Arc::new(key))
}

/// Refuses a key in a device: this program can't load the module of one.
#[cfg(not(feature = "pkcs11"))]
pub(crate) fn in_device(settings: &DeviceSettings) -> Result<Arc<dyn HeadKey>, Failure> {
    Err(Failure::Configuration(format!(
        "this program was built without PKCS#11, as in the static image, and can't load {}: use signing.key_file, or the program of the package",
        settings.module.display()
    )))
}

/// Returns the key of a command that admits a person: the server's, if there is one yet.
pub(crate) fn of_command(
    settings: &SigningSettings,
    database: &Database,
) -> Result<Option<Arc<dyn HeadKey>>, Failure> {
    if let Some(device) = &settings.device {
        return in_device(device).map(Some);
    }
    if let Some(path) = &settings.key_file {
        return Ok(Some(Arc::new(read(path)?)));
    }
    let path = database.data_dir().map(|folder| folder.join(FILE));
    let path = path.filter(|path| !matches!(path.try_exists(), Ok(false)));
    let key = path.as_deref().map(read).transpose()?;
    Ok(key.map(|key| Arc::new(key) as Arc<dyn HeadKey>))
}

/// Reads a key.
pub(crate) fn read(path: &Path) -> Result<SigningKey, Failure> {
    let shown = path.display();
    let unreadable = |error| {
        Failure::Configuration(format!(
            "the signing key {shown} can't be read ({error}): correct signing.key_file, or make a key with `meterhouse key create`"
        ))
    };
    if secret_file::is_open_to_others(path).map_err(unreadable)? {
        return Err(Failure::Configuration(format!(
            "everybody on this machine may read or write the signing key {shown}: chmod 600 it, and replace it if others could have read it"
        )));
    }
    let text = fs::read_to_string(path).map_err(unreadable)?;
    SigningKey::from_pem(&text)
        .map_err(|error| Failure::Configuration(format!("the signing key {shown}: {error}")))
}

/// Creates a key in a new file.
pub(crate) fn create(path: &Path) -> Result<SigningKey, Failure> {
    let shown = path.display();
    let mut secret = [0; KEY_BYTES];
    let drawn = rand::rngs::SysRng.try_fill_bytes(&mut secret);
    drawn.map_err(|error| Failure::internal("the system gives no random bytes", error))?;
    let key = SigningKey::new(&secret);
    let pem = key
        .to_pem()
        .map_err(|error| Failure::internal("the key has no form", error))?;
    let written = secret_file::create(path, &pem);
    written.map_err(|error| {
        Failure::Configuration(if error.kind() == ErrorKind::AlreadyExists {
            format!("{shown} exists already: a key is never replaced in its file; name another file")
        } else {
            format!("the signing key {shown} can't be written ({error}): name a file in a folder that this user may write to")
        })
    })?;
    Ok(key)
}
