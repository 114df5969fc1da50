//! The file of an archived month: fixed bytes, every batch read back, and every changed or missing byte found.

use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::chain::{canonical_bytes, chain_hash, read_batch};
use meterhouse_journal::file_parts::{FileError, LinkPart};
use meterhouse_journal::month::{MonthHeader, MonthTotals, MonthWriter};
use meterhouse_journal::month_reader::{MonthItem, MonthReader};
use meterhouse_journal::record::to_row;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

use crate::{random, samples};

/// A written file has to stay readable: other bytes need another version.
const GOLDEN: &str = include_str!("golden_month.txt");

const HEADER: MonthHeader = MonthHeader {
    identity: [
        0x01, 0x93, 0x5a, 0x1e, 0x7c, 0x11, 0x7b, 0x2a, 0x9d, 0x0e, 0x33, 0x44, 0x55, 0x66, 0x77,
        0x88,
    ],
    period: 24_298,
};

fn batch(link: i32, number: u64, name: &str) -> Batch {
    let recorded = samples::all().into_iter().find(|sample| sample.0 == name);
    Batch {
        link: LinkId(link),
        number,
        at: Timestamp(1_732_190_400_000_000),
        node: "node-a".to_owned(),
        epoch: 1,
        rule_version: 1,
        period: HEADER.period,
        events: vec![to_row(&recorded.unwrap().1)],
        deltas: vec![-270_000, 0, 270_000, 0, 0, 0, 0, 0],
        after: vec![-270_000, -10_000_000_000, 10_000_270_000, 0, 0, 0, 0, 0],
    }
}

/// Two links: one that was opened in the month, and one that is older.
fn items() -> Vec<MonthItem> {
    let names: Vec<&str> = samples::all().iter().map(|sample| sample.0).collect();
    let links = [
        (1, "main", 0, ChainHash::GENESIS),
        (7, "other", 41, ChainHash([0x5a; 32])),
    ];
    let mut items = Vec::new();
    for (link, name, before, hash_before) in links {
        let begin = LinkPart {
            link: LinkId(link),
            name: name.to_owned(),
            before,
            hash_before,
        };
        items.push(MonthItem::Link(begin, 0));
        let mut hash = hash_before;
        for (number, name) in (before + 1..).zip(&names[..2]) {
            let batch = batch(link, number, name);
            hash = chain_hash(hash, &batch);
            items.push(MonthItem::Batch(batch, hash));
        }
    }
    items
}

fn write(items: &[MonthItem]) -> (Vec<u8>, MonthTotals) {
    let mut month = MonthWriter::new(Vec::new(), &HEADER).unwrap();
    for item in items {
        match item {
            MonthItem::Link(link, _) => month.link(link).unwrap(),
            MonthItem::Batch(batch, hash) => month.batch(batch, *hash).unwrap(),
            MonthItem::End(_) => {}
        }
    }
    month.finish().unwrap()
}

fn read(bytes: &[u8]) -> Result<Vec<MonthItem>, FileError> {
    let mut month = MonthReader::open(bytes)?;
    let mut items = Vec::new();
    loop {
        let item = month.next_item()?;
        let is_end = matches!(item, MonthItem::End(_));
        items.push(item);
        if is_end {
            return Ok(items);
        }
    }
}

#[test]
fn the_golden_bytes_are_unchanged() {
    let (bytes, totals) = write(&items());
    let actual = hex::encode(&bytes);
    assert_eq!(actual, GOLDEN.trim_end(), "other bytes:\n{actual}");
    let digest: [u8; 32] = Sha256::digest(&bytes).into();
    assert_eq!(totals.file_hash, digest);
    let counts = (totals.links, totals.batches, totals.events, totals.bytes);
    assert_eq!(counts, (2, 4, 4, bytes.len() as u64));
}

#[test]
fn a_file_is_read_back_and_each_link_by_itself() {
    let (bytes, totals) = write(&items());
    let read = read(&bytes).unwrap();
    let without_offsets = |item: &MonthItem| match item {
        MonthItem::Link(link, _) => MonthItem::Link(link.clone(), 0),
        other => other.clone(),
    };
    let mut expected = items();
    expected.push(MonthItem::End(totals));
    let plain: Vec<MonthItem> = read.iter().map(without_offsets).collect();
    assert_eq!(plain, expected);
    let begins = read
        .iter()
        .enumerate()
        .filter_map(|(index, item)| match item {
            MonthItem::Link(_, offset) => Some((index, *offset)),
            _ => None,
        });
    for (index, offset) in begins {
        let rest = &bytes[usize::try_from(offset).unwrap()..];
        let mut month = MonthReader::at_link(rest, HEADER, offset);
        assert_eq!(month.next_item().unwrap(), read[index]);
        assert_eq!(month.next_item().unwrap(), read[index + 1]);
    }
}

/// No shorter file is whole, no longer one is accepted, and each changed bit is found at its batch or before the end.
#[test]
fn every_missing_byte_and_every_changed_bit_is_found() {
    let (bytes, _) = write(&items());
    for length in 0..bytes.len() {
        read(&bytes[..length]).unwrap_err();
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(read(&longer).unwrap_err().what.contains("follow its end"));
    for byte in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[byte] ^= 1 << bit;
            let error = read(&changed).expect_err("a changed bit is found");
            assert!(error.offset <= bytes.len() as u64, "{error}");
        }
    }
}

/// A changed byte of a batch is named with the link, the batch and the offset.
#[test]
fn a_changed_batch_is_named() {
    let (bytes, _) = write(&items());
    let Ok(mut month) = MonthReader::open(&bytes[..]) else {
        panic!("a file")
    };
    month.next_item().unwrap();
    month.next_item().unwrap();
    let mut first = Vec::new();
    canonical_bytes(&batch(1, 1, samples::all()[0].0), &mut first);
    let at = bytes.windows(first.len()).position(|some| some == first);
    let at = at.unwrap();
    let mut changed = bytes;
    changed[at + first.len() - 1] ^= 1;
    let error = read(&changed).unwrap_err();
    assert_eq!(error.batch, Some((LinkId(1), 1)));
    // The batch's first byte and its length are in front of its bytes.
    assert_eq!(error.offset, at as u64 - 5);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_batch_is_read_back(events in proptest::collection::vec(random::recorded(), 1..4), at in any::<i64>()) {
        let mut batch = batch(3, 9, samples::all()[0].0);
        batch.at = Timestamp(at);
        batch.events = events.iter().map(to_row).collect();
        let mut bytes = Vec::new();
        canonical_bytes(&batch, &mut bytes);
        prop_assert_eq!(read_batch(&bytes), Ok(batch));
        prop_assert!(read_batch(&bytes[..bytes.len() - 1]).is_err());
        bytes.push(0);
        prop_assert!(read_batch(&bytes).is_err());
    }
}
