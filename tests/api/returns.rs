//! What a link returns: the answer that opens it says so part by part, and more than the wager needs two people.

use meterhouse_tests::{Answer, FIVE_CARD_C, HAND_BONUS, House, TwoPeople};
use serde_json::{Value, json};

/// A test's own: the Hand Bonus of § 657a.12(f) with envy.
const DRAWS_AND_ENVY: &str = "test-draws-and-envy";

fn terms(paytable: &str, settings: &Value) -> Value {
    let mut terms = json!({"paytable": paytable, "wager": "1.00", "decks": 1});
    for (name, value) in settings.as_object().into_iter().flatten() {
        terms[name] = value.clone();
    }
    terms
}

/// Total, long run, Magic Cards, Lucky Bonuses and envy at a full table, in percent.
fn parts(answer: &Answer) -> [&str; 5] {
    let names = [
        "total",
        "long_run",
        "magic_card",
        "lucky_bonus",
        "envy_at_full_table",
    ];
    names.map(|part| {
        let percent = answer["returns"][part]["percent"].as_str();
        percent.expect("a part in percent")
    })
}

/// The long run is 57.24% of the wager; a Magic Card in one of six rounds adds 100/52/6 = 32.05%; the envy of five others,
/// 2,000 for 1 for 4 royal and 36 straight flushes of 2,598,960 hands, 15.39%. No two of the parts are more than the wager,
/// all three are 104.68%: one person does not get past that, two do.
#[tokio::test]
async fn draws_and_envy_together_need_two_people() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let often = terms(DRAWS_AND_ENVY, &json!({"magic_card_one_in": 6}));
    let opened = manager.put("/v1/links/main", &often).await.created();
    let expected = ["104.68%", "57.24%", "32.05%", "0.00%", "15.39%"];
    assert_eq!(parts(&opened), expected);
    assert_eq!(opened["returns"]["full_table"], 6);
    assert_eq!(opened["returns"]["two_people"], true);
    assert_eq!(opened["returns"]["magic_card"]["exact"], "25/78");
    let now = manager.get("/v1/links/main").await.is(200);
    assert_eq!(
        (parts(&now), &now["state"]),
        (expected, &json!("suspended"))
    );
    drop(manager.accept_values("main").await.created());
    let again = manager.put("/v1/links/main", &often).await.is(200);
    assert_eq!(again.text, opened.text);

    // A table of one seat has no envy, and the link counts that of its largest all the same.
    let small = json!({"link": "main", "game": "crazy-4-poker", "seats": 1, "paytable": DRAWS_AND_ENVY,
                       "wager": "1.00", "decks": 1});
    drop(manager.put("/v1/tables/T1", &small).await.created());
    let dealer = house.dealer("T1").await;
    let refused = dealer
        .coin_in(&[1])
        .await
        .problem(422, "returns_not_acknowledged");
    let fields = json!({"total": "104.68%", "long_run": "57.24%", "magic_card": "32.05%",
                        "lucky_bonus": "0.00%", "envy_at_full_table": "15.39%"});
    assert_eq!(refused["fields"], fields);
    let detail = refused.text("detail");
    assert!(
        detail.contains("a second one of another department"),
        "{detail}"
    );

    let both = house.two_people().await;
    let id = TwoPeople::new_id();
    let acknowledge = json!({"change": "acknowledge_returns"});
    drop(both.propose("main", &id, &acknowledge).await.created());
    let path = format!("{}/approval", TwoPeople::path("main", &id));
    let alone = both.one.put(&path, &json!({"decision": "approve"})).await;
    drop(alone.problem(422, "same_person"));
    drop(
        dealer
            .coin_in(&[1])
            .await
            .problem(422, "returns_not_acknowledged"),
    );
    drop(both.approve("main", &id).await.created());
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.close().await.created());
    house.end().await;
}

/// Just below the wager nobody has to acknowledge anything, whatever the layout of the first table.
#[tokio::test]
async fn no_more_than_the_wager_opens_at_once() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    for (link, paytable, settings, expected) in [
        (
            "seldom",
            DRAWS_AND_ENVY,
            json!({"magic_card_one_in": 7}),
            ["100.10%", "57.24%", "27.47%", "0.00%", "15.39%"],
        ),
        (
            "seldomer",
            DRAWS_AND_ENVY,
            json!({"magic_card_one_in": 8}),
            ["96.67%", "57.24%", "24.04%", "0.00%", "15.39%"],
        ),
        (
            "lucky",
            HAND_BONUS,
            json!({"lucky_bonus_one_in": 12}),
            ["98.90%", "57.24%", "0.00%", "41.67%", "0.00%"],
        ),
        (
            "luckier",
            HAND_BONUS,
            json!({"lucky_bonus_one_in": 11}),
            ["102.69%", "57.24%", "0.00%", "45.45%", "0.00%"],
        ),
        (
            "first",
            FIVE_CARD_C,
            json!({}),
            ["78.74%", "75.89%", "0.00%", "0.00%", "2.85%"],
        ),
    ] {
        let path = format!("/v1/links/{link}");
        let opened = manager.put(&path, &terms(paytable, &settings)).await;
        let opened = opened.created();
        drop(manager.accept_values(link).await.created());
        assert_eq!(parts(&opened), expected, "{link}");
        let waits = expected[0].len() > "99.99%".len();
        assert_eq!(opened["returns"]["two_people"], waits, "{link}");
        let state = if waits { "suspended" } else { "open" };
        assert_eq!(manager.get(&path).await.is(200)["state"], state, "{link}");
    }
    house.end().await;
}

/// A table of fixed wagers has no meter: the error says where its figures are.
#[tokio::test]
async fn a_table_of_fixed_wagers_says_where_its_figures_are() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let path = |id: &str| format!("/v1/paytables/{id}/returns");
    let answer = sam.get(&path("pa-625a-sic-bo-a")).await;
    let answer = answer.problem(404, "unknown_paytable");
    let detail = answer.text("detail");
    for place in ["/v1/manual/sic-bo", "`meterhouse returns pa-625a-sic-bo-a`"] {
        assert!(detail.contains(place), "{detail}");
    }
    drop(sam.get("/v1/manual/sic-bo").await.is(200));
    let answer = sam
        .get(&path("none"))
        .await
        .problem(404, "unknown_paytable");
    assert!(!answer.text("detail").contains("manual"), "{}", answer.text);
    house.end().await;
}
