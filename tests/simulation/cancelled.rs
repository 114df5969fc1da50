//! Dropped futures. If `begin()` of sqlx is dropped in flight, the connection keeps an open transaction (issue 4385). The
//! next insert of the pool is then acknowledged and lost. The store has a guard against this, and no future that may be
//! dropped begins a transaction.
//!
//! # Shape
//! A network has a latency of [`LATENCY`] each way. A future is dropped after each of several delays, and as soon as
//! `BEGIN` is in flight. Everything that is acknowledged afterwards must be stored.
//!
//! # Nondeterminism
//! On a busy machine a delay ends at another moment. `BEGIN` in flight is an exact moment, which the proxy reports.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::{LinkId, Sequence, TableName, Timestamp};
use meterhouse_engine::Engine;
use meterhouse_journal::batch::ChainHash;
use meterhouse_store::{
    AccessChange, Journal as _, NewActor, NewToken, Only, Store, StoreError, StoreOptions,
    StoredSnapshot,
};
use meterhouse_tests::{Database, eventually, in_time};
use rand::RngExt as _;
use sqlx::postgres::{PgConnection, PgPoolOptions};
use sqlx::{Connection as _, Row as _};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::acknowledgements::Acknowledgements;
use crate::links::{assert_meters, controller, engine, open, person, terms};
use crate::pipelining::{REPLY_MAX, all_done, may_be_retried};
use crate::proxy::Proxy;
use crate::script::{command, wagers};
use crate::seed::{Seed, times};

/// Latency of the network, each way.
const LATENCY: Duration = Duration::from_millis(4);
/// Milliseconds after which a future is dropped.
const DELAYS: [u64; 14] = [1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 25, 30, 40];
const TABLES: usize = 3;
const COMMANDS: u64 = 40;

/// Drops a future after a delay, or as soon as `BEGIN` is in flight.
async fn drop_after(proxy: &Proxy, delay: Option<Duration>, work: impl Future) {
    let mut begun = proxy.begun();
    begun.mark_unchanged();
    if let Some(delay) = delay {
        drop(timeout(delay, work).await);
        return;
    }
    tokio::select! {
        _ = work => panic!("no transaction was begun"),
        _ = begun.changed() => {}
    }
}

/// Returns every delay, and `None` for `BEGIN` in flight a few times.
fn delays() -> impl Iterator<Item = Option<Duration>> {
    let delays = DELAYS.into_iter();
    let delays = delays.map(|millis| Some(Duration::from_millis(millis)));
    delays.chain([None; 4])
}

/// Shows the defect of sqlx: on a pool without the guard an acknowledged insert is not stored. If this test fails, sqlx has
/// fixed the defect. Then the guard in `store` can be removed, after its own tests confirm the same.
#[tokio::test]
async fn without_the_guard_an_acknowledged_insert_is_lost() {
    let database = Database::new().await;
    let mut direct = PgConnection::connect_with(&database.superuser)
        .await
        .expect("a result");
    let make = "CREATE TABLE acknowledged (number integer)";
    sqlx::raw_sql(make)
        .execute(&mut direct)
        .await
        .expect("a superuser's statement");
    let proxy = Proxy::new(&database.superuser, LATENCY);
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .connect_with(proxy.through());
    let pool = pool.await.expect("a pool");
    #[expect(
        clippy::disallowed_methods,
        reason = "the test shows the defect that the lint prevents"
    )]
    drop_after(&proxy, None, pool.begin()).await;
    let insert = "INSERT INTO acknowledged VALUES (1)";
    let done = sqlx::query(insert).execute(&pool).await;
    assert_eq!(done.expect("an acknowledgement").rows_affected(), 1);
    pool.close().await;
    let count = "SELECT count(*) FROM acknowledged";
    let stored: i64 = sqlx::query_scalar(count)
        .fetch_one(&mut direct)
        .await
        .expect("a result");
    assert_eq!(
        stored, 0,
        "sqlx has fixed the defect: the guard in store::store can be removed"
    );
}

/// With the guard, every acknowledged insert is stored, after a transaction that was dropped at any moment.
#[tokio::test]
async fn with_the_guard_an_acknowledged_insert_is_stored() {
    let database = Database::new().await;
    let opener = engine(&database.store().await, "opener").await;
    open(&opener, "guarded", 0).await;
    opener.stop().await;
    let mut direct = PgConnection::connect_with(&database.superuser)
        .await
        .expect("a result");
    let proxy = Proxy::new(&database.application, LATENCY);
    let store = store(&proxy, 1).await;
    let mut journal = store.journal(LinkId(1));
    for (number, delay) in (1..).zip(delays()) {
        let (who, token) = actor(number);
        drop_after(&proxy, delay, create_token(&store, who, token)).await;
        let snapshot = StoredSnapshot {
            batch: number,
            format: 1,
            chain_hash: ChainHash::GENESIS,
            state: vec![0],
        };
        journal
            .save_snapshot(&snapshot)
            .await
            .expect("an acknowledgement");
        let find = "SELECT count(*) FROM snapshot WHERE batch = $1";
        let found = sqlx::query(find)
            .bind(number.cast_signed())
            .fetch_one(&mut direct)
            .await;
        let found: i64 = found.expect("a result").get(0);
        assert_eq!(
            found, 1,
            "acknowledged after a drop at {delay:?}, and not stored"
        );
    }
    store.close().await;
}

