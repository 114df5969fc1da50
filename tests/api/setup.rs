//! Opening links and letting tables join: the same again is done already, another is refused with what differs.

use meterhouse_tests::client::felt;
use meterhouse_tests::{FIVE_CARD_A, FIVE_CARD_C, HAND_BONUS, House};
use serde_json::{Value, json};

/// CONFORMANCE 35: a link opens once with its terms.
#[tokio::test]
async fn a_link() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let terms = json!({"paytable": FIVE_CARD_C, "wager": "5.00", "decks": 1});
    let opened = manager.put("/v1/links/high", &terms).await.created();
    assert_eq!(opened["levels"][0]["opened_with"], "50000.00");
    let again = manager.put("/v1/links/high", &terms).await.is(200);
    assert!(again.replayed());
    assert_eq!(again.text, opened.text);
    // Figure B.
    assert_eq!(
        house.meters("high").await,
        ["50000.00", "5000.00", "1250.00"]
    );
    let other = |field: &str, value: Value| {
        let mut other = terms.clone();
        other[field] = value;
        other
    };
    for (field, value, said) in [
        (
            "paytable",
            json!(FIVE_CARD_A),
            "link pa-657a-five-card-c, asked pa-657a-five-card-a",
        ),
        ("wager", json!("1.00"), "link 5.00, asked 1.00"),
        ("decks", json!(2), "link 1, asked 2"),
        (
            "reserve_policy",
            json!("greater_of"),
            "link add, asked greater_of",
        ),
    ] {
        let answer = manager.put("/v1/links/high", &other(field, value)).await;
        let answer = answer.problem(409, "request_reused");
        assert_eq!(answer["fields"][field], said);
    }
    house.end().await;
}

/// Terms that the rules don't allow open nothing.
#[tokio::test]
async fn a_link_that_does_not_open() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let terms = |paytable: &str, wager: &str, decks: u64, policy: &str| json!({"paytable": paytable, "wager": wager, "decks": decks, "reserve_policy": policy});
    for (terms, status, code) in [
        (terms("pa-none", "1.00", 1, "add"), 404, "unknown_paytable"),
        (terms(FIVE_CARD_C, "2.00", 1, "add"), 422, "envy_not_filed"),
        (terms(FIVE_CARD_C, "0.00", 1, "add"), 422, "out_of_range"),
        (terms(FIVE_CARD_C, "1.001", 1, "add"), 422, "out_of_range"),
        (
            terms(FIVE_CARD_C, "10000.01", 1, "add"),
            422,
            "out_of_range",
        ),
        (terms(FIVE_CARD_C, "1.00", 0, "add"), 422, "out_of_range"),
        (terms(FIVE_CARD_C, "1.00", 9, "add"), 422, "out_of_range"),
        (
            terms(HAND_BONUS, "1.00", 1, "fund_keep"),
            422,
            "policy_needs_reseed",
        ),
        (terms(FIVE_CARD_C, "-1.00", 1, "add"), 400, "invalid_amount"),
        (terms(FIVE_CARD_C, "1.00", 256, "add"), 400, "invalid_value"),
    ] {
        drop(
            manager
                .put("/v1/links/main", &terms)
                .await
                .problem(status, code),
        );
    }
    drop(
        manager
            .get("/v1/links/main")
            .await
            .problem(404, "unknown_link"),
    );
    drop(
        manager
            .put("/v1/links/ma%20in", &terms(FIVE_CARD_C, "1.00", 1, "add"))
            .await
            .problem(400, "invalid_name"),
    );
    assert_eq!(manager.get("/v1/links").await.is(200)["links"], json!([]));
    house.end().await;
}

/// CONFORMANCE 7: a table joins once, and stays on its link for life.
#[tokio::test]
async fn a_table() {
    let house = House::open().await;
    house.link("main", FIVE_CARD_C).await;
    house.link("second", FIVE_CARD_C).await;
    let manager = house.manager().await;
    let joined = manager.join("T1", "main", FIVE_CARD_C).await.created();
    assert_eq!(
        (&joined["number"], joined.text("link")),
        (&json!(1), "main")
    );
    let again = manager.join("T1", "main", FIVE_CARD_C).await.is(200);
    assert!(again.replayed());
    assert_eq!(again.text, joined.text);
    let elsewhere = manager.join("T1", "second", FIVE_CARD_C).await;
    drop(elsewhere.problem(409, "request_reused"));
    let mut fewer = felt("main", FIVE_CARD_C);
    fewer["seats"] = json!(5);
    drop(
        manager
            .caller
            .put("/v1/tables/T1", &fewer)
            .await
            .problem(422, "table_differs"),
    );
    drop(
        manager
            .join("T2", "none", FIVE_CARD_C)
            .await
            .problem(404, "unknown_link"),
    );
    drop(
        manager
            .join("T2", "main", "pa-none")
            .await
            .problem(404, "unknown_paytable"),
    );
    house.end().await;
}

/// CONFORMANCE 29 and 41: a table that differs from its link is refused with every difference.
#[tokio::test]
async fn a_table_that_differs() {
    let house = House::open().await;
    house.link("main", FIVE_CARD_C).await;
    let manager = house.manager().await.caller;
    let mut other = felt("main", FIVE_CARD_A);
    other["wager"] = json!("5.00");
    other["decks"] = json!(2);
    let answer = manager
        .put("/v1/tables/T1", &other)
        .await
        .problem(422, "table_differs");
    let fields: Vec<&str> = answer["fields"]
        .as_object()
        .expect("fields")
        .keys()
        .map(String::as_str)
        .collect();
    let mut expected = vec![
        "wager",
        "decks",
        "level mega",
        "level major",
        "level minor",
        "level meter",
        "line royal-flush",
        "line straight-flush",
        "line four-of-a-kind",
        "line three-of-a-kind",
    ];
    expected.sort_unstable();
    let mut found = fields;
    found.sort_unstable();
    assert_eq!(found, expected, "{}", answer.text);
    assert_eq!(answer["fields"]["wager"], "link 1.00, table 5.00");
    for (field, value, code) in [
        ("game", json!("caribbean-stud"), "table_differs"),
        ("seats", json!(0), "out_of_range"),
        ("seats", json!(7), "out_of_range"),
    ] {
        let mut wrong = felt("main", FIVE_CARD_C);
        wrong[field] = value;
        drop(
            manager
                .put("/v1/tables/T1", &wrong)
                .await
                .problem(422, code),
        );
    }
    drop(
        manager
            .get("/v1/tables/T1")
            .await
            .problem(404, "unknown_table"),
    );
    house.end().await;
}

/// Many people open the same link and join the same tables at once: it is done once.
#[tokio::test]
async fn all_at_once() {
    let house = House::open().await;
    let manager = house.manager().await;
    let opening = (0..8).map(|_| manager.open_link("main", FIVE_CARD_C));
    let mut opened = futures_util::future::join_all(opening).await;
    opened.sort_by_key(|it| it.status);
    let statuses: Vec<u16> = opened.iter().map(|it| it.status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 200, 200, 201]);
    let joining = (0..8).map(|_| manager.join("T1", "main", FIVE_CARD_C));
    let mut joined: Vec<u16> = futures_util::future::join_all(joining)
        .await
        .iter()
        .map(|it| it.status)
        .collect();
    joined.sort_unstable();
    assert_eq!(joined, [200, 200, 200, 200, 200, 200, 200, 201]);
    house.end().await;
}
