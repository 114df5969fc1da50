//! Futures that somebody drops: sqlx leaves a transaction open when `begin()` is dropped in flight (issue 4385), and
//! whatever the pool's next caller is told is stored then goes away with it. Our store has a guard, and nobody who
//! may be dropped begins a transaction.
//!
//! # Shape
//! Behind a slow network ([`LATENCY`] each way) something is dropped after every cut time, or as soon as `BEGIN` is
//! on its way. What is acknowledged afterwards has to be stored.
//!
//! # Known sources of nondeterminism
//! On a busy machine a cut time hits another moment. `BEGIN` on its way is a moment that the proxy names.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::{LinkId, Sequence, TableName, Timestamp};
use meterhouse_engine::Engine;
use meterhouse_journal::batch::ChainHash;
use meterhouse_store::{Journal as _, NewActor, NewToken, Store, StoreOptions, StoredSnapshot};
use meterhouse_tests::{Database, eventually, in_time};
use rand::RngExt as _;
use sqlx::postgres::{PgConnection, PgPoolOptions};
use sqlx::{Connection as _, Row as _};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::chance::{Seed, times};
use crate::felts::{assert_meters, controller, engine, open, person, terms};
use crate::ledger::Ledger;
use crate::proxy::Proxy;
use crate::rush::{HEARD_WITHIN, all_done, may_be_sent_again};
use crate::script::{command, wagers};

/// Of the network, each way.
const LATENCY: Duration = Duration::from_millis(4);
/// Milliseconds after which something is dropped.
const CUTS: [u64; 14] = [1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 25, 30, 40];
const TABLES: usize = 3;
const COMMANDS: u64 = 40;

/// Drops a future after a time, or once `BEGIN` is on its way.
async fn cut(proxy: &Proxy, after: Option<Duration>, work: impl Future) {
    let mut begun = proxy.begun();
    begun.mark_unchanged();
    if let Some(after) = after {
        drop(timeout(after, work).await);
        return;
    }
    tokio::select! {
        _ = work => panic!("nothing was begun"),
        _ = begun.changed() => {}
    }
}

/// Every cut time, and `BEGIN` on its way a few times.
fn cuts() -> impl Iterator<Item = Option<Duration>> {
    let timed = CUTS.into_iter().map(|it| Some(Duration::from_millis(it)));
    timed.chain([None; 4])
}

/// The hole is there: on a pool without the guard an acknowledged insert is not stored. When this fails, sqlx has
/// closed it: then the guard in `store` can go, once its own tests say the same.
#[tokio::test]
async fn without_the_guard_an_acknowledged_insert_is_lost() {
    let database = Database::new().await;
    let mut direct = PgConnection::connect_with(&database.superuser)
        .await
        .expect("it is there");
    let make = "CREATE TABLE acknowledged (number integer)";
    sqlx::raw_sql(make)
        .execute(&mut direct)
        .await
        .expect("a superuser may");
    let proxy = Proxy::new(&database.superuser, LATENCY);
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .connect_with(proxy.through());
    let pool = pool.await.expect("it can be reached");
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the hole that the rule is for"
    )]
    cut(&proxy, None, pool.begin()).await;
    let insert = "INSERT INTO acknowledged VALUES (1)";
    let done = sqlx::query(insert).execute(&pool).await;
    assert_eq!(done.expect("it is acknowledged").rows_affected(), 1);
    pool.close().await;
    let count = "SELECT count(*) FROM acknowledged";
    let stored: i64 = sqlx::query_scalar(count)
        .fetch_one(&mut direct)
        .await
        .expect("it is there");
    assert_eq!(
        stored, 0,
        "sqlx has closed the hole: the guard in store::store can go"
    );
}

/// With the guard, after a transaction that was dropped at any moment, what the pool acknowledges is stored.
#[tokio::test]
async fn with_the_guard_an_acknowledged_insert_is_stored() {
    let database = Database::new().await;
    let opener = engine(&database.store().await, "opener").await;
    open(&opener, "guarded", 0).await;
    opener.stop().await;
    let mut direct = PgConnection::connect_with(&database.superuser)
        .await
        .expect("it is there");
    let proxy = Proxy::new(&database.application, LATENCY);
    let store = store(&proxy, 1).await;
    let mut journal = store.journal(LinkId(1));
    for (number, after) in (1..).zip(cuts()) {
        let (who, token) = actor(number);
        cut(&proxy, after, store.create_actor_and_token(&who, &token)).await;
        let snapshot = StoredSnapshot {
            batch: number,
            format: 1,
            chain_hash: ChainHash::GENESIS,
            state: vec![0],
        };
        journal
            .save_snapshot(&snapshot)
            .await
            .expect("it is acknowledged");
        let find = "SELECT count(*) FROM snapshot WHERE batch = $1";
        let found = sqlx::query(find)
            .bind(number.cast_signed())
            .fetch_one(&mut direct)
            .await;
        let found: i64 = found.expect("it is there").get(0);
        assert_eq!(
            found, 1,
            "acknowledged after a cut at {after:?}, and not stored"
        );
    }
    store.close().await;
}

