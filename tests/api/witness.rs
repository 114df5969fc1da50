//! This house as the witness of another one: which heads it keeps, and what it answers to a house that signed two
//! histories.

use meterhouse_api::time;
use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::house::key_statement;
use meterhouse_journal::tree::TreeHash;
use meterhouse_journal::tree_head::{HOUSE, SignedHead, SigningKey, TreeHead};
use meterhouse_tests::client::{Answer, Caller};
use meterhouse_tests::{House, Watch, eventually};
use reqwest::Method;
use serde_json::{Value, json};

/// Where heads are deposited.
const HEADS: &str = "/v1/witness/heads";
/// Identity of the other house's database.
const OTHER: [u8; 16] = [0x6d; 16];

fn key(secret: u8) -> SigningKey {
    SigningKey::new(&[secret; 32])
}

/// Returns the first head of the other house's link `main`.
fn first() -> TreeHead {
    TreeHead {
        identity: OTHER,
        link: LinkId(1),
        name: "main".to_owned(),
        number: 1,
        previous: [0; 32],
        batch: 10,
        chain_hash: ChainHash([1; 32]),
        root: TreeHash([1; 32]),
        at: Timestamp(1_795_262_400_000_000),
    }
}

/// Returns the head that follows one.
fn next(head: &TreeHead) -> TreeHead {
    TreeHead {
        number: head.number + 1,
        previous: head.hash(),
        batch: head.batch + 1,
        ..head.clone()
    }
}

/// Returns a head of another history in the place of one.
fn another(head: &TreeHead) -> TreeHead {
    TreeHead {
        root: TreeHash([0xee; 32]),
        ..head.clone()
    }
}

fn body(signed: &SignedHead) -> Value {
    json!({
        "bytes": hex::encode(signed.head.bytes()),
        "public_key": signed.key.to_string(),
        "signature": hex::encode(signed.signature),
    })
}

fn by(secret: u8, head: &TreeHead) -> Value {
    body(&key(secret).sign_head(head.clone()))
}

/// Returns a body with the word of one key for another.
fn vouched(body: &Value, (by, later): (u8, u8), signed_by: u8) -> Value {
    let at = Timestamp(1_795_262_300_000_000);
    let later = key(later).public();
    let signature = key(signed_by).sign(&key_statement(&OTHER, later, at));
    let mut body = body.clone();
    body["vouches"] = json!([{
        "public_key": later.to_string(),
        "introduced_at": time::text(at),
        "by": key(by).public().to_string(),
        "signature": hex::encode(signature),
    }]);
    body
}

async fn deposit(caller: &Caller, body: &Value) -> Answer {
    let json = [("content-type", "application/json")];
    let bytes = body.to_string().into_bytes();
    caller.send(Method::POST, HEADS, &json, bytes).await
}

/// Returns the kept heads: chain, number, and whether it is a fork.
async fn kept(auditor: &Caller, query: &str) -> Vec<(Value, Value, Value)> {
    let page = auditor.get(&format!("{HEADS}?{query}")).await.is(200);
    let heads = page["heads"].as_array().expect("heads");
    let row = |head: &Value| {
        (
            head["link"].clone(),
            head["number"].clone(),
            head["fork"].clone(),
        )
    };
    heads.iter().map(row).collect()
}

/// A house with the other house's token and an auditor.
async fn witness() -> (House, Caller, Caller) {
    let house = House::open().await;
    let other = house.person("casino-b", "witnessed").await;
    let auditor = house.person("ada", "auditor").await;
    (house, other, auditor)
}

