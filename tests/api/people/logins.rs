//! Passwords, delays after wrong ones, and the record.

use meterhouse_tests::{FIVE_CARD_C, House};
use reqwest::Method;
use serde_json::json;

use super::{PASSWORD, Session, acts_of, admitted, first_administrator, login, person, try_login};

/// An administrator is admitted once without another, then only by one; the person chooses the password, by a code that
/// is good once.
#[tokio::test]
async fn the_first_administrator_admits_the_others() {
    let house = House::open().await;
    first_administrator(&house).await;
    let access = house.server.engine.access();
    let by = meterhouse_engine::access::By::default();
    let only = meterhouse_engine::access::Only::WithoutAdministrator;
    let second = access
        .new_code(&by, only, person("eve", "administrator", None))
        .await;
    assert!(second.is_err(), "a second one needs the first");
    let root = login(&house, "root").await;
    let asked =
        json!({"name": "sam", "role": "supervisor", "department": "floor", "rights": "validate"});
    let made = root
        .send(Method::POST, "/v1/people", Some(&asked))
        .await
        .is(201);
    let nobody = house.nobody();
    let set = json!({"name": "sam", "code": made["code"], "new": PASSWORD});
    drop(nobody.put("/v1/password", &set).await.is(200));
    // The code is used up, and it was nobody else's.
    drop(
        nobody
            .put("/v1/password", &set)
            .await
            .problem(401, "login_failed"),
    );
    let of_root = json!({"name": "root", "code": made["code"], "new": PASSWORD});
    drop(
        nobody
            .put("/v1/password", &of_root)
            .await
            .problem(401, "login_failed"),
    );
    let listed = root.get("/v1/people").await.is(200);
    let people = listed["people"].as_array().expect("people");
    let names: Vec<_> = people.iter().map(|person| &person["name"]).collect();
    assert_eq!(names, ["root", "sam"]);
    assert!(
        people
            .iter()
            .all(|person| person["password_set_at"].is_string())
    );
    house.end().await;
}

/// A person has the rights of the role by a session, and no others. What is refused is recorded.
#[tokio::test]
async fn a_session_has_the_rights_of_its_person() {
    let house = House::open().await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    let asked =
        json!({"name": "sam", "role": "supervisor", "department": "floor", "rights": "validate"});
    admitted(&root, &asked).await;
    let sam = login(&house, "sam").await;
    let holder = sam.get("/v1/session").await.is(200);
    assert_eq!(holder["name"], "sam");
    assert_eq!(holder["role"], "supervisor");
    assert_eq!(holder["department"], "floor");
    assert_eq!(holder["rights"], json!(["validate"]));
    assert_eq!(holder["credential"], "session");
    // A person has the rights of the role, and no others.
    drop(sam.get("/v1/hits").await.is(200));
    drop(sam.get("/v1/acts").await.problem(403, "forbidden"));
    let eve = json!({"name": "eve", "role": "administrator"});
    let refused = sam.send(Method::POST, "/v1/people", Some(&eve)).await;
    assert_eq!(
        refused.problem(403, "forbidden")["fields"]["right"],
        "admit"
    );
    let other = json!({"name": "sam", "role": "manager"});
    let refused = root.send(Method::POST, "/v1/people", Some(&other)).await;
    drop(refused.problem(409, "request_reused"));
    assert_eq!(
        acts_of(&root, "sam").await,
        ["password_set", "login", "refused", "refused"]
    );
    assert_eq!(
        acts_of(&root, "root").await,
        ["password_set", "login", "code_made", "request"],
        "a refused admission is a request"
    );
    house.end().await;
}

