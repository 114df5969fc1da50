//! The running check: what is stored no longer fits, the link is faulted at once, and two people take it back into
//! play once it fits again. Nothing that is missing is ever made up.

use meterhouse_tests::{Dealer, FIVE_CARD_C, House, TwoPeople, Watch};
use serde_json::{Value, json};

/// Gives a head balances that are not its batch's. A compact head has none.
const OTHER_BALANCES: &str = "UPDATE link_head SET balances = '{5000000}'";
const NO_BALANCES: &str = "UPDATE link_head SET balances = '{}'";

/// A house that checks all the time, a table with an open round.
async fn checked() -> (House, Dealer) {
    let house = House::watching(Watch::Close).await;
    let dealers = house.link_with(FIVE_CARD_C, &json!({}), &["T1"]).await;
    let dealer = dealers.into_iter().next().expect("one table");
    drop(dealer.coin_in(&[1, 3]).await.created());
    (house, dealer)
}

/// Changes what is stored, waits until the displays hear that the link is faulted, and answers the reason.
async fn faulted_by(house: &House, change: &str) -> String {
    let mut display = house.display("main").await;
    drop(display.next().await.expect("a snapshot"));
    assert!(house.database.tamper(change).await > 0, "{change}");
    let told = display
        .hears("link_state", |it| it["state"] == "faulted")
        .await;
    told["reason"].as_str().expect("a reason").to_owned()
}

/// Everybody is told, and nothing is accepted.
async fn assert_faulted(house: &House, dealer: &Dealer, reason: &str) {
    let link = house.nobody().get("/v1/links/main").await.is(200);
    assert_eq!(
        (link.text("state"), link.text("reason")),
        ("faulted", reason)
    );
    let table = dealer.caller.get("/v1/tables/T1").await.is(200);
    assert_eq!(
        (table.text("link_state"), table.text("reason")),
        ("faulted", reason)
    );
    for command in [
        json!({"command": "close"}),
        json!({"command": "hit", "seat": 3, "hand": "flush"}),
    ] {
        let refused = dealer.send(&command).await.problem(503, "link_faulted");
        assert_eq!(refused["fields"]["reason"], reason);
    }
    let both = house.two_people().await;
    let adjust = json!({"change": "adjust", "level": "mega", "account": "meter", "amount": "1.00"});
    let refused = both.propose("main", &TwoPeople::new_id(), &adjust).await;
    drop(refused.problem(503, "link_faulted"));
}

/// CONFORMANCE 45 and 33: balances that were changed under a running link fault it within an interval; two people clear
/// it after the row is what it was, and play goes on with the same amounts.
#[tokio::test]
async fn changed_balances() {
    let (house, dealer) = checked().await;
    let shown = house.meters("main").await;
    let reason = faulted_by(&house, OTHER_BALANCES).await;
    assert!(reason.contains("balances"), "{reason}");
    assert_faulted(&house, &dealer, &reason).await;
    assert_eq!(
        house.meters("main").await,
        shown,
        "what is right goes on being shown"
    );

    house.database.tamper(NO_BALANCES).await;
    let both = house.two_people().await;
    let id = TwoPeople::new_id();
    let clear = json!({"change": "clear_fault"});
    drop(both.propose("main", &id, &clear).await.created());
    let alone = format!("{}/approval", TwoPeople::path("main", &id));
    let approve = json!({"decision": "approve"});
    drop(
        both.one
            .put(&alone, &approve)
            .await
            .problem(422, "same_person"),
    );
    let mut display = house.display("main").await;
    let cleared = both.approve("main", &id).await.created();
    assert_eq!(cleared["effect"]["fault"], reason.as_str());
    display
        .hears("link_state", |it| it["state"] == "open")
        .await;
    drop(dealer.close().await.created());
    assert_eq!(
        dealer.coin_in(&[1]).await.created().levels(),
        ["10000.27", "1000.21", "250.09"]
    );
    house.end().await;
}

/// CONFORMANCE 44 and 45: cleared before anybody has repaired the row, the link plays on with what its journal says, and
/// never with what somebody wrote beside it.
#[tokio::test]
async fn cleared_without_a_repair() {
    let (house, dealer) = checked().await;
    let shown = house.meters("main").await;
    drop(faulted_by(&house, OTHER_BALANCES).await);
    let both = house.two_people().await;
    drop(both.clear_fault("main").await);
    assert_eq!(house.meters("main").await, shown);
    drop(dealer.close().await.created());
    let locked = dealer.coin_in(&[1]).await.created();
    assert_eq!(locked.levels(), ["10000.27", "1000.21", "250.09"]);
    house.end().await;
}

/// CONFORMANCE 44 and 45: a row that is gone faults the link, and never becomes the seed.
#[tokio::test]
async fn a_missing_row() {
    let (house, dealer) = checked().await;
    house
        .database
        .tamper("CREATE TABLE kept AS SELECT * FROM link_head")
        .await;
    let shown = house.meters("main").await;
    assert!(house.database.tamper("DELETE FROM link_head").await > 0);
    meterhouse_tests::eventually("the link is faulted", async || {
        let answer = dealer
            .caller
            .put(&dealer.path(2), &json!({"command": "close"}))
            .await;
        (answer.code() == "link_faulted").then_some(())
    })
    .await;
    let meters = house.nobody().get("/v1/links/main/meters").await.is(200);
    assert_eq!(meters.text("state"), "faulted");
    assert_eq!(
        meters["levels"],
        json!([]),
        "no amount rather than one that is made up"
    );
    assert_eq!(
        house.database.rows("SELECT 1 FROM link_head").await.len(),
        0,
        "nobody makes it up"
    );
    house
        .database
        .tamper("INSERT INTO link_head SELECT * FROM kept; DROP TABLE kept")
        .await;
    // A new start finds what was kept, and nothing else.
    let house = house.restart().await;
    assert_eq!(house.meters("main").await, shown);
    house.end().await;
}

/// CONFORMANCE 45: so does a batch whose balances were changed, in the middle of the journal's end.
#[tokio::test]
async fn a_changed_batch() {
    let (house, dealer) = checked().await;
    let of = "WHERE batch = (SELECT max(batch) FROM batch)";
    let change = |by: &str| {
        format!(
            "UPDATE batch SET after[3] = COALESCE(after[3], 0) {by} 1, after[2] = COALESCE(after[2], 0) {by} -1 {of}"
        )
    };
    let reason = faulted_by(&house, &change("+")).await;
    assert_faulted(&house, &dealer, &reason).await;
    house.server.stop().await;
}

/// The other links of the house play on.
#[tokio::test]
async fn another_link_plays_on() {
    let (house, dealer) = checked().await;
    house.link("second", FIVE_CARD_C).await;
    let elsewhere = house.table("T2", "second", FIVE_CARD_C).await;
    drop(elsewhere.coin_in(&[1]).await.created());
    let of_main = "WHERE link_id = (SELECT link_id FROM link WHERE name = 'main')";
    drop(faulted_by(&house, &format!("{OTHER_BALANCES} {of_main}")).await);
    drop(
        dealer
            .send(&json!({"command": "close"}))
            .await
            .problem(503, "link_faulted"),
    );
    drop(elsewhere.close().await.created());
    let states: Vec<Value> = house.nobody().get("/v1/links").await.is(200)["links"]
        .as_array()
        .expect("links")
        .iter()
        .map(|it| it["state"].clone())
        .collect();
    assert_eq!(states, [json!("faulted"), json!("open")]);
    house.database.tamper(NO_BALANCES).await;
    let both = house.two_people().await;
    drop(both.clear_fault("main").await);
    house.end().await;
}
