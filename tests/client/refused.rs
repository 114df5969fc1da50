//! What no retry mends: it stops the table with a reason that a person reads, and what is kept stays kept.

use meterhouse_client::{
    Close, Controller, OpenError, Options, OutboxError, OutcomeError, Stopped,
};
use meterhouse_tests::{Dealer, FIVE_CARD_C, in_time};

use crate::scene::{Scene, coin_in, options};

/// Opens it and waits until it has stopped; the code and what is said.
async fn stops(options: Options) -> (String, String) {
    let opened = Controller::open(options).await;
    let (controller, mut outcomes) = opened.expect("the outbox is well");
    let why = in_time("it stops", controller.online()).await;
    let why = why.expect_err("it can't be online");
    let refused = controller.send(Close).await.expect_err("it has stopped");
    assert!(refused.to_string().contains(&why.to_string()), "{refused}");
    let nothing = in_time("it ends", outcomes.take()).await;
    assert!(matches!(nothing, Err(OutcomeError::Stopped(_))));
    controller.close().await.expect("closed");
    match why {
        Stopped::Refused { code, detail, .. } => (code, detail),
        other => panic!("{other}"),
    }
}

/// A token that nobody has, one of another table, a table that there is not.
#[tokio::test]
async fn a_server_that_says_no_stops_the_table() {
    let scene = Scene::open().await;
    let house = &scene.house;
    let _: Dealer = house.table("T-2", "main", FIVE_CARD_C).await;
    let other = house
        .token("controller-2", "controller", Some("T-2"), None)
        .await;
    let manager = house.token("ana-2", "manager", None, None).await;
    let cases = [
        ("T-1", "no-token", "unauthenticated"),
        ("T-1", other.as_str(), "forbidden"),
        ("T-1", manager.as_str(), "forbidden"),
    ];
    for (table, token, expected) in cases {
        let (code, detail) =
            stops(options(scene.cable.address, table, token, &scene.outbox())).await;
        assert_eq!(code, expected, "{detail}");
        assert!(!detail.is_empty());
    }
    scene.house.end().await;
}

/// What was kept before the token was taken away is counted when there is a new one.
#[tokio::test]
async fn what_was_kept_outlives_a_revoked_token() {
    let scene = Scene::open().await;
    let (controller, outcomes) = scene.controller().await;
    drop(outcomes);
    scene.cable.pull();
    let kept = controller.send(coin_in(&[1])).await.expect("kept");
    controller.close().await.expect("closed");
    let error = kept.outcome().await.expect_err("it was closed");
    assert!(matches!(error, OutcomeError::Closed), "{error}");

    scene.cable.plug_in();
    let path = scene.outbox();
    let (code, _) = stops(options(scene.cable.address, "T-1", "another", &path)).await;
    assert_eq!(code, "unauthenticated");
    scene.counted(0, 0).await;

    let (controller, mut outcomes) = scene.controller().await;
    let outcome = in_time("the outcome", outcomes.take()).await;
    assert_eq!(outcome.expect("it plays").sequence.get(), 1);
    scene.counted(1, 1).await;
    controller.close().await.expect("closed");
    scene.house.end().await;
}

/// An outbox of another table, one in use, one that is none, an address that is none.
#[tokio::test]
async fn a_wrong_outbox_is_refused() {
    let scene = Scene::open().await;
    let (controller, _outcomes) = scene.controller().await;
    let open = async |options: Options| match Controller::open(options).await {
        Err(error) => error,
        Ok(_) => panic!("it was opened"),
    };
    let in_use = open(scene.options()).await;
    assert!(
        matches!(in_use, OpenError::Outbox(OutboxError::InUse { .. })),
        "{in_use}"
    );
    controller.close().await.expect("closed");
    let path = scene.outbox();
    let other = open(options(scene.cable.address, "T-2", &scene.token, &path)).await;
    let said = other.to_string();
    assert!(said.contains("is that of table T-1, not of T-2"), "{said}");
    std::fs::write(&path, b"something else").expect("written");
    let damaged = open(scene.options()).await;
    assert!(damaged.to_string().contains("damaged"), "{damaged}");
    std::fs::remove_file(&path).expect("removed");
    let table = "T-1".parse().expect("a name");
    let nowhere = open(Options::new("over there", table, "", &path)).await;
    assert!(matches!(nowhere, OpenError::Address { .. }), "{nowhere}");
    scene.house.end().await;
}
