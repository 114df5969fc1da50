//! Alterations: every change of people on a link, with both people, their departments, the reason, and the balances.

use meterhouse_tests::{Answer, Caller, Dealer, FIVE_CARD_C, House, TwoPeople};
use serde_json::{Value, json};

async fn alterations(caller: &Caller, query: &str) -> Answer {
    let path = format!("/v1/links/main/alterations{query}");
    caller.get(&path).await
}

fn entries(report: &Answer) -> Vec<Value> {
    let entries = report["alterations"].as_array();
    entries.expect("alterations").clone()
}

/// The fields of an entry that are not null, without position, times and proposal.
fn said(entry: &Value) -> Value {
    let mut entry = entry.clone();
    let fields = entry.as_object_mut().expect("an entry");
    for field in ["position", "at", "proposal", "proposed_at"] {
        fields.remove(field);
    }
    fields.retain(|_, value| !value.is_null());
    entry
}

/// A change by one person.
fn by_one(kind: &str, other: &Value) -> Value {
    let mut entry = json!({"kind": kind, "by": "ana"});
    extend(&mut entry, other);
    entry
}

/// A change by two people.
fn by_two(kind: &str, other: &Value) -> Value {
    let mut entry = json!({"kind": kind, "reason": "looked at by both", "proposed_by": "pat",
        "proposed_department": "tables", "by": "gil", "department": "security"});
    extend(&mut entry, other);
    entry
}

fn extend(entry: &mut Value, other: &Value) {
    let fields = entry.as_object_mut().expect("fields");
    fields.extend(other.as_object().expect("fields").clone());
}

/// Makes every kind of change, and returns the name of the late hit.
async fn change_everything(house: &House, t1: &Dealer, t2: &Dealer) -> Value {
    let ana = house.manager().await;
    let sam = house.supervisor("sam").await;
    let both = house.two_people().await;
    drop(t1.coin_in(&[1]).await.created());
    drop(t1.hit_unseen(1, "straight-flush").await.created());
    sam.settles("T1.2", 1).await;
    drop(t1.close().await.created());
    drop(both.adjust("main", "mega", "meter", "-1.50").await);
    drop(both.correct("main", "T1.2").await);
    t2.rounds(1, &[2]).await;
    let late = json!({"change": "late_hit", "table": "T2", "round": t2.next() - 2, "seat": 2, "hand": "four-of-a-kind"});
    let late = both.change("main", &late).await;
    drop(ana.suspend("main").await.created());
    drop(ana.resume("main").await.created());
    let off = json!({"reason": "=1+1"});
    for path in [
        "/v1/links/main/levels/minor/disabled",
        "/v1/tables/T3/disabled",
    ] {
        drop(ana.caller.put(path, &off).await.created());
        drop(ana.caller.delete(path).await.created());
    }
    let leave = ana.caller.put("/v1/tables/T3/departure", &off).await;
    drop(leave.created());
    // A proposal that nobody approved is no change.
    let adjust = json!({"change": "adjust", "level": "mega", "account": "meter", "amount": "1.00"});
    let open = both.propose("main", &TwoPeople::new_id(), &adjust).await;
    drop(open.created());
    house.fault("main", t1).await;
    drop(both.clear_fault("main").await);
    late["effect"]["hit"]["hit"].clone()
}

/// Each kind of change is there once, in order, with who did it and why. What tables and supervisors do is not.
#[tokio::test]
async fn each_change_of_people() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2", "T3"]).await;
    let [t1, t2, _] = &dealers[..] else {
        panic!("three tables")
    };
    let late = change_everything(&house, t1, t2).await;
    let aud = house.person("aud", "auditor").await;
    let report = alterations(&aud, "").await.is(200);
    let told: Vec<Value> = entries(&report).iter().map(said).collect();
    let fault = told.last().expect("entries")["fault"].clone();
    assert!(fault.is_string(), "{}", report.text);
    let accepted = |level: &str, value: &str| {
        by_one("values_accepted", &json!({"level": level, "after": value}))
    };
    let of_minor = json!({"level": "minor"});
    let of_t3 = json!({"table": "T3"});
    let reason = json!({"reason": "=1+1"});
    let with_reason = |kind: &str, other: &Value| {
        let mut entry = by_one(kind, other);
        extend(&mut entry, &reason);
        entry
    };
    let expected = [
        accepted("mega", "10000.00"),
        accepted("major", "1000.00"),
        accepted("minor", "250.00"),
        by_two(
            "adjusted",
            &json!({"level": "mega", "account": "meter", "before": "10000.09", "after": "9998.59"}),
        ),
        by_two(
            "corrected",
            &json!({"hit": "T1.2", "level": "major", "before": "1000.00", "after": "1000.07"}),
        ),
        by_two(
            "late_hit_recorded",
            &json!({"hit": late, "level": "minor", "before": "250.06", "after": "250.00"}),
        ),
        by_one("link_suspended", &json!({"reason": "end of the day"})),
        by_one("link_resumed", &json!({})),
        with_reason("level_disabled", &of_minor),
        by_one("level_enabled", &of_minor),
        with_reason("table_disabled", &of_t3),
        by_one("table_enabled", &of_t3),
        with_reason("table_left", &of_t3),
        by_two("fault_cleared", &json!({"fault": fault})),
    ];
    assert_eq!(told, expected, "{}", report.text);
    house.end().await;
}

/// A period has its start and not its end; the first of two people is named even if the proposal is older.
#[tokio::test]
async fn a_period_of_alterations() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let aud = house.person("aud", "auditor").await;
    let ana = house.manager().await;
    let both = house.two_people().await;
    let id = TwoPeople::new_id();
    let adjust =
        json!({"change": "adjust", "level": "mega", "account": "reserve", "amount": "2.00"});
    drop(both.propose("main", &id, &adjust).await.created());
    drop(ana.suspend("main").await.created());
    drop(both.approve("main", &id).await.created());
    drop(ana.resume("main").await.created());
    let all = entries(&alterations(&aud, "").await.is(200));
    let [suspended, adjusted, resumed] = &all[3..] else {
        panic!("{all:?}")
    };
    let at = |entry: &Value| entry["at"].as_str().expect("a time").to_owned();
    let between = async |from: &Value, to: &Value| {
        let query = format!("?from={}&to={}", at(from), at(to));
        let report = alterations(&aud, &query).await.is(200);
        assert_eq!(report["from"], from["at"]);
        entries(&report)
    };
    assert_eq!(
        between(adjusted, resumed).await,
        std::slice::from_ref(adjusted)
    );
    assert_eq!(
        between(suspended, adjusted).await,
        std::slice::from_ref(suspended)
    );
    assert_eq!(between(resumed, resumed).await, Vec::<Value>::new());
    assert_eq!(adjusted["proposed_by"], "pat");
    assert_eq!(adjusted["proposal"], json!(id));
    assert!(adjusted["proposed_at"].as_str() < suspended["at"].as_str());
    let since = alterations(&aud, &format!("?from={}", at(resumed)))
        .await
        .is(200);
    assert_eq!(entries(&since), std::slice::from_ref(resumed));
    let backwards = format!("?from={}&to={}", at(resumed), at(suspended));
    let backwards = alterations(&aud, &backwards).await;
    drop(backwards.problem(400, "invalid_parameter"));
    drop(
        alterations(&aud, "?day=2026-11-21")
            .await
            .problem(400, "invalid_parameter"),
    );
    house.end().await;
}
