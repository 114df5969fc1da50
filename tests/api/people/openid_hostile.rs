//! Hostile logins by OpenID Connect: forged tokens, stolen codes, logins that another browser began.

use meterhouse_tests::Answer;
use serde_json::{Value, json};

use super::openid::WithProvider;
use super::provider::{Login, Provider, key_id};

/// Asserts that an answer lets nobody in.
#[track_caller]
fn refused(answer: &Answer, status: u16, code: &str) {
    drop(answer.clone().problem(status, code));
    let sets = answer.headers.get_all("set-cookie").iter();
    for set in sets.map(|set| set.to_str().expect("a text")) {
        assert!(!set.starts_with("__Host-meterhouse-session"), "{set}");
    }
}

/// A lie in an ID token: its name, the change, and the answer.
type Lie = (&'static str, fn(&mut Login), (u16, &'static str));

const NOT_PROVEN: (u16, &str) = (401, "openid_not_proven");
/// A provider that sends what is no ID token at all is broken.
const UNAVAILABLE: (u16, &str) = (503, "openid_unavailable");

const LIES: [Lie; 11] = [
    ("signature", |to| to.signed_by = Some([2; 32]), NOT_PROVEN),
    (
        "no signature",
        |to| set(&mut to.header, "alg", "none"),
        NOT_PROVEN,
    ),
    (
        "signed by the house",
        |to| set(&mut to.header, "alg", "HS256"),
        NOT_PROVEN,
    ),
    (
        "critical",
        |to| to.header["crit"] = json!(["x"]),
        NOT_PROVEN,
    ),
    (
        "nonce",
        |to| set(&mut to.claims, "nonce", "another"),
        NOT_PROVEN,
    ),
    (
        "no nonce",
        |to| to.claims["nonce"] = json!(null),
        NOT_PROVEN,
    ),
    (
        "audience",
        |to| set(&mut to.claims, "aud", "another-house"),
        NOT_PROVEN,
    ),
    (
        "audiences",
        |to| to.claims["aud"] = json!(["meterhouse", "b"]),
        NOT_PROVEN,
    ),
    (
        "issuer",
        |to| set(&mut to.claims, "iss", "https://b.example"),
        NOT_PROVEN,
    ),
    (
        "expired",
        |to| to.claims["exp"] = json!(1_000_000_000),
        NOT_PROVEN,
    ),
    (
        "no subject",
        |to| to.claims["sub"] = json!(null),
        UNAVAILABLE,
    ),
];

fn set(part: &mut Value, name: &str, text: &str) {
    part[name] = json!(text);
}

/// An ID token counts only with the provider's signature, for this house and this login, and as long as it says.
#[tokio::test]
async fn a_forged_token_proves_nothing() {
    let house = WithProvider::open().await;
    for (what, lie, (status, code)) in LIES {
        let answer = house.login("s-ana", lie).await;
        assert_eq!((answer.status, answer.code()), (status, code), "{what}");
        refused(&answer, status, code);
    }
    // None of them counts as a wrong password of somebody.
    let failures = house
        .house
        .database
        .rows("SELECT name FROM login_failure")
        .await;
    assert!(failures.is_empty());
    let recorded = house.failures().await;
    assert!(
        recorded
            .iter()
            .all(|act| act["proof"] == "openid" && act["known"] == false)
    );
    // Ten of them a minute are recorded.
    assert!((5..=10).contains(&recorded.len()), "{}", recorded.len());
    drop(house.login("s-ana", |_| {}).await.is(200));
    house.end().await;
}

