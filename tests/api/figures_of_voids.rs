//! Void rounds and the dealer's hand: figures G, L and M over the wire.

use meterhouse_tests::{FIVE_CARD_A, HAND_BONUS, House};
use serde_json::{Value, json};

use crate::figures::{paid, payouts};

/// Figure G: the dealer's royal is divided equally; what is cut stays on the meter, the reserve joins it.
#[tokio::test]
async fn figure_g_the_dealers_hand() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let wager = |seat: u8| json!({"seat": seat, "amount": "1.00", "on": "dealer"});
    let wagers: Vec<Value> = [1, 3, 4].map(wager).to_vec();
    let locked = dealer
        .send(&json!({"coin_in": {"wagers": wagers, "dealt": [1, 3, 4]}}))
        .await;
    let locked = locked.created();
    assert_eq!(locked.levels(), ["10000.39"]);
    assert_eq!(
        (&locked["seats"], &locked["dealer_seats"]),
        (&json!([]), &json!([1, 3, 4]))
    );
    let royal = dealer.dealer_hit("royal-flush").await.created();
    let each = [
        ("line", 4, "3333.46"),
        ("line", 3, "3333.46"),
        ("line", 1, "3333.46"),
    ];
    assert_eq!(payouts(&royal.body), paid(&each));
    assert_eq!(
        (royal.text("due"), royal.text("after")),
        ("10000.38", "0.25")
    );
    assert_eq!(royal["dealer"], true);
    let sam = house.supervisor("sam").await;
    drop(sam.approve("T1.2").await.created());
    for payout in 1..=3 {
        drop(dealer.close().await.problem(422, "hit_unsettled"));
        drop(
            sam.pay("T1.2", payout, &format!("JP-{payout}"))
                .await
                .created(),
        );
    }
    drop(dealer.close().await.created());
    house.end().await;
}

/// Figure G: by players, not boxes, recorded on a player's first seat in turn order.
#[tokio::test]
async fn figure_g_by_players() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let wager = |seat: u8, player: &str| json!({"seat": seat, "amount": "1.00", "on": "dealer", "player": player});
    let wagers = [wager(1, "p-1"), wager(3, "p-77"), wager(4, "p-77")];
    let locked = dealer
        .send(&json!({"coin_in": {"wagers": wagers, "dealt": [1, 3, 4]}}))
        .await;
    drop(locked.created());
    let royal = dealer.dealer_hit("royal-flush").await.created();
    assert_eq!(
        payouts(&royal.body),
        paid(&[("line", 4, "5000.19"), ("line", 1, "5000.19")])
    );
    house.end().await;
}

/// Figure L: what left the meter with somebody else's pay can't go back from there, and the house gives it.
#[tokio::test]
async fn figure_l_void_after_somebody_elses_pay() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    drop(t1.coin_in(&[1]).await.created());
    assert_eq!(
        t2.coin_in(&[1, 2, 3, 4, 5, 6]).await.created().levels(),
        ["10001.47"]
    );
    let royal = t1.hit_unseen(1, "royal-flush").await.created();
    assert_eq!(royal.text("due"), "10001.47");
    assert_eq!(t2.void("misdeal").await.created().levels(), ["10000.00"]);
    let books = house.manager().await.books("main").await.is(200);
    assert_eq!(
        books["levels"][0]["contributions"], "0.21",
        "{}",
        books.text
    );
    assert_eq!(t1.cancel(2).await.created().levels(), ["10001.47"]);
    house.end().await;
}

/// Figure L: the same after a pay of ten percent.
#[tokio::test]
async fn figure_l_void_after_a_partial_pay() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    drop(t1.coin_in(&[1, 2, 3, 4, 5, 6]).await.created());
    drop(t2.coin_in(&[1]).await.created());
    let tenth = t2.hit_unseen(1, "straight-flush").await.created();
    assert_eq!(
        (tenth.text("due"), tenth.text("after")),
        ("1000.14", "9001.33")
    );
    assert_eq!(t1.void("misdeal").await.created().levels(), ["9001.33"]);
    house.end().await;
}

/// Figure M: the void of the round that hit gives the hit back and then its contributions.
#[tokio::test]
async fn figure_m_void_of_the_round_that_hit() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    drop(t1.coin_in(&[1, 2, 3, 4, 5, 6]).await.created());
    assert_eq!(
        t1.hit_unseen(6, "royal-flush").await.created().text("due"),
        "10001.26"
    );
    assert_eq!(
        t2.coin_in(&[1, 2, 3, 4, 5, 6]).await.created().levels(),
        ["10001.26"]
    );
    let void = t1.void("misdeal").await.created();
    assert_eq!(
        (void.levels(), &void["hits"]),
        (vec!["10001.26".to_owned()], &json!(["T1.2"]))
    );
    let hit = house.supervisor("sam").await.hit("T1.2").await.is(200);
    assert_eq!(hit.text("state"), "void");
    house.end().await;
}
