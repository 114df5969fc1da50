//! Which rows of hits an event changes, and into what.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{Event, HitRecorded, Origin, Payout, Recorded};
use meterhouse_domain::name::{HitId, Sequence, TableNo, Timestamp};

use super::{HitRow, HitState, PayoutRow, ProjectError};
use crate::event::due;

/// The new versions of every row that the event changes; most events change none. `find` gives the present
/// version of a row, from memory or from the database.
///
/// # Errors
/// [`ProjectError`] where the event speaks of a hit or payout that `find` doesn't know.
pub fn project(
    at: Timestamp,
    recorded: &Recorded,
    find: &mut impl FnMut(HitId) -> Option<HitRow>,
) -> Result<Vec<HitRow>, ProjectError> {
    let mut known = |hit| find(hit).ok_or(ProjectError::UnknownHit(hit));
    match &recorded.event {
        Event::HitRecorded(hit) => Ok(vec![keyed(at, recorded, hit)?]),
        Event::HitCancelled { hit, .. } => Ok(vec![decided(
            known(*hit)?,
            HitState::Cancelled,
            at,
            recorded,
        )]),
        Event::HitValidated { hit, cards, note } => {
            let mut row = decided(known(*hit)?, HitState::Validated, at, recorded);
            row.validated_cards = cards.as_deref().map(text);
            row.note = note.as_ref().map(ToString::to_string);
            Ok(vec![row])
        }
        Event::HitRejected { hit, note, .. } => {
            let mut row = decided(known(*hit)?, HitState::Rejected, at, recorded);
            row.note = note.as_ref().map(ToString::to_string);
            Ok(vec![row])
        }
        Event::PayoutPaid {
            hit,
            number,
            document,
            ..
        } => {
            let mut row = known(*hit)?;
            let unknown = ProjectError::UnknownPayout {
                hit: *hit,
                number: *number,
            };
            let payout = row
                .payouts
                .iter_mut()
                .find(|it| it.number == *number)
                .ok_or(unknown)?;
            pay(payout, at, recorded);
            payout.document = Some(document.to_string());
            if row.payouts.iter().all(|it| it.paid_at.is_some()) {
                row.state = HitState::Paid;
            }
            Ok(vec![row])
        }
        Event::RoundClosed { hits, .. } => of_round(recorded, hits, |hit| {
            let mut row = known(hit)?;
            let unpaid = row.payouts.iter_mut().filter(|it| it.paid_at.is_none());
            unpaid.for_each(|payout| pay(payout, at, recorded));
            row.state = HitState::Paid;
            Ok(row)
        }),
        Event::RoundVoided { hits, .. } => of_round(recorded, hits, |hit| {
            Ok(decided(known(hit)?, HitState::Void, at, recorded))
        }),
        Event::LinkOpened { .. }
        | Event::TableJoined(_)
        | Event::CoinInAccepted(_)
        | Event::ChipsCounted { .. }
        | Event::SeatsFolded { .. }
        | Event::LinkFaulted { .. }
        | Event::Refused { .. } => Ok(Vec::new()),
    }
}

/// The rows of a round's hits, each changed.
fn of_round(
    recorded: &Recorded,
    hits: &[Sequence],
    mut change: impl FnMut(HitId) -> Result<HitRow, ProjectError>,
) -> Result<Vec<HitRow>, ProjectError> {
    let change = |sequence: &Sequence| {
        let (table, _) = origin(recorded)?;
        change(HitId {
            table,
            sequence: *sequence,
        })
    };
    hits.iter().map(change).collect()
}

fn origin(recorded: &Recorded) -> Result<(TableNo, Sequence), ProjectError> {
    match recorded.origin {
        Origin::Table { table, sequence } => Ok((table, sequence)),
        Origin::Person => Err(ProjectError::NoTable),
    }
}

/// The row with a decision: what, who, when.
fn decided(mut row: HitRow, state: HitState, at: Timestamp, recorded: &Recorded) -> HitRow {
    row.state = state;
    row.decided_by_actor = Some(recorded.actor.0);
    row.decided_by = recorded.by.as_ref().map(ToString::to_string);
    row.decided_at = Some(at.0);
    row
}

fn pay(payout: &mut PayoutRow, at: Timestamp, recorded: &Recorded) {
    payout.paid_at = Some(at.0);
    payout.paid_by_actor = Some(recorded.actor.0);
}

/// The row of a hit that was just keyed.
fn keyed(at: Timestamp, recorded: &Recorded, hit: &HitRecorded) -> Result<HitRow, ProjectError> {
    let (table, sequence) = origin(recorded)?;
    let due = due(hit).ok_or(ProjectError::DueOutOfRange(HitId { table, sequence }))?;
    let state = if hit.needs_validation {
        HitState::Pending
    } else {
        HitState::ValidatedByRule
    };
    Ok(HitRow {
        table: table.0,
        sequence: sequence.0,
        hit_order: hit.order.0,
        round: hit.round.0,
        state,
        kind: hit.kind.code(),
        hand: hit.hand.code(),
        seat: match hit.holder {
            Holder::Seat(seat) => Some(seat.0),
            Holder::Dealer => None,
        },
        level: hit.taken.map(|it| it.level),
        percent: hit.taken.map(|it| it.percent),
        before: hit.taken.map(|it| it.before.micros()),
        after: hit.taken.map(|it| it.after.micros()),
        due,
        cards: hit.cards.as_deref().map(text),
        validated_cards: None,
        keyed_by_actor: recorded.actor.0,
        keyed_by: recorded.by.as_ref().map(ToString::to_string),
        keyed_at: at.0,
        decided_by_actor: None,
        decided_by: None,
        decided_at: None,
        note: None,
        payouts: (1..)
            .zip(&hit.payouts)
            .map(|(number, payout)| unpaid(number, payout))
            .collect(),
    })
}

fn unpaid(number: u32, payout: &Payout) -> PayoutRow {
    PayoutRow {
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
    }
}

/// Cards as people write them: `As Ks`.
fn text(cards: &[Card]) -> String {
    cards
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}
