//! A connection that is lost during a commit: the statement counts at most once.

use std::time::Duration;

use meterhouse_store::{Commit, Head, Journal as _};
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::time::timeout;

use crate::common::{CommitOne as _, World, after, coin_ins, following, open, store};
use crate::proxy::Proxy;

const SOON: Duration = Duration::from_millis(300);

/// The statement arrives only after the head was confirmed, and is kept out for good.
#[tokio::test]
async fn a_statement_that_arrives_after_the_epoch_was_raised_writes_nothing() {
    let world = World::new().await;
    let proxy = Proxy::new(&world.admin, Duration::ZERO);
    let store = store(&proxy.through(&world.app)).await;
    let (link, start) = open(&store, "main").await;
    let mut journal = store.journal(link);
    // Prepared on the connection, so that the next one is a single message.
    let ready = following(link, &start, coin_ins(1, 1, 1));
    assert!(matches!(
        journal.commit_one(&ready).await,
        Commit::Committed
    ));
    let head = after(&ready);

    proxy.hold();
    let lost = following(link, &head, coin_ins(1, 2, 1));
    let sent = tokio::join!(journal.commit_one(&lost), async {
        proxy.holds(1).await;
        proxy.cut();
    });
    assert!(matches!(sent.0, Commit::Unknown(_)), "{:?}", sent.0);
    let confirmed = journal.confirm_head().await.unwrap();
    assert_eq!(
        confirmed,
        Head {
            epoch: head.epoch + 1,
            ..head
        }
    );
    // The backend of the lost connection, idle since the statement before.
    let committing = "FROM pg_stat_activity WHERE datname = current_database()
                      AND query LIKE '/* journal.commit_routine%'";
    let micros = "(extract(epoch FROM query_start) * 1000000)::bigint";
    let before = format!("SELECT max({micros}) {committing}");
    let before = world.number(&before).await;
    proxy.release();
    // The late statement has run once its backend is idle again after another start. The head did
    // not move.
    let ran = format!("SELECT count(*) {committing} AND state = 'idle' AND {micros} > {before}");
    until(&world, &ran, 1).await;
    assert_eq!(journal.read_head().await.unwrap(), confirmed);

    let again = following(link, &confirmed, coin_ins(1, 2, 1));
    assert!(matches!(
        journal.commit_one(&again).await,
        Commit::Committed
    ));
    let twice = "SELECT count(*) FROM event WHERE table_no = 1 AND sequence = 2";
    assert_eq!(world.number(twice).await, 1);
}

/// The statement still runs: confirming the head waits for it and finds it committed.
#[tokio::test]
async fn confirming_the_head_waits_for_a_running_statement() {
    let world = World::new().await;
    let proxy = Proxy::new(&world.admin, Duration::ZERO);
    let store = store(&proxy.through(&world.app)).await;
    let (link, head) = open(&store, "main").await;
    let mut journal = store.journal(link);

    let mut blocker = PgConnection::connect_with(&world.admin).await.unwrap();
    let lock = "BEGIN; SELECT FROM link_head FOR UPDATE";
    sqlx::raw_sql(lock).execute(&mut blocker).await.unwrap();
    let lost = following(link, &head, coin_ins(1, 1, 1));
    let sent = tokio::join!(journal.commit_one(&lost), async {
        let waits = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                     AND wait_event_type = 'Lock'";
        until(&world, waits, 1).await;
        proxy.cut();
    });
    assert!(matches!(sent.0, Commit::Unknown(_)), "{:?}", sent.0);
    {
        let mut confirming = std::pin::pin!(journal.confirm_head());
        assert!(
            timeout(SOON, &mut confirming).await.is_err(),
            "did not wait"
        );
        sqlx::raw_sql("COMMIT").execute(&mut blocker).await.unwrap();
        let confirmed = confirming.await.unwrap();
        assert_eq!(
            confirmed,
            Head {
                epoch: head.epoch + 1,
                ..after(&lost)
            }
        );
    }
    assert_eq!(
        world
            .number("SELECT count(*) FROM event WHERE kind = 1")
            .await,
        1
    );
}

/// A killed backend is an unknown outcome, too. A server that takes no writes is recognised.
#[tokio::test]
async fn a_killed_backend_is_unknown_and_a_read_only_server_is_recognised() {
    let world = World::new().await;
    let (link, head) = open(&world.store().await, "main").await;
    let mut journal = world.store().await.journal(link);
    let mut blocker = PgConnection::connect_with(&world.admin).await.unwrap();
    let lock = "BEGIN; SELECT FROM link_head FOR UPDATE";
    sqlx::raw_sql(lock).execute(&mut blocker).await.unwrap();
    let new = following(link, &head, coin_ins(1, 1, 1));
    let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let sent = tokio::join!(journal.commit_one(&new), until(&world, kill, 1));
    assert!(matches!(sent.0, Commit::Unknown(_)), "{:?}", sent.0);
    sqlx::raw_sql("COMMIT").execute(&mut blocker).await.unwrap();
    let confirmed = journal.confirm_head().await.unwrap();
    assert_eq!(confirmed.batch, head.batch);

    let read_only = world
        .app
        .clone()
        .options([("default_transaction_read_only", "on")]);
    let read_only = store(&read_only).await;
    let new = following(link, &confirmed, coin_ins(1, 1, 1));
    assert!(matches!(
        read_only.journal(link).commit_one(&new).await,
        Commit::ReadOnly
    ));
    assert!(matches!(journal.commit_one(&new).await, Commit::Committed));
}

/// A connection whose server may lose acknowledged commits is refused before anything is sent.
#[tokio::test]
async fn unsafe_servers_are_refused() {
    let world = World::new().await;
    let (link, head) = open(&world.store().await, "main").await;
    let careless = world.app.clone().options([("synchronous_commit", "off")]);
    let careless = store(&careless).await;
    let new = following(link, &head, coin_ins(1, 1, 1));
    let commit = careless.journal(link).commit_one(&new).await;
    let Commit::RolledBack(refused) = commit else {
        panic!("{commit:?}")
    };
    assert!(
        refused
            .source
            .to_string()
            .contains("synchronous_commit = off")
    );
}

/// Waits until the query returns this number.
pub(crate) async fn until(world: &World, sql: &str, number: i64) {
    for _ in 0..500 {
        if world.number(sql).await == number {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("not in time: {sql}");
}
