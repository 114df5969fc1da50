//! Touchdown Roulette: a wager before a spin, and the game of four downs after 0 or 00, 58 Pa. Code § 617a.3(f).

use crate::fixed::field::{Compartment, Field, Goal, Team, touchdown};
use crate::fixed::seen::Seen;
use crate::fixed::settle::chosen::ChosenTables;
use crate::fixed::settle::decided::Decided;
use crate::fixed::settle::finding::{Finding, Mistake};
use crate::fixed::settle::one_by_one::RolledRules;
use crate::fixed::settle::rolled::ChosenWager;
use crate::fixed::settle::settled::{SettledWager, WagerResult};
use crate::fixed::wager::{FixedWager, RoundWager};

/// A spin with the game that it began, if any, and the table that pays.
pub(super) struct TouchdownGame<'a> {
    /// Spin after the wagers were placed, and the downs of the game.
    pub(super) spins: &'a [Compartment],
    /// Reading of an end zone reached before the fourth down.
    pub(super) goal: Option<Goal>,
    pub(super) chosen: ChosenTables<'a>,
}

impl TouchdownGame<'_> {
    /// Returns true if the first spin began a game; none without a spin.
    fn has_begun(&self) -> Option<bool> {
        self.spins.first().map(|spin| spin.starts_game())
    }

    /// Returns the end of the game for this team in the chosen reading. Without one, both readings have to end alike.
    fn end(&self, team: Team) -> Result<Field, Mistake> {
        let (first, downs) = self.spins.split_first().ok_or(Mistake::NoSpins)?;
        let in_reading = |goal| touchdown(*first, team, downs, goal);
        match self.goal {
            Some(goal) => in_reading(goal).ok_or(Mistake::NoSpins),
            None => match (in_reading(Goal::EndsGame), in_reading(Goal::PlaysOn)) {
                (None, None) => Err(Mistake::NoSpins),
                (Some(field), Some(other)) if field == other => Ok(field),
                _ => Err(Mistake::GoalMissing),
            },
        }
    }
}

impl RolledRules for TouchdownGame<'_> {
    fn rolled_wrong(&self) -> Option<Finding> {
        // Which spins make a game is the same for both teams.
        let mistake = self.end(Team::Red).err()?;
        let field = match mistake {
            Mistake::GoalMissing => "terms.goal",
            _ => "spins",
        };
        Some(Finding::new(field, mistake))
    }

    fn chosen_wrong(&self, placed: &ChosenWager) -> Option<(&'static str, Mistake)> {
        let mistake = match (placed.wager, self.has_begun()?, placed.team) {
            (RoundWager::Fixed(FixedWager::Touchdown), true, None) => Mistake::TeamMissing,
            (RoundWager::Fixed(FixedWager::Touchdown), false, Some(_)) => Mistake::TeamWithoutGame,
            _ => return None,
        };
        Some(("team", mistake))
    }

    fn settle(&self, placed: &ChosenWager) -> Result<SettledWager, Mistake> {
        let wager = FixedWager::Touchdown;
        if placed.wager != RoundWager::Fixed(wager) {
            return Err(Mistake::WagerUnknown {
                wager: placed.wager,
                known: wager.name().to_owned(),
            });
        }
        let table = self.chosen.table(wager.name())?;
        if !self.has_begun().ok_or(Mistake::NoSpins)? {
            let lost = Decided::without_pay(WagerResult::Loss, "§ 617a.3(f)(1)", placed.amount);
            return Ok(lost.of(wager, placed.amount));
        }
        let field = self.end(placed.team.ok_or(Mistake::TeamMissing)?)?;
        let line = table.line_for(&Seen::Field(field));
        let decided = Decided::by_line(table, line, "§ 617a.3(f)(2)", placed.amount)?;
        Ok(decided.of(wager, placed.amount))
    }
}
