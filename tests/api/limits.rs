//! What a paytable's law limits at its tables: decks, and boxes of one player. And what it leaves to be decided.

use meterhouse_tests::client::felt;
use meterhouse_tests::{Answer, Dealer, FIVE_CARD_C, HAND_BONUS, House};
use serde_json::{Value, json};

/// Massachusetts' Multi Game Link without a line for the royal flush, completed by the tests' operator.
const PTMGL04: &str = "ma-ptmgl04";

/// Bets of these seats, each with its player.
async fn bets(dealer: &Dealer, seats: &[(u8, &str)]) -> Answer {
    let wager = |(seat, player): &(u8, &str)| match *player {
        "" => json!({"seat": seat, "amount": "1.00"}),
        player => json!({"seat": seat, "amount": "1.00", "player": player}),
    };
    let wagers: Vec<Value> = seats.iter().map(wager).collect();
    let dealt: Vec<u8> = seats.iter().map(|(seat, _)| *seat).collect();
    dealer
        .send(&json!({"command": "coin_in", "wagers": wagers, "dealt": dealt}))
        .await
}

/// Pennsylvania's number of adjacent boxes is filed and said when the link opens: a player with more, or with boxes that are
/// further apart, is refused whole; strangers are not.
#[tokio::test]
async fn adjacent_boxes_as_filed() {
    let filed = json!({"boxes_max": 2});
    let (house, dealers) = House::playing_with(FIVE_CARD_C, &filed, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let link = house.nobody().get("/v1/links/main").await.is(200);
    assert_eq!(link["boxes_max"], 2);
    let before = house.meters("main").await;
    for (seats, first, last) in [
        (&[(2, "ann"), (3, "ann"), (4, "ann")][..], "2", "4"),
        (&[(5, "bob"), (1, "ann"), (3, "ann")][..], "1", "3"),
    ] {
        let refused = bets(dealer, seats).await.problem(422, "too_many_boxes");
        assert_eq!(
            refused["fields"],
            json!({"player": "ann", "seat": first, "other_seat": last, "boxes_max": "2"})
        );
    }
    assert_eq!(house.meters("main").await, before);
    let two_each = [
        (1, "ann"),
        (2, "ann"),
        (3, ""),
        (4, ""),
        (5, "bob"),
        (6, "bob"),
    ];
    drop(bets(dealer, &two_each).await.created());

    // The same again is the same link; another number is another link.
    let manager = house.manager().await.caller;
    let terms = |boxes: Value| json!({"paytable": FIVE_CARD_C, "wager": "1.00", "decks": 1, "boxes_max": boxes});
    drop(
        manager
            .put("/v1/links/main", &terms(json!(2)))
            .await
            .is(200),
    );
    let other = manager.put("/v1/links/main", &terms(json!(3))).await;
    let other = other.problem(409, "request_reused");
    assert_eq!(other["fields"], json!({"boxes_max": "link 2, asked 3"}));
    for boxes in [0, 16] {
        let refused = manager.put("/v1/links/b", &terms(json!(boxes))).await;
        drop(refused.problem(422, "out_of_range"));
    }
    house.end().await;
}

/// Massachusetts, Section 6(e): a player may not wager on more than one position, whatever the link says.
#[tokio::test]
async fn one_position_a_player_in_massachusetts() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let decided = json!({"pays_nothing": ["royal-flush"]});
    let dealers = house.link_with(PTMGL04, &decided, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let refused = bets(dealer, &[(1, "ann"), (2, "ann")]).await;
    let refused = refused.problem(422, "too_many_boxes");
    assert_eq!(refused["fields"]["boxes_max"], "1");
    drop(
        bets(dealer, &[(1, "ann"), (2, "bob"), (3, "")])
            .await
            .created(),
    );
    let more = json!({"paytable": PTMGL04, "wager": "1.00", "decks": 1, "boxes_max": 2,
        "pays_nothing": ["royal-flush"]});
    let refused = manager.put("/v1/links/second", &more).await;
    let refused = refused.problem(422, "out_of_range");
    assert_eq!(
        refused["fields"],
        json!({"boxes_max": "2", "least": "1", "most": "1"})
    );
    house.end().await;
}

/// § 657a.3: one deck; two that alternate count as one.
#[tokio::test]
async fn one_deck() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let terms = json!({"paytable": FIVE_CARD_C, "wager": "1.00", "decks": 2});
    let refused = manager.put("/v1/links/main", &terms).await;
    let refused = refused.problem(422, "too_many_decks");
    assert_eq!(refused["fields"], json!({"decks": "2", "most": "1"}));
    let listed = manager
        .get("/v1/paytables/pa-657a-five-card-c")
        .await
        .is(200);
    assert_eq!(
        (&listed["decks_max"], &listed["boxes_max"]),
        (&json!(1), &Value::Null)
    );
    house.end().await;
}

