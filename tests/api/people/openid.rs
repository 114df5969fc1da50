//! Logins by OpenID Connect: the way there and back, and who may come in.

use meterhouse_engine::verify::verify_house;
use meterhouse_http::Options;
use meterhouse_tests::{Answer, Caller, House, TestServer, Watch};
use reqwest::Method;
use serde_json::{Value, json};

use super::provider::{Login, Provider};
use super::{CSRF, PASSWORD, Session, admitted, first_administrator, login, try_login};

/// A house whose key vouches, with a provider, an administrator, and Ana, who logs in as `s-ana`.
pub(super) struct WithProvider {
    pub(super) house: House,
    pub(super) provider: Provider,
    /// A server that knows the provider.
    pub(super) server: TestServer,
    pub(super) root: Session,
}

/// A login that was begun: what the browser was sent.
pub(super) struct Begun {
    pub(super) location: String,
    pub(super) cookie: String,
}

impl WithProvider {
    pub(super) async fn open() -> Self {
        let house = House::watching(Watch::Close).await;
        let provider = Provider::start().await;
        let server = server(&house, &provider).await;
        first_administrator(&house).await;
        let mut root = login(&house, "root").await;
        root.caller = root.caller.at(server.base());
        let opened = Self {
            house,
            provider,
            server,
            root,
        };
        let ana = json!({"name": "ana", "role": "manager", "department": "tables", "openid_subject": "s-ana"});
        let made = opened
            .root
            .send(Method::POST, "/v1/people", Some(&ana))
            .await
            .is(201);
        assert_eq!(
            made.body,
            json!({"name": "ana", "code": null, "expires_at": null})
        );
        opened
    }

    /// A browser at the server with the provider.
    pub(super) fn browser(&self) -> Caller {
        self.house.nobody().at(self.server.base())
    }

    /// Begins a login.
    pub(super) async fn begin(&self, query: &str) -> Begun {
        let answer = self
            .browser()
            .get(&format!("/v1/login/openid{query}"))
            .await
            .is(303);
        let set = answer.headers["set-cookie"].to_str().expect("a text");
        let (cookie, attributes) = set.split_once("; ").expect("attributes");
        assert!(cookie.starts_with("__Host-meterhouse-openid="), "{cookie}");
        assert_eq!(
            attributes,
            "Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax"
        );
        Begun {
            location: answer.headers["location"]
                .to_str()
                .expect("a text")
                .to_owned(),
            cookie: cookie.to_owned(),
        }
    }

    /// Goes back to the house with a cookie.
    pub(super) async fn go_back(&self, query: &str, cookie: &str) -> Answer {
        let path = format!("/v1/login/openid/callback?{query}");
        let cookie = [("cookie", cookie)];
        self.browser()
            .send(Method::GET, &path, &cookie, Vec::new())
            .await
    }

    /// Logs a subject in, whose login the provider changes.
    pub(super) async fn login(&self, subject: &str, change: impl FnOnce(&mut Login)) -> Answer {
        let begun = self.begin("").await;
        let query = self.provider.authorize(&begun.location, subject, change);
        self.go_back(&query, &begun.cookie).await
    }

    /// Acts of failed logins, newest first: their details by name.
    pub(super) async fn failures(&self) -> Vec<Value> {
        let page = self.root.get("/v1/acts?act=login_failed").await.is(200);
        page["acts"].as_array().expect("acts").clone()
    }

    /// Asserts that a subject does not come in.
    async fn keeps_out(&self, subject: &str) {
        let answer = self.login(subject, |_| {}).await;
        drop(answer.problem(403, "openid_not_admitted"));
    }

    /// Logs a subject in.
    async fn session_of(&self, subject: &str) -> Session {
        let answer = self.login(subject, |_| {}).await.is(200);
        session(self.browser(), &answer).await
    }

    /// Admits a person.
    async fn admit(&self, person: &Value) -> Answer {
        self.root
            .send(Method::POST, "/v1/people", Some(person))
            .await
    }

    /// Returns what `verify` finds in the house's chain.
    async fn findings(&self) -> Vec<String> {
        let report = verify_house(&self.house.server.store).await;
        report.expect("the chain can be read").findings
    }

    /// Asserts that `verify` finds nothing.
    async fn is_sound(&self) {
        assert_eq!(self.findings().await, Vec::<String>::new());
    }

    pub(super) async fn end(self) {
        self.server.stop().await;
        self.house.server.stop().await;
    }
}

/// Starts a server of a house that knows a provider.
pub(super) async fn server(house: &House, provider: &Provider) -> TestServer {
    let options = Options {
        openid: Some(provider.configured()),
        ..Options::default()
    };
    TestServer::start_with(&house.database, Watch::Close, options).await
}

