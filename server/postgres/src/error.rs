//! Reasons why no server runs, with the remedy for the user.

use std::io;
use std::path::{Path, PathBuf};

use crate::installing::InstallLine;

/// A reason why no server runs, with the remedy for the user.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// No Postgres is installed in any searched folder.
    #[error(
        "found no Postgres of version 15 or newer: install it with {}, or give \
         --database-url (DATABASE_URL) of a running server, or name a folder with `postgres` and \
         `initdb` with --pg-bin (METERHOUSE_PG_BIN)",
        InstallLine
    )]
    NoBinaries,
    /// The folder that the caller named holds no Postgres.
    #[error(
        "{folder:?} does not hold the programs `postgres` and `initdb`: name a folder that does with \
         --pg-bin (METERHOUSE_PG_BIN)"
    )]
    FolderWithoutBinaries {
        /// Folder that the caller named.
        folder: PathBuf,
    },
    /// The installed Postgres is too old.
    #[error(
        "the Postgres in {folder:?} is version {major}, at least {least} is needed: install a \
         newer package `postgresql` or name newer programs with --pg-bin (METERHOUSE_PG_BIN)"
    )]
    TooOld {
        /// Folder of the programs.
        folder: PathBuf,
        /// Major version of the programs.
        major: u32,
        /// The oldest accepted major version.
        least: u32,
    },
    /// `postgres --version` failed or printed no version.
    #[error(
        "could not ask {program:?} its version (it answered {answer:?}): check that user {user} \
         may execute it"
    )]
    NoVersion {
        /// Path of `postgres`.
        program: PathBuf,
        /// Output of the program, or the error.
        answer: String,
        /// User that ran the program.
        user: String,
    },
    /// The cluster has another major version than the programs.
    #[error(
        "the cluster {cluster:?} is of Postgres {cluster_major}, the programs found are of \
         {installed}: install Postgres {cluster_major} (or name its folder with --pg-bin), or \
         dump the data with Postgres {cluster_major} and restore it with the newer one, with the \
         commands of docs/operating/postgres.md, \"A newer major version of Postgres\"; nothing was changed"
    )]
    OtherMajor {
        /// Folder of the cluster.
        cluster: PathBuf,
        /// Major version in its `PG_VERSION`.
        cluster_major: u32,
        /// Major versions found, as text.
        installed: String,
    },
    /// The folder of the cluster holds other things.
    #[error(
        "{cluster:?} is not empty and holds no readable PG_VERSION: move it away or choose \
         another data directory"
    )]
    NotACluster {
        /// Folder that is not empty.
        cluster: PathBuf,
    },
    /// The cluster belongs to another user.
    #[error(
        "the cluster {cluster:?} belongs to user id {owner} and Postgres cannot run as that \
         user here: start as that user, or give the folder away with `chown -R {user} {}`",
        cluster.display()
    )]
    ForeignCluster {
        /// Folder of the cluster.
        cluster: PathBuf,
        /// User id of its owner.
        owner: u32,
        /// User that would run Postgres.
        user: String,
    },
    /// The user has no entry, and `initdb` insists on one.
    #[error(
        "user id {uid} has no entry in /etc/passwd, and initdb refuses to make a cluster \
         without one: add the entry, or run as a user who has one (as root, install the package \
         `postgresql`, which adds `postgres`)"
    )]
    NoUserEntry {
        /// User id without an entry.
        uid: u32,
    },
    /// As root: the user that Postgres runs as can't enter the data directory.
    #[error(
        "Postgres runs as user {user} (it refuses to be root), who cannot enter {blocked:?} on \
         the way to {data_dir:?}: choose a data directory outside, such as /var/lib/meterhouse, \
         or run `chmod o+x {}`, or start as an ordinary user",
        blocked.display()
    )]
    CannotEnter {
        /// Data directory that can't be entered.
        data_dir: PathBuf,
        /// First closed folder on the way.
        blocked: PathBuf,
        /// User that would run Postgres.
        user: String,
    },
    /// As root: the data directory would be given to another user, but holds entries that are not the server's.
    #[error(
        "{data_dir:?} is no data directory and holds other things, such as {entry:?}: name an empty folder, or one that \
         does not exist yet, with --data-dir"
    )]
    ForeignFolder {
        /// Directory that is no data directory.
        data_dir: PathBuf,
        /// Name of a foreign entry in it.
        entry: String,
    },
    /// As root: the process could not become another user.
    #[error(
        "could not go on as user {user} instead of root: let the process change its user (CAP_SETUID, CAP_SETGID), or \
         start it as an ordinary user"
    )]
    KeptRights {
        /// User that the process should have become.
        user: String,
        /// Error of the system.
        #[source]
        source: io::Error,
    },
    /// Another user owns the name of the socket directory.
    #[error(
        "{folder:?} must be a folder of user id {owner} and is not: remove it or choose another \
         data directory"
    )]
    ForeignSocketDirectory {
        /// Folder of the socket.
        folder: PathBuf,
        /// User id that should own the folder.
        owner: u32,
    },
    /// `PGOPTIONS` would change every session, durability included, and the driver can't ignore it.
    #[error(
        "the environment variable PGOPTIONS is set and would change every session: unset it and \
         start again"
    )]
    SessionOptions,
    /// A file or folder could not be used.
    #[error("could not {action} {path:?}: check its owner and free space")]
    Io {
        /// Attempted action, in words.
        action: &'static str,
        /// Path of the file or folder.
        path: PathBuf,
        /// Error of the system.
        #[source]
        source: io::Error,
    },
    /// A program could not be run.
    #[error("could not run {program:?} as user {user}: check that this user may execute it")]
    Run {
        /// Path of the program.
        program: PathBuf,
        /// User that ran the program.
        user: String,
        /// Error of the system.
        #[source]
        source: io::Error,
    },
    /// A program did not end in time.
    #[error(
        "{program:?} did not end within {limit_seconds} s and was stopped: check the disk and \
         start again"
    )]
    TooSlow {
        /// Path of the program.
        program: PathBuf,
        /// Time limit, seconds.
        limit_seconds: u64,
    },
    /// `initdb` failed.
    #[error("initdb could not make the cluster, its last words {last_words:?}: read {log:?}")]
    Initdb {
        /// Last line about the failure in the log.
        last_words: String,
        /// Path of the whole log.
        log: PathBuf,
    },
    /// The server ended while it started.
    #[error("Postgres ended while starting, its last words {last_words:?}: read {log:?}")]
    EndedAtStart {
        /// Last line about the failure in the log.
        last_words: String,
        /// Path of the whole log.
        log: PathBuf,
    },
    /// The server ended at start because another server seems to use its directory.
    #[error(
        "Postgres says that another server uses {cluster:?} ({last_words:?}) and it was no \
         server that could be adopted: end the processes that use this folder, in other \
         containers too, then start again"
    )]
    CannotTakeOver {
        /// Folder of the cluster.
        cluster: PathBuf,
        /// Last line about the failure in the log.
        last_words: String,
    },
    /// The server runs and doesn't answer.
    #[error(
        "Postgres did not accept connections within {limit_seconds} s and was stopped: read \
         {log:?}"
    )]
    NotReady {
        /// Time limit, seconds.
        limit_seconds: u64,
        /// Path of the log.
        log: PathBuf,
    },
    /// The server refused the connection.
    #[error("could not connect to Postgres in {socket_dir:?}: is the cluster made by Meterhouse?")]
    Connect {
        /// Folder of the socket.
        socket_dir: PathBuf,
        /// Error of the driver.
        #[source]
        source: sqlx::Error,
    },
    /// A setting that keeps money safe has another value than required.
    #[error(
        "Postgres runs with {name} = {value}, it must be {needed}: remove the setting from the \
         cluster's postgresql.conf, postgresql.auto.conf and roles, or move the data to a new \
         cluster"
    )]
    Unsafe {
        /// Name of the setting.
        name: &'static str,
        /// Value that the server reports.
        value: String,
        /// Required value.
        needed: &'static str,
    },
    /// Another process holds the lock, and its server did not come up.
    #[error(
        "another process ({owner}) holds {lock:?} and its Postgres did not answer within \
         {limit_seconds} s: wait for it or stop it, then start again"
    )]
    Busy {
        /// Path of the lock.
        lock: PathBuf,
        /// Holder of the lock, as text.
        owner: String,
        /// Time limit, seconds.
        limit_seconds: u64,
    },
    /// There is no server to attach to.
    #[error("no Meterhouse server runs on {data_dir:?}: start one first")]
    NotRunning {
        /// Data directory without a server.
        data_dir: PathBuf,
    },
    /// The server doesn't end.
    #[error("Postgres (process {pid}) did not end after SIGINT and SIGQUIT: end it by hand")]
    StillRunning {
        /// Process id of the postmaster.
        pid: i32,
    },
    /// The server ended although this process did not stop it.
    #[error(
        "Postgres ended by itself, its last words {last_words:?}: read {log:?} and start again"
    )]
    Died {
        /// Last line of the log.
        last_words: String,
        /// Path of the whole log.
        log: PathBuf,
    },
    /// The server ended by itself too often to be started once more.
    #[error(
        "Postgres was started again {restarts} times within {window_seconds} s and ended each time, its last words \
         {last_words:?}: read {log:?}, mend the cause, and start again"
    )]
    GivenUp {
        /// Number of restarts.
        restarts: usize,
        /// Window of these restarts, seconds.
        window_seconds: u64,
        /// Last line of the log.
        last_words: String,
        /// Path of the whole log.
        log: PathBuf,
    },
    /// A thread or task of the supervisor was lost.
    #[error("the supervisor lost one of its own tasks: start again")]
    Internal,
}

impl PostgresError {
    /// Returns an argument for `map_err`: the attempted action on a path.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}
