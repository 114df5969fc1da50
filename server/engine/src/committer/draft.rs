//! A draft: a batch that is decided and not committed yet.
//!
//! # Shape
//! A draft is a clone of the link's state, changed command by command, with the rows to write. Once committed, the
//! clone becomes the state. On a failure the draft is dropped, and nothing has happened.
//!
//! # Order
//! As if the commands had run one at a time: each is decided on the state that the commands before it left.

use std::collections::BTreeMap;
use std::sync::Arc;

use meterhouse_domain::apply::apply;
use meterhouse_domain::change::Change;
use meterhouse_domain::command::{Command, Envelope, PersonCommand, TableCommand};
use meterhouse_domain::decide::{Decision, Fence, Inputs, Stop, decide, fence};
use meterhouse_domain::event::{Draws, Event, Origin, Recorded};
use meterhouse_domain::ids::{HitId, Sequence, TableNo, Timestamp};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::repeat::is_repeat;
use meterhouse_domain::state::LinkState;
use meterhouse_journal::batch::EventRow;
use meterhouse_journal::hit::{HitRow, project};
use meterhouse_journal::record::to_row;
use meterhouse_store::{JoinedRow, Mark, NewBatch};

use crate::answer::{Displayed, NotExecuted, Outcome};
use crate::committer::entropy::{EntropySource, draws_for};
use crate::committer::recent::RecentOutcomes;
use crate::committer::refusal_limit::RefusalLimit;
use crate::committer::verdict::Verdict;
use crate::fault_reason::RESTORED_FAULT;
use crate::server_command::SERVER;

/// Distance of a table's marks in sequence numbers. The journal is searched for an old command from a mark on.
pub(crate) const MARK_DISTANCE: u64 = 64;

/// The base of a draft.
pub(crate) struct Base<'a> {
    /// The state as of the previous batch.
    pub(crate) state: &'a LinkState,
    /// The previous batch, while it is not committed yet.
    pub(crate) before: Option<&'a Draft>,
    /// The recent outcomes of each table.
    pub(crate) recent: &'a RecentOutcomes,
    /// The rows of hits that can still change.
    pub(crate) hits: &'a BTreeMap<HitId, HitRow>,
    pub(crate) entropy: &'a EntropySource,
    /// The number of this batch.
    pub(crate) batch: u64,
    /// The server's time.
    pub(crate) at: Timestamp,
    /// Set if the books passed since the link was loaded.
    pub(crate) books_passed: bool,
}

/// A batch that is decided and not committed yet.
#[derive(Debug)]
pub(crate) struct Draft {
    /// The server's time, the same for the whole batch.
    pub(crate) at: Timestamp,
    /// The state after the batch.
    pub(crate) state: LinkState,
    /// The outcome of each command.
    pub(crate) outcomes: Vec<Outcome>,
    /// The events as rows, until they are moved into the statement.
    pub(crate) rows: Vec<EventRow>,
    /// Marks to write.
    pub(crate) marks: Vec<Mark>,
    /// Rows of hits that change.
    pub(crate) hits: BTreeMap<HitId, HitRow>,
    /// Tables that join.
    pub(crate) tables: Vec<JoinedRow>,
}

impl Draft {
    /// Returns an empty draft on this base, with capacity for this number of commands.
    pub(crate) fn new(base: &Base<'_>, commands: usize) -> Self {
        Self {
            at: base.at,
            state: base.state.clone(),
            outcomes: Vec::with_capacity(commands),
            rows: Vec::with_capacity(commands),
            marks: Vec::new(),
            hits: BTreeMap::new(),
            tables: Vec::new(),
        }
    }

    /// Takes the rows back that were moved into the statement's content.
    pub(crate) fn take_back(&mut self, new: &mut NewBatch) {
        self.rows = std::mem::take(&mut new.batch.events);
        self.marks = std::mem::take(&mut new.marks);
        self.tables = std::mem::take(&mut new.tables);
    }

