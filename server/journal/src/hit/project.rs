//! The projection from events to the rows of hits.

use meterhouse_domain::card::Card;
use meterhouse_domain::change::{Effect, Resettled};
use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{Event, HitRecorded, Origin, Payout, Recorded, Taken};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{HitId, Timestamp};

use super::row::{HitRow, HitState, PayoutRow, ProjectError};
use crate::event::due;

/// Returns the new versions of every row that the event changes; most events change none. `find` returns the present
/// version of a row, from memory or from the database.
///
/// # Errors
/// [`ProjectError`] if the event names a hit or payout that `find` doesn't return.
pub fn project(
    at: Timestamp,
    recorded: &Recorded,
    find: &mut impl FnMut(HitId) -> Option<HitRow>,
) -> Result<Vec<HitRow>, ProjectError> {
    let by = By { at, recorded };
    let mut known = |hit| find(hit).ok_or(ProjectError::UnknownHit(hit));
    match &recorded.event {
        Event::HitRecorded(hit) => Ok(vec![by.keyed(by.own_hit(0)?, hit)?]),
        Event::RoundSettled { hits, .. } => (1..)
            .zip(hits)
            .map(|(number, hit)| by.keyed(by.own_hit(number)?, hit))
            .collect(),
        Event::HitCancelled { hit, .. } => Ok(vec![by.decided(known(*hit)?, HitState::Cancelled)]),
        Event::HitValidated { hit, cards, note } => {
            let mut row = by.decided(known(*hit)?, HitState::Validated);
            row.validated_cards = cards.as_deref().map(text);
            row.note = note.as_ref().map(ToString::to_string);
            Ok(vec![row])
        }
        Event::HitRejected {
            hit,
            note,
            resettled: later,
            ..
        } => {
            let mut row = by.decided(known(*hit)?, HitState::Rejected);
            row.note = note.as_ref().map(ToString::to_string);
            with_later(row, later, known)
        }
        Event::PayoutPaid {
            hit,
            number,
            document,
            ..
        } => Ok(vec![by.paid(known(*hit)?, *hit, *number, document)?]),
        Event::RoundClosed { hits, .. } => hits
            .iter()
            .map(|hit| Ok(by.paid_at_game_over(known(*hit)?)))
            .collect(),
        Event::RoundVoided { hits, .. } => hits
            .iter()
            .map(|hit| Ok(by.decided(known(*hit)?, HitState::Void)))
            .collect(),
        Event::ChangeApproved { effect, .. } => changed(by, effect, known),
        Event::LinkOpened { .. }
        | Event::TableJoined(_)
        | Event::CoinInAccepted(_)
        | Event::ChipsCounted { .. }
        | Event::SeatsFolded { .. }
        | Event::ValuesAccepted { .. }
        | Event::LinkSuspended { .. }
        | Event::LinkResumed
        | Event::LevelDisabled { .. }
        | Event::LevelEnabled { .. }
        | Event::TableLost { .. }
        | Event::TableBack { .. }
        | Event::TableDisabled { .. }
        | Event::TableEnabled { .. }
        | Event::TableLeft { .. }
        | Event::ChangeProposed { .. }
        | Event::ChangeDeclined { .. }
        | Event::LinkFaulted { .. }
        | Event::Refused { .. } => Ok(Vec::new()),
    }
}

/// Projects a change that two people have made to hits.
fn changed(
    by: By<'_>,
    effect: &Effect,
    mut known: impl FnMut(HitId) -> Result<HitRow, ProjectError>,
) -> Result<Vec<HitRow>, ProjectError> {
    match effect {
        Effect::Corrected { hit, resettled } => {
            let mut row = by.decided(known(*hit)?, HitState::Withdrawn);
            // The note belongs to the validator, whose decision is undone; the reason is in the proposal.
            row.note = None;
            with_later(row, resettled, known)
        }
        Effect::LateHitRecorded { hit, recorded, .. } => {
            let row = by.keyed(*hit, recorded)?;
            Ok(vec![by.decided(row, HitState::Validated)])
        }
        Effect::Adjusted { .. }
        | Effect::FaultCleared { .. }
        | Effect::ReturnsAcknowledged
        | Effect::TableAdopted { .. } => Ok(Vec::new()),
    }
}

/// Returns the row of a hit that was undone, and the rows of later hits with their amounts after the undo.
fn with_later(
    undone: HitRow,
    later: &[Resettled],
    mut known: impl FnMut(HitId) -> Result<HitRow, ProjectError>,
) -> Result<Vec<HitRow>, ProjectError> {
    let mut rows = vec![undone];
    for new in later {
        rows.push(resettled(known(new.hit)?, new)?);
    }
    Ok(rows)
}

/// Returns the row with new amounts. A paid payout stays paid. A supplement is one more payout: the hit is no longer
/// wholly paid until the supplement is paid or a later correction removes it.
fn resettled(mut row: HitRow, new: &Resettled) -> Result<HitRow, ProjectError> {
    row.due = due(&new.payouts).ok_or(ProjectError::DueOutOfRange(new.hit))?;
    row.take(Some(new.taken));
    let mut old = core::mem::take(&mut row.payouts).into_iter();
    let payouts = numbered(&new.payouts).map(|payout| match old.next() {
        Some(before) => PayoutRow {
            paid_at: before.paid_at,
            paid_by_actor: before.paid_by_actor,
            document: before.document,
            ..payout
        },
        None => payout,
    });
    row.payouts = payouts.collect();
    if new.back_to_pending {
        row.state = HitState::Pending;
        row.validated_cards = None;
        row.decided_by_actor = None;
        row.decided_by = None;
        row.decided_at = None;
        row.note = None;
    } else if row.is_wholly_paid() && !row.payouts.is_empty() {
        row.state = HitState::Paid;
    } else if row.state == HitState::Paid {
        row.state = match row.decided_by_actor {
            Some(_) => HitState::Validated,
            None => HitState::ValidatedByRule,
        };
    }
    Ok(row)
}

