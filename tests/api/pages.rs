//! Lists of everything: their pages, and one link among them that is broken or does not answer.

use meterhouse_tests::{Caller, FIVE_CARD_A, FIVE_CARD_C, House, TwoPeople};
use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};

use crate::lists::pages;

/// Returns a member of every entry.
fn named<'a>(entries: &'a [Value], member: &str) -> Vec<&'a str> {
    let words = entries.iter().filter_map(|entry| entry[member].as_str());
    words.collect()
}

/// Links, tables, paytables and proposals come in pages of any size, each entry once and in order.
#[tokio::test]
async fn every_list_has_pages() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    house.link("b-second", FIVE_CARD_A).await;
    house.link("a-third", FIVE_CARD_C).await;
    drop(house.table("T0", "a-third", FIVE_CARD_C).await);
    let manager = house.manager().await.caller;
    let both = house.two_people().await;
    let adjust = json!({"change": "adjust", "level": "mega", "account": "meter", "amount": "1.00"});
    let mut proposed = Vec::new();
    for number in 0..5 {
        let id = TwoPeople::new_id();
        drop(both.propose("main", &id, &adjust).await.created());
        if number % 2 == 0 {
            drop(both.approve("main", &id).await.created());
        }
        proposed.insert(0, id);
    }
    let whole = manager.get("/v1/paytables?limit=200").await.is(200);
    let whole = whole["paytables"].as_array().expect("a list").clone();
    assert!(whole.len() > 10, "{}", whole.len());
    for limit in [1, 2, 3, 100] {
        let links = pages(&house.nobody(), "/v1/links", "links", limit).await;
        assert_eq!(named(&links, "link"), ["main", "b-second", "a-third"]);
        let tables = pages(&manager, "/v1/tables", "tables", limit).await;
        assert_eq!(named(&tables, "table"), ["T1", "T2", "T0"]);
        assert_eq!(named(&tables, "link_state"), ["open"; 3]);
        let path = "/v1/links/main/proposals";
        let proposals = pages(&both.one, path, "proposals", limit).await;
        assert_eq!(named(&proposals, "proposal"), proposed);
        let approved = ["approved", "open", "approved", "open", "approved"];
        assert_eq!(named(&proposals, "state"), approved);
        let paytables = pages(&manager, "/v1/paytables", "paytables", limit).await;
        assert_eq!(paytables, whole);
    }
    for (path, status, code) in [
        ("/v1/links?limit=0", 400, "invalid_parameter"),
        ("/v1/links?limit=201", 400, "invalid_parameter"),
        ("/v1/links?after=none", 404, "unknown_link"),
        ("/v1/links?after=", 400, "invalid_name"),
        ("/v1/tables?after=none", 404, "unknown_table"),
        ("/v1/paytables?limit=201", 400, "invalid_parameter"),
    ] {
        drop(manager.get(path).await.problem(status, code));
    }
    let unknown = format!("/v1/links/main/proposals?after={}", TwoPeople::new_id());
    drop(manager.get(&unknown).await.problem(404, "unknown_proposal"));
    house.end().await;
}

/// Reads the three lists of all; each has to answer.
async fn lists(nobody: &Caller, manager: &Caller) -> (Value, Value, Value) {
    let links = nobody.get("/v1/links").await.is(200);
    let tables = manager.get("/v1/tables").await.is(200);
    let hits = manager.get("/v1/hits").await.is(200);
    (
        links["links"].clone(),
        tables["tables"].clone(),
        hits["hits"].clone(),
    )
}

/// A link whose journal can't be read is listed as faulted, with its tables and hits; the others are as they are.
#[tokio::test]
async fn a_link_without_its_beginning_is_listed() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    house.link("second", FIVE_CARD_C).await;
    let other = house.table("T2", "second", FIVE_CARD_C).await;
    for dealer in [&dealers[0], &other] {
        drop(dealer.coin_in(&[3]).await.created());
        drop(dealer.hit_unseen(3, "royal-flush").await.created());
    }
    let first = "UPDATE event SET record = '\\x00' WHERE link_id = 1 AND batch = 1";
    assert_eq!(house.database.tamper(first).await, 1);
    let second = house.another_server().await;
    let (nobody, manager) = (house.nobody(), house.manager().await.caller);
    let (links, tables, hits) = lists(&nobody.at(second.base()), &manager.at(second.base())).await;
    assert_eq!(
        (&links[0]["link"], &links[0]["state"]),
        (&json!("main"), &json!("faulted"))
    );
    assert!(links[0]["reason"].is_string(), "{links}");
    assert_eq!(links[0]["tables"][0]["table"], "T1", "{links}");
    assert_eq!(
        (&links[1]["state"], &links[1]["levels"][0]["amount"]),
        (&json!("open"), &json!("10000.00"))
    );
    assert_eq!(
        (&tables[0]["table"], &tables[0]["link_state"]),
        (&json!("T1"), &json!("faulted"))
    );
    assert_eq!(
        (&tables[1]["table"], &tables[1]["link_state"]),
        (&json!("T2"), &json!("open"))
    );
    assert_eq!(
        (&hits[0]["hit"], &hits[1]["hit"]),
        (&json!("T1.2"), &json!("T2.2"))
    );
    assert_eq!(
        (&hits[0]["level"], &hits[1]["level"]),
        (&Value::Null, &json!("mega"))
    );
    second.stop().await;
    house.server.stop().await;
}

