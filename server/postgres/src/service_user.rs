//! The user that a process started as root continues as, so that listening code has none of root's rights.
//!
//! # Order
//! The files are given away first, then the supplementary groups, the group, the user. Each step needs rights that
//! the next one gives up.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use nix::unistd::{Gid, Uid, geteuid, setgid, setgroups, setuid};

use crate::account::Account;
use crate::binaries::find_for;
use crate::cluster::{check_entrance, major_of, refuse_without_programs};
use crate::error::PostgresError;
use crate::layout::Layout;
use crate::options::Options;

/// Users that root becomes to serve a database that it doesn't run itself, in this order: never the owner of other
/// databases.
const WITHOUT_POSTGRES: [&str; 2] = ["meterhouse", "nobody"];

/// The user that a process started as root continues as.
#[derive(Clone, Debug)]
pub struct ServiceUser(Account);

impl ServiceUser {
    /// Gives the data directory to the user that runs its Postgres, creates it if missing, and returns that user.
    /// Returns `None` if this process is not root. `kept` lists prefixes of the names of the caller's own files in
    /// the directory.
    ///
    /// # Errors
    /// If there is no usable Postgres, if that user can't enter the directory, or if a directory that never was a
    /// data directory holds something.
    pub fn of_data_dir(options: &Options, kept: &[&str]) -> Result<Option<Self>, PostgresError> {
        if !geteuid().is_root() {
            return Ok(None);
        }
        refuse_foreign_folder(&options.data_dir, kept)?;
        refuse_without_programs(options)?;
        let layout = Layout::create(&options.data_dir)?;
        let account = Account::for_cluster(&layout.cluster)?;
        let existing = major_of(&layout.cluster)?.map(|major| (layout.cluster.as_path(), major));
        let binaries = find_for(options.binaries.as_deref(), existing, &account)?;
        check_entrance(&layout, &binaries, &account)?;
        let user = Self(account);
        user.give_files(&layout.data_dir, |name| is_ours(name, kept))?;
        Ok(Some(user))
    }

    /// Returns the user for a process with a Postgres that it doesn't run; `None` if this process is not root. The
    /// user is the owner of Postgres' socket folder if that folder is closed to other users. `folder` is created if
    /// missing and given to that user, with the files whose names begin so.
    ///
    /// # Errors
    /// If the folder can't be made or given.
    pub fn of_others_postgres(
        socket: Option<&Path>,
        folder: Option<&Path>,
        kept: &[&str],
    ) -> Result<Option<Self>, PostgresError> {
        if !geteuid().is_root() {
            return Ok(None);
        }
        let account = socket.and_then(Account::of_closed_folder);
        let user = Self(account.unwrap_or_else(|| Account::first_of(&WITHOUT_POSTGRES)));
        if let Some(folder) = folder {
            fs::create_dir_all(folder).map_err(PostgresError::io("create the folder", folder))?;
            user.give_files(folder, |name| begins(name, kept))?;
        }
        Ok(Some(user))
    }

    /// Returns the user's name, for messages.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Becomes this user, in all threads and for good.
    ///
    /// # Errors
    /// If the system doesn't let root change its user, as in a container without that right.
    pub fn become_user(&self) -> Result<(), PostgresError> {
        let (uid, gid) = (Uid::from_raw(self.0.uid), Gid::from_raw(self.0.gid));
        let changed = setgroups(&[])
            .and_then(|()| setgid(gid))
            .and_then(|()| setuid(uid));
        changed.map_err(|error| PostgresError::KeptRights {
            user: self.0.name.clone(),
            source: error.into(),
        })
    }

    /// Gives a folder and root's entries with these prefixes to the user.
    fn give_files(
        &self,
        folder: &Path,
        is_given: impl Fn(&str) -> bool,
    ) -> Result<(), PostgresError> {
        let unreadable = || PostgresError::io("read the folder", folder);
        for entry in fs::read_dir(folder).map_err(unreadable())? {
            let entry = entry.map_err(unreadable())?;
            let is_roots = entry.metadata().is_ok_and(|meta| meta.uid() == 0);
            if is_roots && entry.file_name().to_str().is_some_and(&is_given) {
                self.0.give(&entry.path())?;
            }
        }
        self.0.give(folder)
    }
}

/// Refuses a non-empty folder that never was a data directory, such as `/etc`.
fn refuse_foreign_folder(data_dir: &Path, kept: &[&str]) -> Result<(), PostgresError> {
    let Ok(entries) = fs::read_dir(data_dir) else {
        // The folder doesn't exist yet, or a later step reports the problem.
        return Ok(());
    };
    let mut foreign = None;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_ours(&name, kept) {
            return Ok(());
        }
        foreign = Some(name);
    }
    foreign.map_or(Ok(()), |entry| {
        let data_dir = data_dir.to_owned();
        Err(PostgresError::ForeignFolder { data_dir, entry })
    })
}

fn is_ours(name: &str, kept: &[&str]) -> bool {
    Layout::has_name(name) || begins(name, kept)
}

fn begins(name: &str, kept: &[&str]) -> bool {
    kept.iter().any(|start| name.starts_with(start))
}
