//! A link under the rules as a server runs it: numbers fenced, repeats recognised, refusals journaled.

use std::collections::BTreeMap;

use meterhouse_domain::apply::{apply, opened};
use meterhouse_domain::change::Change;
use meterhouse_domain::command::{Command, Envelope, JoinTable, PersonCommand, TableCommand};
use meterhouse_domain::decide::{Decision, Fence, Inputs, Stop, decide, fence, open};
use meterhouse_domain::draw::{Entropy, draw};
use meterhouse_domain::event::{Draws, Event, Origin, Recorded};
use meterhouse_domain::ids::{ActorId, Sequence, TableNo, Timestamp};
use meterhouse_domain::link::{LinkSettings, LinkTerms, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::TableLimits;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::repeat::is_repeat;
use meterhouse_domain::state::LinkState;

use crate::paytables::paytable;
use crate::setup::{DRAWN_ONE_IN, Game, Restart, SEATS, Setup, Values};

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
    /// The link is faulted, and this clears no fault.
    Faulted,
    /// The rules themselves broke.
    Broken(&'static str),
}

/// A command that was journaled, with what it caused and when.
#[derive(Clone)]
pub(crate) struct Journaled {
    /// The command.
    pub(crate) envelope: Envelope,
    /// What it caused.
    pub(crate) recorded: Recorded,
    /// When.
    pub(crate) at: Timestamp,
}

/// A link, its journal and what was asked.
#[derive(Clone)]
pub(crate) struct World {
    /// The state.
    pub(crate) state: LinkState,
    /// The event that opened the link.
    pub(crate) opening: Event,
    /// Every event since, in order.
    pub(crate) journal: Vec<Journaled>,
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
            settings: settings(setup)?,
            limits: TableLimits::default(),
            counts_draws_and_envy: true,
            must_accept_values: true,
        };
        let mut opening = open(terms).map_err(|it| it.to_string())?;
        if let Event::LinkOpened { terms, .. } = &mut opening {
            terms.must_accept_values &= setup.values != Values::OfThen;
        }
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

    /// What becomes of a command at this moment.
    ///
    /// # Errors
    /// Where the table has not joined.
    pub(crate) fn submit(
        &mut self,
        envelope: &Envelope,
        at: Timestamp,
        chance: Entropy,
    ) -> Result<Answer, String> {
        if self.state.fault.is_some() && !self.clears(&envelope.command) {
            return Ok(Answer::Faulted);
        }
        let mut draws = Draws::default();
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
                let dealer = felt.takes_dealer_wagers(&self.state.terms);
                draws = draw(&self.state.terms, felt.seats, dealer, chance);
                Origin::Table {
                    table: *table,
                    sequence: *sequence,
                }
            }
        };
        match decide(&self.state, envelope, &Inputs { at, draws }) {
            Ok(Decision::AlreadyDone) => Ok(Answer::Done),
            Ok(Decision::Event(event)) => {
                self.record(envelope, at, origin, event.clone());
                Ok(Answer::Caused(event))
            }
            Err(Stop::Refused(refusal)) => {
                if refusal.code != RefusalCode::UnknownHit {
                    let refused = Event::Refused {
                        refusal: refusal.clone(),
                        command: Box::new(envelope.command.clone()),
                    };
                    self.record(envelope, at, origin, refused);
                }
                Ok(Answer::Refused(refusal))
            }
            Err(Stop::Broken(reason)) => Ok(Answer::Broken(reason)),
        }
    }

    /// Whether a command is about clearing a fault: or makes room for that: the only thing that a faulted link hears.
    fn clears(&self, command: &Command) -> bool {
        let change = match command {
            Command::Person(PersonCommand::Decline { .. }) => return true,
            Command::Person(PersonCommand::Propose(propose)) => Some(&propose.change),
            Command::Person(PersonCommand::Approve { proposal, .. }) => {
                let mut waiting = self.state.proposals.iter();
                let found = waiting.find(|it| it.propose.proposal == *proposal);
                found.map(|it| &it.propose.change)
            }
            Command::Person(_) | Command::Table { .. } => None,
        };
        change == Some(&Change::ClearFault)
    }

    /// The event under a table's number.
    pub(crate) fn under(&self, table: TableNo, sequence: Sequence) -> Option<&Event> {
        let index = self.used.get(&(table, sequence))?;
        self.journal.get(*index).map(|it| &it.recorded.event)
    }

    /// The state after replaying a journal of these events from the beginning.
    pub(crate) fn replayed(&self) -> Option<LinkState> {
        let mut state = first(&self.opening)?;
        for it in &self.journal {
            apply(&mut state, &it.recorded, it.at);
        }
        Some(state)
    }

    fn again(&self, table: TableNo, sequence: Sequence, command: &TableCommand) -> Answer {
        match self.under(table, sequence) {
            Some(event) if is_repeat(&self.state.terms, event, command) => Answer::Repeated,
            Some(_) | None => Answer::Reused,
        }
    }

    fn record(&mut self, envelope: &Envelope, at: Timestamp, origin: Origin, event: Event) {
        let recorded = Recorded {
            origin,
            actor: envelope.actor,
            by: envelope.by.clone(),
            device_time: envelope.device_time,
            event,
        };
        apply(&mut self.state, &recorded, at);
        if let Origin::Table { table, sequence } = origin {
            self.used.insert((table, sequence), self.journal.len());
        }
        self.journal.push(Journaled {
            envelope: envelope.clone(),
            recorded,
            at,
        });
    }
}

/// The settings of the link. A card or position is drawn in every other round or so.
fn settings(setup: &Setup) -> Result<LinkSettings, String> {
    let wager = i64::from(setup.cents) * 10_000;
    let bonus = setup.game == Game::HandBonus;
    let ceilings = setup.limits.ceiling.map_or(Ok(Vec::new()), |above| {
        let levels = paytable(setup)?.content.levels;
        let ceilings = levels.iter().map(|level| {
            let least = i64::from(level.seed.max(level.reseed)) * wager;
            Some(Money::from_micros(least + i64::from(above) * 10_000))
        });
        Ok::<_, String>(ceilings.collect())
    })?;
    Ok(LinkSettings {
        ceilings,
        rounds_a_minute_max: setup.limits.rounds_a_minute,
        silence_seconds_max: None,
        magic_card_one_in: (bonus && setup.limits.magic_card).then_some(DRAWN_ONE_IN),
        lucky_bonus_one_in: (bonus && setup.limits.lucky_bonus).then_some(DRAWN_ONE_IN),
        badge_required: setup.limits.badge,
    })
}

/// The state of a link that was just opened.
pub(crate) fn first(opening: &Event) -> Option<LinkState> {
    match opening {
        Event::LinkOpened { terms, moves } => opened(terms, moves),
        _ => None,
    }
}
