//! Several games on one link: equality of content decides, what a source doesn't print is confirmed, and each game forms
//! its progressive hand in its own way.

use meterhouse_tests::{Dealer, House, TwoPeople};
use serde_json::{Value, json};

use crate::paytables::evaluate;

const CRAZY: &str = "pa-657a-five-card-c";
const ULTIMATE: &str = "pa-653a-c";
const MISSISSIPPI: &str = "pa-655a-c";

/// A table of a game, as its controller asks to join.
fn felt(game: &str, paytable: &str, confirms: bool) -> Value {
    let mut body = json!({"link": "main", "game": game, "seats": 6, "paytable": paytable, "wager": "1.00", "decks": 1});
    if confirms {
        body["confirm_inferred"] = json!(true);
    }
    body
}

/// A table of a game that has joined.
pub(crate) async fn joined(house: &House, table: &str, game: &str, paytable: &str) -> Dealer {
    let manager = house.manager().await.caller;
    let path = format!("/v1/tables/{table}");
    let body = felt(game, paytable, true);
    drop(manager.put(&path, &body).await.created());
    house.dealer(table).await
}

/// All cards of a round with a community.
fn settle(community: &[&str], seats: &[(u8, [&str; 2])]) -> Value {
    let seats: Vec<Value> = seats
        .iter()
        .map(|(seat, cards)| json!({"seat": seat, "cards": cards}))
        .collect();
    json!({"command": "settle", "dealer": [], "community": community, "seats": seats})
}

/// Crazy 4, Ultimate Texas Hold 'Em and Mississippi Stud on Paytable C: one set of meters, each game's own hands.
#[tokio::test]
async fn three_games_on_one_link() {
    let house = House::open().await;
    house.link("main", CRAZY).await;
    let crazy = joined(&house, "C4P", "crazy-4-poker", CRAZY).await;
    let ultimate = joined(&house, "UTH", "ultimate-texas-hold-em", ULTIMATE).await;
    let mississippi = joined(&house, "MSS", "mississippi-stud", MISSISSIPPI).await;
    drop(crazy.coin_in(&[1, 2, 3]).await.created());
    drop(ultimate.coin_in(&[1, 2]).await.created());
    drop(mississippi.coin_in(&[1]).await.created());
    assert_eq!(
        house.meters("main").await,
        ["10000.54", "1000.42", "250.18"]
    );

    // The Flop is of every hand; the River makes seat 1's four of a kind, but no progressive one.
    let flop = ["Ks", "Qs", "Js", "9d", "9h"];
    let all = settle(&flop, &[(1, ["9c", "9s"]), (2, ["As", "Ts"])]);
    let settled = ultimate.send(&all).await.created();
    assert_eq!(
        settled["hits"][0]["hand"], "royal-flush",
        "{}",
        settled.text
    );
    assert_eq!(settled["hits"].as_array().map(Vec::len), Some(1));
    assert_eq!(settled["hits"][0]["due"], "10000.54");
    assert_eq!(
        house.meters("main").await,
        ["10000.00", "1000.42", "250.18"]
    );

    // A folder of Mississippi Stud forfeits nothing; one of Crazy 4 does.
    drop(mississippi.fold(&[1]).await.created());
    let all = settle(&["7s", "7d", "7h"], &[(1, ["7c", "2h"])]);
    let settled = mississippi.send(&all).await.created();
    assert_eq!(settled["hits"][0]["hand"], "four-of-a-kind");
    assert_eq!(
        house.meters("main").await,
        ["10000.00", "1000.42", "250.00"]
    );
    drop(crazy.fold(&[1]).await.created());
    let own = crazy.hit(1, "full-house", "2s 2h 2d 3c 3h").await;
    drop(own.problem(422, "folded"));
    // A community in a game without one, and none in a game with one.
    let seats = [(2, ["2s", "2h"]), (3, ["3s", "3h"])];
    let refused = crazy.send(&settle(&["7s"], &seats)).await;
    drop(refused.problem(422, "impossible_cards"));
    let sam = house.supervisor("sam").await;
    for name in ["UTH.2.1", "MSS.3.1"] {
        let seen = sam.hit(name).await.is(200);
        assert_eq!(seen["evaluation"]["agrees"], true, "{}", seen.text);
        sam.settles(name, 1).await;
    }
    house.end().await;
}

