//! A data folder records its database: a missing, another or an older database is never served as a new one.

use std::fs;
use std::path::Path;

use meterhouse_tests::{Caller, Database, Dealer, TwoPeople, eventually};
use nix::sys::signal::Signal;
use sqlx::ConnectOptions as _;
use tempfile::TempDir;
use tokio::process::Command;

use crate::program::{Running, command, folder, run_on, run_to_end, serve_command};
use crate::serve::{open_table, token};

/// The file with the recorded heads.
const KNOWN_HEADS: &str = "known-heads";

/// Starts a server on a data folder. Returns a caller as well.
async fn start(data: &TempDir, more: &[&str]) -> (Running, Caller) {
    let mut server = Running::start(data.path(), &[&["serve"], more].concat());
    let base = server.line_after("listening on ").await;
    (server, Caller::nobody(base))
}

async fn stop(server: Running) {
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// Plays a round of one seat.
async fn play(dealer: &Dealer) {
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.close().await.created());
}

/// Starts a server, plays a round and stops the server. Returns the controller's token.
async fn play_and_stop(data: &TempDir) -> String {
    let (server, anonymous) = start(data, &[]).await;
    let (_, dealer) = open_table(data, &anonymous).await;
    play(&dealer).await;
    stop(server).await;
    let key = [
        "create",
        "--role",
        "controller",
        "--name",
        "T1",
        "--table",
        "T1",
    ];
    token(data, &key)
        .await
        .with_code(0)
        .stdout
        .trim()
        .to_owned()
}

/// Returns a dealer who continues at the table's next sequence.
async fn dealer(anonymous: &Caller, key: &str) -> Dealer {
    let dealer = Dealer::new(anonymous.with_token(key), "T1");
    drop(dealer.resume().await);
    dealer
}

/// Copies a cluster with its owner and permissions.
async fn copy(from: &Path, to: &Path) {
    let mut copying = command("cp");
    copying.arg("-a").arg(from).arg(to);
    drop(run_to_end(copying).await.with_code(0));
}

/// Returns the displayed amount of the mega level.
async fn mega(anonymous: &Caller) -> String {
    let meters = anonymous.get("/v1/links/main/meters").await.is(200);
    let levels = meters["levels"].as_array().expect("levels");
    let mega = levels.iter().find(|level| level["level"] == "mega");
    mega.expect("the mega level")["amount"]
        .as_str()
        .expect("an amount")
        .to_owned()
}

/// If a folder's cluster is missing, every command is refused, and no cluster is created.
#[tokio::test]
async fn a_missing_cluster_is_not_replaced() {
    let data = folder();
    drop(play_and_stop(&data).await);
    let (cluster, away) = (data.path().join("postgres"), data.path().join("away"));
    fs::rename(&cluster, &away).expect("a folder");
    let known = fs::read(data.path().join(KNOWN_HEADS)).expect("the recorded heads");
    for keeps_heads in [true, false] {
        if !keeps_heads {
            // A folder of an older version has only the log.
            fs::remove_file(data.path().join(KNOWN_HEADS)).expect("a file");
        }
        for words in [&["serve"][..], &["verify"], &["token", "list"]] {
            let refused = run_on(data.path(), words).await.with_code(4);
            drop(refused.with_error("is gone: mount or restore"));
            assert!(!cluster.exists(), "{words:?} created a cluster");
        }
    }
    fs::write(data.path().join(KNOWN_HEADS), known).expect("a written file");
    fs::rename(&away, &cluster).expect("a folder");
    let (server, anonymous) = start(&data, &[]).await;
    assert_eq!(
        anonymous.get("/v1/links/main").await.is(200)["state"],
        "open"
    );
    stop(server).await;
    fs::rename(&cluster, &away).expect("a folder");
    let (server, anonymous) = start(&data, &["--restored"]).await;
    drop(anonymous.get("/v1/links/main").await.is(404));
    stop(server).await;
    let names = fs::read_dir(data.path()).expect("a folder").flatten();
    let names: Vec<String> = names
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert!(
        names.iter().any(|name| name.starts_with("known-heads.")),
        "{names:?}"
    );
}

