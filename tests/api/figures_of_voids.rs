//! Void rounds and the dealer's hand: figures G, J, K, L and M over the wire.

use meterhouse_tests::{Dealer, FIVE_CARD_A, HAND_BONUS, House};
use serde_json::{Value, json};

use crate::figures::{paid, payouts};

/// Figure G: the dealer's royal is divided equally; what is cut stays on the meter, the reserve joins it. Who has
/// folded shares all the same.
#[tokio::test]
async fn figure_g_the_dealers_hand() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let locked = dealer.coin_in_on_dealer(&[1, 3, 4]).await.created();
    assert_eq!(
        (&locked["seats"], &locked["dealer_seats"]),
        (&json!([]), &json!([1, 3, 4]))
    );
    house.set_meter("10000.01").await;
    house.set_reserve("500.00").await;
    let royal = dealer
        .dealer_hit("royal-flush")
        .await
        .created()
        .recorded_hit();
    let each = [
        ("line", 4, "3333.33"),
        ("line", 3, "3333.33"),
        ("line", 1, "3333.33"),
    ];
    assert_eq!(payouts(&royal.body), paid(&each));
    assert_eq!(
        (royal.text("due"), royal.text("after")),
        ("9999.99", "500.02")
    );
    drop(dealer.cancel(2).await.created());
    assert_eq!(house.first_level().await, ["10000.01", "500.00", "0.00"]);
    drop(dealer.fold(&[3]).await.created());
    let royal = dealer
        .dealer_hit("royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(payouts(&royal.body), paid(&each));
    assert_eq!(royal["dealer"], true);
    let sam = house.supervisor("sam").await;
    drop(sam.approve("T1.5").await.created());
    for payout in 1..=3 {
        drop(dealer.close().await.problem(422, "hit_unsettled"));
        let document = format!("JP-{payout}");
        drop(sam.pay("T1.5", payout, &document).await.created());
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
        .send(&json!({"command": "coin_in", "wagers": wagers, "dealt": [1, 3, 4]}))
        .await;
    drop(locked.created());
    house.set_meter("10000.00").await;
    let royal = dealer
        .dealer_hit("royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(
        payouts(&royal.body),
        paid(&[("line", 4, "5000.00"), ("line", 1, "5000.00")])
    );
    house.end().await;
}

/// CONFORMANCE 18: the dealer's hand is divided by who wagered on it, a tenth as well as all of it.
#[tokio::test]
async fn shares_of_the_dealers_hand() {
    for (hand, each, after) in [
        ("royal-flush", "7666.66", "8000.02"),
        ("straight-flush", "766.66", "20700.02"),
    ] {
        let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
        let [dealer] = &dealers[..] else {
            panic!("one table")
        };
        drop(dealer.coin_in_on_dealer(&[1, 2, 3]).await.created());
        house.set_meter("23000.00").await;
        house.set_reserve("8000.00").await;
        let hit = dealer.dealer_hit(hand).await.created().recorded_hit();
        let shares = [3, 2, 1].map(|seat| ("line", seat, each));
        assert_eq!(payouts(&hit.body), paid(&shares), "{hand}");
        assert_eq!(hit.text("after"), after, "{hand}");
        house.end().await;
    }
}

/// Figure J, and CONFORMANCE 20: who wagers on both hands is paid for both, for each once.
#[tokio::test]
async fn figure_j_both_hands() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let own = json!({"seat": 1, "amount": "1.00"});
    let on_dealer = json!({"seat": 1, "amount": "1.00", "on": "dealer"});
    let coin_in = json!({"command": "coin_in", "wagers": [own, on_dealer], "dealt": [1]});
    drop(dealer.send(&coin_in).await.created());
    let flush = dealer
        .hit(1, "flush", "Ah Jh 9h 5h 2h")
        .await
        .created()
        .recorded_hit();
    let state = ("validated_by_rule", "50.00");
    assert_eq!((flush.text("state"), flush.text("due")), state);
    let again = dealer.hit_unseen(1, "full-house").await;
    drop(again.problem(422, "already_hit"));
    let full = dealer
        .dealer_hit("full-house")
        .await
        .created()
        .recorded_hit();
    assert_eq!(payouts(&full.body), paid(&[("line", 1, "100.00")]));
    assert_eq!(full["payouts"][0]["handed_over"], "game_account");
    drop(
        dealer
            .dealer_hit("full-house")
            .await
            .problem(422, "already_hit"),
    );
    drop(dealer.close().await.created());
    house.end().await;
}

