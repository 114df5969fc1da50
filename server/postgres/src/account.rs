//! Who Postgres runs as. It refuses to be root, so root hands it to an unprivileged user; everybody
//! else runs it as themselves.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, lchown};
use std::path::Path;

use nix::unistd::{User, getegid, geteuid};

use crate::error::PostgresError;

/// Whom root becomes, in this order.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];
/// User and group id where none of these has an entry: the kernel's overflow id. A server needs no
/// entry, `initdb` does.
const NOBODY_ID: u32 = 65534;

/// Who Postgres runs as.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// For messages.
    pub(crate) name: String,
    /// Whether this process is root and must become that user.
    pub(crate) is_dropped_to: bool,
}

impl Account {
    /// This user, or as root an unprivileged one.
    pub(crate) fn of_process() -> Self {
        if !geteuid().is_root() {
            let uid = geteuid().as_raw();
            return Self {
                uid,
                gid: getegid().as_raw(),
                name: name_of(uid),
                is_dropped_to: false,
            };
        }
        let entry = UNPRIVILEGED
            .iter()
            .find_map(|name| User::from_name(name).ok().flatten());
        let (uid, gid) = entry.map_or((NOBODY_ID, NOBODY_ID), |user| {
            (user.uid.as_raw(), user.gid.as_raw())
        });
        Self {
            uid,
            gid,
            name: name_of(uid),
            is_dropped_to: true,
        }
    }

    /// Like [`of_process`](Self::of_process), but an existing cluster keeps its owner: Postgres
    /// insists on it.
    pub(crate) fn for_cluster(cluster: &Path) -> Result<Self, PostgresError> {
        let account = Self::of_process();
        let Ok(meta) = fs::metadata(cluster) else {
            return Ok(account);
        };
        if meta.uid() == account.uid {
            return Ok(account);
        }
        if account.is_dropped_to && meta.uid() != 0 {
            let (uid, gid) = (meta.uid(), meta.gid());
            return Ok(Self {
                uid,
                gid,
                name: name_of(uid),
                is_dropped_to: true,
            });
        }
        Err(PostgresError::ForeignCluster {
            cluster: cluster.to_owned(),
            owner: meta.uid(),
            user: account.name,
        })
    }

    /// Makes sure that `initdb` will find its user's name, which it looks up and does not use.
    pub(crate) fn check_entry(&self) -> Result<(), PostgresError> {
        match User::from_uid(self.uid.into()) {
            Ok(None) => Err(PostgresError::NoUserEntry { uid: self.uid }),
            // A lookup that fails is for `initdb` to judge.
            Ok(Some(_)) | Err(_) => Ok(()),
        }
    }

    /// Gives a file or folder to this user; only root has to and can.
    pub(crate) fn give(&self, path: &Path) -> Result<(), PostgresError> {
        if !self.is_dropped_to {
            return Ok(());
        }
        lchown(path, Some(self.uid), Some(self.gid))
            .map_err(PostgresError::io("change the owner of", path))
    }
}

fn name_of(uid: u32) -> String {
    let entry = User::from_uid(uid.into()).ok().flatten();
    entry.map_or_else(|| format!("id {uid}"), |user| user.name)
}
