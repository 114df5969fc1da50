//! A batch before it is committed: the state as it would be, the rows to write, a verdict for each asker.
//!
//! # Shape
//! A clone of the link's state, changed command by command. Committed, it becomes the state; on any failure it
//! is dropped and nothing has happened.
//!
//! # Order
//! As if the commands had come one at a time: each is decided on what those before it left.

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
use meterhouse_store::{JoinedRow, Mark};

use crate::answer::{Denied, Displayed, Outcome};
use crate::committer::entropy::{EntropySource, draws_for};
use crate::committer::recent::Recent;
use crate::committer::refusal_limit::RefusalLimit;
use crate::committer::verdict::Verdict;
use crate::fault_reason::RESTORED_FAULT;
use crate::server_command::SERVER;

/// Numbers of a table between two marks, by which old repeats are found in the journal.
pub(crate) const MARK_DISTANCE: u64 = 64;

/// What a draft is made on.
pub(crate) struct Base<'a> {
    /// The state as of the batch before it.
    pub(crate) state: &'a LinkState,
    /// That batch, while it is not committed yet.
    pub(crate) before: Option<&'a Draft>,
    /// The last commands of each table.
    pub(crate) recent: &'a Recent,
    /// The rows of hits that can still change.
    pub(crate) hits: &'a BTreeMap<HitId, HitRow>,
    /// The random source.
    pub(crate) entropy: &'a EntropySource,
    /// The number that this batch will have.
    pub(crate) batch: u64,
    /// The server's time.
    pub(crate) at: Timestamp,
    /// Whether the books passed since the link was loaded.
    pub(crate) books_passed: bool,
}

/// A batch before it is committed.
#[derive(Debug)]
pub(crate) struct Draft {
    /// The server's time, one for all of it.
    pub(crate) at: Timestamp,
    /// The state as it would be.
    pub(crate) state: LinkState,
    /// What each command caused.
    pub(crate) outcomes: Vec<Outcome>,
    /// The same as rows, until they go into the statement.
    pub(crate) rows: Vec<EventRow>,
    /// Marks to write.
    pub(crate) marks: Vec<Mark>,
    /// Rows of hits that change.
    pub(crate) hits: BTreeMap<HitId, HitRow>,
    /// Tables that join.
    pub(crate) tables: Vec<JoinedRow>,
}

impl Draft {
    /// An empty batch on this base, for about so many commands.
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