async fn store(proxy: &Proxy, pool_connections: u32) -> Store {
    let connect = proxy.through();
    let options = StoreOptions {
        connect,
        pool_connections,
        commit_connections: 2,
    };
    Store::connect(options).await.expect("it can be reached")
}

fn actor(number: u64) -> (NewActor, NewToken) {
    let who = NewActor {
        name: format!("actor-{number}"),
        role: "auditor".to_owned(),
        table_name: None,
        link_name: None,
        department: None,
    };
    let byte = u8::try_from(number).expect("few");
    (
        who,
        NewToken {
            hash: [byte; 32],
            created_at: Timestamp(1),
            expires_at: None,
        },
    )
}

/// Sends a table's commands; each is dropped some times before it is waited for.
async fn impatient(seed: Seed, engine: Engine, table: TableName, count: u64, ledger: Arc<Ledger>) {
    let mut rng = seed.rng((table.as_str(), "impatient"));
    for sequence in 1..=count {
        loop {
            let command = command(seed, table.as_str(), sequence);
            let sent = engine.table_command(&table, controller(), Sequence(sequence), command);
            if rng.random_ratio(3, 5) {
                let patience = Duration::from_micros(rng.random_range(0..30_000));
                // Whatever it was, it is sent again.
                drop(timeout(patience, sent).await);
                continue;
            }
            match timeout(HEARD_WITHIN, sent)
                .await
                .expect("something is heard in time")
            {
                Ok(answer) => break ledger.note_answer(&table, sequence, &answer),
                Err(denied) => assert!(may_be_sent_again(&denied), "{table}.{sequence}: {denied}"),
            }
        }
    }
}

/// People who hang up as well: links, tables and tokens are made or not, never half.
async fn hang_up(seed: Seed, proxy: &Proxy, engine: &Engine, store: &Store) {
    let mut rng = seed.rng("hang up");
    for number in 1..=times(20) {
        let after = Some(Duration::from_micros(rng.random_range(0..60_000)));
        match rng.random_range(0..3) {
            0 => {
                let terms = terms(&format!("dropped-{number}"));
                cut(proxy, after, engine.open_link(&person(1, "ana"), terms)).await;
            }
            1 => {
                let link = "dropped".parse().expect("a name");
                let join = crate::felts::join(&format!("late-{number}"));
                cut(
                    proxy,
                    after,
                    engine.join_table(&person(1, "ana"), &link, join),
                )
                .await;
            }
            _ => {
                let (who, token) = actor(number);
                cut(proxy, after, store.create_actor_and_token(&who, &token)).await;
            }
        }
    }
}

/// Callers hang up at any moment: what they sent counts once or not at all, and no transaction stays open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropped_requests_lose_nothing_and_leave_nothing_open() {
    let seed = Seed::announce("dropped");
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, LATENCY);
    let store = store(&proxy, 3).await;
    let engine = engine(&store, "node").await;
    let tables = open(&engine, "dropped", TABLES).await;
    let ledger = Arc::new(Ledger::default());
    let count = times(COMMANDS);
    let mut playing = JoinSet::new();
    for table in &tables {
        let (engine, ledger) = (engine.clone(), Arc::clone(&ledger));
        playing.spawn(impatient(seed, engine, table.clone(), count, ledger));
    }
    hang_up(seed, &proxy, &engine, &store).await;
    all_done(playing).await;
    let expected = tables
        .iter()
        .map(|it| wagers(seed, it.as_str(), count))
        .sum();
    assert_meters(
        &engine.table(&tables[0]).await.expect("it is there").state,
        expected,
    );
    let open = "SELECT query FROM pg_stat_activity
                WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    eventually("no transaction is open", async || {
        database.rows(open).await.is_empty().then_some(())
    })
    .await;
    in_time("the engine stops", engine.stop()).await;
    ledger.assert_kept(&database.application, &store).await;
}