/// PTMGL04 lists no royal flush: a link opens once the operator has decided that it pays nothing, and the citation says so.
#[tokio::test]
async fn a_royal_flush_without_a_line_is_decided() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let terms = |pays_nothing: Value| json!({"paytable": PTMGL04, "wager": "1.00", "decks": 1, "pays_nothing": pays_nothing});
    for undecided in [json!([]), Value::Null] {
        let refused = manager.put("/v1/links/main", &terms(undecided)).await;
        let refused = refused.problem(422, "line_not_decided");
        let place = refused["fields"]["royal-flush"].as_str().expect("a place");
        assert!(place.ends_with("Section 13(f), PTMGL04"), "{place}");
    }
    for (hands, code) in [
        (json!(["flush"]), "invalid_value"),
        (json!(["royal"]), "unknown_hand"),
    ] {
        let refused = manager.put("/v1/links/main", &terms(hands)).await;
        drop(refused.problem(400, code));
    }
    let decided = terms(json!(["royal-flush"]));
    let opened = manager.put("/v1/links/main", &decided).await.created();
    drop(manager.accept_values("main").await.created());
    let says = "; decided by the operator: royal-flush pays nothing";
    assert!(opened.text("citation").ends_with(says), "{}", opened.text);
    drop(
        manager
            .put("/v1/tables/T1", &felt("main", PTMGL04))
            .await
            .created(),
    );
    let dealer = house.dealer("T1").await;
    drop(dealer.coin_in(&[1]).await.created());
    let royal = json!({"command": "hit", "seat": 1, "hand": "royal-flush"});
    drop(dealer.send(&royal).await.problem(422, "not_a_winner"));
    // Where every hand has its line nothing is to be decided.
    let other = json!({"paytable": FIVE_CARD_C, "wager": "1.00", "decks": 1,
        "pays_nothing": ["royal-flush"]});
    let refused = manager.put("/v1/links/second", &other).await;
    drop(refused.problem(400, "invalid_value"));
    house.end().await;
}

/// The Hand Bonus of a game without a wager on the dealer's hand shares meters with that of a game that has one; each table
/// takes the wagers of its own game, and says its own paytable.
#[tokio::test]
async fn games_with_and_without_a_dealers_hand_share_a_hand_bonus() {
    let house = House::open().await;
    let crazy = house.link_with(HAND_BONUS, &json!({}), &["C4P"]).await;
    let manager = house.manager().await.caller;
    let stud = json!({"link": "main", "game": "mississippi-stud", "seats": 6, "wager": "1.00", "decks": 1,
        "paytable": "pa-655a-five-card-hand-bonus", "confirm_inferred": true});
    drop(manager.put("/v1/tables/MS", &stud).await.created());
    let bet = |on: &str| json!({"command": "coin_in", "wagers": [{"seat": 1, "amount": "1.00", "on": on}], "dealt": [1]});
    let [crazy] = &crazy[..] else {
        panic!("one table")
    };
    let stud = house.dealer("MS").await;
    drop(
        stud.send(&bet("dealer"))
            .await
            .problem(422, "hand_not_offered"),
    );
    drop(crazy.send(&bet("dealer")).await.created());
    drop(stud.send(&bet("own")).await.created());
    assert_eq!(house.meters("main").await, ["10000.26"]);
    let said = |table: Answer| (table["paytable"].clone(), table["table_paytable"].clone());
    let of_link = json!(HAND_BONUS);
    assert_eq!(
        said(crazy.resume().await),
        (of_link.clone(), of_link.clone())
    );
    let own = json!("pa-655a-five-card-hand-bonus");
    assert_eq!(said(stud.resume().await), (of_link, own));
    let path = format!("/v1/paytables/{HAND_BONUS}/differences?with=pa-643a-five-card-hand-bonus");
    assert_eq!(manager.get(&path).await.is(200)["may_share"], true);
    house.end().await;
}
