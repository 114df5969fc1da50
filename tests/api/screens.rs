//! Screens: the pairing of a new display, and what it says that it shows.

use meterhouse_tests::{Answer, Caller, House};
use serde_json::{Value, json};

mod pairing;
mod shown;

const KEY: &str = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9";
const NORTH: &str = "pit-1-north";

/// Asks for the state of a screen's pairing.
async fn ask(nobody: &Caller, key: &str) -> Answer {
    nobody.post("/v1/pairings", &json!({"key": key})).await
}

async fn code(nobody: &Caller, key: &str) -> String {
    ask(nobody, key).await.is(200).text("code").to_owned()
}

async fn pair(manager: &Caller, screen: &str, body: &Value) -> Answer {
    manager.put(&format!("/v1/screens/{screen}"), body).await
}

/// Pairs a screen with some links, and returns it with its token.
async fn paired(house: &House, screen: &str, key: &str, links: &[&str]) -> Caller {
    let nobody = house.nobody();
    let code = code(&nobody, key).await;
    let manager = house.manager().await.caller;
    let body = json!({"code": code, "links": links, "replaces": true});
    drop(pair(&manager, screen, &body).await.is(200));
    nobody.with_token(key)
}

fn shown(link: &str, meters: &Value) -> Value {
    json!({"link": link, "batch": meters["batch"], "levels": meters["levels"]})
}

async fn tell(screen: &Caller, shown: &[&Value]) -> Answer {
    screen.put("/v1/shown", &json!({"shown": shown})).await
}

async fn meters(house: &House, link: &str) -> Value {
    let path = format!("/v1/links/{link}/meters");
    house.nobody().get(&path).await.is(200).body
}

/// Returns the difference and the staleness of each row of what a screen showed, newest first.
async fn rows(manager: &Caller, query: &str) -> Vec<(bool, bool)> {
    let path = format!("/v1/screens/{NORTH}/shown{query}");
    let listed = manager.get(&path).await.is(200);
    let rows = listed["shown"].as_array().expect("rows").clone();
    let word = |row: &Value, name: &str| row[name].as_bool().expect(name);
    let rows = rows.iter();
    rows.map(|row| (word(row, "difference"), word(row, "stale")))
        .collect()
}
