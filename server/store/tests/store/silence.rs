//! A network that goes silent, which no connection notices by itself: what asks over the pool is given up in time, and
//! its connection is not given to the next one.

use std::time::Duration;

use meterhouse_domain::ids::ActorId;
use meterhouse_store::{Store, StoreError, StoreOptions};
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::time::timeout;

use crate::common::World;
use crate::proxy::Proxy;
use crate::unknown::until;

/// Whose name is asked for.
const ASKED: [ActorId; 1] = [ActorId(1)];
/// How long a caller waits who hangs up.
const PATIENCE: Duration = Duration::from_secs(1);
/// The connection of a caller who hung up is given up after 10 s of silence.
const FREE_WITHIN: Duration = Duration::from_secs(30);

/// A pool of one connection behind a proxy, and a lock that keeps who asks for names waiting.
async fn one_connection() -> (World, Proxy, Store, PgConnection) {
    let world = World::new().await;
    let proxy = Proxy::new(world.shared.server.socket_dir(), Duration::ZERO);
    let options = StoreOptions {
        connect: proxy.through(&world.app),
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

/// Waits until somebody waits for the lock, then no answer comes any more.
async fn mute(world: &World, proxy: &Proxy) {
    let waits = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                 AND wait_event_type = 'Lock'";
    until(world, waits, 1).await;
    proxy.mute();
}

/// A statement whose answer never comes is given up; the next one gets another connection at once.
#[tokio::test]
async fn a_silent_answer_is_given_up() {
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

/// Whoever hangs up in the middle gives a connection back that the pool can't clean: it is closed in time.
#[tokio::test]
async fn a_silent_connection_leaves_the_pool() {
    let (world, proxy, store, blocker) = one_connection().await;
    let asked = timeout(PATIENCE, store.actor_names(&ASKED));
    let (named, ()) = tokio::join!(asked, mute(&world, &proxy));
    named.unwrap_err();
    blocker.close().await.unwrap();
    // Each waits for a connection as long as a caller does.
    let free = async { while store.ping().await.is_err() {} };
    timeout(FREE_WITHIN, free).await.unwrap();
}
