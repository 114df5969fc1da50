//! Tables play while a month is archived, and afterwards: nothing is lost, and what is archived answers 410.

use meterhouse_proto::table as proto;
use meterhouse_proto::table::command::Command as Sent;
use meterhouse_tests::client::coin_in;
use meterhouse_tests::{Caller, Stream, TestServer, reason};
use serde_json::json;
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::Error;
use tonic::Code;

use super::{Played, flip};

/// A bit of the file that belongs to a batch.
const INSIDE: usize = 3_000;

/// Play goes on while the month is detached, each command has its outcome, and `verify` replays file and database as
/// one journal.
#[tokio::test]
async fn tables_play_while_a_month_is_archived() {
    let played = Played::begin().await;
    let list = played.archive(&["list"]).await.with_code(0);
    let may = format!("{}  live", played.month);
    assert!(list.stdout.contains(&may), "{}", list.stdout);
    assert!(list.stdout.contains("  may be archived"), "{}", list.stdout);
    assert!(
        list.stdout.contains("events may still be written into"),
        "{}",
        list.stdout
    );

    let written = played.write().await.with_code(0);
    assert!(written.stdout.contains("2 links, "), "{}", written.stdout);
    let agrees = played.verify(&[]).await.with_code(0);
    assert!(
        agrees.stdout.contains("difference 0.00"),
        "{}",
        agrees.stdout
    );

    let (stop, mut stopped) = oneshot::channel();
    let dealer = &played.dealers[1];
    let play = async {
        let mut rounds = 0;
        while stopped.try_recv().is_err() {
            // Each of the two commands was accepted, or this panics.
            dealer.rounds(1, &[4]).await;
            rounds += 1;
        }
        rounds
    };
    let archive = async {
        let detached = played.detach().await;
        stop.send(()).expect("play goes on");
        detached
    };
    let (rounds, detached) = tokio::join!(play, archive);
    drop(detached.with_code(0));
    assert!(rounds > 0);
    let next = dealer.resume().await["next_sequence"].as_u64();
    assert_eq!(next, Some(7 + 2 * rounds));

    let unread = played.verify(&[]).await.with_code(7);
    let month = played.month;
    let sentence = format!("links with events of the archived months {month} were not verified");
    drop(unread.with_error(&sentence));
    let agrees = played.verify_all().await.with_code(0);
    assert!(
        agrees
            .stdout
            .contains(&format!("from the files of {month}")),
        "{}",
        agrees.stdout
    );
    assert!(
        agrees.stdout.contains("everything agrees, difference 0.00"),
        "{}",
        agrees.stdout
    );

    drop(played.step("drop", "--from").await.with_code(0));
    drop(played.verify_all().await.with_code(0));
    // The month is not made again, and its table is gone.
    let made = played.house.server.store.make_periods(month.0, 1).await;
    assert_eq!(made.expect("the function"), 0);
    let left = format!(
        "SELECT 1 FROM pg_class WHERE relname LIKE '%event_{}'",
        month.0
    );
    assert!(played.house.database.rows(&left).await.is_empty());
    played.end().await;
}

/// A changed bit is a difference at its batch, a file that is short or gone is one sentence, and neither is dropped.
#[tokio::test]
async fn a_changed_file_is_found() {
    let played = Played::begin().await.archived().await;
    let file = played.file();
    flip(&file, INSIDE);
    let found = played.verify_all().await.with_code(1);
    assert!(found.stdout.contains("DIFFERS batch "), "{}", found.stdout);
    assert!(
        found.stdout.contains("were not replayed"),
        "{}",
        found.stdout
    );
    let refused = played.step("drop", "--from").await.with_code(3);
    drop(refused.with_error("is short or changed, link 1, batch "));
    flip(&file, INSIDE);
    drop(played.verify_all().await.with_code(0));

    let whole = std::fs::read(&file).expect("the file");
    std::fs::write(&file, &whole[..whole.len() - 1]).expect("a short file");
    let found = played.verify_all().await.with_code(1);
    assert!(
        found.stdout.contains("the file ends inside"),
        "{}",
        found.stdout
    );
    drop(played.step("drop", "--from").await.with_code(3));
    std::fs::remove_file(&file).expect("no file");
    drop(
        played
            .verify_all()
            .await
            .with_code(7)
            .with_error("has no files of these months"),
    );
    drop(played.step("drop", "--from").await.with_code(3));
    std::fs::write(&file, &whole).expect("the file");

    // A changed row of the archived month is found as well.
    let change = "UPDATE batch SET node = node || 'x' WHERE link_id = 1 AND batch = 20";
    assert_eq!(played.house.database.tamper(change).await, 1);
    let found = played.verify_all().await.with_code(1);
    assert!(
        found
            .stdout
            .contains("batch 20: its row differs from the file"),
        "{}",
        found.stdout
    );
    played.end().await;
}

