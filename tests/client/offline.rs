//! A table without its server: it says so, keeps its commands, and they are counted once when it is back.

use std::time::Duration;

use meterhouse_client::{Close, Controller, Offline, SendError, Status, Statuses};
use meterhouse_tests::{eventually, in_time};

use crate::scene::{Scene, coin_in};

/// Waits until the table is offline; why.
async fn offline(statuses: &mut Statuses) -> Offline {
    let waiting = async {
        loop {
            if let Status::Offline { reason, .. } = statuses.now() {
                return reason;
            }
            statuses.changed().await.expect("it plays");
        }
    };
    in_time("the table is offline", waiting).await
}

/// What is kept while the cable is pulled is sent when it is back, in order and once.
#[tokio::test]
async fn what_is_kept_offline_is_counted_later() {
    let scene = Scene::open().await;
    let (controller, _outcomes) = scene.controller().await;
    let mut statuses = controller.statuses();
    scene.cable.pull();
    offline(&mut statuses).await;
    let mut kept = Vec::new();
    for _ in 0..5 {
        kept.push(controller.send(coin_in(&[1, 3])).await.expect("kept"));
        kept.push(controller.send(Close).await.expect("kept"));
    }
    let first = controller.status().offline_for().expect("it is offline");
    scene.counted(0, 0).await;
    let longer = controller.status().offline_for().expect("it still is");
    assert!(longer > first);
    scene.cable.plug_in();
    in_time("online", controller.online())
        .await
        .expect("it plays");
    assert_eq!(controller.status().offline_for(), None);
    for kept in kept {
        let outcome = in_time("the outcome", kept.outcome()).await;
        assert!(outcome.expect("it plays").is_accepted());
    }
    scene.counted(10, 10).await;
    controller.close().await.expect("closed");
    scene.house.end().await;
}

/// A table that was away for so long that it is lost comes back with a heartbeat first: what it kept is not refused.
#[tokio::test]
async fn a_lost_table_comes_back() {
    let scene = Scene::watched().await;
    let (controller, _outcomes) = scene.controller().await;
    let online = in_time("online", controller.online()).await;
    let silence_max = online.expect("it plays").silence_max;
    assert_eq!(silence_max, Some(Duration::from_secs(2)));
    let aud = scene.house.person("aud", "auditor").await;
    eventually("a heartbeat is heard", async || {
        let list = aud.get("/v1/tables").await.is(200);
        (!list["tables"][0]["heard_at"].is_null()).then_some(())
    })
    .await;
    for _ in 0..3 {
        scene.cable.pull();
        eventually("the table is lost", async || {
            let list = aud.get("/v1/tables").await.is(200);
            (list["tables"][0]["state"] == "lost").then_some(())
        })
        .await;
        let locked = controller.send(coin_in(&[1])).await.expect("kept");
        let closed = controller.send(Close).await.expect("kept");
        scene.cable.plug_in();
        for kept in [locked, closed] {
            let outcome = in_time("the outcome", kept.outcome()).await;
            let outcome = outcome.expect("it plays");
            assert!(outcome.is_accepted(), "{outcome:?}");
        }
    }
    scene.counted(6, 3).await;
    controller.close().await.expect("closed");
    scene.house.end().await;
}

/// A network that swallows everything is noticed though nobody is cut off.
#[tokio::test]
async fn silence_is_noticed() {
    let scene = Scene::open().await;
    let (controller, _outcomes) = scene.controller().await;
    let mut statuses = controller.statuses();
    scene.cable.go_silent();
    let kept = controller.send(coin_in(&[4])).await.expect("kept");
    assert_eq!(offline(&mut statuses).await, Offline::Silent);
    scene.cable.plug_in();
    let outcome = in_time("the outcome", kept.outcome()).await;
    assert!(outcome.expect("it plays").is_accepted());
    scene.counted(1, 1).await;
    controller.close().await.expect("closed");
    scene.house.end().await;
}

