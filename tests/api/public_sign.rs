//! What players see, and what only the floor does: why a hit is no longer won, why a table can't be played.

use meterhouse_engine::clock::now;
use meterhouse_tests::{Dealer, FIVE_CARD_C, Feed, House, Watch, eventually};
use reqwest::Method;
use serde_json::{Value, json};

/// The hits of a display's first message, newest first, each with its state.
fn hits(feed: &Feed) -> Vec<(String, String)> {
    let first = feed.heard.first().expect("a snapshot");
    let hits = first["hits"].as_array().expect("hits");
    let text = |it: &Value| it.as_str().expect("a text").to_owned();
    let hits = hits.iter().map(|it| (text(&it["hit"]), text(&it["state"])));
    hits.collect()
}

fn named(hits: &[(&str, &str)]) -> Vec<(String, String)> {
    let hits = hits.iter();
    hits.map(|(hit, state)| ((*hit).to_owned(), (*state).to_owned()))
        .collect()
}

/// A pending, a cancelled, a rejected, a withdrawn and a void hit.
async fn play(house: &House, dealers: &[Dealer]) {
    let [t1, t2] = dealers else {
        panic!("two tables")
    };
    let sam = house.supervisor("sam").await;
    drop(t1.coin_in(&[1, 3]).await.created());
    drop(t1.hit_unseen(1, "flush").await.created());
    drop(t1.cancel(2).await.created());
    drop(t1.hit_unseen(1, "royal-flush").await.created());
    drop(sam.reject("T1.4").await.created());
    drop(t1.hit_unseen(1, "royal-flush").await.created());
    drop(sam.approve("T1.5").await.created());
    drop(house.two_people().await.correct("main", "T1.5").await);
    drop(t2.coin_in(&[1]).await.created());
    drop(t2.hit_unseen(1, "flush").await.created());
    drop(t2.void("misdeal").await.created());
    drop(t1.hit_unseen(3, "royal-flush").await.created());
}

/// A sign hears of a hit that is no longer won that it is undone, and a new sign doesn't see it at all. The floor's feed,
/// with a token, has each and says what became of it; so has the feed of who resumes.
#[tokio::test]
async fn what_is_undone() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let (mut sign, mut floor) = (house.display("main").await, house.floor("main").await);
    drop(sign.next().await.expect("a snapshot"));
    let begin = sign.heard[0]["position"]
        .as_str()
        .expect("a place")
        .to_owned();
    play(&house, &dealers).await;
    let ends = [
        ("T1.2", "cancelled"),
        ("T1.4", "rejected"),
        ("T1.5", "withdrawn"),
        ("T2.2", "void"),
    ];
    let address = house.server.address;
    let resumed = Feed::open(address, "main", Some(&begin)).await;
    for mut players in [sign, resumed] {
        for (hit, _) in ends {
            let is_it = |it: &Value| it["hit"] == hit && it["state"] == "undone";
            drop(players.hears("hit_changed", is_it).await);
        }
        drop(players.hears("hit", |it| it["hit"] == "T1.6").await);
        for told in players.of("hit_changed") {
            let state = told["state"].as_str().expect("a state");
            assert!(["undone", "validated"].contains(&state), "{told}");
        }
    }
    for (hit, state) in ends {
        let is_it = |it: &Value| it["hit"] == hit && it["state"] == state;
        drop(floor.hears("hit_changed", is_it).await);
    }

    let mut sign = house.display("main").await;
    drop(sign.next().await.expect("a snapshot"));
    assert_eq!(hits(&sign), named(&[("T1.6", "pending")]));
    let mut floor = house.floor("main").await;
    drop(floor.next().await.expect("a snapshot"));
    let all = [
        ("T1.6", "pending"),
        ("T2.2", "void"),
        ("T1.5", "withdrawn"),
        ("T1.4", "rejected"),
        ("T1.2", "cancelled"),
    ];
    assert_eq!(hits(&floor), named(&all));
    house.end().await;
}

