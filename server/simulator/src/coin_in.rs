//! The coin-in: bets are locked, at once or as soon as the link and the table can be played again.

use serde::Deserialize;
use tokio::time::{Instant, sleep};

use crate::bonus::Drawn;
use crate::books::add;
use crate::error::SimulatorError;
use crate::limits::{LOOK_FIRST, WAIT_MAX};
use crate::script::{RoundScript, TableScript};
use crate::sent::{Command, WagerSent};
use crate::table::{Answer, Refusal};
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
    /// When it was locked, by the server's clock, to which the table's own is set.
    pub(crate) at: String,
    /// How many wagers.
    pub(crate) wagers: i64,
    /// What was drawn for it.
    pub(crate) drawn: Drawn,
}

/// What the answer to a coin-in says, as far as a dealer reads it.
#[derive(Deserialize)]
struct CoinInSeen {
    at: String,
    levels: Vec<LevelSeen>,
    #[serde(flatten)]
    drawn: Drawn,
}

/// A level on the table's own sign.
#[derive(Deserialize)]
struct LevelSeen {
    level: String,
    amount: String,
}

impl TableSeat {
    /// The bets are locked.
    pub(crate) async fn coin_in(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<Locked, SimulatorError> {
        let command = self.coin_in_command(round, script);
        let started = Instant::now();
        let answer = loop {
            match self.controller.send(&command, &round.by).await? {
                Answer::Accepted(answer) => break answer,
                Answer::Refused(refusal) => self.until_playable(&refusal, started).await?,
            }
        };
        let seen: CoinInSeen =
            serde_json::from_value(answer).map_err(|source| SimulatorError::Unreadable {
                request: "a coin-in".to_owned(),
                answer: "what lacks a field".to_owned(),
                source,
            })?;
        let books = &self.world().books;
        let levels = seen.levels.into_iter().map(|it| (it.level, it.amount));
        books.showing(self.link, levels.collect());
        add(&books.wagers, script.wagers.len() as u64);
        let wagers = i64::try_from(script.wagers.len()).unwrap_or(i64::MAX);
        books.wagered(self.link, wagers);
        Ok(Locked {
            sequence: self.controller.last_sequence(),
            at: seen.at,
            wagers,
            drawn: seen.drawn,
        })
    }

    fn coin_in_command(&self, round: &RoundScript, script: &TableScript) -> Command {
        let amount = self.link_plan().map_or("", |link| &link.wager);
        let wagers = script.wagers.iter();
        Command::CoinIn {
            wagers: wagers.map(|it| WagerSent::new(it, amount)).collect(),
            dealt: round.dealt.clone(),
        }
    }

    /// Bets that should not have been locked: the number is used up. Answers the code.
    pub(crate) async fn refused_coin_in(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<String, SimulatorError> {
        let command = self.coin_in_command(round, script);
        match self.controller.send(&command, &round.by).await? {
            Answer::Refused(refusal) if NOT_NOW.contains(&refusal.code.as_str()) => {
                Ok(refusal.code)
            }
            Answer::Refused(refusal) => Err(refusal.unexpected()),
            Answer::Accepted(answer) => Err(SimulatorError::Unexpected {
                request: format!("a coin-in of {}", self.controller.name()),
                answer: answer.to_string(),
                expected: "a refusal: the link or a level of it is off".to_owned(),
            }),
        }
    }

    /// Waits until bets can be locked that were refused.
    async fn until_playable(
        &self,
        refusal: &Refusal,
        started: Instant,
    ) -> Result<(), SimulatorError> {
        if !NOT_NOW.contains(&refusal.code.as_str()) {
            return Err(refusal.unexpected());
        }
        if refusal.code == TABLE_LOST {
            add(&self.world().books.tables_lost, 1);
        }
        let mut pause = LOOK_FIRST;
        while !self.controller.report().await?.is_playable() {
            let waited = started.elapsed();
            if waited > WAIT_MAX {
                let what = format!("{} could not be played", self.controller.name());
                return Err(SimulatorError::NotInTime { what, waited });
            }
            sleep(pause).await;
            pause = (pause * 2).min(self.world().look);
        }
        Ok(())
    }
}
