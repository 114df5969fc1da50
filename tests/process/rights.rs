//! The privileges of a server: a server of root continues as another user. Any other server keeps its user.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::Path;

use meterhouse_tests::{Caller, eventually};
use nix::sys::signal::Signal;
use nix::unistd::geteuid;

use crate::program::{PROGRAM, Running, command, folder, run_on};
use crate::serve::open_table;

/// Ports that only root may bind.
const PRIVILEGED: std::ops::Range<u16> = 600..1024;

/// Returns the numbers of a line of `/proc/PID/status`, such as the four user ids.
fn numbers(pid: i32, line: &str) -> Vec<u32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("a process");
    let found = status.lines().find_map(|text| text.strip_prefix(line));
    let words = found.expect("the line").split_whitespace();
    words.map(|word| word.parse().expect("a number")).collect()
}

/// Returns the id of the user who owns a file. The server must run as the owner of the cluster.
fn owner_of(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("a file").uid()
}

/// A server of root continues as the user of its Postgres, without other groups, and that user owns the written files.
/// A second start also takes over files that belong to root.
#[tokio::test]
async fn a_server_drops_root_privileges() {
    let data = folder();
    let is_root = geteuid().is_root();
    for round in 0..2 {
        let mut server = Running::start(data.path(), &["serve"]);
        let anonymous = Caller::nobody(server.line_after("listening on ").await);
        if round == 0 {
            drop(open_table(&data, &anonymous).await);
        }
        let user = owner_of(&data.path().join("postgres"));
        assert_eq!(numbers(server.pid(), "Uid:"), [user; 4], "round {round}");
        if is_root {
            assert_ne!(user, 0);
            assert_eq!(numbers(server.pid(), "Groups:"), [0; 0], "round {round}");
        }
        let known = data.path().join("known-heads");
        eventually("the heads are recorded", async || {
            (known.exists() && owner_of(&known) == user).then_some(())
        })
        .await;
        let readiness = anonymous.get("/readyz").await.is(200);
        let checks = readiness["checks"].as_array().expect("checks");
        let heads = checks.iter().find(|check| check["name"] == "heads");
        assert_eq!(heads.expect("a check")["status"], "ok", "{readiness:?}");
        assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
        if is_root {
            // Older versions left these files to root.
            for name in ["", "known-heads", "supervisor.lock"] {
                chown(data.path().join(name), Some(0), Some(0)).expect("given back to root");
            }
        }
    }
    drop(run_on(data.path(), &["verify"]).await.with_code(0));
}

/// A port below 1024 is bound before the privileges are dropped.
#[tokio::test]
async fn a_privileged_port_is_bound_before_root_is_dropped() {
    if !geteuid().is_root() {
        let refused = run_on(folder().path(), &["serve", "--listen", "127.0.0.1:600"]).await;
        drop(refused.with_code(2).with_error("could not listen on"));
        return;
    }
    let data = folder();
    let mut free = PRIVILEGED.filter(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok());
    let address = format!("127.0.0.1:{}", free.next().expect("a free port"));
    let mut program = command(PROGRAM);
    program
        .args([
            "serve",
            "--listen",
            &address,
            "--grpc-listen",
            "127.0.0.1:0",
        ])
        .arg("--data-dir")
        .arg(data.path());
    let mut server = Running::spawn(program);
    assert_eq!(
        server.line_after("listening on ").await,
        format!("http://{address}")
    );
    assert_ne!(numbers(server.pid(), "Uid:")[0], 0);
    let anonymous = Caller::nobody(format!("http://{address}"));
    drop(anonymous.get("/readyz").await.is(200));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// A folder with other files is refused, and its owner does not change.
#[tokio::test]
async fn a_folder_with_other_files_keeps_its_owner() {
    if !geteuid().is_root() {
        return;
    }
    let data = folder();
    fs::write(data.path().join("shadow"), "secret").expect("a file");
    let options = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--grpc-listen",
        "127.0.0.1:0",
    ];
    let refused = run_on(data.path(), &options).await.with_code(4);
    drop(
        refused.with_error("name an empty folder, or one that does not exist yet, with --data-dir"),
    );
    let entries = fs::read_dir(data.path()).expect("a folder");
    let names: BTreeSet<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(names, BTreeSet::from(["shadow".into()]));
    assert_eq!(owner_of(data.path()), 0);
    assert_eq!(owner_of(&data.path().join("shadow")), 0);
}
