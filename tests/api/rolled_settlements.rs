//! Rounds of Sic Bo and Touchdown Roulette settled over HTTP: the response, and each mistake with its path.

use meterhouse_tests::House;
use serde_json::{Value, json};

use crate::settlements::SETTLEMENTS;

/// A throw without a mistake.
fn throw() -> Value {
    json!({
        "game": "sic-bo", "jurisdiction": "PA", "terms": {"minimum": "5.00", "step": "1.00"},
        "tables": ["pa-625a-sic-bo-a", "pa-625a-one-of-a-kind-a"], "dice": [2, 5, 2],
        "seats": [{"seat": 3, "player": "p-77", "wagers": [
            {"wager": "two-dice", "numbers": [2, 5], "amount": "10.00"}, {"wager": "big", "amount": "5.00"}]}],
    })
}

/// A game of Touchdown Roulette without a mistake.
fn game() -> Value {
    json!({
        "game": "roulette", "jurisdiction": "PA", "terms": {"minimum": "5.00", "step": "1.00"},
        "tables": ["pa-617a-touchdown-a"], "spins": ["00", "32", "0", "00", "0"],
        "seats": [{"seat": 1, "wagers": [{"wager": "touchdown", "team": "red", "amount": "5.00"}]}],
    })
}

/// Returns a round with another value in one place.
fn with(mut round: Value, pointer: &str, value: Value) -> Value {
    let (place, field) = pointer.rsplit_once('/').expect(pointer);
    let place = round.pointer_mut(place).expect(pointer);
    match field.parse::<usize>() {
        Ok(index) => place[index] = value,
        Err(_) => place[field] = value,
    }
    round
}

/// Each wager has what the player chose, so that a lost one is known too. Two and five are shown: 5 to 1.
#[tokio::test]
async fn a_settled_throw_names_what_each_wager_is_on() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let answer = sam.post(SETTLEMENTS, &throw()).await.is(200);
    assert_eq!(
        answer.body["seats"],
        json!([{"seat": 3, "player": "p-77", "chips": "60.00", "wagers": [
            {"wager": "two-dice", "numbers": [2, 5], "team": null, "amount": "10.00", "result": "win",
                "clause": "§ 625a.6(a)",
                "line": {"table": "pa-625a-sic-bo-a", "citation": "58 Pa. Code § 625a.6(a)", "index": 17,
                    "prints": "Any Two Dice Combination", "pays": "5 to 1"},
                "payout": "50.00", "paid": "50.00", "cut": false, "returned": "10.00", "collected": "0.00",
                "chips": "60.00"},
            {"wager": "big", "numbers": [], "team": null, "amount": "5.00", "result": "loss", "clause": "§ 625a.6(a)",
                "line": null, "payout": "0.00", "paid": "0.00", "cut": false, "returned": "0.00", "collected": "5.00",
                "chips": "0.00"}]}])
    );
    assert_eq!(answer.body["tables"][0]["not_in_source"][0]["what"], "bets");
    let answer = sam.post(SETTLEMENTS, &game()).await.is(200);
    let wager = &answer.body["seats"][0]["wagers"][0];
    assert_eq!(
        (&wager["team"], &wager["line"]["prints"], &wager["paid"]),
        (&json!("red"), &json!("11—20 yard line"), &json!("375.00"))
    );
    house.end().await;
}

/// A round with one mistake, its path and its code.
type Mistaken = (Value, &'static str, &'static str);

/// A wager of the rounds.
const WAGER: &str = "/seats/0/wagers/0";

/// Returns mistakes in what a throw of dice and its wagers have.
fn wrong_throws() -> Vec<Mistaken> {
    vec![
        (with(throw(), "/dice/0", json!(0)), "dice", "no_dice"),
        (with(throw(), "/dice/1", json!(7)), "dice", "no_dice"),
        (with(throw(), "/dice/2", json!(255)), "dice", "no_dice"),
        (with(throw(), "/dice", json!([1, 2])), "dice", "no_dice"),
        (with(throw(), "/dice", json!([])), "dice", "no_dice"),
        (
            with(throw(), &format!("{WAGER}/amount"), json!("5.50")),
            "seats[0].wagers[0].amount",
            "off_step",
        ),
        (
            with(throw(), &format!("{WAGER}/amount"), json!("4.00")),
            "seats[0].wagers[0].amount",
            "below_minimum",
        ),
        (
            with(throw(), &format!("{WAGER}/numbers"), json!([2, 2])),
            "seats[0].wagers[0].numbers",
            "numbers_chosen",
        ),
        (
            with(
                throw(),
                WAGER,
                json!({"wager": "touchdown", "amount": "5.00"}),
            ),
            "seats[0].wagers[0]",
            "wager_unknown",
        ),
        (
            with(throw(), "/tables/1", json!("pa-625a-sic-bo-b")),
            "seats[0].wagers[0]",
            "table_twice",
        ),
    ]
}

