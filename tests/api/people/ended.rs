//! A token or session that ends counts no longer on a connection that is open, whichever node ends it.

use std::time::{Duration, Instant};

use meterhouse_engine::access::{AccessControl, By, Only, Vouching};
use meterhouse_engine::clock::now;
use meterhouse_engine::held_credentials::CONFIRMED_MAX;
use meterhouse_tests::{Dealer, FIVE_CARD_C, Feed, House, PATIENCE};
use serde_json::json;

use super::{admitted, first_administrator, login};

/// The longest time that these tests allow on a busy machine: a credential that were looked up only every 5 s would not end
/// within it.
const ENDED_MAX: Duration = Duration::from_secs(3);

const _: () = assert!(CONFIRMED_MAX.as_millis() < 1_000);

/// Asks again and again until the answer is a refusal.
async fn ends(what: &str, ask: impl AsyncFn() -> u16) {
    let begun = Instant::now();
    loop {
        let status = ask().await;
        if status == 401 {
            break;
        }
        assert_eq!(status, 200, "{what}");
        assert!(begun.elapsed() < PATIENCE, "{what}");
    }
    let took = begun.elapsed();
    println!("{what}: after {took:?}");
    assert!(took < ENDED_MAX, "{what}: after {took:?}");
}

/// Sends the table's first command again, over one connection.
async fn repeat(dealer: &Dealer) -> u16 {
    let wagers = json!([{"seat": 1, "amount": "1.00"}]);
    let body = json!({"command": "coin_in", "wagers": wagers, "dealt": [1]});
    let path = format!("/v1/tables/{}/commands/1", dealer.table);
    dealer.caller.put(&path, &body).await.status
}

/// The access control of another node.
pub(crate) async fn elsewhere(house: &House) -> AccessControl {
    let store = house.database.store().await;
    let vouching = Vouching::of(&store, None, &[]).await.expect("an identity");
    AccessControl::new(store, vouching.into())
}

/// Waits until an open feed ends.
async fn feed_ends(what: &str, feed: &mut Feed) {
    let begun = Instant::now();
    while feed.next().await.is_some() {}
    let took = begun.elapsed();
    println!("{what}: after {took:?}");
    assert!(took < ENDED_MAX, "{what}: after {took:?}");
}

/// A token that is revoked, whose owner's access ends or that expires commands no more.
#[tokio::test]
async fn a_token_ends_on_open_connections() {
    let tables = ["T1", "T2", "T3"];
    let (house, dealers) = House::playing(FIVE_CARD_C, &tables).await;
    let [t1, t2, t3] = &dealers[..] else {
        panic!("three tables")
    };
    let (other, by) = (elsewhere(&house).await, By::default());
    for dealer in &dealers {
        assert_eq!(repeat(dealer).await, 201);
        assert_eq!(repeat(dealer).await, 200);
    }
    let revoked = other.revoke_tokens(&by, Only::Always, "T1").await;
    assert_eq!(revoked.expect("revoked"), 1);
    ends("revoked", async || repeat(t1).await).await;
    let ended = other.set_access(&by, Only::Always, "T2", true).await;
    ended.expect("ended");
    ends("access ended", async || repeat(t2).await).await;
    assert_eq!(repeat(t3).await, 200);
    let sql = format!(
        "UPDATE token SET expires_at = {} WHERE actor_id = (SELECT actor_id FROM actor WHERE name = 'T3')",
        now().0
    );
    assert_eq!(house.database.tamper(&sql).await, 1);
    ends("expired", async || repeat(t3).await).await;
    let mut feed = house.floor("main").await;
    drop(feed.next().await.expect("a snapshot"));
    let revoked = other.revoke_tokens(&by, Only::Always, "floor").await;
    assert_eq!(revoked.expect("revoked"), 1);
    feed_ends("feed of a token", &mut feed).await;
    house.server.stop().await;
}

/// A session that another node ends opens nothing more.
#[tokio::test]
async fn a_session_ends_on_open_connections() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    admitted(&root, &json!({"name": "aud", "role": "auditor"})).await;
    let aud = login(&house, "aud").await;
    let (other, by) = (elsewhere(&house).await, By::default());
    let own = format!("http://{}", house.server.address);
    let shown = (aud.cookie.as_str(), Some(own.as_str()));
    let feed = Feed::open_by_session(house.server.address, "main", shown).await;
    let mut feed = feed.expect("the floor's feed");
    drop(feed.next().await.expect("a snapshot"));
    drop(aud.get("/v1/session").await.is(200));
    let ended = other.end_sessions(&by, Only::Always, "aud").await;
    assert_eq!(ended.expect("ended"), 1);
    feed_ends("feed of a session", &mut feed).await;
    ends("session", async || aud.get("/v1/session").await.status).await;
    house.server.stop().await;
}
