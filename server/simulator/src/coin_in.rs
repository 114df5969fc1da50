//! The coin-in: bets are locked, immediately or as soon as the link and the table can be played again.

use meterhouse_client::{Effect, LinkState};

use crate::bonus::Drawn;
use crate::books::add;
use crate::error::SimulatorError;
use crate::limits::in_time;
use crate::requests;
use crate::script::{RoundScript, TableScript};
use crate::table::Answer;
use crate::table_seat::TableSeat;

/// Why bets can't be locked now, but may be soon: the link stands still, or this table was silent for too long.
const NOT_NOW: [&str; 4] = [
    "link_suspended",
    "link_closed",
    "level_disabled",
    TABLE_LOST,
];
const TABLE_LOST: &str = "table_lost";

/// A round whose bets are locked.
pub(crate) struct Locked {
    /// The number of its coin-in.
    pub(crate) sequence: u64,
    /// How many wagers.
    pub(crate) wagers: i64,
    /// What was drawn for it.
    pub(crate) drawn: Drawn,
}

impl TableSeat {
    /// The bets are locked.
    pub(crate) async fn coin_in(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<Locked, SimulatorError> {
        let what = format!("{} could not be played", self.controller.name());
        let locking = async {
            loop {
                let answer = self.try_coin_in(round, script).await?;
                if answer.refusal().is_none() {
                    return Ok::<_, SimulatorError>(answer);
                }
                self.until_playable(&answer).await?;
            }
        };
        let answer = in_time(|| what, locking).await??;
        let Effect::CoinIn(done) = &answer.outcome().effect else {
            return Err(answer.unexpected("a coin-in"));
        };
        let books = &self.world().books;
        let levels = self.controller.levels().iter().cloned();
        let displayed = answer.outcome().displayed.iter();
        let levels = levels.zip(displayed.map(ToString::to_string));
        books.showing(self.link, levels.collect());
        add(&books.wagers, script.wagers.len() as u64);
        let wagers = i64::try_from(script.wagers.len()).unwrap_or(i64::MAX);
        books.wagered(self.link, wagers);
        Ok(Locked {
            sequence: answer.outcome().sequence.get(),
            wagers,
            drawn: Drawn::of(done),
        })
    }

    async fn try_coin_in(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<Answer, SimulatorError> {
        let command = requests::coin_in(round, script, self.controller.wager())?;
        self.controller.send(command, &round.by).await
    }

    /// Bets that should not have been locked: the number is used up. Returns the code.
    pub(crate) async fn refused_coin_in(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<String, SimulatorError> {
        let answer = self.try_coin_in(round, script).await?;
        match answer.refusal() {
            Some(code) if NOT_NOW.contains(&code) => Ok(code.to_owned()),
            _ => Err(answer.unexpected("a refusal: the link or a level of it is off")),
        }
    }

    /// Waits until bets can be locked that were refused.
    async fn until_playable(&self, refused: &Answer) -> Result<(), SimulatorError> {
        let code = refused.refusal().unwrap_or_default();
        if !NOT_NOW.contains(&code) {
            return Err(refused.unexpected("an acceptance"));
        }
        if code == TABLE_LOST {
            add(&self.world().books.tables_lost, 1);
        }
        let playable = self.controller.until("could not be played", |standing| {
            let is_open = standing.link_state == LinkState::Open;
            (is_open && standing.disabled.is_empty() && !standing.is_lost).then_some(())
        });
        playable.await
    }
}