/// Let It Ride's three own cards and two in the middle; Four Card Poker's dealer, of whose six the first five count.
#[tokio::test]
async fn other_ways_to_form_a_hand() {
    let house = House::open().await;
    house.link("main", CRAZY).await;
    let ride = joined(&house, "LIR", "let-it-ride", "pa-643a-five-card-c").await;
    drop(ride.coin_in(&[1]).await.created());
    let seat = json!({"seat": 1, "cards": ["9d", "8d", "7d"]});
    let all = json!({"command": "settle", "community": ["6d", "5d"], "seats": [seat]});
    let settled = ride.send(&all).await.created();
    assert_eq!(settled["hits"][0]["hand"], "straight-flush");

    let bonus = "pa-641a-five-card-hand-bonus";
    let terms = json!({"paytable": bonus, "wager": "1.00", "decks": 1, "confirm_inferred": true});
    let manager = house.manager().await.caller;
    drop(manager.put("/v1/links/bonus", &terms).await.created());
    drop(manager.accept_values("bonus").await.created());
    let mut body = felt("four-card-poker", bonus, true);
    body["link"] = json!("bonus");
    drop(manager.put("/v1/tables/FCP", &body).await.created());
    let dealer = house.dealer("FCP").await;
    drop(dealer.coin_in_on_dealer(&[2]).await.created());
    let own = json!({"seat": 2, "cards": ["2c", "4d", "6h", "8d", "Jh"]});
    let dealt = |dealer: &[&str]| json!({"command": "settle", "dealer": dealer, "seats": [own]});
    let five = dealer.send(&dealt(&["9s", "Ks", "Qs", "Js", "Ts"])).await;
    assert_eq!(
        five.problem(422, "impossible_cards")["fields"]["expected"],
        "6"
    );
    let six = dealt(&["9s", "Ks", "Qs", "Js", "Ts", "As"]);
    let settled = dealer.send(&six).await.created();
    assert_eq!(settled["hits"][0]["hand"], "straight-flush");
    assert_eq!(settled["hits"][0]["due"], "1000.01");
    house.end().await;
}

/// § 641a.8(d): Four Card Poker's dealer has six cards at a four-card paytable too; a wrong number is told with the right ones.
#[tokio::test]
async fn six_cards_of_a_dealer_beside_four_card_hands() {
    let house = House::open().await;
    let paytable = "pa-641a-four-card-a";
    let terms =
        json!({"paytable": paytable, "wager": "1.00", "decks": 1, "confirm_inferred": true});
    let manager = house.manager().await.caller;
    drop(manager.put("/v1/links/main", &terms).await.created());
    drop(manager.accept_values("main").await.created());
    let dealer = joined(&house, "FCP", "four-card-poker", paytable).await;
    drop(dealer.coin_in(&[2]).await.created());
    let own = json!({"seat": 2, "cards": ["As", "Ah", "Ad", "Ac", "Jh"]});
    let dealt = |dealer: &[&str]| json!({"command": "settle", "dealer": dealer, "seats": [own]});
    let six = ["2c", "3c", "4c", "5c", "7c", "9c"];
    let seven = [&six[..], &["Tc"]].concat();
    let refused = dealer.send(&dealt(&seven)).await;
    let refused = refused.problem(422, "impossible_cards");
    assert_eq!(refused["fields"]["expected"], "5 to 6");
    let settled = dealer.send(&dealt(&six)).await.created();
    assert_eq!(settled["hits"][0]["hand"], "four-aces");
    assert_eq!(settled["hits"][0]["due"], "5000.29");
    house.end().await;
}

/// What its source doesn't print is confirmed by whoever opens a link or lets a table join; the link says so.
#[tokio::test]
async fn what_is_inferred_is_confirmed() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let terms = |confirms: Value| json!({"paytable": "pa-639a-f", "wager": "1.00", "decks": 1, "confirm_inferred": confirms});
    for no in [json!(null), json!(false)] {
        let refused = manager.put("/v1/links/main", &terms(no)).await;
        let refused = refused.problem(422, "inferred_not_confirmed");
        assert_eq!(
            refused["fields"]["envy"],
            "not in 58 Pa. Code § 639a.12(d)(6), as in 58 Pa. Code § 657a.12(e)(5)"
        );
        assert!(refused["fields"]["seats"].is_string(), "{}", refused.text);
    }
    let wrong = manager.put("/v1/links/main", &terms(json!("yes"))).await;
    drop(wrong.problem(400, "malformed_body"));
    let opened = manager.put("/v1/links/main", &terms(json!(true))).await;
    let opened = opened.created();
    let citation = opened.text("citation");
    assert!(
        citation.starts_with("58 Pa. Code § 639a.12(d); confirmed by the operator: ")
            && citation.contains("envy as in 58 Pa. Code § 657a.12(e)(5)"),
        "{citation}"
    );
    let again = manager.put("/v1/links/main", &terms(json!(true))).await;
    assert!(again.is(200).replayed());

    // Its content is Crazy 4 five-card B's, and neither C's nor, on a link of several games, its own E's.
    drop(joined(&house, "C4P", "crazy-4-poker", "pa-657a-five-card-b").await);
    let body = felt("ultimate-texas-hold-em", "pa-653a-b", false);
    let refused = manager.put("/v1/tables/UTH", &body).await;
    drop(refused.problem(422, "inferred_not_confirmed"));
    let other = felt("ultimate-texas-hold-em", ULTIMATE, true);
    let refused = manager.put("/v1/tables/UTH", &other).await;
    let refused = refused.problem(422, "table_differs");
    let fields = refused["fields"].as_object().expect("fields");
    let names: Vec<&str> = fields.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "level major",
            "level mega",
            "level minor",
            "line four-of-a-kind",
            "line three-of-a-kind"
        ]
    );
    assert_eq!(
        fields["line three-of-a-kind"],
        "link 9 for 1, table 10 for 1"
    );
    house.end().await;
}

