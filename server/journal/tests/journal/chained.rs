//! A batch's hash changes with every change in the batch.

use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::{Batch, ChainHash, EventRow};
use meterhouse_journal::chain::{canonical_bytes, chain_hash};
use meterhouse_journal::record::to_row;
use proptest::collection::vec;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

use crate::random;

/// Makes the value with each of its bytes changed, and the value absent or present instead.
macro_rules! changed {
    ($type:ty, $value:expr) => {
        match $value {
            Some(value) => (0..size_of::<$type>())
                .map(|byte| Some(value ^ (0x55 as $type) << (8 * byte)))
                .chain([None])
                .collect::<Vec<Option<$type>>>(),
            None => vec![Some(0), Some(1)],
        }
    };
}

/// Returns the row with each byte of each column changed, one at a time.
pub(crate) fn changes(row: &EventRow) -> Vec<EventRow> {
    let mut rows = Vec::new();
    let mut push = |change: &dyn Fn(&mut EventRow)| {
        let mut changed = row.clone();
        change(&mut changed);
        rows.push(changed);
    };
    changed!(u32, row.table)
        .iter()
        .for_each(|value| push(&|row| row.table = *value));
    changed!(u64, row.sequence)
        .iter()
        .for_each(|value| push(&|row| row.sequence = *value));
    (0..4).for_each(|byte| push(&|row| row.actor ^= 0x55 << (8 * byte)));
    (0..8).for_each(|bit| push(&|row| row.kind ^= 1 << bit));
    changed!(u8, row.refusal)
        .iter()
        .for_each(|value| push(&|row| row.refusal = *value));
    changed!(u16, row.own_seats)
        .iter()
        .for_each(|value| push(&|row| row.own_seats = *value));
    changed!(u16, row.dealer_seats)
        .iter()
        .for_each(|value| push(&|row| row.dealer_seats = *value));
    for (index, number) in row.numbers.iter().enumerate() {
        changed!(i64, *number)
            .iter()
            .for_each(|value| push(&|row| row.numbers[index] = *value));
    }
    let record = row.record.clone().unwrap_or_default();
    for index in 0..record.len() {
        for mask in [0x01, 0x80, 0xff] {
            push(&|row| row.record.as_mut().unwrap()[index] ^= mask);
        }
    }
    push(&|row| {
        row.record = if row.record.is_some() {
            None
        } else {
            Some(Vec::new())
        }
    });
    push(&|row| row.record.get_or_insert_default().push(0));
    push(&|row| row.record = Some([&record[..], &record[..], &[1]].concat()));
    rows
}

/// Returns the batch with each of its own columns changed, one at a time.
fn head_changes(batch: &Batch) -> Vec<Batch> {
    let mut batches = vec![batch.clone(); 12];
    let [
        link,
        number,
        at,
        node,
        epoch,
        rule_version,
        period,
        deltas,
        after,
        fewer,
        more,
        order,
    ] = batches.as_mut_slice()
    else {
        unreachable!()
    };
    link.link.0 ^= 1;
    number.number ^= 1 << 40;
    at.at.0 ^= 1 << 50;
    node.node.push('0');
    epoch.epoch ^= 1;
    rule_version.rule_version ^= 256;
    period.period ^= 1;
    deltas.deltas[3] ^= 1;
    after.after[3] ^= 1 << 60;
    fewer.events.pop();
    more.events.push(EventRow::default());
    order.deltas.push(0);
    batches
}

fn batch() -> impl Strategy<Value = Batch> {
    (
        vec(random::recorded(), 1..4),
        any::<[i64; 8]>(),
        any::<[i64; 8]>(),
        any::<i64>(),
    )
        .prop_map(|(events, deltas, after, at)| Batch {
            link: LinkId(1),
            number: 77,
            at: Timestamp(at),
            node: "node-1".to_owned(),
            epoch: 2,
            rule_version: 1,
            period: 24_310,
            events: events.iter().map(to_row).collect(),
            deltas: deltas.to_vec(),
            after: after.to_vec(),
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_changed_column_changes_the_hash(batch in batch(), previous in any::<[u8; 32]>()) {
        let hash = chain_hash(ChainHash(previous), &batch);
        for (index, event) in batch.events.iter().enumerate() {
            for changed in changes(event) {
                let mut other = batch.clone();
                other.events[index] = changed;
                prop_assert_ne!(chain_hash(ChainHash(previous), &other), hash);
            }
        }
        for other in head_changes(&batch) {
            prop_assert_ne!(chain_hash(ChainHash(previous), &other), hash);
        }
        for byte in 0..previous.len() {
            let mut other = previous;
            other[byte] ^= 1;
            prop_assert_ne!(chain_hash(ChainHash(other), &batch), hash);
        }
    }

    #[test]
    fn the_hash_covers_the_canonical_bytes(batch in batch(), repeat in 1_usize..200) {
        let mut batch = batch;
        batch.events = batch.events.iter().cycle().take(repeat * 3).cloned().collect();
        let mut bytes = ChainHash::GENESIS.0.to_vec();
        canonical_bytes(&batch, &mut bytes);
        let expected = ChainHash(Sha256::digest(&bytes).into());
        prop_assert_eq!(chain_hash(ChainHash::GENESIS, &batch), expected);
    }
}
