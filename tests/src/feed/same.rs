//! Whether two displays hear the same, whatever way each listens.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Feed;
use crate::client::Dealer;
use crate::house::{FIVE_CARD_C, House};
use crate::wait::eventually;
use crate::watch::Watch;

/// What a display hears of happenings.
const HAPPENINGS: [&str; 5] = ["hit", "hit_changed", "paid", "link_state", "table_state"];

/// How two displays begin to listen, behind a place where there is one.
pub trait Ways {
    /// Both begin, with a token where there is one.
    fn open(
        &self,
        house: &House,
        after: Option<&str>,
        token: Option<&str>,
    ) -> impl Future<Output = [Feed; 2]>;
}

/// Who two displays are, and how a lost table is said to them.
struct Audience {
    token: Option<String>,
    lost: &'static str,
}

/// Lets everything happen that a feed tells of, and asserts that displays in both ways hear the same: the same snapshot,
/// the same happenings in the same order, the same amounts of a batch, and the same of what was missed. So players do,
/// and so does the floor.
///
/// # Panics
/// If not.
pub async fn assert_same(ways: &impl Ways) {
    for is_floor in [false, true] {
        assert_same_for(ways, is_floor).await;
    }
}

async fn assert_same_for(ways: &impl Ways, is_floor: bool) {
    let house = House::watching(Watch::Close).await;
    let settings = json!({"silence_seconds_max": 2});
    let dealers = house.link_with(FIVE_CARD_C, &settings, &["T1", "T2"]).await;
    let [plays, falls_silent] = &dealers[..] else {
        panic!("two tables")
    };
    let audience = if is_floor {
        let token = house.token("floor", "auditor", None, None).await;
        let token = Some(token);
        Audience {
            token,
            lost: "lost",
        }
    } else {
        Audience {
            token: None,
            lost: "unavailable",
        }
    };
    let mut both = begun(&house, ways, None, &audience).await;
    drop(falls_silent.heartbeat().await.is(200));
    play(&house, plays).await;
    suspend(&house, &mut both).await;
    for feed in &mut both {
        ends(feed, &house, &audience).await;
    }
    assert_happenings(&both);
    assert_amounts(&both);
    let begin = both[0].heard[0]["position"].as_str().expect("a place");
    let mut late = begun(&house, ways, Some(begin), &audience).await;
    for feed in &mut late {
        ends(feed, &house, &audience).await;
    }
    assert_happenings(&late);
    let missed = happenings(&late[0].heard);
    assert_eq!(missed[..2], happenings(&both[0].heard)[..2]);
    house.end().await;
}

/// Both displays, with the same snapshot.
async fn begun(
    house: &House,
    ways: &impl Ways,
    after: Option<&str>,
    audience: &Audience,
) -> [Feed; 2] {
    let mut both = eventually("both begin at one batch", async || {
        let mut both = ways.open(house, after, audience.token.as_deref()).await;
        let [one, other] = &mut both;
        let (one, other) = (one.next().await?, other.next().await?);
        (one["batch"] == other["batch"]).then_some(both)
    })
    .await;
    let first = |feed: &mut Feed| {
        let first = feed.heard.first().expect("a snapshot");
        assert!(first["at"].is_string(), "{first}");
        let mut first = first.clone();
        // Each display's own: when it began.
        first["at"].take();
        assert!(first["seal"].take().is_string());
        first
    };
    let [one, other] = &mut both;
    let first = (first(one), first(other));
    assert_eq!(first.0["type"], "snapshot");
    assert_eq!(first.0, first.1);
    both
}

/// A round with a hit that is taken back and one that is paid.
async fn play(house: &House, dealer: &Dealer) {
    let sam = house.supervisor("sam").await;
    // On a busy machine it may be lost before it begins.
    let first = eventually("the bets are locked", async || {
        drop(dealer.heartbeat().await.is(200));
        let next = dealer.next();
        let locked = dealer.coin_in(&[1, 3]).await;
        (locked.status == 201).then_some(next)
    })
    .await;
    drop(dealer.hit(3, "flush", "As Ks 9s 8s 2s").await.created());
    drop(dealer.cancel(first + 1).await.created());
    drop(dealer.hit_unseen(3, "royal-flush").await.created());
    let royal = dealer.named(first + 3);
    let seen = json!({"decision": "approve", "cards": ["Ah", "Kh", "Qh", "Jh", "Th"]});
    drop(sam.decide(&royal, &seen).await.created());
    drop(sam.pay(&royal, 1, "JP-1").await.created());
    drop(dealer.close().await.created());
}

/// A level that is off, and a suspension: each until it was heard, because displays are told of what stands.
async fn suspend(house: &House, both: &mut [Feed; 2]) {
    let manager = house.manager().await;
    drop(manager.disable("main", "minor").await.created());
    for feed in &mut *both {
        feed.hears("link_state", |it| it["disabled"] == json!(["minor"]))
            .await;
    }
    drop(manager.enable("main", "minor").await.created());
    drop(manager.suspend("main").await.created());
    for feed in &mut *both {
        feed.hears("link_state", |it| it["state"] == "suspended")
            .await;
    }
    drop(manager.resume("main").await.created());
}

/// Reads until the last of it was heard: the link is open again, a table is lost, the amounts are the newest.
async fn ends(feed: &mut Feed, house: &House, audience: &Audience) {
    feed.hears("link_state", |it| it["state"] == "suspended")
        .await;
    feed.hears("table_state", |it| {
        it["table"] == "T2" && it["state"] == audience.lost
    })
    .await;
    let meters = house.nobody().get("/v1/links/main/meters").await.is(200);
    let newest = meters["batch"].as_u64().expect("a number");
    feed.until("the newest amounts", |heard| {
        let mut numbers = heard.iter().filter_map(|it| it["batch"].as_u64());
        numbers.any(|it| it >= newest)
    })
    .await;
    for kind in HAPPENINGS {
        assert!(!feed.of(kind).is_empty(), "no {kind} was heard");
    }
}

/// The happenings among what was heard, in their order.
fn happenings(heard: &[Value]) -> Vec<Value> {
    let is_happening = |it: &&Value| HAPPENINGS.iter().any(|kind| it["type"] == *kind);
    heard.iter().filter(is_happening).cloned().collect()
}

/// Both heard the same happenings, as far as both have read.
fn assert_happenings([one, other]: &[Feed; 2]) {
    let (ones, others) = (happenings(&one.heard), happenings(&other.heard));
    for (one, other) in ones.iter().zip(&others) {
        assert_eq!(one, other);
    }
}

/// Both heard the same amounts, of batches whose amounts both heard.
fn assert_amounts([one, other]: &[Feed; 2]) {
    let (ones, others) = (amounts(one), amounts(other));
    let shared = ones
        .iter()
        .filter_map(|(batch, it)| Some((it, others.get(batch)?)));
    let shared: Vec<_> = shared.collect();
    assert!(!shared.is_empty(), "{ones:?} {others:?}");
    for (one, other) in shared {
        assert_eq!(one, other);
    }
}

/// The amounts that were heard, by batch.
fn amounts(feed: &Feed) -> BTreeMap<u64, Value> {
    let meters = feed.of("meters").into_iter();
    meters
        .filter_map(|it| Some((it["batch"].as_u64()?, it.clone())))
        .collect()
}
