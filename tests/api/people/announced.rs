//! An access that may configure is announced before it is granted (CONFORMANCE 34).

use std::time::Duration;

use futures_util::future::join_all;
use meterhouse_engine::access::AnnouncedAccess;
use meterhouse_http::Options;
use meterhouse_tests::{Answer, Caller, House, TestServer, Watch, in_time};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::join;
use tokio::sync::mpsc;

use super::announcer::{Asked, HOST, announcements};
use super::openid::WithProvider;
use super::{PASSWORD, Session, acts_of, admitted, first_administrator, login, try_login};

/// Longer than any test.
const LONG: Duration = Duration::from_hours(1);
/// Announcements that are on their way at once.
const AT_ONCE_MAX: usize = 16;

/// A house with a server that announces, and Max, a manager.
struct Announced {
    house: House,
    /// The server that announces. The house's own one does not.
    server: TestServer,
    root: Session,
    address: mpsc::Receiver<Asked>,
}

impl Announced {
    async fn open(wait_max: Duration) -> Self {
        let house = House::open().await;
        let (announcements, address) = announcements(wait_max);
        let options = Options::default();
        let database = &house.database;
        let server =
            TestServer::start_announcing(database, Watch::Idle, announcements, options).await;
        first_administrator(&house).await;
        let mut root = login(&house, "root").await;
        root.caller = root.caller.at(server.base());
        let max = json!({"name": "max", "role": "manager", "department": "tables"});
        admitted(&root, &max).await;
        Self {
            house,
            server,
            root,
            address,
        }
    }

    fn anonymous(&self) -> Caller {
        self.house.nobody().at(self.server.base())
    }

    async fn make_token(&self, who: &Value) -> Answer {
        self.root.send(Method::POST, "/v1/tokens", Some(who)).await
    }

    /// Returns the newest act of a kind.
    async fn act(&self, word: &str) -> Value {
        let path = format!("/v1/acts?act={word}&limit=1");
        let page = self.root.get(&path).await.is(200);
        page["acts"][0].clone()
    }

    async fn end(self) {
        Box::pin(self.server.stop()).await;
        Box::pin(self.house.end()).await;
    }
}

/// Takes the next announcement.
async fn next(address: &mut mpsc::Receiver<Asked>) -> Asked {
    let asked = in_time("an announcement", address.recv()).await;
    asked.expect("a server")
}

/// Returns the number of sessions of a person.
async fn sessions_of(house: &House, name: &str) -> usize {
    let sql = format!("SELECT FROM session JOIN actor USING (actor_id) WHERE name = '{name}'");
    house.database.rows(&sql).await.len()
}

fn detail(act: &Value, name: &str) -> Value {
    let details = act["details"].as_array().expect("details");
    let found = details.iter().find(|detail| detail["name"] == name);
    found.map_or(Value::Null, |detail| detail["value"].clone())
}

#[track_caller]
fn not_announced(answer: Answer, why: &str) {
    let answer = answer.problem(503, "not_announced");
    assert_eq!(answer.headers["retry-after"], "2");
    assert!(answer.text("detail").contains(why), "{}", answer.text);
    assert_eq!(answer["fields"]["host"], HOST);
}

/// The address has the announcement of a manager's login before there is a session, and the record says that it had.
#[tokio::test]
async fn a_managers_login_waits_for_its_announcement() {
    let mut house = Announced::open(LONG).await;
    let anonymous = house.anonymous();
    let (address, of_house) = (&mut house.address, &house.house);
    let (answer, ()) = join!(try_login(&anonymous, "max", PASSWORD), async {
        let asked = next(address).await;
        let announced = &asked.announcement;
        assert_eq!(announced.access, AnnouncedAccess::Login);
        assert_eq!(announced.name, "max");
        assert_eq!(announced.role.name(), "manager");
        assert_eq!(announced.department.as_deref(), Some("tables"));
        assert_eq!(announced.rights, None);
        assert_eq!(announced.by.as_deref(), Some("max"));
        assert_eq!(announced.proof, "password");
        assert_eq!(announced.address.as_deref(), Some("127.0.0.1"));
        let identity = of_house.server.store.identity_bytes().await;
        assert_eq!(announced.house, identity.expect("an identity"));
        assert_eq!(sessions_of(of_house, "max").await, 0);
        asked.confirm();
    });
    drop(answer.is(201));
    assert_eq!(sessions_of(&house.house, "max").await, 1);
    let act = house.act("login").await;
    assert_eq!(act["name"], "max");
    assert_eq!(detail(&act, "announced"), HOST);
    house.end().await;
}

