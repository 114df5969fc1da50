//! A link that broke: it accepts nothing more, says why to everybody, and forgets nothing.

use meterhouse_tests::client::coin_in;
use meterhouse_tests::{FIVE_CARD_C, House};
use serde_json::json;

/// Where the database refuses a batch the link is faulted: nothing counts, and what was done is still answered.
#[tokio::test]
async fn a_faulted_link() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let [dealer, other] = &dealers[..] else {
        panic!("two tables")
    };
    house.link("second", FIVE_CARD_C).await;
    let elsewhere = house.table("T3", "second", FIVE_CARD_C).await;
    let mut display = house.display("main").await;
    let locked = dealer.coin_in(&[1, 3]).await.created();
    drop(dealer.hit_unseen(3, "royal-flush").await.created());
    house.fault("main", other).await;

    let heard = display
        .hears("link_state", |it| it["state"] == "faulted")
        .await;
    assert!(
        heard["reason"]
            .as_str()
            .is_some_and(|it| it.contains("for_a_test")),
        "{heard}"
    );
    let second = house.another_server().await;
    for base in [house.server.base(), second.base()] {
        let dealer = dealer.caller.at(base.clone());
        let command = json!({"close": {}});
        for _ in 0..2 {
            let answer = dealer.put("/v1/tables/T1/commands/3", &command).await;
            let answer = answer.problem(503, "link_faulted");
            assert!(answer["fields"]["reason"].is_string(), "{}", answer.text);
        }
        let again = dealer
            .put("/v1/tables/T1/commands/1", &coin_in(&[1, 3]))
            .await
            .is(200);
        assert_eq!(again.text, locked.text);
        let table = dealer.get("/v1/tables/T1").await.is(200);
        assert_eq!(
            (table.text("link_state"), &table["last_sequence"]),
            ("faulted", &json!(2))
        );
        assert!(
            table.text("reason").contains("for_a_test"),
            "{}",
            table.text
        );
        let sam = house.supervisor("sam").await.caller.at(base);
        let approve = json!({"decision": "approve"});
        let answer = sam.put("/v1/hits/T1.2/validation", &approve).await;
        drop(answer.problem(503, "link_faulted"));
    }
    let snapshot = house
        .display("main")
        .await
        .next()
        .await
        .expect("a snapshot");
    assert_eq!(snapshot["state"], "faulted");
    // The other link plays on.
    drop(elsewhere.coin_in(&[1]).await.created());
    second.stop().await;
    let house = house.restart().await;
    let dealer = house.dealer("T1").await;
    let answer = dealer.send_as(3, &json!({"close": {}})).await;
    drop(answer.problem(503, "link_faulted"));
    assert_eq!(
        house.meters("main").await,
        ["10000.09", "1000.21", "250.09"]
    );
    house.end().await;
}

/// §8 number 44: a server that finds a changed journal serves that link not at all, and every other one.
#[tokio::test]
async fn a_damaged_journal_is_not_served() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    house.link("second", FIVE_CARD_C).await;
    let elsewhere = house.table("T3", "second", FIVE_CARD_C).await;
    dealer.rounds(2, &[1, 2]).await;
    let change = "UPDATE event SET i1 = i1 + 1 WHERE table_no = 1 AND sequence = 1 AND link_id = 1";
    assert_eq!(house.database.tamper(change).await, 1);
    let second = house.another_server().await;
    let there = dealer.caller.at(second.base());
    for _ in 0..2 {
        let answer = there
            .put(&dealer.path(5), &coin_in(&[1]))
            .await
            .problem(503, "link_faulted");
        assert!(answer["fields"]["reason"].is_string(), "{}", answer.text);
    }
    drop(
        there
            .get("/v1/tables/T1")
            .await
            .problem(503, "link_faulted"),
    );
    let other = elsewhere.caller.at(second.base());
    drop(
        other
            .put(&elsewhere.path(1), &coin_in(&[1]))
            .await
            .created(),
    );
    second.stop().await;
    house
        .database
        .tamper("UPDATE event SET i1 = i1 - 1 WHERE table_no = 1 AND sequence = 1 AND link_id = 1")
        .await;
    house.end().await;
}
