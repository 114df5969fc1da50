//! The limits of reports, on links with more than people play in a test: their events and rows are copied by a superuser.

use meterhouse_api::time;
use meterhouse_domain::ids::Timestamp;
use meterhouse_engine::clock::now;
use meterhouse_tests::{Answer, FIVE_CARD_A, FIVE_CARD_C, House};
use serde_json::json;

/// Sequence and order of the first copy of a hit, less one.
const COPIES: u32 = 1_000_000;
/// More batches than a test plays: a copy's batch is so many times its number behind the original's.
const BATCHES: u32 = 1_000;
/// A minute in microseconds: copies are later than everything that a test plays.
const LATER: i64 = 60_000_000;

/// Copies the events of a kind into their own batches, with numbers from one on, up to another.
async fn copy_events(house: &House, kind: u8, (from, to): (u32, u32)) {
    let copy = format!(
        "INSERT INTO event
         SELECT (jsonb_populate_record(e, jsonb_build_object('position', position + n))).*
         FROM event AS e, generate_series({from}, {to}) AS n
         WHERE kind = {kind} AND position = 0"
    );
    assert_eq!(house.database.tamper(&copy).await, u64::from(to - from + 1));
}

/// Copies the only hit, which is paid: its entry, validation and payment, each in a batch of its own, and its rows. A copy has
/// times, a sequence and an order of its own. The latter two are in the records: behind version, badge and device time an
/// entry has its order, the others table and sequence of their hit.
async fn copy_hit(house: &House, (from, to): (u32, u32)) {
    let copies = u64::from(to - from + 1);
    let batches = format!(
        "INSERT INTO batch
         SELECT (jsonb_populate_record(b, jsonb_build_object('batch', batch + {BATCHES} * n, 'at', at + {LATER} + n))).*
         FROM batch AS b, generate_series({from}, {to}) AS n
         WHERE batch IN (SELECT batch FROM event WHERE kind IN (18, 20, 22) AND batch < {BATCHES})"
    );
    assert_eq!(house.database.tamper(&batches).await, 3 * copies);
    let events = format!(
        "INSERT INTO event
         SELECT link_id, period, batch + {BATCHES} * n, position, table_no, actor_id,
                CASE WHEN kind = 18 THEN {COPIES} + n END, kind, refusal, own_seats, dealer_seats,
                CASE WHEN kind = 18 THEN {COPIES} + n ELSE i1 END, i2, i3, i4,
                overlay(record PLACING int8send({COPIES} + n)
                        FROM (CASE WHEN kind = 18 THEN 7 ELSE 11 END + get_byte(record, 4)) FOR 8)
         FROM event CROSS JOIN generate_series({from}::bigint, {to}) AS n
         WHERE kind IN (18, 20, 22) AND batch < {BATCHES}"
    );
    assert_eq!(house.database.tamper(&events).await, 3 * copies);
    let later = |column: &str| format!("'{column}', {column} + {LATER} + n");
    let entered = [later("keyed_at"), later("decided_at")].join(", ");
    let order = format!("'hit_order', {COPIES} + n");
    for (table, fields) in [
        ("hit", format!("{order}, {entered}")),
        ("payout", later("paid_at")),
    ] {
        let rows = format!(
            "INSERT INTO {table}
             SELECT (jsonb_populate_record(o, jsonb_build_object('sequence', {COPIES} + n, {fields}))).*
             FROM {table} AS o, generate_series({from}, {to}) AS n WHERE sequence < {COPIES}"
        );
        assert_eq!(house.database.tamper(&rows).await, copies, "{table}");
    }
}

/// A house with one royal flush, which is paid.
async fn paid() -> House {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "royal-flush").await.created());
    house.supervisor("sam").await.settles("T1.2", 1).await;
    drop(dealer.close().await.created());
    house
}

fn count(report: &Answer, list: &str) -> usize {
    report[list].as_array().expect("a list").len()
}

/// 10,000 changes are one report, one more is refused with the advice to ask for a shorter period.
#[tokio::test]
async fn more_than_ten_thousand_alterations() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let ana = house.manager().await;
    drop(ana.suspend("main").await.created());
    drop(ana.resume("main").await.created());
    let path = "/v1/links/main/alterations";
    let played = count(&ana.caller.get(path).await.is(200), "alterations");
    let missing = u32::try_from(10_000 - played).expect("a few were played");
    copy_events(&house, 28, (1, missing)).await;
    let whole = ana.caller.get(path).await.is(200);
    assert_eq!(count(&whole, "alterations"), 10_000);
    copy_events(&house, 28, (missing + 1, missing + 1)).await;
    let refused = ana.caller.get(path).await.problem(422, "out_of_range");
    assert_eq!(refused["fields"]["alterations"], "more than 10000");
    let last = whole["alterations"][played - 1]["at"]
        .as_str()
        .expect("a time");
    let before = ana.caller.get(&format!("{path}?to={last}")).await.is(200);
    assert_eq!(count(&before, "alterations"), played - 1);
    house.server.stop().await;
}

