//! Canonical forms of proposed changes and of the changes that two people carried out.

use meterhouse_domain::adopted::{AdoptedTable, ChosenReading, Returned};
use meterhouse_domain::change::{Change, Effect, LateHit, Propose, Resettled};
use meterhouse_domain::event::HitRecorded;

use crate::codec::{Canonical, DecodeError, Problem, Reader, Writer};
use crate::forms::{structs, variants};

structs! {
    Propose { proposal, department, reason, change }
    LateHit {
        table, round, holder, hand, cards, own, dealer, folded, players, displayed, order_at_close, stood,
    }
    Resettled { hit, taken, payouts, back_to_pending, moves }
    AdoptedTable { table, reading, returns }
    ChosenReading { name, letter }
    Returned { ppm }
    HitRecorded {
        order, round, kind, holder, hand, cards, taken, payouts, needs_validation, moves,
    }
}

variants! {
    Change "kind of change" {
        1 Correct { hit },
        2 Adjust { level, account, amount },
        3 LateHit(late: Box<LateHit>),
        4 ClearFault,
        5 AcknowledgeReturns,
        6 AdoptTable(adopted: Box<AdoptedTable>),
    }
    Effect "effect of a change" {
        1 Corrected { hit, resettled },
        2 Adjusted { level, account, before, after },
        3 LateHitRecorded { hit, recorded, from_meter },
        4 FaultCleared { fault },
        5 ReturnsAcknowledged,
        6 TableAdopted { adopted, before },
    }
}
