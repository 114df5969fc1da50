//! Numbers that don't fit: another controller played for the table, or the server has lost what it had counted. A
//! person has to look, and the numbers are in what he reads.

use meterhouse_client::{Close, Controller, Stopped};
use meterhouse_tests::in_time;

use crate::scene::{Scene, coin_in};

/// Opens the table's controller and waits until it has stopped.
async fn stops(scene: &Scene) -> Stopped {
    let opened = Controller::open(scene.options()).await;
    let (controller, _outcomes) = opened.expect("the outbox is well");
    let why = in_time("it stops", controller.online()).await;
    controller.close().await.expect("closed");
    why.expect_err("the numbers don't fit")
}

/// A new outbox begins where the table stands.
#[tokio::test]
async fn a_new_outbox_goes_on_where_the_table_stands() {
    let scene = Scene::open().await;
    scene.dealer.rounds(3, &[1]).await;
    let (controller, _outcomes) = scene.controller().await;
    let kept = controller.send(coin_in(&[1])).await.expect("kept");
    assert_eq!(kept.sequence().get(), 7);
    in_time("the outcome", kept.outcome())
        .await
        .expect("it plays");
    controller.close().await.expect("closed");
    scene.house.end().await;
}

/// Another controller played for the table: nothing of ours is sent under a number that it used.
#[tokio::test]
async fn a_server_that_is_ahead_stops_the_table() {
    let scene = Scene::open().await;
    let (controller, _outcomes) = scene.controller().await;
    let kept = controller.send(coin_in(&[1])).await.expect("kept");
    in_time("the outcome", kept.outcome())
        .await
        .expect("it plays");
    controller.close().await.expect("closed");
    scene.dealer.resume().await;
    drop(scene.dealer.close().await.created());
    drop(scene.dealer.coin_in(&[2]).await.created());
    let why = stops(&scene).await;
    let Stopped::ServerAhead {
        server_next, given, ..
    } = why
    else {
        panic!("{why}");
    };
    assert_eq!((server_next, given), (4, 1));
    let said = why.to_string();
    assert!(
        said.contains("expects command 4") && said.contains("up to 1"),
        "{said}"
    );
    scene.counted(3, 2).await;
    scene.house.end().await;
}

/// Another controller used the number of a command that was kept and not sent: the server says so.
#[tokio::test]
async fn a_number_that_was_used_for_something_else_stops_the_table() {
    let scene = Scene::open().await;
    let (controller, _outcomes) = scene.controller().await;
    scene.cable.pull();
    drop(controller.send(coin_in(&[1])).await.expect("kept"));
    scene.dealer.resume().await;
    drop(scene.dealer.coin_in(&[2]).await.created());
    scene.cable.plug_in();
    let mut statuses = controller.statuses();
    let stopped = async {
        loop {
            if let meterhouse_client::Status::Stopped(why) = statuses.now() {
                return why;
            }
            statuses.changed().await.expect("it says why first");
        }
    };
    let why = in_time("it stops", stopped).await;
    let Stopped::Refused { code, fields, .. } = &why else {
        panic!("{why}");
    };
    assert_eq!(code, "sequence_reused");
    assert_eq!(fields.get("sequence").map(String::as_str), Some("1"));
    controller.close().await.expect("closed");
    scene.counted(1, 1).await;
    scene.house.end().await;
}

/// A server that was set back to an older state lacks commands of which we had the outcome.
#[tokio::test]
async fn a_server_that_is_behind_stops_the_table() {
    let scene = Scene::open().await;
    let (controller, _outcomes) = scene.controller().await;
    for _ in 0..2 {
        let kept = controller.send(coin_in(&[1])).await.expect("kept");
        in_time("the outcome", kept.outcome())
            .await
            .expect("it plays");
        let kept = controller.send(Close).await.expect("kept");
        in_time("the outcome", kept.outcome())
            .await
            .expect("it plays");
    }
    controller.close().await.expect("closed");
    // Another house whose table of this name has counted nothing: as if its database had been set back.
    let older = Scene::open().await;
    let table = "T-1".parse().expect("a name");
    let address = format!("http://{}", older.house.server.grpc);
    let token = older.token.clone();
    let options = meterhouse_client::Options::new(address, table, token, scene.outbox());
    let opened = Controller::open(options).await;
    let (controller, _outcomes) = opened.expect("the outbox is well");
    let why = in_time("it stops", controller.online()).await;
    let why = why.expect_err("the numbers don't fit");
    let Stopped::ServerBehind {
        server_next,
        oldest,
        ..
    } = why
    else {
        panic!("{why}");
    };
    assert_eq!((server_next, oldest), (1, 5));
    controller.close().await.expect("closed");
    older.counted(0, 0).await;
    older.house.end().await;
    scene.house.end().await;
}
