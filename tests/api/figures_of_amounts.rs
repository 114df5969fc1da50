//! Figures B to F and O, and the short meter of RULES §2.4, over the wire: two people bring the meters to the amounts that a
//! figure begins with, once its rounds are locked.

use meterhouse_tests::client::felt;
use meterhouse_tests::{
    Answer, CHARGED_TO_METER, FIVE_CARD_A, FIVE_CARD_C, FOUR_CARD_B, HAND_BONUS, House,
};
use serde_json::{Value, json};

use crate::figures::{paid, payouts};

/// What a hit pays, and what its level shows after it.
fn due_and_after(hit: &Answer) -> (&str, &str) {
    (hit.text("due"), hit.text("after"))
}

/// What each level took of a coin-in.
fn contributions(locked: &Answer) -> Vec<&str> {
    let levels = locked["levels"].as_array().expect("levels");
    let texts = levels.iter().filter_map(|it| it["contribution"].as_str());
    texts.collect()
}

/// A link of another wager with one table, its seats' wagers locked.
async fn locked_at(house: &House, paytable: &str, wager: &str, seats: &[u8]) -> Answer {
    let manager = house.manager().await;
    let terms = json!({"paytable": paytable, "wager": wager, "decks": 1});
    drop(manager.open_link_with(paytable, &terms).await.created());
    let mut table = felt(paytable, paytable);
    table["wager"] = json!(wager);
    let name = format!("T-{paytable}");
    let path = format!("/v1/tables/{name}");
    drop(manager.caller.put(&path, &table).await.created());
    let wager_of = |seat: &u8| json!({"seat": seat, "amount": wager});
    let wagers: Vec<Value> = seats.iter().map(wager_of).collect();
    let coin_in = json!({"command": "coin_in", "wagers": wagers, "dealt": seats});
    house.dealer(&name).await.send(&coin_in).await.created()
}

/// Figure B, and CONFORMANCE 1 and 17: everything is multiplied by the wager, seeds as well as what levels take.
#[tokio::test]
async fn figure_b_five_dollars() {
    const FIVE_CARD_D: &str = "pa-657a-five-card-d";
    let house = House::open().await;
    let locked = locked_at(&house, FIVE_CARD_C, "5.00", &[1]).await;
    assert_eq!(contributions(&locked), ["0.45", "0.35", "0.15"]);
    assert_eq!(locked.levels(), ["50000.45", "5000.35", "1250.15"]);
    let locked = locked_at(&house, FIVE_CARD_D, "5.00", &[1, 2, 3, 4, 5, 6]).await;
    assert_eq!(contributions(&locked), ["3.00", "2.40", "0.90"]);
    assert_eq!(locked.levels(), ["50003.00", "5002.40", "1250.90"]);
    house.end().await;
}

/// CONFORMANCE 3: thirty dollars in one message and in six of five come to the same, to the last fraction.
#[tokio::test]
async fn one_message_or_six() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1, 2, 3, 4, 5, 6]).await.created());
    let at_once = house.balances().await;
    drop(dealer.void("misdeal").await.created());
    for seat in 1..=6 {
        dealer.rounds(1, &[seat]).await;
    }
    assert_eq!(house.balances().await, at_once);
    assert_eq!(house.first_level().await, ["10000.78", "0.48", "0.00"]);
    house.end().await;
}

/// Figure C, and CONFORMANCE 2 and 15: the reserve is never shown; a reseed of nothing restarts with the reserve, then
/// with nothing, and a win of nothing is still validated, paid and counted.
#[tokio::test]
async fn figure_c_a_reseed_of_nothing() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    assert_eq!(house.first_level().await, ["10000.00", "0.00", "0.00"]);
    drop(dealer.coin_in(&[1, 2, 3]).await.created());
    assert_eq!(house.first_level().await, ["10000.39", "0.24", "0.00"]);
    house.set_meter("23000.00").await;
    house.set_reserve("8000.00").await;
    assert_eq!(house.meters("main").await, ["23000.00"]);
    let before = house.house_put_in().await;
    for (seat, due, after) in [
        (3, "23000.00", "8000.00"),
        (2, "8000.00", "0.00"),
        (1, "0.00", "0.00"),
    ] {
        let royal = dealer
            .hit_unseen(seat, "royal-flush")
            .await
            .created()
            .recorded_hit();
        assert_eq!(due_and_after(&royal), (due, after), "seat {seat}");
        assert_eq!(house.first_level().await, [after, "0.00", "0.00"]);
        assert_eq!(house.meters("main").await, [after]);
    }
    assert_eq!(house.house_put_in().await, before, "the house gave nothing");
    let sam = house.supervisor("sam").await;
    for hit in ["T1.2", "T1.3", "T1.4"] {
        sam.settles(hit, 1).await;
    }
    drop(dealer.close().await.created());
    let lifetime = sam.caller.get("/v1/links/main/lifetime").await.is(200);
    assert_eq!(lifetime["levels"][0]["resets"], 3);
    assert_eq!(lifetime["lines"][0]["hits"], 3, "{}", lifetime.text);
    house.end().await;
}