/// CONFORMANCE 51: a link of an older backup stays out of play until two people accept documented values.
#[tokio::test]
async fn an_older_backup_is_out_of_play_until_two_people_accept() {
    let data = folder();
    let key = play_and_stop(&data).await;
    let (cluster, backup) = (data.path().join("postgres"), data.path().join("backup"));
    copy(&cluster, &backup).await;
    let (server, anonymous) = start(&data, &[]).await;
    play(&dealer(&anonymous, &key).await).await;
    let documented = mega(&anonymous).await;
    assert_eq!(documented, "10000.18");
    stop(server).await;
    fs::remove_dir_all(&cluster).expect("a folder");
    fs::rename(&backup, &cluster).expect("a folder");

    let differs = run_on(data.path(), &["verify"]).await.with_code(1).stdout;
    assert!(
        differs.contains("DIFFERS link main: the journal is not the one"),
        "{differs}"
    );
    let (server, anonymous) = start(&data, &[]).await;
    let ready = anonymous.get("/readyz").await.is(200);
    assert_eq!(ready["status"], "degraded", "{}", ready.text);
    assert_eq!(
        anonymous.get("/v1/links/main").await.is(200)["state"],
        "faulted"
    );
    let table = dealer(&anonymous, &key).await;
    drop(table.coin_in(&[1]).await.problem(503, "link_faulted"));

    let person = async |name: &str, department: &str| {
        let words = [
            "create",
            "--role",
            "manager",
            "--name",
            name,
            "--department",
            department,
        ];
        anonymous.with_token(token(&data, &words).await.with_code(0).stdout.trim())
    };
    let both = TwoPeople {
        one: person("sam", "slots").await,
        other: person("liz", "finance").await,
    };
    assert_eq!(mega(&anonymous).await, "10000.09");
    drop(both.adjust("main", "mega", "meter", "0.09").await.created());
    drop(both.clear_fault("main").await.created());
    assert_eq!(mega(&anonymous).await, documented);
    play(&table).await;
    eventually("the heads are recorded again", async || {
        let known = fs::read_to_string(data.path().join(KNOWN_HEADS)).ok()?;
        known.contains("link main ").then_some(())
    })
    .await;
    stop(server).await;

    let (server, anonymous) = start(&data, &[]).await;
    assert_eq!(
        anonymous.get("/v1/links/main").await.is(200)["state"],
        "open"
    );
    stop(server).await;
    drop(run_on(data.path(), &["verify"]).await.with_code(0));
}

/// A cluster of another installation is refused.
#[tokio::test]
async fn another_database_is_refused() {
    let (data, other) = (folder(), folder());
    drop(play_and_stop(&data).await);
    let (server, _) = start(&other, &[]).await;
    stop(server).await;
    fs::remove_dir_all(data.path().join("postgres")).expect("a folder");
    copy(
        &other.path().join("postgres"),
        &data.path().join("postgres"),
    )
    .await;
    let refused = run_on(data.path(), &["serve", "--listen", "127.0.0.1:0"])
        .await
        .with_code(4);
    drop(refused.with_error("is not the one that"));
    let differs = run_on(data.path(), &["verify"]).await.with_code(1).stdout;
    assert!(
        differs.contains("DIFFERS the database is not the one"),
        "{differs}"
    );
}

/// The folder of `--state-dir` records a database that is given by URL. Another database is refused.
#[tokio::test]
async fn a_state_folder_recognises_a_database_by_url() {
    let (used, other, state) = (Database::new().await, Database::new().await, folder());
    // Test databases are copies with the same identity.
    let another = "UPDATE database_identity SET identity = gen_random_uuid()";
    assert_eq!(other.tamper(another).await, 1);
    let serve = |database: &Database| -> Command {
        let url = database.application.to_url_lossy();
        let mut program = serve_command();
        program
            .args(["--database-url", url.as_str(), "--state-dir"])
            .arg(state.path());
        program
    };
    for _ in 0..2 {
        let mut server = Running::spawn(serve(&used));
        drop(server.line_after("listening on ").await);
        eventually("the heads are recorded", async || {
            state.path().join(KNOWN_HEADS).exists().then_some(())
        })
        .await;
        stop(server).await;
    }
    let refused = run_to_end(serve(&other)).await.with_code(4);
    drop(refused.with_error("is not the one that"));
}
