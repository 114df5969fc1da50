//! The file of an export: fixed bytes, every part read back, and every changed or missing byte found.

use meterhouse_domain::ids::{ActorId, LinkId, Timestamp};
use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::chain::chain_hash;
use meterhouse_journal::export::{
    ExportHeader, ExportItem, ExportStart, ExportTotals, ExportWriter,
};
use meterhouse_journal::export_reader::ExportReader;
use meterhouse_journal::file_parts::{FileError, LinkPart};
use meterhouse_journal::house::{HouseEntry, HouseFact};
use meterhouse_journal::record::to_row;
use meterhouse_journal::tree::Peaks;
use meterhouse_journal::tree_head::{HOUSE, SigningKey, TreeHead};
use sha2::{Digest, Sha256};

use crate::samples;

/// A written file has to stay readable: other bytes need another version.
const GOLDEN: &str = include_str!("golden_export.txt");
const AT: Timestamp = Timestamp(1_732_190_400_000_000);
const IDENTITY: [u8; 16] = [0x5a; 16];

fn header() -> ExportHeader {
    ExportHeader {
        identity: IDENTITY,
        at: AT,
        until: Some(Timestamp(AT.0 + 1)),
        program: "meterhouse 0.2.0".to_owned(),
    }
}

fn head(link: LinkId, name: &str, batch: u64, chain_hash: ChainHash, tree: &Peaks) -> ExportItem {
    ExportItem::Head(SigningKey::new(&[9; 32]).sign_head(TreeHead {
        identity: IDENTITY,
        link,
        name: name.to_owned(),
        number: 1,
        previous: [0; 32],
        batch,
        chain_hash,
        root: tree.root(),
        at: AT,
    }))
}

/// Two entries of the house, a link from a batch on, two batches, heads of both chains.
fn items(before: u64) -> Vec<ExportItem> {
    let mut items = Vec::new();
    let (mut hash, mut tree) = (ChainHash::GENESIS, Peaks::default());
    for number in 1..=2 {
        let fact = HouseFact::Token {
            token: [7; 32],
            actor: ActorId(2),
            created_at: AT,
            expires_at: None,
        };
        let (at, kind, body) = (AT, fact.kind(), fact.body(false));
        let entry = HouseEntry {
            number,
            at,
            kind,
            body,
        };
        hash = entry.hash(hash);
        tree.push(hash, |_, _| ());
        items.push(ExportItem::HouseEntry(entry, hash));
    }
    items.push(head(HOUSE, "", 2, hash, &tree));
    let (mut hash, mut tree) = (ChainHash::GENESIS, Peaks::default());
    if before > 0 {
        hash = ChainHash([0x5a; 32]);
        (0..before).for_each(|_| tree.push(hash, |_, _| ()));
    }
    items.push(ExportItem::Link(LinkPart {
        link: LinkId(1),
        name: "main".to_owned(),
        before,
        hash_before: hash,
    }));
    if before > 0 {
        let (snapshot, peaks) = (vec![1, 2, 3], tree.nodes().to_vec());
        items.push(ExportItem::Start(ExportStart { snapshot, peaks }));
    }
    let samples = samples::all();
    for (number, sample) in (before + 1..).zip(&samples[..2]) {
        let batch = Batch {
            link: LinkId(1),
            number,
            at: AT,
            node: "node-a".to_owned(),
            epoch: 1,
            rule_version: 1,
            period: 24_298,
            events: vec![to_row(&sample.1)],
            deltas: vec![-270_000, 0, 270_000, 0, 0, 0, 0, 0],
            after: vec![-270_000, -10_000_000_000, 10_000_270_000, 0, 0, 0, 0, 0],
        };
        hash = chain_hash(hash, &batch);
        tree.push(hash, |_, _| ());
        items.push(ExportItem::Batch(batch, hash));
    }
    items.push(head(LinkId(1), "main", before + 2, hash, &tree));
    items
}

fn write(items: &[ExportItem]) -> (Vec<u8>, ExportTotals) {
    let mut file = ExportWriter::new(Vec::new(), &header()).unwrap();
    for item in items {
        match item {
            ExportItem::HouseEntry(entry, hash) => file.house_entry(entry, *hash).unwrap(),
            ExportItem::Head(signed) => file.head(signed).unwrap(),
            ExportItem::Link(link) => file.link(link).unwrap(),
            ExportItem::Start(start) => file.start(start).unwrap(),
            ExportItem::Batch(batch, hash) => file.batch(batch, *hash).unwrap(),
            ExportItem::End(_) => {}
        }
    }
    file.finish().unwrap()
}

fn read(bytes: &[u8]) -> Result<Vec<ExportItem>, FileError> {
    let mut file = ExportReader::open(bytes)?;
    assert_eq!(file.header().identity.len(), 16);
    let mut items = Vec::new();
    loop {
        let item = file.next_item()?;
        let is_end = matches!(item, ExportItem::End(_));
        items.push(item);
        if is_end {
            return Ok(items);
        }
    }
}

#[test]
fn the_golden_bytes_are_unchanged() {
    let (bytes, totals) = write(&items(41));
    let actual = hex::encode(&bytes);
    assert_eq!(actual, GOLDEN.trim_end(), "other bytes:\n{actual}");
    let digest: [u8; 32] = Sha256::digest(&bytes).into();
    assert_eq!(totals.file_hash, digest);
    let counts = (totals.house_entries, totals.heads, totals.batches);
    assert_eq!((counts, totals.events), ((2, 2, 2), 2));
}

#[test]
fn every_part_is_read_back() {
    for before in [0, 41] {
        let (bytes, totals) = write(&items(before));
        let mut expected = items(before);
        expected.push(ExportItem::End(totals));
        assert_eq!(read(&bytes).unwrap(), expected);
    }
}

/// A link that begins behind batch 1 has its state, and a link that begins with it has none.
#[test]
fn parts_in_another_order_are_refused() {
    let of = |items: Vec<ExportItem>| read(&write(&items).0);
    for before in [0, 41] {
        for left_out in 0..items(before).len() {
            let mut fewer = items(before);
            let item = fewer.remove(left_out);
            let last_of_chain = left_out == 1 || left_out + 2 == items(before).len();
            let may_miss = matches!(item, ExportItem::Head(_)) || last_of_chain;
            assert_eq!(of(fewer).is_ok(), may_miss, "{item:?}");
        }
    }
    let mut twice = items(0);
    twice.push(twice[3].clone());
    of(twice).unwrap_err();
}

#[test]
fn every_missing_byte_and_every_changed_bit_is_found() {
    let (bytes, _) = write(&items(41));
    for length in 0..bytes.len() {
        read(&bytes[..length]).unwrap_err();
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(read(&longer).unwrap_err().what.contains("follow its end"));
    for bit in 0..bytes.len() * 8 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        read(&changed).expect_err("a changed bit is found");
    }
}
