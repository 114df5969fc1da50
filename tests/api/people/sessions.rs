//! Sessions: forged requests, fixed cookies, the ends of a session.

use std::time::Instant;

use futures_util::future::join_all;
use meterhouse_tests::{FIVE_CARD_C, House, eventually};
use reqwest::Method;
use serde_json::json;
use sqlx::Row as _;

use super::{CSRF, PASSWORD, admitted, first_administrator, login, session};

/// Unknown sessions that come together to one node.
const FLOOD: usize = 64;
/// Connections with unknown sessions, and their requests.
const ASKERS: usize = 16;
const ASKED: usize = 200;
/// Unknown sessions that a node looks up in a second, as `docs/LIMITS.md` has it.
const LOOKED_UP_PER_SECOND: i64 = 256;
/// Other scans of the table of sessions in a second.
const OTHER_SCANS: i64 = 20;

/// A write with the cookie alone, as another site would cause it, is refused and recorded; a read is not.
#[tokio::test]
async fn a_forged_request_is_refused() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    admitted(&root, &json!({"name": "max", "role": "manager"})).await;
    let max = login(&house, "max").await;
    let reason = json!({"reason": "shift change"});
    let path = "/v1/links/main/suspension";
    let long = "0".repeat(64);
    for forged in [
        &[][..],
        &[(CSRF, "")],
        &[(CSRF, &*long)],
        &[(CSRF, &*root.csrf)],
    ] {
        let refused = max
            .send_with(Method::PUT, path, Some(&reason), forged)
            .await;
        drop(refused.problem(403, "csrf_missing"));
    }
    let link = house.nobody().get("/v1/links/main").await.is(200);
    assert_eq!(link["state"], "open");
    drop(max.get("/v1/links/main/journal").await.is(200));
    let refused = root.get("/v1/acts?act=refused&name=max").await.is(200);
    assert_eq!(refused["acts"].as_array().map(Vec::len), Some(4));
    drop(max.send(Method::PUT, path, Some(&reason)).await.is(201));
    house.server.stop().await;
}

/// A cookie that somebody planted before the login is not the session's after it.
#[tokio::test]
async fn a_planted_cookie_is_worth_nothing() {
    let house = House::open().await;
    first_administrator(&house).await;
    let planted = format!("__Host-meterhouse-session={}", "a".repeat(64));
    let asked = json!({"name": "root", "password": PASSWORD});
    let headers = [
        ("cookie", planted.as_str()),
        ("content-type", "application/json"),
    ];
    let nobody = house.nobody();
    let body = asked.to_string().into_bytes();
    let answer = nobody
        .send(Method::POST, "/v1/login", &headers, body)
        .await
        .is(201);
    let root = session(house.nobody(), &answer);
    assert_ne!(root.cookie, planted);
    let by_planted = nobody
        .send(Method::GET, "/v1/session", &headers[..1], Vec::new())
        .await;
    drop(by_planted.problem(401, "unauthenticated"));
    house.end().await;
}

/// While unknown cookies come to both nodes, a session just begun is good on both, and they stay unknown.
#[tokio::test]
async fn a_new_session_is_good_among_unknown_ones() {
    let house = House::open().await;
    let second = house.another_server().await;
    first_administrator(&house).await;
    let bases = [house.server.base(), second.base()];
    let ask = async |base: &String, cookie: String| {
        let caller = house.nobody().at(base.clone());
        let cookie = [("cookie", cookie.as_str())];
        let answer = caller.send(Method::GET, "/v1/session", &cookie, Vec::new());
        answer.await.status
    };
    let flood = async |round: usize| {
        let asked = bases.iter().flat_map(|base| {
            let cookie = move |number| format!("__Host-meterhouse-session={round:032}{number:032}");
            (0..FLOOD).map(move |number: usize| ask(base, cookie(number)))
        });
        assert_eq!(join_all(asked).await, [401; 2 * FLOOD]);
    };
    for round in 0..5 {
        flood(round).await;
        let root = login(&house, "root").await;
        for base in &bases {
            let good = eventually("the session is good", async || {
                flood(round).await;
                (ask(base, root.cookie.clone()).await == 200).then_some(())
            });
            good.await;
        }
    }
    second.stop().await;
    house.end().await;
}

