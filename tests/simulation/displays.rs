//! A display while the database is lost: nothing says that the amounts stand, until somebody sees again that they do.

use std::time::Duration;

use meterhouse_engine::feed::listener::{DisplayMessage, Listener};
use meterhouse_store::{Store, StoreOptions};
use meterhouse_tests::{Database, in_time};
use tokio_util::sync::CancellationToken;

use crate::felts::{engine, open};
use crate::proxy::Proxy;

/// Seconds in which nothing is confirmed: more than the last heartbeats that were due all the same.
const UNCONFIRMED: usize = 4;

/// Listens until this was told so often in a row, whatever else is told between.
async fn hears(
    listener: &mut Listener,
    what: &str,
    is_it: fn(&DisplayMessage) -> bool,
    times: usize,
) {
    let listening = async {
        let mut heard = 0;
        while heard < times {
            match listener.next().await.expect("the feed goes on") {
                told if is_it(&told) => heard += 1,
                DisplayMessage::Heartbeat(_) | DisplayMessage::Unconfirmed => heard = 0,
                DisplayMessage::Item(..) => {}
                DisplayMessage::Refused => panic!("it has no token"),
                DisplayMessage::Stopping => panic!("nobody stops"),
            }
        }
    };
    in_time(what, listening).await;
}

/// Both ways to lose it: connections that break, and a network that swallows everything.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_heartbeat_vouches_for_amounts_that_nobody_sees() {
    let database = Database::new().await;
    let proxy = Proxy::new(&database.application, Duration::ZERO);
    let options = StoreOptions {
        connect: proxy.through(),
        pool_connections: 4,
        commit_connections: 2,
    };
    let store = Store::connect(options).await.expect("the network is well");
    let engine = engine(&store, "node").await;
    drop(open(&engine, "main", 1).await);
    let name = "main".parse().expect("a name");
    let mut listener = engine
        .listen(&name, None, None, CancellationToken::new())
        .await
        .expect("a position");
    let is_heartbeat = |told: &DisplayMessage| matches!(told, DisplayMessage::Heartbeat(_));
    let is_unconfirmed = |told: &DisplayMessage| matches!(told, DisplayMessage::Unconfirmed);
    hears(&mut listener, "the amounts stand", is_heartbeat, 2).await;
    for lose in [Proxy::go_down, Proxy::go_silent] {
        lose(&proxy);
        hears(&mut listener, "nobody knows", is_unconfirmed, UNCONFIRMED).await;
        proxy.come_back();
        hears(&mut listener, "they stand again", is_heartbeat, 2).await;
    }
    engine.stop().await;
}