/// Returns fields and values that a throw of dice doesn't have.
fn wrong_rounds() -> Vec<Mistaken> {
    vec![
        (
            with(throw(), "/terms/limit", json!("9.00")),
            "terms.limit",
            "limit_unknown",
        ),
        (
            with(throw(), "/terms/goal", json!("plays-on")),
            "terms.goal",
            "other_game",
        ),
        (
            with(throw(), "/dealer", json!(["As"])),
            "dealer",
            "other_game",
        ),
        (
            with(throw(), "/void", json!("exposed-early")),
            "void",
            "other_game",
        ),
        (
            with(throw(), "/seats/0/cards", json!(["As"])),
            "seats[0].cards",
            "other_game",
        ),
        (
            with(throw(), "/seats/0/end", json!("folded")),
            "seats[0].end",
            "other_game",
        ),
        (
            with(throw(), "/seats/0/seat", json!(0)),
            "seats[0].seat",
            "seat_unknown",
        ),
        (with(throw(), "/seats", json!([])), "seats", "no_seats"),
        (
            with(throw(), "/jurisdiction", json!("MA")),
            "game",
            "game_unknown",
        ),
    ]
}

/// Returns mistakes in a game of Touchdown Roulette.
fn wrong_games() -> Vec<Mistaken> {
    vec![
        (with(game(), "/spins", json!([])), "spins", "no_spins"),
        (
            with(game(), "/spins", json!(["0", "1", "2", "3", "4", "5"])),
            "spins",
            "no_spins",
        ),
        (
            with(game(), "/spins", json!(["0", "36", "14"])),
            "terms.goal",
            "goal_missing",
        ),
        (
            with(game(), "/spins", json!(["17"])),
            "seats[0].wagers[0].team",
            "team_without_game",
        ),
        (
            with(
                game(),
                WAGER,
                json!({"wager": "touchdown", "amount": "5.00"}),
            ),
            "seats[0].wagers[0].team",
            "team_missing",
        ),
        (
            with(game(), &format!("{WAGER}/numbers"), json!([1])),
            "seats[0].wagers[0].numbers",
            "other_game",
        ),
        (
            with(game(), "/dice", json!([1, 2, 3])),
            "dice",
            "other_game",
        ),
    ]
}

/// Each mistake alone, with its path and code.
#[tokio::test]
async fn each_mistake_has_its_path() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    for (round, path, code) in [wrong_throws(), wrong_rounds(), wrong_games()].concat() {
        let answer = sam
            .post(SETTLEMENTS, &round)
            .await
            .problem(422, "round_refused");
        let expected = json!({path: code});
        let found = &answer.body["fields"];
        assert_eq!(found[path], expected[path], "{}", answer.text);
        let follows = ["table_twice", "game_unknown"].contains(&code);
        assert!(follows || *found == expected, "{}", answer.text);
        let detail = answer.text("detail");
        assert!(detail.contains(&format!("{path}: ")), "{detail}");
    }
    house.end().await;
}

