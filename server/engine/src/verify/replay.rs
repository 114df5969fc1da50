//! The replay of a link's journal: checks each batch, decides each event again and applies it.

use meterhouse_journal::position::Position;
use std::collections::{BTreeMap, VecDeque};

use meterhouse_domain::RULE_VERSION;
use meterhouse_domain::apply::{apply, opened};
use meterhouse_domain::command::{Command, Envelope};
use meterhouse_domain::decide::{Decision, Inputs, Stop, decide, open};
use meterhouse_domain::draw::draws_anything;
use meterhouse_domain::event::{Draws, Event, Origin, Recorded};
use meterhouse_domain::ids::{LinkName, Timestamp};
use meterhouse_domain::repeat::{person_command_of, table_command_of};
use meterhouse_domain::state::LinkState;
use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::chain::chain_hash;
use meterhouse_journal::error::JournalError;
use meterhouse_journal::hit::{HitBook, ProjectError};
use meterhouse_journal::record::from_row;
use meterhouse_journal::snapshot::Snapshot;
use meterhouse_store::verify::MarkRow;
use meterhouse_store::verify::pieces::Piece;
use meterhouse_store::{Head, StoredBatch, StoredCheckpoint, TreeChain};

use crate::archive::ArchivedFacts;
use crate::committer::draft::{MARK_DISTANCE, may_clear_fault};
use crate::committer::replica::flat_balances;

use super::applied::{self};
use super::link_report::{FINDINGS_MAX, LinkReport};
use super::signed::{ChainCheck, HeadsReport};

/// The rows that a journal's events make in the database.
#[derive(Default)]
pub(super) struct ExpectedRows {
    pub(super) book: HitBook,
    pub(super) marks: Vec<MarkRow>,
}

impl ExpectedRows {
    /// Adds what an event makes.
    fn add(
        &mut self,
        batch: &Batch,
        position: usize,
        recorded: &Recorded,
    ) -> Result<(), ProjectError> {
        if let Origin::Table { table, sequence } = recorded.origin
            && sequence.0 % MARK_DISTANCE == 1
        {
            let index = u32::try_from(position).unwrap_or(u32::MAX);
            self.marks.push(MarkRow {
                table: table.0,
                sequence: sequence.0,
                period: batch.period,
                position: Position {
                    batch: batch.number,
                    index,
                },
            });
        }
        self.book.apply(batch.at, recorded)
    }
}

/// A replay under way.
pub(super) struct Replay {
    pub(super) report: LinkReport,
    pub(super) decide_again: bool,
    pub(super) state: Option<LinkState>,
    pub(super) head: Head,
    /// The rows that the database has in addition to the journal; `None` for a file, which has no such rows.
    pub(super) rows: Option<ExpectedRows>,
    pub(super) snapshots: BTreeMap<u64, Vec<u8>>,
    pub(super) checkpoints: VecDeque<StoredCheckpoint>,
    /// The number and the hash of the newest checkpoint.
    pub(super) checkpoint: (u64, ChainHash),
    /// The first batch that could not be replayed unchanged. Later findings may follow from it.
    pub(super) broken_at: Option<u64>,
    /// The chain's tree with the stored heads; `None` for a file, whose heads are its own parts.
    pub(super) signed: Option<(TreeChain, ChainCheck)>,
    /// The facts of the events so far, and those stored with archived months, by batch.
    pub(super) facts: ArchivedFacts,
    pub(super) archived_facts: BTreeMap<u64, ArchivedFacts>,
    /// `true` if the file of an archived month could not be read to its end.
    pub(super) is_cut: bool,
}

impl Replay {
    pub(super) fn new(link: LinkName, decide_again: bool) -> Self {
        Self {
            report: LinkReport {
                link,
                batches: 0,
                events: 0,
                refusals: 0,
                hits: 0,
                decided: 0,
                applied: Vec::new(),
                archived: Vec::new(),
                unread: Vec::new(),
                chain_hash: ChainHash::GENESIS,
                heads: HeadsReport::default(),
                days: 0,
                days_unread: 0,
                end: None,
                findings: Vec::new(),
                more_findings: 0,
            },
            decide_again,
            state: None,
            head: Head {
                batch: 0,
                epoch: 0,
                chain_hash: ChainHash::GENESIS,
                period: i32::MIN,
            },
            rows: None,
            signed: None,
            snapshots: BTreeMap::new(),
            checkpoints: VecDeque::new(),
            checkpoint: (0, ChainHash::GENESIS),
            broken_at: None,
            facts: ArchivedFacts::default(),
            archived_facts: BTreeMap::new(),
            is_cut: false,
        }
    }