/// 2,000 large wins are one report, each compared with the journal. One more is refused with the advice to ask for less.
#[tokio::test]
async fn more_than_two_thousand_large_wins() {
    let house = paid().await;
    let aud = house.person("aud", "auditor").await;
    let path = "/v1/links/main/large-wins";
    copy_hit(&house, (1, 1_999)).await;
    let whole = aud.get(path).await.is(200);
    assert_eq!(count(&whole, "wins"), 2_000);
    let last = &whole["wins"][1_999];
    assert_eq!(
        (&last["hit"]["hit"], &last["players"][0]["paid"]),
        (&json!("T1.1001999"), &json!("10000.21"))
    );
    copy_hit(&house, (2_000, 2_000)).await;
    let refused = aud.get(path).await.problem(422, "out_of_range");
    assert_eq!(refused["fields"]["wins"], "more than 2000");
    let greater = format!("{path}?threshold=20000.00&tax_threshold=20000.00");
    assert_eq!(count(&aud.get(&greater).await.is(200), "wins"), 0);
    house.server.stop().await;
}

/// A day with more than 10,000 exceptions has no report, and their list goes on in pages.
#[tokio::test]
async fn more_than_ten_thousand_exceptions() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    drop(dealers[0].coin_in(&[1]).await.created());
    let counted = json!({"command": "count", "chips": 2});
    drop(dealers[0].send(&counted).await.created());
    let aud = house.person("aud", "auditor").await;
    copy_events(&house, 2, (1, 9_999)).await;
    let today = time::text(now())[..10].to_owned();
    let path = format!("/v1/links/main/closings/{today}");
    let whole = aud.get(&path).await.is(200);
    assert_eq!(whole["report"]["open_exceptions"], 10_000);
    copy_events(&house, 2, (10_000, 10_000)).await;
    let refused = aud.get(&path).await.problem(422, "out_of_range");
    assert_eq!(refused["fields"]["exceptions"], "more than 10000");
    let (mut seen, mut after) = (0, String::new());
    for _ in 0..6 {
        let path = format!("/v1/links/main/exceptions?cleared=false&limit=200{after}");
        let page = aud.get(&path).await.is(200);
        seen += count(&page, "exceptions");
        after = format!("&after={}", page.text("next"));
    }
    assert_eq!(seen, 1_200, "over the end of a page of the store");
    // None is cleared: a list ends without one after 10,000 events, and says that more follow.
    let path = "/v1/links/main/exceptions?cleared=true";
    let page = aud.get(path).await.is(200);
    assert_eq!(
        (count(&page, "exceptions"), &page["more"]),
        (0, &json!(true))
    );
    let path = format!("{path}&after={}", page.text("next"));
    let page = aud.get(&path).await.is(200);
    assert_eq!(
        (count(&page, "exceptions"), &page["more"]),
        (0, &json!(false))
    );
    house.server.stop().await;
}

/// Reports that need events of an archived month are refused, each with the month and the end of the archived events: large
/// wins that the link keeps no more, exceptions, and a day that nobody signed.
#[tokio::test]
async fn events_of_an_archived_month() {
    let house = paid().await;
    let aud = house.person("aud", "auditor").await;
    copy_hit(&house, (1, 3)).await;
    let wins = "/v1/links/main/large-wins";
    assert_eq!(count(&aud.get(wins).await.is(200), "wins"), 4);
    // The copies are archived, in a month that is no partition.
    let archive = format!(
        "DELETE FROM event WHERE batch > {BATCHES};
         INSERT INTO archived_period VALUES (24000, 1, sha256('a'), 1, 1, 1, 1);
         INSERT INTO archived_state
         SELECT 1, 24000, batch, chain_hash, 4, '{{18,20,22}}', '{{}}', 'a' FROM batch ORDER BY batch DESC LIMIT 1"
    );
    assert!(house.database.tamper(&archive).await > 0);
    let today = time::text(now())[..10].to_owned();
    for path in [
        wins.to_owned(),
        "/v1/links/main/exceptions".to_owned(),
        format!("/v1/links/main/closings/{today}"),
    ] {
        let refused = aud.get(&path).await.problem(410, "position_archived");
        assert_eq!(refused["fields"]["month"], "2000-01", "{path}");
        let through = refused["fields"]["through"].as_str().expect("a position");
        assert!(through.contains('.'), "{path}: {through}");
    }
    let later = time::text(Timestamp(now().0 + 2 * LATER));
    let exceptions = format!("/v1/links/main/exceptions?from={later}");
    assert_eq!(count(&aud.get(&exceptions).await.is(200), "exceptions"), 0);
    assert_eq!(
        count(
            &aud.get(&format!("{wins}?from={later}")).await.is(200),
            "wins"
        ),
        0
    );
    house.server.stop().await;
}