/// A weak password is refused before anything else, and the old one proves who changes it.
#[tokio::test]
async fn a_password_is_changed_by_the_old_one() {
    let house = House::open().await;
    first_administrator(&house).await;
    let nobody = house.nobody();
    for weak in ["short", "aaaaaaaaaaaaaaaaaaa", "the root of all passwords"] {
        let set = json!({"name": "root", "old": PASSWORD, "new": weak});
        drop(
            nobody
                .put("/v1/password", &set)
                .await
                .problem(400, "weak_password"),
        );
    }
    let both =
        json!({"name": "root", "old": PASSWORD, "code": "x", "new": "another horse battery"});
    drop(
        nobody
            .put("/v1/password", &both)
            .await
            .problem(400, "invalid_value"),
    );
    let neither = json!({"name": "root", "new": "another horse battery"});
    drop(
        nobody
            .put("/v1/password", &neither)
            .await
            .problem(400, "invalid_value"),
    );
    let before = login(&house, "root").await;
    let wrong =
        json!({"name": "root", "old": "not the old one at all", "new": "another horse battery"});
    drop(
        nobody
            .put("/v1/password", &wrong)
            .await
            .problem(401, "login_failed"),
    );
    drop(before.get("/v1/session").await.is(200));
    let right = json!({"name": "root", "old": PASSWORD, "new": "another horse battery"});
    drop(nobody.put("/v1/password", &right).await.is(200));
    drop(
        before
            .get("/v1/session")
            .await
            .problem(401, "unauthenticated"),
    );
    drop(
        try_login(&nobody, "root", PASSWORD)
            .await
            .problem(401, "login_failed"),
    );
    drop(
        try_login(&nobody, "root", "another horse battery")
            .await
            .is(201),
    );
    house.end().await;
}

/// Five wrong attempts are free; then the name waits, on every node, whether somebody has it or not. An administrator
/// ends the delay.
#[tokio::test]
async fn wrong_logins_are_delayed() {
    let house = House::open().await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    admitted(&root, &json!({"name": "sam", "role": "auditor"})).await;
    let second = house.another_server().await;
    let nobody = house.nobody();
    let elsewhere = nobody.at(second.base());
    for name in [
        "sam",
        "nobody-has-this",
        "",
        "x'; DROP TABLE actor; --",
        "<b>",
    ] {
        for attempt in 0..5 {
            let at = if attempt % 2 == 0 {
                &nobody
            } else {
                &elsewhere
            };
            let refused = try_login(at, name, "wrong password 1").await;
            drop(refused.problem(401, "login_failed"));
        }
        // However long this test takes: the last failure lies ahead, so that the whole delay is left.
        let sql = "UPDATE login_failure SET failed_at = failed_at + 3600000000 WHERE failures = 5";
        assert!(house.database.tamper(sql).await > 0);
        // The right password makes no difference now.
        let delayed = try_login(&elsewhere, name, PASSWORD).await;
        let delayed = delayed.problem(429, "login_delayed");
        assert_eq!(delayed.headers["retry-after"], "1", "{name}");
    }
    let path = "/v1/people/sam/login-delay";
    let ended = root.send(Method::DELETE, path, None).await.is(200);
    assert_eq!(ended["ended"], true);
    drop(try_login(&nobody, "sam", PASSWORD).await.is(201));
    let again = root.send(Method::DELETE, path, None).await.is(200);
    assert_eq!(
        again["ended"], false,
        "a right login forgets the wrong ones"
    );
    let unknown = root
        .send(
            Method::DELETE,
            "/v1/people/nobody-has-this/login-delay",
            None,
        )
        .await;
    drop(unknown.problem(404, "unknown_person"));
    let failed = root.get("/v1/acts?act=login_failed").await.is(200);
    let failed = failed["acts"].as_array().expect("acts").clone();
    assert_eq!(failed.len(), 25);
    assert!(failed.iter().all(|act| act["address"] == "127.0.0.1"));
    let known = failed.iter().filter(|act| act["known"] == true);
    assert_eq!(known.count(), 5, "the server knows sam only");
    let unknown = root.get("/v1/acts?act=logged_in").await;
    let unknown = unknown.problem(400, "invalid_parameter");
    assert_eq!(unknown["fields"]["act"], "logged_in");
    let words = unknown.text("detail");
    assert!(
        words.starts_with("act: one of login, logout, login_failed, "),
        "{words}"
    );
    second.stop().await;
    house.end().await;
}

