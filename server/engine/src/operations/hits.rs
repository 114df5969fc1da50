//! The floor's decisions on hits: validation, rejection, payment.
//!
//! # Order
//! Each decision is a command to the link's committer. Repeating a decision is safe: the same person's same decision
//! returns the first result. After the round was closed, the result comes from the hit's row.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::event::Event;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{Document, HitId, Note, Timestamp};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_journal::hit::{HitRow, HitState};

use crate::answer::{Idempotent, NotExecuted, unavailable};
use crate::context::Engine;
use crate::operations::proposal_history::LinkNames;
use crate::queries::checked_hits::numbered;
use crate::stored_rows::event_of;
use crate::view::{HitView, Person, Rejected, ResettledView};

impl Engine {
    /// Validates a hit, in the name of a supervisor. A replay if the same person had validated it.
    ///
    /// # Errors
    /// [`NotExecuted`] if the hit is unchanged.
    pub async fn validate_hit(
        &self,
        person: &Person,
        hit: &HitName,
        cards: Option<Vec<Card>>,
        note: Option<Note>,
    ) -> Result<Idempotent<HitView>, NotExecuted> {
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

    /// Rejects a hit, in the name of a supervisor, and reverses its entries. With `resettle`, later hits of its level
    /// get the amounts that they have without it. A replay if the same person had rejected it.
    ///
    /// # Errors
    /// [`NotExecuted`] if the hit is unchanged.
    pub async fn reject_hit(
        &self,
        person: &Person,
        hit: &HitName,
        note: Option<Note>,
        resettle: bool,
    ) -> Result<Idempotent<Rejected>, NotExecuted> {
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

    /// Records that a payout is documented and paid. A replay if it was paid with the same document.
    ///
    /// A document may cover several payouts of one hit, such as a split. The number of another hit's document is a mistake,
    /// or one paper that is paid twice.
    ///
    /// # Errors
    /// [`NotExecuted`] if the payout is unchanged.
    pub async fn pay_payout(
        &self,
        person: &Person,
        hit: &HitName,
        number: u32,
        document: Document,
    ) -> Result<Idempotent<HitView>, NotExecuted> {
        let wanted = document.to_string();
        let table_ref = self.table_of_hit(hit).await?;
        let asked = (table_ref.link, hit.at(table_ref.number));
        let store = &self.context.store;
        let other = store.claim_document(&wanted, asked).await;
        if let Some((table, other)) = other.map_err(unavailable)? {
            let hit = numbered(&table, other);
            return Err(NotExecuted::DocumentUsed { hit });
        }
        let same = |row: &HitRow| {
            let payout = row.payouts.iter().find(|payout| payout.number == number);
            payout.and_then(|payout| payout.document.as_ref()) == Some(&wanted)
        };
        let command = |id| PersonCommand::PayPayout {
            hit: id,
            number,
            document,
        };
        // Boxed, since the futures of callers hold this one.
        let paid = Box::pin(self.decide_hit(person, hit, command, same)).await;
        // An unknown outcome may still come true. Its claim ends by itself, and so does one that can't be released.
        if !matches!(paid, Err(NotExecuted::OutcomeUnknown))
            && let Err(error) = store.release_document(&wanted, asked).await
        {
            tracing::warn!(%error, %hit, "the claim of a document was not released");
        }
        paid
    }

    /// Returns the hits that got other amounts by this rejection, from its event.
    async fn resettled_by(
        &self,
        hit: &HitName,
        row: &HitRow,
    ) -> Result<Vec<ResettledView>, NotExecuted> {
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
                return Ok(LinkNames::of(&known.state).resettled(&resettled));
            }
        }
        Ok(Vec::new())
    }

    /// Sends a decision and returns the hit after it.
    async fn decide_hit(
        &self,
        person: &Person,
        hit: &HitName,
        command: impl FnOnce(HitId) -> PersonCommand,
        same: impl Fn(&HitRow) -> bool,
    ) -> Result<Idempotent<HitView>, NotExecuted> {
        let table_ref = self.table_of_hit(hit).await?;
        // No decision is made on a row that differs from the journal. A missing row is decided by the rules.
        let reader = self.hit_reader();
        drop(
            reader
                .find(table_ref.link, hit.at(table_ref.number))
                .await?,
        );
        let command = command(hit.at(table_ref.number));
        let done = match self.submit_for(person, table_ref.link, command).await {
            Ok(done) => done,
            // The round is closed, or there is no such hit. The row shows which.
            Err(NotExecuted::UnknownHit(_)) => {
                let view = self.hit(hit).await?;
                if same(&view.row) {
                    return Ok(Idempotent::repeat(view));
                }
                return Err(NotExecuted::Refused(too_late(hit, view.row.state)));
            }
            Err(denied) => return Err(denied),
        };
        let view = self.hit(hit).await?;
        Ok(done.map(|()| view))
    }
}

/// Returns the refusal to decide on a hit of a closed round.
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
