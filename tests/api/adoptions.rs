//! Tables of fixed wagers that two people adopt on a link: a reading of a doubtful print, and a print that returns more than
//! the wager.

use meterhouse_tests::{Answer, Dealer, FIVE_CARD_C, House, TwoPeople};
use serde_json::{Value, json};

use crate::games::joined;

/// A paytable of the tests for Four Card Frenzy.
const FRENZY: &str = "test-four-card-frenzy";
/// The doubtful print of § 684a.12(e).
const DOUBTFUL: &str = "pa-684a-four-card-bonus-a";
/// The Five Card Bonus of § 643a.12(b), "to 1" as the Bulletin corrects it.
const RICH: &str = "pa-643a-five-card-bonus-a";

/// Settles a round of Four Card Frenzy in which seat 1 has a pair of queens and places the Four Card Bonus Wager: the dealer
/// has a pair of kings, so that Ante, Raise and Odds lose.
async fn frenzy(dealer: &Dealer) -> Answer {
    drop(dealer.coin_in(&[1]).await.created());
    dealer.send(&frenzy_round()).await
}

fn frenzy_round() -> Value {
    let wager = |name: &str, amount: &str| json!({"wager": name, "amount": amount});
    json!({
        "command": "settle",
        "dealer": ["Kh", "Kd", "8s", "4c", "3d"],
        "seats": [{"seat": 1, "cards": ["Qc", "Qs", "9h", "5d", "2c"]}],
        "wagers": {
            "jurisdiction": "PA",
            "terms": {"minimum": "5.00", "step": "1.00"},
            "tables": ["pa-684a-ante-raise", "pa-684a-odds", "pa-684a-odds-bad-beat-a", DOUBTFUL],
            "seats": [{"seat": 1, "wagers": [
                wager("ante", "10.00"), wager("raise", "10.00"), wager("odds", "10.00"),
                wager("four-card-bonus", "5.00")]}],
        },
    })
}

/// Settles a round of Let It Ride in which seat 1 has a pair of tens.
async fn ride(dealer: &Dealer) -> Answer {
    let wager = |name: &str, amount: &str| json!({"wager": name, "amount": amount});
    let command = json!({
        "command": "settle",
        "community": ["Ts", "4h"],
        "seats": [{"seat": 1, "cards": ["Td", "7c", "2s"]}],
        "wagers": {
            "jurisdiction": "PA",
            "terms": {"minimum": "5.00", "step": "1.00"},
            "tables": ["pa-643a-let-it-ride", RICH],
            "seats": [{"seat": 1, "wagers": [
                wager("let-it-ride-3", "5.00"), wager("five-card-bonus", "1.00")]}],
        },
    });
    drop(dealer.coin_in(&[1]).await.created());
    dealer.send(&command).await
}

/// Returns the Four Card Bonus Wager of seat 1, and the table that paid it.
fn bonus(settled: &Answer) -> (&Value, &Value) {
    let settlement = &settled["settlement"];
    let wagers = settlement["seats"][0]["wagers"].as_array();
    let mut wagers = wagers.expect("wagers").iter();
    let wager = wagers.find(|wager| wager["wager"] == "four-card-bonus");
    let mut tables = settlement["tables"].as_array().expect("tables").iter();
    let table = tables.find(|table| table["table"] == DOUBTFUL);
    (wager.expect("the wager"), table.expect("the table"))
}

fn reading() -> Value {
    json!({
        "change": "adopt_table", "table": DOUBTFUL, "reading": "queens-or-better", "letter": "PGCB-2026-118",
    })
}

fn adopted() -> Value {
    json!({
        "table": DOUBTFUL, "reading": "queens-or-better", "letter": "PGCB-2026-118", "returns": "95.4798%",
    })
}

