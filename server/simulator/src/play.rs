//! One table's part of a round, from coin-in to GAME OVER.

use std::time::Duration;

use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::amount;
use crate::books::add;
use crate::error::SimulatorError;
use crate::plan::LinkPlan;
use crate::script::{Holder, Keyed, RoundScript, TableScript, VoidWhen};
use crate::table::Controller;
use crate::wire::{Command, RoundHit, WagerSent};

/// How long a dealer waits for the floor, a restart of the server included.
const FLOOR_MAX: Duration = Duration::from_mins(2);
/// The first pause before a dealer looks again whether the floor is done.
const LOOK_FIRST: Duration = Duration::from_millis(2);
/// Why an accident may not be cancelled any more: the floor was faster, or another table hit the same level.
const TOO_LATE: [&str; 3] = ["hit_not_pending", "hit_paid", "later_hits"];
/// The badge under which a round is finished that was left open.
const RESUMED_BY: &str = "d-0";

/// A table with its link.
pub(crate) struct TableSeat {
    /// Its controller.
    pub(crate) controller: Controller,
    /// The place of its link in the plan.
    pub(crate) link: usize,
}

impl TableSeat {
    /// Plays a round.
    pub(crate) async fn play(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<(), SimulatorError> {
        let wagers = self.coin_in(round, script).await?;
        if let Some(chips) = script.count {
            self.send(&Command::Count { chips }, round).await?;
        }
        if let Some((VoidWhen::Counted, reason)) = script.void {
            return self.void(reason, wagers, round).await;
        }
        if !round.folds.is_empty() {
            self.send(
                &Command::Fold {
                    seats: round.folds.clone(),
                },
                round,
            )
            .await?;
        }
        if let Some((VoidWhen::Dealt, reason)) = script.void {
            return self.void(reason, wagers, round).await;
        }
        let mut hits = Vec::new();
        if let Some(accident) = &script.accident {
            hits.extend(self.accident(accident, round).await?);
        }
        // A button that stayed down blocks those after it: the dealer waits for the floor instead.
        if hits.is_empty() {
            for keyed in &script.keyed {
                hits.push(self.key(keyed, round).await?);
                if let (1, Some((VoidWhen::FirstKeyed, reason))) = (hits.len(), script.void)
                    && self.void_after_hit(reason, wagers, round).await?
                {
                    return Ok(());
                }
            }
        }
        self.close(&hits, &round.by).await
    }

    /// Finishes a round that a controller left open when it was switched off: what was keyed is left to the
    /// floor; where nothing stands, all wagers go back.
    pub(crate) async fn finish(&mut self) -> Result<(), SimulatorError> {
        self.world().call_the_floor();
        let command = if self.settled().await?.iter().any(RoundHit::is_standing) {
            Command::Close {}
        } else {
            Command::Void { reason: "misdeal" }
        };
        self.controller
            .send(&command, RESUMED_BY)
            .await?
            .accepted()?;
        Ok(())
    }

    fn world(&self) -> &crate::world::World {
        self.controller.world()
    }

    fn link_plan(&self) -> Option<&LinkPlan> {
        self.world().plan.links.get(self.link)
    }

    /// Sends what can only be accepted.
    async fn send(
        &mut self,
        command: &Command,
        round: &RoundScript,
    ) -> Result<Value, SimulatorError> {
        self.controller.send(command, &round.by).await?.accepted()
    }

    /// The bets are locked; answers how many.
    async fn coin_in(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<i64, SimulatorError> {
        let amount = self
            .link_plan()
            .map(|link| link.wager.clone())
            .unwrap_or_default();
        let wagers = script
            .wagers
            .iter()
            .map(|wager| WagerSent::new(wager, &amount))
            .collect();
        let command = Command::CoinIn {
            wagers,
            dealt: round.dealt.clone(),
        };
        let answer = self.send(&command, round).await?;
        let books = &self.world().books;
        books.showing(self.link, meters(&answer));
        add(&books.wagers, script.wagers.len() as u64);
        let wagers = i64::try_from(script.wagers.len()).unwrap_or(i64::MAX);
        books.wagered(self.link, wagers);
        Ok(wagers)
    }

    /// A winning hand is keyed, and the floor called; answers the hit's name.
    async fn key(&mut self, keyed: &Keyed, round: &RoundScript) -> Result<String, SimulatorError> {
        let hit = self.controller.next_hit();
        if let (Some(staged), Holder::Seat(seat)) = (&round.staged, keyed.holder)
            && staged.seat == seat
        {
            tracing::info!(
                hit.id = hit,
                "staged {} on seat {seat} keyed as {hit}",
                keyed.hand
            );
            self.world().spare(hit.clone());
        }
        self.send(&Command::keyed(keyed), round).await?;
        self.world().books.keyed(keyed.hand.name());
        self.world().call_the_floor();
        Ok(hit)
    }

    /// A button is pressed by mistake and pressed again; answers the hit if that came too late.
    async fn accident(
        &mut self,
        keyed: &Keyed,
        round: &RoundScript,
    ) -> Result<Option<String>, SimulatorError> {
        let hit = self.controller.next_hit();
        self.send(&Command::keyed(keyed), round).await?;
        let cancel = Command::CancelHit { hit: hit.clone() };
        let answer = self.controller.send(&cancel, &round.by).await?;
        if answer.accepted_unless(&TOO_LATE)? {
            add(&self.world().books.cancelled, 1);
            return Ok(None);
        }
        self.world().call_the_floor();
        Ok(Some(hit))
    }

    /// All wagers of the round go back.
    async fn void(
        &mut self,
        reason: &'static str,
        wagers: i64,
        round: &RoundScript,
    ) -> Result<(), SimulatorError> {
        self.send(&Command::Void { reason }, round).await?;
        self.voided(wagers);
        Ok(())
    }

    /// The same after a hand was keyed; whether it still could be.
    async fn void_after_hit(
        &mut self,
        reason: &'static str,
        wagers: i64,
        round: &RoundScript,
    ) -> Result<bool, SimulatorError> {
        let answer = self
            .controller
            .send(&Command::Void { reason }, &round.by)
            .await?;
        let void = answer.accepted_unless(&TOO_LATE)?;
        if void {
            self.voided(wagers);
        }
        Ok(void)
    }

    fn voided(&self, wagers: i64) {
        let books = &self.world().books;
        books.wagered(self.link, -wagers);
        add(&books.voids, 1);
    }

    /// GAME OVER, once the floor is done with every hit of the round.
    async fn close(&mut self, hits: &[String], by: &str) -> Result<(), SimulatorError> {
        let mut paid = 0;
        if !hits.is_empty() {
            let standing = self
                .settled()
                .await?
                .into_iter()
                .filter(RoundHit::is_standing);
            for payout in standing.flat_map(|hit| hit.payouts) {
                paid += amount::parse(&payout.amount).unwrap_or_default();
            }
        }
        self.controller
            .send(&Command::Close {}, by)
            .await?
            .accepted()?;
        self.world().books.paid(self.link, paid);
        Ok(())
    }

    /// The hits of the open round, once none of them is in the way of GAME OVER.
    async fn settled(&self) -> Result<Vec<RoundHit>, SimulatorError> {
        let started = Instant::now();
        let mut pause = LOOK_FIRST;
        loop {
            let hits = self
                .controller
                .look()
                .await?
                .round
                .map_or_else(Vec::new, |it| it.hits);
            let Some(waiting) = hits.iter().find(|hit| !hit.is_settled()) else {
                return Ok(hits);
            };
            let waited = started.elapsed();
            if waited > FLOOR_MAX {
                return Err(SimulatorError::FloorAbsent {
                    hit: waiting.name.clone(),
                    waited,
                });
            }
            sleep(pause).await;
            pause = (pause * 2).min(self.world().look);
        }
    }
}

/// What the signs show by the answer to a coin-in.
fn meters(answer: &Value) -> Vec<(String, String)> {
    let levels = answer.get("levels").and_then(Value::as_array);
    let text = |level: &Value, field: &str| Some(level.get(field)?.as_str()?.to_owned());
    levels
        .into_iter()
        .flatten()
        .filter_map(|level| Some((text(level, "level")?, text(level, "amount")?)))
        .collect()
}