/// CONFORMANCE 14: the reserve joins at a win, grows again, and a partial pay leaves it alone.
#[tokio::test]
async fn a_reserve_joins_and_grows_again() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1, 2]).await.created());
    house.set_meter("23000.00").await;
    house.set_reserve("8000.00").await;
    let royal = dealer
        .hit_unseen(2, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(due_and_after(&royal), ("23000.00", "8000.00"));
    // As 50,000 wagers would.
    house.set_meter("14500.00").await;
    house.set_reserve("4000.00").await;
    let tenth = dealer
        .hit_unseen(1, "straight-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(due_and_after(&tenth), ("1450.00", "13050.00"));
    assert_eq!(house.first_level().await, ["13050.00", "4000.00", "0.00"]);
    house.end().await;
}

/// Figure D, and CONFORMANCE 16: what a level with a reserve and a reseed restarts with.
#[tokio::test]
async fn figure_d_three_policies() {
    for (policy, restart, house_gave) in [
        ("add", ["3000.00", "0.00", "0.00"], "1000.00"),
        ("greater_of", ["2000.00", "0.00", "0.00"], "0.00"),
        ("fund_keep", ["1000.00", "1000.00", "0.00"], "0.00"),
    ] {
        let settings = json!({"reserve_policy": policy});
        let (house, dealers) = House::playing_with(FOUR_CARD_B, &settings, &["T1"]).await;
        let [dealer] = &dealers[..] else {
            panic!("one table")
        };
        drop(dealer.coin_in(&[1]).await.created());
        house.set_meter("11000.00").await;
        house.set_reserve("2000.00").await;
        let before = house.house_put_in().await;
        let aces = dealer
            .hit_unseen(1, "four-aces")
            .await
            .created()
            .recorded_hit();
        assert_eq!(due_and_after(&aces), ("11000.00", restart[0]), "{policy}");
        assert_eq!(house.first_level().await, restart, "{policy}");
        let gave = house.house_put_in().await.minus(before).expect("an amount");
        assert_eq!(gave.to_string(), house_gave, "{policy}");
        house.end().await;
    }
    let house = House::open().await;
    let terms =
        json!({"paytable": HAND_BONUS, "wager": "1.00", "decks": 1, "reserve_policy": "fund_keep"});
    let manager = house.manager().await;
    let refused = manager.caller.put("/v1/links/main", &terms).await;
    drop(refused.problem(422, "policy_needs_reseed"));
    house.end().await;
}

/// Figure E, and CONFORMANCE 11: a partial pay never reseeds, and what is cut stays on the meter.
#[tokio::test]
async fn figure_e_two_partial_pays() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[3, 5]).await.created());
    house.set_meter("12345.67").await;
    let first = dealer
        .hit_unseen(5, "straight-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(due_and_after(&first), ("1234.56", "11111.11"));
    let second = dealer
        .hit_unseen(3, "straight-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(due_and_after(&second), ("1111.11", "10000.00"));
    let sam = house.supervisor("sam").await;
    let lifetime = sam.caller.get("/v1/links/main/lifetime").await.is(200);
    assert_eq!(lifetime["lines"][1]["line"], "straight-flush");
    assert_eq!(lifetime["lines"][1]["hits"], 2, "{}", lifetime.text);
    assert_eq!(lifetime["levels"][0]["resets"], 0);
    house.end().await;
}

/// Keys the hands of seats 5, 3 and 1 at a meter of 20,000.00: what each pays, and what the sign shows then.
async fn figure_f(hands: [&str; 3]) -> (Vec<String>, String) {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1, 3, 5]).await.created());
    house.set_meter("20000.00").await;
    let mut dues = Vec::new();
    for (seat, hand) in [5, 3, 1].iter().zip(hands) {
        let hit = dealer
            .hit_unseen(*seat, hand)
            .await
            .created()
            .recorded_hit();
        dues.push(hit.text("due").to_owned());
    }
    drop(
        dealer
            .hit_unseen(5, hands[0])
            .await
            .problem(422, "already_hit"),
    );
    let shown = house.meters("main").await.concat();
    house.end().await;
    (dues, shown)
}

/// Figure F, and CONFORMANCE 12: hands are paid in turn order, which descends by seats.
#[tokio::test]
async fn figure_f_turn_order() {
    let (dues, shown) = figure_f(["straight-flush", "royal-flush", "straight-flush"]).await;
    assert_eq!(
        (dues, shown.as_str()),
        (
            vec!["2000.00".into(), "18000.00".into(), "1000.00".into()],
            "9000.00"
        )
    );
    let (dues, shown) = figure_f(["royal-flush", "straight-flush", "straight-flush"]).await;
    assert_eq!(
        (dues, shown.as_str()),
        (
            vec!["20000.00".into(), "1000.00".into(), "900.00".into()],
            "8100.00"
        )
    );
}

