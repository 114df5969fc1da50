//! What displays hear: the snapshot first, then every happening once and in order, and only ever newer amounts.

use std::collections::BTreeSet;

use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::Sequence;
use meterhouse_tests::client::amounts;
use meterhouse_tests::{FIVE_CARD_C, Feed, HAND_BONUS, House};
use serde_json::{Value, json};

/// Numbers of the amounts that were heard, the snapshot's first.
fn sequences(feed: &Feed) -> Vec<u64> {
    let numbered = feed
        .heard
        .iter()
        .filter(|it| it["type"] == "snapshot" || it["type"] == "meters");
    numbered.filter_map(|it| it["batch"].as_u64()).collect()
}

/// Listens until the amounts are those of `GET meters`.
async fn settles(feed: &mut Feed, house: &House) {
    let meters = house.nobody().get("/v1/links/main/meters").await.is(200);
    let newest = meters["batch"].as_u64().expect("a number");
    feed.until("the newest amounts", |heard| {
        heard
            .iter()
            .any(|it| it["batch"].as_u64().is_some_and(|it| it >= newest))
    })
    .await;
    let last = feed
        .heard
        .iter()
        .rfind(|it| it["batch"].is_u64())
        .expect("amounts");
    assert_eq!(amounts(last), meters.levels());
}

/// CONFORMANCE 53: the snapshot comes first, amounts only grow newer, and the last ones are what everybody else reads.
#[tokio::test]
async fn amounts_only_grow_newer() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2", "T3"]).await;
    let mut display = house.display("main").await;
    let snapshot = display.next().await.expect("a snapshot");
    assert_eq!(
        (&snapshot["type"], &snapshot["state"]),
        (&json!("snapshot"), &json!("open"))
    );
    assert_eq!(amounts(&snapshot), ["10000.00", "1000.00", "250.00"]);
    assert_eq!(snapshot["tables"].as_array().expect("tables").len(), 3);
    let playing = dealers.iter().map(|dealer| dealer.rounds(30, &[1, 2, 3]));
    futures_util::future::join_all(playing).await;
    settles(&mut display, &house).await;
    let numbers = sequences(&display);
    assert!(
        numbers.windows(2).all(|pair| pair[0] < pair[1]),
        "{numbers:?}"
    );
    house.end().await;
}

/// CONFORMANCE 52 and 54: a hit's whole life is heard, in order, with its amounts; and that the feed lives.
#[tokio::test]
async fn the_life_of_a_hit() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let sam = house.supervisor("sam").await;
    let mut display = house.floor("main").await;
    drop(dealer.coin_in(&[1, 3]).await.created());
    drop(dealer.hit_unseen(3, "flush").await.created());
    drop(dealer.cancel(2).await.created());
    drop(dealer.hit_unseen(3, "royal-flush").await.created());
    drop(sam.approve("T1.4").await.created());
    drop(sam.pay("T1.4", 1, "JP-1").await.created());
    drop(dealer.close().await.created());
    let state = |hit: &'static str, state: &'static str| {
        move |it: &Value| it["hit"] == hit && it["state"] == state
    };
    let flush = display.hears("hit", |it| it["hit"] == "T1.2").await;
    assert_eq!(
        (&flush["hand"], &flush["due"]),
        (&json!("flush"), &json!("40.00"))
    );
    display
        .hears("hit_changed", state("T1.2", "cancelled"))
        .await;
    let royal = display.hears("hit", |it| it["hit"] == "T1.4").await;
    assert_eq!(
        (&royal["due"], &royal["envy_due"]),
        (&json!("10000.18"), &json!("1000.00"))
    );
    assert_eq!(
        (&royal["level"], &royal["order"]),
        (&json!("mega"), &json!(2))
    );
    display
        .hears("hit_changed", state("T1.4", "validated"))
        .await;
    let paid = display
        .hears("paid", |it| it["hit"] == "T1.4" && it["payout"] == 1)
        .await;
    assert_eq!(paid["amount"], "10000.18");
    let envy = display
        .hears("paid", |it| it["hit"] == "T1.4" && it["payout"] == 2)
        .await;
    assert_eq!(envy["amount"], "1000.00");
    display.hears("heartbeat", |_| true).await;
    settles(&mut display, &house).await;
    let mut late = house.floor("main").await;
    let snapshot = late.next().await.expect("a snapshot");
    let states: Vec<(&Value, &Value)> = snapshot["hits"]
        .as_array()
        .expect("hits")
        .iter()
        .map(|it| (&it["hit"], &it["state"]))
        .collect();
    let expected = [
        (json!("T1.4"), json!("paid")),
        (json!("T1.2"), json!("cancelled")),
    ];
    assert_eq!(
        states,
        expected
            .iter()
            .map(|(hit, state)| (hit, state))
            .collect::<Vec<_>>()
    );
    house.end().await;
}

