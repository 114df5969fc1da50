//! The evidence of a hit over the wire, and its verification without a database: as it is, and after every kind of change.

mod changed;
mod late;

use meterhouse_engine::verify::file::Known;
use meterhouse_http::evidence::{EvidenceReport, verify_evidence};
use meterhouse_journal::tree_head::{PublicKey, SignedHead, SigningKey, TreeHead};
use meterhouse_tests::client::Caller;
use meterhouse_tests::worked_rounds::worked_rounds;
use meterhouse_tests::{Dealer, FIVE_CARD_A, FIVE_CARD_C, House, Watch, eventually};
use serde_json::{Value, json};

/// The hit of [`with_royal`].
const HIT: &str = "T1.4";

/// A house that signs, with a royal flush on T1 that was validated, paid and closed, and play around it.
async fn with_royal() -> (House, Vec<Dealer>) {
    let house = House::watching(Watch::Close).await;
    let names = ["T1", "T2"];
    let dealers = house.link_with(FIVE_CARD_A, &json!({}), &names).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    t2.rounds(6, &[1, 2, 3]).await;
    drop(t1.coin_in(&[1, 2, 3]).await.created());
    drop(t1.fold(&[2]).await.created());
    drop(t1.hit(3, "royal-flush", "As Ks Qs Js").await);
    drop(t1.hit(3, "royal-flush", "As Ks Qs Js Ts").await.created());
    let sam = house.supervisor("sam").await;
    drop(sam.approve(HIT).await.created());
    drop(sam.pay(HIT, 1, "JP-7").await.created());
    drop(t1.close().await.created());
    t2.rounds(6, &[1, 2]).await;
    (house, dealers)
}

/// Waits for heads over the newest batch and the newest entry of the house.
async fn signed(auditor: &Caller, house: &House) {
    eventually("everything is signed", async || {
        let told = auditor.get("/v1/links/main/proof").await.is(200);
        let behind = "SELECT 1 WHERE (SELECT max(number) FROM house_chain)
             > COALESCE((SELECT max(batch) FROM signed_head WHERE link_id = 0), 0)";
        let is_behind = !house.database.rows(behind).await.is_empty();
        (told["head"]["batch"] == told["batch"] && !is_behind).then_some(())
    })
    .await;
}

async fn evidence(house: &House, hit: &str) -> Value {
    let auditor = house.person("ada", "auditor").await;
    signed(&auditor, house).await;
    let told = auditor.get(&format!("/v1/hits/{hit}/evidence")).await;
    told.is(200).body
}

fn key() -> PublicKey {
    SigningKey::new(&Watch::SIGNING_KEY).public()
}

fn verified(bundle: &Value, known: &Known) -> EvidenceReport {
    let text = serde_json::to_vec(bundle).expect("plain data");
    verify_evidence(&text, known).expect("a bundle")
}

fn known() -> Known {
    Known {
        keys: vec![key()],
        witnessed: None,
    }
}

/// A hit that two people withdrew keeps no time of its validation, which no other batch of the bundle is near.
#[tokio::test]
async fn of_a_withdrawn_hit() {
    let house = House::watching(Watch::Close).await;
    let names = ["T1", "T2"];
    let dealers = house.link_with(FIVE_CARD_A, &json!({}), &names).await;
    let (sam, both) = (house.supervisor("sam").await, house.two_people().await);
    drop(dealers[0].coin_in(&[1, 2, 3]).await.created());
    let royal = dealers[0].hit(3, "royal-flush", "As Ks Qs Js Ts").await;
    drop(royal.created());
    dealers[1].rounds(6, &[1, 2]).await;
    drop(sam.approve("T1.2").await.created());
    dealers[1].rounds(6, &[1, 2]).await;
    drop(both.correct("main", "T1.2").await);
    let bundle = evidence(&house, "T1.2").await;
    assert_eq!(bundle["hit"]["state"], "withdrawn");
    let kinds = bundle["commands"].as_array().expect("commands").iter();
    let kinds: Vec<&str> = kinds
        .filter_map(|it| it["event"]["kind"].as_str())
        .collect();
    assert!(kinds.contains(&"hit_validated"), "{kinds:?}");
    assert_eq!(verified(&bundle, &known()).findings, [""; 0]);
    house.end().await;
}

