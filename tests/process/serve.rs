//! `meterhouse serve` and `meterhouse token`: from the first start to a stop in order.

use std::net::SocketAddr;

use meterhouse_tests::client::{amounts, felt};
use meterhouse_tests::{Caller, Dealer, FIVE_CARD_C, Feed, eventually};
use nix::sys::signal::Signal;
use serde_json::json;
use tempfile::TempDir;
use tokio::net::TcpStream;

use crate::program::{Ended, PROGRAM, Running, command, folder, run_on};

/// Runs `meterhouse token` beside the server.
pub(crate) async fn token(data: &TempDir, arguments: &[&str]) -> Ended {
    run_on(data.path(), &[&["token"], arguments].concat()).await
}

/// A manager and a table's controller with new keys.
pub(crate) async fn people(data: &TempDir, nobody: &Caller) -> (Caller, Dealer) {
    let ana = ["create", "--role", "manager", "--name", "ana"];
    let ana = nobody.with_token(token(data, &ana).await.with(0).stdout.trim());
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
    let early = token(data, &controller).await.with(2);
    drop(early.saying("there is no table T1"));
    drop(
        ana.put("/v1/tables/T1", &felt("main", FIVE_CARD_C))
            .await
            .created(),
    );
    let key = token(data, &controller).await.with(0);
    (ana, Dealer::new(nobody.with_token(key.stdout.trim()), "T1"))
}

/// A server is started, keys are made beside it, used, listed and revoked; it stops when it is told.
#[tokio::test]
async fn from_start_to_stop() {
    let data = folder();
    let mut server = Running::start(data.path(), &["serve"]);
    let nobody = Caller::nobody(server.says("listening on ").await);
    assert_eq!(nobody.get("/readyz").await.is(200)["ready"], true);
    let (ana, dealer) = people(&data, &nobody).await;
    drop(dealer.coin_in(&[1, 3, 5]).await.created());

    let listed = token(&data, &["list"]).await.with(0).stdout;
    let words = listed.lines().map(|line| line.split_whitespace().collect());
    let words: Vec<Vec<&str>> = words.collect();
    assert_eq!(words[0], ["T1", "controller", "T1", "good"]);
    assert_eq!(words[1..], [["ana", "manager", "good"]]);
    drop(token(&data, &["revoke", "ana"]).await.with(0));
    eventually("the revoked token is worthless", async || {
        let answer = ana.get("/v1/tables").await;
        (answer.status == 401).then_some(())
    })
    .await;
    let listed = token(&data, &["list"]).await.with(0).stdout;
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
    drop(token(&data, &words).await.with(0));
    let listed = token(&data, &["list"]).await.with(0).stdout;
    let aud = listed.lines().find(|line| line.starts_with("aud "));
    let aud = aud.expect("it is listed");
    assert!(aud.contains("expires 20"), "no moment: {aud}");

    let (code, _) = server.stop(Signal::SIGTERM).await;
    assert_eq!(code, Some(0));
    let verified = run_on(data.path(), &["verify"]).await.with(0);
    let agrees = "everything agrees, difference 0.00";
    assert!(verified.stdout.contains(agrees), "{}", verified.stdout);
}

/// What can't be a token is said in a sentence, without a server as well.
#[tokio::test]
async fn no_tokens() {
    let data = folder();
    drop(run_on(data.path(), &["migrate"]).await.with(0));
    let none = token(&data, &["list"]).await.with(0);
    assert!(
        none.stdout.contains("nobody has a token yet"),
        "{}",
        none.stdout
    );
    drop(
        token(&data, &["create", "--role", "manager", "--name", "ana"])
            .await
            .with(0),
    );
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
        ("revoke nobody", "nobody has no token"),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        drop(token(&data, &words).await.with(2).saying(sentence));
    }
}

