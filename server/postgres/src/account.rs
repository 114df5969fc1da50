//! The user that Postgres runs as. Postgres refuses to be root, so root runs it as an unprivileged user. Every other
//! user runs it under their own account.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, lchown};
use std::path::Path;

use nix::unistd::{User, getegid, geteuid};

use crate::error::PostgresError;

/// Users that root becomes, in this order.
const UNPRIVILEGED: [&str; 3] = ["meterhouse", "postgres", "nobody"];
/// User and group id if none of these has an entry: the kernel's overflow id. A server needs no entry, but `initdb`
/// does.
const NOBODY_ID: u32 = 65534;
/// Permission bit of a folder's mode that lets other users through.
const ENTERED_BY_OTHERS: u32 = 0o001;

/// The user that Postgres runs as.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// Name or number of the user, for messages.
    pub(crate) name: String,
    /// Set if this process is root and must become that user.
    pub(crate) is_dropped_to: bool,
}

impl Account {
    /// Returns this process's user, or as root an unprivileged one.
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

    /// Returns the first of these users that this system has, for root to become.
    pub(crate) fn first_of(names: &[&str]) -> Self {
        let mut entries = names.iter().map(|name| User::from_name(name));
        let entry = entries.find_map(|entry| entry.ok().flatten());
        let (uid, gid) = entry.map_or((NOBODY_ID, NOBODY_ID), |user| {
            (user.uid.as_raw(), user.gid.as_raw())
        });
        Self::to_become(uid, gid)
    }

    /// Returns the owner of a folder that is closed to other users, for root to become. Returns `None` for any other
    /// folder and for root's folders.
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

    /// Returns the user as [`of_process`](Self::of_process) does, but an existing cluster keeps its owner, as
    /// Postgres demands.
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

    /// Checks that `initdb` will find an entry for its user: it looks up the name without using it.
    pub(crate) fn check_entry(&self) -> Result<(), PostgresError> {
        match User::from_uid(self.uid.into()) {
            Ok(None) => Err(PostgresError::NoUserEntry { uid: self.uid }),
            // A failing lookup is left to `initdb`.
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
