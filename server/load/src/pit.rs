//! A pit: some tables that share a connection. It decides what is sent next, with the mishaps that were asked for, and
//! books what was answered; how that travels is the connection's business.
//!
//! # What bounds it
//! Its connection: what waits here was taken back from there.
//!
//! # What order holds
//! What has to be sent again goes before anything new, in the order of each table's numbers.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::ask::{Answer, Ask, Given, Repeat, Second};
use crate::commands::Kind;
use crate::error::LoadError;
use crate::felt::Felt;
use crate::floor::Winner;
use crate::house::House;
use crate::plan::{End, Way};
use crate::tally::Tally;
use crate::timeline::Latencies;

/// All of a hundred.
const HUNDRED: u32 = 100;

/// Some tables that share a connection.
#[derive(Debug)]
pub(crate) struct Pit {
    /// What all share.
    pub(crate) house: Arc<House>,
    /// Its place among all.
    pub(crate) place: usize,
    /// Its tables.
    pub(crate) felts: Vec<Felt>,
    /// What it counted.
    pub(crate) tally: Tally,
    /// Hits that the floor hasn't been told yet.
    pub(crate) winners: Vec<Winner>,
    /// The table whose turn it is.
    turn: usize,
    rng: StdRng,
    /// Commands that have to be sent again.
    owed: VecDeque<Ask>,
    /// Second sendings of commands that were answered.
    seconds: VecDeque<Ask>,
    /// The command that one behind it was sent before.
    held: Option<Ask>,
    /// Commands that were given a number, and how many are to be.
    given: u64,
    given_max: u64,
    /// Commands since the connection was cut.
    uncut: u64,
    /// Latencies of the present interval.
    latencies: Latencies,
    interval: u64,
}

impl Pit {
    /// A pit of these tables.
    pub(crate) fn new(
        house: Arc<House>,
        place: usize,
        felts: Vec<Felt>,
    ) -> Result<Self, LoadError> {
        let given_max = match house.plan.end {
            End::After(_) => u64::MAX,
            End::Commands(count) => count.div_ceil(u64::from(house.plan.pits().max(1))),
        };
        let seed = house.plan.seed.wrapping_mul(31).wrapping_add(place as u64);
        Ok(Self {
            house,
            place,
            felts,
            tally: Tally::new()?,
            winners: Vec::new(),
            turn: 0,
            rng: StdRng::seed_from_u64(seed),
            owed: VecDeque::new(),
            seconds: VecDeque::new(),
            held: None,
            given: 0,
            given_max,
            uncut: 0,
            latencies: Latencies::new()?,
            interval: 0,
        })
    }

    /// Whether no new round begins any more.
    pub(crate) fn is_closing(&self, at: u64) -> bool {
        at >= self.house.until || self.given >= self.given_max || self.house.stop.is_cancelled()
    }

    /// Whether everything that was sent is answered and every round is over; what is on the connection aside.
    pub(crate) fn is_over(&self) -> bool {
        self.is_closing(self.house.now())
            && self.owed.is_empty()
            && self.seconds.is_empty()
            && self.held.is_none()
            && self.winners.is_empty()
            && self.felts.iter().all(Felt::is_done)
    }

    /// What has to be sent before anything new.
    pub(crate) fn owed(&mut self) -> Option<Ask> {
        self.owed.pop_front().or_else(|| self.seconds.pop_front())
    }

    /// A new command that is due at this moment; none where every table waits for the floor or is done.
    pub(crate) fn fresh(&mut self, due: u64) -> Option<Ask> {
        let closing = self.is_closing(due);
        for _ in 0..self.felts.len() {
            let place = self.turn;
            self.turn = (place + 1) % self.felts.len();
            let next = self.felts.get_mut(place).and_then(|it| it.next(closing));
            let Some((sequence, kind)) = next else {
                continue;
            };
            let ask = Ask {
                felt: place,
                sequence,
                kind,
                due,
                repeat: self.repeat(),
                early: false,
                resent: false,
                second: None,
            };
            self.given += 1;
            self.uncut += 1;
            return Some(if closing { ask } else { self.reordered(ask) });
        }
        None
    }

    /// The command itself, or now and then the one behind it, which then goes first.
    fn reordered(&mut self, ask: Ask) -> Ask {
        let percent = u32::from(self.house.plan.mishaps.reorder_percent);
        if percent == 0 || !self.rng.random_ratio(percent, HUNDRED) {
            return ask;
        }
        let next = self.felts.get_mut(ask.felt).and_then(|it| it.next(false));
        let Some((sequence, kind)) = next else {
            return ask;
        };
        self.given += 1;
        let early = Ask {
            sequence,
            kind,
            early: true,
            repeat: self.repeat(),
            ..ask.clone()
        };
        self.held = Some(ask);
        early
    }

    fn repeat(&mut self) -> Repeat {
        let percent = u32::from(self.house.plan.mishaps.repeat_percent);
        if percent == 0 || !self.rng.random_ratio(percent, HUNDRED) {
            return Repeat::No;
        }
        match self.house.plan.way {
            Way::Streams { .. } if self.rng.random() => Repeat::AtOnce,
            Way::Streams { .. } | Way::Http { .. } => Repeat::Later,
        }
    }

    /// Whether the connection is to be cut now.
    pub(crate) fn is_cut(&mut self) -> bool {
        let every = self.house.plan.mishaps.cut_every;
        if every == 0 || self.uncut < every {
            return false;
        }
        self.uncut = 0;
        self.tally.cuts += 1;
        true
    }

