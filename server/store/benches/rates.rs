//! Rates of commits and reads on a real Postgres: `cargo bench -p meterhouse-store`.
#![expect(clippy::unwrap_used, reason = "a measurement that fails says where")]

use std::time::Instant;

use meterhouse_store::verify::pieces::{NoArchive, Piece};
use meterhouse_store::{Commit, StoreError};

use common::{CommitOne as _, World, after, coin_ins, following, open};

#[path = "../tests/store/common.rs"]
#[expect(dead_code, reason = "the tests need more of it")]
mod common;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let world = World::new().await;
    let store = world.store().await;
    let (link, mut head) = open(&store, "main").await;
    let mut journal = store.journal(link);
    let mut sequence = 1;
    for (size, batches) in [(1_u64, 2_000_u32), (64, 2_000), (512, 600), (1_024, 1_500)] {
        let mut writing = std::time::Duration::ZERO;
        for _ in 0..batches {
            let new = following(link, &head, coin_ins(1, sequence, size));
            let start = Instant::now();
            let commit = journal.commit_one(&new).await;
            writing += start.elapsed();
            assert!(matches!(commit, Commit::Committed), "{commit:?}");
            head = after(&new);
            sequence += size;
        }
        let micros = writing.as_micros().max(1);
        let rate = u128::from(size) * u128::from(batches) * 1_000_000 / micros;
        println!(
            "{size} events a batch: {rate} events/s, {} µs a batch",
            micros / u128::from(batches)
        );
    }
    world.run_as_admin("VACUUM ANALYZE").await.unwrap();
    for _ in 0..3 {
        let start = Instant::now();
        let mut events = 0_u128;
        let mut view = store.view_link(link).await.unwrap();
        let mut archive = NoArchive;
        let read = view.for_each_batch(&mut archive, |piece| {
            if let Piece::Batch(stored) = piece {
                events += stored.batch.events.len() as u128;
            }
            Ok::<_, StoreError>(())
        });
        read.await.unwrap();
        let micros = start.elapsed().as_micros().max(1);
        println!(
            "copied {events} events: {} rows/s",
            events * 1_000_000 / micros
        );
    }
}
