//! A link that broke: it accepts nothing more, says why to everybody, and forgets nothing.

use meterhouse_domain::state::PROPOSALS_MAX;
use meterhouse_tests::client::coin_in;
use meterhouse_tests::{FIVE_CARD_C, House, TwoPeople};
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
            .is_some_and(|it| it.contains("broken the books") && !it.contains("for_a_test")),
        "{heard}"
    );
    let second = house.another_server().await;
    for base in [house.server.base(), second.base()] {
        let dealer = dealer.caller.at(base.clone());
        let command = json!({"command": "close"});
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
            table.text("reason").contains("broken the books"),
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
    let answer = dealer.send_as(3, &json!({"command": "close"})).await;
    drop(answer.problem(503, "link_faulted"));
    assert_eq!(
        house.meters("main").await,
        ["10000.09", "1000.21", "250.09"]
    );
    house.end().await;
}

/// As many proposals as may wait leave no room for the one that clears a fault: any of them may be declined, and nothing
/// else is done to them.
#[tokio::test]
async fn a_fault_while_no_more_proposals_may_wait() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let both = house.two_people().await;
    let adjust = json!({"change": "adjust", "level": "mega", "account": "meter", "amount": "1.00"});
    let mut waiting = Vec::new();
    for _ in 0..PROPOSALS_MAX {
        let id = TwoPeople::new_id();
        drop(both.propose("main", &id, &adjust).await.created());
        waiting.push(id);
    }
    house.fault("main", &dealers[0]).await;
    let clear = json!({"change": "clear_fault"});
    let refused = both.propose("main", &TwoPeople::new_id(), &clear).await;
    drop(refused.problem(422, "too_many_proposals"));
    let refused = both.approve("main", &waiting[0]).await;
    drop(refused.problem(503, "link_faulted"));
    let path = format!("{}/approval", TwoPeople::path("main", &waiting[0]));
    let decline = json!({"decision": "decline", "note": "to make room"});
    drop(both.one.put(&path, &decline).await.created());
    drop(both.clear_fault("main").await);
    drop(both.approve("main", &waiting[1]).await.created());
    house.end().await;
}

/// CONFORMANCE 44: a server that finds a changed journal serves that link not at all, and every other one.
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