    /// Decides one command and returns the verdict on it.
    pub(crate) fn decide(
        &mut self,
        base: &Base<'_>,
        limit: &RefusalLimit,
        envelope: &Envelope,
    ) -> Verdict {
        let mut draws = Some(Draws::default());
        if let Command::Table {
            table,
            sequence,
            command,
        } = &envelope.command
        {
            let Some(table_state) = self.state.table(*table) else {
                return Verdict::Confirmed(NotExecuted::UnknownTable(table.to_string()));
            };
            match fence(table_state, *sequence) {
                Fence::Next => draws = draws_for(&self.state, table_state, command, base.entropy),
                Fence::Used => return self.used(base, *table, *sequence, command),
                Fence::Gap { expected } => {
                    return Verdict::Confirmed(NotExecuted::SequenceGap { expected });
                }
            }
        }
        if let Some(reason) = &self.state.fault
            && !may_clear_fault(&self.state, &envelope.command)
        {
            return Verdict::Confirmed(NotExecuted::LinkFaulted {
                reason: reason.to_string(),
            });
        }
        if !base.books_passed && is_coin_in(&envelope.command) {
            return Verdict::Now(NotExecuted::BooksNotChecked);
        }
        let Some(draws) = draws else {
            return Verdict::Now(NotExecuted::Busy);
        };
        let inputs = Inputs { at: base.at, draws };
        match decide(&self.state, envelope, &inputs) {
            Ok(Decision::Event(event)) => self.record(base, envelope, event),
            Ok(Decision::AlreadyDone) => Verdict::DoneBefore,
            Err(Stop::Refused(refusal)) => self.refuse(base, limit, envelope, refusal),
            Err(Stop::Broken(what)) => self.fault(base, envelope, what),
        }
    }

    /// Returns the verdict on a sequence number that was used up: a replay, or another command under the number.
    fn used(
        &self,
        base: &Base<'_>,
        table: TableNo,
        sequence: Sequence,
        command: &TableCommand,
    ) -> Verdict {
        let origin = Origin::Table { table, sequence };
        let drafted = self.index_of(origin);
        let before = || {
            let before = base.before?;
            before.outcomes.get(before.index_of(origin)?)
        };
        let first = drafted.map_or_else(
            || before().or_else(|| base.recent.find(table, sequence)),
            |index| self.outcomes.get(index),
        );
        match (first, drafted) {
            (None, _) => Verdict::Find(table, sequence),
            (Some(first), _) if !is_repeat(&self.state.terms, &first.recorded.event, command) => {
                Verdict::Now(NotExecuted::SequenceReused)
            }
            (Some(_), Some(index)) => Verdict::CommittedAgain(index),
            (Some(first), None) => Verdict::Again(Box::new(first.clone())),
        }
    }

    /// Returns the index of a command's outcome.
    fn index_of(&self, origin: Origin) -> Option<usize> {
        self.outcomes
            .iter()
            .position(|outcome| outcome.recorded.origin == origin)
    }

    /// Records a refusal by the rules, which uses the sequence number up. A hit or a proposal that does not exist is
    /// denied without a record.
    fn refuse(
        &mut self,
        base: &Base<'_>,
        limit: &RefusalLimit,
        envelope: &Envelope,
        refusal: Refusal,
    ) -> Verdict {
        let named = || {
            let first = refusal.fields.first().map(|(_, name)| name.clone());
            first.unwrap_or_default()
        };
        match refusal.code {
            RefusalCode::UnknownHit => return Verdict::Confirmed(NotExecuted::UnknownHit(named())),
            RefusalCode::UnknownProposal => {
                return Verdict::Confirmed(NotExecuted::UnknownProposal(named()));
            }
            _ => {}
        }
        if let Command::Table {
            table, sequence, ..
        } = envelope.command
            && let Err(retry_after) = limit.allow(table, sequence)
        {
            return Verdict::Now(NotExecuted::TooManyRefusals { retry_after });
        }
        let command = Box::new(envelope.command.clone());
        self.record(base, envelope, Event::Refused { refusal, command })
    }

    /// Faults the link because the rules broke on this command. From then on the link accepts nothing.
    fn fault(&mut self, base: &Base<'_>, envelope: &Envelope, what: &str) -> Verdict {
        let reason = match &envelope.command {
            Command::Table {
                table, sequence, ..
            } => {
                let name = self.state.table(*table).map(|table| table.name.to_string());
                format!("{what}, on command {}.{sequence}", name.unwrap_or_default())
            }
            Command::Person(_) => format!("{what}, on a command of actor {}", envelope.actor),
        };
        self.fault_link(base, reason.clone());
        Verdict::Confirmed(NotExecuted::LinkFaulted { reason })
    }

