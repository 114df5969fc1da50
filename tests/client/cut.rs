//! Connections that are cut in the middle of answers, again and again: nothing is lost, nothing is counted twice.

use std::collections::BTreeSet;

use meterhouse_client::Close;
use meterhouse_tests::in_time;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::scene::{Scene, coin_in};

const ROUNDS: u64 = 200;
/// Bytes of answers of a connection: the attachment and some outcomes, or some hundred.
const BYTES: std::ops::Range<usize> = 200..6_000;
/// The way of the cuts; printed where the test fails.
const SEED: u64 = 657;

/// Commands keep coming while every connection is cut somewhere.
#[tokio::test(flavor = "multi_thread")]
async fn cuts_lose_and_double_nothing() {
    println!("seed {SEED}");
    let scene = Scene::open().await;
    let (controller, _outcomes) = scene.controller().await;
    let mut rng = StdRng::seed_from_u64(SEED);
    scene.cable.cut(move || Some(rng.random_range(BYTES)));
    scene.cable.plug_in();
    let mut kept = Vec::new();
    for _ in 0..ROUNDS {
        kept.push(controller.send(coin_in(&[1, 3, 5])).await.expect("kept"));
        kept.push(controller.send(Close).await.expect("kept"));
    }
    let mut places = BTreeSet::new();
    let mut replayed = 0;
    for (kept, expected) in kept.into_iter().zip(1..) {
        let outcome = in_time("the outcome", kept.outcome()).await;
        let outcome = outcome.expect("it plays");
        assert_eq!(outcome.sequence.get(), expected);
        assert!(outcome.is_accepted(), "{outcome:?}");
        assert!(places.insert(outcome.place), "two at {:?}", outcome.place);
        replayed += u64::from(outcome.is_replayed);
    }
    println!(
        "{} cuts, {replayed} outcomes told again",
        scene.cable.cuts()
    );
    assert!(scene.cable.cuts() > 3 && replayed > 0);
    scene.counted(2 * ROUNDS, 3 * ROUNDS).await;
    controller.close().await.expect("closed");
    scene.house.end().await;
}
