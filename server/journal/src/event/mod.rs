//! Each kind of event as columns and the rest of its record.
//!
//! # Shape
//! [`fill`] sets the columns. [`needs_record`] checks if the columns hold the event alone. [`write`] writes the
//! record behind its head. [`read`] restores the event. A value without a column is in the record. Numbers that
//! reports sum are in both, and the caller of [`read`] checks that they agree. Events that are a plain list of fields
//! are in [`fields`].

mod fields;
mod row_reader;

use meterhouse_domain::event::{CoinInAccepted, Draws, Event, HitRecorded, Payout, TableJoined};
use meterhouse_domain::link::{Added, SHARES_MAX};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::seat::SeatSet;

use crate::batch::{EventRow, NUMBERS};
use crate::codec::{Canonical, DecodeError, Reader, Writer};
use crate::error::JournalError;
use crate::forms::structs;
use crate::kind;

pub(crate) use row_reader::RowReader;

structs! {
    TableJoined { table, name, game, seats, paytable, rules; since 3: bet_on_dealer }
}

/// Sets the event's own columns, the record excepted.
pub(crate) fn fill(event: &Event, row: &mut EventRow) {
    match event {
        Event::CoinInAccepted(coin_in) => {
            row.own_seats = Some(coin_in.own.bits());
            row.dealer_seats = (!coin_in.dealer.is_empty()).then_some(coin_in.dealer.bits());
            for (column, amount) in row.numbers.iter_mut().zip(coin_in.added.amounts()) {
                *column = Some(amount.micros());
            }
        }
        Event::ChipsCounted { chips, accepted } => {
            row.numbers = [
                Some(i64::from(*chips)),
                Some(i64::from(*accepted)),
                None,
                None,
            ];
        }
        Event::SeatsFolded { seats } => row.own_seats = Some(seats.bits()),
        Event::Refused { refusal, .. } => row.refusal = Some(refusal.code.code()),
        Event::HitRecorded(hit) => row.numbers = hit_numbers(hit),
        _ => {}
    }
}

/// Returns order, due, balance before and after; a number that exceeds an `i64` is left out.
fn hit_numbers(hit: &HitRecorded) -> [Option<i64>; NUMBERS] {
    [
        i64::try_from(hit.order.0).ok(),
        due(&hit.payouts),
        hit.taken.map(|taken| taken.before.micros()),
        hit.taken.map(|taken| taken.after.micros()),
    ]
}

/// Returns the sum of a hit's payouts in micro-dollars, if an `i64` holds it.
pub(crate) fn due(payouts: &[Payout]) -> Option<i64> {
    let mut amounts = payouts.iter().map(|payout| payout.amount.micros());
    amounts.try_fold(0, i64::checked_add)
}

/// Checks if the event needs a record in addition to its columns.
pub(crate) fn needs_record(event: &Event) -> bool {
    match event {
        Event::CoinInAccepted(coin_in) => {
            coin_in.dealt != coin_in.own.union(coin_in.dealer)
                || !coin_in.players.is_empty()
                || coin_in.added.amounts().len() > NUMBERS
                || !coin_in.over_ceiling.is_empty()
                || coin_in.draws != Draws::default()
        }
        Event::RoundClosed { hits, moves } => !hits.is_empty() || !moves.is_empty(),
        Event::ChipsCounted { .. } | Event::SeatsFolded { .. } => false,
        _ => true,
    }
}

/// Writes the part of the record behind its head.
pub(crate) fn write(event: &Event, out: &mut Writer<'_>) {
    match event {
        Event::CoinInAccepted(coin_in) => {
            coin_in.dealt.write(out);
            coin_in.players.write(out);
            out.list(coin_in.added.amounts().get(NUMBERS..).unwrap_or_default());
            coin_in.over_ceiling.write(out);
            coin_in.draws.write(out);
        }
        Event::ChipsCounted { .. } | Event::SeatsFolded { .. } => {}
        Event::RoundClosed { hits, moves } if hits.is_empty() => moves.write(out),
        Event::RoundClosed { hits, moves } => {
            hits.write(out);
            moves.write(out);
        }
        Event::RoundSettled {
            cards,
            hits,
            wagers,
        } => {
            cards.write(out);
            if !hits.is_empty() {
                hits.write(out);
            }
            if let Some(wagers) = wagers {
                wagers.write(out);
            }
        }
        Event::Refused { refusal, command } => {
            refusal.fields.write(out);
            command.write(out);
        }
        _ => fields::write(event, out),
    }
}

