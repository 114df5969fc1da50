//! A table that plays: typed commands, typed outcomes, the status of its link.

use std::time::Duration;

use meterhouse_client::{
    CancelHit, ChargedTo, Close, Count, Effect, Fold, Hand, HandedOver, Hit, HitState, Holder,
    LinkState, Money, Outcome, Receipt, Seat, Settle, Status, Void, VoidReason,
};
use meterhouse_tests::in_time;

use crate::fixture::{Fixture, TABLE, coin_in};

/// Waits for the outcome of a command.
async fn outcome(receipt: Receipt) -> Outcome {
    let coming = in_time("the outcome", receipt.outcome()).await;
    coming.expect("the controller plays")
}

fn royal(seat: u8) -> Hit {
    Hit {
        holder: Holder::Seat(Seat(seat)),
        hand: Hand::RoyalFlush,
        cards: Some("As Ks Qs Js Ts".parse().expect("cards")),
    }
}

/// Figure A: the state of the link, the numbers, and each level's contribution and amount.
#[tokio::test]
async fn a_coin_in_returns_contributions_and_amounts() {
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    let Status::Online(online) = controller.status() else {
        panic!("it is online");
    };
    assert_eq!(
        (online.link.as_str(), online.wager),
        ("main", Money::dollars(1))
    );
    assert_eq!(online.levels, ["mega", "major", "minor"]);
    assert_eq!(online.standing.link_state, LinkState::Open);
    assert_eq!(online.silence_max, Some(Duration::from_secs(5)));

    let receipt = controller.send(coin_in(&[1, 3, 5])).await.expect("stored");
    assert_eq!(receipt.sequence().get(), 1);
    let locked = outcome(receipt).await;
    let shown: Vec<String> = locked.displayed.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["10000.27", "1000.21", "250.09"]);
    let Effect::CoinIn(coin_in) = locked.effect else {
        panic!("{locked:?}");
    };
    assert_eq!(coin_in.seats, [Seat(1), Seat(3), Seat(5)]);
    assert_eq!(coin_in.contribution, [27, 21, 9].map(Money::cents));
    fixture.assert_counted(1, 3).await;
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

/// A count, a fold, a royal flush that is taken back, and GAME OVER.
#[tokio::test]
async fn count_fold_hit_cancel_and_close_return_their_effects() {
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    let receipt = controller.send(coin_in(&[1, 3, 5])).await.expect("stored");
    assert!(outcome(receipt).await.is_accepted());
    let count = controller.send(Count { chips: 3 }).await.expect("stored");
    let counted = outcome(count).await.effect;
    assert_eq!(
        counted,
        Effect::Count {
            chips: 3,
            accepted: 3
        }
    );
    let seats = vec![Seat(1)];
    let fold = controller
        .send(Fold {
            seats: seats.clone(),
        })
        .await
        .expect("stored");
    assert_eq!(outcome(fold).await.effect, Effect::Fold { seats });

    let by = "d-12".parse().expect("a badge");
    let hit = controller.send(royal(3).by(by)).await.expect("stored");
    let Effect::Hit(hit) = outcome(hit).await.effect else {
        panic!("a hit");
    };
    assert_eq!(hit.state, HitState::Pending);
    assert_eq!(hit.due.to_string(), "10000.27");
    assert_eq!(
        hit.taken.expect("from a level").after,
        Money::dollars(10_000)
    );
    let line = &hit.payouts[0];
    assert_eq!(
        (&line.charged_to, &line.handed_over),
        (&ChargedTo::Meter, &HandedOver::Slip)
    );

    let own = TABLE.parse().expect("a name");
    let cancel = CancelHit::named(&hit.hit, &own).expect("its own hit");
    let cancel = controller.send(cancel).await.expect("stored");
    assert_eq!(
        outcome(cancel).await.effect,
        Effect::CancelHit { hit: hit.hit }
    );
    let close = controller.send(Close).await.expect("stored");
    assert_eq!(
        outcome(close).await.effect,
        Effect::Close { hits: Vec::new() }
    );
    fixture.assert_counted(6, 3).await;
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

#[tokio::test]
async fn a_refusal_is_an_outcome_and_uses_its_number_up() {
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    let refused = outcome(controller.send(Close).await.expect("stored")).await;
    assert!(!refused.is_accepted() && refused.displayed.is_empty());
    let Effect::Refused { code, detail, .. } = refused.effect else {
        panic!("{refused:?}");
    };
    assert_eq!(code, "no_round");
    assert!(detail.contains("coin-in"), "{detail}");
    let receipt = controller.send(coin_in(&[2])).await.expect("stored");
    assert_eq!(receipt.sequence().get(), 2);
    assert!(outcome(receipt).await.is_accepted());
    let settle = Settle {
        seats: vec![(Seat(2), "2s 3d 4c 9h Jd".parse().expect("cards"))],
        ..Settle::default()
    };
    let settled = outcome(controller.send(settle).await.expect("stored")).await;
    assert_eq!(
        settled.effect,
        Effect::Settle {
            hits: Vec::new(),
            settlement: None
        }
    );
    let reason = VoidReason::Misdeal;
    let void = outcome(controller.send(Void { reason }).await.expect("stored")).await;
    let hits = Vec::new();
    assert_eq!(void.effect, Effect::Void { reason, hits });
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

/// Commands that are sent without waiting get numbers without a gap, and all are counted.
#[tokio::test(flavor = "multi_thread")]
async fn pipelined_commands_are_counted_in_order() {
    const ROUNDS: u64 = 300;
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    let mut receipts = Vec::new();
    for _ in 0..ROUNDS {
        receipts.push(controller.send(coin_in(&[1, 2])).await.expect("stored"));
        receipts.push(controller.send(Close).await.expect("stored"));
    }
    for (receipt, expected) in receipts.into_iter().zip(1..) {
        let outcome = outcome(receipt).await;
        assert_eq!(outcome.sequence.get(), expected);
        assert!(outcome.is_accepted(), "{outcome:?}");
    }
    fixture.assert_counted(2 * ROUNDS, 2 * ROUNDS).await;
    controller.close().await.expect("closed");
    fixture.house.end().await;
}

/// The link is suspended by a manager, and open again.
#[tokio::test]
async fn the_status_follows_the_link() {
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    let mut statuses = controller.statuses();
    let manager = fixture.house.manager().await;
    drop(manager.suspend("main").await.created());
    let standing_at = async |statuses: &mut meterhouse_client::Statuses, expected: LinkState| {
        loop {
            if let Status::Online(online) = statuses.now()
                && online.standing.link_state == expected
            {
                return online.standing;
            }
            statuses.changed().await.expect("the controller runs");
        }
    };
    let closed = in_time("closed", standing_at(&mut statuses, LinkState::Closed)).await;
    assert!(!closed.reason.is_empty(), "{closed:?}");
    drop(manager.resume("main").await.created());
    in_time("open", standing_at(&mut statuses, LinkState::Open)).await;
    controller.close().await.expect("closed");
    fixture.house.end().await;
}