/// Wrong logins at the same time, on two nodes, wait as if they came one after another.
#[tokio::test]
async fn wrong_logins_at_once_are_delayed() {
    let house = House::open().await;
    first_administrator(&house).await;
    let second = house.another_server().await;
    let nobody = house.nobody();
    let elsewhere = nobody.at(second.base());
    let attempts = (0..60).map(|attempt| {
        let at = if attempt % 2 == 0 {
            &nobody
        } else {
            &elsewhere
        };
        try_login(at, "root", "wrong password 1")
    });
    let answers = futures_util::future::join_all(attempts).await;
    let checked = answers.iter().filter(|answer| answer.status == 401);
    // Five are free, and four more would take 1 + 2 + 4 + 8 seconds.
    let checked = checked.count();
    assert!((1..9).contains(&checked), "{checked} were checked");
    for answer in answers {
        if answer.status != 401 {
            drop(answer.problem(429, "login_delayed"));
        }
    }
    second.stop().await;
    house.end().await;
}

/// A manager suspends a link, tries another one, and two others try what they may not.
async fn four_requests(house: &House, root: &Session) {
    admitted(
        root,
        &json!({"name": "max", "role": "manager", "department": "tables"}),
    )
    .await;
    let max = login(house, "max").await;
    let reason = json!({"reason": "shift change"});
    let path = "/v1/links/main/suspension";
    drop(max.send(Method::PUT, path, Some(&reason)).await.is(201));
    drop(
        max.send(Method::PUT, "/v1/links/none/suspension", Some(&reason))
            .await
            .problem(404, "unknown_link"),
    );
    drop(
        root.send(Method::PUT, path, Some(&reason))
            .await
            .problem(403, "forbidden"),
    );
    drop(
        house
            .nobody()
            .with_token("0".repeat(64))
            .delete(path)
            .await
            .problem(401, "unauthenticated"),
    );
}

/// What a person does over the API is recorded with its outcome, from where, and verified.
#[tokio::test]
async fn what_people_do_is_recorded() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    four_requests(&house, &root).await;
    let page = root.get("/v1/acts?limit=4").await.is(200);
    let acts = page["acts"].as_array().expect("acts");
    let rows: Vec<_> = acts
        .iter()
        .map(|act| {
            json!([
                act["act"],
                act["name"],
                act["proof"],
                act["subject"],
                act["details"][0]["value"]
            ])
        })
        .collect();
    assert_eq!(
        rows,
        [
            json!([
                "refused",
                null,
                "",
                "DELETE /v1/links/main/suspension",
                "401"
            ]),
            json!([
                "refused",
                "root",
                "session",
                "PUT /v1/links/main/suspension",
                "403"
            ]),
            json!([
                "request",
                "max",
                "session",
                "PUT /v1/links/none/suspension",
                "404"
            ]),
            json!([
                "request",
                "max",
                "session",
                "PUT /v1/links/main/suspension",
                "201"
            ]),
        ]
    );
    assert!(acts.iter().all(|act| act["address"] == "127.0.0.1"));
    house.server.stop().await;
}

/// The record is read in pages, newest first, and by time.
#[tokio::test]
async fn the_record_is_read_in_pages() {
    let house = House::open().await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    for name in ["a1", "a2", "a3"] {
        admitted(&root, &json!({"name": name, "role": "auditor"})).await;
    }
    let page = root.get("/v1/acts?limit=4").await.is(200);
    let acts = page["acts"].as_array().expect("acts");
    assert_eq!(page["more"], true);
    let next = page["next"].as_str().expect("a page");
    let older = root
        .get(&format!("/v1/acts?limit=1&after={next}"))
        .await
        .is(200);
    assert_eq!(older["acts"][0]["subject"], "a1");
    let (from, to) = (&acts[3]["at"], &acts[0]["at"]);
    let within = format!(
        "/v1/acts?from={}&to={}",
        from.as_str().expect("a time"),
        to.as_str().expect("a time")
    );
    let within = root.get(&within).await.is(200);
    assert_eq!(
        within["acts"].as_array().map(Vec::len),
        Some(3),
        "to is not in it"
    );
    house.server.stop().await;
}
