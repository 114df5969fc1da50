//! Canonical forms of the small values of the rules: numbers, names, codes, money, seats, cards.
//!
//! # Shape
//! Each kind of value has one `impl` of [`Canonical`], most of them from four lists.

use std::sync::Arc;

use meterhouse_domain::card::Card;
use meterhouse_domain::change::AdjustedAccount;
use meterhouse_domain::command::{Bonus, VoidReason, WageredHand};
use meterhouse_domain::event::{Draws, HitKind, Payout, PayoutKind, Reset, Taken};
use meterhouse_domain::fixed::limit::LimitReading;
use meterhouse_domain::fixed::settle::{SeatEnd, WagerResult};
use meterhouse_domain::fixed::wager::FixedWager;
use meterhouse_domain::hand::{Hand, Ranking};
use meterhouse_domain::ids::{
    ActorId, Badge, Department, Document, GameName, HitId, HitOrder, Letter, LevelName, LinkName,
    Note, PaytableId, PlayerName, ProposalId, ReadingName, Sequence, TableName, TableNo, Timestamp,
};
use meterhouse_domain::link::{Account, Added, Balances, Book, Move, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{ChargedTo, FoldAward, HandRule, HandedOver, WagerKind};
use meterhouse_domain::rate::Rate;
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::seat::{Seat, SeatSet};

use crate::codec::{ABSENT, Canonical, DecodeError, Problem, Reader, Writer};
use crate::forms::structs;

/// Implements integers, and types that wrap one integer without restriction.
macro_rules! numbers {
    ($($inner:ty: $($name:ident)*;)+) => {$(
        impl Canonical for $inner {
            fn write(&self, out: &mut Writer<'_>) {
                out.fixed(&self.to_be_bytes());
            }

            fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
                input.array().map(Self::from_be_bytes)
            }
        }

        $(impl Canonical for $name {
            fn write(&self, out: &mut Writer<'_>) {
                self.0.write(out);
            }

            fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
                <$inner>::read(input).map(Self)
            }
        })*
    )+};
}

numbers! {
    u8: Book Seat;
    u16: ;
    u32: TableNo;
    u64: Sequence HitOrder;
    i32: ActorId;
    i64: Timestamp;
}

/// Implements texts that validate themselves.
macro_rules! texts {
    ($($name:ident $what:literal)+) => {$(
        impl Canonical for $name {
            fn write(&self, out: &mut Writer<'_>) {
                out.bytes(self.as_str().as_bytes());
            }

            fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
                input.present(Self::read_option)
            }

            fn write_option(value: Option<&Self>, out: &mut Writer<'_>) {
                out.optional_bytes(value.map(|text| text.as_str().as_bytes()));
            }

            fn read_option(input: &mut Reader<'_>) -> Result<Option<Self>, DecodeError> {
                let offset = input.offset();
                let Some(text) = input.optional_text()? else { return Ok(None) };
                let parsed = text.parse().map(Some);
                parsed.map_err(|_| Reader::refuse(offset, Problem::Not { what: $what }))
            }
        }
    )+};
}

texts! {
    LinkName "name"
    TableName "name"
    PlayerName "name"
    Badge "name"
    PaytableId "name"
    ReadingName "name"
    GameName "name"
    LevelName "name"
    Department "name"
    Document "text of 1 to 256 bytes without control characters"
    Letter "text of 1 to 256 bytes without control characters"
    Note "text of 1 to 256 bytes without control characters"
    String "text"
}

/// Implements enums that are one code byte.
macro_rules! codes {
    ($($name:ident $what:literal)+) => {$(
        impl Canonical for $name {
            fn write(&self, out: &mut Writer<'_>) {
                out.u8(self.code());
            }

            fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
                let offset = input.offset();
                let code = input.u8()?;
                let unknown = Problem::UnknownCode { what: $what, code };
                Self::from_code(code).ok_or(Reader::refuse(offset, unknown))
            }
        }
    )+};
}

codes! {
    Account "account"
    AdjustedAccount "account that may be adjusted"
    Bonus "bonus"
    ChargedTo "charge"
    FixedWager "fixed wager"
    FoldAward "effect of a fold"
    Hand "hand"
    HandRule "rule of forming hands"
    HandedOver "way of handing over"
    HitKind "kind of hit"
    LimitReading "reading of a limit"
    PayoutKind "kind of payout"
    RefusalCode "refusal"
    SeatEnd "end of a seat's part"
    ReservePolicy "reserve policy"
    VoidReason "reason of a void round"
    WagerKind "kind of wager"
    WagerResult "result of a wager"
    WageredHand "wagered hand"
}

/// Codes of the rankings; the rules assign none.
const RANKINGS: [(u8, Ranking); 3] = [
    (1, Ranking::FourCard),
    (2, Ranking::FiveCard),
    (3, Ranking::ThreeCard),
];