/// A royal flush of a round with its fixed wagers: the bundle has their settlement too, and agrees with its own batches.
#[tokio::test]
async fn of_a_round_with_fixed_wagers() {
    let house = House::watching(Watch::Close).await;
    let dealers = house.link_with(FIVE_CARD_C, &json!({}), &["T1"]).await;
    let name = "a six-card royal flush in diamonds";
    let mut rounds = worked_rounds().into_iter();
    let round = rounds.find(|round| round.name == name).expect(name);
    let (dealt, folded) = round.dealt_and_folded();
    drop(dealers[0].coin_in(&dealt).await.created());
    drop(dealers[0].fold(&folded).await.created());
    let settled = dealers[0].send(&round.settle_command()).await.created();
    let hit = settled["hits"][1]["hit"].as_str().expect("a name");
    house.supervisor("sam").await.settles(hit, 1).await;
    let bundle = evidence(&house, hit).await;
    assert_eq!(bundle["hit"]["evaluation"]["hand"], "royal-flush");
    let commands = bundle["commands"].as_array().expect("commands");
    let mut events = commands.iter().map(|entry| &entry["event"]);
    let event = events.find(|event| event["kind"] == "round_settled");
    assert_eq!(
        event.expect("an event")["settlement"],
        settled["settlement"]
    );
    assert_eq!(verified(&bundle, &known()).findings, [""; 0]);
    house.end().await;
}

/// The bundle has what an inspector asks for, and agrees with its own batches.
#[tokio::test]
async fn a_bundle_has_everything_and_verifies() {
    let (house, _dealers) = with_royal().await;
    let bundle = evidence(&house, HIT).await;
    let report = verified(&bundle, &known());
    assert_eq!(report.findings, [""; 0]);
    let unproven = report.unproven.join("\n");
    assert!(!unproven.contains("--key"), "{unproven}");
    for (pointer, expected) in [
        ("/hit/hit", json!(HIT)),
        ("/hit/state", json!("paid")),
        ("/hit/evaluation/hand", json!("royal-flush")),
        ("/hit/evaluation/agrees", json!(true)),
        ("/hit/cards/0", json!("As")),
        ("/hit/payouts/0/payment/by", json!("sam")),
        ("/round/seats", json!([1, 2, 3])),
        ("/round/folded", json!([2])),
        ("/configuration/paytable", json!(FIVE_CARD_A)),
        ("/configuration/table", json!("T1")),
        ("/payoff_report/difference", json!("0.00")),
        ("/payoff_report/since_hit", Value::Null),
    ] {
        assert_eq!(bundle.pointer(pointer), Some(&expected), "{pointer}");
    }
    let kinds = bundle["commands"].as_array().expect("commands").iter();
    let kinds: Vec<&str> = kinds
        .map(|entry| entry["event"]["kind"].as_str().expect("a kind"))
        .collect();
    let expected = [
        "coin_in_accepted",
        "seats_folded",
        "refused",
        "hit_recorded",
        "hit_validated",
        "payout_paid",
        "round_closed",
    ];
    assert_eq!(kinds, expected);
    let recorded = bundle["commands"][3]["position"].as_str().expect("a place");
    let recorded: u64 = recorded
        .split('.')
        .next()
        .and_then(|batch| batch.parse().ok())
        .expect("a batch");
    let history = bundle["history"].as_array().expect("meters");
    assert_eq!(history.len(), 17, "eight batches on either side");
    assert_eq!(history[8]["batch"], recorded);
    assert_eq!(bundle["displayed"]["batch"], recorded - 1);
    assert_eq!(bundle["displayed"]["levels"][0]["amount"], "10004.41");
    let people = bundle["people"].as_array().expect("people").iter();
    let roles: Vec<&str> = people.filter_map(|who| who["role"].as_str()).collect();
    assert!(
        roles.contains(&"controller") && roles.contains(&"supervisor"),
        "{roles:?}"
    );
    house.end().await;
}

/// A bundle whose amount began with another table's win has the events of that win.
#[tokio::test]
async fn a_bundle_after_another_win() {
    let (house, dealers) = with_royal().await;
    let t2 = &dealers[1];
    let hit = t2.named(t2.next() + 1);
    drop(t2.coin_in(&[1, 2]).await.created());
    drop(
        t2.hit(1, "straight-flush", "9s 8s 7s 6s 5s")
            .await
            .created(),
    );
    let bundle = evidence(&house, &hit).await;
    assert_eq!(bundle["payoff_report"]["since_hit"], HIT);
    assert_eq!(bundle["hit"]["state"], "pending");
    assert_eq!(verified(&bundle, &known()).findings, [""; 0]);
    let changes: [(&str, Value, &str); 3] = [
        (
            "/payoff_report/opening",
            json!("10000.01"),
            "payoff_report.opening: the file has 10000.01, and the journal gives 10000.00",
        ),
        (
            "/payoff_report/since",
            json!("2026-01-01T00:00:00.000000Z"),
            "payoff_report.since: the journal gives another time",
        ),
        (
            "/payoff_report/since_hit",
            json!("T1.99"),
            "payoff_report.since_hit: the events of hit T1.99 are missing",
        ),
    ];
    for (pointer, value, expected) in changes {
        assert_found(&bundle, expected, |changed| {
            *changed.pointer_mut(pointer).expect(pointer) = value;
        });
    }
    house.end().await;
}

