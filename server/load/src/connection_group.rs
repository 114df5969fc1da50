//! A group of tables that share one connection. The group chooses the next command, injects the planned faults, and
//! books each outcome. The connection only carries the commands.
//!
//! # Limits
//! The limits of the connection. The queues here hold only commands that a connection gave back.
//!
//! # Order
//! Commands to resend go before new ones, in the order of each table's numbers.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::commands::Kind;
use crate::counters::Counters;
use crate::error::LoadError;
use crate::in_flight::{InFlight, ReceivedOutcome, Repeat, RepeatOf, Reply};
use crate::plan::{End, Transport};
use crate::run_context::RunContext;
use crate::supervisor::PendingHit;
use crate::table_driver::TableDriver;
use crate::timeline::Latencies;

/// Percent of a whole.
const HUNDRED: u32 = 100;

/// A group of tables that share one connection.
#[derive(Debug)]
pub(crate) struct ConnectionGroup {
    pub(crate) context: Arc<RunContext>,
    /// The index of the group among all groups.
    pub(crate) index: usize,
    pub(crate) tables: Vec<TableDriver>,
    pub(crate) counters: Counters,
    /// Hits that were not passed to the supervisor yet.
    pub(crate) pending_hits: Vec<PendingHit>,
    /// The index of the table whose turn is next.
    next_table: usize,
    rng: StdRng,
    /// Commands to resend, because their connection was lost.
    resends: VecDeque<InFlight>,
    /// Repeats on purpose of commands that have an outcome.
    repeats: VecDeque<InFlight>,
    /// The command that was skipped, because the one after it was sent first on purpose.
    held_back: Option<InFlight>,
    /// Commands that were numbered so far, and the maximum.
    assigned: u64,
    assigned_max: u64,
    /// Commands since the connection was last cut.
    since_cut: u64,
    /// Latencies of the current interval.
    latencies: Latencies,
    interval: u64,
}

impl ConnectionGroup {
    /// Creates a group of these tables.
    pub(crate) fn new(
        context: Arc<RunContext>,
        index: usize,
        tables: Vec<TableDriver>,
    ) -> Result<Self, LoadError> {
        let assigned_max = match context.plan.end {
            End::After(_) => u64::MAX,
            End::Commands(count) => count.div_ceil(u64::from(context.plan.connections().max(1))),
        };
        let seed = context
            .plan
            .seed
            .wrapping_mul(31)
            .wrapping_add(index as u64);
        Ok(Self {
            context,
            index,
            tables,
            counters: Counters::new()?,
            pending_hits: Vec::new(),
            next_table: 0,
            rng: StdRng::seed_from_u64(seed),
            resends: VecDeque::new(),
            repeats: VecDeque::new(),
            held_back: None,
            assigned: 0,
            assigned_max,
            since_cut: 0,
            latencies: Latencies::new()?,
            interval: 0,
        })
    }

    /// Returns `true` if no new round starts at this time.
    pub(crate) fn is_closing(&self, at: u64) -> bool {
        at >= self.context.measured_until
            || self.assigned >= self.assigned_max
            || self.context.stop.is_cancelled()
    }

    /// Returns `true` if all queues here are empty and every round is over. Commands on the connection are not counted.
    pub(crate) fn is_finished(&self) -> bool {
        self.is_closing(self.context.now())
            && self.resends.is_empty()
            && self.repeats.is_empty()
            && self.held_back.is_none()
            && self.pending_hits.is_empty()
            && self.tables.iter().all(TableDriver::is_idle)
    }

    /// Returns the next command that has to be sent before any new one.
    pub(crate) fn next_resend(&mut self) -> Option<InFlight> {
        self.resends
            .pop_front()
            .or_else(|| self.repeats.pop_front())
    }

