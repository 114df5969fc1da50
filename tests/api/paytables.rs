//! What a hand pays and what a paytable is worth, asked without a table.

use meterhouse_tests::{Answer, Caller, FIVE_CARD_C, HAND_BONUS, House};
use serde_json::{Value, json};

/// Asks what a hand pays.
pub(crate) async fn evaluate(caller: &Caller, body: &Value) -> Answer {
    caller.post("/v1/evaluations", body).await
}

/// What the regulation pays for a hand, from where and who validates it, for an own hand and the dealer's.
#[tokio::test]
async fn hands_are_judged() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let royal = json!({"paytable": FIVE_CARD_C, "cards": ["As", "Ks", "Qs", "Js", "Ts"], "wager": "1.00",
        "displayed": "12345.67"});
    let answer = evaluate(&sam, &royal).await.is(200);
    assert_eq!(answer.text("hand"), "royal-flush");
    assert_eq!(answer.text("citation"), "58 Pa. Code § 657a.12(e)");
    assert_eq!(
        answer.body["pay"],
        json!({"percent": 100, "level": "mega", "for_one": null, "amount": "12345.67", "charged_to": "meter",
            "handed_over": "slip", "validated_by": "floorperson"})
    );
    assert_eq!(answer.text("envy"), "1000.00");

    let dealers = json!({"paytable": HAND_BONUS, "cards": ["2s", "2h", "2d", "2c", "Jh"], "wager": "1.00",
        "on": "dealer"});
    let answer = evaluate(&sam, &dealers).await.is(200);
    assert_eq!(
        answer.body["pay"],
        json!({"percent": null, "level": null, "for_one": 500, "amount": "500.00", "charged_to": "house",
            "handed_over": "game_account", "validated_by": "floorperson"})
    );
    let flush =
        json!({"paytable": HAND_BONUS, "cards": ["2s", "4s", "6s", "8s", "Js"], "wager": "1.00"});
    let answer = evaluate(&sam, &flush).await.is(200);
    assert_eq!(answer.body["pay"]["validated_by"], "rule");
    assert_eq!(answer.body["envy"], Value::Null);
    let pair =
        json!({"paytable": HAND_BONUS, "cards": ["2s", "2h", "6s", "8s", "Js"], "wager": "1.00"});
    let answer = evaluate(&sam, &pair).await.is(200);
    assert_eq!(
        (answer.text("hand"), &answer.body["pay"]),
        ("pair", &Value::Null)
    );
    // The source prints envy for $1 and $5 only.
    let two =
        json!({"paytable": FIVE_CARD_C, "cards": ["As", "Ks", "Qs", "Js", "Ts"], "wager": "2.00"});
    assert_eq!(evaluate(&sam, &two).await.is(200).body["envy"], Value::Null);
    house.end().await;
}

/// What is no hand, no wager and nobody's to ask.
#[tokio::test]
async fn what_cannot_be_judged_is_refused() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let good =
        json!({"paytable": FIVE_CARD_C, "cards": ["As", "Ks", "Qs", "Js", "Ts"], "wager": "1.00"});
    let with = |field: &str, value: Value| {
        let mut body = good.clone();
        body[field] = value;
        body
    };
    for (body, status, code) in [
        (
            with("cards", json!(["As", "Ks", "Qs", "Js"])),
            400,
            "invalid_card",
        ),
        (
            with("cards", json!(["As", "As", "Qs", "Js", "Ts"])),
            400,
            "invalid_card",
        ),
        (
            with("cards", json!(["As", "Ks", "Qs", "Js", "1s"])),
            400,
            "invalid_card",
        ),
        (with("cards", json!([])), 400, "invalid_card"),
        (with("wager", json!("0.00")), 400, "invalid_amount"),
        (with("wager", json!(1)), 400, "invalid_amount"),
        (
            json!({"paytable": FIVE_CARD_C, "cards": ["2s", "2h", "2d", "3c", "3h"], "wager": "9000000000000"}),
            400,
            "invalid_amount",
        ),
        (with("on", json!("dealer")), 400, "invalid_value"),
        (with("on", json!("both")), 400, "invalid_value"),
        (with("displayed", json!("-1")), 400, "invalid_amount"),
        (with("hand", json!("pair")), 400, "unknown_field"),
        (with("paytable", json!("other")), 404, "unknown_paytable"),
        (json!([good]), 400, "malformed_body"),
    ] {
        drop(evaluate(&sam, &body).await.problem(status, code));
    }
    drop(
        evaluate(&house.nobody(), &good)
            .await
            .problem(401, "unauthenticated"),
    );
    house.end().await;
}

