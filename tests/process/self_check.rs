//! What is checked before anything is played: which program this is, and that the ledger sums to the meters.

use std::fs;
use std::io::Write as _;

use meterhouse_tests::{Caller, Database, eventually};
use nix::sys::signal::Signal;
use sha2::{Digest as _, Sha256};
use sqlx::ConnectOptions as _;

use crate::program::{Ended, PROGRAM, Running, command, ended, folder, run};

/// Port 1 is nobody's: whoever asks for this database has checked the program before.
const NO_DATABASE: &str = "postgres://meterhouse_app@127.0.0.1:1/meterhouse";

/// The SHA-256 of the program that is tested.
fn hash() -> String {
    hex::encode(Sha256::digest(fs::read(PROGRAM).expect("the program")))
}

/// Serves without a database, and with this as the approved hash.
async fn serve_as(hash: &str) -> Ended {
    let arguments = ["serve", "--database-url", NO_DATABASE, "--program-hash"];
    run(&[&arguments[..], &[hash]].concat()).await
}

/// Proves CONFORMANCE 44, the part of the software's hash: what there is to compare, and with what.
#[tokio::test]
async fn says_which_program_it_is() {
    let short = run(&["version"]).await.with(0).stdout;
    assert_eq!(short, run(&["--version"]).await.with(0).stdout);
    let full = run(&["version", "--full"]).await.with(0).stdout;
    let facts = full.strip_prefix(&short).expect("the version first");
    let names: Vec<_> = facts
        .lines()
        .filter_map(|it| it.split_whitespace().next())
        .collect();
    assert_eq!(names, ["sha256", "file", "rules", "journal", "postgres"]);
    assert!(facts.contains(&hash()), "{full}");
    // The same is in the log of every start.
    let started = run(&["serve", "--database-url", NO_DATABASE]).await.with(4);
    assert!(started.stderr.contains(&hash()), "{}", started.stderr);
}

/// Proves CONFORMANCE 44, the part of the software's hash: only the approved program starts.
#[tokio::test]
async fn only_the_approved_program_starts() {
    let hash = hash();
    drop(serve_as(&hash).await.with(4).saying("database"));
    drop(serve_as(&hash.to_uppercase()).await.with(4));
    let other = serve_as(&"0".repeat(64)).await.with(3);
    drop(
        other
            .saying("this program is not the approved one")
            .saying(&hash),
    );
    drop(serve_as("d-12").await.with(2));

    // A byte more at its end, and it runs as before.
    let folder = folder();
    let changed = folder.path().join("meterhouse");
    fs::copy(PROGRAM, &changed).expect("a copy");
    let file = fs::OpenOptions::new().append(true).open(&changed);
    file.and_then(|mut it| it.write_all(b"x"))
        .expect("a byte more");
    let mut program = command(&changed);
    program
        .args(["serve", "--database-url", NO_DATABASE])
        .env("METERHOUSE_PROGRAM_HASH", &hash);
    let refused = ended(program).await.with(3);
    drop(
        refused
            .saying("this program is not the approved one")
            .saying(&hash),
    );
}

/// Proves CONFORMANCE 44 and 45: a batch that was changed long before the newest snapshot, which no start reads any
/// more, is summed all the same and keeps the link from play, with the reason.
#[tokio::test]
async fn a_ledger_that_does_not_sum_is_not_played_on() {
    let database = Database::new().await;
    let url = database.application.to_url_lossy().to_string();
    let with = |arguments: &[&str]| {
        let mut program = command(PROGRAM);
        program.args(arguments).env("DATABASE_URL", &url);
        program
    };
    let demo = ["demo", "--rounds", "30", "--speed", "0", "--seed", "7"];
    drop(ended(with(&demo)).await.with(0));
    let change =
        "UPDATE batch SET deltas[2] = deltas[2] - 1, deltas[3] = deltas[3] + 1 WHERE batch = 3
         AND link_id = (SELECT link_id FROM link WHERE name = 'main')";
    assert_eq!(database.tamper(change).await, 1);
    let mut server = Running::spawn(with(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--grpc-listen",
        "127.0.0.1:0",
    ]));
    let nobody = Caller::nobody(server.says("listening on ").await);
    let link = eventually("the link is faulted", async || {
        let link = nobody.get("/v1/links/main").await.is(200);
        (link["state"] == "faulted").then_some(link)
    })
    .await;
    let reason = link.text("reason");
    assert!(reason.contains("what was added"), "{reason}");
    let other = nobody.get("/v1/links/hand-bonus").await.is(200);
    assert_eq!(other["state"], "open");
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}
