//! Second factors: codes of an authenticator app.

use meterhouse_engine::clock::now;
use meterhouse_tests::House;
use reqwest::Method;
use serde_json::json;
use totp_rs::{Builder, Secret, Totp};

use super::{PASSWORD, first_administrator, login, post, session, try_login};

fn seconds() -> u64 {
    now().0.unsigned_abs() / 1_000_000
}

fn totp(secret: &str) -> Totp {
    let secret = Secret::try_from_base32(secret).expect("base 32");
    Builder::new()
        .with_secret(secret)
        .build()
        .expect("a secret")
}

/// With a second factor a login needs a code, each code is good once, and an administrator takes a lost one away.
#[tokio::test]
async fn a_second_factor_needs_a_code() {
    let house = House::open().await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    let path = "/v1/session/second-factor";
    let drawn = root.send(Method::POST, path, None).await.is(201);
    let secret = drawn["secret"].as_str().expect("a text");
    assert!(
        drawn["link"]
            .as_str()
            .is_some_and(|link| link.contains(secret))
    );
    let totp = totp(secret);
    let set = |code: String| json!({"secret": secret, "code": code});
    let refused = root
        .send(Method::PUT, path, Some(&set("abcdef".to_owned())))
        .await;
    drop(refused.problem(400, "wrong_code"));
    let short = json!({"secret": "GEZDGNBV", "code": "123456"});
    drop(
        root.send(Method::PUT, path, Some(&short))
            .await
            .problem(400, "wrong_code"),
    );
    let code = totp.generate(seconds()).to_string();
    let done = root.send(Method::PUT, path, Some(&set(code))).await.is(200);
    assert_eq!(done["set"], true);
    let nobody = house.nobody();
    let missing = try_login(&nobody, "root", PASSWORD).await;
    drop(missing.problem(401, "second_factor_missing"));
    let with = |code: &str| json!({"name": "root", "password": PASSWORD, "code": code});
    let code = totp.generate(seconds()).to_string();
    let first = post(&nobody, "/v1/login", &with(&code)).await.is(201);
    let second = post(&nobody, "/v1/login", &with(&code)).await;
    drop(second.problem(401, "login_failed"));
    drop(
        post(&nobody, "/v1/login", &with("000000x"))
            .await
            .problem(401, "login_failed"),
    );
    let again = session(nobody, &first);
    let removed = format!("/v1/people/{}/second-factor", "root");
    drop(again.send(Method::DELETE, &removed, None).await.is(200));
    drop(login(&house, "root").await);
    house.end().await;
}
