//! People: the first administrator, passwords, sessions, second factors, and the record of what they did.

mod announced;
mod announcer;
pub(crate) mod ended;
mod floor_feed;
mod logins;
mod openid;
mod openid_hostile;
mod openid_unavailable;
mod provider;
mod push;
mod push_service;
mod second_factors;
mod sessions;
mod signatures;
mod vouchers;

use meterhouse_engine::access::{By, Only};
use meterhouse_store::NewActor;
use meterhouse_tests::{Answer, Caller, House};
use reqwest::Method;
use serde_json::{Value, json};

/// Password of everybody in these tests.
const PASSWORD: &str = "correct horse battery";
/// Header with the token against forged requests.
const CSRF: &str = "meterhouse-csrf";

/// Somebody who is logged in.
struct Session {
    caller: Caller,
    cookie: String,
    csrf: String,
}

impl Session {
    async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        self.send_with(method, path, body, &[(CSRF, &self.csrf)])
            .await
    }

    async fn get(&self, path: &str) -> Answer {
        self.send_with(Method::GET, path, None, &[]).await
    }

    async fn send_with(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let mut all = vec![("cookie", self.cookie.as_str())];
        all.extend(headers);
        let mut bytes = Vec::new();
        if let Some(body) = body {
            all.push(("content-type", "application/json"));
            bytes = body.to_string().into_bytes();
        }
        self.caller.send(method, path, &all, bytes).await
    }
}

/// The first administrator of a house, admitted as on the command line, with a password.
async fn first_administrator(house: &House) {
    let who = person("root", "administrator", None);
    let by = By {
        proof: "command line",
        ..By::default()
    };
    let access = house.server.engine.access();
    let made = access.new_code(&by, Only::WithoutAdministrator, who).await;
    let code = made.expect("there is no administrator yet").code;
    let set = json!({"name": "root", "code": code, "new": PASSWORD});
    let set = house.nobody().put("/v1/password", &set).await.is(200);
    assert_eq!(set["changed"], true);
}

fn person(name: &str, role: &str, department: Option<&str>) -> NewActor {
    NewActor {
        name: name.to_owned(),
        role: role.to_owned(),
        table_name: None,
        link_name: None,
        department: department.map(str::to_owned),
        rights: None,
    }
}

/// An administrator admits somebody, who sets a password.
async fn admitted(root: &Session, asked: &Value) {
    let made = root.send(Method::POST, "/v1/people", Some(asked)).await;
    let made = made.is(201);
    let set = json!({"name": asked["name"], "code": made["code"], "new": PASSWORD});
    drop(root.caller.put("/v1/password", &set).await.is(200));
}

async fn try_login(caller: &Caller, name: &str, password: &str) -> Answer {
    let asked = json!({"name": name, "password": password});
    caller.post("/v1/login", &asked).await
}

/// Logs in with the password of everybody.
async fn login(house: &House, name: &str) -> Session {
    let nobody = house.nobody();
    let answer = try_login(&nobody, name, PASSWORD).await.is(201);
    session(nobody, &answer)
}

fn session(caller: Caller, answer: &Answer) -> Session {
    let set = answer.headers["set-cookie"].to_str().expect("a text");
    let (cookie, attributes) = set.split_once("; ").expect("attributes");
    assert_eq!(
        attributes,
        "Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict"
    );
    Session {
        caller,
        cookie: cookie.to_owned(),
        csrf: answer["csrf"].as_str().expect("a text").to_owned(),
    }
}

/// Words of the acts about a name, oldest first.
async fn acts_of(root: &Session, name: &str) -> Vec<String> {
    let page = root.get(&format!("/v1/acts?name={name}")).await.is(200);
    let acts = page["acts"].as_array().expect("acts");
    let word = |act: &Value| act["act"].as_str().expect("a word").to_owned();
    acts.iter().rev().map(word).collect()
}
