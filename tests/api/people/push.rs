//! Notices of waiting hits by web push, up to a push service of the test, which decrypts them as a browser does.

use std::sync::Arc;

use meterhouse_engine::push::PushSender;
use meterhouse_http_client::PushClient;
use meterhouse_push::{Hosts, VapidKey, WebPush};
use meterhouse_tests::{Answer, Dealer, FIVE_CARD_C, House, TestServer, eventually};
use p256::SecretKey;
use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use reqwest::Method;
use serde_json::{Value, json};

use super::push_service::{BROWSER_AUTH, BROWSER_KEY, Browser, Message, PushService, decoded};
use super::{Session, admitted, first_administrator, login};

const CONTACT: &str = "mailto:floor@casino.example";
const PATH: &str = "/v1/session/push";
/// Subscriptions of a person.
const SUBSCRIPTIONS_MAX: usize = 8;

/// A house of two nodes that tell hits, with sam at a browser, and table T1.
struct Told {
    house: House,
    nodes: [TestServer; 2],
    service: PushService,
    root: Session,
    sam: Session,
    dealer: Dealer,
    public_key: String,
}

impl Told {
    async fn open() -> Self {
        let (house, mut dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
        let service = PushService::start().await;
        let key = VapidKey::create().expect("a key");
        let public_key = key.public();
        let nodes = [
            TestServer::start_pushing(&house.database, way(&key, &service)).await,
            TestServer::start_pushing(&house.database, way(&key, &service)).await,
        ];
        first_administrator(&house).await;
        let root = login(&house, "root").await;
        let sam = json!({"name": "sam", "role": "supervisor", "department": "floor"});
        admitted(&root, &sam).await;
        let mut sam = login(&house, "sam").await;
        sam.caller = sam.caller.at(nodes[0].base());
        let dealer = dealers.remove(0);
        Self {
            house,
            nodes,
            service,
            root,
            sam,
            dealer,
            public_key,
        }
    }

    async fn subscribe(&self, browser: &str) -> Answer {
        let body = json!({"endpoint": self.service.endpoint(browser), "p256dh": BROWSER_KEY, "auth": BROWSER_AUTH});
        self.sam.send(Method::PUT, PATH, Some(&body)).await
    }

    async fn subscriptions(&self) -> Vec<Value> {
        let state = self.sam.get(PATH).await.is(200);
        assert_eq!(state["public_key"], self.public_key.as_str());
        state["subscriptions"].as_array().expect("a list").clone()
    }

    /// Plays a round with a hit that waits, and returns its name.
    async fn hit(&self) -> String {
        drop(self.dealer.coin_in(&[1]).await.created());
        let hit = self.dealer.hit_unseen(1, "straight-flush").await;
        let name = hit.created().recorded_hit().text("hit").to_owned();
        let sam = self.house.supervisor("max").await;
        drop(sam.caller.get(&format!("/v1/hits/{name}")).await.is(200));
        name
    }

    async fn end(self) {
        for node in self.nodes {
            Box::pin(node.stop()).await;
        }
        Box::pin(self.house.end()).await;
    }
}

fn way(key: &VapidKey, service: &PushService) -> Arc<dyn PushSender> {
    let host = service.host().parse().expect("a host");
    let client = PushClient::new().expect("a client");
    let subject = CONTACT.parse().expect("a contact");
    let hosts = Hosts::from(vec![host]);
    Arc::new(WebPush::new(key.clone(), subject, hosts, client))
}

fn named(message: &Message) -> String {
    let hit = &Browser::read(message)["hit"];
    hit.as_str().expect("a name").to_owned()
}

/// Checks the signature of a message as its push service does (RFC 8292).
#[track_caller]
fn is_signed(message: &Message, public_key: &str, origin: &str) {
    let header = message.headers["authorization"].to_str().expect("a text");
    let (token, key) = header
        .strip_prefix("vapid t=")
        .and_then(|rest| rest.split_once(", k="))
        .expect("a token and a key");
    assert_eq!(key, public_key);
    let (signed, signature) = token.rsplit_once('.').expect("a signature");
    let by = VerifyingKey::from_sec1_bytes(&decoded(key)).expect("a key");
    let signature = Signature::from_slice(&decoded(signature)).expect("a signature");
    by.verify(signed.as_bytes(), &signature)
        .expect("it is the house's");
    let claims = signed.split_once('.').expect("claims").1;
    let claims: Value = serde_json::from_slice(&decoded(claims)).expect("JSON");
    assert_eq!(
        (&claims["aud"], &claims["sub"]),
        (&json!(origin), &json!(CONTACT))
    );
    assert!(claims["exp"].is_i64(), "{claims}");
}

/// A hit that waits is told once by two nodes, and not again after a restart. The browser alone reads it: no amount, no
/// player.
#[tokio::test]
async fn a_waiting_hit_is_told_once() {
    let mut told = Told::open().await;
    assert_eq!(told.subscriptions().await, Vec::<Value>::new());
    let subscribed = told.subscribe("1").await.is(200);
    assert_eq!(
        subscribed["subscriptions"][0]["subscription"]
            .as_str()
            .map(str::len),
        Some(64)
    );
    let first = told.hit().await;
    let message = told.service.next().await;
    assert_eq!(
        Browser::read(&message),
        json!({"link": "main", "table": "T1", "level": "major", "hit": first.as_str()})
    );
    is_signed(&message, &told.public_key, &told.service.origin());
    let header = |name: &str| message.headers[name].to_str().expect("a text").to_owned();
    assert_eq!(
        [header("content-encoding"), header("urgency")],
        ["aes128gcm", "high"]
    );
    let ttl: u32 = header("ttl").parse().expect("seconds");
    assert!((500..=600).contains(&ttl), "{ttl}");
    let topic = header("topic");
    assert!(
        topic.len() == 32 && !topic.contains(['+', '/', '=']),
        "{topic}"
    );
    let other = SecretKey::from_slice(&[9; 32]).expect("a key");
    assert!(
        Browser::opens(&message, &other).is_none(),
        "only the browser reads it"
    );

    // Another start finds the hit told, and tells the next one.
    let key = VapidKey::create().expect("a key");
    let way = way(&key, &told.service);
    let third = TestServer::start_pushing(&told.house.database, way).await;
    for node in told.nodes {
        Box::pin(node.stop()).await;
    }
    told.nodes = [third, told.house.another_server().await];
    let sam = told.house.supervisor("max").await;
    sam.settles(&first, 1).await;
    drop(told.dealer.close().await.created());
    let second = told.hit().await;
    assert_eq!(named(&told.service.next().await), second);
    told.sam.caller = told.sam.caller.at(told.nodes[0].base());
    told.end().await;
}

/// A push service that asks for a pause gets the message after it. A subscription that it no longer knows is removed, and
/// one that never answers holds no other up.
#[tokio::test]
async fn push_services_that_are_late_or_know_nothing() {
    let mut told = Told::open().await;
    for browser in ["silent", "gone", "busy"] {
        drop(told.subscribe(browser).await.is(200));
    }
    let hit = told.hit().await;
    // Once with 429 and Retry-After, once more after it.
    for _ in 0..2 {
        let message = told.service.next_of("busy").await;
        assert_eq!(named(&message), hit);
    }
    eventually("the subscription that is gone is removed", async || {
        (told.subscriptions().await.len() == 2).then_some(())
    })
    .await;
    told.end().await;
}

/// An endpoint is an address that a browser names: no other host than the listed ones is asked for anything.
#[tokio::test]
async fn what_is_not_subscribed() {
    let told = Told::open().await;
    let endpoint = told.service.endpoint("1");
    let subscription = |endpoint: &str, p256dh: &str, auth: &str| json!({"endpoint": endpoint, "p256dh": p256dh, "auth": auth});
    let long = format!("{endpoint}{}", "x".repeat(2_048));
    for refused in [
        "https://other.example/1",
        "http://127.0.0.1:1/1",
        "https://169.254.169.254/latest/meta-data",
        "https://localhost/1",
        "ftp://push.example/1",
        "",
        &long,
    ] {
        let body = subscription(refused, BROWSER_KEY, BROWSER_AUTH);
        let answer = told.sam.send(Method::PUT, PATH, Some(&body)).await;
        drop(answer.problem(422, "push_endpoint_refused"));
    }
    for (p256dh, auth) in [
        ("", BROWSER_AUTH),
        (BROWSER_KEY, "AAAA"),
        (&BROWSER_KEY[..80], BROWSER_AUTH),
    ] {
        let body = subscription(&endpoint, p256dh, auth);
        let answer = told.sam.send(Method::PUT, PATH, Some(&body)).await;
        drop(answer.problem(400, "invalid_value"));
    }
    let body = subscription(&endpoint, BROWSER_KEY, BROWSER_AUTH);
    let token = told.house.supervisor("max").await;
    drop(
        token
            .caller
            .put(PATH, &body)
            .await
            .problem(409, "no_session"),
    );
    let forged = told
        .sam
        .send_with(Method::PUT, PATH, Some(&body), &[])
        .await;
    drop(forged.problem(403, "csrf_missing"));

    // The house's first server sends no notices.
    let sam = login(&told.house, "sam").await;
    let state = sam.get(PATH).await.is(200);
    assert_eq!(
        (&state["public_key"], &state["subscriptions"]),
        (&Value::Null, &json!([]))
    );
    let answer = sam.send(Method::PUT, PATH, Some(&body)).await;
    drop(answer.problem(409, "push_not_configured"));
    told.end().await;
}

/// A person has eight subscriptions, ends each by itself, and all of them with the access. A browser is of whoever
/// subscribed it last.
#[tokio::test]
async fn subscriptions_are_few_and_of_a_person() {
    let told = Told::open().await;
    for browser in 0..SUBSCRIPTIONS_MAX + 2 {
        drop(told.subscribe(&browser.to_string()).await.is(200));
    }
    let newest = told.subscriptions().await;
    assert_eq!(newest.len(), SUBSCRIPTIONS_MAX);
    let name = newest[0]["subscription"].as_str().expect("a name");
    let path = format!("{PATH}/{name}");
    for _ in 0..2 {
        let left = told.sam.send(Method::DELETE, &path, None).await.is(200);
        assert_eq!(
            left["subscriptions"].as_array().map(Vec::len),
            Some(SUBSCRIPTIONS_MAX - 1)
        );
    }
    let wrong = told
        .sam
        .send(Method::DELETE, &format!("{PATH}/7"), None)
        .await;
    drop(wrong.problem(400, "invalid_name"));

    let lee = json!({"name": "lee", "role": "supervisor", "department": "slots"});
    admitted(&told.root, &lee).await;
    let mut lee = login(&told.house, "lee").await;
    lee.caller = lee.caller.at(told.nodes[1].base());
    let body = json!({"endpoint": told.service.endpoint("5"), "p256dh": BROWSER_KEY, "auth": BROWSER_AUTH});
    drop(lee.send(Method::PUT, PATH, Some(&body)).await.is(200));
    assert_eq!(told.subscriptions().await.len(), SUBSCRIPTIONS_MAX - 2);
    let ended = json!({"reason": "left the house"});
    let end = told
        .root
        .send(Method::PUT, "/v1/people/sam/access-end", Some(&ended));
    drop(end.await.is(200));
    let rows = told
        .house
        .database
        .rows("SELECT FROM push_subscription")
        .await;
    assert_eq!(rows.len(), 1, "Lee's alone is left");
    told.end().await;
}
