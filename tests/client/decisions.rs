//! Decisions of the floor reach the controller, and the keypad is drawn again after a power cut.

use meterhouse_client::{
    Controller, DecisionError, Effect, Fold, Hand, Hit, HitName, HitState, Holder, Seat, Status,
    Void, VoidReason,
};
use meterhouse_tests::client::BADGE;
use meterhouse_tests::{Supervisor, in_time};

use crate::fixture::{Fixture, coin_in};

/// Plays a round of the seats 1, 3 and 5 up to a royal flush of seat 3, with seat 5 folded.
async fn royal(controller: &Controller) -> HitName {
    let locked = controller.send(coin_in(&[1, 3, 5])).await.expect("stored");
    let fold = controller
        .send(Fold {
            seats: vec![Seat(5)],
        })
        .await
        .expect("stored");
    let keyed = Hit {
        holder: Holder::Seat(Seat(3)),
        hand: Hand::RoyalFlush,
        cards: None,
    };
    let badge = BADGE.parse().expect("a badge");
    let keyed = controller.send(keyed.by(badge)).await.expect("stored");
    for receipt in [locked, fold] {
        let outcome = in_time("the outcome", receipt.outcome())
            .await
            .expect("the controller runs");
        assert!(outcome.is_accepted(), "{outcome:?}");
    }
    match in_time("the hit", keyed.outcome())
        .await
        .expect("the controller runs")
        .effect
    {
        Effect::Hit(keyed) => keyed.hit,
        other => panic!("{other:?}"),
    }
}

/// A hit is validated at another server, rejected at this one, or void by the table itself.
#[tokio::test]
async fn the_controller_waits_for_validation_rejection_and_void() {
    let fixture = Fixture::open().await;
    let second = fixture.house.another_server().await;
    let (controller, _outcomes) = fixture.controller().await;
    let sam = fixture.house.supervisor("sam").await;
    let there = Supervisor {
        caller: sam.caller.at(second.base()),
    };
    let void = Void {
        reason: VoidReason::Misdeal,
    };

    let rejected = royal(&controller).await;
    let (decided, answer) = tokio::join!(
        in_time("the decision", controller.wait_for_decision(&rejected)),
        there.reject("T-1.3"),
    );
    drop(answer.created());
    assert_eq!(decided.expect("decided").state, HitState::Rejected);
    drop(
        controller
            .send(void)
            .await
            .expect("stored")
            .outcome()
            .await
            .expect("void"),
    );

    let hit = royal(&controller).await;
    drop(
        controller
            .send(void)
            .await
            .expect("stored")
            .outcome()
            .await
            .expect("void"),
    );
    let decided = in_time("the decision", controller.wait_for_decision(&hit)).await;
    assert_eq!(decided.expect("decided").state, HitState::Void);

    let hit = royal(&controller).await;
    drop(there.approve(&hit.to_string()).await.created());
    let decided = in_time("the decision", controller.wait_for_decision(&hit)).await;
    assert_eq!(decided.expect("decided").state, HitState::Validated);
    let other = "T-1.4711".parse().expect("a name");
    let unknown = controller.wait_for_decision(&other).await;
    assert!(
        matches!(unknown, Err(DecisionError::NotKept { .. })),
        "{unknown:?}"
    );
    controller.close().await.expect("closed");
    second.stop().await;
    fixture.house.end().await;
}

#[tokio::test]
async fn a_decision_made_during_an_outage_is_found() {
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    let hit = royal(&controller).await;
    fixture.cable.pull();
    let sam = fixture.house.supervisor("sam").await;
    drop(sam.approve(&hit.to_string()).await.created());
    fixture.cable.plug_in();
    let decided = in_time("the decision", controller.wait_for_decision(&hit)).await;
    assert_eq!(decided.expect("decided").state, HitState::Validated);
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

/// The program starts again with its outbox. The attachment has the round: lit seats, folds and the pending hit. The
/// decision is waited for by the hit's name.
#[tokio::test]
async fn the_keypad_is_complete_after_a_power_cut() {
    let fixture = Fixture::open().await;
    let (controller, outcomes) = fixture.controller().await;
    let hit = royal(&controller).await;
    controller.close().await.expect("closed");
    drop(outcomes);

    let (controller, _outcomes) = fixture.controller().await;
    let Status::Online(online) = controller.status() else {
        panic!("it is online");
    };
    let round = online.standing.round.expect("the open round");
    assert_eq!(round.seats, [Seat(1), Seat(3), Seat(5)]);
    assert_eq!((round.sequence.get(), round.folded), (1, vec![Seat(5)]));
    let keyed = &round.hits[0];
    assert_eq!((&keyed.hit, &keyed.state), (&hit, &HitState::Pending));
    assert_eq!(keyed.due.to_string(), "10000.27");
    let sam = fixture.house.supervisor("sam").await;
    let (decided, answer) = tokio::join!(
        in_time("the decision", controller.wait_for_decision(&hit)),
        sam.approve("T-1.3"),
    );
    drop(answer.created());
    assert_eq!(decided.expect("decided").state, HitState::Validated);
    controller.close().await.expect("closed");
    fixture.house.end().await;
}
