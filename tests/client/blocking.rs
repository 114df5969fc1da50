//! The blocking controller, for programs without an asynchronous runtime.

use std::thread;
use std::time::Duration;

use meterhouse_client::blocking::Controller;
use meterhouse_client::{Close, Effect, Options, OutcomeError, Status};
use meterhouse_tests::{PATIENCE, in_time};

use crate::fixture::{Fixture, coin_in};

/// Plays a round, leaves one outcome unclaimed, and reads the status.
fn play(options: Options) {
    let (controller, mut outcomes) = Controller::open(options).expect("the outbox can be used");
    let online = controller.online().expect("the controller has not stopped");
    assert_eq!(online.link, "main");
    assert!(matches!(controller.status(), Status::Online(_)));
    let receipt = controller.send(coin_in(&[1, 3])).expect("stored");
    assert_eq!(receipt.sequence().get(), 1);
    let outcome = receipt.outcome().expect("the controller runs");
    assert!(matches!(outcome.effect, Effect::CoinIn(_)), "{outcome:?}");
    drop(controller.send(Close).expect("stored"));
    let close = outcomes.take_within(PATIENCE).expect("the controller runs");
    assert_eq!(close.expect("an outcome").sequence.get(), 2);
    let none = outcomes
        .take_within(Duration::ZERO)
        .expect("the controller runs");
    assert_eq!(none, None);
    let mut statuses = controller.statuses();
    let watching = thread::spawn(move || {
        while statuses.changed().is_some() {}
        statuses.now()
    });
    controller.close().expect("closed");
    assert!(watching.join().expect("it ended").is_online());
    let error = outcomes.take().expect_err("nothing comes any more");
    assert!(matches!(error, OutcomeError::Closed), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_blocking_controller_plays_a_round() {
    let fixture = Fixture::open().await;
    let options = fixture.options();
    let playing = tokio::task::spawn_blocking(move || play(options));
    in_time("it plays", playing).await.expect("it plays well");
    fixture.assert_counted(2, 2).await;
    fixture.house.end().await;
}