/// § 639a.12(d)(3): A, B, C and E are for one game; § 643a.12(d) and Massachusetts wait for the operator's file.
#[tokio::test]
async fn what_cannot_be_linked_or_opened() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let terms = |paytable: &str| json!({"paytable": paytable, "wager": "1.00", "decks": 1, "confirm_inferred": true});
    for (paytable, lacking) in [
        ("pa-643a-three-card-a", "pays"),
        ("ma-four-card-a", "seeds"),
        ("ma-ptmgl01", "rates"),
    ] {
        let refused = manager.put("/v1/links/main", &terms(paytable)).await;
        let refused = refused.problem(422, "incomplete_paytable");
        let place = refused["fields"][lacking].as_str().unwrap_or_default();
        assert!(place.starts_with("not in "), "{}", refused.text);
        let shown = manager.get(&format!("/v1/paytables/{paytable}")).await;
        let shown = shown.is(200);
        assert_eq!(shown["complete"], false);
        let returns = format!("/v1/paytables/{paytable}/returns");
        drop(
            manager
                .get(&returns)
                .await
                .problem(422, "incomplete_paytable"),
        );
    }
    // What is lacking of the one says nothing about a hand; of the other it does.
    let hand = |paytable: &str, cards: &[&str]| json!({"paytable": paytable, "cards": cards, "wager": "1.00"});
    let aces = hand("ma-four-card-a", &["As", "Ah", "Ad", "Ac", "2s"]);
    let judged = evaluate(&manager, &aces).await.is(200);
    assert_eq!(judged["pay"]["percent"], 100);
    assert_eq!(judged["not_in_source"][1]["what"], "rates");
    let mini_royal = hand("pa-643a-three-card-a", &["As", "Ks", "Qs"]);
    let refused = evaluate(&manager, &mini_royal).await;
    drop(refused.problem(422, "incomplete_paytable"));
    drop(
        manager
            .put("/v1/links/main", &terms("pa-639a-c"))
            .await
            .created(),
    );
    drop(joined(&house, "CS1", "caribbean-stud", "pa-639a-c").await);
    drop(joined(&house, "CS2", "caribbean-stud", "pa-639a-c").await);
    let listed = manager.get("/v1/paytables").await.is(200);
    let listed = listed["paytables"].as_array().expect("a list").clone();
    assert!(listed.len() >= 55, "{}", listed.len());
    let incomplete = listed.iter().filter(|it| it["complete"] == false);
    // PTMGL04 is completed by the tests' operator.
    assert_eq!(incomplete.count(), 11);
    house.end().await;
}

/// A link whose paytable returns more than the whole wager plays once two people have said that they know.
#[tokio::test]
async fn returns_are_acknowledged_by_two_people() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    for (link, paytable, state) in [
        ("main", "pa-639a-a", "suspended"),
        ("other", "pa-639a-c", "open"),
    ] {
        let terms =
            json!({"paytable": paytable, "wager": "1.00", "decks": 1, "confirm_inferred": true});
        let path = format!("/v1/links/{link}");
        drop(manager.put(&path, &terms).await.created());
        drop(manager.accept_values(link).await.created());
        let now = manager.get(&path).await.is(200);
        assert_eq!(now["state"], state, "{}", now.text);
        let says = now["reason"].as_str().unwrap_or_default();
        let waits = says.contains("two people have to acknowledge");
        assert_eq!(waits, state != "open");
    }
    let dealer = joined(&house, "CS1", "caribbean-stud", "pa-639a-a").await;
    let refused = dealer.coin_in(&[1, 3]).await;
    drop(refused.problem(422, "returns_not_acknowledged"));
    assert_eq!(house.meters("main").await, ["10000.00"]);
    // To resume it is not enough, and one person is not two.
    drop(manager.delete("/v1/links/main/suspension").await.is(200));
    let both = house.two_people().await;
    let acknowledge = json!({"change": "acknowledge_returns"});
    let id = TwoPeople::new_id();
    drop(both.propose("main", &id, &acknowledge).await.created());
    drop(
        dealer
            .coin_in(&[1, 3])
            .await
            .problem(422, "returns_not_acknowledged"),
    );
    drop(both.approve("main", &id).await.created());
    drop(dealer.coin_in(&[1, 3]).await.created());
    assert_eq!(house.meters("main").await, ["10001.06"]);
    drop(dealer.close().await.created());
    let id = TwoPeople::new_id();
    let again = both.propose("main", &id, &acknowledge).await;
    drop(again.problem(422, "nothing_to_acknowledge"));

    let house = house.restart().await;
    let dealer = house.dealer("CS1").await;
    drop(
        dealer
            .send_as(
                5,
                &json!({"command": "coin_in", "wagers": [{"seat": 1, "amount": "1.00"}], "dealt": [1]}),
            )
            .await
            .created(),
    );
    drop(
        dealer
            .send_as(6, &json!({"command": "close"}))
            .await
            .created(),
    );
    house.end().await;
}