    pub(super) fn find(&mut self, what: String) {
        if self.report.findings.len() < FINDINGS_MAX {
            self.report.findings.push(what);
        } else {
            self.report.more_findings += 1;
        }
    }

    pub(super) fn find_all(&mut self, findings: Vec<String>) {
        for what in findings {
            self.find(what);
        }
    }

    /// Names a finding, or only counts it if it may follow from an earlier break.
    fn find_unless_followed(&mut self, batch: u64, what: String) {
        if self.broken_at.is_some_and(|broken| broken < batch) {
            self.report.more_findings += 1;
        } else {
            self.find(what);
        }
    }

    pub(super) fn piece(&mut self, piece: Piece) {
        match piece {
            Piece::Batch(stored) => self.batch(&stored),
            Piece::Broken { position, what } => {
                let Position { batch, index } = position;
                self.find(format!("batch {batch}, position {index}: {what}"));
            }
            Piece::Unread { batch, what } => {
                self.is_cut = true;
                self.find(format!("batch {batch}: {what}"));
                self.find(format!(
                    "batch {batch}: it and those behind it were not replayed"
                ));
            }
        }
    }

    fn batch(&mut self, stored: &StoredBatch) {
        let batch = &stored.batch;
        let number = batch.number;
        if number != self.head.batch + 1 {
            self.find(format!(
                "batch {}: missing before batch {number}",
                self.head.batch + 1
            ));
            self.broken_at = self.broken_at.or(Some(number));
        }
        if chain_hash(self.head.chain_hash, batch) != stored.chain_hash {
            self.find(format!(
                "batch {number}: its content or its predecessor differs from its hash"
            ));
        }
        if batch.period < self.head.period || batch.epoch < self.head.epoch {
            self.find(format!("batch {number}: period or epoch goes back"));
        }
        let before = self.state.as_ref().map(flat_balances);
        for (position, row) in batch.events.iter().enumerate() {
            let place = format!("batch {number}, position {position}");
            match from_row(row) {
                Ok(recorded) => {
                    self.facts.add(row.kind, &recorded.event);
                    self.event(batch, position, &place, &recorded);
                }
                Err(error) => {
                    self.broken_at = self.broken_at.or(Some(number));
                    self.find(format!("{place}: {error}"));
                }
            }
        }
        let after = self.state.as_ref().map(flat_balances).unwrap_or_default();
        let other_balances = after != batch.after;
        if other_balances {
            self.find_unless_followed(
                number,
                format!("batch {number}: the balances after it differ from its events"),
            );
        }
        let before = before.unwrap_or_else(|| vec![0; after.len()]);
        let deltas = after
            .iter()
            .zip(&before)
            .map(|(after, before)| after - before);
        if !deltas.eq(batch.deltas.iter().copied()) {
            self.find_unless_followed(
                number,
                format!("batch {number}: the sums it declares differ from its events"),
            );
            // The events moved other amounts, so every later balance differs as well.
            if other_balances {
                self.broken_at = self.broken_at.or(Some(number));
            }
        }
        // The stored hash is used from here on, so that one changed batch is one finding.
        self.head = Head {
            batch: number,
            epoch: batch.epoch,
            chain_hash: stored.chain_hash,
            period: batch.period,
        };
        self.report.batches += 1;
        self.report.chain_hash = stored.chain_hash;
        self.stored_beside();
    }

    /// Compares what is stored with this batch in addition to the journal.
    fn stored_beside(&mut self) {
        self.snapshot();
        self.checkpoint();
        self.archived_facts();
        self.signed_heads();
    }

    /// Compares the stored heads of this batch.
    fn signed_heads(&mut self) {
        let Some((chain, check)) = &mut self.signed else {
            return;
        };
        let mut findings = Vec::new();
        check.stored_leaf(&chain.identity, self.head.chain_hash, &mut findings);
        self.find_all(findings);
    }

