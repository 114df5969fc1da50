//! How links and tables are presented: a manager says it, everybody reads it, and signs follow.

use meterhouse_tests::{FIVE_CARD_C, Feed, House};
use serde_json::{Value, json};

const LINK: &str = "/v1/links/main/presentation";
const TABLE: &str = "/v1/tables/T1/presentation";

fn chosen() -> Value {
    json!({"name": "Northern Crown", "celebration": "hit", "theme": "neon", "locale": "es-MX"})
}

fn none() -> Value {
    json!({"name": null, "celebration": "validation", "theme": null, "locale": null})
}

/// Signs of both servers follow a change, and a new sign begins with it.
#[tokio::test]
async fn signs_follow() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let second = house.another_server().await;
    let mut signs = [
        house.display("main").await,
        Feed::open(second.address, "main", None).await,
    ];
    for sign in &mut signs {
        let snapshot = sign.next().await.expect("a snapshot");
        assert_eq!(snapshot["presentation"], none());
    }
    let manager = house.manager().await;
    let put = manager.caller.put(LINK, &chosen()).await.created();
    assert_eq!(put.body, json!({"link": "main", "presentation": chosen()}));
    for sign in &mut signs {
        let told = sign.hears("presentation", |_| true).await;
        assert_eq!(told["presentation"], chosen());
    }
    let mut late = Feed::open(second.address, "main", None).await;
    let snapshot = late.next().await.expect("a snapshot");
    assert_eq!(snapshot["presentation"], chosen());
    for nobody in [house.nobody(), house.nobody().at(second.base())] {
        let link = nobody.get("/v1/links/main").await.is(200);
        let links = nobody.get("/v1/links").await.is(200);
        for link in [&link.body, &links["links"][0]] {
            assert_eq!(link["presentation"], chosen());
        }
    }
    // What a change leaves out is no longer chosen.
    drop(manager.caller.put(LINK, &json!({})).await.created());
    for sign in &mut signs {
        let told = sign
            .hears("presentation", |it| it["presentation"]["name"].is_null())
            .await;
        assert_eq!(told["presentation"], none());
    }
    second.stop().await;
    house.end().await;
}

/// The same again is a replay, also after a change and back. Each write is in the record of acts, none in the journal.
#[tokio::test]
async fn a_repeat_changes_nothing() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let manager = house.manager().await.caller;
    let before = house.nobody().get("/v1/links/main").await.is(200)["batch"].clone();
    drop(manager.put(LINK, &chosen()).await.created());
    assert!(manager.put(LINK, &chosen()).await.is(200).replayed());
    drop(manager.put(LINK, &json!({"name": "Crown"})).await.created());
    drop(manager.put(LINK, &chosen()).await.created());
    let pit = json!({"pit": "Pit 3"});
    drop(manager.put(TABLE, &pit).await.created());
    assert!(manager.put(TABLE, &pit).await.is(200).replayed());
    let rows = house
        .database
        .rows("SELECT 1 FROM link_presentation UNION ALL SELECT 2 FROM table_presentation")
        .await;
    assert_eq!(rows.len(), 4);
    let link = house.nobody().get("/v1/links/main").await.is(200);
    assert_eq!(link["batch"], before);
    let aud = house.person("aud", "auditor").await;
    let acts = aud.get("/v1/acts?act=request").await.is(200);
    let acts = acts["acts"].as_array().expect("acts").clone();
    let of = |subject: &str| acts.iter().filter(|act| act["subject"] == subject).count();
    assert_eq!(
        (of(&format!("PUT {LINK}")), of(&format!("PUT {TABLE}"))),
        (4, 2)
    );
    house.end().await;
}

/// The list of tables has the pit of each table that has one, on every server.
#[tokio::test]
async fn the_pits_of_tables() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let second = house.another_server().await;
    let manager = house.manager().await.caller;
    let put = manager.put(TABLE, &json!({"pit": "Pit 3"})).await.created();
    assert_eq!(put.body, json!({"table": "T1", "pit": "Pit 3"}));
    for manager in [manager.clone(), manager.clone().at(second.base())] {
        let tables = manager.get("/v1/tables").await.is(200);
        assert_eq!(tables["tables"][0]["pit"], "Pit 3");
        assert_eq!(tables["tables"][1].get("pit"), None);
    }
    drop(manager.put(TABLE, &json!({})).await.created());
    let tables = manager.get("/v1/tables").await.is(200);
    assert_eq!(tables["tables"][0].get("pit"), None);
    second.stop().await;
    house.end().await;
}

/// Only who may configure presents, and only what a sign can show.
#[tokio::test]
async fn what_is_refused() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let sam = house.supervisor("sam").await.caller;
    drop(sam.put(LINK, &chosen()).await.problem(403, "forbidden"));
    drop(sam.put(TABLE, &json!({})).await.problem(403, "forbidden"));
    let nobody = house.nobody();
    drop(
        nobody
            .put(LINK, &chosen())
            .await
            .problem(401, "unauthenticated"),
    );
    let manager = house.manager().await.caller;
    for wrong in [
        json!({"name": ""}),
        json!({"name": " Crown"}),
        json!({"name": "n".repeat(65)}),
        json!({"celebration": "never"}),
        json!({"theme": "Plaid"}),
        json!({"locale": "en_US"}),
    ] {
        drop(
            manager
                .put(LINK, &wrong)
                .await
                .problem(400, "invalid_value"),
        );
    }
    let unknown = json!({"colour": "red"});
    drop(
        manager
            .put(LINK, &unknown)
            .await
            .problem(400, "unknown_field"),
    );
    let plaid = json!({"theme": "plaid"});
    drop(
        manager
            .put(LINK, &plaid)
            .await
            .problem(404, "unknown_theme"),
    );
    let other = "/v1/links/other/presentation";
    drop(
        manager
            .put(other, &chosen())
            .await
            .problem(404, "unknown_link"),
    );
    let other = "/v1/tables/T9/presentation";
    drop(
        manager
            .put(other, &json!({}))
            .await
            .problem(404, "unknown_table"),
    );
    house.end().await;
}
