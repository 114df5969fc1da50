//! Signed heads over the wire: who signed, that a batch is under the head, and that an older head is its beginning.

use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::tree::{TreeHash, verify_consistency, verify_inclusion};
use meterhouse_journal::tree_head::{PublicKey, SigningKey, TreeHead};
use meterhouse_tests::client::Caller;
use meterhouse_tests::{Dealer, FIVE_CARD_C, House, Watch, eventually};
use serde_json::{Value, json};

/// A house that signs all the time, and a table.
async fn signing_house() -> (House, Dealer) {
    let house = House::watching(Watch::Close).await;
    let dealers = house.link_with(FIVE_CARD_C, &json!({}), &["T1"]).await;
    let dealer = dealers.into_iter().next().expect("one table");
    (house, dealer)
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("a text")).expect("hexadecimal digits")
}

fn array<const N: usize>(value: &Value) -> [u8; N] {
    bytes(value).try_into().expect("bytes of the right length")
}

fn path(value: &Value) -> Vec<TreeHash> {
    let hashes = value.as_array().expect("a path").iter();
    hashes.map(|hash| TreeHash(array(hash))).collect()
}

/// Checks the signature of a head as an outsider does, and returns what it states.
fn checked(head: &Value) -> TreeHead {
    let signed = bytes(&head["bytes"]);
    let key = PublicKey(array(&head["public_key"]));
    assert_eq!(key, SigningKey::new(&Watch::SIGNING_KEY).public());
    assert!(key.verifies(&signed, &array(&head["signature"])), "{head}");
    let stated = TreeHead::from_bytes(&signed).expect("a head");
    assert_eq!(stated.name, "main");
    assert_eq!(head["number"], stated.number);
    assert_eq!(head["batch"], stated.batch);
    assert_eq!(head["chain_hash"], stated.chain_hash.to_string());
    assert_eq!(head["root"], stated.root.to_string());
    stated
}

/// Waits for a head over the newest batch.
async fn signed(auditor: &Caller) -> Value {
    eventually("everything is signed", async || {
        let told = auditor.get("/v1/links/main/proof").await.is(200);
        (told["head"]["batch"] == told["batch"]).then(|| told.body.clone())
    })
    .await
}

#[tokio::test]
async fn every_batch_is_under_the_newest_head() {
    let (house, dealer) = signing_house().await;
    let auditor = house.person("ada", "auditor").await;
    let first = checked(&signed(&auditor).await["head"]);
    // More batches than a stored node has leaves.
    dealer.rounds(130, &[1, 3]).await;
    let newest = checked(&signed(&auditor).await["head"]);
    assert!(newest.batch > 256, "{newest:?}");
    for batch in [1, 2, 255, 256, 257, newest.batch] {
        let path_of_batch = format!("/v1/links/main/proof?batch={batch}");
        let told = auditor.get(&path_of_batch).await.is(200);
        let head = checked(&told["head"]);
        let inclusion = &told["inclusion"];
        let leaf = ChainHash(array(&inclusion["chain_hash"]));
        let hashes = path(&inclusion["path"]);
        let holds = |index| verify_inclusion(leaf, index, head.batch, &hashes, head.root);
        assert!(holds(batch - 1), "batch {batch}");
        assert!(!holds(batch), "batch {batch} is not the next one");
    }
    let since = format!("/v1/links/main/proof?since={}", first.number);
    let told = auditor.get(&since).await.is(200);
    let (newest, since) = (
        checked(&told["head"]),
        checked(&told["consistency"]["since"]),
    );
    assert_eq!(since, first);
    let hashes = path(&told["consistency"]["path"]);
    let (older, newer) = ((since.batch, since.root), (newest.batch, newest.root));
    assert!(verify_consistency(older, newer, &hashes));
    assert!(!verify_consistency((older.0 + 1, older.1), newer, &hashes));
    house.end().await;
}

#[tokio::test]
async fn what_is_not_signed_has_no_proof() {
    let (house, dealer) = signing_house().await;
    let auditor = house.person("ada", "auditor").await;
    let told = signed(&auditor).await;
    let (batch, number) = (&told["head"]["batch"], &told["head"]["number"]);
    let ahead = batch.as_u64().expect("a number") + 1_000;
    for query in [format!("batch={ahead}"), format!("since={ahead}")] {
        let told = auditor.get(&format!("/v1/links/main/proof?{query}")).await;
        let told = told.problem(404, "not_signed");
        assert_eq!(
            told["fields"]["signed_through"],
            batch.to_string(),
            "{}",
            told.text
        );
        assert_eq!(
            told["fields"]["newest_head"],
            number.to_string(),
            "{}",
            told.text
        );
    }
    for query in [
        "batch=0",
        "since=-1",
        "batch=x",
        "batch=18446744073709551615",
        "at=1",
    ] {
        let told = auditor.get(&format!("/v1/links/main/proof?{query}")).await;
        drop(told.problem(400, "invalid_parameter"));
    }
    let told = auditor.get("/v1/links/other/proof").await;
    drop(told.problem(404, "unknown_link"));
    let told = dealer.caller.get("/v1/links/main/proof").await;
    drop(told.problem(403, "forbidden"));
    house.end().await;
}

/// A server without a key says so, and says nothing else.
#[tokio::test]
async fn without_a_key_nothing_is_signed() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let auditor = house.person("ada", "auditor").await;
    let told = auditor.get("/v1/links/main/proof").await.is(200);
    assert_eq!(told["head"], Value::Null);
    let told = auditor.get("/v1/links/main/proof?batch=1").await;
    let told = told.problem(404, "not_signed");
    assert_eq!(told["fields"]["newest_head"], "0");
    house.end().await;
}

/// Two nodes with one key make one row of heads, each over the one before.
#[tokio::test]
async fn two_nodes_sign_one_row_of_heads() {
    let (house, dealer) = signing_house().await;
    let another = house.another_server().await;
    let auditor = house.person("ada", "auditor").await;
    let mut before = checked(&signed(&auditor).await["head"]).number;
    for _ in 0..5 {
        dealer.rounds(2, &[1]).await;
        let number = checked(&signed(&auditor).await["head"]).number;
        assert!(number > before, "{number}");
        before = number;
    }
    let heads = house
        .database
        .rows("SELECT number FROM signed_head WHERE link_id = 1 ORDER BY number")
        .await;
    assert!(heads.len() as u64 >= before);
    // `verify` finds a gap, and a head that does not follow the one before.
    assert_eq!(house.findings().await, [""; 0]);
    another.stop().await;
    house.end().await;
}

/// `verify` names a changed head, and signing goes on from the head as it was.
#[tokio::test]
async fn a_changed_head_is_found() {
    let (house, dealer) = signing_house().await;
    let auditor = house.person("ada", "auditor").await;
    dealer.rounds(1, &[1]).await;
    let before = checked(&signed(&auditor).await["head"]);
    let flip = format!(
        "UPDATE signed_head SET root = set_byte(root, 0, get_byte(root, 0) # 1)
         WHERE link_id = 1 AND number = {}",
        before.number
    );
    assert_eq!(house.database.tamper(&flip).await, 1);
    let findings = house.findings().await;
    for what in [
        "has no valid signature".to_owned(),
        format!(
            "signs other hashes than there are up to batch {}",
            before.batch
        ),
    ] {
        let expected = format!("link main: head {} {what}", before.number);
        assert!(findings.contains(&expected), "{findings:?}");
    }
    assert_eq!(house.database.tamper(&flip).await, 1);
    dealer.rounds(1, &[1]).await;
    assert!(checked(&signed(&auditor).await["head"]).number > before.number);
    house.end().await;
}
