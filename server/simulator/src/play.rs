//! Plays a table's part of a round, from coin-in to GAME OVER.

use meterhouse_client::{
    CancelHit, Close, Command, Count, Effect, HandedOver, HitState, Outcome, RoundHit, Standing,
};

use crate::bonus::BonusWon;
use crate::coin_in::LockedRound;
use crate::commands;
use crate::context::ReviewRule;
use crate::counters::add;
use crate::error::SimulatorError;
use crate::script::{COUNT_MISMATCH, Holder, KeyedHand, RoundScript, TableScript, VoidWhen};
use crate::settle::matches_dealt_hands;
use crate::simulated_table::SimulatedTable;

/// Refusals of a cancellation: a supervisor was faster, or another table hit the same level.
const TOO_LATE: [&str; 3] = ["hit_not_pending", "hit_paid", "later_hits"];
/// The badge for finishing a round that an earlier run left open.
const FINISH_BADGE: &str = "d-0";

impl SimulatedTable {
    /// Plays a round.
    pub(crate) async fn play(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<(), SimulatorError> {
        if let Some(locked) = self.lock_bets(round, script).await? {
            self.show_hands(round, script, &locked).await?;
        }
        Ok(())
    }

    /// Plays a round from the coin-in until the hands are shown. Returns `None` if the round is void.
    pub(crate) async fn lock_bets(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<Option<LockedRound>, SimulatorError> {
        let locked = self.coin_in(round, script).await?;
        if let Some(chips) = script.count {
            self.send(Count { chips }, round).await?;
        }
        if let Some((VoidWhen::Counted, reason)) = script.void {
            self.void(reason, locked.wagers, round).await?;
            return Ok(None);
        }
        if !round.folds.is_empty() {
            self.send(commands::fold(&round.folds), round).await?;
        }
        if let Some((VoidWhen::Dealt, reason)) = script.void {
            self.void(reason, locked.wagers, round).await?;
            return Ok(None);
        }
        Ok(Some(locked))
    }

    /// Plays a round from the showing of hands to GAME OVER. Returns the names of the hits, those of the script first.
    pub(crate) async fn show_hands(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
        locked: &LockedRound,
    ) -> Result<Vec<String>, SimulatorError> {
        let mut hits = Vec::new();
        if let Some(mistaken) = &script.mistaken_key {
            hits.extend(self.key_by_mistake(mistaken, round).await?);
        }
        let bonuses = locked.draw.bonuses(round, script);
        // A mistaken hit that was not cancelled blocks further hits: the dealer waits for a supervisor instead.
        if !hits.is_empty() {
            self.game_over(&hits, &round.by).await?;
            return Ok(hits);
        }
        if script.settles {
            hits = self.settle(round, script, &bonuses).await?;
        } else {
            for keyed in &script.winning_hands {
                hits.push(self.key_hand(keyed, round).await?);
                if let (1, Some((VoidWhen::FirstKeyed, reason))) = (hits.len(), script.void)
                    && self.void_after_hit(reason, locked.wagers, round).await?
                {
                    return Ok(hits);
                }
            }
            self.key_bonuses(&bonuses, round, &mut hits).await?;
        }
        self.game_over(&hits, &round.by).await?;
        Ok(hits)
    }

    /// Finishes a round whose winning hands are keyed: keys bonuses and sends GAME OVER.
    pub(crate) async fn finish_keyed_round(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
        locked: &LockedRound,
        mut hits: Vec<String>,
    ) -> Result<(), SimulatorError> {
        let bonuses = locked.draw.bonuses(round, script);
        self.key_bonuses(&bonuses, round, &mut hits).await?;
        self.game_over(&hits, &round.by).await
    }

    /// Finishes a round that an earlier run left open. Supervisors review the keyed hits. Without a valid hit, the round
    /// is void.
    pub(crate) async fn finish_open_round(&mut self) -> Result<(), SimulatorError> {
        self.context().call_supervisors();
        let command = if self.wait_until_settled().await?.iter().any(is_valid) {
            Close.into()
        } else {
            commands::void("misdeal")?
        };
        self.controller
            .send(command, FINISH_BADGE)
            .await?
            .accepted()?;
        Ok(())
    }

    /// Sends a command that must be accepted.
    async fn send(
        &mut self,
        command: impl Into<Command>,
        round: &RoundScript,
    ) -> Result<Outcome, SimulatorError> {
        self.controller.send(command, &round.by).await?.accepted()
    }

    /// Keys a winning hand, and calls the supervisors. Returns the hit's name.
    pub(crate) async fn key_hand(
        &mut self,
        keyed: &KeyedHand,
        round: &RoundScript,
    ) -> Result<String, SimulatorError> {
        let hit = self.controller.next_hit();
        if let (Some(staged), Holder::Seat(seat)) = (&round.staged, keyed.holder)
            && staged.seat == seat
            && self.context().review_rule(&hit).is_none()
        {
            tracing::info!(
                hit.id = hit,
                "staged {} on seat {seat} keyed as {hit}",
                keyed.hand
            );
            self.context()
                .set_review_rule(hit.clone(), ReviewRule::ApproveOnly);
        }
        self.send(commands::keyed_hand(keyed)?, round).await?;
        self.context().counters.count_hand(keyed.hand.name());
        self.context().call_supervisors();
        Ok(hit)
    }

    /// Keys the bonuses in turn order.
    async fn key_bonuses(
        &mut self,
        bonuses: &[BonusWon],
        round: &RoundScript,
        hits: &mut Vec<String>,
    ) -> Result<(), SimulatorError> {
        for won in bonuses {
            hits.push(self.controller.next_hit());
            self.send(commands::bonus(won)?, round).await?;
            add(&self.context().counters.bonuses, 1);
        }
        Ok(())
    }

    /// Sends all cards in one settle command. The server's hits must match the dealt hands.
    async fn settle(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
        bonuses: &[BonusWon],
    ) -> Result<Vec<String>, SimulatorError> {
        let Some(link) = self.link_plan() else {
            return Ok(Vec::new());
        };
        let command = commands::settle(link, round, script)?;
        let result = self.controller.send(command, &round.by).await?;
        let hits = match &result.outcome().effect {
            Effect::Settle { hits, .. } if matches_dealt_hands(hits, script, bonuses) => hits,
            _ => {
                let expected = format!("{:?} and {bonuses:?}", script.winning_hands);
                return Err(result.unexpected(&expected));
            }
        };
        let counters = &self.context().counters;
        add(&counters.settles, 1);
        add(&counters.bonuses, bonuses.len() as u64);
        for hand in hits.iter().filter_map(|hit| hit.hand.as_deref()) {
            counters.count_hand(hand);
        }
        self.context().call_supervisors();
        Ok(hits.iter().map(|hit| hit.hit.to_string()).collect())
    }

    /// Keys a hand by mistake and cancels the hit. Returns the hit if the cancellation came too late.
    async fn key_by_mistake(
        &mut self,
        keyed: &KeyedHand,
        round: &RoundScript,
    ) -> Result<Option<String>, SimulatorError> {
        let hit = self.controller.next_hit();
        let keyed_by = self
            .send(commands::keyed_hand(keyed)?, round)
            .await?
            .sequence;
        let cancel = CancelHit {
            keyed_by,
            number: 0,
        };
        let result = self.controller.send(cancel, &round.by).await?;
        if result.accepted_unless(&TOO_LATE)? {
            add(&self.context().counters.cancelled, 1);
            return Ok(None);
        }
        self.context().call_supervisors();
        Ok(Some(hit))
    }

    /// Voids the round.
    async fn void(
        &mut self,
        reason: &'static str,
        wagers: i64,
        round: &RoundScript,
    ) -> Result<(), SimulatorError> {
        self.send(commands::void(reason)?, round).await?;
        self.count_void(wagers);
        if reason == COUNT_MISMATCH {
            add(&self.context().counters.miscounts, 1);
        }
        Ok(())
    }

    /// Voids the round after a hand was keyed. Returns `false` if the void came too late.
    async fn void_after_hit(
        &mut self,
        reason: &'static str,
        wagers: i64,
        round: &RoundScript,
    ) -> Result<bool, SimulatorError> {
        let command = commands::void(reason)?;
        let result = self.controller.send(command, &round.by).await?;
        let is_void = result.accepted_unless(&TOO_LATE)?;
        if is_void {
            self.count_void(wagers);
        }
        Ok(is_void)
    }

    fn count_void(&self, wagers: i64) {
        let counters = &self.context().counters;
        counters.add_wagers(self.link, -wagers);
        add(&counters.voids, 1);
    }

    /// Sends GAME OVER, after the supervisors have settled every hit of the round.
    pub(crate) async fn game_over(
        &mut self,
        hits: &[String],
        by: &str,
    ) -> Result<(), SimulatorError> {
        let mut paid = 0;
        if !hits.is_empty() {
            let hits = self.wait_until_settled().await?;
            let valid = hits.iter().filter(|hit| is_valid(hit));
            let payouts = valid.flat_map(|hit| &hit.payouts).map(|row| &row.payout);
            // A slip is paid when its document is recorded. GAME OVER pays the other payouts.
            let at_game_over = payouts.filter(|payout| payout.handed_over != HandedOver::Slip);
            paid = at_game_over.map(|payout| payout.amount.micros()).sum();
        }
        self.controller.send(Close, by).await?.accepted()?;
        self.context().counters.add_paid(self.link, paid);
        Ok(())
    }

    /// Waits until no hit of the open round prevents GAME OVER. Returns the hits.
    async fn wait_until_settled(&self) -> Result<Vec<RoundHit>, SimulatorError> {
        let settled = |standing: &Standing| {
            let round = standing.round.as_ref();
            let hits = round.map(|round| round.hits.clone()).unwrap_or_default();
            hits.iter().all(is_settled).then_some(hits)
        };
        let what = "has a hit that was not settled";
        self.controller.until(what, settled).await
    }
}

/// Returns `true` if the hit doesn't prevent GAME OVER.
fn is_settled(hit: &RoundHit) -> bool {
    match hit.state {
        HitState::Validated | HitState::ValidatedByRule => hit.payouts.iter().all(|row| {
            let is_other = row.payout.handed_over != HandedOver::Slip;
            is_other || row.document.is_some()
        }),
        _ => hit.state != HitState::Pending,
    }
}

/// Returns `true` if the hit is paid or may still be paid.
fn is_valid(hit: &RoundHit) -> bool {
    use HitState::{Paid, Pending, Validated, ValidatedByRule};
    matches!(hit.state, Pending | ValidatedByRule | Validated | Paid)
}
