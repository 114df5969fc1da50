//! Whole rounds settled over HTTP: amounts worked by hand, mistakes with their paths, and who may ask.

use std::collections::BTreeSet;

use meterhouse_api::round_settlement::RoundSettlement;
use meterhouse_tests::worked_rounds::{WorkedWager, worked_rounds};
use meterhouse_tests::{FIVE_CARD_C, House};
use serde_json::{Value, json};

/// Path of the settlement of rounds.
pub(crate) const SETTLEMENTS: &str = "/v1/rounds/settlements";

/// A round of Crazy 4 Poker without a mistake.
fn good() -> Value {
    json!({
        "game": "crazy-4-poker", "jurisdiction": "PA", "terms": {"minimum": "5.00", "step": "0.50"},
        "tables": ["pa-657a-ante-play", "pa-657a-super-bonus"],
        "dealer": ["Kh", "Ks", "9d", "5c", "2h"],
        "seats": [{"seat": 1, "cards": ["As", "Ad", "Ah", "7d", "3c"], "wagers": [
            {"wager": "ante", "amount": "10.00"}, {"wager": "super-bonus", "amount": "10.00"},
            {"wager": "play", "amount": "30.00"}]}],
    })
}

/// Every worked round of every game comes to the amounts worked by hand, wager by wager.
#[tokio::test]
async fn rounds_of_every_game_come_to_the_amounts_worked_by_hand() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let mut games = BTreeSet::new();
    let rounds = worked_rounds();
    assert_eq!(rounds.len(), 35, "a worked round was added or lost");
    for round in rounds {
        let name = &round.name;
        let body = serde_json::to_value(&round.request).expect("plain data");
        let answer = sam.post(SETTLEMENTS, &body).await.is(200);
        let settled: RoundSettlement = serde_json::from_value(answer.body).expect(name);
        for (seat, expected) in &round.seats {
            let mut seats = settled.seats.iter();
            let found = seats.find(|settled| settled.seat == *seat).expect(name);
            let wagers: Vec<WorkedWager> = found.wagers.iter().map(WorkedWager::from).collect();
            assert_eq!(&wagers, expected, "{name}, seat {seat}");
            for wager in &found.wagers {
                let chips = wager.returned.plus(wager.paid.0).expect("in range");
                assert_eq!(wager.chips.0, chips, "{name}, seat {seat}, {}", wager.wager);
                let wagered = wager.returned.plus(wager.collected.0).expect("in range");
                assert_eq!(
                    wager.amount.0, wagered,
                    "{name}, seat {seat}, {}",
                    wager.wager
                );
                assert_eq!(wager.cut, wager.paid != wager.payout, "{name}, seat {seat}");
            }
        }
        let totals = &settled.totals;
        let sums = [
            totals.wagered.0,
            totals.collected.0,
            totals.returned.0,
            totals.paid.0,
        ];
        assert_eq!(
            sums, round.totals,
            "{name}: wagered, collected, returned, paid"
        );
        games.insert((settled.game.to_string(), settled.jurisdiction.name()));
    }
    assert_eq!(games.len(), 11, "{games:?}");
    house.end().await;
}

/// The body of a settled round, with the line, its odds and the limit that cut a pay.
#[tokio::test]
async fn a_settled_round_cites_its_lines_and_its_limit() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let answer = sam.post(SETTLEMENTS, &good()).await.is(200);
    assert_eq!(answer.body["limit"], Value::Null);
    assert_eq!(
        answer.body["tables"][1],
        json!({"table": "pa-657a-super-bonus", "title": "Crazy 4 Poker, Super Bonus Wager",
            "citation": "58 Pa. Code § 657a.12(b)", "not_in_source": []})
    );
    let seat = &answer.body["seats"][0];
    assert_eq!(
        (&seat["chips"], &seat["player"]),
        (&json!("110.00"), &Value::Null)
    );
    assert_eq!(
        seat["wagers"][2],
        json!({"wager": "super-bonus", "numbers": [], "team": null, "amount": "10.00", "result": "win",
            "clause": "§ 657a.11(c)(3)(ii)(B)",
            "line": {"table": "pa-657a-super-bonus", "citation": "58 Pa. Code § 657a.12(b)", "index": 3,
                "prints": "Three-of-a-kind", "pays": "2 to 1"},
            "payout": "20.00", "paid": "20.00", "cut": false, "returned": "10.00", "collected": "0.00",
            "chips": "30.00"})
    );
    assert_eq!(
        answer.body["totals"],
        json!({"wagered": "50.00", "collected": "0.00", "returned": "50.00", "paid": "60.00"})
    );
    let rounds = worked_rounds();
    let cut = rounds
        .iter()
        .find(|round| round.name == "a payout limit of two boxes");
    let body = serde_json::to_value(&cut.expect("the round").request).expect("plain data");
    let answer = sam.post(SETTLEMENTS, &body).await.is(200);
    assert_eq!(
        answer.body["limit"],
        json!({"amount": "50000.00", "clause": "§ 683a.12(f)"})
    );
    let raise = &answer.body["seats"][1]["wagers"][2];
    assert_eq!(
        (
            &raise["payout"],
            &raise["paid"],
            &raise["cut"],
            &raise["chips"]
        ),
        (
            &json!("37500.00"),
            &json!("0.00"),
            &json!(true),
            &json!("75.00")
        )
    );
    house.end().await;
}