/// Two people see what a reading returns. They adopt it between two rounds: an open one keeps its table.
#[tokio::test]
async fn a_reading_is_adopted_between_rounds() {
    let (house, _) = House::playing(FRENZY, &[]).await;
    let dealer = joined(&house, "T1", "four-card-frenzy", FRENZY).await;
    let both = house.two_people().await;
    let id = TwoPeople::new_id();
    let proposed = both.propose("main", &id, &reading()).await.created();
    assert_eq!(proposed["returns"], "95.4798%");
    assert_eq!(proposed["letter"], "PGCB-2026-118");
    drop(dealer.coin_in(&[1]).await.created());
    let open = both.approve("main", &id).await.problem(422, "rounds_open");
    assert_eq!(open["fields"], json!({"table": "T1", "rounds": "1"}));
    let dry = format!("{}/dry-run", TwoPeople::path("main", &id));
    drop(both.one.get(&dry).await.problem(422, "rounds_open"));
    drop(dealer.void("misdeal").await.created());
    let approved = both.approve("main", &id).await.created();
    let effect = json!({"kind": "table_adopted", "adopted": adopted(), "before": null});
    assert_eq!(approved["effect"], effect);
    let link = both.one.get("/v1/links/main").await.is(200);
    assert_eq!(link["adopted"], json!([adopted()]));
    house.end().await;
}

/// The print holds until two people adopt the reading, and again once they adopt the print. A settled round keeps what it
/// paid, also after a restart.
#[tokio::test]
async fn a_reading_pays_once_two_people_adopted_it() {
    let (house, _) = House::playing(FRENZY, &[]).await;
    let dealer = joined(&house, "T1", "four-card-frenzy", FRENZY).await;
    let printed = frenzy(&dealer).await.created();
    let of_print = dealer.next() - 1;
    let (wager, table) = bonus(&printed);
    assert_eq!(
        (&wager["result"], &wager["paid"]),
        (&json!("loss"), &json!("0.00"))
    );
    assert!(table.get("reading").is_none(), "{table}");
    drop(dealer.close().await.created());
    let both = house.two_people().await;
    drop(both.change("main", &reading()).await);
    let read = frenzy(&dealer).await.created();
    let of_reading = dealer.next() - 1;
    let (wager, table) = bonus(&read);
    assert_eq!(
        (&wager["result"], &wager["paid"]),
        (&json!("win"), &json!("5.00"))
    );
    assert_eq!(wager["line"]["prints"], "Pair of queens or better");
    assert_eq!(table["reading"], "queens-or-better");
    drop(dealer.close().await.created());

    let house = house.restart().await;
    let dealer = house.dealer("T1").await;
    drop(dealer.resume().await);
    for (number, first) in [(of_print, &printed), (of_reading, &read)] {
        let again = dealer.send_as(number, &frenzy_round()).await.is(200);
        assert_eq!((again.replayed(), &again.text), (true, &first.text));
    }
    let again = frenzy(&dealer).await.created();
    assert_eq!(bonus(&again).0["result"], "win");
    drop(dealer.close().await.created());
    withdrawn(&house).await;
    let printed = frenzy(&dealer).await.created();
    assert_eq!(bonus(&printed).0["result"], "loss");
    house.end().await;
}

/// Two people let the table pay its print again; the report has both adoptions.
async fn withdrawn(house: &House) {
    let both = house.two_people().await;
    let print =
        json!({"change": "adopt_table", "table": DOUBTFUL, "reason": "the letter was withdrawn"});
    let approved = both.change("main", &print).await;
    assert_eq!(approved["effect"]["before"], adopted());
    assert_eq!(approved["effect"]["adopted"]["reading"], Value::Null);
    let link = both.one.get("/v1/links/main").await.is(200);
    assert_eq!(link["adopted"], json!([]));
    let report = both.one.get("/v1/links/main/alterations").await.is(200);
    let alterations = report["alterations"]
        .as_array()
        .expect("alterations")
        .iter();
    let adoptions: Vec<&Value> = alterations
        .filter(|one| one["kind"] == "table_adopted")
        .map(|one| &one["adoption"])
        .collect();
    assert_eq!(adoptions.len(), 2, "{}", report.text);
    assert_eq!(*adoptions[0], json!({"adopted": adopted(), "before": null}));
}

