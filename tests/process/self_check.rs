//! The checks before play: the program's hash, and the sum of the journal against the meters.

use std::fs;
use std::io::Write as _;

use meterhouse_tests::{Caller, Database, eventually};
use nix::sys::signal::Signal;
use sha2::{Digest as _, Sha256};
use sqlx::ConnectOptions as _;

use crate::program::{PROGRAM, ProgramOutput, Running, command, folder, run, run_to_end};

/// An unreachable database: no process listens on port 1. The program's hash is checked before the connection.
const NO_DATABASE: &str = "postgres://meterhouse_app@127.0.0.1:1/meterhouse";

/// Returns the SHA-256 of the program under test.
fn hash() -> String {
    hex::encode(Sha256::digest(fs::read(PROGRAM).expect("the program")))
}

/// Runs `serve` without a database, with this approved hash.
async fn serve_as(hash: &str) -> ProgramOutput {
    let arguments = ["serve", "--database-url", NO_DATABASE, "--program-hash"];
    run(&[&arguments[..], &[hash]].concat()).await
}

/// Proves CONFORMANCE 44 for the software's hash: `version --full` prints the hash and the versions to compare.
#[tokio::test]
async fn the_version_names_the_program() {
    let short = run(&["version"]).await.with_code(0).stdout;
    assert_eq!(short, run(&["--version"]).await.with_code(0).stdout);
    let full = run(&["version", "--full"]).await.with_code(0).stdout;
    let facts = full.strip_prefix(&short).expect("the version first");
    let names: Vec<_> = facts
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(names, ["sha256", "file", "rules", "journal", "postgres"]);
    assert!(facts.contains(&hash()), "{full}");
    // The log of every start has the same hash.
    let started = run(&["serve", "--database-url", NO_DATABASE])
        .await
        .with_code(4);
    assert!(started.stderr.contains(&hash()), "{}", started.stderr);
}

/// Proves CONFORMANCE 44 for the software's hash: only the approved program starts.
#[tokio::test]
async fn only_the_approved_program_starts() {
    let hash = hash();
    drop(serve_as(&hash).await.with_code(4).with_error("database"));
    drop(serve_as(&hash.to_uppercase()).await.with_code(4));
    let other = serve_as(&"0".repeat(64)).await.with_code(3);
    drop(
        other
            .with_error("this program is not the approved one")
            .with_error(&hash),
    );
    drop(serve_as("d-12").await.with_code(2));

    // A program with an additional byte at its end still runs.
    let folder = folder();
    let changed = folder.path().join("meterhouse");
    fs::copy(PROGRAM, &changed).expect("a copy");
    let file = fs::OpenOptions::new().append(true).open(&changed);
    file.and_then(|mut file| file.write_all(b"x"))
        .expect("a written byte");
    let mut program = command(&changed);
    program
        .args(["serve", "--database-url", NO_DATABASE])
        .env("METERHOUSE_PROGRAM_HASH", &hash);
    let refused = run_to_end(program).await.with_code(3);
    drop(
        refused
            .with_error("this program is not the approved one")
            .with_error(&hash),
    );
}

/// Proves CONFORMANCE 44 and 45: a start also sums batches long before the newest snapshot. A changed batch faults its
/// link, with the reason.
#[tokio::test]
async fn a_journal_that_does_not_sum_faults_its_link() {
    let database = Database::new().await;
    let url = database.application.to_url_lossy().to_string();
    let with = |arguments: &[&str]| {
        let mut program = command(PROGRAM);
        program.args(arguments).env("DATABASE_URL", &url);
        program
    };
    let demo = ["demo", "--rounds", "30", "--speed", "0", "--seed", "7"];
    drop(run_to_end(with(&demo)).await.with_code(0));
    let change =
        "UPDATE batch SET deltas[2] = COALESCE(deltas[2], 0) - 1, deltas[3] = COALESCE(deltas[3], 0) + 1 WHERE batch = 3
         AND link_id = (SELECT link_id FROM link WHERE name = 'main')";
    assert_eq!(database.tamper(change).await, 1);
    let mut server = Running::spawn(with(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--grpc-listen",
        "127.0.0.1:0",
        "--metrics-listen",
        "127.0.0.1:0",
    ]));
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let metrics = server.line_after("metrics on ").await;
    let metrics = Caller::nobody(metrics.trim_end_matches("/metrics").to_owned());
    let link = eventually("the link is faulted", async || {
        let link = anonymous.get("/v1/links/main").await.is(200);
        (link["state"] == "faulted").then_some(link)
    })
    .await;
    let reason = link.text("reason");
    assert!(reason.contains("what was added"), "{reason}");
    let page = metrics.get("/metrics").await.is(200).text;
    let mut lines = page.lines();
    let found = lines.find(|line| line.starts_with("meterhouse_books_differences_total{"));
    assert!(found.is_some_and(|line| line.ends_with(" 1")), "{page}");
    let other = anonymous.get("/v1/links/hand-bonus").await.is(200);
    assert_eq!(other["state"], "open");
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}