/// Asks a server for what needs no archived event: balances stay in the database, and the link keeps the hit for
/// corrections.
async fn assert_still_read(manager: &Caller, at: &str) {
    let then = format!("/v1/links/main/meters?at={at}");
    let then = manager.get(&then).await.is(200);
    assert_eq!(
        (then["batch"].as_u64(), then.text("batch_at")),
        (Some(20), at)
    );
    drop(manager.get("/v1/links/main/liability").await.is(200));
    let last = manager.get("/v1/links/main/last-hits").await.is(200);
    assert_eq!(
        last["levels"][0]["hits"][0]["hit"], "T1.142",
        "{}",
        last.text
    );
    let wins = manager.get("/v1/links/main/large-wins").await.is(200);
    assert_eq!(wins["wins"][0]["hit"]["hit"], "T1.142", "{}", wins.text);
}

/// Asks a server for everything that needs archived events.
async fn assert_gone(played: &Played, server: &TestServer) {
    let manager = played.house.manager().await.caller.at(server.base());
    let journal = manager.get("/v1/links/main/journal?after=0").await;
    let journal = journal.problem(410, "position_archived");
    assert_eq!(journal["fields"]["month"], played.month.to_string());
    let through = journal["fields"]["through"]
        .as_str()
        .expect("a position")
        .to_owned();
    let at = played.time_of_batch(20).await;
    for path in [
        "/v1/links/main/journal?after=10.0".to_owned(),
        "/v1/links/main/reconciliation".to_owned(),
        "/v1/links/main/variance".to_owned(),
        "/v1/links/main/alterations".to_owned(),
        format!("/v1/links/main/journal?from={at}"),
        "/v1/hits/T1.142".to_owned(),
        "/v1/hits/T1.142/payoff".to_owned(),
    ] {
        drop(manager.get(&path).await.problem(410, "position_archived"));
    }
    assert_still_read(&manager, &at).await;
    let live = format!("/v1/links/main/journal?after={through}");
    let entries = manager.get(&live).await.is(200);
    assert_eq!(entries["entries"][0]["event"]["kind"], "link_suspended");

    let feed = |after: &str| {
        let base = server.base().replace("http://", "ws://");
        format!("{base}/v1/links/main/feed?after={after}")
    };
    match tokio_tungstenite::connect_async(feed("10.0")).await {
        Err(Error::Http(answer)) => assert_eq!(answer.status(), 410),
        other => panic!("no refusal: {other:?}"),
    }
    tokio_tungstenite::connect_async(feed(&through))
        .await
        .expect("the feed goes on");

    // T1's commands 1 and 2 were played in the archived month.
    let dealer = &played.dealers[0];
    let caller = dealer.caller.at(server.base());
    let before = played.house.meters("main").await;
    let again = caller.put(&dealer.path(1), &coin_in(&[1, 2])).await;
    let again = again.problem(410, "sequence_archived");
    assert_eq!(again["fields"]["month"], played.month.to_string());
    let other = caller
        .put(&dealer.path(1), &json!({"command": "close"}))
        .await;
    drop(other.problem(410, "sequence_archived"));
    let mut stream = Stream::open(server.grpc).await;
    let attached = stream.attach(dealer).await;
    let close = proto::Command {
        handle: attached.handle,
        sequence: 2,
        command: Some(Sent::Close(proto::Close {})),
        ..Default::default()
    };
    stream.commands(vec![close]).await;
    let (outcomes, status) = stream.ends().await;
    assert!(outcomes.is_empty());
    assert_eq!(status.code(), Code::OutOfRange);
    assert_eq!(reason(&status).reason, "sequence_archived");
    assert_eq!(played.house.meters("main").await, before);
}

/// Reads of archived events answer 410 on every node at once, and after a restart; play goes on.
#[tokio::test]
async fn what_is_archived_answers_410() {
    let played = Played::begin().await;
    let second = played.house.another_server().await;
    drop(played.dealers[0].coin_in(&[1]).await.created());
    drop(played.dealers[0].close().await.created());
    let mut played = played.archived().await;
    assert_gone(&played, &played.house.server).await;
    assert_gone(&played, &second).await;
    second.stop().await;

    let next = played.dealers[0].next();
    played.house = played.house.restart().await;
    assert_gone(&played, &played.house.server).await;
    let dealer = played.house.dealer("T1").await;
    assert_eq!(dealer.resume().await["next_sequence"], next);
    let link = played.house.nobody().get("/v1/links/main").await.is(200);
    assert_eq!(link["state"], "open");
    dealer.rounds(2, &[1, 2]).await;
    // A recent command is repeated as ever.
    let again = dealer.send_as(next, &coin_in(&[1, 2])).await.is(200);
    assert!(again.replayed());
    drop(played.verify_all().await.with_code(0));
    played.end().await;
}