/// What paytables return, at their seeds and at other amounts; what can't be asked.
#[tokio::test]
async fn returns_are_exact() {
    let house = House::open().await;
    let aud = house.person("aud", "auditor").await;
    let path = format!("/v1/paytables/{FIVE_CARD_C}/returns");
    let answer = aud.get(&path).await.is(200);
    assert_eq!(answer.body["long_run"]["percent"], "75.89%");
    assert_eq!(answer.body["hold"]["percent"], "24.11%");
    assert_eq!(answer.body["at_displayed"]["percent"], "56.89%");
    assert_eq!(answer.body["levels"][0]["mean_jackpot"], "68476.60");
    assert_eq!(answer.body["lines"][0]["one_in"], "649740.00");
    assert_eq!(answer.body["warning"], Value::Null);
    let even = answer.body["levels"][0]["break_even"]
        .as_str()
        .expect("an amount");
    let path_even = format!("{path}?meter=mega:{even}");
    let answer = aud.get(&path_even).await.is(200);
    assert_eq!(answer.body["at_displayed"]["percent"], "100.00%");
    let bonus = format!("/v1/paytables/{HAND_BONUS}/returns?magic_card_one_in=10&meter=20000");
    let answer = aud.get(&bonus).await.is(200);
    assert_eq!(answer.body["draws"][0]["every_round"]["exact"], "25/13");
    assert_eq!(answer.body["draws"][0]["adds"]["exact"], "5/26");
    assert_eq!(answer.body["draws"][1]["one_in"], Value::Null);
    for (query, code) in [
        ("wager=x", "invalid_amount"),
        ("wager=0", "invalid_amount"),
        ("wager=10000.01", "invalid_amount"),
        ("meter=mayor:1", "invalid_parameter"),
        ("meter=1", "invalid_parameter"),
        ("meter=mega:x", "invalid_amount"),
        ("meter=mega:10000000000.01", "invalid_amount"),
        ("seats=0", "invalid_parameter"),
        ("seats=16", "invalid_parameter"),
        ("magic_card_one_in=0", "invalid_parameter"),
        ("other=1", "invalid_parameter"),
    ] {
        drop(aud.get(&format!("{path}?{query}")).await.problem(400, code));
    }
    house.end().await;
}

