//! The comparison of a hit's row with the hit that its link's state keeps, for a hit whose events are archived.

use meterhouse_domain::command::Holder;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::state::{Hit, PayoutState};

use super::project::{numbered, text};
use super::row::{HitRow, HitState, PayoutRow};
use crate::event::due;

impl HitRow {
    /// Checks that the row has the amounts, the state and the payments of a kept hit. A state has no times and no
    /// notes, so that these are not compared.
    pub fn agrees_with(&self, hit: &Hit) -> bool {
        let payouts: Vec<_> = hit.payouts.iter().map(|kept| kept.payout.clone()).collect();
        let rows = numbered(&payouts).zip(&hit.payouts).zip(&self.payouts);
        let payout = |((row, kept), mine): ((PayoutRow, &PayoutState), &PayoutRow)| PayoutRow {
            paid_at: kept.paid.as_ref().and(mine.paid_at),
            paid_by_actor: kept.paid.as_ref().map(|paid| paid.actor.0),
            document: kept
                .paid
                .as_ref()
                .and_then(|paid| paid.document.as_ref())
                .map(ToString::to_string),
            ..row
        };
        let is_paid = |(kept, mine): (&PayoutState, &PayoutRow)| {
            kept.paid.is_some() == mine.paid_at.is_some()
        };
        let Some(sum) = due(&payouts) else {
            return false;
        };
        let mut expected = Self {
            sequence: hit.sequence.0,
            number: hit.number,
            hit_order: hit.order.0,
            state: HitState::of(hit),
            kind: hit.kind.code(),
            hand: hit.hand.map(Hand::code),
            seat: match hit.holder {
                Holder::Seat(seat) => Some(seat.0),
                Holder::Dealer => None,
            },
            due: sum,
            cards: hit.cards.as_deref().map(text),
            keyed_by_actor: hit.keyed_by_actor.0,
            keyed_by: hit.keyed_by.as_ref().map(ToString::to_string),
            payouts: rows.map(payout).collect(),
            ..self.clone()
        };
        expected.take(hit.taken);
        expected == *self
            && hit.payouts.len() == self.payouts.len()
            && hit.payouts.iter().zip(&self.payouts).all(is_paid)
    }
}
