//! Canonical forms of the fixed wagers of a round: as a table sent them, and as they were settled.

use std::borrow::Cow;

use meterhouse_domain::fixed::settle::{
    LinePaid, PlacedWager, SettledRound, SettledSeat, SettledWager, TableTerms,
};
use meterhouse_domain::round_wagers::{
    Omission, PayingTable, PlayedWagers, RecordedWagers, SeatWagers, SettledWagers, WagerFinding,
    WagersResult,
};

use crate::codec::{Canonical, DecodeError, Problem, Reader, Writer};
use crate::forms::{structs, variants};

structs! {
    PlayedWagers { jurisdiction, terms, tables, bonus, seats }
    TableTerms { minimum, step, limit, reading, most_at_minimum }
    SeatWagers { seat, player, end, wagers }
    PlacedWager { wager, amount }
    RecordedWagers { played, settled }
    SettledWagers { game, tables, round }
    PayingTable { id, title, citation, omissions, reading, returns }
    Omission { what, place, inferred_from }
    SettledRound { seats, limit }
    SettledSeat { seat, wagers }
    SettledWager { wager, amount, result, clause, line, payout, paid, returned, collected }
    LinePaid { table, citation, index, prints, pays }
    WagerFinding { path, code, detail }
}

variants! {
    WagersResult "result of fixed wagers" {
        1 Settled(wagers: Box<SettledWagers>),
        2 Refused(findings: Vec<WagerFinding>),
    }
}

/// The clause of a settled wager: the rules lend their own, and a reader owns what it read.
impl Canonical for Cow<'static, str> {
    fn write(&self, out: &mut Writer<'_>) {
        out.bytes(self.as_bytes());
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        String::read(input).map(Self::Owned)
    }
}
