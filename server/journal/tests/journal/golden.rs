//! The bytes themselves: a change of the format can't pass unnoticed.
//!
//! `golden.txt` holds, for each sample, the canonical bytes of a batch with that one event, and the chain's
//! hash from sample to sample. A journal that was written once has to be readable for ever: where this test
//! fails, a new version is needed, not new golden bytes.

use std::fmt::Write as _;

use meterhouse_domain::name::{LinkId, Timestamp};
use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::chain::{canonical_bytes, chain_hash};
use meterhouse_journal::codec::to_bytes;
use meterhouse_journal::record::{from_row, to_row};
use meterhouse_journal::snapshot::{SNAPSHOT_FORMAT, Snapshot};
use meterhouse_journal::terms::content_hash;

use crate::{sample_commands, sample_terms, samples};

const GOLDEN: &str = include_str!("golden.txt");

fn batch(number: u64, event: meterhouse_journal::batch::EventRow) -> Batch {
    Batch {
        link: LinkId(1),
        number,
        at: Timestamp(1_732_190_400_000_000),
        node: "node-a".to_owned(),
        epoch: 1,
        rule_version: 1,
        period: 24_298,
        events: vec![event],
        deltas: vec![-270_000, 0, 270_000, 0, 0, 0, 0, 0],
        after: vec![-270_000, -10_000_000_000, 10_000_270_000, 0, 0, 0, 0, 0],
    }
}

fn snapshot(chain_hash: ChainHash) -> Snapshot {
    let state = sample_terms::state();
    Snapshot {
        format: SNAPSHOT_FORMAT,
        batch: 20,
        chain_hash,
        epoch: 1,
        period: 24_298,
        state,
    }
}

#[test]
fn the_format_stands() {
    let mut actual = String::new();
    let mut hash = ChainHash::GENESIS;
    for (number, (name, recorded)) in (1..).zip(samples::all()) {
        let row = to_row(&recorded);
        assert_eq!(from_row(&row), Ok(recorded), "{name}");
        let batch = batch(number, row);
        let mut bytes = Vec::new();
        canonical_bytes(&batch, &mut bytes);
        hash = chain_hash(hash, &batch);
        writeln!(actual, "{name} {} {hash}", hex::encode(bytes)).unwrap();
    }
    for (name, command) in sample_commands::commands() {
        writeln!(actual, "{name} {}", hex::encode(to_bytes(&command))).unwrap();
    }
    writeln!(
        actual,
        "content {}",
        hex::encode(content_hash(&sample_terms::content()))
    )
    .unwrap();
    writeln!(actual, "snapshot {}", hex::encode(snapshot(hash).encode())).unwrap();
    assert_eq!(
        actual, GOLDEN,
        "the bytes of the journal have changed:\n{actual}"
    );
}
