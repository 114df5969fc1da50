//! A display during a database outage: no heartbeat confirms the amounts until the engine has read the head again.

use std::time::Duration;

use meterhouse_engine::feed::listener::{DisplayMessage, Listener};
use meterhouse_store::{Store, StoreOptions};
use meterhouse_tests::{Database, in_time};
use tokio_util::sync::CancellationToken;

use crate::links::{engine, open};
use crate::proxy::Proxy;

/// Unconfirmed messages to wait for, one a second: more than the last heartbeats that may still be sent.
const UNCONFIRMED: usize = 4;

/// Waits for this many messages of a kind in a row, with any feed items between.
async fn expect_messages(
    listener: &mut Listener,
    what: &str,
    is_expected: fn(&DisplayMessage) -> bool,
    times: usize,
) {
    let listening = async {
        let mut count = 0;
        while count < times {
            match listener.next().await.expect("the feed goes on") {
                message if is_expected(&message) => count += 1,
                DisplayMessage::Heartbeat(_) | DisplayMessage::Unconfirmed => count = 0,
                DisplayMessage::Item(..) => {}
                DisplayMessage::Refused => panic!("the listener has no token"),
                DisplayMessage::Stopping => panic!("the engine is not stopping"),
            }
        }
    };
    in_time(what, listening).await;
}

/// Covers both kinds of outage: broken connections, and a silent network.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_heartbeat_confirms_amounts_during_an_outage() {
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, Duration::ZERO);
    let options = StoreOptions {
        servers: proxy.through().into(),
        pool_connections: 4,
        commit_connections: 2,
    };
    let store = Store::connect(options).await.expect("a connection");
    let engine = engine(&store, "node").await;
    drop(open(&engine, "main", 1).await);
    let name = "main".parse().expect("a name");
    let mut listener = engine
        .listen(&name, None, None, CancellationToken::new())
        .await
        .expect("a listener");
    let is_heartbeat = |message: &DisplayMessage| matches!(message, DisplayMessage::Heartbeat(_));
    let is_unconfirmed = |message: &DisplayMessage| matches!(message, DisplayMessage::Unconfirmed);
    expect_messages(
        &mut listener,
        "heartbeats before the outage",
        is_heartbeat,
        2,
    )
    .await;
    for fail in [Proxy::disconnect, Proxy::go_silent] {
        fail(&proxy);
        expect_messages(
            &mut listener,
            "unconfirmed during the outage",
            is_unconfirmed,
            UNCONFIRMED,
        )
        .await;
        proxy.restore();
        expect_messages(
            &mut listener,
            "heartbeats after the outage",
            is_heartbeat,
            2,
        )
        .await;
    }
    engine.stop().await;
}
