//! What two people do: who may be the two, what is remembered of it, and what neither does alone.

use meterhouse_tests::{Caller, FIVE_CARD_C, HAND_BONUS, House, TwoPeople};
use serde_json::{Value, json};

fn adjustment(amount: &str) -> Value {
    json!({"change": "adjust", "level": "mega", "account": "meter", "amount": amount})
}

async fn decides(caller: &Caller, id: &str, decision: &Value) -> meterhouse_tests::Answer {
    let path = format!("{}/approval", TwoPeople::path("main", id));
    caller.put(&path, decision).await
}

/// CONFORMANCE 33: in large letters a person and a department are the same.
#[tokio::test]
async fn large_letters_make_no_second_person() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let both = house.two_people().await;
    let id = TwoPeople::new_id();
    let proposed = both.propose("main", &id, &adjustment("1.00")).await;
    drop(proposed.created());
    let approve = json!({"decision": "approve"});
    for (name, department, code) in [
        ("PAT", "security", "same_person"),
        ("lou", "TABLES", "same_department"),
    ] {
        let in_large = house.of_department(name, "supervisor", department).await;
        drop(decides(&in_large, &id, &approve).await.problem(422, code));
    }
    drop(decides(&both.other, &id, &approve).await.created());
    house.end().await;
}

/// CONFORMANCE 33: two people of two departments; one alone, two of one department, and whoever has none, are refused.
#[tokio::test]
async fn who_may_be_the_two() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let both = house.two_people().await;
    let id = TwoPeople::new_id();
    drop(
        both.propose("main", &id, &adjustment("1.00"))
            .await
            .created(),
    );
    let approve = json!({"decision": "approve"});
    drop(
        decides(&both.one, &id, &approve)
            .await
            .problem(422, "same_person"),
    );
    let colleague = house.of_department("lee", "manager", "tables").await;
    let refused = decides(&colleague, &id, &approve)
        .await
        .problem(422, "same_department");
    assert_eq!(refused["fields"]["department"], "tables");
    let nobodys = house.supervisor("sam").await.caller;
    let refused = decides(&nobodys, &id, &approve)
        .await
        .problem(403, "forbidden");
    assert!(
        refused.text("detail").contains("department"),
        "{}",
        refused.text
    );
    let body = TwoPeople::with_reason(&adjustment("1.00"));
    let path = TwoPeople::path("main", &TwoPeople::new_id());
    for role in ["auditor", "display"] {
        let caller = house
            .of_department(&format!("the-{role}"), role, "audit")
            .await;
        drop(
            decides(&caller, &id, &approve)
                .await
                .problem(403, "forbidden"),
        );
        drop(caller.put(&path, &body).await.problem(403, "forbidden"));
    }
    let dealer = house.dealer("T1").await;
    drop(
        dealer
            .caller
            .put(&path, &body)
            .await
            .problem(403, "forbidden"),
    );
    drop(
        house
            .nobody()
            .put(&path, &body)
            .await
            .problem(401, "unauthenticated"),
    );
    assert_eq!(
        house.meters("main").await,
        ["10000.00", "1000.00", "250.00"]
    );
    drop(both.approve("main", &id).await.created());
    assert_eq!(
        house.meters("main").await,
        ["10001.00", "1000.00", "250.00"]
    );
    house.end().await;
}

/// CONFORMANCE 58: before and after, who, who authorised, why and when, of each alteration; in its answer, in the list
/// and in the journal.
#[tokio::test]
async fn what_is_remembered() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let both = house.two_people().await;
    let id = TwoPeople::new_id();
    let proposed = both
        .propose("main", &id, &adjustment("-1.50"))
        .await
        .created();
    assert_eq!(proposed["amount"], "-1.50");
    let open = both.list("main").await.is(200);
    assert_eq!(open["proposals"][0]["state"], "open", "{}", open.text);
    let approved = both.approve("main", &id).await.created();
    let effect = json!({"kind": "adjusted", "level": "mega", "account": "meter", "before": "10000.00", "after": "9998.50"});
    assert_eq!(approved["effect"], effect);
    assert_eq!(house.meters("main").await, ["9998.50", "1000.00", "250.00"]);

    let aud = house.person("aud", "auditor").await;
    let seen = aud.get(&TwoPeople::path("main", &id)).await.is(200);
    for (member, expected) in [
        ("state", "approved"),
        ("reason", "looked at by both"),
        ("proposed_by", "pat"),
        ("proposed_department", "tables"),
        ("decided_by", "gil"),
        ("decided_department", "security"),
    ] {
        assert_eq!(seen.text(member), expected, "{}", seen.text);
    }
    assert!(
        seen.text("proposed_at") < seen.text("decided_at"),
        "{}",
        seen.text
    );
    assert!(
        seen.text("decided_at") < seen.text("expires_at"),
        "{}",
        seen.text
    );
    assert_eq!(seen["effect"], effect);
    let journal = house
        .manager()
        .await
        .journal("main", "?limit=500")
        .await
        .is(200);
    let entries = journal["entries"].as_array().expect("entries");
    let [.., proposal, approval] = &entries[..] else {
        panic!("entries")
    };
    assert_eq!(proposal["event"]["kind"], "change_proposed", "{proposal}");
    assert_eq!(
        (&approval["event"]["kind"], &approval["by"]),
        (&json!("change_approved"), &json!("gil"))
    );
    let moved = json!([{"book": "mega", "from": "meter", "to": "house", "amount": "1.50"}]);
    assert_eq!(approval["moves"], moved);
    let books = aud.get("/v1/links/main/reconciliation").await.is(200);
    assert_eq!(books["levels"][0]["adjustments"], "-1.50", "{}", books.text);
    house.end().await;
}

