//! `settle`: the whole round from its cards, hit by hit as the dealer's buttons would have it.

use meterhouse_tests::client::settle;
use meterhouse_tests::{FIVE_CARD_A, FOUR_CARD_A, HAND_BONUS, House};
use serde_json::{Value, json};

use crate::figures::{paid, payouts};

/// Straight flushes on seats 5 and 1, a royal on 3, nothing on 2.
const FIGURE_F: [(u8, &str); 4] = [
    (1, "Kh Qh Jh Th 9h"),
    (2, "2c 5d 7h 9s Jc"),
    (3, "As Ks Qs Js Ts"),
    (5, "Kd Qd Jd Td 9d"),
];

/// What the hits of an answer are: name, seat (none for the dealer's), hand, due.
fn hits(body: &Value) -> Vec<(String, Option<u64>, String, String)> {
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let hits = body["hits"].as_array().expect("hits");
    hits.iter()
        .map(|it| {
            (
                text(&it["hit"]),
                it["seat"].as_u64(),
                text(&it["hand"]),
                text(&it["due"]),
            )
        })
        .collect()
}

fn hit(name: &str, seat: u64, hand: &str, due: &str) -> (String, Option<u64>, String, String) {
    (name.to_owned(), Some(seat), hand.to_owned(), due.to_owned())
}

/// Figure F, and CONFORMANCE 12: the server forms the hands and puts them into turn order, and the hits are those of the
/// single commands; each has its own name for the floor.
#[tokio::test]
async fn figure_f_from_its_cards() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1, 2, 3, 5]).await.created());
    house.set_meter("20000.00").await;
    let settled = dealer.send(&settle("", &FIGURE_F)).await.created();
    let expected = [
        hit("T1.2.1", 5, "straight-flush", "2000.00"),
        hit("T1.2.2", 3, "royal-flush", "18000.00"),
        hit("T1.2.3", 1, "straight-flush", "1000.00"),
    ];
    assert_eq!(hits(&settled.body), expected);
    assert_eq!(settled.levels(), ["9000.00"]);
    let again = dealer.send_as(2, &settle("", &FIGURE_F)).await.is(200);
    assert_eq!((again.replayed(), &again.text), (true, &settled.text));

    let sam = house.supervisor("sam").await;
    let seen = sam.hit("T1.2.2").await.is(200);
    assert_eq!((seen.text("round"), &seen["order"]), ("T1.1", &json!(2)));
    assert_eq!(seen["evaluation"]["agrees"], true);
    drop(dealer.close().await.problem(422, "hit_unsettled"));
    for name in ["T1.2.1", "T1.2.2", "T1.2.3"] {
        sam.settles(name, 1).await;
    }
    drop(dealer.close().await.created());
    drop(sam.hit("T1.2").await.problem(404, "unknown_hit"));
    house.end().await;
}

/// The same round by settle and by buttons: the same payouts, envy too, and the same meters.
#[tokio::test]
async fn the_same_as_single_commands() {
    let seats = [
        (1, "As Ah Ad Ac 2s"),
        (2, "Kh Kd Kc 3s 7h"),
        (4, "2c 5d 7s 9s Jc"),
    ];
    let mut found = Vec::new();
    for at_once in [true, false] {
        let (house, dealers) = House::playing(FOUR_CARD_A, &["T1"]).await;
        let [dealer] = &dealers[..] else {
            panic!("one table")
        };
        drop(dealer.coin_in(&[1, 2, 4]).await.created());
        let hits: Vec<Value> = if at_once {
            let settled = dealer.send(&settle("", &seats)).await.created();
            settled["hits"].as_array().expect("hits").clone()
        } else {
            let three = dealer
                .hit(2, "three-of-a-kind", seats[1].1)
                .await
                .created()
                .recorded_hit();
            let aces = dealer
                .hit(1, "four-aces", seats[0].1)
                .await
                .created()
                .recorded_hit();
            vec![three.body, aces.body]
        };
        let all: Vec<_> = hits.iter().map(payouts).collect();
        found.push((all, house.balances().await));
        house.end().await;
    }
    assert_eq!(found[0], found[1]);
    let envy = [
        ("line", 1, "5000.87"),
        ("envy", 4, "100.00"),
        ("envy", 2, "100.00"),
    ];
    assert_eq!(found[0].0[1], paid(&envy));
}

