//! A network that goes silent, which no connection notices by itself. A query over the pool is
//! given up in time, and its connection is not reused.

use std::time::Duration;

use meterhouse_domain::ids::ActorId;
use meterhouse_store::{Store, StoreError, StoreOptions};
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::time::timeout;

use crate::common::World;
use crate::proxy::Proxy;
use crate::unknown::until;

/// Actors whose names are queried.
const ASKED: [ActorId; 1] = [ActorId(1)];
/// Time after which a caller hangs up.
const PATIENCE: Duration = Duration::from_secs(1);
/// The connection of a caller that hung up is given up after 10 s of silence.
const FREE_WITHIN: Duration = Duration::from_secs(30);

/// Creates a pool of one connection behind a proxy, and a lock that blocks queries for names.
async fn one_connection() -> (World, Proxy, Store, PgConnection) {
    let world = World::new().await;
    let proxy = Proxy::new(&world.admin, Duration::ZERO);
    let options = StoreOptions {
        servers: proxy.through(&world.app).into(),
        pool_connections: 1,
        commit_connections: 1,
    };
    let store = Store::connect(options).await.unwrap();
    store.ping().await.unwrap();
    let mut blocker = PgConnection::connect_with(&world.admin).await.unwrap();
    let lock = "BEGIN; LOCK TABLE actor IN ACCESS EXCLUSIVE MODE";
    sqlx::raw_sql(lock).execute(&mut blocker).await.unwrap();
    (world, proxy, store, blocker)
}

/// Waits until a query waits for the lock, then drops every answer.
async fn mute(world: &World, proxy: &Proxy) {
    let waits = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                 AND wait_event_type = 'Lock'";
    until(world, waits, 1).await;
    proxy.mute();
}

/// A statement whose answer never arrives is given up, and the next one immediately gets another
/// connection.
#[tokio::test]
async fn a_statement_without_an_answer_is_given_up() {
    let (world, proxy, store, blocker) = one_connection().await;
    let (named, ()) = tokio::join!(store.actor_names(&ASKED), mute(&world, &proxy));
    assert!(
        matches!(named, Err(StoreError::TooSlow { .. })),
        "{named:?}"
    );
    store.ping().await.unwrap();
    blocker.close().await.unwrap();
    assert_eq!(store.actor_names(&ASKED).await.unwrap().len(), 1);
}

/// A caller that hangs up mid-statement returns a connection that the pool can't clean. The
/// connection is closed in time.
#[tokio::test]
async fn a_connection_without_an_answer_leaves_the_pool() {
    let (world, proxy, store, blocker) = one_connection().await;
    let asked = timeout(PATIENCE, store.actor_names(&ASKED));
    let (named, ()) = tokio::join!(asked, mute(&world, &proxy));
    named.unwrap_err();
    blocker.close().await.unwrap();
    // Each attempt waits for a connection as long as a caller does.
    let free = async { while store.ping().await.is_err() {} };
    timeout(FREE_WITHIN, free).await.unwrap();
}
