//! A link under the rules as a server runs it: numbers fenced, repeats recognised, refusals journaled.

use std::collections::BTreeMap;

use meterhouse_domain::apply::{apply, opened};
use meterhouse_domain::command::{Command, Envelope, JoinTable, PersonCommand, TableCommand};
use meterhouse_domain::decide::{Decision, Fence, Stop, decide, fence, open};
use meterhouse_domain::event::{Event, Origin, Recorded};
use meterhouse_domain::link::{LinkTerms, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::name::{ActorId, Sequence, TableNo};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::repeat::is_repeat;
use meterhouse_domain::state::LinkState;

use crate::paytables::paytable;
use crate::setup::{Restart, SEATS, Setup};

/// What became of a command.
#[derive(Debug)]
pub(crate) enum Answer {
    /// It caused this.
    Caused(Event),
    /// The rules said no.
    Refused(Refusal),
    /// It was done before, by the same person.
    Done,
    /// The number is used up, by the same command.
    Repeated,
    /// The number is used up, by another command.
    Reused,
    /// A number before it is missing.
    Gap {
        /// Which one comes next.
        expected: u64,
    },
    /// The rules themselves broke.
    Broken(&'static str),
}

/// A link, its journal and what was asked.
pub(crate) struct World {
    /// The state.
    pub(crate) state: LinkState,
    /// The event that opened the link.
    pub(crate) opening: Event,
    /// Every event since, in order, with the command that caused it.
    pub(crate) journal: Vec<(Envelope, Recorded)>,
    used: BTreeMap<(TableNo, Sequence), usize>,
}

impl World {
    /// A link that was just opened, without tables.
    pub(crate) fn open(setup: &Setup) -> Result<Self, String> {
        let terms = LinkTerms {
            name: "main".parse().map_err(|it| format!("{it}"))?,
            paytable: paytable(setup)?,
            wager: Money::from_micros(i64::from(setup.cents) * 10_000),
            decks: setup.decks,
            reserve_policy: match setup.restart {
                Restart::Add => ReservePolicy::Add,
                Restart::GreaterOf => ReservePolicy::GreaterOf,
                Restart::FundKeep => ReservePolicy::FundKeep,
            },
        };
        let opening = open(terms).map_err(|it| it.to_string())?;
        Ok(Self {
            state: first(&opening).ok_or("no exact shares")?,
            opening,
            journal: Vec::new(),
            used: BTreeMap::new(),
        })
    }

    /// The command that makes the next table join.
    pub(crate) fn join(&self) -> Result<Envelope, String> {
        let name = format!("T{}", self.state.tables.len() + 1);
        let join = JoinTable {
            name: name.parse().map_err(|it| format!("{it}"))?,
            game: "crazy-4-poker".parse().map_err(|it| format!("{it}"))?,
            seats: SEATS,
            paytable: self.state.terms.paytable.clone(),
            wager: self.state.terms.wager,
            decks: self.state.terms.decks,
        };
        Ok(Envelope {
            actor: ActorId(9),
            by: None,
            device_time: None,
            command: Command::Person(PersonCommand::JoinTable(Box::new(join))),
        })
    }

    /// What becomes of a command.
    ///
    /// # Errors
    /// Where the table has not joined.
    pub(crate) fn submit(&mut self, envelope: &Envelope) -> Result<Answer, String> {
        let origin = match &envelope.command {
            Command::Person(_) => Origin::Person,
            Command::Table {
                table,
                sequence,
                command,
            } => {
                let felt = self.state.table(*table).ok_or("no such table")?;
                match fence(felt, *sequence) {
                    Fence::Next => {}
                    Fence::Used => return Ok(self.again(*table, *sequence, command)),
                    Fence::Gap { expected } => {
                        return Ok(Answer::Gap {
                            expected: expected.0,
                        });
                    }
                }
                Origin::Table {
                    table: *table,
                    sequence: *sequence,
                }
            }
        };
        match decide(&self.state, envelope) {
            Ok(Decision::AlreadyDone) => Ok(Answer::Done),
            Ok(Decision::Event(event)) => {
                self.record(envelope, origin, event.clone());
                Ok(Answer::Caused(event))
            }
            Err(Stop::Refused(refusal)) => {
                if refusal.code != RefusalCode::UnknownHit {
                    let refused = Event::Refused {
                        refusal: refusal.clone(),
                        command: Box::new(envelope.command.clone()),
                    };
                    self.record(envelope, origin, refused);
                }
                Ok(Answer::Refused(refusal))
            }
            Err(Stop::Broken(reason)) => Ok(Answer::Broken(reason)),
        }
    }

    /// The event under a table's number.
    pub(crate) fn under(&self, table: TableNo, sequence: Sequence) -> Option<&Event> {
        let index = self.used.get(&(table, sequence))?;
        self.journal.get(*index).map(|(_, it)| &it.event)
    }

    /// The state after replaying a journal of these events from the beginning.
    pub(crate) fn replayed(&self) -> Option<LinkState> {
        let mut state = first(&self.opening)?;
        for (_, recorded) in &self.journal {
            apply(&mut state, recorded);
        }
        Some(state)
    }

    fn again(&self, table: TableNo, sequence: Sequence, command: &TableCommand) -> Answer {
        match self.under(table, sequence) {
            Some(event) if is_repeat(&self.state.terms, event, command) => Answer::Repeated,
            Some(_) | None => Answer::Reused,
        }
    }

    fn record(&mut self, envelope: &Envelope, origin: Origin, event: Event) {
        let recorded = Recorded {
            origin,
            actor: envelope.actor,
            by: envelope.by.clone(),
            device_time: envelope.device_time,
            event,
        };
        apply(&mut self.state, &recorded);
        if let Origin::Table { table, sequence } = origin {
            self.used.insert((table, sequence), self.journal.len());
        }
        self.journal.push((envelope.clone(), recorded));
    }
}

/// The state of a link that was just opened.
pub(crate) fn first(opening: &Event) -> Option<LinkState> {
    match opening {
        Event::LinkOpened { terms, moves } => opened(terms, moves),
        _ => None,
    }
}
