//! The cluster: inspected, checked against the programs, created if missing.
//!
//! # Order and locking
//! Under the supervisor's lock. A new cluster is made in a temporary folder and renamed when complete. A kill at any
//! moment therefore leaves either no cluster or a whole one. Every check that can refuse precedes the first write.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::account::Account;
use crate::binaries::{Binaries, find_binaries, find_for, leading_number};
use crate::command::{answer, command, run};
use crate::error::PostgresError;
use crate::files::{create_folder, last_words, log_tail, open_log, sync_folder};
use crate::layout::{Layout, UNFINISHED_PREFIX, has_cluster};
use crate::options::Options;
use crate::settings::arguments;
use crate::socket::{self, SUPERUSER};

/// Time limit for `initdb`: it takes 0.4 s on a laptop, far more on a slow network disk.
const INITDB_WAIT: Duration = Duration::from_mins(3);
/// Time limit for a program that checks one folder or one setting.
const ANSWER_WAIT: Duration = Duration::from_secs(10);
/// Locales by preference: bytewise order with UTF-8 letters, else bytewise alone (older systems, macOS).
const LOCALES: [&str; 2] = ["C.UTF-8", "C"];
/// Access rules: every user of the socket, whose folder is closed to other users, and nothing else. Backups by
/// `pg_basebackup` are connections for replication, which `all` does not name.
const PG_HBA: &str = "local all all trust\nlocal replication all trust\n";
/// Access rule of clusters made by release 0.1.0, which takes no `pg_basebackup`.
const PG_HBA_OF_0_1: &str = "local all all trust\n";

/// A cluster that is ready to be started.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) account: Account,
    pub(crate) binaries: Binaries,
    pub(crate) socket_dir: PathBuf,
    /// Command line of `postgres`.
    pub(crate) arguments: Vec<OsString>,
}

/// Makes every check that is possible before a start, and creates the cluster if there is none.
pub(crate) fn prepare(options: &Options, layout: &Layout) -> Result<Prepared, PostgresError> {
    let account = Account::for_cluster(&layout.cluster)?;
    let major = major_of(&layout.cluster)?;
    let existing = major.map(|major| (layout.cluster.as_path(), major));
    let binaries = find_for(options.binaries.as_deref(), existing, &account)?;
    tracing::info!(folder = ?binaries.folder, major = binaries.major, "found Postgres");
    if major.is_none() {
        account.check_entry()?;
    }
    check_entrance(layout, &binaries, &account)?;
    let socket_dir = socket::prepare(layout, &account)?;
    remove_unfinished(layout);
    if major.is_none() {
        create(layout, &binaries, &account)?;
    } else {
        renew_access(&layout.cluster, &account)?;
    }
    let arguments = arguments(options, &layout.cluster, &socket_dir, |name, value| {
        accepts(layout, &binaries, &account, name, value)
    });
    Ok(Prepared {
        account,
        binaries,
        socket_dir,
        arguments,
    })
}

/// Checks that programs for a new cluster exist, before a folder is made for it.
pub(crate) fn refuse_without_programs(options: &Options) -> Result<(), PostgresError> {
    if has_cluster(&options.data_dir) {
        return Ok(());
    }
    find_binaries(options.binaries.as_deref()).map(drop)
}

/// Checks if these programs accept this value. Builds differ in their features, and refuse unknown values.
fn accepts(
    layout: &Layout,
    binaries: &Binaries,
    account: &Account,
    name: &str,
    value: &str,
) -> bool {
    let mut ask = command(&binaries.postgres(), account);
    ask.arg("-D")
        .arg(&layout.cluster)
        .args(["-C", name, "-c"])
        .arg(format!("{name}={value}"));
    let Ok(Some((status, text))) = answer(ask, ANSWER_WAIT) else {
        return false;
    };
    status.success() && text == value
}

