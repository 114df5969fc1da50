//! Figures A, H and I over the wire.

use meterhouse_tests::{Dealer, FIVE_CARD_A, FIVE_CARD_C, FOUR_CARD_A, House};
use serde_json::{Value, json};

const ROYAL: &str = "As Ks Qs Js Ts";

/// What the payouts of a hit or an answer say: kind, seat, amount.
pub(crate) fn payouts(body: &Value) -> Vec<(String, u64, String)> {
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let payouts = body["payouts"].as_array().cloned().unwrap_or_default();
    let one = |it: &Value| {
        (
            text(&it["kind"]),
            it["seat"].as_u64().unwrap_or_default(),
            text(&it["amount"]),
        )
    };
    payouts.iter().map(one).collect()
}

pub(crate) fn paid(expected: &[(&str, u64, &str)]) -> Vec<(String, u64, String)> {
    let owned = |(kind, seat, amount): &(&str, u64, &str)| {
        ((*kind).to_owned(), *seat, (*amount).to_owned())
    };
    expected.iter().map(owned).collect()
}

/// Figure A and the first steps: a coin-in of three, a royal, its validation, its slip, GAME OVER.
#[tokio::test]
async fn figure_a_and_the_first_steps() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["C4P-07"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    assert_eq!(
        house.meters("main").await,
        ["10000.00", "1000.00", "250.00"]
    );

    let locked = dealer.coin_in(&[1, 3, 5]).await.created();
    assert_eq!(locked.levels(), ["10000.27", "1000.21", "250.09"]);
    assert_eq!(
        (&locked["round"], &locked["seats"]),
        (&json!("C4P-07.1"), &json!([1, 3, 5]))
    );
    assert_eq!(locked["levels"][0]["contribution"], "0.27");

    let hit = dealer
        .hit(3, "royal-flush", ROYAL)
        .await
        .created()
        .recorded_hit();
    assert_eq!(
        (hit.text("due"), hit.text("envy_due")),
        ("10000.27", "2000.00")
    );
    assert_eq!((hit.text("state"), hit.text("level")), ("pending", "mega"));
    assert_eq!(
        (hit.text("before"), hit.text("after")),
        ("10000.27", "10000.00")
    );
    let expected = paid(&[
        ("line", 3, "10000.27"),
        ("envy", 5, "1000.00"),
        ("envy", 1, "1000.00"),
    ]);
    assert_eq!(payouts(&hit.body), expected);
    assert_eq!(
        house.meters("main").await,
        ["10000.00", "1000.21", "250.09"]
    );

    let sam = house.supervisor("sam").await;
    let seen = sam.hit("C4P-07.2").await.is(200);
    assert_eq!(
        seen["evaluation"],
        json!({"ranking": "five-card", "hand": "royal-flush", "agrees": true})
    );
    drop(dealer.close().await.problem(422, "hit_unsettled"));
    drop(sam.approve("C4P-07.2").await.created());
    drop(dealer.close().await.problem(422, "hit_unsettled"));
    let slip = sam.pay("C4P-07.2", 1, "JP-000001").await.created();
    assert_eq!(
        (slip.text("amount"), slip.text("document")),
        ("10000.27", "JP-000001")
    );
    let closed = dealer.close().await.created();
    assert_eq!(
        closed["hits"],
        json!(["C4P-07.2"]),
        "the envy is handed over with GAME OVER"
    );

    let settled = sam.hit("C4P-07.2").await.is(200);
    assert_eq!(settled.text("state"), "paid");
    assert_eq!(payouts(&settled.body), expected);
    assert_eq!(
        house.meters("main").await,
        ["10000.00", "1000.21", "250.09"]
    );
    house.end().await;
}

/// Three tables at a meter of 30,000.00, T1 and T3 with a locked round.
async fn figure_h() -> (House, Vec<Dealer>) {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2", "T3"]).await;
    drop(dealers[0].coin_in(&[1]).await.created());
    drop(dealers[2].coin_in(&[6]).await.created());
    house.set_meter("30000.00").await;
    (house, dealers)
}