/// The manual is for everybody: a page for each game, with all its paytables, what they are worth, and where each fact
/// stands. Six games have fixed wagers alone, and the source prints no facts of two of these.
#[tokio::test]
async fn the_manual_is_for_everybody() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let nobody = house.nobody();
    let games = nobody.get("/v1/manual").await.is(200);
    let games = games["games"].as_array().expect("games");
    assert_eq!(games.len(), 13);
    let listed = manager.get("/v1/paytables").await.is(200);
    let listed = listed["paytables"].as_array().expect("a list");
    for game in games {
        let name = game["game"].as_str().expect("a name");
        let page = nobody.get(&format!("/v1/manual/{name}")).await.is(200);
        assert_eq!(page["title"], game["title"]);
        for heading in [
            "Round of play",
            "Wagers, and what a fold forfeits",
            "Order of settlement",
        ] {
            for row in rows_under(&page, heading).iter().skip(1) {
                let source = row.as_array().and_then(|it| it.last());
                assert_ne!(source.expect("cells"), "", "{name}: {row}");
            }
        }
        let of_game = |it: &&Value| {
            let games = it["games"].as_array().expect("games");
            games.iter().any(|it| it["game"] == name)
        };
        let of_game: Vec<&Value> = listed.iter().filter(of_game).collect();
        let paytables = rows_under(&page, "Paytables").len();
        assert_eq!(paytables.saturating_sub(1), of_game.len(), "{name}");
        for paytable in of_game {
            stands_on(&page, paytable, &manager).await;
        }
    }
    for (path, status, code) in [
        ("/v1/manual/old-maid", 404, "unknown_game"),
        ("/v1/manual/old%20maid", 400, "invalid_name"),
        ("/v1/manual?x=1", 400, "invalid_parameter"),
    ] {
        drop(nobody.get(path).await.problem(status, code));
    }
    house.end().await;
}

/// The table under a heading of a page.
fn rows_of<'a>(page: &'a Answer, heading: &str) -> &'a [Value] {
    let rows = rows_under(page, heading);
    assert!(!rows.is_empty(), "a table with the heading {heading}");
    rows
}

/// The table under a heading of a page; no row if the page doesn't have it.
fn rows_under<'a>(page: &'a Answer, heading: &str) -> &'a [Value] {
    let mut parts = page["parts"].as_array().expect("parts").iter();
    let part = parts.find(|it| it["heading"] == heading);
    let rows = part.and_then(|it| it["table"].as_array());
    rows.map_or(&[], Vec::as_slice)
}

/// A paytable has its row, with what it is worth or what it lacks, and its part.
async fn stands_on(page: &Answer, paytable: &Value, reader: &Caller) {
    let id = paytable["paytable"].as_str().expect("an id");
    let mut rows = rows_of(page, "Paytables").iter();
    let row = rows.find(|it| it[0] == id).expect("its row");
    assert_eq!(row[1], paytable["citation"]);
    let mut parts = page["parts"].as_array().expect("parts").iter();
    let part = parts.find(|it| it["heading"] == id).expect("its part");
    let text = part["columns"].as_str().expect("a text");
    assert!(text.contains(id), "{text}");
    if paytable["complete"] == true {
        let path = format!("/v1/paytables/{id}/returns");
        let worth = reader.get(&path).await.is(200);
        assert_eq!(row[2], worth["at_displayed"]["percent"]);
        assert_eq!(row[3], worth["long_run"]["percent"]);
        let link = &worth["on_a_link"];
        assert_eq!(row[4], link["envy_at_full_table"]["percent"]);
        assert_eq!(row[5], link["total"]["percent"]);
    } else {
        let says = row[6].as_str().expect("a note");
        assert!(says.starts_with("lacking: "), "{row}");
    }
}

/// What returns more than the wager is offered with its upper fixed pays off the meter; what doesn't is offered nothing.
#[tokio::test]
async fn upper_pays_off_the_meter_are_offered() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let worth = manager.get("/v1/paytables/pa-639a-b/returns").await.is(200);
    assert_eq!(worth["long_run"]["percent"], "125.55%");
    let offer = &worth["offer"];
    assert_eq!(offer["paytable"], "pa-639a-b-charged");
    assert_eq!(offer["level"], "meter");
    assert_eq!(offer["hands"], json!(["four-of-a-kind", "full-house"]));
    assert_eq!(offer["long_run"]["percent"], "99.14%");
    let file = offer["file"].as_str().expect("a file");
    assert!(
        file.contains("pays = { for_one = 500, of = \"meter\" }"),
        "{file}"
    );
    let worth = manager.get("/v1/paytables/pa-639a-c/returns").await.is(200);
    assert_eq!(worth["offer"], json!(null));
    assert_eq!(worth["shortfall"]["percent"], "0.00%");
    house.end().await;
}

