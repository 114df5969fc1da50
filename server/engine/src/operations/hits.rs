//! What the floor decides about hits: validate, reject, pay.
//!
//! # Order
//! Each goes through the link's committer as a command. Sending it again is as safe: the same person's same
//! decision answers as it did, also after the round is closed, from the row that people read.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{Document, HitId, Note, Timestamp};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_journal::hit::{HitRow, HitState};

use crate::answer::{Denied, Idempotent, unavailable};
use crate::context::Engine;
use crate::operations::proposal_history::Names;
use crate::stored_rows::event_of;
use crate::view::{HitName, HitView, Person, Rejected, ResettledView};

impl Engine {
    /// A supervisor validates a hit. A repeat if the same one had.
    ///
    /// # Errors
    /// [`Denied`]: the hit is as it was.
    pub async fn validate_hit(
        &self,
        person: &Person,
        hit: &HitName,
        cards: Option<Vec<Card>>,
        note: Option<Note>,
    ) -> Result<Idempotent<HitView>, Denied> {
        let same = |row: &HitRow| {
            row.decided_by_actor == Some(person.actor.0)
                && matches!(row.state, HitState::Validated | HitState::Paid)
        };
        let command = |id| PersonCommand::ValidateHit {
            hit: id,
            cards,
            note,
        };
        self.decide_hit(person, hit, command, same).await
    }

    /// A supervisor rejects a hit; its entries are reversed, and with `resettle` later hits of its level get the
    /// amounts that they have without it. A repeat if the same one had rejected it.
    ///
    /// # Errors
    /// [`Denied`]: the hit is as it was.
    pub async fn reject_hit(
        &self,
        person: &Person,
        hit: &HitName,
        note: Option<Note>,
        resettle: bool,
    ) -> Result<Idempotent<Rejected>, Denied> {
        let same = |row: &HitRow| {
            row.decided_by_actor == Some(person.actor.0) && row.state == HitState::Rejected
        };
        let command = |id| PersonCommand::RejectHit {
            hit: id,
            note,
            resettle,
        };
        let done = self.decide_hit(person, hit, command, same).await?;
        let resettled = self.resettled_by(hit, &done.value.row).await?;
        Ok(done.map(|hit| Rejected { hit, resettled }))
    }

    /// The documentation of a payout is complete. A repeat if it was, with this document.
    ///
    /// # Errors
    /// [`Denied`]: the payout is as it was.
    pub async fn pay_payout(
        &self,
        person: &Person,
        hit: &HitName,
        number: u32,
        document: Document,
    ) -> Result<Idempotent<HitView>, Denied> {
        let wanted = document.to_string();
        let same = |row: &HitRow| {
            let payout = row.payouts.iter().find(|payout| payout.number == number);
            payout.and_then(|payout| payout.document.as_ref()) == Some(&wanted)
        };
        let command = |id| PersonCommand::PayPayout {
            hit: id,
            number,
            document,
        };
        self.decide_hit(person, hit, command, same).await
    }

    /// The hits that got other amounts when this one was rejected, from the event that did it.
    async fn resettled_by(
        &self,
        hit: &HitName,
        row: &HitRow,
    ) -> Result<Vec<ResettledView>, Denied> {
        let (Some(at), HitState::Rejected) = (row.decided_at, row.state) else {
            return Ok(Vec::new());
        };
        let link = self.table_of_hit(hit).await?.link;
        let found = self.context.store.notable_at(link, Timestamp(at)).await;
        for happening in &found.map_err(unavailable)? {
            if let Event::HitRejected {
                hit: rejected,
                resettled,
                ..
            } = event_of(happening)?
                && rejected == row.id()
            {
                let known = self.context.registry.confirmed_state(link).await?;
                return Ok(Names::of(&known.state).resettled(&resettled));
            }
        }
        Ok(Vec::new())
    }

    /// Sends a decision and answers with the hit as it stands then.
    async fn decide_hit(
        &self,
        person: &Person,
        hit: &HitName,
        command: impl FnOnce(HitId) -> PersonCommand,
        same: impl Fn(&HitRow) -> bool,
    ) -> Result<Idempotent<HitView>, Denied> {
        let table_ref = self.table_of_hit(hit).await?;
        // Nobody decides on what a changed row shows. One that is missing is for the rules.
        let reader = self.hit_reader();
        drop(
            reader
                .find(table_ref.link, hit.at(table_ref.number))
                .await?,
        );
        let command = command(hit.at(table_ref.number));
        let done = match self.submit_for(person, table_ref.link, command).await {
            Ok(done) => done,
            // Its round is closed, or there never was such a hit: its row tells.
            Err(Denied::UnknownHit(_)) => {
                let view = self.hit(hit).await?;
                if same(&view.row) {
                    return Ok(Idempotent::repeat(view));
                }
                return Err(Denied::Refused(too_late(hit, view.row.state)));
            }
            Err(denied) => return Err(denied),
        };
        let view = self.hit(hit).await?;
        Ok(done.map(|()| view))
    }
}

/// Why a hit of a closed round can't be decided any more.
fn too_late(hit: &HitName, state: HitState) -> Refusal {
    let code = match state {
        HitState::Paid => RefusalCode::HitPaid,
        HitState::Pending | HitState::ValidatedByRule | HitState::Validated => {
            RefusalCode::RoundClosed
        }
        HitState::Cancelled | HitState::Rejected | HitState::Void | HitState::Withdrawn => {
            RefusalCode::HitNotPending
        }
    };
    Refusal::new(code).with("hit", hit).with("state", state)
}