/// After a refusal and after a closed connection there is no session, and nothing but the record of it.
#[tokio::test]
async fn a_login_that_is_not_announced_is_refused() {
    let mut house = Announced::open(LONG).await;
    let anonymous = house.anonymous();
    for (is_answered, why) in [
        (true, "the address answered 500"),
        (false, "no reply: connection closed"),
    ] {
        let address = &mut house.address;
        let (answer, ()) = join!(try_login(&anonymous, "max", PASSWORD), async {
            let asked = next(address).await;
            if is_answered {
                asked.refuse();
            }
        });
        not_announced(answer, why);
        let act = house.act("not_announced").await;
        assert_eq!(act["name"], "max");
        assert_eq!(act["known"], true);
        assert_eq!(detail(&act, "access"), "login");
        assert_eq!(detail(&act, "host"), HOST);
        assert_eq!(detail(&act, "why"), why);
    }
    assert_eq!(sessions_of(&house.house, "max").await, 0);
    let acts = ["password_set", "not_announced", "not_announced"];
    assert_eq!(acts_of(&house.root, "max").await, acts);
    // It was no wrong attempt: the next login is as good as the first.
    let address = &mut house.address;
    let (answer, ()) = join!(try_login(&anonymous, "max", PASSWORD), async {
        next(address).await.confirm();
    });
    drop(answer.is(201));
    house.end().await;
}

/// An address that never answers is left after the limit.
#[tokio::test]
async fn an_address_that_hangs_is_left_after_the_limit() {
    let mut house = Announced::open(Duration::from_millis(50)).await;
    let answer = try_login(&house.anonymous(), "max", PASSWORD).await;
    not_announced(answer, "there was no answer within 0.05 s");
    next(&mut house.address).await.left().await;
    assert_eq!(sessions_of(&house.house, "max").await, 0);
    house.end().await;
}

/// A caller that leaves while the address thinks has no session, even if the address confirms it.
#[tokio::test]
async fn a_caller_that_leaves_has_no_session() {
    let mut house = Announced::open(LONG).await;
    let anonymous = house.anonymous();
    let asked = tokio::select! {
        answer = try_login(&anonymous, "max", PASSWORD) => panic!("{}", answer.text),
        asked = next(&mut house.address) => asked,
    };
    in_time("the server leaves", asked.left()).await;
    assert_eq!(sessions_of(&house.house, "max").await, 0);
    assert_eq!(acts_of(&house.root, "max").await, ["password_set"]);
    house.end().await;
}

/// Only holders of the right `configure` are announced, and only after their proof was right.
#[tokio::test]
async fn nothing_else_is_announced() {
    let mut house = Announced::open(LONG).await;
    let anonymous = house.anonymous();
    for who in [
        json!({"name": "sam", "role": "supervisor", "department": "floor"}),
        json!({"name": "ron", "role": "manager", "department": "tables", "rights": "run"}),
        json!({"name": "aud", "role": "auditor"}),
    ] {
        admitted(&house.root, &who).await;
        let name = who["name"].as_str().expect("a name");
        drop(try_login(&anonymous, name, PASSWORD).await.is(201));
        drop(house.make_token(&who).await.is(201));
        let act = house.act("token_made").await;
        assert_eq!(act["subject"], name);
        assert_eq!(detail(&act, "announced"), Value::Null);
    }
    let wrong = try_login(&anonymous, "max", "wrong password 1").await;
    drop(wrong.problem(401, "login_failed"));
    assert!(house.address.try_recv().is_err());
    house.end().await;
}

