//! Changes of two people and their effects, from the engine's views and from the journal.

use meterhouse_api::change::{
    AcknowledgeReturns, Adjust, Adjusted, AdoptTable, AdoptedTable, Change, ClearFault, Correct,
    Corrected, Effect, FaultCleared, LateHit, LateHitRecorded, ReturnsAcknowledged, TableAdopted,
};
use meterhouse_api::given::Given;
use meterhouse_api::hit::ResettledHit;
use meterhouse_api::request::List;
use meterhouse_api::sequence::SequenceNumber;
use meterhouse_api::text::Text;
use meterhouse_api::values::TableName;
use meterhouse_domain::adopted;
use meterhouse_domain::card::Card;
use meterhouse_domain::change as rules;
use meterhouse_domain::command::Holder;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::Sequence;
use meterhouse_edge::hit::split_due;
use meterhouse_engine::view::{EffectView, ProposedChange, ResettledView, public_reason};

use super::hit::{recorded_hit, recorded_payouts};
use super::names::Names;
use super::value::seat;

/// Returns a change as it was proposed.
pub(crate) fn proposed_change(change: &ProposedChange) -> Change {
    match change {
        ProposedChange::Correct { hit } => Change::Correct(Correct {
            hit: Text(hit.clone()),
        }),
        ProposedChange::Adjust {
            level,
            account,
            amount,
        } => Change::Adjust(Adjust {
            level: Text(level.clone()),
            account: Text(*account),
            amount: Text(*amount),
        }),
        ProposedChange::LateHit {
            table,
            round,
            holder,
            hand,
            cards,
        } => late_hit(
            Text(table.clone()),
            *round,
            *holder,
            *hand,
            cards.as_deref(),
        ),
        ProposedChange::ClearFault => Change::ClearFault(ClearFault {}),
        ProposedChange::AcknowledgeReturns => Change::AcknowledgeReturns(AcknowledgeReturns {}),
        ProposedChange::AdoptTable(adopted) => adopt_table(adopted),
    }
}

/// Returns a change of the journal.
pub(super) fn journaled_change(names: Names<'_>, change: &rules::Change) -> Change {
    match change {
        rules::Change::Correct { hit } => Change::Correct(Correct {
            hit: names.hit(*hit),
        }),
        rules::Change::Adjust {
            level,
            account,
            amount,
        } => Change::Adjust(Adjust {
            level: names.level(*level),
            account: Text(*account),
            amount: Text(*amount),
        }),
        rules::Change::LateHit(late) => late_hit(
            names.table(late.table),
            late.round,
            late.holder,
            late.hand,
            late.cards.as_deref(),
        ),
        rules::Change::ClearFault => Change::ClearFault(ClearFault {}),
        rules::Change::AcknowledgeReturns => Change::AcknowledgeReturns(AcknowledgeReturns {}),
        rules::Change::AdoptTable(adopted) => adopt_table(adopted),
    }
}

fn late_hit(
    table: TableName,
    round: Sequence,
    holder: Holder,
    hand: Hand,
    cards: Option<&[Card]>,
) -> Change {
    let cards = cards.map(|cards| List(cards.iter().copied().map(Text).collect()));
    Change::LateHit(LateHit {
        table,
        round: SequenceNumber(round),
        seat: seat(holder),
        dealer: (holder == Holder::Dealer).then_some(true),
        hand: Text(hand),
        cards,
    })
}

fn adopt_table(adopted: &adopted::AdoptedTable) -> Change {
    let AdoptedTable {
        table,
        reading,
        letter,
        returns,
    } = adopted_table(adopted);
    Change::AdoptTable(AdoptTable {
        table,
        reading,
        letter: letter.map(|Text(letter)| Text(Given(letter))),
        returns: Some(returns),
    })
}

/// Returns a table that two people adopted, with what it was before.
pub(crate) fn table_adopted(
    now: &adopted::AdoptedTable,
    before: Option<&adopted::AdoptedTable>,
) -> TableAdopted {
    TableAdopted {
        adopted: adopted_table(now),
        before: before.map(adopted_table),
    }
}

