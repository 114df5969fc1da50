//! Ceilings (figure P): what a level may not show waits in its overflow until it is won.

use meterhouse_tests::{FIVE_CARD_A, FIVE_CARD_C, HAND_BONUS, House};
use serde_json::json;

/// Figure P, and CONFORMANCE 22: what comes over the ceiling waits; a partial pay doesn't bring it back, a win does.
#[tokio::test]
async fn figure_p_over_the_ceiling() {
    let settings = json!({"ceilings": {"meter": "25000.00"}});
    let (house, dealers) = House::playing_with(FIVE_CARD_A, &settings, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    drop(t1.coin_in(&[5, 6]).await.created());
    house.set_meter("24995.00").await;
    // 10.00 more: 47 wagers, and 0.13 of two people.
    t2.rounds(3, &[1, 2, 3, 4, 5, 6]).await;
    assert_eq!(house.first_level().await, ["24998.78", "0.00", "0.00"]);
    t2.rounds(4, &[1, 2, 3, 4, 5, 6]).await;
    let locked = t2.coin_in(&[1, 2, 3, 4, 5]).await.created();
    let level = &locked["levels"][0];
    assert_eq!(
        (
            &level["contribution"],
            &level["over_ceiling"],
            &level["amount"]
        ),
        (&json!("1.05"), &json!("1.05"), &json!("25000.00"))
    );
    let both = house.two_people().await;
    drop(both.adjust("main", "meter", "meter", "0.13").await);
    assert_eq!(house.first_level().await, ["25000.00", "0.00", "5.00"]);

    let tenth = t1
        .hit_unseen(6, "straight-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(
        (tenth.text("due"), tenth.text("after")),
        ("2500.00", "22500.00")
    );
    assert_eq!(house.first_level().await, ["22500.00", "0.00", "5.00"]);
    let royal = t1
        .hit_unseen(5, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(
        (royal.text("due"), royal.text("after")),
        ("22500.00", "10005.00")
    );
    assert_eq!(house.first_level().await, ["10005.00", "0.00", "0.00"]);
    let aud = house.person("aud", "auditor").await;
    let lifetime = aud.get("/v1/links/main/lifetime").await.is(200);
    assert_eq!(
        lifetime["levels"][0]["overflow"], "5.00",
        "{}",
        lifetime.text
    );
    house.end().await;
}

/// Figure P: a cancelled win comes back up to the ceiling, the rest waits.
#[tokio::test]
async fn figure_p_a_cancelled_win() {
    let settings = json!({"ceilings": {"meter": "30000.00"}});
    let (house, dealers) = House::playing_with(FIVE_CARD_A, &settings, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    drop(t1.coin_in(&[1]).await.created());
    house.set_meter("30000.00").await;
    let royal = t1
        .hit_unseen(1, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(royal.text("due"), "30000.00");
    t2.rounds(5, &[1, 2, 3, 4, 5, 6]).await;
    assert_eq!(t1.cancel(2).await.created().levels(), ["30000.00"]);
    assert_eq!(house.first_level().await, ["30000.00", "0.00", "6.30"]);
    house.end().await;
}

/// CONFORMANCE 22: what a win would bring back above the ceiling waits again.
#[tokio::test]
async fn a_win_above_the_ceiling() {
    let settings = json!({"ceilings": {"meter": "11000.00"}});
    let (house, dealers) = House::playing_with(HAND_BONUS, &settings, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1]).await.created());
    house.set_meter("11000.00").await;
    house.set_reserve("12000.00").await;
    let royal = dealer
        .hit_unseen(1, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(royal.text("due"), "11000.00");
    assert_eq!(house.first_level().await, ["11000.00", "0.00", "1000.00"]);
    house.end().await;
}

/// A void round gives back from where its part went: from the meter, and from the overflow.
#[tokio::test]
async fn a_void_round_above_the_ceiling() {
    let settings = json!({"ceilings": {"meter": "10001.00"}});
    let (house, dealers) = House::playing_with(FIVE_CARD_A, &settings, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1, 2, 3, 4, 5, 6]).await.created());
    assert_eq!(house.first_level().await, ["10001.00", "0.00", "0.26"]);
    drop(dealer.void("misdeal").await.created());
    assert_eq!(house.first_level().await, ["10000.00", "0.00", "0.00"]);
    house.end().await;
}

/// Figure S: with a void round between them, a later hit gets what the steps without the rejected one give it.
#[tokio::test]
async fn figure_s_a_void_round_before_a_resettled_hit() {
    let settings = json!({"ceilings": {"meter": "10500.00"}});
    let tables = ["T1", "T2", "T3"];
    let (house, dealers) = House::playing_with(FIVE_CARD_A, &settings, &tables).await;
    let [t1, t2, t3] = &dealers[..] else {
        panic!("three tables")
    };
    drop(t1.coin_in(&[1]).await.created());
    house.set_meter("10498.95").await;
    let tenth = t1
        .hit_unseen(1, "straight-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(tenth.text("due"), "1049.89");
    drop(t2.coin_in(&[1, 2, 3, 4, 5, 6]).await.created());
    drop(t3.coin_in(&[1]).await.created());
    drop(t2.void("misdeal").await.created());
    let royal = t3
        .hit_unseen(1, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(royal.text("due"), "9449.27");
    let sam = house.supervisor("sam").await;
    let rejected = sam.reject_and_resettle("T1.2").await.created();
    let resettled = &rejected["resettled"][0];
    assert_eq!(
        (&resettled["hit"], &resettled["due"]),
        (&json!("T3.2"), &json!("10498.95"))
    );
    assert_eq!(house.first_level().await, ["10000.21", "0.00", "0.00"]);
    sam.settles("T3.2", 1).await;
    for dealer in [t1, t3] {
        drop(dealer.close().await.created());
    }
    let books = house.manager().await.books("main").await.is(200);
    assert_eq!(books["balanced"], true, "{}", books.text);
    house.end().await;
}

/// CONFORMANCE 37: a ceiling below what the level shows is refused, one equal to it is not; and it is shown.
#[tokio::test]
async fn a_ceiling_that_is_too_low() {
    let house = House::open().await;
    let manager = house.manager().await;
    let terms = |ceilings: serde_json::Value| json!({"paytable": FIVE_CARD_C, "wager": "1.00", "decks": 1, "ceilings": ceilings});
    for (ceilings, code) in [
        (json!({"mega": "9999.99"}), "ceiling_too_low"),
        (json!({"mega": "25000", "minor": "0"}), "ceiling_too_low"),
        (json!({"meter": "25000"}), "no_such_level"),
        (json!({"mega": "25000.001"}), "out_of_range"),
    ] {
        let refused = manager.caller.put("/v1/links/main", &terms(ceilings)).await;
        drop(refused.problem(422, code));
    }
    drop(
        house
            .nobody()
            .get("/v1/links/main")
            .await
            .problem(404, "unknown_link"),
    );
    let equal = terms(json!({"mega": "10000.00", "minor": "300.00"}));
    let opened = manager.caller.put("/v1/links/main", &equal).await.created();
    assert_eq!(opened["levels"][0]["ceiling"], "10000.00");
    assert_eq!(opened["levels"][1]["ceiling"], json!(null));
    let shown = house.nobody().get("/v1/links/main").await.is(200);
    assert_eq!(shown["levels"][2]["ceiling"], "300.00");
    // CONFORMANCE 35: nobody changes it while the link plays.
    let higher = terms(json!({"mega": "10000.00", "minor": "400.00"}));
    let refused = manager.caller.put("/v1/links/main", &higher).await;
    drop(refused.problem(409, "request_reused"));
    house.end().await;
}
