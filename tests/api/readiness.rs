//! `/readyz` tells the truth: ready, degraded with the finding named, or not ready.

use meterhouse_tests::{Answer, Caller, Database, FIVE_CARD_C, House, TestServer, Watch};
use serde_json::Value;

/// Every check by name, in order.
const CHECKS: [&str; 8] = [
    "database",
    "schema",
    "writes",
    "periods",
    "clock",
    "append-only",
    "links",
    "tasks",
];

/// The names of the checks.
fn names(ready: &Answer) -> Vec<&str> {
    let checks = ready["checks"].as_array().expect("checks");
    checks
        .iter()
        .filter_map(|check| check["name"].as_str())
        .collect()
}

/// The finding of one check, and its state.
fn finding<'a>(ready: &'a Answer, name: &str) -> (&'a str, &'a str) {
    let checks = ready["checks"].as_array().expect("checks");
    let check = checks.iter().find(|check| check["name"] == name);
    let check = check.unwrap_or_else(|| panic!("no check {name}: {}", ready.text));
    let text = |field: &str| check[field].as_str().expect("a text");
    assert_eq!(check["ok"], Value::from(text("status") == "ok"), "{check}");
    (text("status"), text("detail"))
}

/// No sentence stands twice in the answer.
fn no_sentence_twice(ready: &Answer) {
    let checks = ready["checks"].as_array().expect("checks");
    let mut details: Vec<&str> = checks
        .iter()
        .filter_map(|check| check["detail"].as_str())
        .collect();
    let all = details.len();
    details.sort_unstable();
    details.dedup();
    assert_eq!(details.len(), all, "{}", ready.text);
}

async fn readiness(house: &House, status: u16) -> Answer {
    let ready = house.nobody().get("/readyz").await.is(status);
    no_sentence_twice(&ready);
    ready
}

#[tokio::test]
async fn a_server_that_is_well_is_ready() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let ready = readiness(&house, 200).await;
    assert_eq!(
        (&ready["ready"], &ready["status"]),
        (&true.into(), &"ready".into())
    );
    assert_eq!(names(&ready), CHECKS);
    for name in CHECKS {
        assert_eq!(finding(&ready, name).0, "ok", "{}", ready.text);
    }
    assert_eq!(finding(&ready, "append-only").1, "enforced");
    house.end().await;
}

/// Nothing of Postgres can be filled up here, so the database says what it says on a full disk.
#[tokio::test]
async fn a_full_disk_is_not_ready_and_not_called_unreachable() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let fill = "CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
        END $$;
        CREATE TRIGGER full_a BEFORE INSERT OR UPDATE ON table_contact EXECUTE FUNCTION is_full();
        CREATE TRIGGER full_b BEFORE INSERT ON batch EXECUTE FUNCTION is_full()";
    house
        .database
        .run_as_superuser(fill)
        .await
        .expect("a superuser may");
    let ready = readiness(&house, 503).await;
    assert_eq!(
        (&ready["ready"], &ready["status"]),
        (&false.into(), &"not_ready".into())
    );
    let (status, detail) = finding(&ready, "writes");
    assert_eq!(status, "failed");
    assert_eq!(
        detail,
        "the database takes no writes: its disk is full: free space on it"
    );
    assert_eq!(finding(&ready, "database").0, "ok", "it answers");
    let refused = dealers[0]
        .coin_in(&[1])
        .await
        .problem(503, "database_not_writable");
    assert!(refused.text.contains("disk is full"), "{}", refused.text);
    assert!(!refused.text.contains("reached"), "{}", refused.text);
    let empty = "DROP TRIGGER full_a ON table_contact; DROP TRIGGER full_b ON batch";
    house
        .database
        .run_as_superuser(empty)
        .await
        .expect("a superuser may");
    assert_eq!(readiness(&house, 200).await["status"], "ready");
    drop(dealers[0].coin_in(&[1]).await.created());
    drop(dealers[0].close().await.created());
    house.end().await;
}

#[tokio::test]
async fn a_database_that_is_read_only_is_not_ready() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let set = |to: &str| {
        format!(
            "BEGIN READ WRITE;
             DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = {to}',
               current_database()); END $$;
             COMMIT"
        )
    };
    let (on, off) = (set("on"), set("off"));
    house
        .database
        .run_as_superuser(&on)
        .await
        .expect("a superuser may");
    // Sessions keep what they began with.
    let house = house.restart().await;
    let ready = readiness(&house, 503).await;
    let (status, detail) = finding(&ready, "writes");
    assert_eq!(status, "failed");
    assert!(detail.contains("read-only"), "{detail}");
    drop(house.nobody().get("/v1/links/main/meters").await.is(200));
    house
        .database
        .run_as_superuser(&off)
        .await
        .expect("a superuser may");
    let house = house.restart().await;
    assert_eq!(readiness(&house, 200).await["status"], "ready");
    house.end().await;
}

#[tokio::test]
async fn a_faulted_link_is_named_and_the_server_plays_on() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    house.fault("main", &dealers[0]).await;
    let ready = readiness(&house, 200).await;
    assert_eq!(
        (&ready["ready"], &ready["status"]),
        (&true.into(), &"degraded".into())
    );
    let (status, detail) = finding(&ready, "links");
    assert_eq!(status, "degraded");
    assert!(detail.starts_with("faulted: main;"), "{detail}");
    // A start that has loaded nothing yet says it as well.
    let house = house.restart().await;
    assert_eq!(
        finding(&readiness(&house, 200).await, "links").0,
        "degraded"
    );
    house.server.stop().await;
}

#[tokio::test]
async fn rights_that_could_change_the_journal_degrade() {
    let mut database = Database::new().await;
    let grant = "GRANT UPDATE ON batch TO meterhouse_app";
    database
        .run_as_superuser(grant)
        .await
        .expect("a superuser may");
    let server = TestServer::start(&database, Watch::Idle).await;
    let ready = Caller::nobody(server.base()).get("/readyz").await.is(200);
    let (status, detail) = finding(&ready, "append-only");
    assert_eq!((status, &ready["status"]), ("degraded", &"degraded".into()));
    assert!(detail.contains("on the table batch"), "{detail}");
    server.stop().await;
    database.application = database.superuser.clone();
    let server = TestServer::start(&database, Watch::Idle).await;
    let ready = Caller::nobody(server.base()).get("/readyz").await.is(200);
    let (status, detail) = finding(&ready, "append-only");
    assert_eq!((status, &ready["status"]), ("degraded", &"degraded".into()));
    assert!(detail.contains("superuser"), "{detail}");
    server.stop().await;
}