    /// Decides one command and says what its sender will hear.
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
                return Verdict::Confirmed(Denied::UnknownTable(table.to_string()));
            };
            match fence(table_state, *sequence) {
                Fence::Next => draws = draws_for(&self.state, table_state, command, base.entropy),
                Fence::Used => return self.used(base, *table, *sequence, command),
                Fence::Gap { expected } => {
                    return Verdict::Confirmed(Denied::SequenceGap { expected });
                }
            }
        }
        if let Some(reason) = &self.state.fault
            && !may_clear_fault(&self.state, &envelope.command)
        {
            return Verdict::Confirmed(Denied::LinkFaulted {
                reason: reason.to_string(),
            });
        }
        if !base.books_passed && is_coin_in(&envelope.command) {
            return Verdict::Now(Denied::BooksNotChecked);
        }
        let Some(draws) = draws else {
            return Verdict::Now(Denied::Busy);
        };
        let inputs = Inputs { at: base.at, draws };
        match decide(&self.state, envelope, &inputs) {
            Ok(Decision::Event(event)) => self.record(base, envelope, event),
            Ok(Decision::AlreadyDone) => Verdict::DoneBefore,
            Err(Stop::Refused(refusal)) => self.refuse(base, limit, envelope, refusal),
            Err(Stop::Broken(what)) => self.fault(base, envelope, what),
        }
    }

    /// A number that was used up: a repeat, or another command under it.
    fn used(
        &self,
        base: &Base<'_>,
        table: TableNo,
        sequence: Sequence,
        command: &TableCommand,
    ) -> Verdict {
        let origin = Origin::Table { table, sequence };
        let drafted = self.place_of(origin);
        let before = || {
            let before = base.before?;
            before.outcomes.get(before.place_of(origin)?)
        };
        let first = drafted.map_or_else(
            || before().or_else(|| base.recent.find(table, sequence)),
            |place| self.outcomes.get(place),
        );
        match (first, drafted) {
            (None, _) => Verdict::Find(table, sequence),
            (Some(first), _) if !is_repeat(&self.state.terms, &first.recorded.event, command) => {
                Verdict::Now(Denied::SequenceReused)
            }
            (Some(_), Some(place)) => Verdict::CommittedAgain(place),
            (Some(first), None) => Verdict::Again(Box::new(first.clone())),
        }
    }

    /// The place of a command's outcome.
    fn place_of(&self, origin: Origin) -> Option<usize> {
        self.outcomes
            .iter()
            .position(|it| it.recorded.origin == origin)
    }

    /// A refusal by the rules uses the number up. A hit or proposal that a person names wrongly is none of them.
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
            RefusalCode::UnknownHit => return Verdict::Confirmed(Denied::UnknownHit(named())),
            RefusalCode::UnknownProposal => {
                return Verdict::Confirmed(Denied::UnknownProposal(named()));
            }
            _ => {}
        }
        if let Command::Table {
            table, sequence, ..
        } = envelope.command
            && let Err(retry_after) = limit.allow(table, sequence)
        {
            return Verdict::Now(Denied::TooManyRefusals { retry_after });
        }
        let command = Box::new(envelope.command.clone());
        self.record(base, envelope, Event::Refused { refusal, command })
    }

    /// The rules broke: from here on the link accepts nothing, and says on which command it happened.
    fn fault(&mut self, base: &Base<'_>, envelope: &Envelope, what: &str) -> Verdict {
        let reason = match &envelope.command {
            Command::Table {
                table, sequence, ..
            } => {
                let name = self.state.table(*table).map(|it| it.name.to_string());
                format!("{what}, on command {}.{sequence}", name.unwrap_or_default())
            }
            Command::Person(_) => format!("{what}, on a command of actor {}", envelope.actor),
        };
        self.fault_link(base, reason.clone());
        Verdict::Confirmed(Denied::LinkFaulted { reason })
    }

    /// Faults the link: the server's own event.
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

    /// Adds an event to the batch and carries it out on the draft's state.
    fn push(&mut self, base: &Base<'_>, recorded: Recorded) -> usize {
        let place = self.outcomes.len();
        let position = u32::try_from(place).unwrap_or(u32::MAX);
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
        place
    }

    /// Keeps the rows that people read in step.
    fn project(&mut self, base: &Base<'_>, recorded: &Recorded) {
        let drafted = &self.hits;
        let before = base.before.map(|it| &it.hits);
        let mut find = |hit: HitId| {
            let drafted = drafted.get(&hit);
            let found = drafted.or_else(|| before.and_then(|it| it.get(&hit)));
            found.or_else(|| base.hits.get(&hit)).cloned()
        };
        match project(base.at, recorded, &mut find) {
            Ok(rows) => self
                .hits
                .extend(rows.into_iter().map(|row| (row.id(), row))),
            // The journal is what counts; verify compares the rows and says where they differ.
            Err(error) => tracing::error!(%error, "a hit's row for people can't be kept in step"),
        }
    }
}

/// Whether a command is accepted on a faulted link: only what two people need to clear the fault (RULES §1.6), and to
/// put the meters to their documented values where the journal is not the one that was acknowledged. Any proposal may
/// be declined, or as many as may wait would leave no room for the one that clears it.
pub(crate) fn may_clear_fault(state: &LinkState, command: &Command) -> bool {
    let Command::Person(command) = command else {
        return false;
    };
    match command {
        PersonCommand::Propose(propose) => mends_fault(state, &propose.change),
        PersonCommand::Decline { .. } => true,
        PersonCommand::Approve { proposal, .. } => {
            let mut waiting = state.proposals.iter();
            let found = waiting.find(|it| it.propose.proposal == *proposal);
            // One that doesn't wait any more changes nothing.
            found.is_none_or(|waiting| mends_fault(state, &waiting.propose.change))
        }
        _ => false,
    }
}

/// Checks that a command is a table's coin-in.
const fn is_coin_in(command: &Command) -> bool {
    matches!(
        command,
        Command::Table {
            command: TableCommand::CoinIn(_),
            ..
        }
    )
}

/// Checks if two people may make this change while the link is faulted.
fn mends_fault(state: &LinkState, change: &Change) -> bool {
    let fault = state.fault.as_deref();
    match change {
        Change::ClearFault => true,
        Change::Adjust { .. } => fault.is_some_and(|fault| fault.starts_with(RESTORED_FAULT)),
        _ => false,
    }
}

/// Where the event of a command says that it came from.
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
