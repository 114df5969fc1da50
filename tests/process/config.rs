//! `meterhouse config`: the settings checked and shown before a server depends on them.

use std::fs;

use crate::program::{PROGRAM, command, folder, run, run_on, run_to_end};

/// The committed example is the one that the program prints.
#[tokio::test]
async fn the_example_file_is_current() {
    let printed = run(&["config", "example"]).await.with_code(0);
    let committed = include_str!("../../deploy/meterhouse.toml");
    assert!(
        printed.stdout == committed,
        "deploy/meterhouse.toml is not current: run `just settings`"
    );
}

/// A file is checked as a whole, and the settings in force are printed without secrets.
#[tokio::test]
async fn a_file_is_checked_and_printed() {
    let folder = folder();
    let file = folder.path().join("meterhouse.toml");
    let path = file.display().to_string();
    let wrong = "[http]\nlistn = \"127.0.0.1:0\"\n[log]\nformat = 1\n";
    fs::write(&file, wrong).expect("a file");
    for arguments in [
        &["config", "check"] as &[&str],
        &["config", "print"],
        &["serve"],
        &["verify"],
    ] {
        let ended = run(&[arguments, &["--config", &path]].concat()).await;
        let ended = ended.with_code(3);
        for mistake in [":2:1: unknown key `http.listn`", ":4:10: log.format"] {
            assert!(ended.stderr.contains(mistake), "{}", ended.stderr);
        }
    }
    let url = "postgres://user:hunter2@127.0.0.1:1/name";
    fs::write(&file, format!("[database]\nurl = \"{url}\"\n")).expect("a file");
    let checked = run(&["config", "check", "--config", &path]).await;
    let checked = checked.with_code(0);
    assert!(checked.stdout.contains("every setting is valid"));
    let mut program = command(PROGRAM);
    program
        .args(["config", "print", "--grpc-listen", "127.0.0.1:9"])
        .env("METERHOUSE_CONFIG", &file)
        .env("METERHOUSE_LOG_FORMAT", "json");
    let refused = run_to_end(program).await.with_code(2);
    assert!(refused.stderr.contains("--grpc-listen"), "a flag of serve");
    let mut program = command(PROGRAM);
    program
        .args(["config", "print", "--log", "debug"])
        .env("METERHOUSE_CONFIG", &file)
        .env("METERHOUSE_LOG_FORMAT", "json");
    let printed = run_to_end(program).await.with_code(0).stdout;
    for line in [
        format!("url = \"********\" # {path}:2:7"),
        "filter = \"debug\" # --log".to_owned(),
        "format = \"json\" # METERHOUSE_LOG_FORMAT".to_owned(),
        "listen = \"127.0.0.1:8081\" # default".to_owned(),
    ] {
        assert!(printed.contains(&line), "{line}\n{printed}");
    }
    assert!(!printed.contains("hunter2"), "{printed}");
}

/// A file that is named must exist. Without one, the default file is read if it exists.
#[tokio::test]
async fn a_named_file_must_exist() {
    let ended = run(&["verify", "--config", "/nowhere/meterhouse.toml"]).await;
    drop(ended.with_code(3).with_error("correct --config"));
    let home = folder();
    let mut program = command(PROGRAM);
    program
        .args(["config", "check"])
        .env("XDG_CONFIG_HOME", home.path());
    let checked = run_to_end(program).await.with_code(0);
    assert!(
        checked.stdout.contains("does not exist"),
        "{}",
        checked.stdout
    );
}

/// The demo plays with play money and doesn't read the file of the casino on its machine.
#[tokio::test]
async fn the_demo_reads_no_file() {
    let folder = folder();
    let file = folder.path().join("meterhouse.toml");
    fs::write(&file, "[http]\nlistn = 1\n").expect("a file");
    let file = file.display().to_string();
    let data = folder.path().join("data");
    let demo = ["demo", "--rounds", "3", "--speed", "0", "--config", &file];
    drop(run_on(&data, &demo).await.with_code(0));
}
