//! Paths that lead nowhere, names and parameters that are none, methods that a path doesn't have.

use reqwest::Method;

use crate::bodies::{GOOD, one_table};

/// What a controller reaches by mistake: another table before anybody learns which there are, and names that
/// are none.
#[tokio::test]
async fn of_a_controller() {
    let (house, dealer, counter) = one_table().await;
    let before = counter.now().await;
    let put = |path: &'static str| dealer.caller.put_text(path, GOOD);
    drop(
        put("/v1/tables/T9/commands/1")
            .await
            .problem(403, "forbidden"),
    );
    for path in [
        "/v1/tables/T%ff/commands/1",
        "/v1/tables/T%201/commands/1",
        "/v1/tables/%00/commands/1",
    ] {
        drop(put(path).await.problem(400, "invalid_name"));
    }
    assert_eq!(counter.now().await, before);
    house.end().await;
}

/// What isn't there, each by what it is.
#[tokio::test]
async fn unknown() {
    let (house, _, _) = one_table().await;
    let manager = house.manager().await.caller;
    for (path, code) in [
        ("/v1/tables/T9", "unknown_table"),
        ("/v1/links/other", "unknown_link"),
        ("/v1/links/other/meters", "unknown_link"),
        ("/v1/links/other/journal", "unknown_link"),
        ("/v1/links/other/reconciliation", "unknown_link"),
        ("/v1/hits?link=other", "unknown_link"),
        ("/v1/hits/T1.1", "unknown_hit"),
        ("/v1/hits/T9.1", "unknown_hit"),
        ("/v1/hits/T1.9223372036854775807", "unknown_hit"),
        ("/v1/paytables/other", "unknown_paytable"),
        ("/v1/manual/other", "unknown_game"),
        ("/v1/other", "not_found"),
        ("/v1", "not_found"),
        ("/v1/links/main/", "not_found"),
        ("/v1/tables/T1/commands/1/", "not_found"),
    ] {
        drop(manager.get(path).await.problem(404, code));
    }
    house.end().await;
}

/// Names and parameters that can't be read.
#[tokio::test]
async fn invalid() {
    let (house, _, _) = one_table().await;
    let manager = house.manager().await.caller;
    for (path, code) in [
        ("/v1/tables/%ff", "invalid_name"),
        ("/v1/links/%c3%28/meters", "invalid_name"),
        ("/v1/hits/%ff.1", "invalid_name"),
        ("/v1/paytables/%80", "invalid_name"),
        ("/v1/links/main/journal?after=x", "invalid_parameter"),
        (
            "/v1/links/main/journal?after=1.99999999999",
            "invalid_parameter",
        ),
        ("/v1/links/main/journal?limit=0", "invalid_parameter"),
        ("/v1/links/main/journal?limit=100000", "invalid_parameter"),
        ("/v1/links/main/journal?afterwards=1", "invalid_parameter"),
        ("/v1/links/main/meters?limit=1", "invalid_parameter"),
        ("/v1/links/main/reconciliation?from=today", "invalid_time"),
        ("/v1/hits?state=lost", "invalid_value"),
        ("/v1/hits?after=1", "invalid_parameter"),
        ("/v1/hits?state=pending&state=paid", "invalid_parameter"),
        ("/v1/hits?state=%ff", "invalid_value"),
    ] {
        drop(manager.get(path).await.problem(400, code));
    }
    house.end().await;
}

/// The path is there, the method is not: the answer says which are.
#[tokio::test]
async fn methods() {
    let (house, _, counter) = one_table().await;
    let before = counter.now().await;
    let manager = house.manager().await.caller;
    for (method, path) in [
        (Method::GET, "/v1/tables/T1/commands/1"),
        (Method::POST, "/v1/tables/T1/commands/1"),
        (Method::DELETE, "/v1/links/main"),
        (Method::POST, "/v1/hits"),
        (Method::PATCH, "/v1/tables/T1"),
    ] {
        let answer = manager.send(method, path, &[], Vec::new()).await;
        let allowed = answer.headers.contains_key("allow");
        drop(answer.problem(405, "method_not_allowed"));
        assert!(allowed, "{path}: no header Allow");
    }
    assert_eq!(counter.now().await, before);
    house.end().await;
}
