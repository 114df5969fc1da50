//! Connections that are cut in the middle of replies, many times: no command is lost or counted twice.

use std::collections::BTreeSet;

use meterhouse_client::Close;
use meterhouse_tests::in_time;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::fixture::{Fixture, coin_in};

const ROUNDS: u64 = 200;
/// Bytes of replies before a cut: the attachment and some outcomes, or some hundred.
const BYTES: std::ops::Range<usize> = 200..6_000;
/// Seed of the cuts, printed if the test fails.
const SEED: u64 = 657;

/// Commands are sent while every connection is cut somewhere.
#[tokio::test(flavor = "multi_thread")]
async fn cut_connections_lose_and_double_no_command() {
    println!("seed {SEED}");
    let fixture = Fixture::open().await;
    let (controller, _outcomes) = fixture.controller().await;
    let mut rng = StdRng::seed_from_u64(SEED);
    fixture.cable.cut(move || Some(rng.random_range(BYTES)));
    fixture.cable.plug_in();
    let mut receipts = Vec::new();
    for _ in 0..ROUNDS {
        receipts.push(controller.send(coin_in(&[1, 3, 5])).await.expect("stored"));
        receipts.push(controller.send(Close).await.expect("stored"));
    }
    let mut positions = BTreeSet::new();
    let mut replayed = 0;
    for (receipt, expected) in receipts.into_iter().zip(1..) {
        let outcome = in_time("the outcome", receipt.outcome()).await;
        let outcome = outcome.expect("the controller runs");
        assert_eq!(outcome.sequence.get(), expected);
        assert!(outcome.is_accepted(), "{outcome:?}");
        assert!(
            positions.insert(outcome.journal_position),
            "two at {:?}",
            outcome.journal_position
        );
        replayed += u64::from(outcome.is_replayed);
    }
    println!(
        "{} cuts, {replayed} outcomes replayed",
        fixture.cable.cuts()
    );
    assert!(fixture.cable.cuts() > 3 && replayed > 0);
    fixture.assert_counted(2 * ROUNDS, 3 * ROUNDS).await;
    controller.close().await.expect("closed");
    fixture.house.end().await;
}