/// Figure H, and CONFORMANCE 23 and 24: what the server committed first is first, its numbers prove it, both tables see
/// it, and the others play on meanwhile.
#[tokio::test]
async fn figure_h_three_tables() {
    let (house, dealers) = figure_h().await;
    let [t1, t2, t3] = &dealers[..] else {
        panic!("three tables")
    };
    let first = t1
        .hit_unseen(1, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(
        (first.text("due"), &first["order"]),
        ("30000.00", &json!(1))
    );
    assert_eq!(house.meters("main").await, ["10000.00"]);
    t2.rounds(5, &[1, 2, 3, 4, 5, 6]).await;
    assert_eq!(house.meters("main").await, ["10006.30"]);
    let second = t3
        .hit_unseen(6, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(
        (second.text("due"), &second["order"]),
        ("10006.30", &json!(2))
    );
    assert_eq!(house.meters("main").await, ["10000.00"]);
    let locked = t1.resume().await;
    let hit = &locked["round"]["hits"][0];
    assert_eq!(
        (&hit["due"], &hit["state"]),
        (&json!("30000.00"), &json!("pending"))
    );
    house.end().await;
}

/// Figure H: had T2's coin-in come first, T1 had won it.
#[tokio::test]
async fn figure_h_the_other_order() {
    let (house, dealers) = figure_h().await;
    let [t1, t2, t3] = &dealers[..] else {
        panic!("three tables")
    };
    t2.rounds(5, &[1, 2, 3, 4, 5, 6]).await;
    let first = t1
        .hit_unseen(1, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(first.text("due"), "30006.30");
    let second = t3
        .hit_unseen(6, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(second.text("due"), "10000.00");
    house.end().await;
}

/// Figure H, and CONFORMANCE 26: an accidental hit is taken back with all that the others added since, unless another hit
/// depends on it.
#[tokio::test]
async fn figure_h_cancelled() {
    let (house, dealers) = figure_h().await;
    let [t1, t2, t3] = &dealers[..] else {
        panic!("three tables")
    };
    drop(t1.hit_unseen(1, "royal-flush").await.created());
    t2.rounds(5, &[1, 2, 3, 4, 5, 6]).await;
    assert_eq!(t1.cancel(2).await.created().levels(), ["30006.30"]);
    drop(t1.hit_unseen(1, "royal-flush").await.created());
    drop(t3.hit_unseen(6, "royal-flush").await.created());
    let refused = t1.cancel(4).await.problem(422, "later_hits");
    assert_eq!(refused["fields"]["hits"], "T3.2");
    // T3 takes its own back, then T1 can.
    assert_eq!(t3.cancel(2).await.created().levels(), ["10000.00"]);
    assert_eq!(t1.cancel(4).await.created().levels(), ["30006.30"]);
    house.end().await;
}

/// Figure I: everybody else of the table who made the wager is paid envy, whoever folded, and nobody twice.
#[tokio::test]
async fn figure_i_envy() {
    let (house, dealers) = House::playing(FOUR_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1, 2, 3, 5]).await.created());
    drop(dealer.fold(&[2]).await.created());
    let hit = dealer
        .hit(3, "four-aces", "As Ah Ad Ac 2s")
        .await
        .created()
        .recorded_hit();
    assert_eq!(hit.text("due"), "5001.16");
    let envy = [
        ("envy", 5, "100.00"),
        ("envy", 2, "100.00"),
        ("envy", 1, "100.00"),
    ];
    assert_eq!(payouts(&hit.body)[1..], paid(&envy));
    drop(dealer.cancel(3).await.created());
    let cancelled = house.supervisor("sam").await.hit("T1.3").await.is(200);
    assert_eq!(
        cancelled.text("state"),
        "cancelled",
        "its envy is reversed with it"
    );
    drop(dealer.close().await.created());
    house.end().await;
}

/// Figure I: seats of one player are the holder's own, and pay him nothing.
#[tokio::test]
async fn figure_i_two_seats_of_one_player() {
    let (house, dealers) = House::playing(FOUR_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let wager = |seat: u8, player: &str| json!({"seat": seat, "amount": "1.00", "player": player});
    let wagers = [
        wager(1, "p-1"),
        wager(2, "p-2"),
        wager(3, "p-3"),
        wager(4, "p-3"),
    ];
    let locked = dealer
        .send(&json!({"command": "coin_in", "wagers": wagers, "dealt": [1, 2, 3, 4]}))
        .await;
    drop(locked.created());
    let hit = dealer
        .hit_unseen(3, "four-aces")
        .await
        .created()
        .recorded_hit();
    let envy = [("envy", 2, "100.00"), ("envy", 1, "100.00")];
    assert_eq!(payouts(&hit.body)[1..], paid(&envy));
    house.end().await;
}

/// Figure I: a holder without a wager wins nothing, and the others get their envy all the same.
#[tokio::test]
async fn figure_i_a_holder_without_a_wager() {
    let (house, dealers) = House::playing(FOUR_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let wagers: Vec<Value> = [1, 2, 5]
        .map(|seat| json!({"seat": seat, "amount": "1.00"}))
        .to_vec();
    let coin_in = json!({"command": "coin_in", "wagers": wagers, "dealt": [1, 2, 3, 5]});
    drop(dealer.send(&coin_in).await.created());
    drop(
        dealer
            .hit_unseen(3, "four-aces")
            .await
            .problem(422, "no_wager"),
    );
    let envy = dealer
        .send(&json!({"command": "envy", "seat": 3, "hand": "four-aces"}))
        .await
        .created()
        .recorded_hit();
    assert_eq!((envy.text("kind"), envy.text("due")), ("envy", "0.00"));
    let expected = [
        ("envy", 5, "100.00"),
        ("envy", 2, "100.00"),
        ("envy", 1, "100.00"),
    ];
    assert_eq!(payouts(&envy.body), paid(&expected));
    drop(dealer.close().await.problem(422, "hit_unsettled"));
    drop(
        house
            .supervisor("sam")
            .await
            .approve("T1.3")
            .await
            .created(),
    );
    drop(dealer.close().await.created());
    house.end().await;
}

/// Figure I: two qualifying hands pay each other, and a rejected one takes its envy with it.
#[tokio::test]
async fn figure_i_two_qualifying_hands() {
    let (house, dealers) = House::playing(FOUR_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1, 3, 5]).await.created());
    let first = dealer
        .hit_unseen(5, "four-aces")
        .await
        .created()
        .recorded_hit();
    let second = dealer
        .hit_unseen(3, "four-of-a-kind")
        .await
        .created()
        .recorded_hit();
    let of_aces = [("envy", 3, "100.00"), ("envy", 1, "100.00")];
    assert_eq!(payouts(&first.body)[1..], paid(&of_aces));
    let of_a_kind = [("envy", 5, "10.00"), ("envy", 1, "10.00")];
    assert_eq!(payouts(&second.body)[1..], paid(&of_a_kind));
    let sam = house.supervisor("sam").await;
    drop(sam.approve("T1.3").await.created());
    drop(sam.reject("T1.2").await.created());
    let closed = dealer.close().await.created();
    assert_eq!(
        closed["hits"],
        json!(["T1.3"]),
        "the rejected hit pays no envy"
    );
    house.end().await;
}