/// A manager's token is announced, with the administrator who makes it. Without it there is neither token nor name.
#[tokio::test]
async fn a_managers_token_is_announced() {
    let mut house = Announced::open(LONG).await;
    let (server, root, address) = (&house.server, &house.root, &mut house.address);
    let eve = json!({"name": "eve", "role": "manager", "rights": "configure,run"});
    let ask = async || root.send(Method::POST, "/v1/tokens", Some(&eve)).await;
    let (refused, ()) = join!(ask(), async { next(address).await.refuse() });
    not_announced(refused, "the address answered 500");
    let listed = root.get("/v1/tokens").await.is(200);
    assert_eq!(listed["tokens"], json!([]));
    let (made, ()) = join!(ask(), async {
        let asked = next(address).await;
        let announced = &asked.announcement;
        assert_eq!(announced.access, AnnouncedAccess::Token);
        assert_eq!(announced.name, "eve");
        assert_eq!(announced.by.as_deref(), Some("root"));
        assert_eq!(announced.proof, "session");
        let rights = announced.rights.as_ref().expect("rights");
        assert_eq!(rights.to_string(), "configure,run");
        asked.confirm();
    });
    let made = made.is(201);
    let caller = house.house.nobody().at(server.base());
    let caller = caller.with_token(made["token"].as_str().expect("a token"));
    drop(caller.get("/v1/session").await.is(200));
    assert_eq!(detail(&house.act("token_made").await, "announced"), HOST);
    let act = house.act("not_announced").await;
    assert_eq!(
        (&act["name"], &act["subject"]),
        (&json!("root"), &json!("eve"))
    );
    assert_eq!(detail(&act, "access"), "token");
    house.end().await;
}

/// Only so many announcements wait for the address. Each further access is refused at once.
#[tokio::test]
async fn few_announcements_wait_at_once() {
    let mut house = Announced::open(LONG).await;
    let (root, address) = (&house.root, &mut house.address);
    let ask = async |number: usize| {
        let who = json!({"name": format!("m{number}"), "role": "manager"});
        root.send(Method::POST, "/v1/tokens", Some(&who)).await
    };
    let all = join_all((0..AT_ONCE_MAX).map(&ask));
    let (made, ()) = join!(all, async {
        let mut waiting = Vec::new();
        while waiting.len() < AT_ONCE_MAX {
            waiting.push(next(address).await);
        }
        not_announced(ask(99).await, "too many announcements wait");
        waiting.into_iter().for_each(Asked::confirm);
    });
    for answer in made {
        drop(answer.is(201));
    }
    house.end().await;
}

/// A login by OpenID Connect is announced as one by password.
#[tokio::test]
async fn a_login_by_openid_is_announced() {
    let mut house = WithProvider::open().await;
    let (announcements, mut address) = announcements(LONG);
    let options = Options {
        openid: Some(house.provider.configured()),
        ..Options::default()
    };
    let database = &house.house.database;
    let server = TestServer::start_announcing(database, Watch::Close, announcements, options).await;
    std::mem::replace(&mut house.server, server).stop().await;
    house.root.caller = house.root.caller.at(house.server.base());
    let (refused, ()) = join!(house.login("s-ana", |_| {}), async {
        let asked = next(&mut address).await;
        assert_eq!(asked.announcement.name, "ana");
        assert_eq!(asked.announcement.proof, "openid");
        assert_eq!(sessions_of(&house.house, "ana").await, 0);
        asked.refuse();
    });
    not_announced(refused, "the address answered 500");
    assert_eq!(sessions_of(&house.house, "ana").await, 0);
    let (answer, ()) = join!(house.login("s-ana", |_| {}), async {
        next(&mut address).await.confirm();
    });
    drop(answer.is(200));
    let page = house.root.get("/v1/acts?act=login&limit=1").await.is(200);
    assert_eq!(detail(&page["acts"][0], "announced"), HOST);
    house.end().await;
}
