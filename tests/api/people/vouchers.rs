//! Credentials that the house's key does not vouch for: what the owner of the database inserts lets nobody in.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_engine::signing::{HeadKey, KeyFailed};
use meterhouse_engine::verify::verify_house;
use meterhouse_journal::tree_head::{PublicKey, SIGNATURE_BYTES, SigningKey};
use meterhouse_tests::{House, TestServer, Watch};
use reqwest::Method;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::{PASSWORD, Session, admitted, first_administrator, login, try_login};

async fn findings(house: &House) -> Vec<String> {
    let report = verify_house(&house.server.store).await;
    report.expect("the chain can be read").findings
}

/// A token, a role, a password or a session that was written past the program is worth nothing, also with an entry.
#[tokio::test]
async fn a_row_of_the_databases_owner_lets_nobody_in() {
    let house = House::watching(Watch::Close).await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    admitted(&root, &json!({"name": "aud", "role": "auditor"})).await;
    let good = house.token("ana", "manager", None, None).await;
    let caller = house.nobody().with_token(&good);
    drop(caller.get("/v1/hits").await.is(200));
    // A second node has nothing in memory.
    let second = TestServer::start(&house.database, Watch::Close).await;
    let elsewhere = house.nobody().at(second.base());
    drop(elsewhere.with_token(&good).get("/v1/hits").await.is(200));
    let forged = "f".repeat(64);
    let hash = hex::encode(Sha256::digest(forged.as_bytes()));
    let insert = format!(
        "INSERT INTO token (token_hash, actor_id, created_at, voucher)
         SELECT '\\x{hash}', actor_id, created_at, voucher FROM token WHERE voucher IS NOT NULL LIMIT 1"
    );
    assert_eq!(house.database.tamper(&insert).await, 1);
    let refused = elsewhere.with_token(&forged).get("/v1/hits").await;
    drop(refused.problem(401, "unauthenticated"));
    let session = format!(
        "INSERT INTO session (session_hash, actor_id, created_at, expires_at, seen_at, voucher)
         SELECT '\\x{hash}', actor_id, created_at, expires_at, seen_at, voucher FROM session LIMIT 1"
    );
    assert_eq!(house.database.tamper(&session).await, 1);
    let cookie = format!("__Host-meterhouse-session={forged}");
    let cookie = [("cookie", cookie.as_str())];
    let refused = elsewhere
        .send(Method::GET, "/v1/session", &cookie, Vec::new())
        .await;
    drop(refused.problem(401, "unauthenticated"));
    // The auditor gets the administrator's password hash, and then the administrator's role.
    let password = "INSERT INTO password (actor_id, set_at, hash, voucher)
         SELECT (SELECT actor_id FROM actor WHERE name = 'root'), set_at + 1, hash, voucher FROM password
         WHERE actor_id = (SELECT actor_id FROM actor WHERE name = 'aud')";
    assert_eq!(house.database.tamper(password).await, 1);
    let refused = try_login(&elsewhere, "root", PASSWORD).await;
    drop(refused.problem(401, "login_failed"));
    let role = "UPDATE actor SET role = 'administrator' WHERE name IN ('aud', 'ana')";
    assert_eq!(house.database.tamper(role).await, 2);
    let refused = try_login(&elsewhere, "aud", PASSWORD).await;
    drop(refused.problem(401, "login_failed"));
    let third = TestServer::start(&house.database, Watch::Close).await;
    let refused = house
        .nobody()
        .at(third.base())
        .with_token(&good)
        .get("/v1/people")
        .await;
    drop(refused.problem(401, "unauthenticated"));
    let found = findings(&house).await.join("\n");
    for place in [
        "token: one of",
        "password: one of",
        "actor: aud",
        "actor: ana",
    ] {
        assert!(found.contains(place), "{place}: {found}");
    }
    third.stop().await;
    second.stop().await;
    house.server.stop().await;
}

/// A changed or removed act is named by `verify`.
#[tokio::test]
async fn a_changed_act_is_named() {
    let house = House::open().await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    drop(root.get("/v1/people").await.is(200));
    assert_eq!(findings(&house).await, Vec::<String>::new());
    for (change, back) in [
        (
            "UPDATE act SET address = '10.0.0.9' WHERE number = 2",
            "UPDATE act SET address = '127.0.0.1' WHERE number = 2",
        ),
        (
            "UPDATE act SET at = at + 1 WHERE number = 1",
            "UPDATE act SET at = at - 1 WHERE number = 1",
        ),
        (
            "UPDATE act SET details = '{a,b}' WHERE number = 3",
            "UPDATE act SET details = '{}' WHERE number = 3",
        ),
    ] {
        assert_eq!(house.database.tamper(change).await, 1, "{change}");
        let found = findings(&house).await;
        assert!(
            found.iter().any(|what| what.contains("act: ")),
            "{change}: {found:?}"
        );
        assert_eq!(house.database.tamper(back).await, 1, "{back}");
        assert_eq!(findings(&house).await, Vec::<String>::new(), "{back}");
    }
    assert_eq!(
        house
            .database
            .tamper("DELETE FROM act WHERE number = 3")
            .await,
        1
    );
    let found = findings(&house).await.join("\n");
    assert!(found.contains("has no such row"), "{found}");
    house.end().await;
}

/// The house's key in a device that answers no more.
struct Silent;

impl HeadKey for Silent {
    fn public(&self) -> PublicKey {
        SigningKey::new(&Watch::SIGNING_KEY).public()
    }

    fn sign(&self, _: &[u8], _: Duration) -> Result<[u8; SIGNATURE_BYTES], KeyFailed> {
        Err(KeyFailed::new("no answer"))
    }
}

/// A device that does not sign lets nobody new in, and says so. Everything that needs no voucher goes on, and no right
/// password counts as a wrong one.
#[tokio::test]
async fn a_key_that_does_not_sign_refuses_new_credentials_only() {
    let house = House::watching(Watch::Close).await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    let good = house.token("ana", "manager", None, None).await;
    let node = TestServer::start_with_key(&house.database, Arc::new(Silent)).await;
    let there = house.nobody().at(node.base());
    // One more than the wrong attempts without a delay.
    for _ in 0..=5 {
        let refused = try_login(&there, "root", PASSWORD).await;
        let refused = refused.problem(503, "signing_key_unavailable");
        assert_eq!(refused.headers["retry-after"], "2");
    }
    let root = Session {
        caller: there.clone(),
        ..root
    };
    for (path, asked) in [
        ("/v1/tokens", json!({"name": "eve", "role": "auditor"})),
        ("/v1/people", json!({"name": "eve", "role": "auditor"})),
    ] {
        let refused = root.send(Method::POST, path, Some(&asked)).await;
        drop(refused.problem(503, "signing_key_unavailable"));
    }
    let people = root.get("/v1/people").await.is(200);
    assert_eq!(people["people"].as_array().map(Vec::len), Some(2));
    let ana = there.with_token(&good);
    drop(ana.get("/v1/hits").await.is(200));
    let revoke = root.send(Method::DELETE, "/v1/tokens/ana", None).await;
    assert_eq!(revoke.is(200)["ended"], 1);
    node.stop().await;
    drop(login(&house, "root").await);
    house.end().await;
}
