//! What the floor decides about hits: validate, reject, pay.
//!
//! # Order
//! Each goes through the link's committer as a command. Sending it again is as safe: the same person's same
//! decision answers as it did, also after the round is closed, from the row that people read.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{Command, Envelope, PersonCommand};
use meterhouse_domain::event::Event;
use meterhouse_domain::name::{Document, HitId, Note};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_journal::hit::{HitRow, HitState};

use crate::Engine;
use crate::answer::Denied;
use crate::committer::Reached;
use crate::view::{HitName, HitView, Person};

impl Engine {
    /// A supervisor validates a hit. `true` where the same one had.
    ///
    /// # Errors
    /// [`Denied`]: the hit is as it was.
    pub async fn validate_hit(
        &self,
        person: &Person,
        hit: &HitName,
        cards: Option<Vec<Card>>,
        note: Option<Note>,
    ) -> Result<(HitView, bool), Denied> {
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

    /// A supervisor rejects a hit; its entries are reversed. `true` where the same one had.
    ///
    /// # Errors
    /// [`Denied`]: the hit is as it was.
    pub async fn reject_hit(
        &self,
        person: &Person,
        hit: &HitName,
        note: Option<Note>,
    ) -> Result<(HitView, bool), Denied> {
        let same = |row: &HitRow| {
            row.decided_by_actor == Some(person.actor.0) && row.state == HitState::Rejected
        };
        let command = |id| PersonCommand::RejectHit { hit: id, note };
        self.decide_hit(person, hit, command, same).await
    }

    /// The documentation of a payout is complete. `true` where it was, with this document.
    ///
    /// # Errors
    /// [`Denied`]: the payout is as it was.
    pub async fn pay_payout(
        &self,
        person: &Person,
        hit: &HitName,
        number: u32,
        document: Document,
    ) -> Result<(HitView, bool), Denied> {
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

    /// Sends a decision and answers with the hit as it stands then.
    async fn decide_hit(
        &self,
        person: &Person,
        hit: &HitName,
        command: impl FnOnce(HitId) -> PersonCommand,
        same: impl Fn(&HitRow) -> bool,
    ) -> Result<(HitView, bool), Denied> {
        let felt = self.felt_of(hit).await?;
        let id = HitId {
            table: felt.number,
            sequence: hit.sequence,
        };
        let envelope = Envelope {
            actor: person.actor,
            by: Some(person.name.clone()),
            device_time: None,
            command: Command::Person(command(id)),
        };
        let replayed = match self.inner.house.submit(felt.link, envelope).await {
            Ok(Reached::Outcome(answer)) => match &answer.outcome.recorded.event {
                Event::Refused { refusal, .. } => return Err(Denied::Refused(refusal.clone())),
                _ => answer.replayed,
            },
            Ok(Reached::DoneBefore) => true,
            // Its round is closed, or there never was such a hit: its row tells.
            Err(Denied::UnknownHit(_)) => {
                let view = self.hit(hit).await?;
                if same(&view.row) {
                    return Ok((view, true));
                }
                return Err(Denied::Refused(too_late(hit, view.row.state)));
            }
            Err(denied) => return Err(denied),
        };
        Ok((self.hit(hit).await?, replayed))
    }
}

/// Why a hit of a closed round can't be decided any more.
fn too_late(hit: &HitName, state: HitState) -> Refusal {
    let code = match state {
        HitState::Paid => RefusalCode::HitPaid,
        HitState::Pending | HitState::ValidatedByRule | HitState::Validated => {
            RefusalCode::RoundClosed
        }
        HitState::Cancelled | HitState::Rejected | HitState::Void => RefusalCode::HitNotPending,
    };
    Refusal::new(code)
        .with("hit", format_args!("{}.{}", hit.table, hit.sequence))
        .with("state", state)
}
