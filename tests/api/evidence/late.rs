//! The evidence of hits that two people recorded or corrected: it names the first person as well.

use meterhouse_tests::{FIVE_CARD_A, House, Watch};
use serde_json::{Value, json};

use super::{assert_found, evidence, known, verified};

fn kinds(bundle: &Value) -> Vec<&str> {
    let commands = bundle["commands"].as_array().expect("commands");
    commands
        .iter()
        .map(|entry| entry["event"]["kind"].as_str().expect("a kind"))
        .collect()
}

fn names(bundle: &Value) -> Vec<&str> {
    let people = bundle["people"].as_array().expect("people").iter();
    people.filter_map(|who| who["name"].as_str()).collect()
}

/// A late hit was entered by the person who proposed it. A bundle without the proposal is found out.
#[tokio::test]
async fn a_late_hit_names_both_people() {
    let house = House::watching(Watch::Close).await;
    let dealers = house.link_with(FIVE_CARD_A, &json!({}), &["T1"]).await;
    drop(dealers[0].coin_in(&[1, 2]).await.created());
    drop(dealers[0].close().await.created());
    dealers[0].rounds(20, &[1]).await;
    let both = house.two_people().await;
    let late = json!({"change": "late_hit", "table": "T1", "round": 1, "seat": 2, "hand": "straight-flush"});
    let approved = both.change("main", &late).await;
    let hit = approved["effect"]["hit"]["hit"].as_str().expect("a name");
    let bundle = evidence(&house, hit).await;
    assert_eq!(verified(&bundle, &known()).findings, [""; 0]);
    assert_eq!(bundle["hit"]["keyed_by"], "pat");
    assert_eq!(bundle["hit"]["decided_by"], "gil");
    let expected = [
        "coin_in_accepted",
        "round_closed",
        "change_proposed",
        "change_approved",
    ];
    assert_eq!(kinds(&bundle), expected);
    let named = names(&bundle);
    assert!(
        named.contains(&"pat") && named.contains(&"gil"),
        "{named:?}"
    );

    let place = bundle["commands"][2]["position"].as_str().expect("a place");
    let batch = place
        .split('.')
        .next()
        .expect("a batch")
        .parse::<u64>()
        .expect("a number");
    assert_found(&bundle, "is missing", |changed| {
        let batches = changed["proof"]["batches"].as_array_mut().expect("batches");
        let before = batches.len();
        batches.retain(|proven| proven["batch"] != batch);
        assert_eq!(batches.len(), before - 1);
    });
    assert_found(&bundle, "hit.keyed_by", |changed| {
        changed["hit"]["keyed_by"] = json!("gil");
    });
    house.end().await;
}

/// A correction has both people's events.
#[tokio::test]
async fn a_correction_has_its_proposal() {
    let house = House::watching(Watch::Close).await;
    let dealers = house.link_with(FIVE_CARD_A, &json!({}), &["T1"]).await;
    drop(dealers[0].coin_in(&[1, 2]).await.created());
    drop(
        dealers[0]
            .hit(1, "royal-flush", "As Ks Qs Js Ts")
            .await
            .created(),
    );
    let sam = house.supervisor("sam").await;
    drop(sam.approve("T1.2").await.created());
    let both = house.two_people().await;
    drop(
        both.change("main", &json!({"change": "correct", "hit": "T1.2"}))
            .await,
    );
    let bundle = evidence(&house, "T1.2").await;
    assert_eq!(verified(&bundle, &known()).findings, [""; 0]);
    let kinds = kinds(&bundle);
    assert!(
        kinds.ends_with(&["change_proposed", "change_approved"]),
        "{kinds:?}"
    );
    let named = names(&bundle);
    assert!(
        named.contains(&"pat") && named.contains(&"gil"),
        "{named:?}"
    );
    house.end().await;
}