    /// Returns a new command that is due at this time. Returns `None` if every table waits for the supervisor or has
    /// finished.
    pub(crate) fn next_new(&mut self, due: u64) -> Option<InFlight> {
        let is_closing = self.is_closing(due);
        for _ in 0..self.tables.len() {
            let index = self.next_table;
            self.next_table = (index + 1) % self.tables.len();
            let next = self
                .tables
                .get_mut(index)
                .and_then(|table| table.next(is_closing));
            let Some((sequence, kind)) = next else {
                continue;
            };
            let command = InFlight {
                table_index: index,
                sequence,
                kind,
                due,
                repeat: self.draw_repeat(),
                is_reordered: false,
                is_resent: false,
                repeat_of: None,
            };
            self.assigned += 1;
            self.since_cut += 1;
            return Some(if is_closing {
                command
            } else {
                self.maybe_reordered(command)
            });
        }
        None
    }

    /// Returns the command itself, or by chance the one after it, which is then sent first.
    fn maybe_reordered(&mut self, command: InFlight) -> InFlight {
        let percent = u32::from(self.context.plan.faults.reorder_percent);
        if percent == 0 || !self.rng.random_ratio(percent, HUNDRED) {
            return command;
        }
        let next = self
            .tables
            .get_mut(command.table_index)
            .and_then(|table| table.next(false));
        let Some((sequence, kind)) = next else {
            return command;
        };
        self.assigned += 1;
        let early = InFlight {
            sequence,
            kind,
            is_reordered: true,
            repeat: self.draw_repeat(),
            ..command.clone()
        };
        self.held_back = Some(command);
        early
    }

    fn draw_repeat(&mut self) -> Repeat {
        let percent = u32::from(self.context.plan.faults.repeat_percent);
        if percent == 0 || !self.rng.random_ratio(percent, HUNDRED) {
            return Repeat::No;
        }
        match self.context.plan.transport {
            Transport::Streams { .. } if self.rng.random() => Repeat::Immediately,
            Transport::Streams { .. } | Transport::Http { .. } => Repeat::AfterOutcome,
        }
    }

    /// Returns `true` if the connection has to be cut now.
    pub(crate) fn cut_is_due(&mut self) -> bool {
        let every = self.context.plan.faults.cut_every;
        if every == 0 || self.since_cut < every {
            return false;
        }
        self.since_cut = 0;
        self.counters.cuts += 1;
        true
    }

    /// Returns `true` if the server expects the number that was held back, so that the gap was provoked.
    pub(crate) fn is_provoked_gap(&mut self, table: &str, expected: u64) -> bool {
        let is_provoked = self.held_back.as_ref().is_some_and(|held| {
            let name = self
                .tables
                .get(held.table_index)
                .map(|table| table.name.as_str());
            name == Some(table) && held.sequence == expected
        });
        self.counters.reorderings += u64::from(is_provoked);
        is_provoked
    }

    /// Returns the name of the table whose command is held back.
    pub(crate) fn held_back_table(&self) -> Option<String> {
        let table = self.tables.get(self.held_back.as_ref()?.table_index)?;
        Some(table.name.clone())
    }

    /// Queues the commands of a lost connection again. They are given in the order of sending.
    pub(crate) fn requeue_lost(&mut self, sent: impl Iterator<Item = InFlight>) {
        let mut resends: Vec<InFlight> = self.resends.drain(..).collect();
        for mut command in sent {
            match &mut command.repeat_of {
                None => {
                    self.counters.resent += 1;
                    command.is_resent = true;
                    command.is_reordered = false;
                    // The immediate repeat is lost as well. It is sent when the first one has an outcome.
                    if command.repeat == Repeat::Immediately {
                        command.repeat = Repeat::AfterOutcome;
                    }
                    resends.push(command);
                }
                Some(repeat_of) => {
                    let first_outcome = self
                        .tables
                        .get_mut(command.table_index)
                        .and_then(|table| table.first_outcome.take());
                    let own = |(number, outcome)| (number == command.sequence).then_some(outcome);
                    repeat_of.first_outcome = repeat_of
                        .first_outcome
                        .take()
                        .or_else(|| first_outcome.and_then(own));
                    if repeat_of.first_outcome.is_some() {
                        self.repeats.push_back(command);
                    }
                }
            }
        }
        resends.extend(self.held_back.take());
        // Sequence numbers of a table follow the time due. Two that were reordered have the same time.
        resends.sort_by_key(|command| (command.due, command.sequence));
        self.resends = resends.into();
    }