/// A print that returns more than the wager settles nothing until two people adopt it.
#[tokio::test]
async fn a_table_that_returns_more_waits_for_two_people() {
    let (house, _) = House::playing(FIVE_CARD_C, &[]).await;
    let dealer = joined(&house, "LIR", "let-it-ride", "pa-643a-five-card-c").await;
    let both = house.two_people().await;
    let refused = ride(&dealer).await.problem(422, "table_not_adopted");
    assert_eq!(refused["fields"], json!({"wagers.tables[1]": "118.9893%"}));
    // The cards alone are settled, and the round ends.
    let cards = json!({
        "command": "settle", "community": ["Ts", "4h"], "seats": [{"seat": 1, "cards": ["Td", "7c", "2s"]}],
    });
    drop(dealer.send(&cards).await.created());
    drop(dealer.close().await.created());

    let adopt = json!({"change": "adopt_table", "table": RICH, "returns": "118.9893%"});
    let approved = both.change("main", &adopt).await;
    assert_eq!(approved["effect"]["adopted"]["returns"], "118.9893%");
    let settled = ride(&dealer).await.created();
    let wagers = &settled["settlement"]["seats"][0]["wagers"];
    assert_eq!(wagers[1]["wager"], "five-card-bonus");
    assert_eq!(wagers[1]["paid"], "2.00");
    let again = both.propose("main", &TwoPeople::new_id(), &adopt).await;
    drop(again.problem(422, "nothing_to_adopt"));
    house.end().await;
}

/// Every mistake of a proposal is named with its field; one person alone adopts nothing.
#[tokio::test]
async fn what_cannot_be_adopted_is_refused() {
    let (house, _) = House::playing(FRENZY, &[]).await;
    let both = house.two_people().await;
    let refused = |change: Value, status: u16, code: &'static str, field: Option<&'static str>| {
        let both = both.clone();
        async move {
            let answer = both.propose("main", &TwoPeople::new_id(), &change).await;
            let problem = answer.problem(status, code);
            if let Some(field) = field {
                assert_eq!(problem["fields"]["field"], field, "{}", problem.text);
            }
        }
    };
    let with = |field: &str, value: Value| {
        let mut change = reading();
        change[field] = value;
        change
    };
    let invalid = |change, field| refused(change, 400, "invalid_value", Some(field));
    invalid(with("reading", json!("aces-only")), "reading").await;
    invalid(with("letter", Value::Null), "letter").await;
    let blank = with("letter", json!(" "));
    refused(blank, 400, "invalid_value", None).await;
    invalid(with("reading", Value::Null), "letter").await;
    invalid(with("table", json!("pa-684a-prime-a")), "reading").await;
    invalid(with("returns", json!("95.48%")), "returns").await;
    let long = with("returns", json!("95.47731%"));
    refused(long, 400, "invalid_value", None).await;
    let play = json!({"change": "adopt_table", "table": "pa-684a-ante-raise"});
    invalid(play, "table").await;
    // A link in Pennsylvania.
    let elsewhere = json!({"change": "adopt_table", "table": "ma-queens-up-a"});
    invalid(elsewhere, "table").await;
    let unknown = |table: &str| json!({"change": "adopt_table", "table": table});
    refused(unknown("none"), 404, "unknown_paytable", None).await;
    refused(unknown(FRENZY), 404, "unknown_paytable", None).await;
    refused(unknown("pa-641a-aces-up"), 422, "incomplete_paytable", None).await;
    refused(unknown(DOUBTFUL), 422, "nothing_to_adopt", None).await;

    let id = TwoPeople::new_id();
    drop(both.propose("main", &id, &reading()).await.created());
    let alone = TwoPeople {
        one: both.other.clone(),
        other: both.one.clone(),
    };
    drop(alone.approve("main", &id).await.problem(422, "same_person"));
    let sam = house.person("tom", "auditor").await;
    let path = TwoPeople::path("main", &TwoPeople::new_id());
    let body = TwoPeople::with_reason(&reading());
    drop(sam.put(&path, &body).await.problem(403, "forbidden"));
    house.end().await;
}