/// A table of the Five Card Hand Bonus with seat 5's own wager and these on the dealer's hand.
async fn figure_k(on_dealer: [u8; 2]) -> (House, Dealer) {
    let (house, mut dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let dealer = dealers.remove(0);
    let mut wagers: Vec<Value> = on_dealer
        .map(|seat| json!({"seat": seat, "amount": "1.00", "on": "dealer"}))
        .to_vec();
    wagers.push(json!({"seat": 5, "amount": "1.00"}));
    let coin_in = json!({"command": "coin_in", "wagers": wagers, "dealt": [2, 4, 5, 6]});
    drop(dealer.send(&coin_in).await.created());
    house.set_meter("20000.00").await;
    house.set_reserve("5000.00").await;
    (house, dealer)
}

/// Figure K: the dealer's hand is paid at the turn of the first seat that wagered on it, here before seat 5.
#[tokio::test]
async fn figure_k_the_dealer_first() {
    let (house, dealer) = figure_k([6, 2]).await;
    drop(dealer.hit_unseen(5, "straight-flush").await.created());
    drop(
        dealer
            .dealer_hit("royal-flush")
            .await
            .problem(422, "out_of_turn"),
    );
    drop(dealer.cancel(2).await.created());
    let royal = dealer
        .dealer_hit("royal-flush")
        .await
        .created()
        .recorded_hit();
    let each = [("line", 6, "10000.00"), ("line", 2, "10000.00")];
    assert_eq!(payouts(&royal.body), paid(&each));
    assert_eq!(royal.text("after"), "5000.00");
    let tenth = dealer
        .hit_unseen(5, "straight-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(
        (tenth.text("due"), tenth.text("after")),
        ("500.00", "4500.00")
    );
    house.end().await;
}

/// Figure K: here after seat 5.
#[tokio::test]
async fn figure_k_seat_5_first() {
    let (house, dealer) = figure_k([4, 2]).await;
    let tenth = dealer
        .hit_unseen(5, "straight-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(
        (tenth.text("due"), tenth.text("after")),
        ("2000.00", "18000.00")
    );
    let royal = dealer
        .dealer_hit("royal-flush")
        .await
        .created()
        .recorded_hit();
    let each = [("line", 4, "9000.00"), ("line", 2, "9000.00")];
    assert_eq!(payouts(&royal.body), paid(&each));
    assert_eq!(royal.text("after"), "5000.00");
    house.end().await;
}

/// Figure L, and CONFORMANCE 28: what left the meter with somebody else's pay can't go back from there; the house gives
/// it, the reserve gives back its own.
#[tokio::test]
async fn figure_l_void_after_somebody_elses_pay() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    drop(t2.coin_in(&[1]).await.created());
    house.set_meter("0.00").await;
    house.set_reserve("0.00").await;
    assert_eq!(
        t1.coin_in(&[1, 2, 3, 4, 5, 6]).await.created().levels(),
        ["0.78"]
    );
    let tenth = t2
        .hit_unseen(1, "straight-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!((tenth.text("due"), tenth.text("after")), ("0.07", "0.71"));
    assert_eq!(house.first_level().await, ["0.71", "0.48", "0.00"]);
    let before = house.house_put_in().await;
    assert_eq!(t1.void("misdeal").await.created().levels(), ["0.71"]);
    assert_eq!(house.first_level().await, ["0.71", "0.00", "0.00"]);
    let gave = house.house_put_in().await.minus(before).expect("an amount");
    assert_eq!(gave.to_string(), "0.78");
    house.end().await;
}

/// Figure L: the same after a pay of ten percent of a full meter.
#[tokio::test]
async fn figure_l_void_after_a_partial_pay() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    drop(t2.coin_in(&[1]).await.created());
    house.set_meter("10000.00").await;
    let locked = t1.coin_in(&[1, 2, 3, 4, 5, 6]).await.created();
    assert_eq!(locked.levels(), ["10001.26"]);
    let tenth = t2
        .hit_unseen(1, "straight-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(
        (tenth.text("due"), tenth.text("after")),
        ("1000.12", "9001.14")
    );
    assert_eq!(t1.void("misdeal").await.created().levels(), ["9001.14"]);
    house.end().await;
}

/// Figure L: after a win; and the win, cancelled later, gives back what is there to give.
#[tokio::test]
async fn figure_l_void_after_a_win() {
    let names = ["T1", "T2", "T3", "T4", "T5", "T6"];
    let (house, dealers) = House::playing(FIVE_CARD_A, &names).await;
    let [t1, others @ ..] = &dealers[..] else {
        panic!("six tables")
    };
    drop(t1.coin_in(&[1]).await.created());
    house.set_meter("30000.00").await;
    for other in others {
        drop(other.coin_in(&[1, 2, 3, 4, 5, 6]).await.created());
    }
    let royal = t1
        .hit_unseen(1, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(
        (royal.text("due"), royal.text("after")),
        ("30006.30", "10000.00")
    );
    let before = house.house_put_in().await;
    for other in others {
        assert_eq!(other.void("misdeal").await.created().levels(), ["10000.00"]);
    }
    let gave = house.house_put_in().await.minus(before).expect("an amount");
    assert_eq!(gave.to_string(), "6.30");
    assert_eq!(t1.cancel(2).await.created().levels(), ["30006.30"]);
    house.end().await;
}

/// Figure M, and CONFORMANCE 28: the void of the round that hit gives the hit back and then its contributions.
#[tokio::test]
async fn figure_m_void_of_the_round_that_hit() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    house.set_meter("30000.00").await;
    drop(t1.coin_in(&[1, 2, 3, 4, 5, 6]).await.created());
    let royal = t1
        .hit_unseen(6, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(royal.text("due"), "30001.26");
    t2.rounds(5, &[1, 2, 3, 4, 5, 6]).await;
    assert_eq!(house.meters("main").await, ["10006.30"]);
    let void = t1.void("misdeal").await.created();
    assert_eq!(
        (void.levels(), &void["hits"]),
        (vec!["30006.30".to_owned()], &json!(["T1.2"]))
    );
    let sam = house.supervisor("sam").await;
    let hit = sam.hit("T1.2").await.is(200);
    assert_eq!(hit.text("state"), "void");
    let books = sam
        .caller
        .get("/v1/links/main/reconciliation")
        .await
        .is(200);
    assert_eq!(
        books["levels"][0]["contributions"], "6.30",
        "{}",
        books.text
    );
    house.end().await;
}