/// Two paytables side by side: equality of content, not of name; every difference, and that one is for one game only.
#[tokio::test]
async fn two_are_compared() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let compare = async |first: &str, second: &str| {
        let path = format!("/v1/paytables/{first}/differences?with={second}");
        manager.get(&path).await
    };
    let same = compare("pa-639a-f", "pa-657a-five-card-b").await.is(200);
    assert_eq!(same["may_share"], true);
    assert_eq!(same["differences"], json!([]));
    assert_eq!(same["paytable"]["citation"], "58 Pa. Code § 639a.12(d)");
    let listed = manager.get("/v1/paytables").await.is(200);
    let listed = listed["paytables"].as_array().expect("a list");
    let version = |id: &str| {
        let found = listed.iter().find(|it| it["paytable"] == id);
        found.expect("a paytable")["version"].clone()
    };
    assert_eq!(version("pa-639a-f"), version("pa-657a-five-card-b"));
    assert_ne!(version("pa-639a-f"), version("pa-657a-five-card-c"));
    assert_eq!(version("ma-five-card"), json!(null));
    house.link("main", "pa-657a-five-card-b").await;
    let link = manager.get("/v1/links/main").await.is(200);
    assert_eq!(link["paytable_version"], version("pa-639a-f"));

    let other = compare("pa-639a-c", FIVE_CARD_C).await.is(200);
    assert_eq!(other["may_share"], false);
    let found = other["differences"].as_array().expect("differences");
    let named = |field: &str| found.iter().find(|it| it["field"] == field);
    for field in ["level meter", "level mega", "line royal-flush", "linkable"] {
        assert!(named(field).is_some(), "{field}: {}", other.text);
    }
    for (path, status, code) in [
        (
            "/v1/paytables/pa-639a-c/differences",
            400,
            "invalid_parameter",
        ),
        (
            "/v1/paytables/pa-639a-c/differences?with=none",
            404,
            "unknown_paytable",
        ),
        (
            "/v1/paytables/pa-639a-c/differences?with=ma-five-card",
            422,
            "incomplete_paytable",
        ),
    ] {
        drop(manager.get(path).await.problem(status, code));
    }
    house.end().await;
}

/// What is wrong with the cards is said together; envy that isn't printed for a wager is said to be so; draws that make a
/// wager worth more than itself are warned of.
#[tokio::test]
async fn what_somebody_has_to_know() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let asked = |cards: &[&str], wager: &str| json!({"paytable": FIVE_CARD_C, "cards": cards, "wager": wager});
    let refused = evaluate(&sam, &asked(&["As", "As", "Ks"], "1.00")).await;
    let refused = refused.problem(400, "invalid_card");
    for says in [
        "As comes twice",
        "write the 5 cards of the hand; these are 3",
    ] {
        assert!(refused.text("detail").contains(says), "{}", refused.text);
    }
    let royal = ["As", "Ks", "Qs", "Js", "Ts"];
    let says = "Its envy is printed for $1.00 and $5.00 only";
    for (wager, is_said) in [("2.00", true), ("5.00", false)] {
        let found = evaluate(&sam, &asked(&royal, wager)).await.is(200);
        assert_eq!(
            found.text("answer").contains(says),
            is_said,
            "{}",
            found.text
        );
        assert_eq!(found["envy"].is_null(), is_said);
    }
    for (one_in, with_draws) in [(1, "249.55%"), (10, "76.47%")] {
        let path = format!("/v1/paytables/{HAND_BONUS}/returns?magic_card_one_in={one_in}");
        let worth = sam.get(&path).await.is(200);
        assert_eq!(worth["with_draws"]["percent"], with_draws);
        let warned = worth["warning"].as_str().unwrap_or_default();
        assert_eq!(warned.contains("with these draws"), one_in == 1, "{warned}");
        assert!(worth["offer"].is_null());
    }
    house.end().await;
}
