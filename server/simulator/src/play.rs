//! One table's part of a round, from coin-in to GAME OVER.

use meterhouse_client::{
    CancelHit, Close, Command, Count, Effect, HandedOver, HitState, Outcome, RoundHit, Standing,
};

use crate::bonus::BonusWon;
use crate::books::add;
use crate::coin_in::Locked;
use crate::error::SimulatorError;
use crate::requests;
use crate::script::{COUNT_MISMATCH, Holder, Keyed, RoundScript, TableScript, VoidWhen};
use crate::settle::is_what_was_dealt;
use crate::table_seat::TableSeat;
use crate::world::Treatment;

/// Why an accident may not be cancelled any more: the floor was faster, or another table hit the same level.
const TOO_LATE: [&str; 3] = ["hit_not_pending", "hit_paid", "later_hits"];
/// The badge under which a round is finished that was left open.
const RESUMED_BY: &str = "d-0";

impl TableSeat {
    /// Plays a round.
    pub(crate) async fn play(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<(), SimulatorError> {
        if let Some(locked) = self.lock(round, script).await? {
            self.show(round, script, &locked).await?;
        }
        Ok(())
    }

    /// From the coin-in up to the cards; nothing where the round was void by then.
    pub(crate) async fn lock(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
    ) -> Result<Option<Locked>, SimulatorError> {
        let locked = self.coin_in(round, script).await?;
        if let Some(chips) = script.count {
            self.send(Count { chips }, round).await?;
        }
        if let Some((VoidWhen::Counted, reason)) = script.void {
            self.void(reason, locked.wagers, round).await?;
            return Ok(None);
        }
        if !round.folds.is_empty() {
            self.send(requests::fold(&round.folds), round).await?;
        }
        if let Some((VoidWhen::Dealt, reason)) = script.void {
            self.void(reason, locked.wagers, round).await?;
            return Ok(None);
        }
        Ok(Some(locked))
    }

    /// From the cards to GAME OVER; answers the names of the hits, those of the script first.
    pub(crate) async fn show(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
        locked: &Locked,
    ) -> Result<Vec<String>, SimulatorError> {
        let mut hits = Vec::new();
        if let Some(accident) = &script.accident {
            hits.extend(self.accident(accident, round).await?);
        }
        let bonuses = locked.drawn.bonuses(round, script);
        // A button that stayed down blocks those after it: the dealer waits for the floor instead.
        if !hits.is_empty() {
            self.close(&hits, &round.by).await?;
            return Ok(hits);
        }
        if script.settles {
            hits = self.settle(round, script, &bonuses).await?;
        } else {
            for keyed in &script.keyed {
                hits.push(self.key(keyed, round).await?);
                if let (1, Some((VoidWhen::FirstKeyed, reason))) = (hits.len(), script.void)
                    && self.void_after_hit(reason, locked.wagers, round).await?
                {
                    return Ok(hits);
                }
            }
            self.key_bonuses(&bonuses, round, &mut hits).await?;
        }
        self.close(&hits, &round.by).await?;
        Ok(hits)
    }

    /// What is left of a round whose winning hands are keyed: bonuses and GAME OVER.
    pub(crate) async fn finish_keyed(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
        locked: &Locked,
        mut hits: Vec<String>,
    ) -> Result<(), SimulatorError> {
        let bonuses = locked.drawn.bonuses(round, script);
        self.key_bonuses(&bonuses, round, &mut hits).await?;
        self.close(&hits, &round.by).await
    }

    /// Finishes a round that a controller left open when it was switched off: what was keyed is left to the
    /// floor; where nothing stands, all wagers go back.
    pub(crate) async fn finish(&mut self) -> Result<(), SimulatorError> {
        self.world().call_the_floor();
        let command = if self.settled().await?.iter().any(is_standing) {
            Close.into()
        } else {
            requests::void("misdeal")?
        };
        self.controller
            .send(command, RESUMED_BY)
            .await?
            .accepted()?;
        Ok(())
    }

    /// Sends what can only be accepted.
    async fn send(
        &mut self,
        command: impl Into<Command>,
        round: &RoundScript,
    ) -> Result<Outcome, SimulatorError> {
        self.controller.send(command, &round.by).await?.accepted()
    }

    /// A winning hand is keyed, and the floor called; answers the hit's name.
    pub(crate) async fn key(
        &mut self,
        keyed: &Keyed,
        round: &RoundScript,
    ) -> Result<String, SimulatorError> {
        let hit = self.controller.next_hit();
        if let (Some(staged), Holder::Seat(seat)) = (&round.staged, keyed.holder)
            && staged.seat == seat
            && self.world().treatment(&hit).is_none()
        {
            tracing::info!(
                hit.id = hit,
                "staged {} on seat {seat} keyed as {hit}",
                keyed.hand
            );
            self.world().treat(hit.clone(), Treatment::Spared);
        }
        self.send(requests::keyed(keyed)?, round).await?;
        self.world().books.keyed(keyed.hand.name());
        self.world().call_the_floor();
        Ok(hit)
    }

    /// Bonuses are keyed, in turn order as the hands were.
    async fn key_bonuses(
        &mut self,
        bonuses: &[BonusWon],
        round: &RoundScript,
        hits: &mut Vec<String>,
    ) -> Result<(), SimulatorError> {
        for won in bonuses {
            hits.push(self.controller.next_hit());
            self.send(requests::bonus(won)?, round).await?;
            add(&self.world().books.bonuses, 1);
        }
        Ok(())
    }

    /// All cards are sent instead; what the server makes of them has to be what the dealer sees.
    async fn settle(
        &mut self,
        round: &RoundScript,
        script: &TableScript,
        bonuses: &[BonusWon],
    ) -> Result<Vec<String>, SimulatorError> {
        let Some(link) = self.link_plan() else {
            return Ok(Vec::new());
        };
        let command = requests::settle(link, round, script)?;
        let answer = self.controller.send(command, &round.by).await?;
        let hits = match &answer.outcome().effect {
            Effect::Settle { hits } if is_what_was_dealt(hits, script, bonuses) => hits,
            _ => {
                let expected = format!("{:?} and {bonuses:?}", script.keyed);
                return Err(answer.unexpected(&expected));
            }
        };
        let books = &self.world().books;
        add(&books.settles, 1);
        add(&books.bonuses, bonuses.len() as u64);
        for hand in hits.iter().filter_map(|hit| hit.hand.as_deref()) {
            books.keyed(hand);
        }
        self.world().call_the_floor();
        Ok(hits.iter().map(|hit| hit.hit.to_string()).collect())
    }

    /// A button is pressed by mistake and pressed again; answers the hit if that came too late.
    async fn accident(
        &mut self,
        keyed: &Keyed,
        round: &RoundScript,
    ) -> Result<Option<String>, SimulatorError> {
        let hit = self.controller.next_hit();
        let keyed_by = self.send(requests::keyed(keyed)?, round).await?.sequence;
        let cancel = CancelHit {
            keyed_by,
            number: 0,
        };
        let answer = self.controller.send(cancel, &round.by).await?;
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
        self.send(requests::void(reason)?, round).await?;
        self.voided(wagers);
        if reason == COUNT_MISMATCH {
            add(&self.world().books.miscounts, 1);
        }
        Ok(())
    }

    /// The same after a hand was keyed; whether it still could be.
    async fn void_after_hit(
        &mut self,
        reason: &'static str,
        wagers: i64,
        round: &RoundScript,
    ) -> Result<bool, SimulatorError> {
        let command = requests::void(reason)?;
        let answer = self.controller.send(command, &round.by).await?;
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
    pub(crate) async fn close(&mut self, hits: &[String], by: &str) -> Result<(), SimulatorError> {
        let mut paid = 0;
        if !hits.is_empty() {
            let hits = self.settled().await?;
            let standing = hits.iter().filter(|hit| is_standing(hit));
            let payouts = standing.flat_map(|hit| &hit.payouts).map(|row| &row.payout);
            // What needs a document is paid with it; GAME OVER pays the rest.
            let at_game_over = payouts.filter(|payout| payout.handed_over != HandedOver::Slip);
            paid = at_game_over.map(|payout| payout.amount.micros()).sum();
        }
        self.controller.send(Close, by).await?.accepted()?;
        self.world().books.paid(self.link, paid);
        Ok(())
    }

    /// Waits until no hit of the open round is in the way of GAME OVER, and returns them.
    async fn settled(&self) -> Result<Vec<RoundHit>, SimulatorError> {
        let settled = |standing: &Standing| {
            let round = standing.round.as_ref();
            let hits = round.map(|round| round.hits.clone()).unwrap_or_default();
            hits.iter().all(is_settled).then_some(hits)
        };
        let what = "has a hit that was not settled";
        self.controller.until(what, settled).await
    }
}

/// Tells whether nothing of a hit is in the way of GAME OVER.
fn is_settled(hit: &RoundHit) -> bool {
    match hit.state {
        HitState::Validated | HitState::ValidatedByRule => hit.payouts.iter().all(|row| {
            let needs_none = row.payout.handed_over != HandedOver::Slip;
            needs_none || row.document.is_some()
        }),
        _ => hit.state != HitState::Pending,
    }
}

/// Tells whether a hit is to be paid or was.
fn is_standing(hit: &RoundHit) -> bool {
    use HitState::{Paid, Pending, Validated, ValidatedByRule};
    matches!(hit.state, Pending | ValidatedByRule | Validated | Paid)
}