/// Returns a table that two people adopted.
pub(crate) fn adopted_table(adopted: &adopted::AdoptedTable) -> AdoptedTable {
    let reading = adopted.reading.as_ref();
    AdoptedTable {
        table: Text(adopted.table.clone()),
        reading: reading.map(|reading| Text(reading.name.clone())),
        letter: reading.map(|reading| Text(reading.letter.clone())),
        returns: Text(adopted.returns),
    }
}

/// Returns the effect of an approved change.
pub(crate) fn effect(names: Names<'_>, effect: &EffectView) -> Effect {
    match effect {
        EffectView::Corrected { hit, resettled } => Effect::Corrected(Corrected {
            hit: Text(hit.clone()),
            resettled: resettled.iter().map(resettled_hit).collect(),
        }),
        EffectView::Adjusted {
            level,
            account,
            before,
            after,
        } => Effect::Adjusted(Adjusted {
            level: Text(level.clone()),
            account: Text(*account),
            before: Text(*before),
            after: Text(*after),
        }),
        EffectView::LateHitRecorded {
            hit,
            recorded,
            from_meter,
        } => Effect::LateHitRecorded(Box::new(LateHitRecorded {
            hit: recorded_hit(names, hit.clone(), recorded),
            from_meter: *from_meter,
        })),
        EffectView::FaultCleared { fault } => fault_cleared(fault),
        EffectView::ReturnsAcknowledged => Effect::ReturnsAcknowledged(ReturnsAcknowledged {}),
        EffectView::TableAdopted { adopted, before } => {
            Effect::TableAdopted(table_adopted(adopted, before.as_deref()))
        }
    }
}

/// Returns an effect of the journal.
pub(super) fn journaled_effect(names: Names<'_>, effect: &rules::Effect) -> Effect {
    match effect {
        rules::Effect::Corrected { hit, resettled } => Effect::Corrected(Corrected {
            hit: names.hit(*hit),
            resettled: journaled_resettled(names, resettled),
        }),
        rules::Effect::Adjusted {
            level,
            account,
            before,
            after,
        } => Effect::Adjusted(Adjusted {
            level: names.level(*level),
            account: Text(*account),
            before: Text(*before),
            after: Text(*after),
        }),
        rules::Effect::LateHitRecorded {
            hit,
            recorded,
            from_meter,
        } => Effect::LateHitRecorded(Box::new(LateHitRecorded {
            hit: recorded_hit(names, names.hit(*hit).0, recorded),
            from_meter: *from_meter,
        })),
        rules::Effect::FaultCleared { fault } => fault_cleared(fault),
        rules::Effect::ReturnsAcknowledged => Effect::ReturnsAcknowledged(ReturnsAcknowledged {}),
        rules::Effect::TableAdopted { adopted, before } => {
            Effect::TableAdopted(table_adopted(adopted, before.as_deref()))
        }
    }
}

fn fault_cleared(fault: &str) -> Effect {
    Effect::FaultCleared(FaultCleared {
        fault: public_reason(fault).to_owned(),
    })
}

/// Returns a hit with new amounts.
pub(crate) fn resettled_hit(view: &ResettledView) -> ResettledHit {
    let (due, _) = split_due(&view.payouts);
    ResettledHit {
        hit: Text(view.hit.clone()),
        before: Text(view.before),
        after: Text(view.after),
        due: Text(due),
        back_to_pending: view.back_to_pending,
        payouts: recorded_payouts(&view.payouts),
    }
}

/// Returns the journal's hits with new amounts, in their order.
pub(super) fn journaled_resettled(
    names: Names<'_>,
    resettled: &[rules::Resettled],
) -> Vec<ResettledHit> {
    let one = |hit: &rules::Resettled| {
        let (due, _) = split_due(&hit.payouts);
        ResettledHit {
            hit: names.hit(hit.hit),
            before: Text(hit.taken.before),
            after: Text(hit.taken.after),
            due: Text(due),
            back_to_pending: hit.back_to_pending,
            payouts: recorded_payouts(&hit.payouts),
        }
    };
    resettled.iter().map(one).collect()
}
