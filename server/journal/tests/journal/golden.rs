//! Fixed bytes: every change of the format fails this test.
//!
//! `golden.txt` holds, for each sample, the canonical bytes of a batch with that one event, and the chain's hash from
//! sample to sample. A written journal has to stay readable: if this test fails, a new version is needed, not new
//! golden bytes. `golden_before.txt` holds the bytes of record version 2 and snapshot format 3, which are still read.

use std::fmt::Write as _;
use std::sync::Arc;

use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_domain::paytable::TableLimits;
use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::chain::{canonical_bytes, chain_hash};
use meterhouse_journal::codec::to_bytes;
use meterhouse_journal::error::JournalError;
use meterhouse_journal::record::{from_row, to_row};
use meterhouse_journal::snapshot::{SNAPSHOT_FORMAT, SNAPSHOT_FORMAT_OLDEST, Snapshot};
use meterhouse_journal::terms::content_hash;

use crate::{sample_commands, sample_terms, samples};

const GOLDEN: &str = include_str!("golden.txt");
const BEFORE: &str = include_str!("golden_before.txt");

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
fn the_golden_bytes_are_unchanged() {
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

/// Returns the bytes with this name in the golden bytes of the previous versions.
fn before(name: &str) -> Option<Vec<u8>> {
    let line = BEFORE.lines().find_map(|line| {
        let (before, bytes) = line.split_once(' ')?;
        (before == name).then_some(bytes)
    })?;
    let bytes = line.split_once(' ').map_or(line, |(bytes, _)| bytes);
    Some(hex::decode(bytes).unwrap())
}

#[test]
fn records_of_the_previous_version_are_read() {
    let mut read = 0;
    for (name, recorded) in samples::all() {
        let mut row = to_row(&recorded);
        if row.record.take().is_none() {
            continue;
        }
        let Some(bytes) = before(name) else { continue };
        let mut without = Vec::new();
        canonical_bytes(&batch(1, row.clone()), &mut without);
        // The record is the last field of a batch with one event: an absent one is four bytes, as is its length.
        row.record = Some(bytes[without.len()..].to_vec());
        assert_eq!(row.record.as_ref().unwrap()[0], 2, "{name}");
        let again = from_row(&row).unwrap_or_else(|error| panic!("{name}: {error}"));
        // A link and a table of the previous version have no limits, no badge or values to ask for, and count no
        // draws and envy. Their wagers are those of the link's paytable.
        match &again.event {
            Event::LinkOpened { terms, .. } => {
                assert_eq!(terms.limits, TableLimits::default());
                assert!(!terms.settings.requires_badge() && !terms.must_accept_values);
                assert!(!terms.counts_draws_and_envy);
            }
            Event::TableJoined(joined) => assert_eq!(joined.bet_on_dealer, None),
            _ => {}
        }
        assert_eq!(
            again.event,
            from_row(&to_row(&again)).unwrap().event,
            "{name}"
        );
        read += 1;
    }
    assert!(read >= 20, "{read} records of version 2 were read");
}

#[test]
fn a_snapshot_of_the_previous_format_is_read() {
    let bytes = before("snapshot").unwrap();
    let snapshot = Snapshot::decode(&bytes).unwrap();
    assert_eq!(snapshot.format, SNAPSHOT_FORMAT_OLDEST);
    assert!(snapshot.state.values_accepted);
    assert_eq!(snapshot.encode(), bytes);
    // The sample has a ceiling, and only the journal holds its meters' paths. Without ceilings a snapshot is the
    // whole state.
    let format = snapshot.format;
    let refused = snapshot.clone().whole();
    assert_eq!(refused, Err(JournalError::SnapshotFormat(format)));
    let mut without = snapshot;
    Arc::make_mut(&mut without.state.terms)
        .settings
        .ceilings
        .clear();
    assert_eq!(without.clone().whole(), Ok(without));
}
