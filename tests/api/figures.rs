//! The worked figures of the rules page over the wire, as far as the amounts that links open with allow.

use meterhouse_tests::{FIVE_CARD_A, FIVE_CARD_C, FOUR_CARD_A, HAND_BONUS, House};
use serde_json::{Value, json};

const ROYAL: &str = "As Ks Qs Js Ts";

/// What the payouts of a hit or an answer say: kind, seat, amount.
fn payouts(body: &Value) -> Vec<(String, u64, String)> {
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let payouts = body["payouts"].as_array().cloned().unwrap_or_default();
    let one = |it: &Value| {
        (text(&it["kind"]), it["seat"].as_u64().unwrap_or_default(), text(&it["amount"]))
    };
    payouts.iter().map(one).collect()
}

fn paid(expected: &[(&str, u64, &str)]) -> Vec<(String, u64, String)> {
    let owned = |(kind, seat, amount): &(&str, u64, &str)| {
        ((*kind).to_owned(), *seat, (*amount).to_owned())
    };
    expected.iter().map(owned).collect()
}

/// Figure A and the first steps: a coin-in of three, a royal, its validation, its slip, GAME OVER.
#[tokio::test]
async fn figure_a_and_the_first_steps() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["C4P-07"]).await;
    let [dealer] = &dealers[..] else { panic!("one table") };
    assert_eq!(house.meters("main").await, ["10000.00", "1000.00", "250.00"]);

    let locked = dealer.coin_in(&[1, 3, 5]).await.created();
    assert_eq!(locked.levels(), ["10000.27", "1000.21", "250.09"]);
    assert_eq!((&locked["round"], &locked["seats"]), (&json!("C4P-07.1"), &json!([1, 3, 5])));
    assert_eq!(locked["levels"][0]["contribution"], "0.27");

    let hit = dealer.hit(3, "royal-flush", ROYAL).await.created();
    assert_eq!((hit.text("due"), hit.text("envy_due")), ("10000.27", "2000.00"));
    assert_eq!((hit.text("state"), hit.text("level")), ("pending", "mega"));
    assert_eq!((hit.text("before"), hit.text("after")), ("10000.27", "10000.00"));
    let expected =
        paid(&[("line", 3, "10000.27"), ("envy", 5, "1000.00"), ("envy", 1, "1000.00")]);
    assert_eq!(payouts(&hit.body), expected);
    assert_eq!(house.meters("main").await, ["10000.00", "1000.21", "250.09"]);

    let sam = house.supervisor("sam").await;
    let seen = sam.hit("C4P-07.2").await.is(200);
    assert_eq!(seen["evaluation"], json!({"ranking": "five-card", "hand": "royal-flush", "agrees": true}));
    drop(dealer.close().await.problem(422, "hit_unsettled"));
    drop(sam.approve("C4P-07.2").await.created());
    drop(dealer.close().await.problem(422, "hit_unsettled"));
    let slip = sam.pay("C4P-07.2", 1, "JP-000001").await.created();
    assert_eq!((slip.text("amount"), slip.text("document")), ("10000.27", "JP-000001"));
    let closed = dealer.close().await.created();
    assert_eq!(closed["hits"], json!(["C4P-07.2"]), "the envy is handed over with GAME OVER");

    let settled = sam.hit("C4P-07.2").await.is(200);
    assert_eq!(settled.text("state"), "paid");
    assert_eq!(payouts(&settled.body), expected);
    assert_eq!(house.meters("main").await, ["10000.00", "1000.21", "250.09"]);
    house.end().await;
}

/// Figure H with a single meter at its seed: the royals of two tables, the third table's coin-in between them, and
/// the order of their hits proves which came first.
#[tokio::test]
async fn figure_h_three_tables() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2", "T3"]).await;
    let [t1, t2, t3] = &dealers[..] else { panic!("three tables") };
    drop(t1.coin_in(&[1]).await.created());
    drop(t3.coin_in(&[6]).await.created());
    let first = t1.hit_unseen(1, "royal-flush").await.created();
    assert_eq!((first.text("due"), &first["order"]), ("10000.42", &json!(1)));
    let locked = t2.coin_in(&[1, 2, 3, 4, 5, 6]).await.created();
    assert_eq!(locked.levels(), ["10001.26"]);
    let second = t3.hit_unseen(6, "royal-flush").await.created();
    assert_eq!((second.text("due"), &second["order"]), ("10001.26", &json!(2)));
    assert_eq!(house.meters("main").await, ["10000.00"]);
    // T1's button was pressed by accident, but T3's amount depends on it.
    let refused = t1.cancel(2).await.problem(422, "later_hits");
    assert_eq!(refused["fields"]["hits"], "T3.2");
    // T3 takes its own back, then T1 can: both contributions and T2's are there again.
    drop(t3.cancel(2).await.created());
    assert_eq!(house.meters("main").await, ["10001.26"]);
    drop(t1.cancel(2).await.problem(422, "later_hits").is(422));
    house.end().await;
}
