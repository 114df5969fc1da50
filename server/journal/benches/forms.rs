//! How fast events are written, read and chained: `cargo bench -p meterhouse-journal`.
//!
//! Each figure is of a batch of 1,024 events of one kind.

#![expect(clippy::unwrap_used, reason = "a measurement that fails says where")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use meterhouse_domain::event::Recorded;
use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::{Batch, ChainHash, EventRow};
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
#[path = "../tests/journal/sample_wagers.rs"]
mod sample_wagers;
#[path = "../tests/journal/samples.rs"]
mod samples;

/// Events of a batch.
const ROWS: usize = 1_024;

fn forms(criterion: &mut Criterion) {
    for name in ["coin-in", "coin-in-with-record", "hit-recorded"] {
        let recorded: Vec<Recorded> = vec![samples::named(name); ROWS];
        let rows = || -> Vec<EventRow> { recorded.iter().map(to_row).collect() };
        let batch = Batch {
            link: LinkId(1),
            number: 1,
            at: Timestamp(1_732_190_400_000_000),
            node: "node-a".to_owned(),
            epoch: 1,
            rule_version: 1,
            period: 24_298,
            events: rows(),
            deltas: vec![0; 32],
            after: vec![0; 32],
        };
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(ROWS as u64));
        group.bench_function("to_row", |bencher| bencher.iter(|| black_box(rows())));
        group.bench_function("chain_hash", |bencher| {
            bencher.iter(|| chain_hash(ChainHash::GENESIS, black_box(&batch)));
        });
        group.bench_function("from_row", |bencher| {
            bencher.iter(|| {
                for row in &batch.events {
                    black_box(from_row(black_box(row)).unwrap());
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, forms);
criterion_main!(benches);
