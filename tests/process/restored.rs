//! A data folder knows what it held: a database that is gone, another one, or an older one is never taken for a new casino.

use std::fs;
use std::path::Path;

use meterhouse_tests::{Caller, Database, Dealer, TwoPeople, eventually};
use nix::sys::signal::Signal;
use sqlx::ConnectOptions as _;
use tempfile::TempDir;
use tokio::process::Command;

use crate::program::{PROGRAM, Running, command, ended, folder, run_on};
use crate::serve::{people, token};

/// The file that knows.
const KNOWN: &str = "known-heads";

/// A server on this data folder, and its address.
async fn serving(data: &TempDir, more: &[&str]) -> (Running, Caller) {
    let mut server = Running::start(data.path(), &[&["serve"], more].concat());
    let base = server.says("listening on ").await;
    (server, Caller::nobody(base))
}

async fn stop(server: Running) {
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// A round of one seat.
async fn play(dealer: &Dealer) {
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.close().await.created());
}

/// A casino that has played a round and is stopped, with the key of its controller.
async fn played(data: &TempDir) -> String {
    let (server, nobody) = serving(data, &[]).await;
    let (_, dealer) = people(data, &nobody).await;
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
    token(data, &key).await.with(0).stdout.trim().to_owned()
}

/// A dealer of the table with a key, where the table stands.
async fn dealer(nobody: &Caller, key: &str) -> Dealer {
    let dealer = Dealer::new(nobody.with_token(key), "T1");
    drop(dealer.resume().await);
    dealer
}

/// Copies a cluster with its owner and rights.
async fn copy(from: &Path, to: &Path) {
    let mut copying = command("cp");
    copying.arg("-a").arg(from).arg(to);
    drop(ended(copying).await.with(0));
}

/// What the mega displays.
async fn mega(nobody: &Caller) -> String {
    let meters = nobody.get("/v1/links/main/meters").await.is(200);
    let levels = meters["levels"].as_array().expect("levels");
    let mega = levels.iter().find(|level| level["level"] == "mega");
    mega.expect("a mega")["amount"]
        .as_str()
        .expect("an amount")
        .to_owned()
}

/// Without its cluster a folder that held one starts nothing, whichever command asks; nothing is made in its place.
#[tokio::test]
async fn a_missing_cluster_is_no_new_casino() {
    let data = folder();
    drop(played(&data).await);
    let (cluster, away) = (data.path().join("postgres"), data.path().join("away"));
    fs::rename(&cluster, &away).expect("it is there");
    let known = fs::read(data.path().join(KNOWN)).expect("the file that knows");
    for keeps_known in [true, false] {
        if !keeps_known {
            // A folder that an older version used has only the log.
            fs::remove_file(data.path().join(KNOWN)).expect("it is there");
        }
        for words in [&["serve"][..], &["verify"], &["token", "list"]] {
            let refused = run_on(data.path(), words).await.with(4);
            drop(refused.saying("is gone: mount or restore"));
            assert!(!cluster.exists(), "{words:?} made one");
        }
    }
    fs::write(data.path().join(KNOWN), known).expect("it can be written");
    fs::rename(&away, &cluster).expect("it is there");
    let (server, nobody) = serving(&data, &[]).await;
    assert_eq!(nobody.get("/v1/links/main").await.is(200)["state"], "open");
    stop(server).await;
    fs::rename(&cluster, &away).expect("it is there");
    let (server, nobody) = serving(&data, &["--restored"]).await;
    drop(nobody.get("/v1/links/main").await.is(404));
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
    let key = played(&data).await;
    let (cluster, backup) = (data.path().join("postgres"), data.path().join("backup"));
    copy(&cluster, &backup).await;
    let (server, nobody) = serving(&data, &[]).await;
    play(&dealer(&nobody, &key).await).await;
    let documented = mega(&nobody).await;
    assert_eq!(documented, "10000.18");
    stop(server).await;
    fs::remove_dir_all(&cluster).expect("it is there");
    fs::rename(&backup, &cluster).expect("it is there");

    let differs = run_on(data.path(), &["verify"]).await.with(1).stdout;
    assert!(
        differs.contains("DIFFERS link main: the journal is not the one"),
        "{differs}"
    );
    let (server, nobody) = serving(&data, &[]).await;
    let ready = nobody.get("/readyz").await.is(200);
    assert_eq!(ready["status"], "degraded", "{}", ready.text);
    assert_eq!(
        nobody.get("/v1/links/main").await.is(200)["state"],
        "faulted"
    );
    let table = dealer(&nobody, &key).await;
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
        nobody.with_token(token(&data, &words).await.with(0).stdout.trim())
    };
    let both = TwoPeople {
        one: person("sam", "slots").await,
        other: person("liz", "finance").await,
    };
    assert_eq!(mega(&nobody).await, "10000.09");
    drop(both.adjust("main", "mega", "meter", "0.09").await.created());
    drop(both.clear_fault("main").await.created());
    assert_eq!(mega(&nobody).await, documented);
    play(&table).await;
    eventually("the heads are kept again", async || {
        let known = fs::read_to_string(data.path().join(KNOWN)).ok()?;
        known.contains("link main ").then_some(())
    })
    .await;
    stop(server).await;

    let (server, nobody) = serving(&data, &[]).await;
    assert_eq!(nobody.get("/v1/links/main").await.is(200)["state"], "open");
    stop(server).await;
    drop(run_on(data.path(), &["verify"]).await.with(0));
}

/// A cluster of another house is not served in the place of this one.
#[tokio::test]
async fn another_database_is_refused() {
    let (data, other) = (folder(), folder());
    drop(played(&data).await);
    let (server, _) = serving(&other, &[]).await;
    stop(server).await;
    fs::remove_dir_all(data.path().join("postgres")).expect("it is there");
    copy(
        &other.path().join("postgres"),
        &data.path().join("postgres"),
    )
    .await;
    let refused = run_on(data.path(), &["serve", "--listen", "127.0.0.1:0"])
        .await
        .with(4);
    drop(refused.saying("is not the one that"));
    let differs = run_on(data.path(), &["verify"]).await.with(1).stdout;
    assert!(
        differs.contains("DIFFERS the database is not the one"),
        "{differs}"
    );
}

/// A database by URL is known by the folder of `--state-dir`: another one is not served in its place.
#[tokio::test]
async fn a_folder_beside_a_url() {
    let (used, other, state) = (Database::new().await, Database::new().await, folder());
    // Databases of tests are copies of one.
    let another = "UPDATE database_identity SET identity = gen_random_uuid()";
    assert_eq!(other.tamper(another).await, 1);
    let serve = |database: &Database| -> Command {
        let url = database.application.to_url_lossy();
        let mut program = command(PROGRAM);
        program
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--grpc-listen",
                "127.0.0.1:0",
            ])
            .args(["--database-url", url.as_str(), "--state-dir"])
            .arg(state.path());
        program
    };
    for _ in 0..2 {
        let mut server = Running::spawn(serve(&used));
        drop(server.says("listening on ").await);
        eventually("the database is known", async || {
            state.path().join(KNOWN).exists().then_some(())
        })
        .await;
        stop(server).await;
    }
    let refused = ended(serve(&other)).await.with(4);
    drop(refused.saying("is not the one that"));
}
