//! Plays turns: submits the commands that each means, and has every answer audited.

use meterhouse_domain::command::Envelope;
use meterhouse_domain::state::LinkState;

use crate::auditor::{Auditor, Verdict};
use crate::commands::Turn;
use crate::setup::Setup;
use crate::world::{Answer, World};

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
}

impl Game {
    /// Opens a link and lets its tables join.
    pub(crate) fn open(setup: &Setup, audit: Audit) -> Result<Self, String> {
        let mut game = Self {
            world: World::open(setup)?,
            auditor: Auditor::open(setup),
            audit,
            over: false,
        };
        game.auditor.compare(&game.world.state)?;
        for _ in 0..setup.tables {
            let join = game.world.join()?;
            game.step(&join, &mut |_| Ok(()))?;
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
        let lead = turn.lead();
        let lead = lead.filter(|_| self.auditor.felts[table].round.is_none());
        for intent in lead.iter().chain([&turn.intent]) {
            for envelope in self.meant(table, intent) {
                if self.over {
                    return Ok(());
                }
                self.step(&envelope, see)?;
            }
        }
        Ok(())
    }

    fn step(&mut self, envelope: &Envelope, see: &mut dyn FnMut(&Step<'_>) -> Verdict) -> Verdict {
        let before = self.world.state.clone();
        let answer = self.world.submit(envelope)?;
        see(&Step {
            world: &self.world,
            before: &before,
            envelope,
            answer: &answer,
        })?;
        let judged = self.auditor.judge(envelope, &answer);
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