/// Returns the session of an answer that logged somebody in, and asserts that the login's cookie ended.
async fn session(browser: Caller, answer: &Answer) -> Session {
    let set: Vec<&str> = answer
        .headers
        .get_all("set-cookie")
        .iter()
        .map(|set| set.to_str().expect("a text"))
        .collect();
    let [session, ended] = set[..] else {
        panic!("{set:?}");
    };
    assert_eq!(
        ended,
        "__Host-meterhouse-openid=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax"
    );
    let (cookie, attributes) = session.split_once("; ").expect("attributes");
    assert_eq!(
        attributes,
        "Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict"
    );
    let headers = [("cookie", cookie)];
    let holder = browser
        .send(Method::GET, "/v1/session", &headers, Vec::new())
        .await
        .is(200);
    assert_eq!(holder["credential"], "session");
    Session {
        csrf: holder["csrf"].as_str().expect("a text").to_owned(),
        caller: browser,
        cookie: cookie.to_owned(),
    }
}

/// A person logs in at the provider, goes on to the path that was asked for, and has a session like any other.
#[tokio::test]
async fn a_person_logs_in_by_the_provider() {
    let house = WithProvider::open().await;
    let begun = house.begin("?next=/manual%3Fgame=a%26b=c").await;
    let query = house.provider.authorize(&begun.location, "s-ana", |_| {});
    // Parameters that the house does not know are the provider's business.
    let query = format!("{query}&session_state=1");
    let answer = house.go_back(&query, &begun.cookie).await.is(200);
    assert_eq!(answer.headers["content-type"], "text/html; charset=utf-8");
    assert_eq!(
        answer.headers["content-security-policy"],
        "default-src 'none'; frame-ancestors 'none'"
    );
    assert_eq!(answer.headers["referrer-policy"], "no-referrer");
    assert_eq!(answer.headers["cache-control"], "no-store");
    assert!(
        answer
            .text
            .contains("content=\"0;url=/manual?game=a&amp;b=c\""),
        "{}",
        answer.text
    );
    let ana = session(house.browser(), &answer).await;
    let holder = ana.get("/v1/session").await.is(200);
    assert_eq!(
        (&holder["name"], &holder["role"]),
        (&json!("ana"), &json!("manager"))
    );
    let reason = json!({"reason": "none"});
    let forged = ana
        .send_with(
            Method::PUT,
            "/v1/links/main/suspension",
            Some(&reason),
            &[(CSRF, "x")],
        )
        .await;
    drop(forged.problem(403, "csrf_missing"));
    drop(ana.send(Method::DELETE, "/v1/session", None).await.is(200));
    let acts = house.root.get("/v1/acts?name=ana").await.is(200);
    let acts = acts["acts"].as_array().expect("acts");
    let words: Vec<_> = acts
        .iter()
        .map(|act| (&act["act"], &act["proof"]))
        .collect();
    assert!(
        words.contains(&(&json!("login"), &json!("openid"))),
        "{words:?}"
    );
    house.is_sound().await;
    house.end().await;
}

/// A login begins one session, on one node, even if the provider takes its code twice.
#[tokio::test]
async fn a_login_is_good_once() {
    let house = WithProvider::open().await;
    house.provider.forget_nothing();
    let begun = house.begin("").await;
    let query = house.provider.authorize(&begun.location, "s-ana", |_| {});
    drop(house.go_back(&query, &begun.cookie).await.is(200));
    let again = house.go_back(&query, &begun.cookie).await;
    drop(again.problem(403, "openid_not_begun"));
    let second = server(&house.house, &house.provider).await;
    let path = format!("/v1/login/openid/callback?{query}");
    let cookie = [("cookie", begun.cookie.as_str())];
    let elsewhere = house.house.nobody().at(second.base());
    let again = elsewhere
        .send(Method::GET, &path, &cookie, Vec::new())
        .await;
    drop(again.problem(403, "openid_not_begun"));
    // Another login that was begun here is finished there.
    let begun = house.begin("").await;
    let query = house.provider.authorize(&begun.location, "s-ana", |_| {});
    let path = format!("/v1/login/openid/callback?{query}");
    let cookie = [("cookie", begun.cookie.as_str())];
    drop(
        elsewhere
            .send(Method::GET, &path, &cookie, Vec::new())
            .await
            .is(200),
    );
    second.stop().await;
    house.end().await;
}

