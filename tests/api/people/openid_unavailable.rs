//! A provider of logins that is gone, hangs or answers nonsense: nobody logs in by it, and nothing else happens.

use meterhouse_tests::{Answer, eventually, in_time};
use serde_json::json;

use super::openid::WithProvider;
use super::provider::Mood;
use super::{PASSWORD, admitted, try_login};

#[track_caller]
fn unavailable(answer: Answer) {
    let answer = answer.problem(503, "openid_unavailable");
    assert_eq!(answer.headers["retry-after"], "2");
}

/// While the provider is in a bad mood, logins by it are refused in time; the server is ready, and passwords work.
#[tokio::test]
async fn a_provider_that_is_unwell_harms_nothing_else() {
    let house = WithProvider::open().await;
    admitted(&house.root, &json!({"name": "sam", "role": "auditor"})).await;
    // Before anything was fetched from it.
    house.provider.set_mood(Mood::Broken);
    unavailable(house.browser().get("/v1/login/openid").await);
    // A failure is remembered for a moment: the provider is not asked by every stranger.
    for _ in 0..5 {
        unavailable(house.browser().get("/v1/login/openid").await);
    }
    assert!(house.provider.requests("configuration") <= 2);
    house.provider.set_mood(Mood::Well);
    let well = async || house.browser().get("/v1/login/openid").await.status == 303;
    eventually("the provider is asked again", async || {
        well().await.then_some(())
    })
    .await;
    let begun = house.begin("").await;
    for mood in [Mood::Broken, Mood::Long, Mood::Hangs] {
        house.provider.set_mood(mood);
        let query = house.provider.authorize(&begun.location, "s-ana", |_| {});
        let answer = house.go_back(&query, &begun.cookie);
        unavailable(in_time("an answer", answer).await);
        drop(house.browser().get("/readyz").await.is(200));
        drop(try_login(&house.browser(), "sam", PASSWORD).await.is(201));
    }
    house.provider.set_mood(Mood::Well);
    let query = house.provider.authorize(&begun.location, "s-ana", |_| {});
    drop(house.go_back(&query, &begun.cookie).await.is(200));
    house.end().await;
}
