//! PINs: how they are set and removed.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Floor, OWN, PASSWORD, PIN, Session, acts_of, set_pin};

/// A PIN follows its rules, and needs the password, whose wrong ones are delayed as at a login.
#[tokio::test]
async fn a_pin_needs_the_password() {
    let floor = Floor::open().await;
    let sam = &floor.sam;
    for weak in [
        "123",
        "1234",
        "4321",
        "0000",
        "12345678",
        "471147114",
        "47a1",
    ] {
        drop(set_pin(sam, weak).await.problem(400, "weak_pin"));
    }
    let alone = json!({"pin": "4712"});
    let without = sam.send(Method::PUT, OWN, Some(&alone)).await;
    let without = without.problem(400, "invalid_value");
    assert_eq!(without["fields"]["field"], "password");
    let wrong = json!({"pin": "4712", "password": "another horse battery"});
    for _ in 0..5 {
        let refused = sam.send(Method::PUT, OWN, Some(&wrong)).await;
        drop(refused.problem(401, "login_failed"));
    }
    // However long this test takes: the last failure lies ahead, so that the whole delay is left.
    let ahead = "UPDATE login_failure SET failed_at = failed_at + 3600000000 WHERE failures = 5";
    assert_eq!(floor.house.database.tamper(ahead).await, 1);
    drop(set_pin(sam, "4712").await.problem(429, "login_delayed"));
    drop(floor.sign("sam", PIN).await.is(201));
    let token = floor.house.supervisor("pat").await.caller;
    let by_token = token.put(OWN, &json!({"pin": "4712"})).await;
    drop(by_token.problem(409, "no_session"));
    let state = sam.get(OWN).await.is(200);
    assert!(state["set_at"].is_string(), "{}", state.text);
    let people = floor.root.get("/v1/people").await.is(200);
    let people = people["people"].as_array().expect("people").clone();
    let of = |name: &str| people.iter().find(|one| one["name"] == name).cloned();
    assert_eq!(
        of("sam").expect("Sam")["pin_set_at"],
        state["set_at"],
        "{people:?}"
    );
    assert_eq!(of("kim").expect("Kim")["pin_set_at"], Value::Null);
    let removed = sam.send(Method::DELETE, OWN, None).await.is(200);
    assert_eq!(removed["set"], false);
    drop(floor.sign("sam", PIN).await.problem(401, "pin_wrong"));
    let acts = acts_of(&floor.root, "sam").await;
    assert!(acts.contains(&"pin_set".to_owned()), "{acts:?}");
    assert!(acts.contains(&"pin_removed".to_owned()), "{acts:?}");
    floor.house.end().await;
}

/// A person without a password sets a PIN within five minutes of a login, and not later.
#[tokio::test]
async fn a_person_without_a_password_has_just_logged_in() {
    let floor = Floor::open().await;
    let database = &floor.house.database;
    let no_password =
        "DELETE FROM password WHERE actor_id = (SELECT actor_id FROM actor WHERE name = 'kim')";
    assert_eq!(database.tamper(no_password).await, 1);
    let kim = &floor.tablet;
    let body = json!({"pin": "2580"});
    let set = kim.send(Method::PUT, OWN, Some(&body)).await.is(200);
    assert_eq!(set["set"], true);
    drop(floor.sign("kim", "2580").await.is(201));
    let old = "UPDATE session SET created_at = created_at - 300000001 WHERE NOT is_signature";
    assert!(database.tamper(old).await > 0);
    // Another node has nothing in memory.
    let second = floor.house.another_server().await;
    let there = Session {
        caller: kim.caller.at(second.base()),
        cookie: kim.cookie.clone(),
        csrf: kim.csrf.clone(),
    };
    let refused = there.send(Method::PUT, OWN, Some(&body)).await;
    drop(refused.problem(403, "fresh_login_needed"));
    let wrong = json!({"pin": "2580", "password": PASSWORD});
    let refused = there.send(Method::PUT, OWN, Some(&wrong)).await;
    drop(refused.problem(401, "login_failed"));
    second.stop().await;
    floor.house.server.stop().await;
}