/// Mistakes of the tables, the terms, the cards, the wagers and the decisions come in one answer, each with its path.
#[tokio::test]
async fn many_mistakes_come_together() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let mut round = good();
    round["tables"] = json!([
        "pa-657a-ante-play",
        "pa-657a-super-bonus",
        "none",
        FIVE_CARD_C,
        "pa-641a-play"
    ]);
    round["terms"]["limit"] = json!("60000.00");
    round["dealer"] = json!(["Kh", "Ks", "9d", "5c"]);
    round["void"] = json!("exposed-early");
    round["seats"] = json!([
        {"seat": 1, "cards": ["As", "Ad", "Ah", "7d", "3c"], "wagers": [
            {"wager": "ante", "amount": "10.25"}, {"wager": "super-bonus", "amount": "10.00"},
            {"wager": "raise-1", "amount": "30.00"}]},
        {"seat": 1, "cards": ["As", "2d", "4h", "7h", "3h"], "wagers": [{"wager": "super-bonus", "amount": "4.00"}]},
        {"seat": 9, "end": "folded", "wagers": [{"wager": "ante", "amount": "2.00"}, {"wager": "ante", "amount": "5.00"},
            {"wager": "super-bonus", "amount": "2.00"}, {"wager": "play", "amount": "2.00"}]},
    ]);
    let answer = sam
        .post(SETTLEMENTS, &round)
        .await
        .problem(422, "round_refused");
    let expected = [
        ("seats[0].cards[0]", "card_twice"),
        ("seats[0].wagers[0].amount", "off_step"),
        ("seats[0].wagers[2]", "wager_unknown"),
        ("seats[1].cards[0]", "card_twice"),
        ("seats[1].seat", "seat_twice"),
        ("seats[1].wagers", "wager_missing"),
        ("seats[1].wagers[0].amount", "below_minimum"),
        ("seats[2].seat", "seat_unknown"),
        ("seats[2].wagers", "folded_with_raise"),
        ("seats[2].wagers[0].amount", "below_minimum"),
        ("seats[2].wagers[1]", "wager_twice"),
        ("seats[2].wagers[2].amount", "below_minimum"),
        ("tables[2]", "table_unknown"),
        ("tables[3]", "table_unknown"),
        ("tables[4]", "table_incomplete"),
        ("terms.limit", "limit_unknown"),
    ];
    assert_eq!(
        answer["fields"],
        Value::from_iter(expected),
        "{}",
        answer.text
    );
    let detail = answer.text("detail");
    for sentence in [
        "seats[0].wagers[0].amount: 10.25 is off the table's steps: write a multiple of 0.50",
        "seats[1].cards[0]: As is in the round twice",
        "tables[3]: pa-657a-five-card-c pays a progressive wager",
        "tables[4]: pa-641a-play is incomplete (lines not in 58 Pa. Code § 641a.12(a)—(c)",
        "terms.limit: no clause lets this game limit payouts",
    ] {
        assert!(detail.contains(sentence), "{detail}");
    }
    house.end().await;
}

/// Each mistake in a chosen limit or reading, alone.
#[tokio::test]
async fn a_limit_is_one_that_the_clause_allows() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let rounds = worked_rounds();
    let body = |name: &str| {
        let round = rounds.iter().find(|round| round.name == name).expect(name);
        serde_json::to_value(&round.request).expect("plain data")
    };
    let frenzy = "a payout limit that cuts the odds wager";
    let folded = "Texas Hold 'Em Bonus, folded";
    for (name, field, value, path, code) in [
        (
            frenzy,
            "limit",
            json!("49999.00"),
            "terms.limit",
            "limit_too_low",
        ),
        (
            frenzy,
            "reading",
            Value::Null,
            "terms.reading",
            "reading_missing",
        ),
        (
            frenzy,
            "most_at_minimum",
            json!("7.00"),
            "terms.most_at_minimum",
            "most_differs",
        ),
        (
            folded,
            "limit",
            json!("60000.00"),
            "terms.limit",
            "limit_fixed",
        ),
        (
            folded,
            "most_at_minimum",
            Value::Null,
            "terms.most_at_minimum",
            "most_missing",
        ),
    ] {
        let mut round = body(name);
        round["terms"][field] = value;
        let answer = sam
            .post(SETTLEMENTS, &round)
            .await
            .problem(422, "round_refused");
        assert_eq!(
            answer.body["fields"],
            json!({path: code}),
            "{}",
            answer.text
        );
    }
    house.end().await;
}

