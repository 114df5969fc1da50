//! Themes of the house: a manager makes them, everybody reads them, and signs follow.

mod figures;
mod pictures;

use meterhouse_tests::{Answer, Caller, FIVE_CARD_C, Feed, House};
use reqwest::Method;
use serde_json::{Value, json};

const THEME: &str = "/v1/themes/crown-room";
const LOGO: &str = "/v1/themes/crown-room/artwork/logo";
const BACKGROUND: &str = "/v1/themes/crown-room/artwork/background";
const LINK: &str = "/v1/links/main/presentation";
const PNG: &[u8] = include_bytes!("themes/grey.png");

fn crown() -> Value {
    json!({
        "base": "gold", "name": "Crown Room", "locale": "es-MX", "currency": "none",
        "colours": {"ground": "#2a1030", "edge": "#0c0510", "line": "#d9a94a"},
        "levels": [{"name": "Grand", "colour": "#ffd98a"}, {}, {"colour": "#e6d6ff"}],
    })
}

async fn send(caller: &Caller, path: &str, file: &[u8]) -> Answer {
    caller
        .send(
            Method::PUT,
            path,
            &[("content-type", "image/png")],
            file.to_vec(),
        )
        .await
}

/// A theme with a logo is there on every server, and a running sign hears of each change to it.
#[tokio::test]
async fn signs_follow_a_theme() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let second = house.another_server().await;
    let manager = house.manager().await.caller;
    let made = manager.put(THEME, &crown()).await.created();
    assert_eq!(made["artwork"], json!({"logo": null, "background": null}));
    assert_eq!(
        (&made["name"], &made["currency"]),
        (&json!("Crown Room"), &json!("none"))
    );
    assert_eq!(made["levels"], crown()["levels"]);
    let mut sign = Feed::open(second.address, "main", None).await;
    drop(sign.next().await.expect("a snapshot"));
    let elsewhere = manager.clone().at(second.base());
    let chosen = json!({"theme": "crown-room"});
    let put = elsewhere.put(LINK, &chosen).await.created();
    assert_eq!(put["presentation"]["theme_version"], made["version"]);
    let told = sign.hears("presentation", |_| true).await;
    assert_eq!(told["presentation"], put["presentation"]);
    assert!(manager.put(LINK, &chosen).await.is(200).replayed());

    let with_logo = send(&manager, LOGO, PNG).await.created();
    let version = with_logo["version"].clone();
    assert_ne!(version, made["version"]);
    drop(
        sign.hears("presentation", |it| {
            it["presentation"]["theme_version"] == version
        })
        .await,
    );
    let read = house.nobody().at(second.base()).get(THEME).await.is(200);
    assert_eq!(read.body, with_logo.body);
    let all = house.nobody().get("/v1/themes").await.is(200);
    assert_eq!(all["themes"], json!([read.body]));
    let link = house.nobody().get("/v1/links/main").await.is(200);
    assert_eq!(link["presentation"]["theme_version"], version);

    let mut plain = crown();
    plain["name"] = Value::Null;
    let changed = manager.put(THEME, &plain).await.created();
    assert_eq!(changed["name"], Value::Null);
    assert_eq!(changed["artwork"], with_logo["artwork"]);
    let version = changed["version"].clone();
    drop(
        sign.hears("presentation", |it| {
            it["presentation"]["theme_version"] == version
        })
        .await,
    );
    second.stop().await;
    house.end().await;
}

/// The same again is a replay. A theme in use is not deleted, and a deleted one is gone with its artwork.
#[tokio::test]
async fn a_theme_comes_and_goes() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let manager = house.manager().await.caller;
    drop(manager.delete(THEME).await.problem(404, "unknown_theme"));
    drop(
        manager
            .put(LINK, &json!({"theme": "crown-room"}))
            .await
            .problem(404, "unknown_theme"),
    );
    drop(
        send(&manager, LOGO, PNG)
            .await
            .problem(404, "unknown_theme"),
    );
    drop(manager.put(THEME, &crown()).await.created());
    assert!(manager.put(THEME, &crown()).await.is(200).replayed());
    drop(send(&manager, LOGO, PNG).await.created());
    assert!(send(&manager, LOGO, PNG).await.is(200).replayed());
    assert!(manager.delete(BACKGROUND).await.is(200).replayed());
    drop(manager.delete(LOGO).await.created());
    assert!(manager.delete(LOGO).await.is(200).replayed());
    drop(send(&manager, LOGO, PNG).await.created());
    drop(
        manager
            .put(LINK, &json!({"theme": "crown-room"}))
            .await
            .created(),
    );
    let used = manager.delete(THEME).await.problem(409, "theme_used");
    assert_eq!(used["fields"]["links"], "main");
    drop(manager.put(LINK, &json!({"theme": "neon"})).await.created());
    drop(manager.delete(THEME).await.created());
    assert!(manager.delete(THEME).await.is(200).replayed());
    drop(
        house
            .nobody()
            .get(THEME)
            .await
            .problem(404, "unknown_theme"),
    );
    let again = manager
        .put(THEME, &json!({"base": "heritage"}))
        .await
        .created();
    assert_eq!(again["artwork"]["logo"], Value::Null);
    house.end().await;
}