    /// Returns a counter that grows with each reply.
    pub(crate) fn progress(&self) -> u64 {
        self.counters.commands + self.counters.repeats + self.counters.reorderings
    }

    /// Marks a table's hit as settled by the supervisor.
    pub(crate) fn mark_settled(&mut self, table_index: usize) {
        if let Some(table) = self.tables.get_mut(table_index) {
            table.mark_settled();
        }
    }

    /// Books the outcome of a command. `received` is called only if two outcomes have to be compared.
    pub(crate) fn acknowledge(
        &mut self,
        command: InFlight,
        reply: Reply,
        received: impl FnOnce() -> ReceivedOutcome,
        now: u64,
    ) -> Result<(), LoadError> {
        let Some(table) = self.tables.get_mut(command.table_index) else {
            return Err(LoadError::broken("an outcome arrived for an unknown table"));
        };
        if let Some(repeat_of) = command.repeat_of {
            let own = |(number, outcome)| (number == command.sequence).then_some(outcome);
            let first_outcome = repeat_of
                .first_outcome
                .or_else(|| table.first_outcome.take().and_then(own));
            self.counters.repeats += 1;
            let second_outcome = received();
            if !reply.is_replay || first_outcome.as_ref() != Some(&second_outcome) {
                let (name, sequence) = (&table.name, command.sequence);
                self.counters.add_violation(|| {
                    format!("{name}.{sequence} was answered {first_outcome:?}, its repeat {second_outcome:?}")
                });
            }
            return Ok(());
        }
        if table.last_acknowledged + 1 != command.sequence {
            return Err(LoadError::broken(format!(
                "{}.{} was answered after {}",
                table.name, command.sequence, table.last_acknowledged
            )));
        }
        if reply.is_replay && !command.is_resent {
            let (name, sequence) = (&table.name, command.sequence);
            self.counters.add_violation(|| {
                format!("{name}.{sequence} was sent once and answered as a repeat: {reply:?}")
            });
        }
        table.acknowledge(command.sequence, command.kind, reply.refusal.is_none());
        if matches!(command.kind, Kind::Hit { .. }) && reply.refusal.is_none() {
            self.pending_hits.push(PendingHit {
                group_index: self.index,
                table_index: command.table_index,
                hit: format!("{}.{}", table.name, command.sequence),
            });
        }
        match command.repeat {
            Repeat::No => {}
            Repeat::Immediately => table.first_outcome = Some((command.sequence, received())),
            Repeat::AfterOutcome => self.repeats.push_back(InFlight {
                repeat_of: Some(Box::new(RepeatOf {
                    first_outcome: Some(received()),
                })),
                repeat: Repeat::No,
                ..command
            }),
        }
        if let Some(code) = reply.refusal {
            self.counters.add_refusal(code);
        }
        self.record(command.kind, command.due, now);
        Ok(())
    }

    fn record(&mut self, kind: Kind, due: u64, now: u64) {
        let measured = self.context.measured_from..self.context.measured_until;
        self.counters.commands += 1;
        self.counters.last_outcome = self.counters.last_outcome.max(now);
        self.counters.measured += u64::from(measured.contains(&now));
        if !measured.contains(&due) {
            return;
        }
        let interval = self
            .context
            .timeline
            .interval(now.saturating_sub(self.context.measured_from));
        if interval != self.interval {
            self.flush();
            self.interval = interval;
        }
        let latency = now.saturating_sub(due);
        self.latencies.record(latency);
        if matches!(kind, Kind::Hit { .. }) {
            self.counters.hits.record(latency);
        }
    }

    /// Adds the latencies of the current interval to the timeline.
    pub(crate) fn flush(&mut self) {
        self.context.timeline.add(self.interval, &self.latencies);
        self.latencies.clear();
    }
}
