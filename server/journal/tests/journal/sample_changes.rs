//! Events of links, levels, tables and two people, with fixed values.

use meterhouse_domain::adopted::{AdoptedTable, ChosenReading, Returned};
use meterhouse_domain::change::{AdjustedAccount, Change, Effect, LateHit, Propose, Resettled};
use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{Event, HitRecorded, PayoutKind};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{HitId, HitOrder, ProposalId, Sequence, TableNo, Timestamp};
use meterhouse_domain::link::Account;
use meterhouse_domain::seat::Seat;

use crate::sample_terms::{RACK, SLIP};
use crate::samples::{
    cards, entry, hit_id, hit_recorded, micros, parse, payout, set, settled_hit, taken,
};

pub(crate) const PROPOSAL: ProposalId = ProposalId([
    0x01, 0x93, 0x4e, 0x7a, 0x10, 0x00, 0x7c, 0x3d, 0x80, 0x01, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45,
]);

/// The late hit of the sample round.
pub(crate) fn late_hit_id() -> HitId {
    HitId {
        table: TableNo(7),
        sequence: Sequence(4_711),
        number: 1,
    }
}

pub(crate) fn propose(change: Change) -> Propose {
    Propose {
        proposal: PROPOSAL,
        department: parse("table-games"),
        reason: parse("seen on the recording"),
        change,
    }
}

/// Returns the first hit of the settled round without the one before it: 50.00 more. Pending hits get one new payout,
/// paid hits a supplement.
pub(crate) fn resettled(back_to_pending: bool) -> Resettled {
    let payouts = if back_to_pending {
        vec![payout(1, PayoutKind::Line, 1_050_000_000, SLIP)]
    } else {
        vec![
            payout(1, PayoutKind::Line, 1_000_000_000, SLIP),
            payout(1, PayoutKind::Supplement, 50_000_000, SLIP),
        ]
    };
    Resettled {
        hit: settled_hit(1),
        taken: taken(Some(10), 10_500_000_000, 9_450_000_000),
        payouts,
        back_to_pending,
        moves: vec![entry(0, Account::Meter, Account::Pending, 1_050_000_000)],
    }
}

pub(crate) fn events_of_links() -> Vec<(&'static str, Event)> {
    vec![
        (
            "suspended",
            Event::LinkSuspended {
                reason: parse("maintenance"),
            },
        ),
        ("resumed", Event::LinkResumed),
        (
            "level-disabled",
            Event::LevelDisabled {
                level: 1,
                reason: parse("the sign is dark"),
            },
        ),
        ("level-enabled", Event::LevelEnabled { level: 1 }),
        (
            "table-lost",
            Event::TableLost {
                table: TableNo(7),
                heard_at: Timestamp(1_732_190_394_000_000),
                must_resume: true,
            },
        ),
        ("table-back", Event::TableBack { table: TableNo(7) }),
        (
            "table-disabled",
            Event::TableDisabled {
                table: TableNo(7),
                reason: parse("the lamps are dark"),
            },
        ),
        ("table-enabled", Event::TableEnabled { table: TableNo(7) }),
        (
            "table-left",
            Event::TableLeft {
                table: TableNo(7),
                reason: parse("the felt was sold"),
            },
        ),
        (
            "values-accepted",
            Event::ValuesAccepted {
                values: vec![micros(10_000_000_000), micros(250_000_000)],
            },
        ),
    ]
}

fn late_hit() -> LateHit {
    LateHit {
        table: TableNo(7),
        round: Sequence(4_711),
        holder: Holder::Seat(Seat(1)),
        hand: Hand::FullHouse,
        cards: Some(cards("Kd Kc Kh 2s 2c")),
        own: set(&[1, 3, 5]),
        dealer: set(&[6]),
        folded: set(&[3]),
        players: vec![(Seat(1), parse("p-1"))],
        displayed: vec![micros(10_000_260_000), micros(1_000_000_000)],
        order_at_close: HitOrder(12),
        stood: false,
    }
}

fn proposed(change: Change) -> Event {
    Event::ChangeProposed {
        propose: Box::new(propose(change)),
        expires_at: Timestamp(1_732_276_800_000_000),
    }
}

