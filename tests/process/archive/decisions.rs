//! Hits and proposals of an archived month: a link still decides on the hits that it keeps.

use meterhouse_tests::Feed;
use serde_json::Value;

use super::Played;

/// Returns the names of a page's hits.
fn names(page: &Value) -> Vec<&str> {
    let hits = page["hits"].as_array().expect("a list");
    hits.iter().filter_map(|hit| hit["hit"].as_str()).collect()
}

/// A paid hit that its link keeps is listed, shown and withdrawn by two people, although its events are archived. A
/// changed row of it is neither shown nor listed.
#[tokio::test]
async fn a_kept_hit_is_still_corrected() {
    let played = Played::begin().await.archived().await;
    let manager = played.house.manager().await.caller;
    let list = async || manager.get("/v1/links/main/hits").await.is(200);
    assert_eq!(names(&list().await.body), ["T1.142"]);
    let mut feed = Feed::open(played.house.server.address, "main", None).await;
    let snapshot = feed.next().await.expect("a snapshot");
    assert_eq!(names(&snapshot), ["T1.142"]);
    feed.close().await;

    let change = |by: i32| {
        format!("UPDATE payout SET amount = amount + {by} WHERE sequence = 142 AND number = 1")
    };
    assert_eq!(played.house.database.tamper(&change(1)).await, 1);
    assert!(names(&list().await.body).is_empty());
    assert_eq!(played.house.database.tamper(&change(-1)).await, 1);

    let both = played.house.two_people().await;
    let corrected = both.correct("main", "T1.142").await;
    assert_eq!(corrected["effect"]["hit"], "T1.142");
    drop(played.verify_all().await.with_code(0));
    played.end().await;
}

/// The list of proposals ends with a page that says where the others are. A new one is proposed as ever.
#[tokio::test]
async fn archived_proposals_are_not_left_out() {
    let played = Played::begin().await.archived().await;
    let both = played.house.two_people().await;
    drop(both.list("main").await.problem(410, "position_archived"));
    let unknown = "/v1/links/main/proposals/1b4e28ba-2fa1-41d2-883f-0016d3cca427";
    drop(
        both.one
            .get(unknown)
            .await
            .problem(410, "position_archived"),
    );
    drop(both.adjust("main", "mega", "meter", "2.00").await);
    let page = both.list("main").await.is(200);
    assert_eq!(page["proposals"].as_array().map(Vec::len), Some(1));
    assert_eq!(page["more"], true);
    let next = page["next"].as_str().expect("a cursor").to_owned();
    let next = both
        .one
        .get(&format!("/v1/links/main/proposals?after={next}"))
        .await;
    drop(next.problem(410, "position_archived"));
    drop(played.verify_all().await.with_code(0));
    played.end().await;
}
