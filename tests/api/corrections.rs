//! Hits that are withdrawn although later ones depend on them: figure N, a supervisor's `resettle` and two people's
//! `correct`.

use meterhouse_tests::{Dealer, FIVE_CARD_A, HAND_BONUS, House, Supervisor, TwoPeople};
use serde_json::{Value, json};

use crate::figures::{paid, payouts};

/// Figure H's hits: T1's royal of 30,000.00, `T1.2`, and T3's of 10,006.30, `T3.2`.
async fn two_royals() -> (House, Vec<Dealer>) {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2", "T3"]).await;
    let [t1, t2, t3] = &dealers[..] else {
        panic!("three tables")
    };
    drop(t1.coin_in(&[1]).await.created());
    drop(t3.coin_in(&[6]).await.created());
    house.set_meter("30000.00").await;
    drop(t1.hit_unseen(1, "royal-flush").await.created());
    t2.rounds(5, &[1, 2, 3, 4, 5, 6]).await;
    let second = t3
        .hit_unseen(6, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(second.text("due"), "10006.30");
    (house, dealers)
}

async fn correct_is_refused(both: &TwoPeople, hit: &str, code: &str) {
    let change = json!({"change": "correct", "hit": hit});
    let refused = both.propose("main", &TwoPeople::new_id(), &change).await;
    drop(refused.problem(422, code));
}

/// Figure N, and CONFORMANCE 26 and 54: the withdrawn hit leaves no trace in the amounts; a later pending hit gets what
/// it has without it, and displays hear so.
#[tokio::test]
async fn figure_n_a_later_pending_hit() {
    let (house, dealers) = two_royals().await;
    let sam = house.supervisor("sam").await;
    let mut display = house.floor("main").await;
    drop(display.next().await.expect("a snapshot"));
    let refused = sam.reject("T1.2").await.problem(422, "later_hits");
    assert_eq!(refused["fields"]["hits"], "T3.2");
    let rejected = sam.reject_and_resettle("T1.2").await.created();
    let resettled = &rejected["resettled"][0];
    assert_eq!(resettled["hit"], "T3.2", "{}", rejected.text);
    assert_eq!(
        (&resettled["before"], &resettled["due"], &resettled["after"]),
        (&json!("30006.30"), &json!("30006.30"), &json!("10000.00"))
    );
    assert_eq!(house.meters("main").await, ["10000.00"]);
    let again = sam.reject_and_resettle("T1.2").await.is(200);
    assert_eq!((again.replayed(), &again.text), (true, &rejected.text));
    let later = sam.hit("T3.2").await.is(200);
    assert_eq!(
        (later.text("state"), later.text("due")),
        ("pending", "30006.30")
    );
    display
        .hears("hit_changed", |it| {
            it["hit"] == "T1.2" && it["state"] == "rejected"
        })
        .await;
    let told = display.hears("hit_changed", |it| it["hit"] == "T3.2").await;
    assert_eq!(
        (&told["due"], &told["state"]),
        (&json!("30006.30"), &json!("pending"))
    );
    sam.settles("T3.2", 1).await;
    for dealer in [&dealers[0], &dealers[2]] {
        drop(dealer.close().await.created());
    }
    house.end().await;
}

/// Figure N on a node whose snapshot is of before the later hit was keyed: it has the earlier hit's row from nowhere, and
/// must not go on with a row of the later one that lacks the new amount.
#[tokio::test]
async fn figure_n_on_a_node_that_follows_from_an_older_snapshot() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T3"]).await;
    let [t1, t3] = &dealers[..] else {
        panic!("two tables")
    };
    drop(t1.coin_in(&[1]).await.created());
    drop(t3.coin_in(&[6]).await.created());
    house.set_meter("30000.00").await;
    drop(t1.hit_unseen(1, "royal-flush").await.created());
    // The server that stops leaves a snapshot.
    let house = house.restart().await;
    let t3 = Dealer::new(t3.caller.at(house.server.base()), "T3");
    drop(t3.resume().await);
    let later = t3
        .hit_unseen(6, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(later.text("due"), "10000.00");
    let sam = house.supervisor("sam").await;
    let rejected = sam.reject_and_resettle("T1.2").await.created();
    assert_eq!(rejected["resettled"][0]["due"], "30000.00");
    // This one loads the link only now, from that snapshot.
    let second = house.another_server().await;
    let there = Supervisor {
        caller: sam.caller.at(second.base()),
    };
    there.settles("T3.2", 1).await;
    for supervisor in [&sam, &there] {
        let later = supervisor.hit("T3.2").await.is(200);
        assert_eq!(
            (later.text("due"), &later["payouts"][0]["amount"]),
            ("30000.00", &json!("30000.00"))
        );
    }
    assert_eq!(house.findings().await, [""; 0]);
    second.stop().await;
    drop(t3.close().await.created());
    let t1 = Dealer::new(t1.caller.at(house.server.base()), "T1");
    drop(t1.resume().await);
    drop(t1.close().await.created());
    house.end().await;
}

/// Figure N: a later validated hit goes back to pending, since a person has to see the new amount.
#[tokio::test]
async fn figure_n_a_later_validated_hit() {
    let (house, dealers) = two_royals().await;
    let sam = house.supervisor("sam").await;
    drop(sam.approve("T3.2").await.created());
    let rejected = sam.reject_and_resettle("T1.2").await.created();
    assert_eq!(rejected["resettled"][0]["back_to_pending"], true);
    assert_eq!(sam.hit("T3.2").await.is(200).text("state"), "pending");
    drop(
        sam.pay("T3.2", 1, "JP-1")
            .await
            .problem(422, "hit_not_pending"),
    );
    sam.settles("T3.2", 1).await;
    drop(dealers[2].close().await.created());
    house.end().await;
}

/// Figure N, and CONFORMANCE 27: once the later hit is paid, only two people withdraw the first, and the winner gets the
/// rest as a supplement.
#[tokio::test]
async fn figure_n_a_later_paid_hit() {
    let (house, dealers) = two_royals().await;
    let (sam, both) = (house.supervisor("sam").await, house.two_people().await);
    sam.settles("T3.2", 1).await;
    let refused = sam
        .reject_and_resettle("T1.2")
        .await
        .problem(422, "hit_paid");
    assert_eq!(refused["fields"]["hits"], "T3.2", "{}", refused.text);
    drop(dealers[0].cancel(2).await.problem(422, "later_hits"));

    let corrected = both.correct("main", "T1.2").await;
    let effect = &corrected["effect"];
    assert_eq!(
        (&effect["hit"], &effect["resettled"][0]["hit"]),
        (&json!("T1.2"), &json!("T3.2"))
    );
    assert_eq!(
        effect["resettled"][0]["due"], "30006.30",
        "{}",
        corrected.text
    );
    let later = sam.hit("T3.2").await.is(200);
    let expected = [("line", 6, "10006.30"), ("supplement", 6, "20000.00")];
    assert_eq!(payouts(&later.body), paid(&expected));
    assert_eq!(house.meters("main").await, ["10000.00"]);
    assert_eq!(sam.hit("T1.2").await.is(200).text("state"), "withdrawn");
    drop(dealers[2].close().await.problem(422, "hit_unsettled"));
    drop(sam.pay("T3.2", 2, "JP-2").await.created());
    for dealer in [&dealers[0], &dealers[2]] {
        drop(dealer.close().await.created());
    }
    house.end().await;
}

/// Figure N: E with the first one rejected.
#[tokio::test]
async fn figure_n_partial_pays() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[3, 5]).await.created());
    house.set_meter("12345.67").await;
    drop(dealer.hit_unseen(5, "straight-flush").await.created());
    drop(dealer.hit_unseen(3, "straight-flush").await.created());
    let sam = house.supervisor("sam").await;
    let rejected = sam.reject_and_resettle("T1.2").await.created();
    assert_eq!(
        rejected["resettled"][0]["due"], "1234.56",
        "{}",
        rejected.text
    );
    assert_eq!(house.meters("main").await, ["11111.11"]);
    house.end().await;
}