/// The way back works in the browser that began the login, with its own state, and for this provider's answer.
#[tokio::test]
async fn a_login_that_was_not_begun_here_is_refused() {
    let house = WithProvider::open().await;
    let begun = house.begin("").await;
    let query = house.provider.authorize(&begun.location, "s-ana", |_| {});
    let other = house.begin("").await;
    let of_other = house.provider.authorize(&other.location, "s-ana", |_| {});
    let state = |query: &str| query.split("&state=").nth(1).expect("a state").to_owned();
    let code = |query: &str| query.split('&').next().expect("a code").to_owned();
    let not_begun = [
        // Another site leads a browser here that began nothing, or another login.
        (query.clone(), String::new()),
        (query.clone(), "__Host-meterhouse-openid=".to_owned()),
        (query.clone(), other.cookie.clone()),
        (of_other.clone(), begun.cookie.clone()),
        // A cookie that nobody sealed.
        (
            query.clone(),
            "__Host-meterhouse-openid=a.b.c.1.2f.00".to_owned(),
        ),
        (query.clone(), format!("{}0", begun.cookie)),
        (code(&query), begun.cookie.clone()),
        ("state=x&code=y".to_owned(), begun.cookie.clone()),
        // Another provider answers (mix-up).
        (
            query.replace("&iss=http", "&iss=https"),
            begun.cookie.clone(),
        ),
    ];
    for (query, cookie) in not_begun {
        let answer = house.go_back(&query, &cookie).await;
        refused(&answer, 403, "openid_not_begun");
    }
    assert_eq!(house.provider.requests("token"), 0);
    // The provider refuses, or forgets the code.
    let denied = format!("error=access_denied%0A%3Cscript%3E&state={}", state(&query));
    let answer = house.go_back(&denied, &begun.cookie).await;
    refused(&answer, 403, "openid_refused");
    assert!(answer.text.contains("access_denied"), "{}", answer.text);
    let answer = house
        .go_back(&format!("state={}", state(&query)), &begun.cookie)
        .await;
    refused(&answer, 401, "openid_not_proven");
    let twice = house
        .go_back(&format!("{query}&state=x"), &begun.cookie)
        .await;
    drop(twice.problem(400, "invalid_parameter"));
    house.end().await;
}

/// A stolen code is worth nothing in another login: the provider asks for the verifier of the one that it was made for.
#[tokio::test]
async fn a_stolen_code_needs_its_verifier() {
    let house = WithProvider::open().await;
    let begun = house.begin("").await;
    let query = house.provider.authorize(&begun.location, "s-ana", |_| {});
    let eve = house.begin("").await;
    let of_eve = house.provider.authorize(&eve.location, "s-eve", |_| {});
    let (code, _) = query.split_once('&').expect("a code");
    let (_, rest) = of_eve.split_once('&').expect("a state");
    let answer = house.go_back(&format!("{code}&{rest}"), &eve.cookie).await;
    refused(&answer, 401, "openid_not_proven");
    house.end().await;
}

/// No address of another server is gone on to.
#[tokio::test]
async fn the_next_path_is_one_of_this_server() {
    let house = WithProvider::open().await;
    for next in [
        "https://evil.example/",
        "//evil.example/",
        "/%5Cevil.example",
        "/%22%3E%3Cscript%3E",
        "/%0D%0Aset-cookie:x",
        "",
    ] {
        let refused = house
            .browser()
            .get(&format!("/v1/login/openid?next={next}"))
            .await;
        drop(refused.problem(400, "invalid_parameter"));
    }
    house.end().await;
}

/// A provider that changes its key is asked for its keys again, at most once a minute.
#[tokio::test]
async fn a_new_key_of_the_provider_is_fetched_once() {
    let house = WithProvider::open().await;
    drop(house.login("s-ana", |_| {}).await.is(200));
    assert_eq!(house.provider.requests("jwks"), 1);
    house.provider.rotate([3; 32]);
    drop(house.login("s-ana", |_| {}).await.is(200));
    assert_eq!(house.provider.requests("jwks"), 2);
    let provider: &Provider = &house.provider;
    let unknown = |login: &mut Login| {
        login.header["kid"] = json!(key_id(&[4; 32]));
        login.signed_by = Some([4; 32]);
    };
    for _ in 0..3 {
        let answer = house.login("s-ana", unknown).await;
        refused(&answer, 401, "openid_not_proven");
    }
    assert_eq!(provider.requests("jwks"), 2);
    house.end().await;
}