fn approved(effect: Effect) -> Event {
    let moves = match &effect {
        Effect::Corrected { .. } => {
            vec![entry(0, Account::Pending, Account::Meter, 10_000_260_000)]
        }
        Effect::Adjusted { .. } => vec![entry(0, Account::Reserve, Account::House, 1_500_000)],
        Effect::LateHitRecorded { .. }
        | Effect::FaultCleared { .. }
        | Effect::ReturnsAcknowledged
        | Effect::TableAdopted { .. } => Vec::new(),
    };
    Event::ChangeApproved {
        proposal: PROPOSAL,
        department: parse("surveillance"),
        effect: Box::new(effect),
        moves,
    }
}

pub(crate) fn events_of_proposals() -> Vec<(&'static str, Event)> {
    let account = AdjustedAccount::Reserve;
    let adjust = Change::Adjust {
        level: 0,
        account,
        amount: micros(-1_500_000),
    };
    let adjusted = Effect::Adjusted {
        level: 0,
        account,
        before: micros(1_530_000),
        after: micros(30_000),
    };
    let recorded = Effect::LateHitRecorded {
        hit: late_hit_id(),
        recorded: Box::new(HitRecorded {
            order: HitOrder(16),
            holder: Holder::Seat(Seat(1)),
            hand: Some(Hand::FullHouse),
            taken: None,
            payouts: vec![payout(1, PayoutKind::Line, 50_000_000, RACK)],
            needs_validation: false,
            moves: vec![entry(2, Account::House, Account::Pending, 50_000_000)],
            ..hit_recorded()
        }),
        from_meter: false,
    };
    let correct = Change::Correct { hit: hit_id() };
    let corrected = Effect::Corrected {
        hit: hit_id(),
        resettled: vec![resettled(false)],
    };
    let cleared = Effect::FaultCleared {
        fault: "7.4713: meter below zero".to_owned(),
    };
    vec![
        ("proposed-correction", proposed(correct)),
        ("proposed-adjustment", proposed(adjust)),
        (
            "proposed-late-hit",
            proposed(Change::LateHit(Box::new(late_hit()))),
        ),
        ("proposed-clearing", proposed(Change::ClearFault)),
        ("approved-correction", approved(corrected)),
        ("approved-adjustment", approved(adjusted)),
        ("approved-late-hit", approved(recorded)),
        ("approved-clearing", approved(cleared)),
        (
            "declined",
            Event::ChangeDeclined {
                proposal: PROPOSAL,
                department: parse("surveillance"),
                reason: parse("not what the cards say"),
            },
        ),
    ]
}

/// Returns a table that was adopted with a reading.
pub(crate) fn adopted_reading() -> AdoptedTable {
    AdoptedTable {
        table: parse("pa-684a-four-card-bonus-a"),
        reading: Some(ChosenReading {
            name: parse("queens-or-better"),
            letter: parse("PGCB-2026-118"),
        }),
        returns: Returned { ppm: 957_700 },
    }
}

/// Returns a table that was adopted as printed.
pub(crate) fn adopted_print() -> AdoptedTable {
    AdoptedTable {
        table: parse("pa-643a-five-card-bonus-a"),
        reading: None,
        returns: Returned { ppm: 1_190_000 },
    }
}

pub(crate) fn events_of_adoptions() -> Vec<(&'static str, Event)> {
    let adopted = |table: AdoptedTable, before: Option<AdoptedTable>| {
        approved(Effect::TableAdopted {
            adopted: Box::new(table),
            before: before.map(Box::new),
        })
    };
    let proposed = |table| proposed(Change::AdoptTable(Box::new(table)));
    let again = AdoptedTable {
        reading: None,
        returns: Returned { ppm: 742_000 },
        ..adopted_reading()
    };
    vec![
        ("proposed-reading", proposed(adopted_reading())),
        ("proposed-table", proposed(adopted_print())),
        ("adopted-reading", adopted(adopted_reading(), None)),
        ("adopted-table", adopted(adopted_print(), None)),
        (
            "adopted-print-again",
            adopted(again, Some(adopted_reading())),
        ),
    ]
}

pub(crate) fn events_of_returns() -> Vec<(&'static str, Event)> {
    vec![
        (
            "proposed-acknowledgement",
            proposed(Change::AcknowledgeReturns),
        ),
        (
            "approved-acknowledgement",
            approved(Effect::ReturnsAcknowledged),
        ),
    ]
}