/// A link that can't be loaded for the moment is listed as unavailable, with the amounts of its head.
#[tokio::test]
async fn a_link_that_does_not_answer_is_listed() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    drop(dealers[0].coin_in(&[3]).await.created());
    house.link("second", FIVE_CARD_C).await;
    drop(house.table("T2", "second", FIVE_CARD_C).await);
    let second = house.another_server().await;
    let nobody = house.nobody().at(second.base());
    let manager = house.manager().await.caller.at(second.base());
    drop(nobody.get("/v1/links/second").await.is(200));
    let mut blocker = PgConnection::connect_with(&house.database.superuser)
        .await
        .expect("it is there");
    let lock = "BEGIN; LOCK TABLE snapshot IN ACCESS EXCLUSIVE MODE";
    sqlx::raw_sql(lock)
        .execute(&mut blocker)
        .await
        .expect("a superuser may");
    let (links, tables, _) = lists(&nobody, &manager).await;
    let states = links.as_array().map(|links| named(links, "state"));
    assert_eq!(states, Some(vec!["unavailable", "open"]), "{links}");
    assert_eq!(links[0]["levels"][0]["amount"], "10000.09", "{links}");
    let states = tables.as_array().map(|tables| named(tables, "link_state"));
    assert_eq!(states, Some(vec!["unavailable", "open"]), "{tables}");
    sqlx::raw_sql("COMMIT")
        .execute(&mut blocker)
        .await
        .expect("a superuser may");
    let again = meterhouse_tests::eventually("the link answers", async || {
        let links = nobody.get("/v1/links").await.is(200);
        (links["links"][0]["state"] == "open").then_some(links)
    });
    assert_eq!(again.await["more"], false);
    second.stop().await;
    house.end().await;
}

/// A hit has the journal's entries that moved its money: keyed, resettled by another's rejection, paid.
#[tokio::test]
async fn a_hit_has_its_entries() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let [one, other] = &dealers[..] else {
        panic!("two tables")
    };
    let sam = house.supervisor("sam").await;
    for dealer in [one, other] {
        drop(dealer.coin_in(&[3]).await.created());
    }
    drop(one.hit_unseen(3, "royal-flush").await.created());
    drop(other.hit_unseen(3, "royal-flush").await.created());
    let keyed = sam.hit("T2.2").await.is(200);
    let moves = |entry: &Value| entry["moves"].as_array().cloned().unwrap_or_default();
    let entries = |hit: &Value| hit["entries"].as_array().cloned().unwrap_or_default();
    let kinds = |hit: &Value| {
        let entries = entries(hit);
        let kinds = entries.iter().map(|entry| entry["event"]["kind"].clone());
        kinds.collect::<Vec<_>>()
    };
    assert_eq!(
        kinds(&keyed.body),
        [json!("hit_recorded")],
        "{}",
        keyed.text
    );
    let entry = &entries(&keyed.body)[0];
    assert_eq!(
        (&entry["table"], &entry["sequence"]),
        (&json!("T2"), &json!(2))
    );
    assert_eq!(
        moves(entry)[0],
        json!({"book": "mega", "from": "meter", "to": "pending", "amount": "10000.00"})
    );
    drop(sam.reject_and_resettle("T1.2").await.created());
    drop(sam.approve("T2.2").await.created());
    drop(sam.pay("T2.2", 1, "JP-1").await.created());
    let paid = sam.hit("T2.2").await.is(200);
    assert_eq!(
        kinds(&paid.body),
        ["hit_recorded", "hit_rejected", "payout_paid"],
        "{}",
        paid.text
    );
    let last = &moves(&entries(&paid.body)[2]);
    assert_eq!(last[0]["to"], "paid", "{}", paid.text);
    assert_eq!(last[0]["amount"], paid["due"], "{}", paid.text);
    let rejected = sam.hit("T1.2").await.is(200);
    assert_eq!(kinds(&rejected.body), ["hit_recorded", "hit_rejected"]);
    assert_eq!(entries(&rejected.body)[1], entries(&paid.body)[1]);
    let listed = sam.caller.get("/v1/hits").await.is(200);
    assert_eq!(listed["hits"][0].get("entries"), None, "{}", listed.text);
    for dealer in [one, other] {
        drop(dealer.close().await.created());
    }
    house.end().await;
}