/// The happenings that a feed heard, without the amounts, and where each stands.
fn happenings(heard: &[Value]) -> Vec<Value> {
    let is_happening = |it: &&Value| {
        ["hit", "hit_changed", "paid", "link_state"]
            .iter()
            .any(|kind| it["type"] == *kind)
    };
    heard.iter().filter(is_happening).cloned().collect()
}

/// Whoever resumes at the place of the last thing heard gets what was missed, each thing exactly once.
#[tokio::test]
async fn resuming_behind_a_place() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let mut whole = house.display("main").await;
    let snapshot = whole.next().await.expect("a snapshot");
    let begin = place_of(&snapshot);
    for _ in 0..5 {
        drop(dealer.coin_in(&[1, 3]).await.created());
        drop(dealer.hit_unseen(3, "flush").await.created());
        drop(dealer.cancel(dealer.next() - 1).await.created());
        drop(dealer.close().await.created());
    }
    whole
        .until("all happenings", |heard| happenings(heard).len() == 10)
        .await;
    let mut places = vec![begin];
    places.extend(happenings(&whole.heard).iter().map(place_of));
    assert_eq!(
        places.iter().collect::<BTreeSet<_>>().len(),
        11,
        "{places:?}"
    );
    for (missed, place) in places.iter().enumerate().step_by(3) {
        let mut again = Feed::open(house.server.address, "main", Some(place)).await;
        assert_eq!(again.next().await.expect("a snapshot")["type"], "snapshot");
        // What happens from now on is heard once as well.
        let hit = dealer.named(dealer.next() + 1);
        drop(dealer.coin_in(&[1]).await.created());
        drop(dealer.hit_unseen(1, "flush").await.created());
        drop(dealer.cancel(dealer.next() - 1).await.created());
        drop(dealer.close().await.created());
        again
            .hears("hit_changed", |it| it["hit"] == hit.as_str())
            .await;
        whole
            .hears("hit_changed", |it| it["hit"] == hit.as_str())
            .await;
        assert_eq!(
            happenings(&again.heard),
            happenings(&whole.heard)[missed..],
            "behind {place}"
        );
        again.close().await;
    }
    house.end().await;
}

/// A display that missed more than it can be told is told that some are missing.
#[tokio::test]
async fn more_was_missed_than_is_told() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let manager = house.manager().await;
    let mut display = house.display("main").await;
    let first = display.next().await.expect("a snapshot");
    assert_eq!(first["missing"], false);
    for _ in 0..500 {
        drop(manager.suspend("main").await.created());
        drop(manager.resume("main").await.created());
    }
    let place = place_of(&first);
    let address = house.server.address;
    let mut just = Feed::open(address, "main", Some(&place)).await;
    assert_eq!(just.next().await.expect("a snapshot")["missing"], false);
    just.until("all of them", |heard| happenings(heard).len() == 1_000)
        .await;
    drop(manager.suspend("main").await.created());
    let mut texts = Feed::open(address, "main", Some(&place)).await;
    let mut frames = Feed::open_binary(address, "main", Some(&place), None).await;
    for late in [&mut texts, &mut frames] {
        let snapshot = late.next().await.expect("a snapshot");
        assert_eq!(snapshot["missing"], true, "{snapshot}");
    }
    drop(manager.resume("main").await.created());
    house.end().await;
}

fn place_of(message: &Value) -> String {
    message["position"].as_str().expect("a place").to_owned()
}

