//! Whose rights a server has: never root's. Where the tests don't run as root, it keeps those of who started it.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::Path;

use meterhouse_tests::{Caller, eventually};
use nix::sys::signal::Signal;
use nix::unistd::geteuid;

use crate::program::{PROGRAM, Running, command, folder, run_on};
use crate::serve::people;

/// Ports that only root may take.
const PRIVILEGED: std::ops::Range<u16> = 600..1024;

/// Numbers of a line of `/proc/PID/status`, such as the four user ids.
fn numbers(pid: i32, line: &str) -> Vec<u32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("a process");
    let found = status.lines().find_map(|it| it.strip_prefix(line));
    let words = found.expect("the line").split_whitespace();
    words.map(|word| word.parse().expect("a number")).collect()
}

/// The user who should serve a data folder: the one whose Postgres it is.
fn owner_of(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("a file").uid()
}

/// A server of root's goes on as the user who runs its Postgres, with no other group, and what it writes is that user's.
/// Started again over files that a server of root's left, it writes them too.
#[tokio::test]
async fn a_server_gives_up_roots_rights() {
    let data = folder();
    let is_root = geteuid().is_root();
    for round in 0..2 {
        let mut server = Running::start(data.path(), &["serve"]);
        let nobody = Caller::nobody(server.says("listening on ").await);
        if round == 0 {
            drop(people(&data, &nobody).await);
        }
        let user = owner_of(&data.path().join("postgres"));
        assert_eq!(numbers(server.pid(), "Uid:"), [user; 4], "round {round}");
        if is_root {
            assert_ne!(user, 0);
            assert_eq!(numbers(server.pid(), "Groups:"), [0; 0], "round {round}");
        }
        let known = data.path().join("known-heads");
        eventually("the heads are kept", async || {
            (known.exists() && owner_of(&known) == user).then_some(())
        })
        .await;
        let readiness = nobody.get("/readyz").await.is(200);
        let checks = readiness["checks"].as_array().expect("checks");
        let heads = checks.iter().find(|it| it["name"] == "heads");
        assert_eq!(heads.expect("a check")["status"], "ok", "{readiness:?}");
        assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
        if is_root {
            // As servers before this one left them.
            for name in ["", "known-heads", "supervisor.lock"] {
                chown(data.path().join(name), Some(0), Some(0)).expect("given back to root");
            }
        }
    }
    drop(run_on(data.path(), &["verify"]).await.with(0));
}

/// A port below 1024 is taken before the rights are given up.
#[tokio::test]
async fn a_port_that_needs_root() {
    if !geteuid().is_root() {
        let refused = run_on(folder().path(), &["serve", "--listen", "127.0.0.1:600"]).await;
        drop(refused.with(2).saying("could not listen on"));
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
        server.says("listening on ").await,
        format!("http://{address}")
    );
    assert_ne!(numbers(server.pid(), "Uid:")[0], 0);
    let nobody = Caller::nobody(format!("http://{address}"));
    drop(nobody.get("/readyz").await.is(200));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// A folder that was never a data folder and holds something is given to nobody.
#[tokio::test]
async fn a_folder_of_other_things_stays_roots() {
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
    let refused = run_on(data.path(), &options).await.with(4);
    drop(refused.saying("name an empty folder, or one that does not exist yet, with --data-dir"));
    let entries = fs::read_dir(data.path()).expect("a folder");
    let names: BTreeSet<_> = entries.flatten().map(|it| it.file_name()).collect();
    assert_eq!(names, BTreeSet::from(["shadow".into()]));
    assert_eq!(owner_of(data.path()), 0);
    assert_eq!(owner_of(&data.path().join("shadow")), 0);
}
