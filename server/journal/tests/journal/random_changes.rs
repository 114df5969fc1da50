//! Random events of links, levels, tables and two people.

use meterhouse_domain::adopted::{AdoptedTable, ChosenReading, Returned};
use meterhouse_domain::change::{AdjustedAccount, Change, Effect, LateHit, Propose, Resettled};
use meterhouse_domain::event::Event;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{ProposalId, TableNo, Timestamp};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use crate::random::{
    cards, free, hit_id, hit_recorded, holder, money, moves, name, one, order, payout, players,
    seats, sequence, taken, text,
};

pub(crate) fn proposal_id() -> impl Strategy<Value = ProposalId> {
    any::<[u8; 16]>().prop_map(ProposalId)
}

fn late_hit() -> impl Strategy<Value = LateHit> {
    let sets = (seats(), seats(), seats());
    (
        (any::<u32>(), sequence(), holder(), one(&Hand::ALL), cards()),
        (sets, players(), vec(money(), 0..4), order(), any::<bool>()),
    )
        .prop_map(|((table, round, holder, hand, cards), rest)| {
            let ((own, dealer, folded), players, displayed, order_at_close, stood) = rest;
            LateHit {
                table: TableNo(table),
                round,
                holder,
                hand,
                cards,
                own,
                dealer,
                folded,
                players,
                displayed,
                order_at_close,
                stood,
            }
        })
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        hit_id().prop_map(|hit| Change::Correct { hit }),
        (any::<u8>(), one(AdjustedAccount::ALL), money()).prop_map(|(level, account, amount)| {
            Change::Adjust {
                level,
                account,
                amount,
            }
        }),
        late_hit().prop_map(|late| Change::LateHit(Box::new(late))),
        Just(Change::ClearFault),
        Just(Change::AcknowledgeReturns),
        adopted_table().prop_map(|adopted| Change::AdoptTable(Box::new(adopted))),
    ]
}

pub(crate) fn adopted_table() -> impl Strategy<Value = AdoptedTable> {
    let reading = (name(), text()).prop_map(|(name, letter)| ChosenReading { name, letter });
    (name(), of(reading), any::<u32>()).prop_map(|(table, reading, ppm)| AdoptedTable {
        table,
        reading,
        returns: Returned { ppm },
    })
}

pub(crate) fn propose() -> BoxedStrategy<Propose> {
    (proposal_id(), name(), text(), change())
        .prop_map(|(proposal, department, reason, change)| Propose {
            proposal,
            department,
            reason,
            change,
        })
        .boxed()
}

pub(crate) fn resettled() -> BoxedStrategy<Resettled> {
    (
        hit_id(),
        taken(),
        vec(payout(), 0..3),
        any::<bool>(),
        moves(),
    )
        .prop_map(|(hit, taken, payouts, back_to_pending, moves)| Resettled {
            hit,
            taken,
            payouts,
            back_to_pending,
            moves,
        })
        .boxed()
}

fn effect() -> BoxedStrategy<Effect> {
    let account = one(AdjustedAccount::ALL);
    prop_oneof![
        (hit_id(), vec(resettled(), 0..3))
            .prop_map(|(hit, resettled)| Effect::Corrected { hit, resettled }),
        (any::<u8>(), account, money(), money()).prop_map(|(level, account, before, after)| {
            Effect::Adjusted {
                level,
                account,
                before,
                after,
            }
        }),
        (hit_id(), hit_recorded(), any::<bool>()).prop_map(|(hit, recorded, from_meter)| {
            Effect::LateHitRecorded {
                hit,
                recorded: Box::new(recorded),
                from_meter,
            }
        }),
        free().prop_map(|fault| Effect::FaultCleared { fault }),
        Just(Effect::ReturnsAcknowledged),
        (adopted_table(), of(adopted_table())).prop_map(|(adopted, before)| {
            Effect::TableAdopted {
                adopted: Box::new(adopted),
                before: before.map(Box::new),
            }
        }),
    ]
    .boxed()
}

pub(crate) fn of_link_and_people() -> BoxedStrategy<Event> {
    let approved = (proposal_id(), name(), effect(), moves()).prop_map(
        |(proposal, department, effect, moves)| Event::ChangeApproved {
            proposal,
            department,
            effect: Box::new(effect),
            moves,
        },
    );
    prop_oneof![
        vec(money(), 0..4).prop_map(|values| Event::ValuesAccepted { values }),
        text().prop_map(|reason| Event::LinkSuspended { reason }),
        Just(Event::LinkResumed),
        (any::<u8>(), text()).prop_map(|(level, reason)| Event::LevelDisabled { level, reason }),
        any::<u8>().prop_map(|level| Event::LevelEnabled { level }),
        (any::<u32>(), any::<i64>(), any::<bool>()).prop_map(|(table, heard_at, must_resume)| {
            Event::TableLost {
                table: TableNo(table),
                heard_at: Timestamp(heard_at),
                must_resume,
            }
        }),
        any::<u32>().prop_map(|table| Event::TableBack {
            table: TableNo(table)
        }),
        (any::<u32>(), text()).prop_map(|(table, reason)| Event::TableDisabled {
            table: TableNo(table),
            reason
        }),
        any::<u32>().prop_map(|table| Event::TableEnabled {
            table: TableNo(table)
        }),
        (any::<u32>(), text()).prop_map(|(table, reason)| Event::TableLeft {
            table: TableNo(table),
            reason
        }),
        (propose(), any::<i64>()).prop_map(|(propose, expires_at)| Event::ChangeProposed {
            propose: Box::new(propose),
            expires_at: Timestamp(expires_at),
        }),
        approved,
        (proposal_id(), name(), text()).prop_map(|(proposal, department, reason)| {
            Event::ChangeDeclined {
                proposal,
                department,
                reason,
            }
        }),
    ]
    .boxed()
}