/// Mistakes in the fields of every kind of game come in one answer, and values that can't be read name their place.
#[tokio::test]
async fn many_mistakes_in_a_throw_come_together() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let mut round = with(throw(), "/dice", json!([0, 5]));
    round["tables"] = json!(["pa-625a-sic-bo-a", "none"]);
    round["spins"] = json!(["17"]);
    round["seats"][0]["wagers"] = json!([
        {"wager": "two-dice", "numbers": [2, 5], "amount": "5.50"}, {"wager": "two-dice", "numbers": [5, 2], "amount": "5.00"},
        {"wager": "total-4", "numbers": [1], "amount": "5.00"}, {"wager": "ante", "team": "red", "amount": "5.00"}]);
    let answer = sam
        .post(SETTLEMENTS, &round)
        .await
        .problem(422, "round_refused");
    assert_eq!(
        answer.body["fields"],
        json!({"tables[1]": "table_unknown", "spins": "other_game", "dice": "no_dice",
            "seats[0].wagers[0].amount": "off_step", "seats[0].wagers[1]": "wager_twice",
            "seats[0].wagers[2].numbers": "numbers_chosen", "seats[0].wagers[3].team": "other_game",
            "seats[0].wagers[3]": "wager_unknown"})
    );
    for sentence in [
        "spins: a round of sic-bo has none: leave it out",
        "seats[0].wagers[2].numbers: total-4 goes without numbers: leave them out",
    ] {
        assert!(answer.text("detail").contains(sentence), "{}", answer.text);
    }
    for (round, field) in [
        (with(game(), "/spins/3", json!("37")), "spins[3]"),
        (with(game(), "/spins/0", json!(0)), "spins[0]"),
        (with(throw(), "/dice/1", json!(256)), "dice[1]"),
        (with(throw(), "/dice", json!(vec![1; 9])), "dice"),
        (
            with(throw(), "/seats/0/wagers/1/wager", json!("total-3")),
            "seats[0].wagers[1].wager",
        ),
        (
            with(throw(), "/seats/0/wagers/1/wager", json!("sic-bo")),
            "seats[0].wagers[1].wager",
        ),
        (
            with(game(), "/seats/0/wagers/0/team", json!("blue")),
            "seats[0].wagers[0].team",
        ),
    ] {
        let answer = sam
            .post(SETTLEMENTS, &round)
            .await
            .problem(400, "invalid_value");
        let fields = answer.body["fields"].as_object().expect("fields");
        assert!(fields.contains_key(field), "{field}: {}", answer.text);
    }
    house.end().await;
}

/// The kinds of games are told apart in both directions; amounts beyond the range have no sum, and no pay.
#[tokio::test]
async fn cards_have_no_dice_and_amounts_have_an_end() {
    let house = House::open().await;
    let sam = house.person("sam", "supervisor").await;
    let round = json!({
        "game": "crazy-4-poker", "jurisdiction": "PA", "terms": {"minimum": "5.00", "step": "0.50", "goal": "plays-on"},
        "tables": ["pa-657a-ante-play", "pa-657a-super-bonus"], "dealer": ["Kh", "Ks", "9d", "5c", "2h"], "dice": [1, 2, 3],
        "seats": [{"seat": 1, "cards": ["As", "Ad", "Ah", "7d", "3c"], "wagers": [
            {"wager": "ante", "amount": "10.00"}, {"wager": "super-bonus", "amount": "10.00", "numbers": [1]},
            {"wager": "play", "amount": "30.00", "team": "red"}, {"wager": "small", "amount": "5.00"}]}],
    });
    let answer = sam
        .post(SETTLEMENTS, &round)
        .await
        .problem(422, "round_refused");
    assert_eq!(
        answer.body["fields"],
        json!({"terms.goal": "other_game", "dice": "other_game", "seats[0].wagers[1].numbers": "other_game",
            "seats[0].wagers[2].team": "other_game", "seats[0].wagers[3]": "wager_unknown"})
    );
    let rich = json!([{"wager": "three-of-a-kind", "numbers": [2], "amount": "9000000000000.00"}]);
    let three = with(throw(), "/dice", json!([2, 2, 2]));
    let answer = sam
        .post(SETTLEMENTS, &with(three, "/seats/0/wagers", rich))
        .await;
    let answer = answer.problem(422, "round_refused");
    assert_eq!(
        answer.body["fields"],
        json!({"seats[0].wagers[0]": "unpayable"})
    );
    let lost = json!([{"wager": "big", "amount": "9000000000000.00"}, {"wager": "total-4", "amount": "9000000000000.00"}]);
    let answer = sam
        .post(SETTLEMENTS, &with(throw(), "/seats/0/wagers", lost))
        .await;
    let answer = answer.problem(422, "round_refused");
    assert_eq!(answer.body["fields"], json!({"seats": "unpayable"}));
    house.end().await;
}
