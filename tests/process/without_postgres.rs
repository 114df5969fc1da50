//! A machine without Postgres: a command names the line that installs it, and creates nothing.
//!
//! `tests/deploy/containers` runs that line on a bare Debian, and the demo after it.

use std::path::Path;

use crate::program::{PROGRAM, command, folder, run_to_end};

/// Folder of the programs on Debian.
const PROGRAMS: &str = "/usr/lib/postgresql";
/// Hides that folder from one program.
const HIDE: &str = "mount -t tmpfs none \"$1\" || exit 125; shift; exec \"$@\"";
/// Exit code if the folder could not be hidden.
const NOT_HIDDEN: i32 = 125;

#[tokio::test]
async fn the_first_command_names_the_line_that_installs_it() {
    if !nix::unistd::geteuid().is_root() || !Path::new(PROGRAMS).exists() {
        println!("skipped: only root can hide Debian's Postgres");
        return;
    }
    let folder = folder();
    let data = folder.path().join("data");
    for arguments in [
        &["demo", "--listen", "127.0.0.1:0"] as &[&str],
        &["load", "--seconds", "1"],
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--grpc-listen",
            "127.0.0.1:0",
        ],
    ] {
        let mut hidden = command("unshare");
        hidden
            .args(["--mount", "sh", "-c", HIDE, "sh", PROGRAMS, PROGRAM])
            .args(arguments)
            .arg("--data-dir")
            .arg(&data)
            .env("PATH", "/usr/bin:/bin");
        let ended = run_to_end(hidden).await;
        if ended.code == Some(NOT_HIDDEN) || ended.stderr.starts_with("unshare") {
            println!("skipped: no namespace of mounts: {}", ended.stderr);
            return;
        }
        let line = "install it with `apt-get update && apt-get install -y postgresql` (Debian)";
        drop(ended.with_code(4).with_error(line));
        assert!(!data.exists(), "{arguments:?} left a folder");
    }
}
