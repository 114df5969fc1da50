//! Magic Card and Lucky Bonus: drawn by the server at coin-in, keyed by the dealer, credited to the game account.

use meterhouse_tests::client::settle;
use meterhouse_tests::{Answer, Dealer, FIVE_CARD_A, HAND_BONUS, House};
use serde_json::{Value, json};

/// In every round both are drawn.
fn always() -> Value {
    json!({"magic_card_one_in": 1, "lucky_bonus_one_in": 1})
}

/// One dollar of each seat on its own hand, of seats 1 and 4 on the dealer's too.
fn both_hands() -> Value {
    let own = (1..=6).map(|seat| json!({"seat": seat, "amount": "1.00"}));
    let dealer = [1, 4].map(|seat| json!({"seat": seat, "amount": "1.00", "on": "dealer"}));
    let wagers: Vec<Value> = own.chain(dealer).collect();
    json!({"command": "coin_in", "wagers": wagers, "dealt": [1, 2, 3, 4, 5, 6]})
}

/// Five cards that win nothing, this one among them.
fn hand_with(card: &str) -> String {
    let others = ["2c", "5d", "7h", "9s", "Jc"]
        .into_iter()
        .filter(|it| *it != card);
    let mut cards: Vec<&str> = others.take(4).collect();
    cards.push(card);
    cards.join(" ")
}

async fn bonus(dealer: &Dealer, kind: &str, holder: &Value, cards: Option<&str>) -> Answer {
    let mut bonus = holder.clone();
    bonus["command"] = json!("bonus");
    bonus["kind"] = json!(kind);
    if let Some(cards) = cards {
        bonus["cards"] = cards.split_whitespace().collect();
    }
    dealer.send(&bonus).await
}