async fn store(proxy: &Proxy, pool_connections: u32) -> Store {
    let connect = proxy.through();
    let options = StoreOptions {
        servers: connect.into(),
        pool_connections,
        commit_connections: 2,
    };
    Store::connect(options).await.expect("a store")
}

/// Admits an actor with a token, in one transaction.
async fn create_token(store: &Store, who: NewActor, token: NewToken) -> Result<(), StoreError> {
    let at = token.created_at;
    let change = AccessChange::Token { who, token };
    let nobody_vouches = |_: &_, _: &_| Ok(None);
    let changed = store.change_access(at, Only::Always, &change, None, &nobody_vouches);
    changed.await.map(drop)
}

fn actor(number: u64) -> (NewActor, NewToken) {
    let who = NewActor {
        name: format!("actor-{number}"),
        role: "auditor".to_owned(),
        table_name: None,
        link_name: None,
        department: None,
        rights: None,
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

/// Sends a table's commands. Each is dropped a random number of times before its reply is awaited.
async fn send_with_drops(
    seed: Seed,
    engine: Engine,
    table: TableName,
    count: u64,
    acknowledgements: Arc<Acknowledgements>,
) {
    let mut rng = seed.rng((table.as_str(), "drops"));
    for sequence in 1..=count {
        loop {
            let command = command(seed, table.as_str(), sequence);
            let sent = engine.table_command(&table, controller(), Sequence(sequence), command);
            if rng.random_ratio(3, 5) {
                let delay = Duration::from_micros(rng.random_range(0..30_000));
                // Retried, with or without a reply.
                drop(timeout(delay, sent).await);
                continue;
            }
            match timeout(REPLY_MAX, sent).await.expect("a reply in time") {
                Ok(answer) => break acknowledgements.record_answer(&table, sequence, &answer),
                Err(denied) => assert!(may_be_retried(&denied), "{table}.{sequence}: {denied}"),
            }
        }
    }
}

/// Drops requests of staff at random: a link, a table or a token is created completely or not at all.
async fn drop_staff_requests(seed: Seed, proxy: &Proxy, engine: &Engine, store: &Store) {
    let mut rng = seed.rng("staff");
    for number in 1..=times(20) {
        let delay = Some(Duration::from_micros(rng.random_range(0..60_000)));
        match rng.random_range(0..3) {
            0 => {
                let terms = terms(&format!("dropped-{number}"));
                drop_after(proxy, delay, engine.open_link(&person(1, "ana"), terms)).await;
            }
            1 => {
                let link = "dropped".parse().expect("a name");
                let join = crate::links::join(&format!("late-{number}"));
                drop_after(
                    proxy,
                    delay,
                    engine.join_table(&person(1, "ana"), &link, join),
                )
                .await;
            }
            _ => {
                let (who, token) = actor(number);
                drop_after(proxy, delay, create_token(store, who, token)).await;
            }
        }
    }
}

/// Requests are dropped at any moment. Each is committed once or not at all, and no transaction stays open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropped_requests_lose_no_command_and_leave_no_transaction_open() {
    let seed = Seed::announce("dropped");
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, LATENCY);
    let store = store(&proxy, 3).await;
    let engine = engine(&store, "node").await;
    let tables = open(&engine, "dropped", TABLES).await;
    let acknowledgements = Arc::new(Acknowledgements::default());
    let count = times(COMMANDS);
    let mut playing = JoinSet::new();
    for table in &tables {
        let (engine, acknowledgements) = (engine.clone(), Arc::clone(&acknowledgements));
        playing.spawn(send_with_drops(
            seed,
            engine,
            table.clone(),
            count,
            acknowledgements,
        ));
    }
    drop_staff_requests(seed, &proxy, &engine, &store).await;
    all_done(playing).await;
    let expected = tables
        .iter()
        .map(|table| wagers(seed, table.as_str(), count))
        .sum();
    assert_meters(
        &engine.table(&tables[0]).await.expect("a result").state,
        expected,
    );
    let open = "SELECT query FROM pg_stat_activity
                WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    eventually("no transaction is open", async || {
        database.rows(open).await.is_empty().then_some(())
    })
    .await;
    in_time("the engine stops", engine.stop()).await;
    acknowledgements
        .assert_stored(&database.application, &store)
        .await;
}