/// Reads the event of a row; the result is not yet compared with the columns.
pub(crate) fn read(input: &mut RowReader<'_>) -> Result<Event, JournalError> {
    Ok(match input.row.kind {
        kind::COIN_IN_ACCEPTED => Event::CoinInAccepted(coin_in(input)?),
        kind::CHIPS_COUNTED => {
            let [chips, accepted, ..] = input.row.numbers;
            Event::ChipsCounted {
                chips: count(input, chips)?,
                accepted: count(input, accepted)?,
            }
        }
        kind::SEATS_FOLDED => Event::SeatsFolded {
            seats: input.seats("own_seats", input.row.own_seats)?,
        },
        kind::ROUND_CLOSED => Event::RoundClosed {
            hits: Vec::new(),
            moves: if input.record.is_some() {
                input.field()?
            } else {
                Vec::new()
            },
        },
        kind::REFUSED => refused(input)?,
        kind::ROUND_CLOSED_WITH_HITS => Event::RoundClosed {
            hits: input.field()?,
            moves: input.field()?,
        },
        kind::ROUND_SETTLED => settled(input, false, false)?,
        kind::ROUND_SETTLED_WITH_HITS => settled(input, true, false)?,
        kind::ROUND_SETTLED_WITH_WAGERS => settled(input, false, true)?,
        kind::ROUND_SETTLED_WITH_WAGERS_AND_HITS => settled(input, true, true)?,
        _ => fields::read(input)?,
    })
}

/// Reads a settled round, with hits and with fixed wagers if its kind has them.
fn settled(
    input: &mut RowReader<'_>,
    with_hits: bool,
    with_wagers: bool,
) -> Result<Event, JournalError> {
    Ok(Event::RoundSettled {
        cards: input.field()?,
        hits: if with_hits {
            input.field()?
        } else {
            Vec::new()
        },
        wagers: if with_wagers {
            Some(input.field()?)
        } else {
            None
        },
    })
}

fn coin_in(input: &mut RowReader<'_>) -> Result<CoinInAccepted, JournalError> {
    let own = input.seats("own_seats", input.row.own_seats)?;
    let dealer = match input.row.dealer_seats {
        Some(_) => input.seats("dealer_seats", input.row.dealer_seats)?,
        None => SeatSet::EMPTY,
    };
    let mut coin_in = CoinInAccepted {
        own,
        dealer,
        dealt: own.union(dealer),
        players: Vec::new(),
        added: Added::default(),
        over_ceiling: Vec::new(),
        draws: Draws::default(),
    };
    let mut more = Vec::new();
    if input.record.is_some() {
        coin_in.dealt = input.field()?;
        coin_in.players = input.field()?;
        more = input.field()?;
        coin_in.over_ceiling = input.field()?;
        coin_in.draws = input.field()?;
    }
    coin_in.added = added(&input.row.numbers, &more).ok_or(input.differs("record"))?;
    Ok(coin_in)
}

/// Joins the amounts in the columns with those in the record; `None` if there are too many.
fn added(numbers: &[Option<i64>; NUMBERS], more: &[Money]) -> Option<Added> {
    let columns = numbers
        .iter()
        .map_while(|number| number.map(Money::from_micros));
    let mut amounts = [Money::ZERO; SHARES_MAX];
    let mut len = 0;
    for amount in columns.chain(more.iter().copied()) {
        *amounts.get_mut(len)? = amount;
        len += 1;
    }
    Added::new(amounts.get(..len)?)
}

fn count(input: &RowReader<'_>, number: Option<i64>) -> Result<u32, JournalError> {
    let number = input.column("numbers", number)?;
    u32::try_from(number).map_err(|_| input.differs("numbers"))
}

fn refused(input: &mut RowReader<'_>) -> Result<Event, JournalError> {
    let code = input.column("refusal", input.row.refusal)?;
    let code = RefusalCode::from_code(code).ok_or(input.differs("refusal"))?;
    let fields = input.field()?;
    Ok(Event::Refused {
        refusal: Refusal { code, fields },
        command: input.field()?,
    })
}