/// Figure F, and CONFORMANCE 12: who presses in another order is told, cancels, and presses in turn.
#[tokio::test]
async fn figure_f_out_of_turn() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1, 3, 5]).await.created());
    house.set_meter("20000.00").await;
    drop(dealer.hit_unseen(1, "straight-flush").await.created());
    let refused = dealer.hit_unseen(5, "royal-flush").await;
    let refused = refused.problem(422, "out_of_turn");
    assert_eq!(refused["fields"]["hits"], "T1.2");
    drop(dealer.cancel(2).await.created());
    let royal = dealer
        .hit_unseen(5, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(due_and_after(&royal), ("20000.00", "10000.00"));
    house.end().await;
}

/// CONFORMANCE 13: two royals at one table, each paid when it is its turn.
#[tokio::test]
async fn two_royals_at_one_table() {
    let (dues, shown) = figure_f(["royal-flush", "royal-flush", "straight-flush"]).await;
    assert_eq!(
        (dues, shown.as_str()),
        (
            vec!["20000.00".into(), "10000.00".into(), "1000.00".into()],
            "9000.00"
        )
    );
}

/// Figure O, and CONFORMANCE 56: the fraction of a cent is neither shown nor paid, and stays.
#[tokio::test]
async fn figure_o_a_fraction_of_a_cent() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1]).await.created());
    house.set_meter("10000.725").await;
    assert_eq!(house.meters("main").await, ["10000.72"]);
    let royal = dealer
        .hit_unseen(1, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(due_and_after(&royal), ("10000.72", "10000.005"));
    assert_eq!(royal.text("before"), "10000.725");
    assert_eq!(house.meters("main").await, ["10000.00"]);
    house.end().await;
}

/// Figure O: ten percent of next to nothing, and a split of two cents.
#[tokio::test]
async fn figure_o_small_meters() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    for (meter, due, after) in [("0.09", "0.00", "0.09"), ("0.10", "0.01", "0.09")] {
        drop(dealer.coin_in(&[1]).await.created());
        house.set_meter(meter).await;
        let hit = dealer.next();
        let tenth = dealer.hit_unseen(1, "straight-flush").await.created();
        assert_eq!(due_and_after(&tenth.recorded_hit()), (due, after));
        drop(dealer.close().await.problem(422, "hit_unsettled"));
        house
            .supervisor("sam")
            .await
            .settles(&dealer.named(hit), 1)
            .await;
        drop(dealer.close().await.created());
    }
    drop(dealer.coin_in_on_dealer(&[1, 3, 4]).await.created());
    house.set_meter("0.02").await;
    house.set_reserve("0.00").await;
    let royal = dealer
        .dealer_hit("royal-flush")
        .await
        .created()
        .recorded_hit();
    let nothing = [
        ("line", 4, "0.00"),
        ("line", 3, "0.00"),
        ("line", 1, "0.00"),
    ];
    assert_eq!(payouts(&royal.body), paid(&nothing));
    assert_eq!(due_and_after(&royal), ("0.00", "0.02"));
    house.end().await;
}

/// The short meter of RULES §2.4, and CONFORMANCE 19: a fixed pay that comes off the meter takes what is displayed, the house
/// gives the rest, and nothing is reseeded.
#[tokio::test]
async fn a_fixed_pay_off_a_short_meter() {
    let (house, dealers) = House::playing(CHARGED_TO_METER, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1]).await.created());
    house.set_meter("3200.40").await;
    let before = house.house_put_in().await;
    let four = dealer
        .hit_unseen(1, "four-of-a-kind")
        .await
        .created()
        .recorded_hit();
    assert_eq!(due_and_after(&four), ("5000.00", "0.00"));
    assert_eq!(
        (four.text("level"), &four["percent"]),
        ("meter", &Value::Null)
    );
    assert_eq!(four["payouts"][0]["charged_to"], "meter");
    let gave = house.house_put_in().await.minus(before).expect("an amount");
    assert_eq!(gave.to_string(), "1799.60");
    assert_eq!(house.meters("main").await, ["0.00"]);
    drop(dealer.cancel(2).await.created());
    assert_eq!(house.first_level().await, ["3200.40", "0.00", "0.00"]);
    assert_eq!(house.house_put_in().await, before);
    house.end().await;
}

/// CONFORMANCE 56: what a sign shows doesn't roll over.
#[tokio::test]
async fn a_hundred_million() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    house.set_meter("99999999.99").await;
    assert_eq!(house.meters("main").await, ["99999999.99"]);
    let locked = dealer.coin_in(&[1]).await.created();
    assert_eq!(locked.levels(), ["100000000.20"]);
    house.end().await;
}