/// A theme is chosen and deleted in the same moment: one of both is refused, never neither.
#[tokio::test]
async fn a_chosen_theme_is_there() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let second = house.another_server().await;
    let manager = house.manager().await.caller;
    let elsewhere = manager.clone().at(second.base());
    for _ in 0..8 {
        drop(manager.put(THEME, &crown()).await.created());
        let chosen = json!({"theme": "crown-room"});
        let (put, deleted) = tokio::join!(manager.put(LINK, &chosen), elsewhere.delete(THEME));
        match (put.status, deleted.status) {
            (201, 409) => drop(manager.put(LINK, &json!({})).await.created()),
            (404, 201) => continue,
            statuses => panic!("{statuses:?}"),
        }
        drop(manager.delete(THEME).await.created());
    }
    second.stop().await;
    house.end().await;
}

/// A manager makes themes; everybody reads them, and nobody else writes.
#[tokio::test]
async fn who_may_write() {
    let house = House::open().await;
    drop(
        house
            .manager()
            .await
            .caller
            .put(THEME, &crown())
            .await
            .created(),
    );
    let sam = house.supervisor("sam").await.caller;
    let aud = house.person("aud", "auditor").await;
    for (caller, status, code) in [
        (&sam, 403, "forbidden"),
        (&aud, 403, "forbidden"),
        (&house.nobody(), 401, "unauthenticated"),
    ] {
        drop(caller.put(THEME, &crown()).await.problem(status, code));
        drop(send(caller, LOGO, PNG).await.problem(status, code));
        drop(caller.delete(LOGO).await.problem(status, code));
        drop(caller.delete(THEME).await.problem(status, code));
        drop(caller.get(THEME).await.is(200));
    }
    house.end().await;
}

/// HTML, addresses and style sheets are no names and no colours; what is refused is named, and nothing is stored.
#[tokio::test]
async fn what_a_theme_may_not_say() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let html = "<img src=x onerror=alert(1)>";
    for (wrong, field) in [
        (json!({"base": "gold", "name": html}), "name"),
        (json!({"base": "gold", "name": "n".repeat(49)}), "name"),
        (
            json!({"base": "gold", "levels": [{}, {"name": html}]}),
            "levels[1].name",
        ),
        (
            json!({"base": "gold", "colours": {"text": "red"}}),
            "colours.text",
        ),
        (
            json!({"base": "gold", "colours": {"text": "url(//evil.example)"}}),
            "colours.text",
        ),
        (
            json!({"base": "gold", "levels": [{"colour": "#fff;}"}]}),
            "levels[0].colour",
        ),
        (json!({"base": "gold", "locale": html}), "locale"),
        (json!({"base": "gold", "currency": "€"}), "currency"),
        (json!({"base": "crown-room"}), "base"),
        (
            json!({"base": "gold", "levels": vec![json!({}); 7]}),
            "levels",
        ),
    ] {
        let refused = manager
            .put(THEME, &wrong)
            .await
            .problem(400, "invalid_value");
        assert!(
            refused["fields"].get(field).is_some(),
            "{field}: {}",
            refused.text
        );
    }
    for unknown in [
        json!({"base": "gold", "css": "body{}"}),
        json!({"base": "gold", "colours": {"--text": "#ffffff"}}),
        json!({"base": "gold", "levels": [{"font": "Comic"}]}),
    ] {
        drop(
            manager
                .put(THEME, &unknown)
                .await
                .problem(400, "unknown_field"),
        );
    }
    for name in ["gold", "Crown", "crown%20room", "%3Cb%3E"] {
        let path = format!("/v1/themes/{name}");
        drop(
            manager
                .put(&path, &crown())
                .await
                .problem(400, "invalid_name"),
        );
    }
    assert_eq!(
        house.nobody().get("/v1/themes").await.is(200)["themes"],
        json!([])
    );
    house.end().await;
}

/// Text that is hard to read is refused, with what was measured and what to do.
#[tokio::test]
async fn text_has_to_stand_out() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let faint =
        json!({"base": "gold", "levels": [{"colour": "#886600"}], "colours": {"link": "#777777"}});
    let refused = manager
        .put(THEME, &faint)
        .await
        .problem(400, "low_contrast");
    assert_eq!(
        refused["fields"]["levels[0].colour"],
        "level 1 on plate has a contrast of 2.53:1, and needs 7.00:1"
    );
    assert!(refused["fields"].get("colours.link").is_some());
    assert!(
        refused.text("detail").contains("take a lighter colour"),
        "{}",
        refused.text
    );
    house.end().await;
}

/// A house has at most 64 themes.
#[tokio::test]
async fn themes_are_counted() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    let plain = json!({"base": "neon"});
    for number in 0..64 {
        drop(
            manager
                .put(&format!("/v1/themes/t{number}"), &plain)
                .await
                .created(),
        );
    }
    drop(
        manager
            .put(THEME, &plain)
            .await
            .problem(409, "too_many_themes"),
    );
    drop(manager.delete("/v1/themes/t7").await.created());
    drop(manager.put(THEME, &plain).await.created());
    assert_eq!(
        house.nobody().get("/v1/themes").await.is(200)["themes"]
            .as_array()
            .map(Vec::len),
        Some(64)
    );
    house.end().await;
}