/// Figure N: who was paid too much keeps it, and the house pays the difference into the meter.
#[tokio::test]
async fn figure_n_paid_too_much() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    drop(t1.coin_in(&[1]).await.created());
    drop(t2.coin_in(&[1]).await.created());
    house.set_meter("100.00").await;
    house.set_reserve("8000.00").await;
    let royal = t1
        .hit_unseen(1, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(
        (royal.text("due"), royal.text("after")),
        ("100.00", "8000.00")
    );
    let tenth = t2
        .hit_unseen(1, "straight-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(
        (tenth.text("due"), tenth.text("after")),
        ("800.00", "7200.00")
    );
    house.supervisor("sam").await.settles("T2.2", 1).await;
    let before = house.house_put_in().await;
    let both = house.two_people().await;
    drop(both.correct("main", "T1.2").await);
    assert_eq!(house.first_level().await, ["90.00", "8000.00", "0.00"]);
    let gave = house.house_put_in().await.minus(before).expect("an amount");
    assert_eq!(gave.to_string(), "790.00");
    let later = house.supervisor("sam").await.hit("T2.2").await.is(200);
    assert_eq!(payouts(&later.body), paid(&[("line", 1, "800.00")]));
    house.end().await;
}

/// CONFORMANCE 27: after a person validated it no button takes it back; two people do, before GAME OVER and after it,
/// and what was paid stays with the players.
#[tokio::test]
async fn after_validation_only_two_people() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let (sam, both) = (house.supervisor("sam").await, house.two_people().await);
    let mut display = house.floor("main").await;
    drop(dealer.coin_in(&[1, 2]).await.created());
    house.set_meter("30000.00").await;
    drop(dealer.hit_unseen(1, "royal-flush").await.created());
    correct_is_refused(&both, "T1.2", "not_validated").await;
    drop(sam.approve("T1.2").await.created());
    drop(dealer.cancel(2).await.problem(422, "hit_not_pending"));
    drop(both.correct("main", "T1.2").await);
    assert_eq!(house.first_level().await, ["30000.00", "0.00", "0.00"]);
    correct_is_refused(&both, "T1.2", "hit_not_pending").await;
    display
        .hears("hit_changed", |it| {
            it["hit"] == "T1.2" && it["state"] == "withdrawn"
        })
        .await;

    // The same hand again, now paid, envy too, and the round over.
    let royal = dealer
        .hit_unseen(1, "royal-flush")
        .await
        .created()
        .recorded_hit();
    let hit = royal.text("hit").to_owned();
    assert_eq!(royal.text("due"), "30000.00");
    sam.settles(&hit, 1).await;
    drop(dealer.close().await.created());
    let before = house.house_put_in().await;
    drop(both.correct("main", &hit).await);
    assert_eq!(house.first_level().await, ["30000.00", "0.00", "0.00"]);
    // The house gives what stays with the player, and gets its reseed back.
    let gave = house.house_put_in().await.minus(before).expect("an amount");
    assert_eq!(gave.to_string(), "20000.00");
    let withdrawn = sam.hit(&hit).await.is(200);
    assert_eq!(withdrawn.text("state"), "withdrawn");
    let documents: Vec<&Value> = withdrawn["payouts"]
        .as_array()
        .expect("payouts")
        .iter()
        .map(|payout| &payout["payment"]["document"])
        .collect();
    let document = format!("JP-{hit}-1");
    assert_eq!(documents, [&json!(document), &Value::Null]);
    house.end().await;
}

