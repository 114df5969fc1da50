//! A caller that is cancelled inside a transaction loses no money of another caller.
//!
//! In sqlx 0.9.0, a `begin()` that is dropped while `BEGIN` is in flight leaves its pooled
//! connection inside a transaction. What the next caller writes is acknowledged and lost (sqlx
//! issue 4385).

use std::time::Duration;

use meterhouse_store::{Journal as _, Store, StoreOptions, StoredSnapshot};
use sqlx::postgres::PgPoolOptions;
use tokio::time::timeout;

use crate::common::{World, first_batch, new_link, open};
use crate::proxy::Proxy;

const LATENCY: Duration = Duration::from_millis(4);

/// With the rollback, every acknowledged row is stored, whenever the transaction before it was cut.
#[tokio::test]
async fn no_acknowledged_row_is_lost_after_a_cancelled_begin() {
    let world = World::new().await;
    let (link, head) = open(&world.store().await, "main").await;
    let proxy = Proxy::new(&world.admin, LATENCY);
    let connect = proxy.through(&world.app);
    let options = StoreOptions {
        servers: connect.into(),
        pool_connections: 1,
        commit_connections: 1,
    };
    let store = Store::connect(options).await.unwrap();
    let mut journal = store.journal(link);
    for (round, cut) in (0..60_u64).step_by(2).enumerate() {
        let name = format!("cut-{round}");
        let _ = timeout(
            Duration::from_millis(cut),
            store.open_link(&new_link(&name), &first_batch),
        )
        .await;
        let snapshot = StoredSnapshot {
            batch: head.batch,
            format: 1,
            chain_hash: head.chain_hash,
            state: vec![1],
        };
        journal.save_snapshot(&snapshot).await.unwrap();
        let kept = world.run_as_admin("DELETE FROM snapshot").await.unwrap();
        assert_eq!(kept, 1, "acknowledged and lost, cut after {cut} ms");
    }
}

/// Without the rollback, rows are lost. If this test fails, sqlx was repaired and the rollback can
/// go.
#[tokio::test]
async fn without_the_rollback_acknowledged_rows_are_lost() {
    let world = World::new().await;
    let create = "CREATE TABLE acknowledged (number int);
                  GRANT INSERT ON acknowledged TO meterhouse_app";
    world.run_as_admin(create).await.unwrap();
    let proxy = Proxy::new(&world.admin, LATENCY);
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .connect_with(proxy.through(&world.app));
    let pool = pool.await.unwrap();
    let mut acknowledged = 0;
    for cut in (0..30_u64).step_by(2) {
        #[expect(clippy::disallowed_methods, reason = "this is the hole")]
        let _ = timeout(Duration::from_millis(cut), pool.begin()).await;
        let insert = sqlx::query("INSERT INTO acknowledged VALUES (1)")
            .execute(&pool)
            .await;
        acknowledged += i64::from(insert.is_ok());
    }
    pool.close().await;
    let stored = world.number("SELECT count(*) FROM acknowledged").await;
    assert!(
        stored < acknowledged,
        "{stored} of {acknowledged}: drop the guard of the pool"
    );
}