/// Heads are kept in their order, each once, by every node and over a restart.
#[tokio::test]
async fn heads_are_kept_in_their_order() {
    let (house, other, auditor) = witness().await;
    let one = first();
    let (two, four) = (next(&one), next(&next(&next(&one))));
    let told = deposit(&other, &by(5, &one)).await.is(201);
    assert_eq!(
        (&told["link"], &told["batch"], &told["fork"]),
        (&json!("main"), &json!(10), &json!(false))
    );
    assert_eq!(told["database"], hex::encode(OTHER));
    assert!(deposit(&other, &by(5, &one)).await.is(200).replayed());
    let gap = deposit(&other, &by(5, &four)).await;
    assert_eq!(gap.problem(409, "head_gap")["fields"]["expected"], "2");
    let node = house.another_server().await;
    drop(deposit(&other.at(node.base()), &by(5, &two)).await.is(201));
    node.stop().await;
    let house = house.restart().await;
    let other = other.at(house.server.base());
    let auditor = auditor.at(house.server.base());
    assert!(deposit(&other, &by(5, &two)).await.is(200).replayed());
    drop(deposit(&other, &by(5, &next(&two))).await.is(201));
    drop(deposit(&other, &by(5, &four)).await.is(201));
    // The house's chain has no name, and numbers of its own.
    let house_head = TreeHead {
        link: HOUSE,
        name: String::new(),
        ..first()
    };
    let told = deposit(&other, &by(5, &house_head)).await.is(201);
    assert_eq!(told["link"], Value::Null);
    let row = |link: Value, number: u64| (link, json!(number), json!(false));
    let all: Vec<_> = [row(Value::Null, 1)]
        .into_iter()
        .chain((1..=4).map(|number| row(json!("main"), number)))
        .collect();
    assert_eq!(kept(&auditor, "").await, all);
    let own = format!("database={}", hex::encode(OTHER));
    assert_eq!(kept(&auditor, &own).await, all);
    let unknown = format!("database={}", hex::encode([9; 16]));
    assert_eq!(kept(&auditor, &unknown).await, []);
    let mut walked = Vec::new();
    let mut after = String::new();
    loop {
        let query = format!("limit=2{after}");
        walked.extend(kept(&auditor, &query).await);
        let page = auditor.get(&format!("{HEADS}?{query}")).await.is(200);
        let Some(next) = page["next"].as_str() else {
            break;
        };
        assert_eq!(page["more"], true);
        after = format!("&after={next}");
    }
    assert_eq!(walked, all);
    house.end().await;
}

/// A house that signed two histories is answered so, and both are kept: also what follows each.
#[tokio::test]
async fn a_fork_is_kept_as_evidence() {
    let (house, other, auditor) = witness().await;
    let one = first();
    let two = next(&one);
    for head in [&one, &two, &next(&two)] {
        drop(deposit(&other, &by(5, head)).await.is(201));
    }
    let forked = another(&two);
    for _ in 0..2 {
        let told = deposit(&other, &by(5, &forked)).await;
        assert_eq!(told.problem(409, "head_forks")["fields"]["number"], "2");
    }
    // The other history goes on, and is kept as well.
    let three = next(&forked);
    drop(deposit(&other, &by(5, &three)).await.is(201));
    drop(deposit(&other, &by(5, &next(&three))).await.is(201));
    // A head that follows none, one that is no larger than the one before, and one of another name.
    let strange = TreeHead {
        previous: [3; 32],
        ..next(&three)
    };
    let smaller = TreeHead {
        batch: one.batch,
        ..next(&next(&three))
    };
    let renamed = TreeHead {
        name: "other".to_owned(),
        ..next(&next(&three))
    };
    for head in [strange, smaller, renamed] {
        let told = deposit(&other, &by(5, &head)).await;
        drop(told.problem(409, "head_forks"));
    }
    let kept = kept(&auditor, "").await;
    let forks = kept.iter().filter(|(_, _, fork)| fork == true).count();
    assert_eq!((kept.len(), forks), (9, 4), "{kept:?}");
    // Two nodes that take both at the same moment.
    let node = house.another_server().await;
    let five = TreeHead {
        link: LinkId(2),
        name: "second".to_owned(),
        ..first()
    };
    let (here, there) = (by(5, &five), by(5, &another(&five)));
    let at_node = other.at(node.base());
    let (here, there) = tokio::join!(deposit(&other, &here), deposit(&at_node, &there));
    let mut statuses = [here.status, there.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409], "{} {}", here.text, there.text);
    node.stop().await;
    house.end().await;
}

/// The first key of a house is pinned. A later one needs the word of a known key.
#[tokio::test]
async fn a_new_key_needs_the_word_of_a_known_one() {
    let (house, other, _) = witness().await;
    let one = first();
    let (two, three) = (next(&one), next(&next(&one)));
    drop(deposit(&other, &by(5, &one)).await.is(201));
    let unknown = by(6, &two);
    for body in [
        unknown.clone(),
        // By an unknown key, with a false signature, and for another key.
        vouched(&unknown, (9, 6), 9),
        vouched(&unknown, (5, 6), 9),
        vouched(&unknown, (5, 7), 5),
    ] {
        let told = deposit(&other, &body).await;
        drop(told.problem(422, "unknown_signing_key"));
    }
    let told = deposit(&other, &vouched(&unknown, (5, 6), 5)).await;
    drop(told.is(201));
    // It is known from now on, and may vouch itself.
    drop(deposit(&other, &by(6, &three)).await.is(201));
    let told = deposit(&other, &vouched(&by(8, &next(&three)), (6, 8), 6)).await;
    drop(told.is(201));
    house.end().await;
}

