//! A hit, from the event that recorded it, from a link's state, or from its stored row.

use meterhouse_api::hit::{Hit, HitSummary, Payment, Payout};
use meterhouse_api::text::Text;
use meterhouse_domain::command::Holder;
use meterhouse_domain::event::HitRecorded;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{Sequence, TableNo};
use meterhouse_domain::{event, state};
use meterhouse_edge::hit::split_due;
use meterhouse_engine::view::HitView;
use meterhouse_journal::hit::HitState;

use super::names::Names;
use super::value::{cards, seat};

/// Returns a hit as it was recorded under this name.
pub(crate) fn recorded_hit(names: Names<'_>, hit: HitName, recorded: &HitRecorded) -> Hit {
    let (due, envy_due) = split_due(&recorded.payouts);
    let state = if recorded.needs_validation {
        HitState::Pending
    } else {
        HitState::ValidatedByRule
    };
    let taken = recorded.taken.as_ref();
    Hit {
        summary: HitSummary {
            round: round_name(&hit, recorded.round),
            order: recorded.order.0,
            table: Text(hit.table.clone()),
            hit: Text(hit),
            kind: Text(recorded.kind),
            state: Text(state),
            seat: seat(recorded.holder),
            dealer: recorded.holder == Holder::Dealer,
            hand: recorded.hand.map(Text),
            level: taken.map(|taken| names.level(taken.level)),
            percent: taken.and_then(|taken| taken.percent),
            due: Text(due),
            envy_due: Text(envy_due),
        },
        cards: recorded.cards.as_deref().map(cards),
        before: taken.map(|taken| Text(taken.before)),
        after: taken.map(|taken| Text(taken.after)),
        payouts: recorded_payouts(&recorded.payouts),
    }
}

/// Returns a hit that its link keeps.
pub(crate) fn kept_hit(
    names: Names<'_>,
    table: TableNo,
    round: Sequence,
    kept: &state::Hit,
) -> Hit {
    let payouts = kept.payouts.iter();
    let decided: Vec<event::Payout> = payouts.map(|payout| payout.payout.clone()).collect();
    let (due, envy_due) = split_due(&decided);
    let hit = names.hit(kept.id(table));
    let taken = kept.taken.as_ref();
    let numbered = (1..).zip(&kept.payouts);
    Hit {
        summary: HitSummary {
            round: round_name(&hit, round),
            order: kept.order.0,
            table: Text(hit.table.clone()),
            hit,
            kind: Text(kept.kind),
            state: Text(HitState::of(kept)),
            seat: seat(kept.holder),
            dealer: kept.holder == Holder::Dealer,
            hand: kept.hand.map(Text),
            level: taken.map(|taken| names.level(taken.level)),
            percent: taken.and_then(|taken| taken.percent),
            due: Text(due),
            envy_due: Text(envy_due),
        },
        cards: kept.cards.as_deref().map(cards),
        before: taken.map(|taken| Text(taken.before)),
        after: taken.map(|taken| Text(taken.after)),
        payouts: numbered
            .map(|(number, payout)| kept_payout(number, payout))
            .collect(),
    }
}

/// Returns a hit without its payouts.
pub(crate) fn hit_summary(view: &HitView) -> HitSummary {
    let (due, envy_due) = meterhouse_edge::hit::due(view);
    let hit = view.name();
    let row = &view.row;
    HitSummary {
        round: round_name(&hit, Sequence(row.round)),
        order: row.hit_order,
        table: Text(hit.table.clone()),
        hit: Text(hit),
        kind: Text(view.kind),
        state: Text(row.state),
        seat: row.seat,
        dealer: row.seat.is_none(),
        hand: view.hand.map(Text),
        level: view.level.clone().map(Text),
        percent: row.percent,
        due: Text(due),
        envy_due: Text(envy_due),
    }
}

/// Returns the payouts of a hit as they were decided, numbered from 1.
pub(crate) fn recorded_payouts(payouts: &[event::Payout]) -> Vec<Payout> {
    let numbered = (1..).zip(payouts);
    numbered
        .map(|(number, payout)| decided_payout(number, payout))
        .collect()
}

pub(super) fn decided_payout(number: u32, payout: &event::Payout) -> Payout {
    Payout {
        payout: number,
        kind: Text(payout.kind),
        seat: payout.seat.0,
        player: payout.player.clone().map(Text),
        amount: Text(payout.amount),
        charged_to: Text(payout.charged_to),
        handed_over: Text(payout.handed_over),
        payment: None,
    }
}

fn kept_payout(number: u32, kept: &state::PayoutState) -> Payout {
    let paid = kept.paid.as_ref();
    Payout {
        payment: Some(Payment {
            paid: paid.is_some(),
            at: None,
            by: None,
            document: paid.and_then(|paid| paid.document.clone()).map(Text),
        }),
        ..decided_payout(number, &kept.payout)
    }
}

fn round_name(hit: &HitName, round: Sequence) -> String {
    format!("{}.{round}", hit.table)
}
