//! `meterhouse verify FILE` for the evidence of a hit: one download, checked without a database.

use std::fs;

use meterhouse_journal::tree_head::SigningKey;
use meterhouse_tests::{Dealer, FIVE_CARD_C, House, Watch, eventually};
use serde_json::{Value, json};

use crate::program::{folder, run};

/// A house that signs, with a royal flush that was paid, and the evidence of it.
async fn downloaded() -> String {
    let house = House::watching(Watch::Close).await;
    let dealers = house.link_with(FIVE_CARD_C, &json!({}), &["T1"]).await;
    let dealer: &Dealer = &dealers[0];
    drop(dealer.coin_in(&[1, 3]).await.created());
    drop(
        dealer
            .hit(1, "royal-flush", "As Ks Qs Js Ts")
            .await
            .created(),
    );
    let sam = house.supervisor("sam").await;
    drop(sam.approve("T1.2").await.created());
    drop(sam.pay("T1.2", 1, "JP-1").await.created());
    drop(dealer.close().await.created());
    let auditor = house.person("ada", "auditor").await;
    let bundle = eventually("the hit is signed", async || {
        let told = auditor.get("/v1/hits/T1.2/evidence").await;
        (told.status == 200).then_some(told.text)
    })
    .await;
    house.end().await;
    bundle
}

#[tokio::test]
async fn evidence_verifies_without_a_database() {
    let (bundle, folder) = (downloaded().await, folder());
    let path = folder.path().join("evidence-T1.2.json");
    let file = path.to_str().expect("a path in UTF-8");
    fs::write(&path, &bundle).expect("a file");
    let key = SigningKey::new(&Watch::SIGNING_KEY).public().to_string();
    let told = run(&["verify", file, "--key", &key]).await.with_code(0);
    for part in [
        "link main: hit T1.2, paid, due 10000.18",
        &format!(", signed by {key} on "),
        "  not proven: that nothing happened to the hit after batch ",
        "everything agrees, difference 0.00",
    ] {
        assert!(told.stdout.contains(part), "{part}: {}", told.stdout);
    }
    let told = run(&["verify", file, "--json"]).await.with_code(0);
    let told: Value = serde_json::from_str(&told.stdout).expect("JSON");
    assert_eq!(
        (&told["agrees"], &told["hit"]),
        (&json!(true), &json!("T1.2"))
    );

    // A cent more.
    fs::write(&path, bundle.replace("10000.18", "10000.19")).expect("a file");
    let told = run(&["verify", file, "--key", &key]).await.with_code(1);
    let expected =
        "  DIFFERS hit.due: the file has \"10000.19\", and the journal gives \"10000.18\"";
    assert!(told.stdout.contains(expected), "{}", told.stdout);
    assert!(
        told.stdout.contains("differences were found"),
        "{}",
        told.stdout
    );
    // A file that is no bundle, and one that ends early.
    for text in ["{}", &bundle[..bundle.len() / 2]] {
        fs::write(&path, text).expect("a file");
        let told = run(&["verify", file]).await.with_code(2);
        let expected = "can't be read as evidence: ";
        assert!(told.stderr.contains(expected), "{}", told.stderr);
    }
}