/// The dealer's hand is settled at its turn; a hand of the paytable's rules is validated by rule, and cancelled by its
/// own name.
#[tokio::test]
async fn the_dealers_hand() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let own = json!({"seat": 1, "amount": "1.00"});
    let on_dealer = json!({"seat": 3, "amount": "1.00", "on": "dealer"});
    let coin_in = json!({"command": "coin_in", "wagers": [own, on_dealer], "dealt": [1, 3]});
    drop(dealer.send(&coin_in).await.created());
    let seats = [(1, "Ah Jh 9h 5h 2h"), (3, "Ad Jd 9d 5d 2d")];
    let settled = dealer
        .send(&settle("Ac As Kc Ks Kh", &seats))
        .await
        .created();
    let expected = [
        (
            "T1.2.1".to_owned(),
            None,
            "full-house".to_owned(),
            "100.00".to_owned(),
        ),
        hit("T1.2.2", 1, "flush", "50.00"),
    ];
    assert_eq!(hits(&settled.body), expected);
    assert_eq!(settled["hits"][1]["state"], "validated_by_rule");
    let cancelled = dealer
        .send(&json!({"command": "cancel_hit", "hit": "T1.2.2"}))
        .await
        .created();
    assert_eq!(cancelled["hit"], "T1.2.2");
    let closed = dealer.close().await.created();
    assert_eq!(closed["hits"], json!(["T1.2.1"]));
    house.end().await;
}

/// Nobody won: that is a round too.
#[tokio::test]
async fn nobody_won() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[2]).await.created());
    let settled = dealer.send(&settle("", &FIGURE_F[1..2])).await.created();
    assert_eq!(
        (&settled["hits"], settled.levels()),
        (&json!([]), vec!["10000.21".to_owned()])
    );
    drop(dealer.close().await.created());
    house.end().await;
}

/// What can't be the cards of the round is refused, names what is missing, and changes nothing.
#[tokio::test]
async fn what_is_no_settlement() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(
        dealer
            .send(&settle("", &FIGURE_F))
            .await
            .problem(422, "no_round"),
    );
    drop(dealer.coin_in(&[1, 2, 3, 5]).await.created());
    drop(dealer.fold(&[2]).await.created());
    let before = house.balances().await;
    let missing = dealer.send(&settle("", &FIGURE_F[..3])).await;
    assert_eq!(
        missing.problem(422, "cards_missing")["fields"]["seats"],
        "5"
    );
    let mut twice = FIGURE_F;
    twice[1].1 = "As 5d 7h 9s Jc";
    let refused = dealer.send(&settle("", &twice)).await;
    assert_eq!(refused.problem(422, "card_twice")["fields"]["card"], "As");
    let mut stranger = FIGURE_F;
    stranger[1].0 = 6;
    drop(
        dealer
            .send(&settle("", &stranger))
            .await
            .problem(422, "seat_not_dealt"),
    );
    let mut short = FIGURE_F;
    short[1].1 = "2c 5d 7h 9s";
    drop(
        dealer
            .send(&settle("", &short))
            .await
            .problem(422, "impossible_cards"),
    );
    let mut again = FIGURE_F;
    again[1].0 = 1;
    drop(
        dealer
            .send(&settle("", &again))
            .await
            .problem(422, "seat_twice"),
    );
    assert_eq!(house.balances().await, before);
    // The folded seat's cards were collected: they need not be sent.
    let royal = dealer
        .hit(3, "royal-flush", FIGURE_F[2].1)
        .await
        .created()
        .recorded_hit();
    let unfolded = [FIGURE_F[0], FIGURE_F[2], FIGURE_F[3]];
    let refused = dealer.send(&settle("", &unfolded)).await;
    assert_eq!(
        refused.problem(422, "already_hit")["fields"]["hit"],
        royal["hit"]
    );
    let sequence = dealer.next() - 2;
    drop(dealer.cancel(sequence).await.created());
    let settled = dealer.send(&settle("", &unfolded)).await.created();
    assert_eq!(settled["hits"].as_array().map(Vec::len), Some(3));
    house.end().await;
}
