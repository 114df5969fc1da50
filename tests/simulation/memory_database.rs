//! A database in memory for one link, on which [`crate::faulty_journal`] simulates faults.
//!
//! # Shape
//! The state is the head with its lock, the batches, hits, marks and snapshots. A commit statement writes everything, or
//! nothing if the head is at another batch. A sent statement that has not run yet is in `in_flight`.
//!
//! # Failures
//! A batch that Postgres would refuse: another number or hash, an earlier period or epoch, or a mark that is already there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use meterhouse_domain::RULE_VERSION;
use meterhouse_domain::apply::{apply, opened};
use meterhouse_domain::decide::open;
use meterhouse_domain::event::{Event, Origin, Recorded};
use meterhouse_domain::ids::{ActorId, HitId, LinkId, Timestamp};
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_domain::state::LinkState;
use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::chain::chain_hash;
use meterhouse_journal::hit::{HitBook, HitRow};
use meterhouse_journal::record::{from_row, to_row};
use meterhouse_store::{FoundCommand, Head, NewBatch, StoredBatch, StoredSnapshot};

/// Number of batches that are read with an old command.
const FOUND_BATCHES: usize = 3;

/// The link of the database.
pub(crate) const LINK: LinkId = LinkId(1);
/// The time of its opening: the first of January 2030.
pub(crate) const OPENED_AT: Timestamp = Timestamp(1_893_456_000_000_000);
/// The month of [`OPENED_AT`].
pub(crate) const OPENED_IN: i32 = 12 * 2_030;
const EPOCH: i64 = 1;

/// The database of one link, which all its nodes share.
#[derive(Clone)]
pub(crate) struct MemoryDatabase {
    /// The lock of the head's row.
    pub(crate) head_lock: Arc<tokio::sync::Mutex<()>>,
    state: Arc<Mutex<DatabaseState>>,
}

/// The state of the database.
pub(crate) struct DatabaseState {
    pub(crate) head: Head,
    pub(crate) batches: Vec<StoredBatch>,
    pub(crate) hits: BTreeMap<HitId, HitRow>,
    pub(crate) snapshots: Vec<StoredSnapshot>,
    /// Sent statements that have not run yet, by number.
    pub(crate) in_flight: BTreeMap<u64, NewBatch>,
    /// Number of statements that were sent.
    sent: u64,
    marks: BTreeMap<(u32, u64), (u64, u32)>,
}

impl MemoryDatabase {
    /// Returns a database with a new link.
    pub(crate) fn open(terms: LinkTerms) -> Self {
        let event = open(terms).expect("valid terms");
        let Event::LinkOpened { terms, moves } = &event else {
            panic!("the first event opens the link")
        };
        let after = flat(&opened(terms, moves).expect("the shares are exact"));
        let recorded = Recorded {
            origin: Origin::Person,
            actor: ActorId(1),
            by: None,
            device_time: None,
            event,
        };
        let batch = Batch {
            link: LINK,
            number: 1,
            at: OPENED_AT,
            node: "opening".to_owned(),
            epoch: EPOCH,
            rule_version: RULE_VERSION,
            period: OPENED_IN,
            events: vec![to_row(&recorded)],
            deltas: after.clone(),
            after,
        };
        let hash = chain_hash(ChainHash::GENESIS, &batch);
        let state = DatabaseState {
            head: Head {
                batch: 1,
                epoch: EPOCH,
                chain_hash: hash,
                period: OPENED_IN,
            },
            batches: vec![StoredBatch {
                batch,
                chain_hash: hash,
            }],
            hits: BTreeMap::new(),
            snapshots: Vec::new(),
            in_flight: BTreeMap::new(),
            sent: 0,
            marks: BTreeMap::new(),
        };
        Self {
            head_lock: Arc::default(),
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// Locks the state. No caller awaits while holding the lock.
    pub(crate) fn state(&self) -> MutexGuard<'_, DatabaseState> {
        self.state.lock().expect("not poisoned")
    }
}

impl DatabaseState {
    /// Sends a statement. Returns its number.
    pub(crate) fn send(&mut self, new: &NewBatch) -> u64 {
        self.sent += 1;
        self.in_flight.insert(self.sent, new.clone());
        self.sent
    }

    /// Runs a sent statement. Returns `true` if the statement moved the head.
    pub(crate) fn run(&mut self, number: u64) -> bool {
        let new = self.in_flight.remove(&number);
        new.is_some_and(|new| self.fits(&new) && self.write(new))
    }