/// Returns the major version of an existing cluster; `None` if there is nothing or an empty folder.
pub(crate) fn major_of(cluster: &Path) -> Result<Option<u32>, PostgresError> {
    let not_a_cluster = || PostgresError::NotACluster {
        cluster: cluster.to_owned(),
    };
    match fs::read_to_string(cluster.join("PG_VERSION")) {
        Ok(text) => leading_number(&text).map(Some).ok_or_else(not_a_cluster),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_dir(cluster) {
            Ok(mut entries) => match entries.next() {
                Some(_) => Err(not_a_cluster()),
                None => Ok(None),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(PostgresError::io("read the folder", cluster)(error)),
        },
        Err(error) => Err(PostgresError::io("read the version of", cluster)(error)),
    }
}

/// Checks, as root, that the other user can walk into the data directory, by running a program as that user.
pub(crate) fn check_entrance(
    layout: &Layout,
    binaries: &Binaries,
    account: &Account,
) -> Result<(), PostgresError> {
    let can_enter = |folder: &Path| {
        let mut ask = command(&binaries.postgres(), account);
        ask.arg("--version").current_dir(folder);
        // The programs ran a moment ago, so a failure is the folder's.
        answer(ask, ANSWER_WAIT).is_ok()
    };
    if !account.is_dropped_to || can_enter(&layout.data_dir) {
        return Ok(());
    }
    let way: Vec<&Path> = layout.data_dir.ancestors().collect();
    let blocked = way.into_iter().rev().find(|folder| !can_enter(folder));
    Err(PostgresError::CannotEnter {
        data_dir: layout.data_dir.clone(),
        blocked: blocked.unwrap_or(&layout.data_dir).to_owned(),
        user: account.name.clone(),
    })
}

/// Removes the remains of killed runs; remains that can't be removed do no harm.
fn remove_unfinished(layout: &Layout) {
    let Ok(entries) = fs::read_dir(&layout.data_dir) else {
        return;
    };
    for entry in entries.flatten() {
        if entry
            .file_name()
            .to_string_lossy()
            .starts_with(UNFINISHED_PREFIX)
        {
            let path = entry.path();
            match fs::remove_dir_all(&path) {
                Ok(()) => tracing::warn!(
                    ?path,
                    "removed a cluster that a killed start left unfinished"
                ),
                Err(error) => {
                    tracing::warn!(?path, %error, "could not remove an unfinished cluster");
                }
            }
        }
    }
}

fn create(layout: &Layout, binaries: &Binaries, account: &Account) -> Result<(), PostgresError> {
    let unfinished = layout
        .data_dir
        .join(format!("{UNFINISHED_PREFIX}{}", std::process::id()));
    let result = create_at(&unfinished, layout, binaries, account);
    if result.is_err() {
        remove_unfinished(layout);
    }
    result
}

fn create_at(
    unfinished: &Path,
    layout: &Layout,
    binaries: &Binaries,
    account: &Account,
) -> Result<(), PostgresError> {
    let mut locales = LOCALES.into_iter().peekable();
    while let Some(locale) = locales.next() {
        create_folder(unfinished, 0o700)?;
        account.give(unfinished)?;
        match initdb(unfinished, locale, layout, binaries, account) {
            Ok(()) => break,
            // `initdb` has emptied the folder again.
            Err(PostgresError::Initdb { last_words, .. })
                if last_words.contains("locale") && locales.peek().is_some() =>
            {
                tracing::info!(locale, "this system does not have the locale");
            }
            Err(error) => return Err(error),
        }
    }
    let hba = unfinished.join("pg_hba.conf");
    fs::write(&hba, PG_HBA)
        .and_then(|()| fs::File::open(&hba)?.sync_all())
        .map_err(PostgresError::io("write", &hba))?;
    fs::rename(unfinished, &layout.cluster).map_err(PostgresError::io(
        "put in place the new cluster",
        &layout.cluster,
    ))?;
    sync_folder(&layout.data_dir)?;
    tracing::info!(cluster = ?layout.cluster, major = binaries.major, "made a new cluster");
    Ok(())
}

/// Replaces the access rules of release 0.1.0. Rules that an operator changed stay.
fn renew_access(cluster: &Path, account: &Account) -> Result<(), PostgresError> {
    let hba = cluster.join("pg_hba.conf");
    if !fs::read_to_string(&hba).is_ok_and(|rules| rules == PG_HBA_OF_0_1) {
        return Ok(());
    }
    let next = cluster.join("pg_hba.conf.new");
    fs::write(&next, PG_HBA)
        .and_then(|()| fs::File::open(&next)?.sync_all())
        .map_err(PostgresError::io("write", &next))?;
    account.give(&next)?;
    fs::rename(&next, &hba).map_err(PostgresError::io("replace", &hba))?;
    sync_folder(cluster)
}

fn initdb(
    folder: &Path,
    locale: &str,
    layout: &Layout,
    binaries: &Binaries,
    account: &Account,
) -> Result<(), PostgresError> {
    let (log, mark) = open_log(&layout.log)?;
    account.give(&layout.log)?;
    let mut initdb = command(&binaries.initdb(), account);
    initdb.args([
        "-U",
        SUPERUSER,
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--data-checksums",
    ]);
    initdb
        .arg(format!("--locale={locale}"))
        .arg("-D")
        .arg(folder)
        .stderr(log);
    if run(&mut initdb, account, INITDB_WAIT)?.success() {
        return Ok(());
    }
    Err(PostgresError::Initdb {
        last_words: last_words(&log_tail(&layout.log, mark)),
        log: layout.log.clone(),
    })
}