/// Unknown cookies cost the database a limited number of lookups a second, however many come.
///
/// The scans of the table are counted by Postgres, and are complete once the node's connections have ended. A round in
/// which the requests came too slowly to exceed the limit proves nothing, and another one follows.
#[tokio::test]
async fn unknown_sessions_are_looked_up_within_a_limit() {
    let house = House::open().await;
    first_administrator(&house).await;
    drop(login(&house, "root").await);
    let scans = async || {
        let sql = "SELECT (seq_scan + coalesce(idx_scan, 0))::bigint FROM pg_stat_user_tables \
                   WHERE relname = 'session'";
        let row = house.database.rows(sql).await.swap_remove(0);
        row.get::<i64, _>(0)
    };
    let proven = eventually("more came than are looked up", async || {
        let node = house.another_server().await;
        let before = scans().await;
        let began = Instant::now();
        let asking = (0..ASKERS).map(async |asker| {
            let caller = house.nobody().at(node.base());
            for number in 0..ASKED {
                let cookie = format!("__Host-meterhouse-session={asker:032}{number:032}");
                let cookie = [("cookie", cookie.as_str())];
                let answer = caller.send(Method::GET, "/v1/session", &cookie, Vec::new());
                assert_eq!(answer.await.status, 401);
            }
        });
        drop(join_all(asking).await);
        let seconds = i64::try_from(began.elapsed().as_secs()).expect("a few") + 1;
        node.stop().await;
        // Those of the first moment, of each second, and other scans: of copies, and of the other node.
        let allowed = LOOKED_UP_PER_SECOND * (1 + seconds) + OTHER_SCANS * seconds;
        let looked_up = scans().await - before;
        assert!(looked_up <= allowed, "{looked_up} in {seconds} s");
        let asked = i64::try_from(ASKERS * ASKED).expect("a number");
        (asked > allowed && looked_up > 0).then_some(())
    });
    proven.await;
    house.end().await;
}

/// A session ends by a logout, after a pause, at its latest end, and with all others of its person.
#[tokio::test]
async fn a_session_ends() {
    let house = House::open().await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    let gone = async |session: &super::Session| {
        // Another node asks the database.
        let second = house.another_server().await;
        let caller = session.caller.at(second.base());
        let cookie = [("cookie", session.cookie.as_str())];
        let answer = caller
            .send(Method::GET, "/v1/session", &cookie, Vec::new())
            .await;
        second.stop().await;
        answer.status == 401
    };
    let out = login(&house, "root").await;
    assert!(!gone(&out).await);
    let ended = out.send(Method::DELETE, "/v1/session", None).await.is(200);
    assert!(
        ended.headers["set-cookie"]
            .to_str()
            .is_ok_and(|set| set.contains("Max-Age=0"))
    );
    drop(out.get("/v1/session").await.problem(401, "unauthenticated"));
    let idle = login(&house, "root").await;
    let sql = "UPDATE session SET seen_at = seen_at - 900000001 WHERE created_at = (SELECT max(created_at) FROM session)";
    assert_eq!(house.database.tamper(sql).await, 1);
    assert!(gone(&idle).await, "after a pause of 15 minutes");
    let first = login(&house, "root").await;
    let second = login(&house, "root").await;
    let all = second
        .send(Method::DELETE, "/v1/session?all=true", None)
        .await
        .is(200);
    // Both of these, the one that paused, and root's own.
    assert_eq!(all["ended"], 4);
    for session in [&root, &first, &second] {
        drop(
            session
                .get("/v1/session")
                .await
                .problem(401, "unauthenticated"),
        );
    }
    house.end().await;
}

/// A token has no session, and the end of somebody's access ends sessions and tokens alike.
#[tokio::test]
async fn the_end_of_access_ends_everything() {
    let house = House::open().await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    admitted(&root, &json!({"name": "max", "role": "manager"})).await;
    let max = login(&house, "max").await;
    let asked = json!({"name": "max", "role": "manager"});
    let token = root
        .send(Method::POST, "/v1/tokens", Some(&asked))
        .await
        .is(201);
    let program = house
        .nobody()
        .with_token(token["token"].as_str().expect("a text"));
    drop(
        program
            .delete("/v1/session")
            .await
            .problem(409, "no_session"),
    );
    let holder = program.get("/v1/session").await.is(200);
    assert_eq!(
        (&holder["credential"], &holder["csrf"]),
        (&json!("token"), &json!(null))
    );
    let reason = json!({"reason": "left the house"});
    let path = "/v1/people/max/access-end";
    let ended = root.send(Method::PUT, path, Some(&reason)).await.is(200);
    assert_eq!(ended["access_ended"], true);
    drop(max.get("/v1/session").await.problem(401, "unauthenticated"));
    let second = house.another_server().await;
    let elsewhere = program.at(second.base());
    drop(
        elsewhere
            .get("/v1/session")
            .await
            .problem(401, "unauthenticated"),
    );
    let nobody = house.nobody();
    let login_of_max = json!({"name": "max", "password": PASSWORD});
    drop(
        nobody
            .post("/v1/login", &login_of_max)
            .await
            .problem(401, "login_failed"),
    );
    // What was made meanwhile would be good after the access is restored.
    for path in ["/v1/people", "/v1/tokens"] {
        let told = root.send(Method::POST, path, Some(&asked)).await;
        let told = told.problem(409, "access_ended");
        assert_eq!(told["fields"]["name"], "max");
    }
    drop(root.send(Method::DELETE, path, None).await.is(200));
    drop(nobody.post("/v1/login", &login_of_max).await.is(201));
    drop(
        elsewhere
            .get("/v1/session")
            .await
            .problem(401, "unauthenticated"),
    );
    drop(
        root.send(Method::PUT, "/v1/people/none/access-end", Some(&reason))
            .await
            .problem(404, "unknown_person"),
    );
    second.stop().await;
    house.end().await;
}

