//! A table without its server: it is offline and stores its commands, which are counted once when the server is back.

use std::time::Duration;

use meterhouse_client::{Close, Controller, Offline, SendError, Status, Statuses};
use meterhouse_tests::{eventually, in_time};

use crate::fixture::{Fixture, coin_in};

/// Waits until the table is offline. Returns the reason.
async fn wait_for_offline(statuses: &mut Statuses) -> Offline {
    let waiting = async {
        loop {
            if let Status::Offline { reason, .. } = statuses.now() {
                return reason;
            }
            statuses.changed().await.expect("the controller runs");
        }
    };
    in_time("the table is offline", waiting).await
}

/// Commands that are stored while the cable is pulled are sent in order when it is back.
#[tokio::test]
async fn commands_stored_offline_are_counted_once_online() {
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    let mut statuses = controller.statuses();
    fixture.cable.pull();
    wait_for_offline(&mut statuses).await;
    let mut receipts = Vec::new();
    for _ in 0..5 {
        receipts.push(controller.send(coin_in(&[1, 3])).await.expect("stored"));
        receipts.push(controller.send(Close).await.expect("stored"));
    }
    let first = controller.status().offline_for().expect("it is offline");
    fixture.assert_counted(0, 0).await;
    let longer = controller.status().offline_for().expect("it still is");
    assert!(longer > first);
    fixture.cable.plug_in();
    in_time("online", controller.online())
        .await
        .expect("the controller runs");
    assert_eq!(controller.status().offline_for(), None);
    for receipt in receipts {
        let outcome = in_time("the outcome", receipt.outcome()).await;
        assert!(outcome.expect("the controller runs").is_accepted());
    }
    fixture.assert_counted(10, 10).await;
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

/// A heartbeat precedes the commands of a table that is lost, so that they are not refused.
#[tokio::test]
async fn a_lost_table_returns_before_its_commands_arrive() {
    let fixture = Fixture::with_silence_limit().await;
    let (controller, _outcomes) = fixture.controller().await;
    let online = in_time("online", controller.online()).await;
    let silence_max = online.expect("the controller runs").silence_max;
    assert_eq!(silence_max, Some(Duration::from_secs(2)));
    let aud = fixture.house.person("aud", "auditor").await;
    eventually("the server received a heartbeat", async || {
        let list = aud.get("/v1/tables").await.is(200);
        (!list["tables"][0]["heard_at"].is_null()).then_some(())
    })
    .await;
    for _ in 0..3 {
        fixture.cable.pull();
        eventually("the table is lost", async || {
            let list = aud.get("/v1/tables").await.is(200);
            (list["tables"][0]["state"] == "lost").then_some(())
        })
        .await;
        let locked = controller.send(coin_in(&[1])).await.expect("stored");
        let closed = controller.send(Close).await.expect("stored");
        fixture.cable.plug_in();
        for receipt in [locked, closed] {
            let outcome = in_time("the outcome", receipt.outcome()).await;
            let outcome = outcome.expect("the controller runs");
            assert!(outcome.is_accepted(), "{outcome:?}");
        }
    }
    fixture.assert_counted(6, 3).await;
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

/// A network that drops everything is detected although no connection is closed.
#[tokio::test]
async fn a_silent_server_is_offline() {
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    let mut statuses = controller.statuses();
    fixture.cable.go_silent();
    let receipt = controller.send(coin_in(&[4])).await.expect("stored");
    assert_eq!(wait_for_offline(&mut statuses).await, Offline::Silent);
    fixture.cable.plug_in();
    let outcome = in_time("the outcome", receipt.outcome()).await;
    assert!(outcome.expect("the controller runs").is_accepted());
    fixture.assert_counted(1, 1).await;
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

/// If the link allows less silence than usual, the table is offline as soon as it is lost.
#[tokio::test]
async fn a_silent_server_is_offline_after_the_links_limit() {
    let fixture = Fixture::with_silence_limit().await;
    let (controller, _outcomes) = fixture.controller().await;
    let mut statuses = controller.statuses();
    fixture.cable.go_silent();
    assert_eq!(wait_for_offline(&mut statuses).await, Offline::Silent);
    // Since the last message: two seconds, and less than the five of any other link.
    let unheard = controller.status().offline_for().expect("it is offline");
    assert!(unheard < Duration::from_secs(5), "{unheard:?}");
    fixture.cable.plug_in();
    in_time("online", controller.online())
        .await
        .expect("the controller runs");
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

/// The first server stops, and the table attaches to the second.
#[tokio::test]
async fn another_server_takes_the_table_over() {
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    let second = fixture.house.another_server().await;
    let first = controller.send(coin_in(&[1])).await.expect("stored");
    in_time("the outcome", first.outcome())
        .await
        .expect("the controller runs");
    fixture.cable.leads_to(second.grpc);
    fixture.cable.plug_in();
    let close = controller.send(Close).await.expect("stored");
    let outcome = in_time("the outcome", close.outcome()).await;
    assert!(outcome.expect("the controller runs").is_accepted());
    fixture.assert_counted(2, 1).await;
    controller.close().await.expect("closed");
    second.stop().await;
    fixture.house.end().await;
}

/// Before its first number, an outbox stores nothing.
#[tokio::test]
async fn a_new_outbox_has_to_be_online_once() {
    let fixture = Fixture::open().await;
    fixture.cable.pull();
    let opened = Controller::open(fixture.options()).await;
    let (controller, _outcomes) = opened.expect("the outbox can be used");
    wait_for_offline(&mut controller.statuses()).await;
    let error = controller.send(Close).await.expect_err("no number");
    assert!(matches!(error, SendError::NotNumbered), "{error}");
    fixture.cable.plug_in();
    in_time("online", controller.online())
        .await
        .expect("the controller runs");
    drop(controller.send(coin_in(&[1])).await.expect("stored"));
    controller.close().await.expect("closed");

    // With a first number, the outbox stores commands without a server.
    fixture.cable.pull();
    let opened = Controller::open(fixture.options()).await;
    let (controller, mut outcomes) = opened.expect("the outbox can be used");
    let receipt = controller.send(Close).await.expect("stored");
    assert_eq!(receipt.sequence().get(), 2);
    fixture.cable.plug_in();
    in_time("the outcome", receipt.outcome())
        .await
        .expect("the controller runs");
    let earlier = in_time("the earlier one", outcomes.take()).await;
    assert_eq!(earlier.expect("the controller runs").sequence.get(), 1);
    fixture.assert_counted(2, 1).await;
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

#[tokio::test]
async fn a_dropped_controller_releases_its_outbox() {
    let fixture = Fixture::open().await;
    let (controller, outcomes) = fixture.controller().await;
    drop(controller.send(coin_in(&[1])).await.expect("stored"));
    drop((controller, outcomes));
    let opened = eventually("the outbox is free", async || {
        Controller::open(fixture.options()).await.ok()
    });
    let (controller, _outcomes) = opened.await;
    let close = controller.send(Close).await.expect("stored");
    in_time("the outcome", close.outcome())
        .await
        .expect("the controller runs");
    fixture.assert_counted(2, 1).await;
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

/// Closing does not wait for the next attempt to connect.
#[tokio::test]
async fn closing_does_not_wait_for_a_server() {
    let fixture = Fixture::open().await;
    fixture.cable.pull();
    let opened = Controller::open(fixture.options()).await;
    let (controller, mut outcomes) = opened.expect("the outbox can be used");
    wait_for_offline(&mut controller.statuses()).await;
    let closing = tokio::time::timeout(Duration::from_secs(5), controller.close());
    closing.await.expect("immediately").expect("closed");
    outcomes.take().await.expect_err("it was closed");
    fixture.house.end().await;
}