    /// Faults the link, by an event of the server.
    pub(crate) fn fault_link(&mut self, base: &Base<'_>, reason: String) {
        let recorded = Recorded {
            origin: Origin::Person,
            actor: SERVER,
            by: None,
            device_time: None,
            event: Event::LinkFaulted { reason },
        };
        self.push(base, recorded);
    }

    fn record(&mut self, base: &Base<'_>, envelope: &Envelope, event: Event) -> Verdict {
        let recorded = Recorded {
            origin: origin_of(&envelope.command),
            actor: envelope.actor,
            by: envelope.by.clone(),
            device_time: envelope.device_time,
            event,
        };
        Verdict::Committed(self.push(base, recorded))
    }

    /// Adds an event to the batch and applies it to the draft's state. Returns the index of its outcome.
    fn push(&mut self, base: &Base<'_>, recorded: Recorded) -> usize {
        let index = self.outcomes.len();
        let position = u32::try_from(index).unwrap_or(u32::MAX);
        if let Origin::Table { table, sequence } = recorded.origin
            && sequence.0 % MARK_DISTANCE == 1
        {
            self.marks.push(Mark {
                table: table.0,
                sequence: sequence.0,
                position,
            });
        }
        if let Event::TableJoined(joined) = &recorded.event {
            self.tables.push(JoinedRow {
                table_no: joined.table.0,
                name: joined.name.to_string(),
                game: joined.game.to_string(),
                seats: joined.seats,
            });
        }
        self.project(base, &recorded);
        self.rows.push(to_row(&recorded));
        apply(&mut self.state, &recorded, base.at);
        self.outcomes.push(Outcome {
            recorded: Arc::new(recorded),
            displayed: Displayed::of(&self.state),
            batch: base.batch,
            position,
            at: base.at,
        });
        index
    }

    /// Projects the event onto the rows of hits.
    fn project(&mut self, base: &Base<'_>, recorded: &Recorded) {
        let drafted = &self.hits;
        let before = base.before.map(|draft| &draft.hits);
        let mut find = |hit: HitId| {
            let drafted = drafted.get(&hit);
            let found = drafted.or_else(|| before.and_then(|hits| hits.get(&hit)));
            found.or_else(|| base.hits.get(&hit)).cloned()
        };
        match project(base.at, recorded, &mut find) {
            Ok(rows) => self
                .hits
                .extend(rows.into_iter().map(|row| (row.id(), row))),
            // The journal is authoritative. `verify` compares the rows and reports the difference.
            Err(error) => tracing::error!(%error, "a hit's row for people can't be kept in step"),
        }
    }
}

/// Returns `true` if a faulted link accepts the command. Two people may clear the fault (RULES §1.6). If the journal is
/// not the acknowledged one, two people may also set the meters to their documented values. Any proposal may be
/// declined, or the maximum number of open proposals would block the one that clears the fault.
pub(crate) fn may_clear_fault(state: &LinkState, command: &Command) -> bool {
    let Command::Person(command) = command else {
        return false;
    };
    match command {
        PersonCommand::Propose(propose) => mends_fault(state, &propose.change),
        PersonCommand::Decline { .. } => true,
        PersonCommand::Approve { proposal, .. } => {
            let mut proposals = state.proposals.iter();
            let found = proposals.find(|open| open.propose.proposal == *proposal);
            // A proposal that is no longer open changes nothing.
            found.is_none_or(|open| mends_fault(state, &open.propose.change))
        }
        _ => false,
    }
}

/// Returns `true` if the command is a coin-in.
const fn is_coin_in(command: &Command) -> bool {
    matches!(
        command,
        Command::Table {
            command: TableCommand::CoinIn(_),
            ..
        }
    )
}

/// Returns `true` if two people may make this change while the link is faulted.
pub(crate) fn mends_fault(state: &LinkState, change: &Change) -> bool {
    let fault = state.fault.as_deref();
    match change {
        Change::ClearFault => true,
        Change::Adjust { .. } => fault.is_some_and(|fault| fault.starts_with(RESTORED_FAULT)),
        _ => false,
    }
}

/// Returns the origin that the event of a command has.
pub(crate) const fn origin_of(command: &Command) -> Origin {
    match command {
        Command::Table {
            table, sequence, ..
        } => Origin::Table {
            table: *table,
            sequence: *sequence,
        },
        Command::Person(_) => Origin::Person,
    }
}