/// The last administrator's access can't end, until another one may come in.
#[tokio::test]
async fn the_last_administrator_stays() {
    let house = House::open().await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    let nobody = house.nobody();
    let reason = json!({"reason": "left the house"});
    let own = &format!("/v1/people/{}/access-end", "root");
    let last = root.send(Method::PUT, own, Some(&reason)).await;
    let last = last.problem(409, "last_administrator");
    assert_eq!(last["fields"]["name"], "root");
    let asked = json!({"name": "eve", "role": "administrator"});
    let code = root.send(Method::POST, "/v1/people", Some(&asked)).await;
    let code = code.is(201).text("code").to_owned();
    let last = root.send(Method::PUT, own, Some(&reason)).await;
    drop(last.problem(409, "last_administrator"));
    let set = json!({"name": "eve", "code": code, "new": PASSWORD});
    drop(nobody.put("/v1/password", &set).await.is(200));
    drop(root.send(Method::PUT, own, Some(&reason)).await.is(200));
    drop(
        root.get("/v1/session")
            .await
            .problem(401, "unauthenticated"),
    );
    house.end().await;
}

/// Tokens are made, listed and revoked over the API, by an administrator only and bound as they must be.
#[tokio::test]
async fn tokens_are_made_over_the_api() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    first_administrator(&house).await;
    let root = login(&house, "root").await;
    let asked_for =
        async |asked: serde_json::Value| root.send(Method::POST, "/v1/tokens", Some(&asked)).await;
    for (asked, field) in [
        (json!({"name": "T9", "role": "controller"}), "table"),
        (
            json!({"name": "d", "role": "auditor", "link": "main"}),
            "link",
        ),
        (
            json!({"name": "d", "role": "auditor", "department": "x"}),
            "department",
        ),
        (
            json!({"name": "d", "role": "supervisor", "rights": "configure"}),
            "rights",
        ),
    ] {
        let refused = asked_for(asked).await.problem(400, "invalid_value");
        assert_eq!(refused["fields"]["field"], field);
    }
    let unknown = json!({"name": "T9", "role": "controller", "table": "T9"});
    drop(asked_for(unknown).await.problem(404, "unknown_table"));
    let past = json!({"name": "d", "role": "auditor", "expires_at": "2020-01-01T00:00:00Z"});
    drop(asked_for(past).await.problem(400, "invalid_time"));
    let made = asked_for(
        json!({"name": "till", "role": "supervisor", "department": "cage", "rights": "pay"}),
    )
    .await
    .is(201);
    let till = house
        .nobody()
        .with_token(made["token"].as_str().expect("a text"));
    drop(till.get("/v1/hits").await.is(200));
    let mut names = Vec::new();
    let mut after = String::new();
    loop {
        let page = root
            .get(&format!("/v1/tokens?limit=1{after}"))
            .await
            .is(200);
        // As in every list, the page after the last full one may be empty.
        for token in page["tokens"].as_array().expect("tokens") {
            names.push(token["name"].as_str().expect("a name").to_owned());
            assert!(token.get("token").is_none());
        }
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    assert!(
        names.is_sorted() && names.contains(&"till".to_owned()),
        "{names:?}"
    );
    let revoked = root
        .send(Method::DELETE, "/v1/tokens/till", None)
        .await
        .is(200);
    assert_eq!(revoked["ended"], 1);
    house.server.stop().await;
}
