//! The database that a command uses. Commands that only read create none.

use std::path::Path;

use meterhouse_tests::{Caller, Database};
use nix::sys::signal::Signal;
use sqlx::ConnectOptions as _;

use crate::program::{PROGRAM, ProgramOutput, Running, command, folder, run_on, run_to_end};

/// A short demo.
const DEMO: [&str; 5] = ["demo", "--rounds", "20", "--speed", "0"];
/// A short load.
const LOAD: [&str; 5] = ["load", "--commands", "200", "--warm-up", "0"];
/// Options for free ports.
const FREE: [&str; 4] = ["--listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0"];

/// Runs a command line on a database by its URL.
async fn run_at(url: &str, arguments: &[&str]) -> ProgramOutput {
    let mut program = command(PROGRAM);
    program.args(arguments).args(["--database-url", url]);
    run_to_end(program).await
}

/// Returns the names of a folder's entries.
fn entries(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    entries
        .map(|entry| name(entry).to_string_lossy().into_owned())
        .collect()
}

/// Commands that only read leave a missing database, and a folder with other files, as they are.
#[tokio::test]
async fn reading_commands_create_no_database() {
    let data = folder();
    let mistyped = data.path().join("typo");
    for words in [
        "verify",
        "verify --json",
        "token list",
        "token revoke ana",
        "token create --role manager --name ana",
        "migrate --check",
        "load --url http://127.0.0.1:1 --grpc-url http://127.0.0.1:1",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let ended = run_on(&mistyped, &words).await.with_code(4);
        assert_eq!(ended.stdout, "", "{words:?}");
        drop(ended.with_error("there is no database of Meterhouse in"));
        assert_eq!(entries(data.path()), Vec::<String>::new(), "{words:?}");
    }
    // A folder with other files is not changed either.
    std::fs::write(data.path().join("letter.txt"), "dear").expect("a file");
    drop(run_on(data.path(), &["verify"]).await.with_code(4));
    assert_eq!(entries(data.path()), ["letter.txt"]);
}

/// An invalid or used address ends a command before it creates a database.
#[tokio::test]
async fn addresses_are_checked_before_a_database_is_created() {
    let data = folder();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = taken.local_addr().expect("its address").to_string();
    for (words, code, sentence) in [
        (vec!["serve", "--listen", "nowhere"], 2, "127.0.0.1:8080"),
        (
            vec!["serve", "--listen", &taken],
            5,
            "another process listens on",
        ),
        (
            vec!["serve", "--listen", "127.0.0.1:0", "--grpc-listen", &taken],
            5,
            "or choose another with --grpc-listen",
        ),
        (
            [&["serve"], &FREE[..], &["--metrics-listen", &taken]].concat(),
            5,
            "or choose another with --metrics-listen",
        ),
        (vec!["demo", "--listen", "nowhere"], 2, "--listen"),
    ] {
        let created = data.path().join("made");
        let ended = run_on(&created, &words).await.with_code(code);
        drop(ended.with_error(sentence));
        assert!(!created.exists(), "{words:?}");
    }
}

/// The demo and the load generator use only databases that they created.
#[tokio::test]
async fn play_money_stays_out_of_other_databases() {
    let casino = folder();
    let mut server = Running::start(casino.path(), &["serve"]);
    let base = server.line_after("listening on ").await;
    let readiness = Caller::nobody(base).get("/readyz").await.is(200).body;
    assert_eq!(readiness["purpose"], "casino", "{readiness}");
    let manager = ["token", "create", "--role", "manager", "--name", "ana"];
    drop(run_on(casino.path(), &manager).await.with_code(0));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    for play in [DEMO, LOAD] {
        let refused = run_on(casino.path(), &play).await.with_code(3);
        drop(refused.with_error("this is a database of `casino`"));
    }
    let tokens = run_on(casino.path(), &["token", "list"]).await.with_code(0);
    assert_eq!(tokens.stdout.lines().count(), 1, "{}", tokens.stdout);

    let played = folder();
    drop(run_on(played.path(), &LOAD).await.with_code(0));
    drop(run_on(played.path(), &LOAD).await.with_code(0));
    let refused = run_on(played.path(), &DEMO).await.with_code(3);
    drop(refused.with_error("this is a database of `load`"));
}

/// For a remote load, both the tokens' database and the server's must belong to the load generator.
#[tokio::test]
async fn a_remote_load_needs_its_own_server() {
    let (casino, load) = (Database::new().await, Database::new().await);
    let used = casino.application.to_url_lossy().to_string();
    let unused = load.application.to_url_lossy().to_string();
    let manager = ["token", "create", "--role", "manager", "--name", "ana"];
    drop(run_at(&used, &manager).await.with_code(0));
    let serve = |url: &str| {
        let mut program = command(PROGRAM);
        program
            .arg("serve")
            .args(FREE)
            .args(["--database-url", url]);
        Running::spawn(program)
    };
    let mut server = serve(&used);
    let http = server.line_after("listening on ").await;
    let grpc = server.line_after("gRPC on ").await;
    let remote = [&LOAD[..], &["--url", &http, "--grpc-url", &grpc]].concat();
    let refused = run_at(&used, &remote).await.with_code(3);
    drop(refused.with_error("this is a database of `casino`"));
    let refused = run_at(&unused, &remote).await.with_code(3);
    drop(refused.with_error("serves a database of `casino`"));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    let mut server = serve(&unused);
    let http = server.line_after("listening on ").await;
    let grpc = server.line_after("gRPC on ").await;
    let remote = [&LOAD[..], &["--url", &http, "--grpc-url", &grpc]].concat();
    drop(run_at(&unused, &remote).await.with_code(0));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}
