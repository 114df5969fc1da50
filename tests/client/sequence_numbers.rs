//! Sequence numbers that don't match: another controller played for the table, or the server has lost counted commands.
//! The controller stops, and its error has the numbers.

use meterhouse_client::{Close, Controller, Stopped};
use meterhouse_tests::in_time;

use crate::fixture::{Fixture, coin_in};

/// Opens the table's controller and waits until it has stopped.
async fn wait_for_stop(fixture: &Fixture) -> Stopped {
    let opened = Controller::open(fixture.options()).await;
    let (controller, _outcomes) = opened.expect("the outbox can be used");
    let why = in_time("it stops", controller.online()).await;
    controller.close().await.expect("closed");
    why.expect_err("the numbers don't fit")
}

#[tokio::test]
async fn a_new_outbox_takes_the_tables_next_number() {
    let fixture = Fixture::open().await;
    fixture.dealer.rounds(3, &[1]).await;
    let (controller, _outcomes) = fixture.controller().await;
    let receipt = controller.send(coin_in(&[1])).await.expect("stored");
    assert_eq!(receipt.sequence().get(), 7);
    in_time("the outcome", receipt.outcome())
        .await
        .expect("the controller runs");
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

/// No command is sent under a number that another controller used.
#[tokio::test]
async fn a_server_ahead_of_the_outbox_stops_the_table() {
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    let receipt = controller.send(coin_in(&[1])).await.expect("stored");
    in_time("the outcome", receipt.outcome())
        .await
        .expect("the controller runs");
    controller.close().await.expect("closed");
    fixture.dealer.resume().await;
    drop(fixture.dealer.close().await.created());
    drop(fixture.dealer.coin_in(&[2]).await.created());
    let why = wait_for_stop(&fixture).await;
    let Stopped::ServerAhead {
        server_next,
        last_assigned,
        ..
    } = why
    else {
        panic!("{why}");
    };
    assert_eq!((server_next, last_assigned), (4, 1));
    let text = why.to_string();
    assert!(
        text.contains("expects command 4") && text.contains("up to 1"),
        "{text}"
    );
    fixture.assert_counted(3, 2).await;
    fixture.house.end().await;
}

/// Another controller used the number of a command that was stored and not sent. The server refuses the command.
#[tokio::test]
async fn a_number_used_for_another_command_stops_the_table() {
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    fixture.cable.pull();
    drop(controller.send(coin_in(&[1])).await.expect("stored"));
    fixture.dealer.resume().await;
    drop(fixture.dealer.coin_in(&[2]).await.created());
    fixture.cable.plug_in();
    let mut statuses = controller.statuses();
    let stopped = async {
        loop {
            if let meterhouse_client::Status::Stopped(why) = statuses.now() {
                return why;
            }
            statuses.changed().await.expect("the reason comes first");
        }
    };
    let why = in_time("it stops", stopped).await;
    let Stopped::Refused { code, fields, .. } = &why else {
        panic!("{why}");
    };
    assert_eq!(code, "sequence_reused");
    assert_eq!(fields.get("sequence").map(String::as_str), Some("1"));
    controller.close().await.expect("closed");
    fixture.assert_counted(1, 1).await;
    fixture.house.end().await;
}

/// A server that was restored to an older state lacks commands for which the outbox had the outcome.
#[tokio::test]
async fn a_server_behind_the_outbox_stops_the_table() {
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    for _ in 0..2 {
        let receipt = controller.send(coin_in(&[1])).await.expect("stored");
        in_time("the outcome", receipt.outcome())
            .await
            .expect("the controller runs");
        let receipt = controller.send(Close).await.expect("stored");
        in_time("the outcome", receipt.outcome())
            .await
            .expect("the controller runs");
    }
    controller.close().await.expect("closed");
    // A second house, whose table of this name has counted no command, stands for a restored database.
    let older = Fixture::open().await;
    let table = "T-1".parse().expect("a name");
    let address = format!("http://{}", older.house.server.grpc);
    let token = older.token.clone();
    let options = meterhouse_client::Options::new(address, table, token, fixture.outbox());
    let opened = Controller::open(options).await;
    let (controller, _outcomes) = opened.expect("the outbox can be used");
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
    older.assert_counted(0, 0).await;
    older.house.end().await;
    fixture.house.end().await;
}
