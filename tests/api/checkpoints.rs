//! A link that was just loaded takes coin-in once its books passed: the newest checkpoint, and the batches since.

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::checkpoint::Checkpoint;
use meterhouse_tests::client::coin_in;
use meterhouse_tests::{Dealer, FIVE_CARD_C, House, TestServer, Watch, eventually};
use serde_json::json;
use sqlx::Connection as _;
use sqlx::Row as _;
use sqlx::postgres::PgConnection;

/// Holds whoever reads or writes the checkpoints, until it is dropped.
async fn hold_checkpoints(house: &House) -> PgConnection {
    let mut connection = PgConnection::connect_with(&house.database.superuser)
        .await
        .expect("a connection");
    let lock = "BEGIN; LOCK TABLE checkpoint IN ACCESS EXCLUSIVE MODE";
    sqlx::raw_sql(lock)
        .execute(&mut connection)
        .await
        .expect("the lock");
    connection
}

/// A house that checks all the time, and a table that has played until a checkpoint was added.
async fn with_checkpoint() -> (House, Dealer) {
    let house = House::watching(Watch::Close).await;
    let dealers = house.link_with(FIVE_CARD_C, &json!({}), &["T1"]).await;
    let dealer = dealers.into_iter().next().expect("one table");
    dealer.rounds(10, &[1, 3]).await;
    eventually("a checkpoint is added", async || {
        let rows = house.database.rows("SELECT 1 FROM checkpoint").await;
        (!rows.is_empty()).then_some(())
    })
    .await;
    (house, dealer)
}

/// CONFORMANCE 44: while the books are compared coin-in is told to wait and uses no number up; everything else goes on.
#[tokio::test]
async fn coin_in_waits_for_the_books() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    drop(dealers[0].coin_in(&[1, 3]).await.created());
    let shown = house.meters("main").await;
    let house = house.restart().await;
    let held = hold_checkpoints(&house).await;
    let (open, free) = (house.dealer("T1").await, house.dealer("T2").await);
    let told = free.coin_in(&[1]).await;
    assert_eq!(told.headers["retry-after"], "1");
    drop(told.problem(503, "books_not_checked"));
    let measured = || {
        let links = house.server.engine.measures().links;
        links.into_iter().next().expect("a loaded link")
    };
    assert_eq!((measured().books_passed, measured().books), (false, None));
    drop(
        open.send_as(2, &json!({"command": "fold", "seats": [1]}))
            .await
            .created(),
    );
    drop(
        open.send_as(3, &json!({"command": "close"}))
            .await
            .created(),
    );
    assert_eq!(house.meters("main").await, shown);
    drop(held.close().await);
    let locked = eventually("the books pass", async || {
        let told = free.send_as(1, &coin_in(&[1])).await;
        (told.status == 201).then_some(told)
    })
    .await;
    drop(locked.created());
    let books = measured().books.expect("a check");
    assert!(measured().books_passed && books.summed > 0, "{books:?}");
    assert_eq!(books.unsummed, 0, "a short link is summed whole");
    house.end().await;
}

/// CONFORMANCE 44 and 45: a batch that was changed behind the newest checkpoint is found before the first coin-in.
#[tokio::test]
async fn a_changed_batch_keeps_coin_in_out() {
    let (house, dealer) = with_checkpoint().await;
    house.server.stop().await;
    // Batches behind the newest checkpoint, and no new one.
    let server = TestServer::start(&house.database, Watch::Idle).await;
    let dealer = Dealer::new(dealer.caller.at(server.base()), "T1");
    drop(dealer.resume().await);
    dealer.rounds(1, &[1]).await;
    server.stop().await;
    let newest = house
        .database
        .rows("SELECT max(batch) FROM checkpoint")
        .await;
    let newest: i64 = newest[0].get(0);
    let change = format!(
        "UPDATE batch SET deltas[2] = COALESCE(deltas[2], 0) - 1, deltas[3] = COALESCE(deltas[3], 0) + 1 WHERE batch = {}",
        newest + 1
    );
    assert_eq!(house.database.tamper(&change).await, 1);
    let server = TestServer::start(&house.database, Watch::Idle).await;
    let dealer = Dealer::new(dealer.caller.at(server.base()), "T1");
    drop(dealer.resume().await);
    let told = dealer.coin_in(&[1]).await.problem(503, "link_faulted");
    let reason = told["fields"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("and what was added"), "{reason}");
    server.stop().await;
}