/// A lost table is unavailable to players, over the feed and the link alike; the floor reads that it is lost, and later
/// that it is disabled. A table that never sent a heartbeat is shown as in service, however silent it is.
#[tokio::test]
async fn a_table_is_unavailable() {
    let house = House::watching(Watch::Close).await;
    let settings = json!({"silence_seconds_max": 2});
    let dealers = house.link_with(FIVE_CARD_C, &settings, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    let (mut sign, mut floor) = (house.display("main").await, house.floor("main").await);
    drop(t1.heartbeat().await.is(200));
    drop(t2.coin_in(&[1]).await.created());
    drop(t2.close().await.created());
    for (feed, state) in [(&mut sign, "unavailable"), (&mut floor, "lost")] {
        let is_it = |it: &Value| it["table"] == "T1" && it["state"] == state;
        drop(feed.hears("table_state", is_it).await);
    }
    let manager = house.manager().await;
    eventually("the silence of T2 is in the journal", async || {
        let journal = manager.journal("main", "?limit=500").await.is(200);
        let entries = journal["entries"].as_array()?;
        let lost = entries.iter().map(|it| &it["event"]);
        let is_t2 = |it: &Value| it["kind"] == "table_lost" && it["table"] == "T2";
        lost.into_iter().any(is_t2).then_some(())
    })
    .await;
    let reason = json!({"reason": "the lamps are dark"});
    let path = "/v1/tables/T1/disabled";
    drop(manager.caller.put(path, &reason).await.created());
    let is_disabled = |it: &Value| it["table"] == "T1" && it["state"] == "disabled";
    drop(floor.hears("table_state", is_disabled).await);
    let link = house.nobody().get("/v1/links/main").await.is(200);
    let links = house.nobody().get("/v1/links").await.is(200);
    let mut late = house.display("main").await;
    let snapshot = late.next().await.expect("a snapshot");
    for link in [&link.body, &links["links"][0], &snapshot] {
        assert_eq!(link["tables"][0]["state"], "unavailable", "{link}");
        assert_eq!(link["tables"][1]["state"], "in_service", "{link}");
    }
    let mut late = house.floor("main").await;
    let snapshot = late.next().await.expect("a snapshot");
    assert_eq!(snapshot["tables"][0]["state"], "disabled", "{snapshot}");
    for feed in [&sign, &floor] {
        let told = feed.of("table_state");
        assert!(told.iter().all(|it| it["table"] == "T1"), "{told:?}");
    }
    house.end().await;
}

/// Who may not read the link hears what players do, and a token that isn't valid is refused at once; one that is revoked
/// ends its feed.
#[tokio::test]
async fn whose_feed_it_is() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [t1] = &dealers[..] else {
        panic!("one table")
    };
    drop(t1.coin_in(&[1]).await.created());
    drop(t1.hit_unseen(1, "flush").await.created());
    drop(t1.cancel(2).await.created());
    let address = house.server.address;
    let of_link = house.token("here", "auditor", None, Some("main")).await;
    let elsewhere = house.token("there", "auditor", None, Some("other")).await;
    let display = house.token("sign", "display", None, Some("main")).await;
    let cancelled = named(&[("T1.2", "cancelled")]);
    for (token, expected) in [
        (t1.caller.token(), Vec::new()),
        (&elsewhere, Vec::new()),
        (&display, Vec::new()),
        (&of_link, cancelled),
    ] {
        let mut feed = Feed::open_as(address, "main", None, Some(token)).await;
        drop(feed.next().await.expect("a snapshot"));
        assert_eq!(hits(&feed), expected);
    }
    let unknown = house.nobody().with_token("x".repeat(64));
    let path = "/v1/links/main/feed";
    let upgrade = [
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    let refused = unknown.send(Method::GET, path, &upgrade, Vec::new()).await;
    let refused = refused.problem(401, "unauthenticated");
    assert!(refused.text.contains("make a new one"), "{}", refused.text);

    let mut floor = house.floor("main").await;
    drop(floor.next().await.expect("a snapshot"));
    let store = &house.server.store;
    let revoked = store.revoke_tokens("floor", now()).await;
    assert_eq!(revoked.expect("the database answers"), 1);
    while floor.next().await.is_some() {}
    house.end().await;
}
