//! Slips of payouts, as the house's chain has them.
//!
//! # Order
//! Slips are numbered for the whole house from 1 without gaps, the reprints of a slip likewise.

use meterhouse_domain::ids::{ActorId, HitId, LinkId, Sequence, TableNo, Timestamp};

use crate::codec::{Canonical as _, Writer};
use crate::hit::{HitRow, PayoutRow};

/// A slip: what was decided about a payout when the slip was made. Codes are those of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip {
    /// Number of the slip.
    pub number: u64,
    /// Server time at which it was made.
    pub at: Timestamp,
    /// Person who made it.
    pub actor: ActorId,
    /// Link.
    pub link: LinkId,
    /// What it says of the payout.
    pub content: SlipContent,
    /// Number of the slip of the same payout with another amount.
    pub replaces: Option<u64>,
}

/// What a slip says of its payout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlipContent {
    /// Number of the table.
    pub table: u32,
    /// Number of the command that entered the hit.
    pub sequence: u64,
    /// Number among that command's hits.
    pub hit_number: u8,
    /// Number of the payout.
    pub payout: u32,
    /// Micro-dollars to pay.
    pub amount: i64,
    /// Seat of the payout.
    pub seat: u8,
    /// Player on the seat.
    pub player: Option<String>,
    /// Code of the payout's kind.
    pub kind: u8,
    /// Code of the payer.
    pub charged_to: u8,
    /// Order of the hit among all hits of the link.
    pub hit_order: u64,
    /// Number of the round's coin-in.
    pub round: u64,
    /// Code of the hit's kind.
    pub hit_kind: u8,
    /// Code of the hand.
    pub hand: Option<u8>,
    /// Index of the level that the hit took from.
    pub level: Option<u8>,
    /// Percentage of the level.
    pub percent: Option<u8>,
    /// Newest cards: the supervisor's, else the table's.
    pub cards: Option<String>,
    /// Badge that entered the hit.
    pub keyed_by: Option<String>,
    /// Time of the entry.
    pub keyed_at: Timestamp,
    /// Person who validated the hit.
    pub decided_by: Option<String>,
    /// Time of the validation.
    pub decided_at: Option<Timestamp>,
}

/// A further print of a slip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlipReprint {
    /// Number of the slip.
    pub number: u64,
    /// Number of the reprint, from 1.
    pub reprint: u32,
    /// Server time.
    pub at: Timestamp,
    /// Person who printed it again.
    pub actor: ActorId,
    /// Reason.
    pub reason: String,
}

impl SlipContent {
    /// Returns the content of a slip for a payout of a hit.
    pub fn of(hit: &HitRow, payout: &PayoutRow) -> Self {
        Self {
            table: hit.table,
            sequence: hit.sequence,
            hit_number: hit.number,
            payout: payout.number,
            amount: payout.amount,
            seat: payout.seat,
            player: payout.player.clone(),
            kind: payout.kind,
            charged_to: payout.charged_to,
            hit_order: hit.hit_order,
            round: hit.round,
            hit_kind: hit.kind,
            hand: hit.hand,
            level: hit.level,
            percent: hit.percent,
            cards: hit.validated_cards.clone().or_else(|| hit.cards.clone()),
            keyed_by: hit.keyed_by.clone(),
            keyed_at: Timestamp(hit.keyed_at),
            decided_by: hit.decided_by.clone(),
            decided_at: hit.decided_at.map(Timestamp),
        }
    }

    /// Returns the hit.
    pub const fn hit(&self) -> HitId {
        HitId {
            table: TableNo(self.table),
            sequence: Sequence(self.sequence),
            number: self.hit_number,
        }
    }

    fn write(&self, out: &mut Writer<'_>) {
        out.u32(self.table);
        out.u64(self.sequence);
        out.u8(self.hit_number);
        out.u32(self.payout);
        out.i64(self.amount);
        out.u8(self.seat);
        text(out, self.player.as_ref());
        out.u8(self.kind);
        out.u8(self.charged_to);
        out.u64(self.hit_order);
        out.u64(self.round);
        out.u8(self.hit_kind);
        for code in [self.hand, self.level, self.percent] {
            code.write(out);
        }
        text(out, self.cards.as_ref());
        text(out, self.keyed_by.as_ref());
        out.i64(self.keyed_at.0);
        text(out, self.decided_by.as_ref());
        self.decided_at.map(|at| at.0).write(out);
    }
}

fn text(out: &mut Writer<'_>, value: Option<&String>) {
    out.optional_bytes(value.map(String::as_bytes));
}

impl Slip {
    /// Writes the body of the slip's entry.
    pub(crate) fn write(&self, out: &mut Writer<'_>) {
        out.u64(self.number);
        out.i64(self.at.0);
        out.i32(self.actor.0);
        out.i32(self.link.0);
        self.content.write(out);
        self.replaces.write(out);
    }
}

impl SlipReprint {
    /// Writes the body of the reprint's entry.
    pub(crate) fn write(&self, out: &mut Writer<'_>) {
        out.u64(self.number);
        out.u32(self.reprint);
        out.i64(self.at.0);
        out.i32(self.actor.0);
        out.bytes(self.reason.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::HouseFact;

    #[test]
    fn a_reprint_has_the_documented_bytes() {
        let fact = HouseFact::SlipReprint(Box::new(SlipReprint {
            number: 7,
            reprint: 2,
            at: Timestamp(9),
            actor: ActorId(3),
            reason: "jam".to_owned(),
        }));
        let mut expected = vec![0];
        expected.extend(7_u64.to_be_bytes());
        expected.extend(2_u32.to_be_bytes());
        expected.extend(9_i64.to_be_bytes());
        expected.extend(3_i32.to_be_bytes());
        expected.extend([0, 0, 0, 3, b'j', b'a', b'm']);
        assert_eq!((fact.kind(), fact.body(false)), (17, expected));
    }
}