impl Canonical for Ranking {
    fn write(&self, out: &mut Writer<'_>) {
        out.u8(match self {
            Self::FourCard => 1,
            Self::FiveCard => 2,
            Self::ThreeCard => 3,
        });
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let offset = input.offset();
        let code = input.u8()?;
        let known = RANKINGS
            .iter()
            .find(|(known, _)| *known == code)
            .map(|(_, ranking)| *ranking);
        known.ok_or(Reader::refuse(
            offset,
            Problem::UnknownCode {
                what: "ranking",
                code,
            },
        ))
    }
}

impl Canonical for bool {
    fn write(&self, out: &mut Writer<'_>) {
        out.u8(u8::from(*self));
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        input.zero_or_one()
    }
}

/// The level of a line. The rules use an index; the form is a `u64`, which holds every index.
impl Canonical for usize {
    fn write(&self, out: &mut Writer<'_>) {
        out.u64(u64::try_from(*self).unwrap_or(u64::MAX));
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let offset = input.offset();
        let index = u64::read(input)?;
        Self::try_from(index).map_err(|_| Reader::refuse(offset, Problem::Not { what: "index" }))
    }
}

impl Canonical for Money {
    fn write(&self, out: &mut Writer<'_>) {
        out.i64(self.micros());
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        i64::read(input).map(Self::from_micros)
    }
}

impl Canonical for Rate {
    fn write(&self, out: &mut Writer<'_>) {
        out.u32(self.ppm());
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let offset = input.offset();
        let what = "rate of at most 1,000,000 parts per million";
        Self::from_ppm(input.u32()?).ok_or(Reader::refuse(offset, Problem::Not { what }))
    }
}

impl Canonical for SeatSet {
    fn write(&self, out: &mut Writer<'_>) {
        out.u16(self.bits());
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let offset = input.offset();
        let refused = Reader::refuse(
            offset,
            Problem::Not {
                what: "set of seats",
            },
        );
        Self::from_bits(u16::read(input)?).ok_or(refused)
    }
}

impl Canonical for Card {
    fn write(&self, out: &mut Writer<'_>) {
        out.u8(self.index());
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let offset = input.offset();
        let code = input.u8()?;
        let unknown = Problem::UnknownCode { what: "card", code };
        Self::from_index(code).ok_or(Reader::refuse(offset, unknown))
    }
}

impl Canonical for ProposalId {
    fn write(&self, out: &mut Writer<'_>) {
        out.fixed(&self.0);
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        input.array().map(Self)
    }
}

impl Canonical for Added {
    fn write(&self, out: &mut Writer<'_>) {
        out.list(self.amounts());
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let offset = input.offset();
        let amounts = Vec::read(input)?;
        let what = "list of at most 8 shares";
        Self::new(&amounts).ok_or(Reader::refuse(offset, Problem::Not { what }))
    }
}

impl Canonical for Balances {
    fn write(&self, out: &mut Writer<'_>) {
        self.0.iter().for_each(|balance| balance.write(out));
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut balances = Self::default();
        for balance in &mut balances.0 {
            *balance = Money::read(input)?;
        }
        Ok(balances)
    }
}

structs! {
    HitId { table, sequence, number }
    Move { book, from, to, amount }
    Payout { seat, player, kind, amount, charged_to, handed_over }
    Taken { level, percent, before, after, reserve_before, overflow_before, reset }
    Reset { from_house, from_reserve, from_overflow }
    Draws { magic_card, lucky_position }
}

impl<T: Canonical> Canonical for Option<T> {
    fn write(&self, out: &mut Writer<'_>) {
        T::write_option(self.as_ref(), out);
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        T::read_option(input)
    }
}

impl<T: Canonical> Canonical for Vec<T> {
    fn write(&self, out: &mut Writer<'_>) {
        out.list(self);
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        input.present(Reader::optional_list)
    }

    fn write_option(value: Option<&Self>, out: &mut Writer<'_>) {
        match value {
            Some(items) => out.list(items),
            None => out.u32(ABSENT),
        }
    }

    fn read_option(input: &mut Reader<'_>) -> Result<Option<Self>, DecodeError> {
        input.optional_list()
    }
}

impl<A: Canonical, B: Canonical> Canonical for (A, B) {
    fn write(&self, out: &mut Writer<'_>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok((A::read(input)?, B::read(input)?))
    }
}

impl<T: Canonical> Canonical for Box<T> {
    fn write(&self, out: &mut Writer<'_>) {
        T::write(self, out);
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        T::read(input).map(Self::new)
    }
}

impl<T: Canonical> Canonical for Arc<T> {
    fn write(&self, out: &mut Writer<'_>) {
        T::write(self, out);
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        T::read(input).map(Self::new)
    }
}
