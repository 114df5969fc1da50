//! A server whose database was set back: the outbox's seal closes the link, and the table begins again after two people
//! accepted documented values.

use meterhouse_client::{Close, Controller, Options, Stopped};
use meterhouse_tests::{House, TestServer, TwoPeople, Watch, in_time};

use crate::fixture::{Fixture, TABLE, coin_in, options};

/// Plays a round, and waits for both outcomes.
async fn play(controller: &Controller) {
    let locked = controller.send(coin_in(&[1])).await.expect("stored");
    let closed = controller.send(Close).await.expect("stored");
    for receipt in [locked, closed] {
        let outcome = in_time("the outcome", receipt.outcome()).await;
        drop(outcome.expect("the controller runs"));
    }
}

/// Returns the options of the controller at this house, with another file.
fn at(house: &House, fixture_options: &(String, std::path::PathBuf)) -> Options {
    let (token, outbox) = fixture_options;
    options(house.server.grpc, TABLE, token, outbox)
}

/// CONFORMANCE 51: the outbox knows what the table was sent, over a restart of its program.
#[tokio::test]
async fn a_server_that_was_set_back_closes_its_link() {
    let fixture = Fixture::open().await;
    let outbox = fixture.outbox();
    let (controller, _outcomes) = fixture.controller().await;
    play(&controller).await;
    controller.close().await.expect("closed");
    let Fixture {
        mut house, token, ..
    } = fixture;
    // The backup: a copy without a server on it.
    let idle = meterhouse_tests::Database::new().await;
    let parked = TestServer::start(&idle, Watch::Idle).await;
    std::mem::replace(&mut house.server, parked).stop().await;
    let backup = house.database.copy().await;
    let next = TestServer::start(&house.database, Watch::Idle).await;
    std::mem::replace(&mut house.server, next).stop().await;
    let own = (token, outbox);

    let opened = Controller::open(at(&house, &own)).await;
    let (controller, _outcomes) = opened.expect("the outbox can be used");
    play(&controller).await;
    controller.close().await.expect("closed");
    // Attaching brings the seal of the last command, as the next heartbeat would have.
    let opened = Controller::open(at(&house, &own)).await;
    let (controller, _outcomes) = opened.expect("the outbox can be used");
    in_time("online", controller.online())
        .await
        .expect("online");
    controller.close().await.expect("closed");
    let documented = house.meters("main").await;

    let restored = TestServer::start(&backup, Watch::Idle).await;
    std::mem::replace(&mut house.server, restored).stop().await;
    house.database = backup;
    let opened = Controller::open(at(&house, &own)).await;
    let (controller, _outcomes) = opened.expect("the outbox can be used");
    let why = in_time("it stops", controller.online()).await;
    let why = why.expect_err("the server lacks commands");
    assert!(
        matches!(
            why,
            Stopped::ServerBehind {
                server_next: 3,
                oldest: 5,
                ..
            }
        ),
        "{why}"
    );
    controller.close().await.expect("closed");
    let link = house.nobody().get("/v1/links/main").await.is(200);
    assert_eq!(link.text("state"), "faulted");
    assert!(
        link.text("reason")
            .ends_with("was sent the outcome of its command 4, its last command here is 2"),
        "{}",
        link.text
    );

    let both: TwoPeople = house.two_people().await;
    drop(both.adjust("main", "mega", "meter", "0.09").await.created());
    drop(both.clear_fault("main").await.created());
    assert_eq!(house.meters("main").await[0], documented[0]);
    let (token, outbox) = own;
    let begun_again = (token, outbox.with_extension("new"));
    let opened = Controller::open(at(&house, &begun_again)).await;
    let (controller, _outcomes) = opened.expect("a new outbox");
    in_time("online", controller.online())
        .await
        .expect("online");
    play(&controller).await;
    controller.close().await.expect("closed");
    house.end().await;
}
