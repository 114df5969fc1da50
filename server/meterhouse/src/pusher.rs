//! The way to push services, by the settings, and the key by which they know this house.
//!
//! # Order
//! The key lies outside the database. A new file is written for its owner only, and an existing one is never replaced:
//! browsers that were subscribed by another key hear nothing.

use std::path::Path;
use std::sync::Arc;

use meterhouse_engine::push::PushSender;
use meterhouse_http_client::PushClient;
use meterhouse_push::{Hosts, VapidKey, WebPush};

use crate::database::Database;
use crate::failure::Failure;
use crate::secret_file;
use crate::settings::PushSettings;

/// Name of the file in the folder of a private Postgres.
const FILE: &str = "push-key.pem";

/// Returns the way to push services; nothing if the settings name no contact.
pub(crate) fn of_server(
    settings: &PushSettings,
    database: &Database,
) -> Result<Option<Arc<dyn PushSender>>, Failure> {
    let Some(subject) = &settings.subject else {
        return Ok(None);
    };
    let in_folder = || database.data_dir().map(|folder| folder.join(FILE));
    // The settings are checked for it.
    let Some(path) = settings.key_file.clone().or_else(in_folder) else {
        return Ok(None);
    };
    let key = read(&path)?;
    let client = PushClient::new()
        .map_err(|error| Failure::internal("no client of push services can be built", error))?;
    let hosts = Hosts::from(settings.hosts.clone());
    let way = WebPush::new(key, subject.clone(), hosts, client);
    Ok(Some(Arc::new(way)))
}

/// Reads the key. Its file is made if it is not there.
fn read(path: &Path) -> Result<VapidKey, Failure> {
    if matches!(path.try_exists(), Ok(false)) {
        return create(path);
    }
    let shown = path.display();
    let unreadable = |error| {
        Failure::Configuration(format!(
            "the key of notices {shown} can't be read ({error}): correct push.key_file, or let the program read it"
        ))
    };
    if secret_file::is_open_to_others(path).map_err(unreadable)? {
        return Err(Failure::Configuration(format!(
            "everybody on this machine may read or write the key of notices {shown}: chmod 600 it"
        )));
    }
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    VapidKey::from_pem(&text)
        .map_err(|error| Failure::Configuration(format!("the key of notices {shown}: {error}")))
}

fn create(path: &Path) -> Result<VapidKey, Failure> {
    let internal = |error| Failure::internal("no key of notices can be made", error);
    let key = VapidKey::create().map_err(internal)?;
    let pem = key.to_pem().map_err(internal)?;
    secret_file::create(path, &pem).map_err(|error| {
        Failure::Configuration(format!(
            "the key of notices {} can't be written ({error}): name a file in a folder that this user may write to as push.key_file",
            path.display()
        ))
    })?;
    tracing::info!(path = %path.display(), "made the key by which push services know this house");
    Ok(key)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// The first start makes the key for its owner only, and each later one reads the same.
    #[test]
    fn a_key_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let made = read(&path).unwrap().public();
        let rights = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(rights & 0o777, 0o600);
        assert_eq!(read(&path).unwrap().public(), made);
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        let open = read(&path).err().unwrap().to_string();
        assert!(open.contains("chmod 600"), "{open}");
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        fs::write(&path, "no key").unwrap();
        let wrong = read(&path).err().unwrap().to_string();
        assert!(wrong.contains("no private key of P-256"), "{wrong}");
        assert!(create(&path).is_err(), "a key is never replaced");
    }
}
