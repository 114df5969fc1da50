//! Second factors: codes of an authenticator app.

use meterhouse_engine::clock::now;
use meterhouse_tests::House;
use reqwest::Method;
use serde_json::json;
use totp_rs::{Builder, Secret, Totp};

use super::{PASSWORD, admitted, first_administrator, login, session, try_login};

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
    let set = set(code.clone());
    let done = root.send(Method::PUT, path, Some(&set)).await.is(200);
    assert_eq!(done["set"], true);
    let nobody = house.nobody();
    let missing = try_login(&nobody, "root", PASSWORD).await;
    drop(missing.problem(401, "second_factor_missing"));
    let with = |code: &str| json!({"name": "root", "password": PASSWORD, "code": code});
    let used = nobody.post("/v1/login", &with(&code)).await;
    drop(used.problem(401, "login_failed"));
    forget_steps(&house).await;
    let code = totp.generate(seconds()).to_string();
    let first = nobody.post("/v1/login", &with(&code)).await.is(201);
    let second = nobody.post("/v1/login", &with(&code)).await;
    drop(second.problem(401, "login_failed"));
    drop(
        nobody
            .post("/v1/login", &with("000000x"))
            .await
            .problem(401, "login_failed"),
    );
    let again = session(nobody, &first);
    admitted(&again, &json!({"name": "ann", "role": "administrator"})).await;
    let ann = login(&house, "ann").await;
    let removed = format!("/v1/people/{}/second-factor", "root");
    drop(ann.send(Method::DELETE, &removed, None).await.is(200));
    drop(login(&house, "root").await);
    house.end().await;
}

/// Makes the codes of this time good again, so that no test waits for the next one.
async fn forget_steps(house: &House) {
    let sql = "UPDATE second_factor SET used_step = 0 WHERE used_step > 0";
    assert!(house.database.tamper(sql).await > 0);
}

/// Neither the password nor a session alone replaces a second factor: what a login needs, a new password and a new factor
/// need too. A password without the code counts and is recorded, and does not end the delay.
#[tokio::test]
async fn a_second_factor_guards_what_could_replace_it() {
    let house = House::open().await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    let path = "/v1/session/second-factor";
    let drawn = root.send(Method::POST, path, None).await.is(201);
    let secret = drawn["secret"].as_str().expect("a text").to_owned();
    let totp = totp(&secret);
    let code = || totp.generate(seconds()).to_string();
    let used = code();
    let set = json!({"secret": secret, "code": used});
    drop(root.send(Method::PUT, path, Some(&set)).await.is(200));
    // A session that was stolen takes nothing away, and makes no password.
    let own = format!("/v1/people/{}/second-factor", "root");
    let taken = root.send(Method::DELETE, &own, None).await;
    drop(taken.problem(403, "own_access"));
    let own = json!({"name": "root", "role": "administrator"});
    let made = root.send(Method::POST, "/v1/people", Some(&own)).await;
    drop(made.problem(403, "own_access"));
    let other = root.send(Method::POST, path, None).await.is(201);
    let other = other["secret"].as_str().expect("a text").to_owned();
    let with = |old: Option<String>| json!({"secret": other, "code": self::totp(&other).generate(seconds()).to_string(), "old": old});
    let replaced = root.send(Method::PUT, path, Some(&with(None))).await;
    drop(replaced.problem(401, "second_factor_missing"));
    let replaced = root.send(Method::PUT, path, Some(&with(Some(used)))).await;
    drop(replaced.problem(401, "login_failed"));
    let nobody = house.nobody();
    let change = |code: Option<String>| json!({"name": "root", "old": PASSWORD, "new": "another horse battery", "second_factor": code});
    let changed = nobody.put("/v1/password", &change(None)).await;
    drop(changed.problem(401, "second_factor_missing"));
    let changed = nobody
        .put("/v1/password", &change(Some("000000x".to_owned())))
        .await;
    drop(changed.problem(401, "login_failed"));
    drop(root.get("/v1/session").await.is(200));
    let missing = try_login(&nobody, "root", PASSWORD).await;
    drop(missing.problem(401, "second_factor_missing"));
    let sql = "UPDATE login_failure SET failed_at = failed_at + 3600000000 WHERE failures = 5";
    assert_eq!(house.database.tamper(sql).await, 1, "all five counted");
    let delayed = nobody.put("/v1/password", &change(Some(code()))).await;
    drop(delayed.problem(429, "login_delayed"));
    assert_eq!(house.database.tamper("DELETE FROM login_failure").await, 1);
    forget_steps(&house).await;
    let missing = root.get("/v1/acts?act=second_factor_missing").await.is(200);
    assert_eq!(missing["acts"].as_array().map(Vec::len), Some(3));
    drop(
        root.send(Method::PUT, path, Some(&with(Some(code()))))
            .await
            .is(200),
    );
    forget_steps(&house).await;
    let now = || self::totp(&other).generate(seconds()).to_string();
    drop(
        nobody
            .put("/v1/password", &change(Some(now())))
            .await
            .is(200),
    );
    drop(
        root.get("/v1/session")
            .await
            .problem(401, "unauthenticated"),
    );
    house.end().await;
}