/// A second server on the same folder is refused, on whatever port, and another one on the same port; the first goes on.
#[tokio::test]
async fn a_second_server() {
    let data = folder();
    let mut first = Running::start(data.path(), &["serve"]);
    let base = first.says("listening on ").await;
    let address = base.strip_prefix("http://").expect("an address").to_owned();
    // The folder is the reason, not the port: another port would not help.
    let same = ["serve", "--listen", &address];
    let second = run_on(data.path(), &same).await.with(5);
    drop(second.saying("another meterhouse process uses"));
    let other = data.path().join("other");
    let taken = run_on(&other, &same).await.with(5);
    drop(taken.saying("another process listens on"));
    assert!(!other.exists());

    let free = ["--listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0"];
    let second = [&["serve"], &free[..]].concat();
    let second = run_on(data.path(), &second).await.with(5);
    drop(second.saying("another meterhouse process uses"));
    drop(Caller::nobody(base).get("/readyz").await.is(200));
    assert_eq!(first.stop(Signal::SIGTERM).await.0, Some(0));
}

/// A server that is killed leaves nothing that keeps the next one from starting.
#[tokio::test]
async fn killed_and_started_again() {
    let data = folder();
    for _ in 0..2 {
        let mut server = Running::start(data.path(), &["serve"]);
        let base = server.says("listening on ").await;
        drop(Caller::nobody(base).get("/readyz").await.is(200));
        assert_eq!(server.stop(Signal::SIGKILL).await.0, None);
    }
    drop(run_on(data.path(), &["verify"]).await.with(6));
}

/// CONFORMANCE 47: while the server is away nothing can be played and every sign hears so; back, every sign, page and table
/// shows the amounts of before, a won one among them, before play goes on.
#[tokio::test]
async fn signs_show_the_same_after_an_outage() {
    let data = folder();
    let mut server = Running::start(data.path(), &["serve"]);
    let base = server.says("listening on ").await;
    let (_, dealer) = people(&data, &Caller::nobody(base.clone())).await;
    let mut sign = Feed::open(address(&base), "main", None).await;
    drop(dealer.coin_in(&[1, 3, 5]).await.created());
    let royal = dealer.hit_unseen(3, "royal-flush").await.created();
    assert_eq!(royal.text("due"), "10000.27");
    let before = ["10000.00", "1000.21", "250.09"];
    sign.until("the sign shows the amounts", |heard| {
        heard
            .iter()
            .any(|message| message["type"] == "meters" && amounts(message) == before)
    })
    .await;

    assert_eq!(server.stop(Signal::SIGKILL).await.0, None);
    while sign.next().await.is_some() {}
    let away = TcpStream::connect(address(&base)).await;
    assert!(away.is_err(), "a coin-in reaches nobody");

    let mut server = Running::start(data.path(), &["serve"]);
    let base = server.says("listening on ").await;
    let nobody = Caller::nobody(base.clone());
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
        assert_eq!(nobody.get(page).await.is(200).levels(), before, "{page}");
    }
    assert_eq!(dealer.resume().await.levels(), before);
    drop(dealer.cancel(2).await.created());
    for sign in &mut signs {
        sign.until("play goes on", |heard| {
            let given_back = ["10000.27", "1000.21", "250.09"];
            heard
                .iter()
                .any(|message| message["type"] == "meters" && amounts(message) == given_back)
        })
        .await;
    }
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    drop(run_on(data.path(), &["verify"]).await.with(0));
}

/// Returns the address where a server listens.
fn address(base: &str) -> SocketAddr {
    let address = base.strip_prefix("http://");
    let address = address.expect("an address without TLS");
    address.parse().expect("an address")
}

/// Many systems give a process 1,024 open files unless it asks: thousands of displays are as many.
#[tokio::test]
async fn as_many_open_files_as_it_may_have() {
    let data = folder();
    let mut limited = command("sh");
    let script = "ulimit -Sn 256; exec \"$0\" serve --listen 127.0.0.1:0 --grpc-listen 127.0.0.1:0 --data-dir \"$1\"";
    limited.args(["-c", script, PROGRAM]).arg(data.path());
    let mut server = Running::spawn(limited);
    drop(server.says("listening on ").await);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.pid())).expect("them");
    let files = limits.lines().find(|it| it.starts_with("Max open files"));
    let files: Vec<&str> = files.expect("a line").split_whitespace().collect();
    assert_eq!(files[3], files[4], "{files:?}");
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}