/// The person and the time of an action.
#[derive(Copy, Clone)]
struct By<'a> {
    at: Timestamp,
    recorded: &'a Recorded,
}

impl By<'_> {
    /// Returns the hit that the event's own command recorded under this number.
    fn own_hit(self, number: u8) -> Result<HitId, ProjectError> {
        match self.recorded.origin {
            Origin::Table { table, sequence } => Ok(HitId {
                table,
                sequence,
                number,
            }),
            Origin::Person => Err(ProjectError::NoTable),
        }
    }

    fn name(self) -> Option<String> {
        self.recorded.by.as_ref().map(ToString::to_string)
    }

    /// Returns the row with a decision: the new state, the person and the time.
    fn decided(self, mut row: HitRow, state: HitState) -> HitRow {
        row.state = state;
        row.decided_by_actor = Some(self.recorded.actor.0);
        row.decided_by = self.name();
        row.decided_at = Some(self.at.0);
        row
    }

    fn pay(self, payout: &mut PayoutRow) {
        payout.paid_at = Some(self.at.0);
        payout.paid_by_actor = Some(self.recorded.actor.0);
    }

    /// Returns the row with one payout paid by document.
    fn paid(
        self,
        mut row: HitRow,
        hit: HitId,
        number: u32,
        document: &impl ToString,
    ) -> Result<HitRow, ProjectError> {
        let payout = row
            .payouts
            .iter_mut()
            .find(|payout| payout.number == number);
        let payout = payout.ok_or(ProjectError::UnknownPayout { hit, number })?;
        self.pay(payout);
        payout.document = Some(document.to_string());
        if row.is_wholly_paid() {
            row.state = HitState::Paid;
        }
        Ok(row)
    }

    /// Returns the row with every unpaid payout paid: GAME OVER needs no document.
    fn paid_at_game_over(self, mut row: HitRow) -> HitRow {
        let unpaid = row
            .payouts
            .iter_mut()
            .filter(|payout| payout.paid_at.is_none());
        unpaid.for_each(|payout| self.pay(payout));
        row.state = HitState::Paid;
        row
    }

    /// Returns the row of a new hit.
    fn keyed(self, id: HitId, hit: &HitRecorded) -> Result<HitRow, ProjectError> {
        let mut row = HitRow {
            table: id.table.0,
            sequence: id.sequence.0,
            number: id.number,
            hit_order: hit.order.0,
            round: hit.round.0,
            state: if hit.needs_validation {
                HitState::Pending
            } else {
                HitState::ValidatedByRule
            },
            kind: hit.kind.code(),
            hand: hit.hand.map(Hand::code),
            seat: match hit.holder {
                Holder::Seat(seat) => Some(seat.0),
                Holder::Dealer => None,
            },
            level: None,
            percent: None,
            before: None,
            after: None,
            reserve_before: None,
            overflow_before: None,
            due: due(&hit.payouts).ok_or(ProjectError::DueOutOfRange(id))?,
            cards: hit.cards.as_deref().map(text),
            validated_cards: None,
            keyed_by_actor: self.recorded.actor.0,
            keyed_by: self.name(),
            keyed_at: self.at.0,
            decided_by_actor: None,
            decided_by: None,
            decided_at: None,
            note: None,
            payouts: numbered(&hit.payouts).collect(),
        };
        row.take(hit.taken);
        Ok(row)
    }
}

impl HitRow {
    /// Sets the amounts that the hit took from a level.
    pub(super) fn take(&mut self, taken: Option<Taken>) {
        self.level = taken.map(|taken| taken.level);
        self.percent = taken.and_then(|taken| taken.percent);
        self.before = taken.map(|taken| taken.before.micros());
        self.after = taken.map(|taken| taken.after.micros());
        self.reserve_before = taken.map(|taken| taken.reserve_before.micros());
        self.overflow_before = taken.map(|taken| taken.overflow_before.micros());
    }

    fn is_wholly_paid(&self) -> bool {
        self.payouts.iter().all(|payout| payout.paid_at.is_some())
    }
}

/// Returns the rows of unpaid payouts, numbered from 1.
pub(super) fn numbered(payouts: &[Payout]) -> impl Iterator<Item = PayoutRow> {
    (1..).zip(payouts).map(|(number, payout)| PayoutRow {
        number,
        seat: payout.seat.0,
        player: payout.player.as_ref().map(ToString::to_string),
        kind: payout.kind.code(),
        amount: payout.amount.micros(),
        charged_to: payout.charged_to.code(),
        handed_over: payout.handed_over.code(),
        paid_at: None,
        paid_by_actor: None,
        document: None,
    })
}

/// Writes cards in the form that people read: `As Ks`.
pub(super) fn text(cards: &[Card]) -> String {
    cards
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}
