//! The floor's feed in a browser: by the session of a person, for this server's own pages only.

use meterhouse_tests::{FIVE_CARD_C, Feed, House};
use reqwest::Method;
use serde_json::json;

use super::{admitted, first_administrator, login};

/// A person who may read the link gets the floor's feed by the cookie; other pages, other people and other cookies don't.
#[tokio::test]
async fn a_session_opens_the_floors_feed() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    let max = json!({"name": "max", "role": "manager", "department": "floor"});
    admitted(&root, &max).await;
    let max = login(&house, "max").await;
    let address = house.server.address;
    let own = format!("http://{address}");
    let open = async |cookie: &str, origin: Option<&str>| {
        Feed::open_by_session(address, "main", (cookie, origin)).await
    };
    let foreign = [
        None,
        Some("null"),
        Some("https://evil.example"),
        Some("http://127.0.0.1:1"),
    ];
    for origin in foreign {
        assert_eq!(
            open(&max.cookie, origin).await.err(),
            Some(403),
            "{origin:?}"
        );
    }
    // An administrator reads no link.
    assert_eq!(open(&root.cookie, Some(&own)).await.err(), Some(403));
    let unknown = format!("__Host-meterhouse-session={}", "0".repeat(64));
    assert_eq!(open(&unknown, Some(&own)).await.err(), Some(401));
    assert_eq!(open("other=1", Some(&own)).await.err(), Some(401));

    let mut floor = open(&max.cookie, Some(&own))
        .await
        .expect("the floor's feed");
    let mut sign = house.display("main").await;
    drop(sign.next().await.expect("a snapshot"));
    drop(dealers[0].coin_in(&[1]).await.created());
    drop(dealers[0].hit_unseen(1, "flush").await.created());
    drop(dealers[0].cancel(2).await.created());
    for (feed, state) in [(&mut floor, "cancelled"), (&mut sign, "undone")] {
        let changed = feed.hears("hit_changed", |it| it["hit"] == "T1.2").await;
        assert_eq!(changed["state"], state);
    }
    house.server.stop().await;
}

/// The feed ends with the session.
#[tokio::test]
async fn the_end_of_a_session_ends_its_feed() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    admitted(&root, &json!({"name": "aud", "role": "auditor"})).await;
    let aud = login(&house, "aud").await;
    let own = format!("http://{}", house.server.address);
    let by = (aud.cookie.as_str(), Some(own.as_str()));
    let feed = Feed::open_by_session(house.server.address, "main", by).await;
    let mut feed = feed.expect("the floor's feed");
    drop(feed.next().await.expect("a snapshot"));
    drop(aud.send(Method::DELETE, "/v1/session", None).await.is(200));
    while feed.next().await.is_some() {}
    house.server.stop().await;
}
