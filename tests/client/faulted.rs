//! A link that is faulted: the table stays online, keeps what it is told, and goes on when people have cleared it.

use meterhouse_client::{Close, LinkState, Status};
use meterhouse_tests::{FIVE_CARD_C, in_time};

use crate::scene::{Scene, coin_in};

/// What is kept meanwhile waits on the stream, and is counted once.
#[tokio::test]
async fn what_is_kept_waits_for_the_fault_to_be_cleared() {
    let scene = Scene::open().await;
    let house = &scene.house;
    let (controller, _outcomes) = scene.controller().await;
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
            statuses.changed().await.expect("it plays");
        }
    };
    let reason = in_time("it is faulted", faulted).await;
    assert!(reason.contains("broken the books"), "{reason}");
    let kept = controller.send(coin_in(&[1])).await.expect("kept");
    let close = controller.send(Close).await.expect("kept");
    let both = house.two_people().await;
    drop(both.clear_fault("main").await);
    for kept in [kept, close] {
        let outcome = in_time("the outcome", kept.outcome()).await;
        assert!(!outcome.expect("it plays").is_replayed);
    }
    let last = scene.dealer.resume().await;
    assert_eq!(last["last_sequence"], 2, "{}", last.text);
    controller.close().await.expect("closed");
    scene.house.end().await;
}
