//! Touchdown Roulette: a wager before a spin, and the game of four downs after 0 or 00, 58 Pa. Code § 617a.3(f).

use crate::fixed::field::{Compartment, Field, Goal, Team, touchdown};
use crate::fixed::seen::Seen;
use crate::fixed::settle::chosen::ChosenTables;
use crate::fixed::settle::decided::Decided;
use crate::fixed::settle::finding::{Finding, Mistake};
use crate::fixed::settle::one_by_one::{Placed, one_by_one};
use crate::fixed::settle::settled::{SettledWager, WagerResult};
use crate::fixed::table::FixedTable;
use crate::fixed::wager::FixedWager;
use crate::money::Money;

/// A spin with the game that it began, if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchdownGame {
    /// Spin after the wagers were placed.
    pub first: Compartment,
    /// Downs of the game: none unless the spin came to 0 or 00.
    pub downs: Vec<Compartment>,
    /// Reading of an end zone reached before the fourth down, where the results differ.
    pub goal: Option<Goal>,
    /// Smallest chip: every wager is a multiple of it.
    pub step: Money,
    /// Wagers of all players.
    pub wagers: Vec<TeamPlaced>,
}

/// A Touchdown Roulette Wager.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TeamPlaced {
    /// Amount.
    pub amount: Money,
    /// Team that the player chose after 0 or 00.
    pub team: Option<Team>,
}

/// Settles a game by the chosen table of Pennsylvania: one result for each wager, in the same order.
///
/// # Errors
/// All mistakes in the game, if there are any.
pub fn settle_touchdown(
    game: &TouchdownGame,
    tables: &[&FixedTable],
) -> Result<Vec<SettledWager>, Vec<Finding>> {
    let chosen = ChosenTables {
        tables,
        game: "roulette",
        jurisdiction: "PA",
        players: 0,
    };
    let mut findings = Vec::new();
    // Which spins make a game is the same for both teams.
    match end(game, Team::Red) {
        Err(mistake @ Mistake::NoSpins) => findings.push(Finding::new("downs", mistake)),
        Err(mistake @ Mistake::GoalMissing) => findings.push(Finding::new("goal", mistake)),
        Ok(_) | Err(_) => {}
    }
    one_by_one(&game.wagers, game.step, findings, |placed| {
        decide(game, &chosen, placed)
    })
}

impl Placed for TeamPlaced {
    fn amount(&self) -> Money {
        self.amount
    }

    fn chosen_wrong(&self) -> Option<(&'static str, Mistake)> {
        None
    }
}

fn decide(
    game: &TouchdownGame,
    chosen: &ChosenTables<'_>,
    placed: &TeamPlaced,
) -> Result<SettledWager, Mistake> {
    let wager = FixedWager::Touchdown;
    let table = chosen.table(wager.name())?;
    if !game.first.starts_game() {
        let lost = Decided::without_pay(WagerResult::Loss, "§ 617a.3(f)(1)", placed.amount);
        return Ok(lost.of(wager, placed.amount));
    }
    let team = placed.team.ok_or(Mistake::TeamMissing)?;
    let field = end(game, team)?;
    let line = table.line_for(&Seen::Field(field));
    let decided = Decided::by_line(table, line, "§ 617a.3(f)(2)", placed.amount)?;
    Ok(decided.of(wager, placed.amount))
}

/// Returns the end of a game for this team in the chosen reading. Without one, both readings have to end alike.
fn end(game: &TouchdownGame, team: Team) -> Result<Field, Mistake> {
    let in_reading = |goal| touchdown(game.first, team, &game.downs, goal);
    match game.goal {
        Some(goal) => in_reading(goal).ok_or(Mistake::NoSpins),
        None => match (in_reading(Goal::EndsGame), in_reading(Goal::PlaysOn)) {
            (None, None) => Err(Mistake::NoSpins),
            (Some(field), Some(other)) if field == other => Ok(field),
            _ => Err(Mistake::GoalMissing),
        },
    }
}
