//! A faulted link: the table stays online and stores its commands, and continues when people have cleared the fault.

use meterhouse_client::{Close, LinkState, Status};
use meterhouse_tests::{FIVE_CARD_C, in_time};

use crate::fixture::{Fixture, coin_in};

/// Stored commands wait on the stream, and are counted once.
#[tokio::test]
async fn stored_commands_wait_until_the_fault_is_cleared() {
    let fixture = Fixture::open().await;
    let house = &fixture.house;
    let (controller, _outcomes) = fixture.controller().await;
    let mut statuses = controller.statuses();
    let other = house.table("T-2", "main", FIVE_CARD_C).await;
    house.fault("main", &other).await;
    let faulted = async {
        loop {
            if let Status::Online(online) = statuses.now()
                && online.standing.link_state == LinkState::Faulted
            {
                return online.standing.reason;
            }
            statuses.changed().await.expect("the controller runs");
        }
    };
    let reason = in_time("it is faulted", faulted).await;
    assert!(reason.contains("broken the books"), "{reason}");
    let receipt = controller.send(coin_in(&[1])).await.expect("stored");
    let close = controller.send(Close).await.expect("stored");
    let both = house.two_people().await;
    drop(both.clear_fault("main").await);
    for receipt in [receipt, close] {
        let outcome = in_time("the outcome", receipt.outcome()).await;
        assert!(!outcome.expect("the controller runs").is_replayed);
    }
    let last = fixture.dealer.resume().await;
    assert_eq!(last["last_sequence"], 2, "{}", last.text);
    controller.close().await.expect("closed");
    fixture.house.end().await;
}