/// CONFORMANCE 44: who can only add rows adds a checkpoint with a fitting hash and a dollar too much: the link is
/// faulted, at the next start before the first coin-in.
#[tokio::test]
async fn a_forged_checkpoint_faults_the_link() {
    let (house, dealer) = with_checkpoint().await;
    house.server.stop().await;
    // A batch behind the newest checkpoint, and no new one.
    let server = TestServer::start(&house.database, Watch::Idle).await;
    let dealer = Dealer::new(dealer.caller.at(server.base()), "T1");
    drop(dealer.resume().await);
    dealer.rounds(1, &[1]).await;
    server.stop().await;
    let rows = house
        .database
        .rows("SELECT number, hash FROM checkpoint ORDER BY number DESC LIMIT 1")
        .await;
    let (number, previous): (i64, Vec<u8>) = (rows[0].get(0), rows[0].get(1));
    let rows = house
        .database
        .rows("SELECT link_id, batch, array_replace(after, NULL, 0), chain_hash FROM batch ORDER BY batch DESC LIMIT 1")
        .await;
    let mut sums: Vec<i64> = rows[0].get(2);
    (sums[1], sums[2]) = (sums[1] - 1_000_000, sums[2] + 1_000_000);
    let hash = |bytes: Vec<u8>| ChainHash(bytes.try_into().expect("a hash"));
    let forged = Checkpoint {
        link: LinkId(rows[0].get(0)),
        number: u64::try_from(number).expect("a number") + 1,
        batch: u64::try_from(rows[0].get::<i64, _>(1)).expect("a batch"),
        chain_hash: hash(rows[0].get(3)),
        sums,
    };
    let add = format!(
        "INSERT INTO checkpoint VALUES ({}, {}, {}, '\\x{}', ARRAY{:?}, '\\x{}')",
        forged.link,
        forged.number,
        forged.batch,
        forged.chain_hash,
        forged.sums,
        forged.hash(hash(previous)),
    );
    assert_eq!(
        house
            .database
            .run_as_application(&add)
            .await
            .expect("it may add"),
        1
    );
    let server = TestServer::start(&house.database, Watch::Idle).await;
    let dealer = Dealer::new(dealer.caller.at(server.base()), "T1");
    drop(dealer.resume().await);
    let told = dealer.coin_in(&[1]).await.problem(503, "link_faulted");
    let reason = told["fields"]["reason"].as_str().expect("a reason");
    assert!(
        reason.contains("its sums differ from the balances"),
        "{reason}"
    );
    let found = meterhouse_engine::verify::verify(&server.store, None, true).await;
    let findings = &found.expect("it reads")[0].findings;
    assert!(
        findings.iter().any(|what| what.contains("checkpoint: ")),
        "{findings:?}"
    );
    server.stop().await;
}

/// CONFORMANCE 43 and 44: the database loses all connections, as when it is restarted: a link that is loaded is not
/// checked again, and takes coin-in as soon as it can be written.
#[tokio::test]
async fn a_restarted_database_does_not_close_coin_in() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    drop(dealers[0].coin_in(&[1]).await.created());
    drop(dealers[0].close().await.created());
    let held = hold_checkpoints(&house).await;
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND usename = 'meterhouse_app'";
    let ended = house.database.run_as_superuser(end).await;
    assert!(ended.expect("a superuser may") > 0);
    let sent = coin_in(&[1]);
    eventually("coin-in is accepted", async || {
        let told = dealers[0].send_as(3, &sent).await;
        assert_ne!(told.code(), "books_not_checked");
        (told.status == 201 || told.status == 200).then_some(())
    })
    .await;
    drop(held.close().await);
    house.end().await;
}

/// CONFORMANCE 44: two servers add checkpoints of one link while both play; their chain has one of each number, and a
/// third server goes on from it.
#[tokio::test]
async fn two_servers_add_to_one_chain() {
    let (house, dealer) = with_checkpoint().await;
    let second = house.another_server().await;
    let there = house.table("T2", "main", FIVE_CARD_C).await;
    let there = Dealer::new(there.caller.at(second.base()), "T2");
    let ((), ()) = tokio::join!(dealer.rounds(20, &[1]), there.rounds(20, &[2]));
    eventually("three checkpoints are added", async || {
        let rows = house.database.rows("SELECT 1 FROM checkpoint").await;
        (rows.len() >= 3).then_some(())
    })
    .await;
    second.stop().await;
    let house = house.restart().await;
    drop(house.dealer("T2").await.resume().await);
    house.end().await;
}
