//! Why there is no server, and what the user can do about it.

use std::io;
use std::path::{Path, PathBuf};

/// Why there is no server, and what the user can do about it.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// No Postgres is installed where anybody looks.
    #[error(
        "found no Postgres of version 15 or newer: install the package `postgresql`, or give \
         --database-url (DATABASE_URL) of a running server, or name a folder with `postgres` and \
         `initdb` with --pg-bin (METERHOUSE_PG_BIN)"
    )]
    NoBinaries,
    /// The folder the caller named holds no Postgres.
    #[error(
        "{folder:?} does not hold the programs `postgres` and `initdb`: name a folder that does with \
         --pg-bin (METERHOUSE_PG_BIN)"
    )]
    FolderWithoutBinaries {
        /// The folder.
        folder: PathBuf,
    },
    /// The installed Postgres is too old.
    #[error(
        "the Postgres in {folder:?} is version {major}, at least {least} is needed: install a \
         newer package `postgresql` or name newer programs with --pg-bin (METERHOUSE_PG_BIN)"
    )]
    TooOld {
        /// Where it was found.
        folder: PathBuf,
        /// Its major version.
        major: u32,
        /// The oldest accepted major version.
        least: u32,
    },
    /// `postgres --version` did not work or said something else than a version.
    #[error(
        "could not ask {program:?} its version (it answered {answer:?}): check that user {user} \
         may execute it"
    )]
    NoVersion {
        /// The program.
        program: PathBuf,
        /// Its answer.
        answer: String,
        /// Who ran it.
        user: String,
    },
    /// The cluster is of another major version than the programs.
    #[error(
        "the cluster {cluster:?} is of Postgres {cluster_major}, the programs found are of \
         {installed}: install Postgres {cluster_major} (or name its folder with --pg-bin), or \
         move the data with pg_dump; nothing was changed"
    )]
    OtherMajor {
        /// The cluster.
        cluster: PathBuf,
        /// What its `PG_VERSION` says.
        cluster_major: u32,
        /// The major versions found, as text.
        installed: String,
    },
    /// The folder of the cluster has other things in it.
    #[error(
        "{cluster:?} is not empty and holds no readable PG_VERSION: move it away or choose \
         another data directory"
    )]
    NotACluster {
        /// The folder.
        cluster: PathBuf,
    },
    /// The cluster is somebody else's.
    #[error(
        "the cluster {cluster:?} belongs to user id {owner} and Postgres cannot run as that \
         user here: start as that user, or give the folder away with `chown -R {user} {}`",
        cluster.display()
    )]
    ForeignCluster {
        /// The cluster.
        cluster: PathBuf,
        /// Whose it is.
        owner: u32,
        /// Who would run Postgres.
        user: String,
    },
    /// `initdb` insists on an entry for its user.
    #[error(
        "user id {uid} has no entry in /etc/passwd, and initdb refuses to make a cluster \
         without one: add the entry, or run as a user who has one (as root, install the package \
         `postgresql`, which adds `postgres`)"
    )]
    NoUserEntry {
        /// The user id.
        uid: u32,
    },
    /// As root: the user Postgres runs as cannot get into the data directory.
    #[error(
        "Postgres runs as user {user} (it refuses to be root), who cannot enter {blocked:?} on \
         the way to {data_dir:?}: choose a data directory outside, such as /var/lib/meterhouse, \
         or run `chmod o+x {}`, or start as an ordinary user",
        blocked.display()
    )]
    CannotEnter {
        /// The data directory.
        data_dir: PathBuf,
        /// The first folder on the way that is closed.
        blocked: PathBuf,
        /// Who would run Postgres.
        user: String,
    },
    /// As root: the data directory would be given to another user, and holds what is not the server's.
    #[error(
        "{data_dir:?} is no data directory and holds other things, such as {entry:?}: name an empty folder, or one that \
         does not exist yet, with --data-dir"
    )]
    ForeignFolder {
        /// The data directory.
        data_dir: PathBuf,
        /// The name of an entry in it.
        entry: String,
    },
    /// As root: the process could not become another user.
    #[error(
        "could not go on as user {user} instead of root: let the process change its user (CAP_SETUID, CAP_SETGID), or \
         start it as an ordinary user"
    )]
    KeptRights {
        /// Who it should have become.
        user: String,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The socket directory's name is taken by somebody else.
    #[error(
        "{folder:?} must be a folder of user id {owner} and is not: remove it or choose another \
         data directory"
    )]
    ForeignSocketDirectory {
        /// The folder.
        folder: PathBuf,
        /// Whose it should be.
        owner: u32,
    },
    /// `PGOPTIONS` would change every session, durability included, and the driver cannot ignore
    /// it.
    #[error(
        "the environment variable PGOPTIONS is set and would change every session: unset it and \
         start again"
    )]
    SessionOptions,
    /// A file or folder could not be used.
    #[error("could not {action} {path:?}: check its owner and free space")]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// A program could not be run.
    #[error("could not run {program:?} as user {user}: check that this user may execute it")]
    Run {
        /// The program.
        program: PathBuf,
        /// Who ran it.
        user: String,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// A program did not end in time.
    #[error(
        "{program:?} did not end within {limit_seconds} s and was stopped: check the disk and \
         start again"
    )]
    TooSlow {
        /// The program.
        program: PathBuf,
        /// How long it was given.
        limit_seconds: u64,
    },
    /// `initdb` failed.
    #[error("initdb could not make the cluster, its last words {last_words:?}: read {log:?}")]
    Initdb {
        /// The last line about it in the log.
        last_words: String,
        /// The whole log.
        log: PathBuf,
    },
    /// The server ended while it started.
    #[error("Postgres ended while starting, its last words {last_words:?}: read {log:?}")]
    EndedAtStart {
        /// The last line about it in the log.
        last_words: String,
        /// The whole log.
        log: PathBuf,
    },
    /// The server ended at start because another one seems to use its directory.
    #[error(
        "Postgres says that another server uses {cluster:?} ({last_words:?}) and it was no \
         server that could be adopted: end the processes that use this folder, in other \
         containers too, then start again"
    )]
    CannotTakeOver {
        /// The cluster.
        cluster: PathBuf,
        /// The last line about it in the log.
        last_words: String,
    },
    /// The server runs and does not answer.
    #[error(
        "Postgres did not accept connections within {limit_seconds} s and was stopped: read \
         {log:?}"
    )]
    NotReady {
        /// How long it was given.
        limit_seconds: u64,
        /// The log.
        log: PathBuf,
    },
    /// The server answered, with a refusal.
    #[error("could not connect to Postgres in {socket_dir:?}: is the cluster made by Meterhouse?")]
    Connect {
        /// The folder of the socket.
        socket_dir: PathBuf,
        /// What went wrong.
        #[source]
        source: sqlx::Error,
    },
    /// A setting that keeps money safe is not as it must be.
    #[error(
        "Postgres runs with {name} = {value}, it must be {needed}: remove the setting from the \
         cluster's postgresql.conf, postgresql.auto.conf and roles, or move the data to a new \
         cluster"
    )]
    Unsafe {
        /// The setting.
        name: &'static str,
        /// What it is.
        value: String,
        /// What it must be.
        needed: &'static str,
    },
    /// Another process holds the lock, and its server did not come up.
    #[error(
        "another process ({owner}) holds {lock:?} and its Postgres did not answer within \
         {limit_seconds} s: wait for it or stop it, then start again"
    )]
    Busy {
        /// The lock.
        lock: PathBuf,
        /// Who holds it, as text.
        owner: String,
        /// How long it was given.
        limit_seconds: u64,
    },
    /// There is nothing to attach to.
    #[error("no Meterhouse server runs on {data_dir:?}: start one first")]
    NotRunning {
        /// The data directory.
        data_dir: PathBuf,
    },
    /// The server does not end.
    #[error("Postgres (process {pid}) did not end after SIGINT and SIGQUIT: end it by hand")]
    StillRunning {
        /// The postmaster.
        pid: i32,
    },
    /// The server ended although nobody here stopped it.
    #[error(
        "Postgres ended by itself, its last words {last_words:?}: read {log:?} and start again"
    )]
    Died {
        /// The last line of the log.
        last_words: String,
        /// The whole log.
        log: PathBuf,
    },
    /// The server ended by itself too often to be started once more.
    #[error(
        "Postgres was started again {restarts} times within {window_seconds} s and ended each time, its last words \
         {last_words:?}: read {log:?}, mend the cause, and start again"
    )]
    GivenUp {
        /// How often.
        restarts: usize,
        /// Within how long.
        window_seconds: u64,
        /// The last line of the log.
        last_words: String,
        /// The whole log.
        log: PathBuf,
    },
    /// A thread or task of the supervisor was lost.
    #[error("the supervisor lost one of its own tasks: start again")]
    Internal,
}

impl PostgresError {
    /// For `map_err`: what was tried on which path.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}
