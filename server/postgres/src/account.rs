//! Who Postgres runs as. It refuses to be root, so root hands it to an unprivileged user; everybody
//! else runs it as themselves.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, lchown};
use std::path::Path;

use nix::unistd::{User, getegid, geteuid};

use crate::error::PostgresError;

/// Whom root becomes, in this order.
const UNPRIVILEGED: [&str; 3] = ["meterhouse", "postgres", "nobody"];
/// User and group id where none of these has an entry: the kernel's overflow id. A server needs no
/// entry, `initdb` does.
const NOBODY_ID: u32 = 65534;
/// The right of a folder's mode that lets other users through.
const ENTERED_BY_OTHERS: u32 = 0o001;

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
        Self::first_of(&UNPRIVILEGED)
    }

    /// The first of these users that this system has, for root to become.
    pub(crate) fn first_of(names: &[&str]) -> Self {
        let mut entries = names.iter().map(|name| User::from_name(name));
        let entry = entries.find_map(|entry| entry.ok().flatten());
        let (uid, gid) = entry.map_or((NOBODY_ID, NOBODY_ID), |user| {
            (user.uid.as_raw(), user.gid.as_raw())
        });
        Self::to_become(uid, gid)
    }

    /// The owner of a folder that lets nobody else in, for root to become; `None` of any other folder, and of root's.
    pub(crate) fn of_closed_folder(folder: &Path) -> Option<Self> {
        let meta = fs::metadata(folder).ok()?;
        let is_closed = meta.mode() & ENTERED_BY_OTHERS == 0;
        (meta.is_dir() && is_closed && meta.uid() != 0)
            .then(|| Self::to_become(meta.uid(), meta.gid()))
    }

    fn to_become(uid: u32, gid: u32) -> Self {
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
            return Ok(Self::to_become(meta.uid(), meta.gid()));
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
