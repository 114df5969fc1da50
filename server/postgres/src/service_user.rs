//! The user that a process started as root goes on as, so that what listens has none of root's rights.
//!
//! # What order holds
//! The files are given away first, then the supplementary groups, the group, the user; each step needs the rights that
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

/// Whom root becomes to serve a database that it doesn't run itself, in this order: never the owner of other databases.
const WITHOUT_POSTGRES: [&str; 2] = ["meterhouse", "nobody"];

/// The user that a process started as root goes on as.
#[derive(Clone, Debug)]
pub struct ServiceUser(Account);

impl ServiceUser {
    /// Gives the data directory to the user who runs its Postgres, creates it if missing, and returns that user; `None`
    /// where this process is not root. `kept` are the beginnings of the names of the caller's own files in it.
    ///
    /// # Errors
    /// If there is no usable Postgres, if that user can't enter the directory, or if the directory was never one of ours
    /// and holds something.
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

    /// Returns the user for a process whose Postgres is not its own; `None` where this process is not root. That is the
    /// owner of the folder of Postgres' socket where it lets nobody else in. `folder` is created if missing and given to
    /// that user, with the files whose names begin so.
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

    /// The user's name, for messages.
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

    /// Gives a folder and those of its entries that are root's and named so.
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

/// Refuses a folder that was never a data directory and holds something, such as `/etc`.
fn refuse_foreign_folder(data_dir: &Path, kept: &[&str]) -> Result<(), PostgresError> {
    let Ok(entries) = fs::read_dir(data_dir) else {
        // It isn't there yet, or what comes next says what is wrong with it.
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
