//! The same for programs without an asynchronous runtime: the same names, and calls that wait.

use std::thread;
use std::time::Duration;

use meterhouse_client::blocking::Controller;
use meterhouse_client::{Close, Effect, Options, OutcomeError, Status};
use meterhouse_tests::{PATIENCE, in_time};

use crate::scene::{Scene, coin_in};

/// A program that keeps a round, leaves one outcome to the others, and looks at its status.
fn play(options: Options) {
    let (controller, mut outcomes) = Controller::open(options).expect("the outbox is well");
    let online = controller.online().expect("nobody has to look");
    assert_eq!(online.link, "main");
    assert!(matches!(controller.status(), Status::Online(_)));
    let kept = controller.send(coin_in(&[1, 3])).expect("kept");
    assert_eq!(kept.sequence().get(), 1);
    let outcome = kept.outcome().expect("it plays");
    assert!(matches!(outcome.effect, Effect::CoinIn(_)), "{outcome:?}");
    drop(controller.send(Close).expect("kept"));
    let close = outcomes.take_within(PATIENCE).expect("it plays");
    assert_eq!(close.expect("an outcome").sequence.get(), 2);
    let none = outcomes.take_within(Duration::ZERO).expect("it plays");
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

/// See above.
#[tokio::test(flavor = "multi_thread")]
async fn a_program_without_a_runtime_plays() {
    let scene = Scene::open().await;
    let options = scene.options();
    let playing = tokio::task::spawn_blocking(move || play(options));
    in_time("it plays", playing).await.expect("it plays well");
    scene.counted(2, 2).await;
    scene.house.end().await;
}
