//! The history of a level: every stored amount in a short period, and the extremes of each stretch in a longer one.

use meterhouse_tests::{FIVE_CARD_C, House};
use serde_json::{Value, json};

const PATH: &str = "/v1/links/main/levels/mega/history";

/// 30 rounds of two wagers, a royal flush of all of the level in the middle, one that a supervisor rejects, and an auditor.
async fn played() -> (House, meterhouse_tests::client::Caller) {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let sam = house.supervisor("sam").await;
    dealer.rounds(15, &[1, 3]).await;
    for takes_place in [true, false] {
        let round = dealer.next();
        drop(dealer.coin_in(&[1, 3]).await.created());
        drop(dealer.hit_unseen(3, "royal-flush").await.created());
        let hit = dealer.named(round + 1);
        if takes_place {
            drop(sam.approve(&hit).await.created());
            drop(sam.pay(&hit, 1, "JP-1").await.created());
        } else {
            drop(sam.reject(&hit).await.created());
        }
        drop(dealer.close().await.created());
    }
    dealer.rounds(15, &[1, 3]).await;
    let aud = house.person("aud", "auditor").await;
    (house, aud)
}

fn cents(amount: &Value) -> i64 {
    let text = amount.as_str().expect("an amount");
    text.replace('.', "").parse().expect("cents")
}

fn list<'a>(body: &'a Value, name: &str) -> &'a Vec<Value> {
    body[name].as_array().expect("a list")
}

/// A short period has each batch, in its order, without a gap between one and the next, and each coin-in.
#[tokio::test]
async fn every_step_of_a_short_period() {
    let (house, aud) = played().await;
    let history = aud.get(&format!("{PATH}?points=1000")).await.is(200).body;
    assert_eq!(history["is_each_batch"], true);
    let points = list(&history, "points");
    let batches = history["to_batch"].as_u64().expect("a number")
        - history["from_batch"].as_u64().expect("a number");
    assert_eq!(u64::try_from(points.len()).expect("a number"), batches);
    for pair in points.windows(2) {
        assert_eq!(pair[0]["amount"]["last"], pair[1]["amount"]["first"]);
        assert_eq!(pair[0]["reserve"]["last"], pair[1]["reserve"]["first"]);
    }
    let meters = house.nobody().get("/v1/links/main/meters").await.is(200);
    let last = points.last().expect("a point");
    assert_eq!(last["amount"]["last"], meters["levels"][0]["amount"]);
    let coin_ins = list(&history, "coin_ins");
    assert_eq!(coin_ins.len(), 32);
    assert_eq!(
        (
            &coin_ins[0]["round"],
            &coin_ins[0]["table"],
            &coin_ins[0]["amount"]
        ),
        (&json!("T1.1"), &json!("T1"), &json!("0.18"))
    );
    let hits = list(&history, "hits");
    let shown: Vec<_> = hits
        .iter()
        .map(|hit| (&hit["state"], &hit["percent"]))
        .collect();
    assert_eq!(
        shown,
        [
            (&json!("paid"), &json!(100)),
            (&json!("rejected"), &json!(100))
        ]
    );
    // 16 coin-ins of two wagers at nine cents each were there.
    assert_eq!(
        (&hits[0]["before"], &hits[0]["after"]),
        (&json!("10002.88"), &json!("10000.00"))
    );
    let dropped = points
        .iter()
        .find(|point| point["amount"]["min"] != point["amount"]["first"]);
    let dropped = &dropped.expect("a drop")["amount"];
    assert_eq!(
        (&dropped["first"], &dropped["last"]),
        (&hits[0]["before"], &hits[0]["after"])
    );
    house.end().await;
}

/// However few the stretches are, the greatest and the least amount of the period are in them, as the steps have them.
#[tokio::test]
async fn no_extreme_is_lost() {
    let (house, aud) = played().await;
    let whole = aud.get(&format!("{PATH}?points=2000")).await.is(200).body;
    let (from, to) = (
        whole["from"].as_str().expect("a time"),
        whole["to"].as_str().expect("a time"),
    );
    let amounts = |history: &Value, name: &str| {
        let points = list(history, "points").iter();
        points
            .map(|point| cents(&point["amount"][name]))
            .collect::<Vec<_>>()
    };
    let (highest, lowest) = (amounts(&whole, "max"), amounts(&whole, "min"));
    for points in [1, 2, 7, 40] {
        let path = format!("{PATH}?points={points}&from={from}&to={to}");
        let history = aud.get(&path).await.is(200).body;
        assert_eq!(history["is_each_batch"], false);
        assert_eq!(history["coin_ins"], Value::Null);
        assert_eq!(list(&history, "points").len(), points);
        assert_eq!(amounts(&history, "max").iter().max(), highest.iter().max());
        assert_eq!(amounts(&history, "min").iter().min(), lowest.iter().min());
        for pair in list(&history, "points").windows(2) {
            assert_eq!(pair[0]["amount"]["last"], pair[1]["amount"]["first"]);
            assert_eq!(pair[0]["to"], pair[1]["from"]);
        }
        for point in list(&history, "points") {
            let [first, min, max, last] =
                ["first", "min", "max", "last"].map(|name| cents(&point["amount"][name]));
            assert!(min <= first.min(last) && max >= first.max(last), "{point}");
        }
        assert_eq!(list(&history, "hits").len(), 2);
    }
    house.end().await;
}

/// What is no history: another level, a period that is reversed or over before the opening, too many points, no right.
#[tokio::test]
async fn what_is_refused() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let aud = house.person("aud", "auditor").await;
    let other = "/v1/links/main/levels/grand/history";
    drop(aud.get(other).await.problem(422, "no_such_level"));
    let other = "/v1/links/other/levels/mega/history";
    drop(aud.get(other).await.problem(404, "unknown_link"));
    for wrong in [
        "?points=0",
        "?points=2001",
        "?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z",
        "?after=1",
    ] {
        let refused = aud.get(&format!("{PATH}{wrong}")).await;
        drop(refused.problem(400, "invalid_parameter"));
    }
    let early = aud.get(&format!("{PATH}?to=2020-01-01T00:00:00Z")).await;
    drop(early.problem(404, "not_open_yet"));
    drop(
        house
            .nobody()
            .get(PATH)
            .await
            .problem(401, "unauthenticated"),
    );
    let table = house.dealer("T1").await.caller;
    drop(table.get(PATH).await.problem(403, "forbidden"));
    // A period that begins in the future is empty: it ends now.
    let empty = aud.get(&format!("{PATH}?from=2999-01-01T00:00:00Z")).await;
    let empty = empty.is(200);
    assert_eq!(
        (&empty["points"], &empty["coin_ins"]),
        (&json!([]), &json!([]))
    );
    house.end().await;
}
