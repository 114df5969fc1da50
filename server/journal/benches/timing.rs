//! How fast the hot path is: `cargo bench -p meterhouse-journal`.
#![expect(clippy::unwrap_used, reason = "a measurement that fails says where")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use meterhouse_domain::event::Recorded;
use meterhouse_domain::name::{LinkId, Timestamp};
use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::chain::chain_hash;
use meterhouse_journal::record::{from_row, to_row};

#[path = "../tests/journal/sample_changes.rs"]
mod sample_changes;
#[path = "../tests/journal/sample_commands.rs"]
#[expect(dead_code, reason = "the tests need more of them")]
mod sample_commands;
#[path = "../tests/journal/sample_terms.rs"]
#[expect(dead_code, reason = "the tests need more of them")]
mod sample_terms;
#[path = "../tests/journal/samples.rs"]
mod samples;

const BATCHES: u32 = 2_000;
const ROWS: usize = 1_024;

fn report(what: &str, mut run: impl FnMut()) {
    run();
    let begun = Instant::now();
    (0..BATCHES).for_each(|_| run());
    let taken = begun.elapsed();
    let each = taken / BATCHES / u32::try_from(ROWS).unwrap();
    let second = Duration::from_secs(1).as_nanos();
    println!(
        "{what}: {each:?} a row, {} rows/s",
        second / each.as_nanos().max(1)
    );
}

fn measure(name: &str) {
    let recorded: Vec<Recorded> = vec![samples::named(name); ROWS];
    let mut batch = Batch {
        link: LinkId(1),
        number: 1,
        at: Timestamp(1_732_190_400_000_000),
        node: "node-a".to_owned(),
        epoch: 1,
        rule_version: 1,
        period: 24_298,
        events: recorded.iter().map(to_row).collect(),
        deltas: vec![0; 32],
        after: vec![0; 32],
    };
    let mut hash = ChainHash::GENESIS;
    report(&format!("{name}: to_row"), || {
        batch.events.clear();
        batch
            .events
            .extend(recorded.iter().map(|it| to_row(black_box(it))));
    });
    report(&format!("{name}: chain_hash"), || {
        hash = chain_hash(hash, black_box(&batch));
    });
    report(&format!("{name}: to_row and chain_hash"), || {
        batch.events.clear();
        batch
            .events
            .extend(recorded.iter().map(|it| to_row(black_box(it))));
        hash = chain_hash(hash, black_box(&batch));
    });
    report(&format!("{name}: from_row"), || {
        for row in &batch.events {
            black_box(from_row(black_box(row)).unwrap());
        }
    });
}

fn main() {
    measure("coin-in");
    measure("coin-in-with-record");
    measure("hit-recorded");
}