/// A draw is made once, at coin-in: the table reads it again, a repeat says the same, and so does the journal.
#[tokio::test]
async fn drawn_once() {
    let (house, dealers) = House::playing_with(HAND_BONUS, &always(), &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let locked = dealer.send(&both_hands()).await.created();
    let drawn = [&locked["magic_card"], &locked["lucky_position"]];
    assert_eq!(locked.text("magic_card").len(), 2);
    let position = &locked["lucky_position"];
    let seat = position["seat"].as_u64();
    assert!(
        position == &json!({"seat": null, "dealer": true})
            || seat.is_some_and(|seat| (1..=6).contains(&seat)),
        "{position}"
    );
    let again = dealer.send_as(1, &both_hands()).await.is(200);
    assert_eq!(again.text, locked.text);
    let round = dealer.resume().await["round"].clone();
    assert_eq!([&round["magic_card"], &round["lucky_position"]], drawn);
    let journal = house
        .manager()
        .await
        .journal("main", "?limit=500")
        .await
        .is(200);
    let event = &journal["entries"]
        .as_array()
        .expect("entries")
        .last()
        .expect("one")["event"];
    assert_eq!([&event["magic_card"], &event["lucky_position"]], drawn);
    house.end().await;
}

/// Every seat and the dealer come up, and many cards: no draw is the last one.
#[tokio::test]
async fn drawn_anew() {
    let (house, dealers) = House::playing_with(HAND_BONUS, &always(), &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let mut positions = std::collections::BTreeSet::new();
    let mut cards = std::collections::BTreeSet::new();
    // One of seven is missing in 100 rounds once in 700,000 times.
    for _ in 0..100 {
        let locked = dealer.send(&both_hands()).await.created();
        positions.insert(locked["lucky_position"].to_string());
        cards.insert(locked.text("magic_card").to_owned());
        drop(dealer.close().await.created());
    }
    assert_eq!(positions.len(), 7, "{positions:?}");
    assert!(cards.len() > 20, "{cards:?}");
    house.end().await;
}

/// The lucky position pays each wager on its hand, by rule, to the game account; no other position does, and no meter
/// moves (CONFORMANCE 19).
#[tokio::test]
async fn the_lucky_position() {
    let (house, dealers) = House::playing_with(HAND_BONUS, &always(), &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let mut display = house.display("main").await;
    let locked = dealer.send(&both_hands()).await.created();
    let position = locked["lucky_position"].clone();
    let before = house.first_level().await;
    let other = if position["seat"] == 1 {
        json!({"seat": 2})
    } else {
        json!({"seat": 1})
    };
    drop(
        bonus(dealer, "lucky_bonus", &other, None)
            .await
            .problem(422, "not_drawn"),
    );
    let hit = bonus(dealer, "lucky_bonus", &position, None)
        .await
        .created()
        .recorded_hit();
    let wagers = if position["dealer"] == true { 2 } else { 1 };
    let due = if wagers == 2 { "10.00" } else { "5.00" };
    assert_eq!((hit.text("due"), hit.text("kind")), (due, "lucky_bonus"));
    assert_eq!(
        (hit.text("state"), &hit["hand"]),
        ("validated_by_rule", &Value::Null)
    );
    let all = hit["payouts"].as_array().expect("payouts");
    assert_eq!(all.len(), wagers);
    for payout in all {
        assert_eq!(
            (
                &payout["kind"],
                &payout["handed_over"],
                &payout["charged_to"]
            ),
            (&json!("bonus"), &json!("game_account"), &json!("house"))
        );
    }
    drop(
        bonus(dealer, "lucky_bonus", &position, None)
            .await
            .problem(422, "already_hit"),
    );
    assert_eq!(house.first_level().await, before);
    display
        .hears("hit", |it| it["kind"] == "lucky_bonus" && it["due"] == due)
        .await;
    let closed = dealer.close().await.created();
    assert_eq!(closed["hits"], json!([hit["hit"]]));
    house.end().await;
}

/// The Magic Card pays the hand that has it; with cards the server looks itself; a wager is needed.
#[tokio::test]
async fn the_magic_card() {
    let (house, dealers) = House::playing_with(HAND_BONUS, &always(), &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let wagers = [json!({"seat": 1, "amount": "1.00"})];
    let coin_in = json!({"command": "coin_in", "wagers": wagers, "dealt": [1, 2]});
    let locked = dealer.send(&coin_in).await.created();
    let card = locked.text("magic_card").to_owned();
    let without = if card.starts_with('K') {
        hand_with("Qd")
    } else {
        hand_with("Kd")
    };
    let without = without.replace(&card, "3c");
    let seat = |seat: u8| json!({"seat": seat});
    let refused = bonus(dealer, "magic_card", &seat(1), Some(&without)).await;
    assert_eq!(
        refused.problem(422, "not_drawn")["fields"]["drawn"],
        card.as_str()
    );
    drop(
        bonus(dealer, "magic_card", &seat(2), None)
            .await
            .problem(422, "no_wager"),
    );
    let hit = bonus(dealer, "magic_card", &seat(1), Some(&hand_with(&card)))
        .await
        .created()
        .recorded_hit();
    assert_eq!((hit.text("due"), hit.text("kind")), ("20.00", "magic_card"));
    // A void round takes it back (RULES §6).
    let void = dealer.void("misdeal").await.created();
    assert_eq!(void["hits"], json!([hit["hit"]]));
    house.end().await;
}

/// From all cards the server finds the Magic Card and the lucky position itself.
#[tokio::test]
async fn settled_with_its_draws() {
    let settings = json!({"magic_card_one_in": 1});
    let (house, dealers) = House::playing_with(HAND_BONUS, &settings, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let locked = dealer.coin_in(&[1]).await.created();
    assert_eq!(locked["lucky_position"], Value::Null, "none is drawn here");
    let cards = hand_with(locked.text("magic_card"));
    let settled = dealer.send(&settle("", &[(1, &cards)])).await.created();
    let all = settled["hits"].as_array().expect("hits");
    let magic = all.iter().find(|it| it["kind"] == "magic_card");
    assert_eq!(
        magic.map(|it| &it["due"]),
        Some(&json!("20.00")),
        "{}",
        settled.text
    );
    drop(dealer.close().await.created());
    house.end().await;
}

/// Where the link draws none, nothing is drawn and no bonus paid; a paytable without one draws none at all.
#[tokio::test]
async fn not_offered() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let locked = dealer.coin_in(&[1]).await.created();
    assert_eq!(
        (&locked["magic_card"], &locked["lucky_position"]),
        (&Value::Null, &Value::Null)
    );
    for kind in ["magic_card", "lucky_bonus"] {
        let refused = bonus(dealer, kind, &json!({"seat": 1}), None).await;
        drop(refused.problem(422, "bonus_not_offered"));
    }
    drop(
        bonus(dealer, "jackpot", &json!({"seat": 1}), None)
            .await
            .problem(400, "invalid_value"),
    );
    let mut terms = always();
    for (name, value) in [
        ("paytable", json!(FIVE_CARD_A)),
        ("wager", json!("1.00")),
        ("decks", json!(1)),
    ] {
        terms[name] = value;
    }
    let manager = house.manager().await;
    let refused = manager.caller.put("/v1/links/second", &terms).await;
    drop(refused.problem(422, "bonus_not_offered"));
    house.end().await;
}