/// Payouts that are documented at the same moment are told once each, and the hit is paid once.
#[tokio::test]
async fn paid_at_once() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let sam = house.supervisor("sam").await;
    let token = house.token("kim", "supervisor", None, None).await;
    let person = house.server.engine.authenticate(&token).await;
    let person = person.expect("it answers").expect("a token").person.clone();
    let mut display = house.display("main").await;
    for _ in 0..2 {
        let seats = [1, 2, 3, 4, 5, 6];
        let wagers = seats.map(|seat| json!({"seat": seat, "amount": "1.00", "on": "dealer"}));
        let coin_in = json!({"command": "coin_in", "wagers": wagers, "dealt": seats});
        drop(dealer.send(&coin_in).await.created());
        let hit = dealer.named(dealer.next());
        drop(dealer.dealer_hit("royal-flush").await.created());
        drop(sam.approve(&hit).await.created());
        // All of them wait for the committer before it looks: they are one batch.
        let named = HitName {
            table: dealer.table.parse().expect("a name"),
            sequence: Sequence(dealer.next() - 1),
            number: 0,
        };
        let paying = (1..=6).map(|payout| {
            let document = format!("JP-{hit}").parse().expect("a document");
            house
                .server
                .engine
                .pay_payout(&person, &named, payout, document)
        });
        for answer in futures_util::future::join_all(paying).await {
            drop(answer.expect("it is paid"));
        }
        drop(dealer.close().await.created());
        display
            .hears("hit_changed", |it| {
                it["hit"] == hit.as_str() && it["state"] == "paid"
            })
            .await;
    }
    settles(&mut display, &house).await;
    let paid = display.of("paid");
    let told: BTreeSet<String> = paid
        .iter()
        .map(|it| format!("{} {}", it["hit"], it["payout"]))
        .collect();
    assert_eq!((paid.len(), told.len()), (12, 12), "{paid:#?}");
    let changed = display.of("hit_changed");
    assert_eq!(changed.iter().filter(|it| it["state"] == "paid").count(), 2);
    house.end().await;
}

/// A commit of one server is heard by the displays of the other, hits and amounts alike.
#[tokio::test]
async fn another_servers_commits() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let second = house.another_server().await;
    let mut display = Feed::open(second.address, "main", None).await;
    drop(display.next().await.expect("a snapshot"));
    drop(dealer.coin_in(&[1, 3]).await.created());
    drop(dealer.hit_unseen(3, "royal-flush").await.created());
    display.hears("hit", |it| it["hit"] == "T1.2").await;
    settles(&mut display, &house).await;
    second.stop().await;
    house.end().await;
}

/// A server that stops closes its feeds, and says so before it goes.
#[tokio::test]
async fn a_server_that_stops_closes_its_feeds() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let second = house.another_server().await;
    let mut display = Feed::open(second.address, "main", None).await;
    drop(display.next().await.expect("a snapshot"));
    second.stop().await;
    while display.next().await.is_some() {}
    house.end().await;
}

/// No link, no place, no WebSocket: each a problem.
#[tokio::test]
async fn what_is_no_feed() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let nobody = house.nobody();
    drop(
        nobody
            .get("/v1/links/main/feed")
            .await
            .problem(426, "upgrade_required"),
    );
    let upgrade = [
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    for (path, status, code) in [
        ("/v1/links/other/feed", 404, "unknown_link"),
        ("/v1/links/main/feed?after=x", 400, "invalid_parameter"),
        ("/v1/links/main/feed?before=1", 400, "invalid_parameter"),
        ("/v1/links/%ff/feed", 400, "invalid_name"),
    ] {
        let answer = nobody
            .send(reqwest::Method::GET, path, &upgrade, Vec::new())
            .await;
        drop(answer.problem(status, code));
    }
    house.end().await;
}

/// The cards of a hit come with it if the table sent them, else with the validation by who saw them; to players too.
#[tokio::test]
async fn the_cards_of_a_hit() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let sam = house.supervisor("sam").await;
    let mut sign = house.display("main").await;
    drop(dealer.coin_in(&[1, 3]).await.created());
    drop(dealer.hit(3, "flush", "As Ks 9s 8s 2s").await.created());
    drop(dealer.hit_unseen(1, "royal-flush").await.created());
    let (flush, royal) = (
        json!(["As", "Ks", "9s", "8s", "2s"]),
        json!(["Ah", "Kh", "Qh", "Jh", "Th"]),
    );
    let seen = json!({"decision": "approve", "cards": royal});
    drop(sam.decide("T1.3", &seen).await.created());
    drop(sam.approve("T1.2").await.created());
    let hit = sign.hears("hit", |it| it["hit"] == "T1.2").await;
    assert_eq!(hit["cards"], flush);
    let hit = sign.hears("hit", |it| it["hit"] == "T1.3").await;
    assert_eq!(hit.get("cards"), None);
    let changed = sign.hears("hit_changed", |it| it["hit"] == "T1.3").await;
    assert_eq!(
        (&changed["state"], &changed["cards"]),
        (&json!("validated"), &royal)
    );
    let changed = sign.hears("hit_changed", |it| it["hit"] == "T1.2").await;
    assert_eq!(changed.get("cards"), None);
    let mut late = house.display("main").await;
    let snapshot = late.next().await.expect("a snapshot");
    assert_eq!(
        (&snapshot["hits"][0]["cards"], &snapshot["hits"][1]["cards"]),
        (&royal, &flush)
    );
    house.end().await;
}