/// Only a subject that an administrator gave to a person comes in, and to one person only.
#[tokio::test]
async fn a_subject_is_one_persons() {
    let house = WithProvider::open().await;
    house.keeps_out("s-eve").await;
    house.keeps_out("s-\u{0}").await;
    for wrong in ["", "ä", &"a".repeat(256)] {
        let sam = json!({"name": "sam", "role": "auditor", "openid_subject": wrong});
        drop(house.admit(&sam).await.problem(400, "invalid_value"));
    }
    let sam = json!({"name": "sam", "role": "auditor", "openid_subject": "s-ana"});
    let taken = house.admit(&sam).await;
    assert_eq!(taken.problem(409, "openid_taken")["fields"]["name"], "ana");
    // Ana may have a password as well, and a new subject ends her sessions.
    let mut ana = json!({"name": "ana", "role": "manager", "department": "tables"});
    admitted(&house.root, &ana).await;
    drop(try_login(&house.browser(), "ana", PASSWORD).await.is(201));
    let before = house.session_of("s-ana").await;
    ana["openid_subject"] = json!("s-new");
    drop(house.admit(&ana).await.is(201));
    let ended = before.get("/v1/session").await;
    drop(ended.problem(401, "unauthenticated"));
    house.keeps_out("s-ana").await;
    let listed = house.root.get("/v1/people").await.is(200);
    let expected = json!({"issuer": house.provider.issuer, "subject": "s-new"});
    assert_eq!(listed["people"][0]["openid"], expected);
    // What Ana gave up is free for Sam.
    drop(house.admit(&sam).await.is(201));
    let came = house.session_of("s-ana").await;
    assert_eq!(came.get("/v1/session").await.is(200)["name"], "sam");
    house.is_sound().await;
    house.end().await;
}

/// A person whose access or subject was ended stays out, and the record says why.
#[tokio::test]
async fn who_was_ended_stays_out() {
    let house = WithProvider::open().await;
    let (root, end) = (&house.root, json!({"reason": "left the house"}));
    let path = "/v1/people/ana/access-end";
    drop(root.send(Method::PUT, path, Some(&end)).await.is(200));
    house.keeps_out("s-ana").await;
    drop(root.send(Method::DELETE, path, None).await.is(200));
    let ana = house.session_of("s-ana").await;
    let path = "/v1/people/ana/openid";
    let removed = root.send(Method::DELETE, path, None).await.is(200);
    assert_eq!(removed.body, json!({"name": "ana", "set": false}));
    let ended = ana.get("/v1/session").await;
    drop(ended.problem(401, "unauthenticated"));
    house.keeps_out("s-ana").await;
    let why = |act: &Value| {
        let details = act["details"].as_array().expect("facts");
        let why = details.iter().find(|detail| detail["name"] == "why");
        json!([act["name"], act["known"], why.expect("a reason")["value"]])
    };
    let why: Vec<Value> = house.failures().await.iter().map(why).collect();
    let expected = [
        json!([null, false, "unknown subject"]),
        json!(["ana", true, "the access was ended"]),
    ];
    assert_eq!(why, expected);
    house.is_sound().await;
    house.end().await;
}

/// A row that the database's owner inserts lets nobody in, neither a new subject nor Ana's for another person, and
/// `verify` names it.
#[tokio::test]
async fn a_subject_of_the_databases_owner_lets_nobody_in() {
    let house = WithProvider::open().await;
    let forged = [
        "INSERT INTO openid_subject (actor_id, set_at, issuer, subject, voucher)
         SELECT (SELECT actor_id FROM actor WHERE name = 'root'), set_at, issuer, 's-eve', voucher FROM openid_subject",
        "INSERT INTO openid_subject (actor_id, set_at, issuer, subject, voucher)
         SELECT (SELECT actor_id FROM actor WHERE name = 'root'), set_at + 1, issuer, 's-ana', voucher
         FROM openid_subject WHERE subject = 's-ana'",
    ];
    assert_eq!(house.house.database.tamper(forged[0]).await, 1);
    house.keeps_out("s-eve").await;
    assert_eq!(house.house.database.tamper(forged[1]).await, 1);
    let ana = house.session_of("s-ana").await;
    assert_eq!(ana.get("/v1/session").await.is(200)["name"], "ana");
    let findings = house.findings().await;
    let found = findings.join("\n");
    assert!(found.contains("openid_subject: one of actor"), "{found}");
    assert_eq!(findings.len(), 2, "{found}");
    house.end().await;
}

/// Without a provider the operations say so.
#[tokio::test]
async fn a_house_without_a_provider_says_so() {
    let house = House::open().await;
    let nobody = house.nobody();
    for path in [
        "/v1/login/openid",
        "/v1/login/openid/callback?code=a&state=b",
    ] {
        drop(nobody.get(path).await.problem(409, "openid_not_configured"));
    }
    let root = house.person("root", "administrator").await;
    let ana = json!({"name": "ana", "role": "auditor", "openid_subject": "s-ana"}).to_string();
    let headers = [("content-type", "application/json")];
    let refused = root
        .send(Method::POST, "/v1/people", &headers, ana.into_bytes())
        .await;
    drop(refused.problem(409, "openid_not_configured"));
    house.end().await;
}