    /// The server says which number it expects: whether it was provoked, and is the right one.
    pub(crate) fn is_expected(&mut self, table: &str, expected: u64) -> bool {
        let provoked = self.held.as_ref().is_some_and(|held| {
            let name = self.felts.get(held.felt).map(|it| it.name.as_str());
            name == Some(table) && held.sequence == expected
        });
        self.tally.reorderings += u64::from(provoked);
        provoked
    }

    /// The table whose number is held back.
    pub(crate) fn held_table(&self) -> Option<String> {
        let held = self.felts.get(self.held.as_ref()?.felt)?;
        Some(held.name.clone())
    }

    /// The connection is gone: what was on it, in the order of sending, has to be sent again.
    pub(crate) fn lost(&mut self, sent: impl Iterator<Item = Ask>) {
        let mut owed: Vec<Ask> = self.owed.drain(..).collect();
        for mut ask in sent {
            match &mut ask.second {
                None => {
                    self.tally.resent += 1;
                    ask.resent = true;
                    ask.early = false;
                    // Its second sending is gone as well; it comes when the first is answered.
                    if ask.repeat == Repeat::AtOnce {
                        ask.repeat = Repeat::Later;
                    }
                    owed.push(ask);
                }
                Some(second) => {
                    let first = self.felts.get_mut(ask.felt).and_then(|it| it.first.take());
                    let own = |(number, given)| (number == ask.sequence).then_some(given);
                    second.first = second.first.take().or_else(|| first.and_then(own));
                    if second.first.is_some() {
                        self.seconds.push_back(ask);
                    }
                }
            }
        }
        owed.extend(self.held.take());
        // A table's numbers were given in their order, two that change places at one moment.
        owed.sort_by_key(|it| (it.due, it.sequence));
        self.owed = owed.into();
    }

    /// What grows with every answer.
    pub(crate) fn progress(&self) -> u64 {
        self.tally.commands + self.tally.repeats + self.tally.reorderings
    }

    /// The floor has settled a table's hit.
    pub(crate) fn settled(&mut self, felt: usize) {
        if let Some(felt) = self.felts.get_mut(felt) {
            felt.settled();
        }
    }

    /// A command was answered; what was given is only looked at where two answers are compared.
    pub(crate) fn answered(
        &mut self,
        ask: Ask,
        answer: Answer,
        given: impl FnOnce() -> Given,
        now: u64,
    ) -> Result<(), LoadError> {
        let Some(felt) = self.felts.get_mut(ask.felt) else {
            return Err(LoadError::broken(
                "an answer to a table that nobody asked for",
            ));
        };
        if let Some(second) = ask.second {
            let own = |(number, given)| (number == ask.sequence).then_some(given);
            let first = second.first.or_else(|| felt.first.take().and_then(own));
            self.tally.repeats += 1;
            let again = given();
            if !answer.replayed || first.as_ref() != Some(&again) {
                let (name, sequence) = (&felt.name, ask.sequence);
                self.tally.broken(|| {
                    format!("{name}.{sequence} was answered {first:?}, its repeat {again:?}")
                });
            }
            return Ok(());
        }
        if felt.last + 1 != ask.sequence {
            return Err(LoadError::broken(format!(
                "{}.{} was answered after {}",
                felt.name, ask.sequence, felt.last
            )));
        }
        if answer.replayed && !ask.resent {
            let (name, sequence) = (&felt.name, ask.sequence);
            self.tally.broken(|| {
                format!("{name}.{sequence} was sent once and answered as a repeat: {answer:?}")
            });
        }
        felt.acknowledge(ask.sequence, ask.kind, answer.refused.is_none());
        if matches!(ask.kind, Kind::Hit { .. }) && answer.refused.is_none() {
            self.winners.push(Winner {
                pit: self.place,
                felt: ask.felt,
                hit: format!("{}.{}", felt.name, ask.sequence),
            });
        }
        match ask.repeat {
            Repeat::No => {}
            Repeat::AtOnce => felt.first = Some((ask.sequence, given())),
            Repeat::Later => self.seconds.push_back(Ask {
                second: Some(Box::new(Second {
                    first: Some(given()),
                })),
                repeat: Repeat::No,
                ..ask
            }),
        }
        if let Some(code) = answer.refused {
            self.tally.refused(code);
        }
        self.count(ask.kind, ask.due, now);
        Ok(())
    }

    fn count(&mut self, kind: Kind, due: u64, now: u64) {
        let measured = self.house.from..self.house.until;
        self.tally.commands += 1;
        self.tally.last_outcome = self.tally.last_outcome.max(now);
        self.tally.measured += u64::from(measured.contains(&now));
        if !measured.contains(&due) {
            return;
        }
        let interval = self
            .house
            .timeline
            .interval(now.saturating_sub(self.house.from));
        if interval != self.interval {
            self.flush();
            self.interval = interval;
        }
        let latency = now.saturating_sub(due);
        self.latencies.record(latency);
        if matches!(kind, Kind::Hit { .. }) {
            self.tally.hits.record(latency);
        }
    }

    /// Hands over the latencies of the present interval.
    pub(crate) fn flush(&mut self) {
        self.house.timeline.add(self.interval, &self.latencies);
        self.latencies.clear();
    }
}