    /// Returns `true` if a statement would move the head now.
    pub(crate) fn fits(&self, new: &NewBatch) -> bool {
        new.batch.number == self.head.batch + 1
            && new.batch.epoch == self.head.epoch
            && new.previous_hash == self.head.chain_hash
    }

    /// Returns `true` if exactly this batch is in the journal.
    pub(crate) fn holds(&self, new: &NewBatch) -> bool {
        self.batches
            .iter()
            .any(|stored| stored.chain_hash == new.chain_hash)
    }

    fn write(&mut self, new: NewBatch) -> bool {
        let batch = new.batch;
        assert!(!batch.events.is_empty(), "an empty batch");
        assert!(batch.period >= self.head.period, "the period goes back");
        assert_eq!(
            chain_hash(new.previous_hash, &batch),
            new.chain_hash,
            "another hash"
        );
        for mark in &new.marks {
            let position = (batch.number, mark.position);
            let before = self.marks.insert((mark.table, mark.sequence), position);
            assert_eq!(before, None, "a mark twice");
        }
        self.head = Head {
            batch: batch.number,
            epoch: batch.epoch,
            chain_hash: new.chain_hash,
            period: batch.period,
        };
        self.hits
            .extend(new.hits.into_iter().map(|row| (row.id(), row)));
        self.batches.push(StoredBatch {
            batch,
            chain_hash: new.chain_hash,
        });
        true
    }

    /// Finds an old command in the way of the store: by reading from the mark before the command.
    pub(crate) fn find(&self, table: u32, sequence: u64) -> Option<FoundCommand> {
        let mark = self.marks.range(..=(table, sequence)).next_back();
        let from = mark
            .filter(|(key, _)| key.0 == table)
            .map(|(_, position)| position.0)?;
        let first = usize::try_from(from).ok()?.checked_sub(1)?;
        (first..self.batches.len()).find_map(|index| {
            let wanted = (Some(table), Some(sequence));
            let mut events = self.batches[index].batch.events.iter();
            let position = events.position(|row| (row.table, row.sequence) == wanted)?;
            let batches = self.batches[index..].iter().take(FOUND_BATCHES);
            Some(FoundCommand {
                batches: batches.cloned().collect(),
                position,
            })
        })
    }

    /// Returns `true` if a command is in the journal, or in a sent statement that may still be committed.
    pub(crate) fn may_hold(&self, table: u32, sequence: u64) -> bool {
        let holds = |batch: &Batch| {
            let mut events = batch.events.iter();
            events.any(|row| (row.table, row.sequence) == (Some(table), Some(sequence)))
        };
        self.batches.iter().any(|stored| holds(&stored.batch))
            || self
                .in_flight
                .values()
                .any(|new| self.fits(new) && holds(&new.batch))
    }

    /// Replays the journal. Asserts numbers, hashes, balances and hits, and that each sequence of a table is there once, in
    /// order.
    pub(crate) fn assert_consistent(&self) {
        let mut hash = ChainHash::GENESIS;
        let mut state: Option<LinkState> = None;
        let mut book = HitBook::default();
        let mut last = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut fence = (i32::MIN, i64::MIN);
        for (number, stored) in (1..).zip(&self.batches) {
            let batch = &stored.batch;
            assert_eq!(batch.number, number);
            assert_eq!(chain_hash(hash, batch), stored.chain_hash, "batch {number}");
            assert!(
                fence.0 <= batch.period && fence.1 <= batch.epoch,
                "batch {number}"
            );
            (hash, fence) = (stored.chain_hash, (batch.period, batch.epoch));
            for row in &batch.events {
                let recorded = from_row(row).expect("a valid row");
                if let Origin::Table { table, sequence } = recorded.origin {
                    assert!(seen.insert((table, sequence)), "{table}.{sequence} twice");
                    let before = last.insert(table, sequence.0).unwrap_or(0);
                    assert_eq!(before + 1, sequence.0, "a gap at table {table}");
                }
                book.apply(batch.at, &recorded).expect("a recorded hit");
                match (&mut state, &recorded.event) {
                    (None, Event::LinkOpened { terms, moves }) => state = opened(terms, moves),
                    (Some(state), _) => apply(state, &recorded, batch.at),
                    (None, _) => panic!("the first event opens the link"),
                }
            }
            let state = state.as_ref().expect("an opened link");
            assert_eq!(state.fault, None);
            assert_eq!(flat(state), batch.after, "batch {number}");
        }
        assert_eq!(hash, self.head.chain_hash);
        assert_eq!(&self.hits, book.rows());
    }
}

fn flat(state: &LinkState) -> Vec<i64> {
    state
        .balances
        .iter()
        .flat_map(|book| book.0.map(Money::micros))
        .collect()
}
