//! `meterhouse serve` and `meterhouse token`, from the first start to an orderly stop.

use std::net::SocketAddr;

use meterhouse_tests::client::{amounts, felt};
use meterhouse_tests::{Caller, Dealer, FIVE_CARD_C, Feed, eventually};
use nix::sys::signal::Signal;
use serde_json::json;
use tempfile::TempDir;
use tokio::net::TcpStream;

use crate::program::{PROGRAM, ProgramOutput, Running, command, folder, run_on};

/// Runs `meterhouse token` concurrently with the server.
pub(crate) async fn token(data: &TempDir, arguments: &[&str]) -> ProgramOutput {
    run_on(data.path(), &[&["token"], arguments].concat()).await
}

/// Opens a link with a table. Returns its manager and its dealer, with new tokens.
pub(crate) async fn open_table(data: &TempDir, anonymous: &Caller) -> (Caller, Dealer) {
    let ana = ["create", "--role", "manager", "--name", "ana"];
    let ana = anonymous.with_token(token(data, &ana).await.with_code(0).stdout.trim());
    let terms = json!({"paytable": FIVE_CARD_C, "wager": "1.00", "decks": 1});
    drop(ana.put("/v1/links/main", &terms).await.created());
    drop(ana.accept_values("main").await.created());
    let controller = [
        "create",
        "--role",
        "controller",
        "--name",
        "T1",
        "--table",
        "T1",
    ];
    let early = token(data, &controller).await.with_code(2);
    drop(early.with_error("there is no table T1"));
    drop(
        ana.put("/v1/tables/T1", &felt("main", FIVE_CARD_C))
            .await
            .created(),
    );
    let key = token(data, &controller).await.with_code(0);
    (
        ana,
        Dealer::new(anonymous.with_token(key.stdout.trim()), "T1"),
    )
}

/// A server starts. Tokens are created, used, listed and revoked meanwhile. The server stops after a signal.
#[tokio::test]
async fn from_start_to_stop() {
    let data = folder();
    let mut server = Running::start(data.path(), &["serve"]);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    assert_eq!(anonymous.get("/readyz").await.is(200)["ready"], true);
    let (ana, dealer) = open_table(&data, &anonymous).await;
    drop(dealer.coin_in(&[1, 3, 5]).await.created());

    let listed = token(&data, &["list"]).await.with_code(0).stdout;
    let words = listed.lines().map(|line| line.split_whitespace().collect());
    let words: Vec<Vec<&str>> = words.collect();
    assert_eq!(words[0], ["T1", "controller", "T1", "good"]);
    assert_eq!(words[1..], [["ana", "manager", "good"]]);
    drop(token(&data, &["revoke", "ana"]).await.with_code(0));
    eventually("the revoked token is refused", async || {
        let answer = ana.get("/v1/tables").await;
        (answer.status == 401).then_some(())
    })
    .await;
    let listed = token(&data, &["list"]).await.with_code(0).stdout;
    assert!(listed.contains("revoked"), "{listed}");

    let words = [
        "create",
        "--role",
        "auditor",
        "--name",
        "aud",
        "--expires",
        "90d",
    ];
    drop(token(&data, &words).await.with_code(0));
    let listed = token(&data, &["list"]).await.with_code(0).stdout;
    let aud = listed.lines().find(|line| line.starts_with("aud "));
    let aud = aud.expect("a listed token");
    assert!(aud.contains("expires 20"), "no time: {aud}");

    let (code, _) = server.stop(Signal::SIGTERM).await;
    assert_eq!(code, Some(0));
    let verified = run_on(data.path(), &["verify"]).await.with_code(0);
    let agrees = "everything agrees, difference 0.00";
    assert!(verified.stdout.contains(agrees), "{}", verified.stdout);
}

/// An invalid token is refused with a sentence, without a running server.
#[tokio::test]
async fn invalid_tokens_are_refused() {
    let data = folder();
    drop(run_on(data.path(), &["migrate"]).await.with_code(0));
    let none = token(&data, &["list"]).await.with_code(0);
    assert!(
        none.stdout.contains("nobody has a token yet"),
        "{}",
        none.stdout
    );
    drop(
        token(&data, &["create", "--role", "manager", "--name", "ana"])
            .await
            .with_code(0),
    );
    let cashier = "create --role supervisor --name cash --rights pay";
    let cashier: Vec<&str> = cashier.split(' ').collect();
    drop(token(&data, &cashier).await.with_code(0));
    let listed = token(&data, &["list"]).await.with_code(0).stdout;
    let listed = listed.lines().map(|line| line.split_whitespace().collect());
    let listed: Vec<Vec<&str>> = listed.collect();
    assert_eq!(listed[0], ["ana", "manager", "good"]);
    assert_eq!(listed[1], ["cash", "supervisor", "pay", "good"]);
    for (words, sentence) in [
        ("create --role boss --name eve", "--role"),
        ("create --role controller --name T2", "--table"),
        ("create --role auditor --name a_b", "--name"),
        ("create --role auditor --name ana", "ana"),
        (
            "create --role auditor --name aud --expires 20y",
            "--expires",
        ),
        ("create --role auditor --name aud --link main", "--link"),
        (
            "create --role auditor --name aud --rights validate",
            "--rights is for the roles supervisor and manager",
        ),
        (
            "create --role supervisor --name sam --rights configure",
            "can't be given configure, only validate, pay, reset, adjust",
        ),
        (
            "create --role manager --name max --rights read_floor",
            "can't be given read_floor, only configure, run, reset, adjust",
        ),
        (
            "create --role supervisor --name sam --rights pay,pay",
            "--rights: write the names",
        ),
        (
            "create --role supervisor --name cash --rights validate",
            "department or rights",
        ),
        ("revoke nobody", "nobody has no token"),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        drop(token(&data, &words).await.with_code(2).with_error(sentence));
    }
}