    /// Compares what is stored with the state after an archived month that ends with this batch.
    fn archived_facts(&mut self) {
        let batch = self.head.batch;
        if let Some(stored) = self.archived_facts.remove(&batch)
            && stored != self.facts
        {
            self.find(format!(
                "archived_state: kinds or paytables of batch {batch} differ from the journal"
            ));
        }
    }

    fn event(&mut self, batch: &Batch, position: usize, place: &str, recorded: &Recorded) {
        self.report.events += 1;
        let again = self.decide_again && batch.rule_version == RULE_VERSION;
        if again {
            self.report.decided += 1;
        } else {
            applied::count(&mut self.report.applied, batch);
        }
        match (&mut self.state, &recorded.event) {
            (None, Event::LinkOpened { terms, moves }) => {
                let decided =
                    !again || open(terms.as_ref().clone()).as_ref() == Ok(&recorded.event);
                self.state = opened(terms, moves);
                if !decided || self.state.is_none() {
                    self.find(format!("{place}: the rules open such a link differently"));
                }
                return;
            }
            (None, _) | (Some(_), Event::LinkOpened { .. }) => {
                return self.find(format!("{place}: a link is opened once, and first"));
            }
            (Some(state), _) => {
                if again && let Some(what) = decided_differently(state, recorded, batch.at) {
                    self.find_unless_followed(batch.number, format!("{place}: {what}"));
                }
            }
        }
        if let Some(state) = &mut self.state {
            apply(state, recorded, batch.at);
        }
        if matches!(recorded.event, Event::Refused { .. }) {
            self.report.refusals += 1;
        }
        let Some(rows) = &mut self.rows else { return };
        if let Err(error) = rows.add(batch, position, recorded) {
            self.find_unless_followed(batch.number, format!("{place}: {error}"));
        }
    }

    /// Compares the snapshot of this batch with the replayed state.
    fn snapshot(&mut self) {
        let Some(bytes) = self.snapshots.remove(&self.head.batch) else {
            return;
        };
        let decoded = Snapshot::decode(&bytes).and_then(Snapshot::whole);
        // A snapshot of another release is no longer read.
        if matches!(decoded, Err(JournalError::SnapshotFormat(_))) {
            return;
        }
        let same = decoded.is_ok_and(|snapshot| {
            Some(&snapshot.state) == self.state.as_ref()
                && snapshot.batch == self.head.batch
                && snapshot.chain_hash == self.head.chain_hash
        });
        if !same {
            self.find(format!(
                "the snapshot of batch {} differs from the journal",
                self.head.batch
            ));
        }
    }
}

/// Decides the event's command again, at its time and with its draws. Returns the difference, if any.
fn decided_differently(state: &LinkState, recorded: &Recorded, at: Timestamp) -> Option<String> {
    let terms = &state.terms;
    let command = match recorded.origin {
        Origin::Table { table, sequence } => {
            table_command_of(terms, &recorded.event).map(|command| Command::Table {
                table,
                sequence,
                command,
            })
        }
        Origin::Person => person_command_of(terms, &recorded.event).map(Command::Person),
    };
    let Some(command) = command else {
        return Some("no command causes such an event".to_owned());
    };
    let envelope = Envelope {
        actor: recorded.actor,
        by: recorded.by.clone(),
        device_time: recorded.device_time,
        command,
    };
    if let Origin::Table { table, sequence } = recorded.origin {
        let last = state.table(table).map(|table| table.last_sequence.0);
        if last != sequence.0.checked_sub(1) {
            return Some(format!("its number {sequence} is not the table's next"));
        }
    }
    if state.fault.is_some() && !may_clear_fault(state, &envelope.command) {
        return Some("a faulted link accepts nothing".to_owned());
    }
    let draws = match &recorded.event {
        Event::CoinInAccepted(coin_in) if draws_anything(terms) => coin_in.draws,
        _ => Draws::default(),
    };
    let decided = match decide(state, &envelope, &Inputs { at, draws }) {
        Ok(Decision::Event(event)) => event,
        Err(Stop::Refused(refusal)) => Event::Refused {
            refusal,
            command: Box::new(envelope.command),
        },
        Ok(Decision::AlreadyDone) => return Some("the rules would have done nothing".to_owned()),
        Err(Stop::Broken(what)) => return Some(format!("the rules break on it: {what}")),
    };
    (decided != recorded.event).then(|| "the rules decide its command differently".to_owned())
}
