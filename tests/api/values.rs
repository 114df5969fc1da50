//! The first values of a link (CONFORMANCE 39): a manager accepts them in a request of their own before anybody plays.

use meterhouse_tests::client::{felt, first_values};
use meterhouse_tests::{Dealer, FIVE_CARD_C, House};
use serde_json::{Value, json};

/// A house with a link `main` that nobody has accepted, and a table on it.
async fn opened() -> (House, Dealer) {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let terms = json!({"paytable": FIVE_CARD_C, "wager": "1.00", "decks": 1});
    drop(manager.put("/v1/links/main", &terms).await.created());
    let felt = felt("main", FIVE_CARD_C);
    drop(manager.put("/v1/tables/T1", &felt).await.created());
    let dealer = house.dealer("T1").await;
    (house, dealer)
}

async fn link(house: &House) -> Value {
    house.nobody().get("/v1/links/main").await.is(200).body
}

/// A table may join before, but nothing is wagered: the refusal is journaled, and the next number plays once a manager has
/// accepted. The acceptance stands in the journal, with who, when and what, and survives a restart.
#[tokio::test]
async fn nobody_plays_before_a_manager_accepts() {
    let (house, dealer) = opened().await;
    let now = link(&house).await;
    assert_eq!(now["values_accepted"], false, "{now}");
    assert_eq!(now["state"], "suspended", "{now}");
    assert!(
        now["reason"]
            .as_str()
            .expect("why")
            .contains("accept the first values")
    );
    drop(
        dealer
            .coin_in(&[1])
            .await
            .problem(422, "values_not_accepted"),
    );
    let again = dealer
        .send_as(1, &meterhouse_tests::client::coin_in(&[1]))
        .await;
    drop(again.problem(422, "values_not_accepted"));
    let house = house.restart().await;
    let dealer = house.dealer("T1").await;
    drop(dealer.resume().await);
    drop(
        dealer
            .coin_in(&[1])
            .await
            .problem(422, "values_not_accepted"),
    );

    let manager = house.manager().await;
    let accepted = manager.caller.accept_values("main").await.created();
    assert_eq!(
        accepted["values"][0],
        json!({"level": "mega", "amount": "10000.00"})
    );
    let now = link(&house).await;
    let expected = (&json!(true), &json!("open"), &Value::Null);
    assert_eq!(
        (&now["values_accepted"], &now["state"], &now["reason"]),
        expected
    );
    drop(dealer.coin_in(&[1]).await.created());

    is_in_the_journal(&house).await;
    let house = house.restart().await;
    assert_eq!(link(&house).await["values_accepted"], true);
    let dealer = house.dealer("T1").await;
    drop(dealer.resume().await);
    drop(dealer.close().await.created());
    drop(dealer.coin_in(&[1]).await.created());
    house.end().await;
}

/// The acceptance stands in the journal behind the refusals, with who, when and what.
async fn is_in_the_journal(house: &House) {
    let manager = house.manager().await;
    let journal = manager.journal("main", "?after=0").await.is(200);
    let entries = journal["entries"].as_array().expect("entries");
    let kinds = entries
        .iter()
        .map(|it| it["event"]["kind"].as_str().expect("a kind"));
    let refused = "refused";
    let expected = [
        "link_opened",
        "table_joined",
        refused,
        refused,
        "values_accepted",
        "coin_in_accepted",
    ];
    assert_eq!(kinds.collect::<Vec<_>>(), expected, "{}", journal.text);
    let entry = &entries[4];
    assert_eq!(
        (&entry["by"], entry["at"].is_string()),
        (&json!("ana"), true),
        "{entry}"
    );
    let values = json!([{"level": "mega", "amount": "10000.00"},
        {"level": "major", "amount": "1000.00"}, {"level": "minor", "amount": "250.00"}]);
    assert_eq!(entry["event"]["values"], values, "{entry}");
}

/// Every level once, with exactly what it opened with; the level that differs is named. The same again, whoever sends it,
/// is answered as the first time; anything else is refused as before.
#[tokio::test]
async fn each_level_is_named_with_what_it_opened_with() {
    let (house, _) = opened().await;
    let manager = house.manager().await.caller;
    let path = "/v1/links/main/values";
    let right = first_values(&link(&house).await);
    let changed = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut body = right.clone();
        change(body["values"].as_array_mut().expect("values"));
        body
    };
    let other = changed(&|values| values[1]["amount"] = json!("1000.01"));
    let wrong = [
        (
            other.clone(),
            json!({"level": "major", "opened_with": "1000.00", "amount": "1000.01"}),
        ),
        (
            changed(&|values| drop(values.pop())),
            json!({"level": "minor", "opened_with": "250.00", "named": "0"}),
        ),
        (
            changed(&|values| values.push(values[0].clone())),
            json!({"level": "mega", "opened_with": "10000.00", "named": "2"}),
        ),
    ];
    for (body, fields) in &wrong {
        let refused = manager.put(path, body).await.problem(422, "values_differ");
        assert_eq!(refused["fields"], *fields, "{}", refused.text);
    }
    let unknown = manager.put("/v1/links/other/values", &right).await;
    drop(unknown.problem(404, "unknown_link"));
    for role in ["supervisor", "auditor", "display"] {
        let person = house.person(&format!("sam-{role}"), role).await;
        drop(person.put(path, &right).await.problem(403, "forbidden"));
    }
    assert_eq!(link(&house).await["values_accepted"], false);

    let accepted = manager.put(path, &right).await.created();
    let backwards = changed(&|values| values.reverse());
    let bob = house.person("bob", "manager").await;
    let again = bob.put(path, &backwards).await.is(200);
    assert!(
        again.replayed() && again.text == accepted.text,
        "{}",
        again.text
    );
    drop(
        manager
            .put(path, &other)
            .await
            .problem(422, "values_differ"),
    );
    house.end().await;
}

/// Two people adjust no amount that no manager has accepted.
#[tokio::test]
async fn nothing_is_adjusted_before() {
    let (house, _) = opened().await;
    let both = house.two_people().await;
    let change = json!({"change": "adjust", "level": "mega", "account": "meter", "amount": "1.00"});
    let id = meterhouse_tests::TwoPeople::new_id();
    let refused = both.propose("main", &id, &change).await;
    drop(refused.problem(422, "values_not_accepted"));
    let manager = house.manager().await.caller;
    drop(manager.accept_values("main").await.created());
    drop(both.adjust("main", "mega", "meter", "1.00").await);
    house.end().await;
}

/// What names no level of the link, or is no list of values, is told by its code.
#[tokio::test]
async fn what_are_no_values() {
    let (house, _) = opened().await;
    let manager = house.manager().await.caller;
    let path = "/v1/links/main/values";
    let strange = json!({"values": [{"level": "giga", "amount": "10000.00"}]});
    drop(
        manager
            .put(path, &strange)
            .await
            .problem(422, "no_such_level"),
    );
    for (body, code) in [
        (json!({"values": [{"level": "mega"}]}), "malformed_body"),
        (
            json!({"values": [{"level": "mega", "amount": 1}]}),
            "invalid_amount",
        ),
        (json!({"value": []}), "unknown_field"),
    ] {
        drop(manager.put(path, &body).await.problem(400, code));
    }
    house.end().await;
}
