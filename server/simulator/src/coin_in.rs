//! The coin-in: locks the bets, immediately or as soon as the link and the table can be played again.

use meterhouse_client::{Effect, LinkState};

use crate::bonus::RoundDraw;
use crate::commands;
use crate::counters::add;
use crate::error::SimulatorError;
use crate::limits::within_wait_max;
use crate::script::{RoundScript, TableScript};
use crate::simulated_table::SimulatedTable;
use crate::table_controller::CommandOutcome;

/// Temporary refusals of a coin-in: the link or a level is out of play, or the table was silent for too long.
const TEMPORARY: [&str; 4] = [
    "link_suspended",
    "link_closed",
    "level_disabled",
    TABLE_LOST,
];
const TABLE_LOST: &str = "table_lost";

/// A round whose bets are locked.
pub(crate) struct LockedRound {
    /// The sequence of its coin-in.
    pub(crate) sequence: u64,
    /// The number of accepted wagers.
    pub(crate) wagers: i64,
    /// The card or position that was drawn with the coin-in.
    pub(crate) draw: RoundDraw,
}

impl SimulatedTable {
    /// Sends the coin-in until it is accepted.
    pub(crate) async fn coin_in(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<LockedRound, SimulatorError> {
        let what = format!("{} could not be played", self.controller.name());
        let locking = async {
            loop {
                let result = self.try_coin_in(round, script).await?;
                if result.refusal().is_none() {
                    return Ok::<_, SimulatorError>(result);
                }
                self.wait_until_playable(&result).await?;
            }
        };
        let result = within_wait_max(|| what, locking).await??;
        let Effect::CoinIn(done) = &result.outcome().effect else {
            return Err(result.unexpected("a coin-in"));
        };
        let counters = &self.context().counters;
        let levels = self.controller.levels().iter().cloned();
        let displayed = result.outcome().displayed.iter();
        let levels = levels.zip(displayed.map(ToString::to_string));
        counters.set_meters(self.link, levels.collect());
        add(&counters.wagers, script.wagers.len() as u64);
        let wagers = i64::try_from(script.wagers.len()).unwrap_or(i64::MAX);
        counters.add_wagers(self.link, wagers);
        Ok(LockedRound {
            sequence: result.outcome().sequence.get(),
            wagers,
            draw: RoundDraw::of(done),
        })
    }

    async fn try_coin_in(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<CommandOutcome, SimulatorError> {
        let command = commands::coin_in(round, script, self.controller.wager())?;
        self.controller.send(command, &round.by).await
    }

    /// Sends a coin-in that must be refused, which uses its number up. Returns the refusal's code.
    pub(crate) async fn refused_coin_in(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<String, SimulatorError> {
        let result = self.try_coin_in(round, script).await?;
        match result.refusal() {
            Some(code) if TEMPORARY.contains(&code) => Ok(code.to_owned()),
            _ => Err(result.unexpected("a refusal: the link or a level of it is off")),
        }
    }

    /// Waits until the table can be played after a temporary refusal.
    async fn wait_until_playable(&self, refused: &CommandOutcome) -> Result<(), SimulatorError> {
        let code = refused.refusal().unwrap_or_default();
        if !TEMPORARY.contains(&code) {
            return Err(refused.unexpected("an acceptance"));
        }
        if code == TABLE_LOST {
            add(&self.context().counters.tables_lost, 1);
        }
        let playable = self.controller.until("could not be played", |standing| {
            let is_open = standing.link_state == LinkState::Open;
            (is_open && standing.disabled.is_empty() && !standing.is_lost).then_some(())
        });
        playable.await
    }
}
