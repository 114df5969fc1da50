//! An export as somebody changes it who knows the forms, with the key or without.

use std::fmt::Write as _;

use meterhouse_domain::event::Event;
use meterhouse_domain::ids::Timestamp;
use meterhouse_domain::money::Money;
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::chain::chain_hash;
use meterhouse_journal::export::{ExportHeader, ExportItem, ExportWriter};
use meterhouse_journal::export_reader::ExportReader;
use meterhouse_journal::record::{from_row, to_row};
use meterhouse_journal::tree::Peaks;
use meterhouse_journal::tree_head::{SignedHead, SigningKey};

/// The parts of a file.
#[derive(Clone)]
pub(crate) struct Export {
    header: ExportHeader,
    items: Vec<ExportItem>,
}

impl Export {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let mut file = ExportReader::open(bytes).expect("an export");
        let mut items = Vec::new();
        loop {
            let item = file.next_item().expect("a part");
            if matches!(item, ExportItem::End(_)) {
                let header = file.header().clone();
                return Self { header, items };
            }
            items.push(item);
        }
    }

    /// Returns the number of the batch with the hit.
    pub(crate) fn batch_of_hit(&self) -> u64 {
        let mut batches = self.items.iter().filter_map(|item| match item {
            ExportItem::Batch(batch, _) => Some(batch),
            _ => None,
        });
        let is_hit =
            |event: &_| from_row(event).is_ok_and(|one| matches!(one.event, Event::HitRecorded(_)));
        let found = batches.find(|batch| batch.events.iter().any(is_hit));
        found.expect("a hit").number
    }

    /// The winner gets a cent more than the rules gave.
    pub(crate) fn with_a_cent_more(&self) -> Self {
        let mut changed = self.clone();
        let number = self.batch_of_hit();
        for item in &mut changed.items {
            let ExportItem::Batch(batch, _) = item else {
                continue;
            };
            if batch.number != number {
                continue;
            }
            let mut recorded = from_row(&batch.events[0]).expect("an event");
            let Event::HitRecorded(hit) = &mut recorded.event else {
                panic!("a hit stands alone in its batch");
            };
            let cent = Money::from_micros(10_000);
            hit.payouts[0].amount = hit.payouts[0].amount.plus(cent).expect("an amount");
            batch.events[0] = to_row(&recorded);
        }
        changed
    }

    /// Another node is said to have committed the first batch: no rule looks at that.
    pub(crate) fn with_another_node(&self) -> Self {
        let mut changed = self.clone();
        for item in &mut changed.items {
            if let ExportItem::Batch(batch, _) = item
                && batch.number == 1
            {
                "another".clone_into(&mut batch.node);
            }
        }
        changed
    }

    /// The last batches are left out, with their heads.
    pub(crate) fn without_end(&self, count: u64) -> Self {
        let mut changed = self.clone();
        let last = changed
            .items
            .iter()
            .filter_map(batch_number)
            .max()
            .expect("a batch");
        changed.items.retain(|item| match item {
            ExportItem::Batch(batch, _) => batch.number <= last - count,
            ExportItem::Head(signed) => {
                signed.head.link.0 == 0 || signed.head.batch <= last - count
            }
            _ => true,
        });
        changed
    }

    /// All heads of the link are left out.
    pub(crate) fn without_heads(&self) -> Self {
        let mut changed = self.clone();
        let is_of_link =
            |item: &ExportItem| matches!(item, ExportItem::Head(signed) if signed.head.link.0 != 0);
        changed.items.retain(|item| !is_of_link(item));
        changed
    }

    /// The file says that it was written so many microseconds after the newest part of its link. The house may be newer.
    pub(crate) fn written_later(&self, micros: i64) -> Self {
        let mut changed = self.clone();
        let times = changed.items.iter().filter_map(|item| match item {
            ExportItem::Head(signed) if signed.head.link.0 != 0 => Some(signed.head.at),
            ExportItem::Batch(batch, _) => Some(batch.at),
            _ => None,
        });
        let newest = times.max().expect("a part");
        changed.header.at = Timestamp(newest.0 + micros);
        changed
    }

    /// Writes the file with all hashes made again, and with the heads signed again if there is a key.
    pub(crate) fn written(&self, key: Option<&SigningKey>) -> Vec<u8> {
        let mut file = ExportWriter::new(Vec::new(), &self.header).expect("a file");
        let (mut hash, mut tree) = (ChainHash::GENESIS, Peaks::default());
        let mut previous: Option<SignedHead> = None;
        for item in &self.items {
            match item {
                ExportItem::HouseEntry(entry, stored) => {
                    hash = *stored;
                    tree.push(hash, |_, _| ());
                    file.house_entry(entry, hash)
                }
                ExportItem::Head(signed) => {
                    let mut signed = signed.clone();
                    if let Some(key) = key {
                        let mut head = signed.head;
                        head.chain_hash = hash;
                        head.root = tree.root();
                        head.previous =
                            previous.map_or(head.previous, |previous| previous.head.hash());
                        signed = key.sign_head(head);
                    }
                    previous = Some(signed.clone());
                    file.head(&signed)
                }
                ExportItem::Link(link) => {
                    (hash, tree, previous) = (ChainHash::GENESIS, Peaks::default(), None);
                    file.link(link)
                }
                ExportItem::Start(start) => file.start(start),
                ExportItem::Batch(batch, _) => {
                    hash = chain_hash(hash, batch);
                    tree.push(hash, |_, _| ());
                    file.batch(batch, hash)
                }
                ExportItem::End(_) => Ok(()),
            }
            .expect("a part is written");
        }
        file.finish().expect("a file").0
    }

    /// Returns the heads as a witness keeps them.
    pub(crate) fn heads_as_lines(&self) -> String {
        let mut lines = String::new();
        for item in &self.items {
            let ExportItem::Head(signed) = item else {
                continue;
            };
            let line = serde_json::json!({
                "bytes": hex::encode(signed.head.bytes()),
                "public_key": signed.key.to_string(),
                "signature": hex::encode(signed.signature),
            });
            writeln!(lines, "{line}").expect("a text grows");
        }
        lines
    }
}

fn batch_number(item: &ExportItem) -> Option<u64> {
    match item {
        ExportItem::Batch(batch, _) => Some(batch.number),
        _ => None,
    }
}