/// A second server is refused on the same folder with any port, and on the same port with another folder. The first server
/// continues.
#[tokio::test]
async fn a_second_server_is_refused() {
    let data = folder();
    let mut first = Running::start(data.path(), &["serve"]);
    let base = first.line_after("listening on ").await;
    let address = base.strip_prefix("http://").expect("an address").to_owned();
    // The error names the folder and not the port, because another port would not help.
    let same = ["serve", "--listen", &address];
    let second = run_on(data.path(), &same).await.with_code(5);
    drop(second.with_error("another meterhouse process uses"));
    let other = data.path().join("other");
    let taken = run_on(&other, &same).await.with_code(5);
    drop(taken.with_error("another process listens on"));
    assert!(!other.exists());

    let free = ["--listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0"];
    let second = [&["serve"], &free[..]].concat();
    let second = run_on(data.path(), &second).await.with_code(5);
    drop(second.with_error("another meterhouse process uses"));
    drop(Caller::nobody(base).get("/readyz").await.is(200));
    assert_eq!(first.stop(Signal::SIGTERM).await.0, Some(0));
}

/// A killed server leaves no file that prevents the next start.
#[tokio::test]
async fn a_killed_server_can_be_started_again() {
    let data = folder();
    for _ in 0..2 {
        let mut server = Running::start(data.path(), &["serve"]);
        let base = server.line_after("listening on ").await;
        drop(Caller::nobody(base).get("/readyz").await.is(200));
        assert_eq!(server.stop(Signal::SIGKILL).await.0, None);
    }
    drop(run_on(data.path(), &["verify"]).await.with_code(6));
}

/// CONFORMANCE 47: during a server's outage no command is possible, and every sign's connection ends. After the restart,
/// every sign, page and table shows the amounts from before, including a won level, before play continues.
#[tokio::test]
async fn signs_show_the_same_after_an_outage() {
    let data = folder();
    let mut server = Running::start(data.path(), &["serve"]);
    let base = server.line_after("listening on ").await;
    let (_, dealer) = open_table(&data, &Caller::nobody(base.clone())).await;
    let mut sign = Feed::open(address(&base), "main", None).await;
    drop(dealer.coin_in(&[1, 3, 5]).await.created());
    let royal = dealer.hit_unseen(3, "royal-flush").await.created();
    assert_eq!(royal["hit"]["due"], "10000.27");
    let before = ["10000.00", "1000.21", "250.09"];
    sign.until("the sign shows the amounts", |messages| {
        messages
            .iter()
            .any(|message| message["type"] == "meters" && amounts(message) == before)
    })
    .await;

    assert_eq!(server.stop(Signal::SIGKILL).await.0, None);
    while sign.next().await.is_some() {}
    let refused = TcpStream::connect(address(&base)).await;
    assert!(refused.is_err(), "no server listens");

    let mut server = Running::start(data.path(), &["serve"]);
    let base = server.line_after("listening on ").await;
    let anonymous = Caller::nobody(base.clone());
    let mut signs = [
        Feed::open(address(&base), "main", None).await,
        Feed::open_binary(address(&base), "main", None, None).await,
    ];
    for sign in &mut signs {
        let first = sign.next().await.expect("a snapshot");
        assert_eq!(first["type"], "snapshot");
        assert_eq!(amounts(&first), before);
        assert_eq!(first["hits"][0]["state"], "pending", "{first}");
    }
    let dealer = Dealer::new(dealer.caller.at(base), "T1");
    for page in ["/v1/links/main", "/v1/links/main/meters"] {
        assert_eq!(anonymous.get(page).await.is(200).levels(), before, "{page}");
    }
    assert_eq!(dealer.resume().await.levels(), before);
    drop(dealer.cancel(2).await.created());
    for sign in &mut signs {
        sign.until("play continues", |messages| {
            let given_back = ["10000.27", "1000.21", "250.09"];
            messages
                .iter()
                .any(|message| message["type"] == "meters" && amounts(message) == given_back)
        })
        .await;
    }
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    drop(run_on(data.path(), &["verify"]).await.with_code(0));
}

/// Returns the address where a server listens.
fn address(base: &str) -> SocketAddr {
    let address = base.strip_prefix("http://");
    let address = address.expect("an address without TLS");
    address.parse().expect("an address")
}

/// The server raises its limit of open files to the maximum. Thousands of displays need more than the usual 1,024.
#[tokio::test]
async fn the_limit_of_open_files_is_raised() {
    let data = folder();
    let mut limited = command("sh");
    let script = "ulimit -Sn 256; exec \"$0\" serve --listen 127.0.0.1:0 --grpc-listen 127.0.0.1:0 --data-dir \"$1\"";
    limited.args(["-c", script, PROGRAM]).arg(data.path());
    let mut server = Running::spawn(limited);
    drop(server.line_after("listening on ").await);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.pid())).expect("limits");
    let files = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let files: Vec<&str> = files.expect("a line").split_whitespace().collect();
    assert_eq!(files[3], files[4], "{files:?}");
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}
