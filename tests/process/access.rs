//! Which database a command plays in, and that a command which only reads makes none.

use std::path::Path;

use meterhouse_tests::{Caller, Database};
use nix::sys::signal::Signal;
use sqlx::ConnectOptions as _;

use crate::program::{Ended, PROGRAM, Running, command, ended, folder, run_on};

/// A short demo, and a short load.
const DEMO: [&str; 5] = ["demo", "--rounds", "20", "--speed", "0"];
const LOAD: [&str; 5] = ["load", "--commands", "200", "--warm-up", "0"];
/// Ports that the system chooses.
const FREE: [&str; 4] = ["--listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0"];

/// Runs a command line on a database by its URL.
async fn run_at(url: &str, arguments: &[&str]) -> Ended {
    let mut program = command(PROGRAM);
    program.args(arguments).args(["--database-url", url]);
    ended(program).await
}

/// Everything in a folder.
fn entries(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    entries
        .map(|entry| name(entry).to_string_lossy().into_owned())
        .collect()
}

#[tokio::test]
async fn reading_makes_nothing() {
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
        let ended = run_on(&mistyped, &words).await.with(4);
        assert_eq!(ended.stdout, "", "{words:?}");
        drop(ended.saying("there is no database of Meterhouse in"));
        assert_eq!(entries(data.path()), Vec::<String>::new(), "{words:?}");
    }
    // A folder that holds something else stays as it is, too.
    std::fs::write(data.path().join("letter.txt"), "dear").expect("a file");
    drop(run_on(data.path(), &["verify"]).await.with(4));
    assert_eq!(entries(data.path()), ["letter.txt"]);
}

#[tokio::test]
async fn an_address_is_checked_before_anything_is_made() {
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
        (vec!["demo", "--listen", "nowhere"], 2, "--listen"),
    ] {
        let made = data.path().join("made");
        let ended = run_on(&made, &words).await.with(code);
        drop(ended.saying(sentence));
        assert!(!made.exists(), "{words:?}");
    }
}

/// The demo and the load generator play in databases that they made themselves, and in no other.
#[tokio::test]
async fn play_money_stays_out_of_other_databases() {
    let casino = folder();
    let mut server = Running::start(casino.path(), &["serve"]);
    let base = server.says("listening on ").await;
    let readiness = Caller::nobody(base).get("/readyz").await.is(200).body;
    assert_eq!(readiness["purpose"], "casino", "{readiness}");
    let manager = ["token", "create", "--role", "manager", "--name", "ana"];
    drop(run_on(casino.path(), &manager).await.with(0));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    for play in [DEMO, LOAD] {
        let refused = run_on(casino.path(), &play).await.with(3);
        drop(refused.saying("this is a database of `casino`"));
    }
    let tokens = run_on(casino.path(), &["token", "list"]).await.with(0);
    assert_eq!(tokens.stdout.lines().count(), 1, "{}", tokens.stdout);

    let played = folder();
    drop(run_on(played.path(), &LOAD).await.with(0));
    drop(run_on(played.path(), &LOAD).await.with(0));
    let refused = run_on(played.path(), &DEMO).await.with(3);
    drop(refused.saying("this is a database of `load`"));
}

/// A load from outside: the keys' database and the server's both have to be the load generator's.
#[tokio::test]
async fn a_remote_load_needs_a_server_of_its_own() {
    let (casino, load) = (Database::new().await, Database::new().await);
    let used = casino.application.to_url_lossy().to_string();
    let unused = load.application.to_url_lossy().to_string();
    let manager = ["token", "create", "--role", "manager", "--name", "ana"];
    drop(run_at(&used, &manager).await.with(0));
    let serve = |url: &str| {
        let mut program = command(PROGRAM);
        program
            .arg("serve")
            .args(FREE)
            .args(["--database-url", url]);
        Running::spawn(program)
    };
    let mut server = serve(&used);
    let http = server.says("listening on ").await;
    let grpc = server.says("gRPC on ").await;
    let remote = [&LOAD[..], &["--url", &http, "--grpc-url", &grpc]].concat();
    let refused = run_at(&used, &remote).await.with(3);
    drop(refused.saying("this is a database of `casino`"));
    let refused = run_at(&unused, &remote).await.with(3);
    drop(refused.saying("serves a database of `casino`"));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    let mut server = serve(&unused);
    let http = server.says("listening on ").await;
    let grpc = server.says("gRPC on ").await;
    let remote = [&LOAD[..], &["--url", &http, "--grpc-url", &grpc]].concat();
    drop(run_at(&unused, &remote).await.with(0));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}
