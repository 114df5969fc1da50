//! Refusals before anything is changed, each with a remedy in its message; and unusual starts that work.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::common::{Owner, connect, folder, start};
use meterhouse_postgres::{Options, Ownership, PostgresError, Server};
use nix::unistd::geteuid;

/// A user id that is not in `/etc/passwd`.
const NO_ENTRY_ID: u32 = 61_234;

/// Returns everything below a folder: path, size, time of change.
fn inventory(folder: &Path) -> Vec<(PathBuf, u64, SystemTime)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let meta = entry.metadata().unwrap();
            if meta.is_dir() {
                open.push(entry.path());
            }
            found.push((entry.path(), meta.len(), meta.modified().unwrap()));
        }
    }
    found.sort();
    found
}

async fn refusal(options: &Options) -> PostgresError {
    Server::start(options)
        .await
        .map(|server| server.role())
        .unwrap_err()
}

#[tokio::test]
async fn a_cluster_of_another_major_version_is_left_alone() {
    let folder = folder();
    start(folder.path()).await.stop().await.unwrap();
    fs::write(folder.path().join("postgres/PG_VERSION"), "14\n").unwrap();
    let before = inventory(folder.path());
    let refused = refusal(&Options::small(folder.path())).await;
    assert_eq!(inventory(folder.path()), before);
    assert!(
        matches!(
            refused,
            PostgresError::OtherMajor {
                cluster_major: 14,
                ..
            }
        ),
        "{refused}"
    );
    let installed = meterhouse_postgres::find_binaries(None)
        .unwrap()
        .major
        .to_string();
    let sentence = refused.to_string();
    assert!(
        sentence.contains("Postgres 14") && sentence.contains(&installed),
        "{sentence}"
    );
}

#[tokio::test]
async fn a_folder_with_other_things_is_left_alone() {
    let folder = folder();
    fs::create_dir(folder.path().join("postgres")).unwrap();
    if geteuid().is_root() {
        std::os::unix::fs::chown(folder.path().join("postgres"), Some(65534), Some(65534)).unwrap();
    }
    fs::write(folder.path().join("postgres/diary"), "mine").unwrap();
    let refused = refusal(&Options::small(folder.path())).await;
    assert!(
        matches!(refused, PostgresError::NotACluster { .. }),
        "{refused}"
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("postgres/diary")).unwrap(),
        "mine"
    );
}

#[tokio::test]
async fn a_folder_without_programs_is_refused() {
    let folder = folder();
    let mut options = Options::small(folder.path().join("data"));
    options.binaries = Some(folder.path().join("nothing"));
    let refused = refusal(&options).await;
    assert!(
        matches!(refused, PostgresError::FolderWithoutBinaries { .. }),
        "{refused}"
    );
    assert!(!folder.path().join("data/postgres").exists());
}

/// As root: the way to the data directory is closed to the user that runs Postgres.
#[tokio::test]
async fn a_closed_home_is_refused_before_any_change() {
    if !geteuid().is_root() {
        println!("skipped: only root hands Postgres to another user");
        return;
    }
    let folder = folder();
    let home = folder.path().join("home");
    fs::create_dir(&home).unwrap();
    fs::set_permissions(&home, Permissions::from_mode(0o700)).unwrap();
    let data_dir = home.join("deep/data");
    let refused = refusal(&Options::small(&data_dir)).await;
    let PostgresError::CannotEnter { blocked, .. } = &refused else {
        panic!("{refused}")
    };
    assert_eq!(*blocked, home.canonicalize().unwrap());
    assert!(!data_dir.join("postgres").exists() && !data_dir.join("run").exists());

    fs::set_permissions(&home, Permissions::from_mode(0o711)).unwrap();
    start(&data_dir).await.stop().await.unwrap();
}

/// A path that no socket address can hold: the socket moves to a short folder, but only if this user owns that
/// folder.
#[tokio::test]
async fn a_long_path_works_and_a_planted_folder_is_not_followed() {
    let folder = folder();
    let data_dir = folder
        .path()
        .join("long".repeat(20))
        .join("path".repeat(20));
    let server = start(&data_dir).await;
    connect(&server).await;
    let socket_dir = server.socket_dir().to_owned();
    assert!(
        socket_dir.as_os_str().len() < 60,
        "{}",
        socket_dir.display()
    );
    assert_eq!(
        fs::metadata(&socket_dir).unwrap().permissions().mode() & 0o777,
        0o700
    );
    let attached = start(&data_dir).await;
    assert_eq!(attached.role(), Ownership::Attached);
    connect(&attached).await;
    server.stop().await.unwrap();
    assert!(!socket_dir.exists(), "the short folder is removed");

    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &socket_dir).unwrap();
    let refused = refusal(&Options::small(&data_dir)).await;
    fs::remove_file(&socket_dir).unwrap();
    assert!(
        matches!(refused, PostgresError::ForeignSocketDirectory { .. }),
        "{refused}"
    );
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[tokio::test]
async fn an_unfinished_cluster_is_removed() {
    let folder = folder();
    let unfinished = folder.path().join("postgres.new-1");
    fs::create_dir(&unfinished).unwrap();
    fs::write(unfinished.join("PG_VERSION"), "15\n").unwrap();
    let server = start(folder.path()).await;
    assert!(!unfinished.exists());
    server.stop().await.unwrap();
}

/// A server that can't start quotes its reason and names its log.
#[tokio::test]
async fn a_failed_start_quotes_the_log() {
    let folder = folder();
    let mut options = Options::small(folder.path());
    options.extra_settings = vec![("max_connections".into(), "many".into())];
    let refused = refusal(&options).await;
    let sentence = refused.to_string();
    assert!(
        sentence.contains("max_connections") && sentence.contains("postgres.log"),
        "{sentence}"
    );
    start(folder.path()).await.stop().await.unwrap();
}

/// A command line can't turn checksums on: a cluster without them is refused and stopped.
#[tokio::test]
async fn a_cluster_without_checksums_is_refused() {
    let folder = folder();
    let server = start(folder.path()).await;
    let tool = meterhouse_postgres::find_binaries(None)
        .unwrap()
        .folder
        .join("pg_checksums");
    server.stop().await.unwrap();
    if !tool.exists() {
        println!("skipped: this Postgres came without pg_checksums");
        return;
    }
    let disabled = std::process::Command::new(tool)
        .arg("--disable")
        .arg("-D")
        .arg(folder.path().join("postgres"))
        .output()
        .unwrap();
    assert!(disabled.status.success(), "{disabled:?}");
    let refused = refusal(&Options::small(folder.path())).await;
    assert!(
        matches!(
            refused,
            PostgresError::Unsafe {
                name: "data_checksums",
                ..
            }
        ),
        "{refused}"
    );
    assert!(
        !folder.path().join("postgres/postmaster.pid").exists(),
        "it was stopped"
    );
}

/// Containers run users without an entry; `initdb` does not accept them, and the message says so.
#[test]
fn a_user_without_a_passwd_entry_is_refused() {
    if !geteuid().is_root() {
        println!("skipped: only root becomes somebody else");
        return;
    }
    let folder = folder();
    std::os::unix::fs::chown(folder.path(), Some(NO_ENTRY_ID), Some(NO_ENTRY_ID)).unwrap();
    let mut owner = Owner::spawn_with(folder.path(), |command| {
        command.uid(NO_ENTRY_ID).gid(NO_ENTRY_ID);
    });
    owner.read_until("user id 61234 has no entry in /etc/passwd");
}