/// A key that no other vouches for is added by the owner of the database, who asked the house.
#[tokio::test]
async fn a_key_is_added_by_the_owner() {
    let (house, other, _) = witness().await;
    drop(deposit(&other, &by(5, &first())).await.is(201));
    let lost = by(6, &next(&first()));
    let told = deposit(&other, &lost).await;
    drop(told.problem(422, "unknown_signing_key"));
    let key = key(6).public();
    let add = format!(
        "INSERT INTO witness_key (identity, public_key, vouched_by, at, actor_id)
         SELECT decode('{}', 'hex'), decode('{key}', 'hex'), decode('{key}', 'hex'),
                (extract(epoch FROM now()) * 1000000)::bigint, actor_id FROM actor WHERE name = 'casino-b'",
        hex::encode(OTHER)
    );
    house.database.run_as_superuser(&add).await.expect("it may");
    drop(deposit(&other, &lost).await.is(201));
    house.end().await;
}

/// What is no head of another house is refused, and nothing is kept.
#[tokio::test]
async fn what_is_no_head_is_refused() {
    let house = House::watching(Watch::Close).await;
    let other = house.person("casino-b", "witnessed").await;
    let auditor = house.person("ada", "auditor").await;
    let good = by(5, &first());
    for (field, value) in [
        ("bytes", json!("zz")),
        ("bytes", json!("4d48")),
        ("public_key", json!("5")),
        ("signature", json!("00")),
        (
            "vouches",
            json!([{"public_key": "5", "introduced_at": "2026-11-25T00:00:00Z", "by": "5", "signature": ""}]),
        ),
    ] {
        let mut body = good.clone();
        body[field] = value;
        let told = deposit(&other, &body).await.problem(400, "invalid_value");
        assert!(
            told["fields"]["field"]
                .as_str()
                .is_some_and(|it| it.starts_with(field)),
            "{}",
            told.text
        );
    }
    let mut body = good.clone();
    body["witness"] = json!(1);
    drop(deposit(&other, &body).await.problem(400, "unknown_field"));
    let nameless = TreeHead {
        name: String::new(),
        ..first()
    };
    let told = deposit(&other, &by(5, &nameless)).await;
    drop(told.problem(400, "invalid_value"));
    let mut body = good.clone();
    body["signature"] = by(5, &next(&first()))["signature"].clone();
    drop(deposit(&other, &body).await.problem(422, "head_not_signed"));
    let own = eventually("the house's chain is signed", async || {
        let told = auditor.get("/v1/proof").await.is(200);
        (!told["head"].is_null()).then(|| told["head"].clone())
    })
    .await;
    let own = json!({"bytes": own["bytes"], "public_key": own["public_key"], "signature": own["signature"]});
    drop(deposit(&other, &own).await.problem(422, "own_head"));
    drop(deposit(&auditor, &good).await.problem(403, "forbidden"));
    drop(other.get(HEADS).await.problem(403, "forbidden"));
    for query in [
        "database=7",
        "after=1",
        "after=..",
        "limit=501",
        "link=main",
    ] {
        let told = auditor.get(&format!("{HEADS}?{query}")).await;
        drop(told.problem(400, "invalid_parameter"));
    }
    assert_eq!(kept(&auditor, "").await, []);
    house.end().await;
}

/// Nobody takes a kept head away: not even the owner of the tables.
#[tokio::test]
async fn a_kept_head_stays() {
    let (house, other, _) = witness().await;
    drop(deposit(&other, &by(5, &first())).await.is(201));
    for table in ["witness_head", "witness_key"] {
        for sql in [
            format!("UPDATE {table} SET at = 0"),
            format!("DELETE FROM {table}"),
            format!("TRUNCATE {table} CASCADE"),
        ] {
            let told = house.database.run_as_application(&sql).await;
            assert!(told.is_err(), "{sql}");
        }
    }
    house.end().await;
}
