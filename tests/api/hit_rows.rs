//! What people read of a hit is what was decided: its rows are compared with the journal before they are shown or paid.

use meterhouse_tests::{Dealer, FIVE_CARD_C, House, Supervisor};
use serde_json::Value;

/// A royal flush of $10,000.09 on seat 1 that waits for a supervisor: T1's second command.
async fn with_royal() -> (House, Dealer, Supervisor) {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let dealer = dealers.into_iter().next().expect("one table");
    drop(dealer.coin_in(&[1]).await.created());
    drop(
        dealer
            .hit(1, "royal-flush", "As Ks Qs Js Ts")
            .await
            .created(),
    );
    let sam = house.supervisor("sam").await;
    (house, dealer, sam)
}

fn only_hit(list: &Value) -> &Value {
    let hits = list["hits"].as_array().expect("hits");
    assert_eq!(hits.len(), 1, "{list}");
    &hits[0]
}

/// Reads the hit alone and in the lists: alone it is refused, in lists it is as the journal has it.
async fn assert_differs(sam: &Supervisor, due: &str, state: &str) {
    let told = sam
        .caller
        .get("/v1/hits/T1.2")
        .await
        .problem(503, "hit_differs");
    assert_eq!(told["fields"]["hit"], "T1.2");
    for path in ["/v1/hits", "/v1/hits?link=main"] {
        let list = sam.caller.get(path).await.is(200);
        let hit = only_hit(&list.body);
        assert_eq!(
            (hit["due"].as_str(), hit["state"].as_str()),
            (Some(due), Some(state)),
            "{hit}"
        );
    }
}

/// CONFORMANCE 57: five thousand dollars too much in the rows of a hit are neither shown nor paid.
#[tokio::test]
async fn a_changed_amount_is_neither_shown_nor_paid() {
    let (house, dealer, sam) = with_royal().await;
    let shown = sam.caller.get("/v1/hits/T1.2").await.is(200);
    let due = shown.text("due").to_owned();
    drop(sam.approve("T1.2").await.created());
    let change = |by: &str| {
        format!(
            "UPDATE hit SET due = due {by} 5000000000;
             UPDATE payout SET amount = amount {by} 5000000000"
        )
    };
    assert!(house.database.tamper(&change("+")).await > 0);
    assert_differs(&sam, &due, "validated").await;
    drop(sam.pay("T1.2", 1, "JP-1").await.problem(503, "hit_differs"));
    assert!(house.database.tamper(&change("-")).await > 0);
    let shown = sam.caller.get("/v1/hits/T1.2").await.is(200);
    assert_eq!(
        shown["payouts"][0]["paid_at"],
        Value::Null,
        "nothing was paid"
    );
    assert_eq!(shown.text("due"), due);
    drop(sam.pay("T1.2", 1, "JP-1").await.created());
    drop(dealer.close().await.created());
    house.end().await;
}

/// A row that hides its payment is no true row of an earlier moment, also long after the round.
#[tokio::test]
async fn a_hidden_payment_is_found() {
    let (house, dealer, sam) = with_royal().await;
    drop(sam.approve("T1.2").await.created());
    drop(sam.pay("T1.2", 1, "JP-1").await.created());
    drop(dealer.close().await.created());
    let due = sam
        .caller
        .get("/v1/hits/T1.2")
        .await
        .is(200)
        .text("due")
        .to_owned();
    // The round's hit leaves the link's state behind 25 later ones of its level.
    for _ in 0..26 {
        drop(dealer.coin_in(&[1]).await.created());
        let hit = dealer.named(dealer.next());
        drop(
            dealer
                .hit(1, "royal-flush", "As Ks Qs Js Ts")
                .await
                .created(),
        );
        drop(sam.approve(&hit).await.created());
        let document = format!("JP-{hit}");
        drop(sam.pay(&hit, 1, &document).await.created());
        drop(dealer.close().await.created());
    }
    let of = "WHERE sequence = 2";
    let hide = format!(
        "CREATE TABLE kept AS SELECT * FROM payout {of};
         UPDATE hit SET state = 3 {of};
         UPDATE payout SET paid_at = NULL, paid_by_actor = NULL, document = NULL {of}"
    );
    assert!(house.database.tamper(&hide).await > 0);
    drop(
        sam.caller
            .get("/v1/hits/T1.2")
            .await
            .problem(503, "hit_differs"),
    );
    let show = format!(
        "UPDATE hit SET state = 4 {of}; DELETE FROM payout {of}; INSERT INTO payout SELECT * FROM kept"
    );
    assert!(house.database.tamper(&show).await > 0);
    assert_eq!(
        sam.caller.get("/v1/hits/T1.2").await.is(200).text("due"),
        due
    );
    house.end().await;
}

/// A row whose hit was never recorded is not shown at all.
#[tokio::test]
async fn an_invented_hit_is_not_shown() {
    let (house, _dealer, sam) = with_royal().await;
    let invent = "INSERT INTO hit SELECT link_id, table_no, 9999, 9999, round, state, kind, hand, seat, level,
        percent, before, after, due, keyed_by_actor, keyed_by, keyed_at, decided_by_actor, decided_by,
        decided_at, note, cards, validated_cards, payout_count FROM hit";
    assert!(house.database.tamper(invent).await > 0);
    drop(
        sam.caller
            .get("/v1/hits/T1.9999")
            .await
            .problem(503, "hit_differs"),
    );
    let list = sam.caller.get("/v1/hits?link=main").await.is(200);
    assert_eq!(only_hit(&list.body)["hit"], "T1.2");
    house
        .database
        .tamper("DELETE FROM hit WHERE sequence = 9999")
        .await;
    house.end().await;
}