/// Where the link allows less silence than usual, it is noticed as soon: by then the table is lost.
#[tokio::test]
async fn silence_is_noticed_as_soon_as_the_link_wants() {
    let scene = Scene::watched().await;
    let (controller, _outcomes) = scene.controller().await;
    let mut statuses = controller.statuses();
    scene.cable.go_silent();
    assert_eq!(offline(&mut statuses).await, Offline::Silent);
    // Since the server was last heard: two seconds, and less than the five of any other link.
    let unheard = controller.status().offline_for().expect("it is offline");
    assert!(unheard < Duration::from_secs(5), "{unheard:?}");
    scene.cable.plug_in();
    in_time("online", controller.online())
        .await
        .expect("it plays");
    controller.close().await.expect("closed");
    scene.house.end().await;
}

/// A server that stops says so; another one takes the table over.
#[tokio::test]
async fn another_server_goes_on() {
    let scene = Scene::open().await;
    let (controller, _outcomes) = scene.controller().await;
    let second = scene.house.another_server().await;
    let first = controller.send(coin_in(&[1])).await.expect("kept");
    in_time("the outcome", first.outcome())
        .await
        .expect("it plays");
    scene.cable.leads_to(second.grpc);
    scene.cable.plug_in();
    let close = controller.send(Close).await.expect("kept");
    let outcome = in_time("the outcome", close.outcome()).await;
    assert!(outcome.expect("it plays").is_accepted());
    scene.counted(2, 1).await;
    controller.close().await.expect("closed");
    second.stop().await;
    scene.house.end().await;
}

/// A new outbox that has never reached a server keeps nothing: it has no numbers.
#[tokio::test]
async fn a_new_table_has_to_be_online_once() {
    let scene = Scene::open().await;
    scene.cable.pull();
    let opened = Controller::open(scene.options()).await;
    let (controller, _outcomes) = opened.expect("the outbox is well");
    offline(&mut controller.statuses()).await;
    let error = controller.send(Close).await.expect_err("no number");
    assert!(matches!(error, SendError::NotNumbered), "{error}");
    scene.cable.plug_in();
    in_time("online", controller.online())
        .await
        .expect("it plays");
    drop(controller.send(coin_in(&[1])).await.expect("kept"));
    controller.close().await.expect("closed");

    // Known once, it needs no server to keep.
    scene.cable.pull();
    let opened = Controller::open(scene.options()).await;
    let (controller, mut outcomes) = opened.expect("the outbox is well");
    let kept = controller.send(Close).await.expect("kept");
    assert_eq!(kept.sequence().get(), 2);
    scene.cable.plug_in();
    in_time("the outcome", kept.outcome())
        .await
        .expect("it plays");
    let earlier = in_time("the earlier one", outcomes.take()).await;
    assert_eq!(earlier.expect("it plays").sequence.get(), 1);
    scene.counted(2, 1).await;
    controller.close().await.expect("closed");
    scene.house.end().await;
}

/// A controller that is dropped stops too, and leaves its outbox to the next one.
#[tokio::test]
async fn a_dropped_controller_leaves_its_outbox() {
    let scene = Scene::open().await;
    let (controller, outcomes) = scene.controller().await;
    drop(controller.send(coin_in(&[1])).await.expect("kept"));
    drop((controller, outcomes));
    let opened = eventually("the outbox is free", async || {
        Controller::open(scene.options()).await.ok()
    });
    let (controller, _outcomes) = opened.await;
    let close = controller.send(Close).await.expect("kept");
    in_time("the outcome", close.outcome())
        .await
        .expect("it plays");
    scene.counted(2, 1).await;
    controller.close().await.expect("closed");
    scene.house.end().await;
}

/// Nobody is reached: closing does not wait for the next attempt.
#[tokio::test]
async fn closing_does_not_wait_for_a_server() {
    let scene = Scene::open().await;
    scene.cable.pull();
    let opened = Controller::open(scene.options()).await;
    let (controller, mut outcomes) = opened.expect("the outbox is well");
    offline(&mut controller.statuses()).await;
    let closing = tokio::time::timeout(Duration::from_secs(5), controller.close());
    closing.await.expect("at once").expect("closed");
    outcomes.take().await.expect_err("it was closed");
    scene.house.end().await;
}