/// Proposing and approving may be sent again, and count once; under one name there is one proposal.
#[tokio::test]
async fn sent_again() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let both = house.two_people().await;
    let id = TwoPeople::new_id();
    let change = adjustment("5.00");
    let proposed = both.propose("main", &id, &change).await.created();
    let again = both.propose("main", &id, &change).await.is(200);
    assert_eq!((again.replayed(), &again.text), (true, &proposed.text));
    let other = both.propose("main", &id, &adjustment("6.00")).await;
    drop(other.problem(409, "request_reused"));
    let approved = both.approve("main", &id).await.created();
    let house = house.restart().await;
    let both = house.two_people().await;
    let again = both.approve("main", &id).await.is(200);
    assert_eq!((again.replayed(), &again.text), (true, &approved.text));
    let again = both.propose("main", &id, &change).await.is(200);
    assert_eq!(again.text, proposed.text);
    drop(
        decides(
            &both.one,
            &id,
            &json!({"decision": "decline", "note": "no"}),
        )
        .await
        .problem(422, "proposal_closed"),
    );
    assert_eq!(
        house.meters("main").await,
        ["10005.00", "1000.00", "250.00"]
    );
    house.end().await;
}

/// Who has the right may decline, with a reason, and then nobody approves it any more.
#[tokio::test]
async fn declined() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let both = house.two_people().await;
    let id = TwoPeople::new_id();
    drop(
        both.propose("main", &id, &adjustment("5.00"))
            .await
            .created(),
    );
    let decline = json!({"decision": "decline", "note": "the camera shows nothing"});
    let declined = decides(&both.one, &id, &decline).await.created();
    assert_eq!(declined.text("note"), "the camera shows nothing");
    assert!(decides(&both.one, &id, &decline).await.is(200).replayed());
    drop(
        both.approve("main", &id)
            .await
            .problem(422, "proposal_closed"),
    );
    let listed = both.list("main").await.is(200);
    assert_eq!(
        listed["proposals"][0]["state"], "declined",
        "{}",
        listed.text
    );
    assert_eq!(
        house.meters("main").await,
        ["10000.00", "1000.00", "250.00"]
    );
    house.end().await;
}

/// CONFORMANCE 38 and 55: an adjustment is no more than there is, of a level and account that there is; a reserve's is
/// in nothing that is public.
#[tokio::test]
async fn what_is_no_adjustment() {
    let (house, _) = House::playing(HAND_BONUS, &["T1"]).await;
    let both = house.two_people().await;
    let adjust = |level: &str, account: &str, amount: &str| json!({"change": "adjust", "level": level, "account": account, "amount": amount});
    for (change, status, code) in [
        (
            adjust("meter", "meter", "-10000.01"),
            422,
            "balance_too_low",
        ),
        (adjust("meter", "reserve", "-0.01"), 422, "balance_too_low"),
        (adjust("meter", "meter", "0.00"), 422, "out_of_range"),
        (
            adjust("meter", "meter", "100000000.01"),
            422,
            "out_of_range",
        ),
        (adjust("mega", "meter", "1.00"), 422, "no_such_level"),
        (adjust("meter", "overflow", "1.00"), 400, "invalid_value"),
        (json!({"change": "clear_fault"}), 422, "not_faulted"),
    ] {
        let refused = both.propose("main", &TwoPeople::new_id(), &change).await;
        drop(refused.problem(status, code));
    }
    let path = TwoPeople::path("main", &TwoPeople::new_id());
    drop(both.one.get(&path).await.problem(404, "unknown_proposal"));
    drop(
        both.approve("main", &TwoPeople::new_id())
            .await
            .problem(404, "unknown_proposal"),
    );
    let mut display = house.display("main").await;
    drop(display.next().await.expect("a snapshot"));
    drop(both.adjust("main", "meter", "reserve", "777.77").await);
    drop(both.adjust("main", "meter", "meter", "1.00").await);
    assert_eq!(house.first_level().await, ["10001.00", "777.77", "0.00"]);
    display
        .hears("meters", |it| it["levels"][0]["amount"] == "10001.00")
        .await;
    let told = display
        .heard
        .iter()
        .any(|it| it.to_string().contains("777.77"));
    assert!(!told, "{:?}", display.heard);
    house.end().await;
}

/// What was right when it was proposed is looked at again when it is approved.
#[tokio::test]
async fn overtaken() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let both = house.two_people().await;
    let id = TwoPeople::new_id();
    drop(
        both.propose("main", &id, &adjustment("-10000.00"))
            .await
            .created(),
    );
    drop(both.change("main", &adjustment("-1.00")).await);
    drop(
        both.approve("main", &id)
            .await
            .problem(422, "balance_too_low"),
    );
    assert_eq!(house.meters("main").await, ["9999.00", "1000.00", "250.00"]);
    house.end().await;
}