/// CONFORMANCE 28: a round with a validated hit is void only after two people have withdrawn that; one with a pending
/// hit that others depend on, after a supervisor's reject with `resettle`.
#[tokio::test]
async fn void_after_a_withdrawal() {
    let (house, dealers) = two_royals().await;
    let (t1, t3) = (&dealers[0], &dealers[2]);
    let (sam, both) = (house.supervisor("sam").await, house.two_people().await);
    drop(t1.void("misdeal").await.problem(422, "later_hits"));
    drop(sam.reject_and_resettle("T1.2").await.created());
    drop(t1.void("misdeal").await.created());
    drop(sam.approve("T3.2").await.created());
    drop(t3.void("misdeal").await.problem(422, "hit_not_pending"));
    drop(both.correct("main", "T3.2").await);
    // T3's hit stood since T1's coin-in: the house gave T1's part back, the meter kept it.
    assert_eq!(house.meters("main").await, ["30006.30"]);
    assert_eq!(t3.void("misdeal").await.created().levels(), ["30006.09"]);
    house.end().await;
}

/// A correction names a hit that there is, and one of this link.
#[tokio::test]
async fn what_can_not_be_corrected() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    drop(dealers[0].coin_in(&[1]).await.created());
    let both = house.two_people().await;
    for (hit, status, code) in [
        ("T1.1", 404, "unknown_hit"),
        ("T1.7", 404, "unknown_hit"),
        ("T9.1", 404, "unknown_hit"),
        ("T1", 400, "invalid_name"),
    ] {
        let change = json!({"change": "correct", "hit": hit});
        let refused = both.propose("main", &TwoPeople::new_id(), &change).await;
        drop(refused.problem(status, code));
    }
    house.end().await;
}