/// Changes a bundle, and asserts that the change is found where it is.
#[track_caller]
fn assert_found(bundle: &Value, expected: &str, change: impl FnOnce(&mut Value)) {
    let mut changed = bundle.clone();
    change(&mut changed);
    let report = verified(&changed, &known());
    let is_found = report.findings.iter().any(|what| what.contains(expected));
    assert!(is_found, "{expected}: {:#?}", report.findings);
}

/// A batch signed with another key proves nothing to a reader who has the house's key.
#[tokio::test]
async fn keys_and_witnesses() {
    let (house, _dealers) = with_royal().await;
    let auditor = house.person("ada", "auditor").await;
    let bundle = evidence(&house, HIT).await;
    let other = Known {
        keys: vec![SigningKey::new(&[9; 32]).public()],
        witnessed: None,
    };
    let findings = verified(&bundle, &other).findings.join("\n");
    assert!(
        findings.contains("for which no given key vouches"),
        "{findings}"
    );
    let unproven = verified(&bundle, &Known::default()).unproven.join("\n");
    assert!(
        unproven.contains("that the key is the house's"),
        "{unproven}"
    );

    // A witness kept the head of the bundle.
    let kept = auditor.get("/v1/links/main/proof").await.is(200);
    let kept = witnessed(&kept["head"]);
    let with = |head: SignedHead| Known {
        keys: vec![key()],
        witnessed: Some(vec![head]),
    };
    let report = verified(&bundle, &with(kept.clone()));
    assert_eq!(report.findings, [""; 0]);
    assert_eq!(report.signed.expect("a head").compared, 1);
    // Another history under the same number, signed with the house's key.
    let mut head = kept.head.clone();
    head.root.0[0] ^= 1;
    let forged = SignedHead {
        signature: SigningKey::new(&Watch::SIGNING_KEY).sign(&head.bytes()),
        head,
        key: key(),
    };
    let findings = verified(&bundle, &with(forged)).findings.join("\n");
    assert!(
        findings.contains("of the link says something else"),
        "{findings}"
    );
    let unsigned = SignedHead {
        signature: [0; 64],
        ..kept
    };
    let findings = verified(&bundle, &with(unsigned)).findings.join("\n");
    assert!(findings.contains("has no valid signature"), "{findings}");
    house.end().await;
}

fn witnessed(head: &Value) -> SignedHead {
    let bytes = |member: &str| {
        let digits = head[member].as_str().expect("digits");
        hex::decode(digits).expect("digits")
    };
    SignedHead {
        head: TreeHead::from_bytes(&bytes("bytes")).expect("a head"),
        key: PublicKey(bytes("public_key").try_into().expect("a key")),
        signature: bytes("signature").try_into().expect("a signature"),
    }
}

/// What has no evidence says so.
#[tokio::test]
async fn what_has_no_evidence() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let auditor = house.person("ada", "auditor").await;
    drop(dealers[0].coin_in(&[1]).await.created());
    drop(dealers[0].hit_unseen(1, "royal-flush").await.created());
    let told = auditor.get("/v1/hits/T1.2/evidence").await;
    let told = told.problem(404, "not_signed");
    assert_eq!(told["fields"]["newest_head"], "0");
    for path in ["/v1/hits/T1.9/evidence", "/v1/hits/T9.2/evidence"] {
        drop(auditor.get(path).await.problem(404, "unknown_hit"));
    }
    let told = auditor.get("/v1/hits/T1/evidence").await;
    drop(told.problem(400, "invalid_name"));
    let told = auditor.get("/v1/hits/T1.2/evidence?at=1").await;
    drop(told.problem(400, "invalid_parameter"));
    let told = dealers[0].caller.get("/v1/hits/T1.2/evidence").await;
    drop(told.problem(403, "forbidden"));
    for text in ["", "{}", "[]", r#"{"format":"meterhouse-evidence-2"}"#] {
        assert!(
            verify_evidence(text.as_bytes(), &known()).is_err(),
            "{text}"
        );
    }
    house.end().await;
}