/// Values that can't be read, and lists that are too long.
#[tokio::test]
async fn what_cannot_be_read_names_its_field() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let seat = good()["seats"][0].clone();
    let wager = seat["wagers"][0].clone();
    for (body, code, field) in [
        (
            with("/seats/0/wagers/0/wager", json!("blackjack")),
            "invalid_value",
            "seats[0].wagers[0].wager",
        ),
        (
            with("/seats/0/wagers/0/amount", json!("-1.00")),
            "invalid_amount",
            "seats[0].wagers[0].amount",
        ),
        (
            with("/seats/0/wagers/0/amount", json!(1)),
            "invalid_amount",
            "seats[0].wagers[0].amount",
        ),
        (
            with("/seats/0/cards/1", json!("1s")),
            "invalid_card",
            "seats[0].cards[1]",
        ),
        (
            with("/jurisdiction", json!("NJ")),
            "invalid_value",
            "jurisdiction",
        ),
        (with("/game", json!("no game")), "invalid_name", "game"),
        (
            with("/seats", json!(vec![seat; 16])),
            "invalid_value",
            "seats",
        ),
        (
            with("/seats/0/wagers", json!(vec![wager; 51])),
            "invalid_value",
            "seats[0].wagers",
        ),
        (
            with("/dealer", json!(vec!["Kh"; 9])),
            "invalid_value",
            "dealer",
        ),
        (
            with("/tables", json!(vec!["pa-657a-ante-play"; 25])),
            "invalid_value",
            "tables",
        ),
    ] {
        let answer = sam.post(SETTLEMENTS, &body).await.problem(400, code);
        let fields = answer.body["fields"].as_object().expect("fields");
        assert!(fields.contains_key(field), "{field}: {}", answer.text);
    }
    house.end().await;
}

/// Returns a good round with another value in one place.
fn with(pointer: &str, value: Value) -> Value {
    let mut round = good();
    *round.pointer_mut(pointer).expect(pointer) = value;
    round
}

/// Fields and games that are unknown, and callers without the right.
#[tokio::test]
async fn what_is_not_known_or_not_allowed_is_refused() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let unknown = with(
        "/terms",
        json!({"minimum": "5.00", "step": "0.50", "maximum": "9.00"}),
    );
    drop(
        sam.post(SETTLEMENTS, &unknown)
            .await
            .problem(400, "unknown_field"),
    );
    let game = with("/game", json!("blackjack"));
    let answer = sam
        .post(SETTLEMENTS, &game)
        .await
        .problem(422, "round_refused");
    assert_eq!(answer.body["fields"], json!({"game": "game_unknown"}));
    drop(
        house
            .nobody()
            .post(SETTLEMENTS, &good())
            .await
            .problem(401, "unauthenticated"),
    );
    let display = house.person("sign", "display").await;
    drop(
        display
            .post(SETTLEMENTS, &good())
            .await
            .problem(403, "forbidden"),
    );
    house.end().await;
}

/// A settlement changes nothing, so the record of acts has what was changed before and after it alone.
#[tokio::test]
async fn a_settlement_is_no_act() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let manager = house.manager().await.caller;
    drop(manager.post(SETTLEMENTS, &good()).await.is(200));
    let pit = json!({"pit": "Pit 3"});
    let path = "/v1/tables/T1/presentation";
    drop(manager.put(path, &pit).await.created());
    let aud = house.person("aud", "auditor").await;
    let acts = aud.get("/v1/acts?act=request").await.is(200);
    let acts = acts["acts"].as_array().expect("acts");
    let subjects = acts.iter().map(|act| act["subject"].as_str());
    let subjects: Vec<&str> = subjects.map(|subject| subject.expect("text")).collect();
    assert!(
        subjects.contains(&format!("PUT {path}").as_str()),
        "{subjects:?}"
    );
    let settled = subjects.iter().find(|act| act.contains("rounds"));
    assert_eq!(settled, None);
    house.end().await;
}
