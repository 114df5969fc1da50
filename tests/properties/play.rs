//! Plays turns: submits the commands that each means, and has every answer audited.

use meterhouse_domain::command::Envelope;
use meterhouse_domain::ids::{Badge, Timestamp};
use meterhouse_domain::state::LinkState;

use crate::auditor::{Auditor, Verdict};
use crate::commands::Turn;
use crate::meaning::DEALER_BADGE;
use crate::setup::{Setup, Values};
use crate::world::{Answer, World};

/// When play begins, in microseconds since 1970 UTC.
const NOON: i64 = 1_700_000_000_000_000;

/// A command that was played.
pub(crate) struct Step<'a> {
    /// The link afterwards.
    pub(crate) world: &'a World,
    /// The state before.
    pub(crate) before: &'a LinkState,
    /// The command.
    pub(crate) envelope: &'a Envelope,
    /// What became of it.
    pub(crate) answer: &'a Answer,
}

/// What is made of a disagreement between the auditor and the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audit {
    /// It fails the case.
    Strict,
    /// It ends the case: a law is judged by itself, up to the answer with which the auditor parts.
    Aside,
}

/// A link and its auditor.
pub(crate) struct Game {
    /// The link.
    pub(crate) world: World,
    /// The auditor.
    pub(crate) auditor: Auditor,
    audit: Audit,
    over: bool,
    pub(crate) now: i64,
    chance: [u64; 4],
    badge: bool,
}

impl Game {
    /// Opens a link and lets its tables join.
    pub(crate) fn open(
        setup: &Setup,
        audit: Audit,
        see: &mut dyn FnMut(&Step<'_>) -> Verdict,
    ) -> Result<Self, String> {
        let mut game = Self {
            world: World::open(setup)?,
            auditor: Auditor::open(setup),
            audit,
            over: false,
            now: NOON,
            chance: [0; 4],
            badge: true,
        };
        game.auditor.compare(&game.world.state)?;
        for _ in 0..setup.tables {
            let join = game.world.join()?;
            game.step(&join, see)?;
        }
        if setup.values == Values::Accepted {
            game.step(&game.accepted(0), see)?;
        }
        Ok(game)
    }

    /// Plays what somebody wants at a table, and shows every step to `see`.
    pub(crate) fn play(
        &mut self,
        turn: &Turn,
        see: &mut dyn FnMut(&Step<'_>) -> Verdict,
    ) -> Verdict {
        let table = usize::from(turn.table) % self.auditor.felts.len();
        self.now += i64::from(turn.wait) * 1_000_000;
        self.chance = turn.chance;
        self.badge = turn.badge;
        let lead = turn.lead();
        let lead = lead.filter(|_| self.auditor.felts[table].round.is_none());
        let faulted = self.auditor.fault.is_some();
        if (lead.is_some() || faulted) && turn.lead > 1 {
            for envelope in self.put_in_play(table) {
                self.step(&envelope, see)?;
            }
        }
        for intent in lead.iter().chain([&turn.intent]) {
            for envelope in self.meant(table, intent) {
                self.step(&envelope, see)?;
            }
        }
        Ok(())
    }

    /// The badge that comes with the commands of a table now.
    pub(crate) fn badge(&self) -> Option<Badge> {
        DEALER_BADGE.parse().ok().filter(|_| self.badge)
    }

    fn step(&mut self, envelope: &Envelope, see: &mut dyn FnMut(&Step<'_>) -> Verdict) -> Verdict {
        if self.over {
            return Ok(());
        }
        let before = self.world.state.clone();
        let answer = self
            .world
            .submit(envelope, Timestamp(self.now), self.chance)?;
        see(&Step {
            world: &self.world,
            before: &before,
            envelope,
            answer: &answer,
        })?;
        let judged = self
            .auditor
            .judge(envelope, self.now, &answer, &self.world.state);
        let verdict = judged.and_then(|()| self.auditor.compare(&self.world.state));
        match (verdict, self.audit) {
            (Ok(()), _) => Ok(()),
            (Err(_), Audit::Aside) => {
                self.over = true;
                Ok(())
            }
            (Err(why), Audit::Strict) => Err(format!("after {envelope:?}: {why}")),
        }
    }
}
