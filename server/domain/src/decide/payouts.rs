//! The pays of a line and their sources: a percentage of a level, fixed odds from the house, fixed odds that come off
//! a level, the envy of the others.
//!
//! # Shape
//! Each function adds payouts and moves to a hit in the making, and reads the balances as they are before the hit;
//! [`line`] is the only entry point for lines.

use crate::command::Holder;
use crate::event::{HitRecorded, Payout, PayoutKind, Reset, Taken};
use crate::link::{Account, Book, Move, ReservePolicy};
use crate::money::Money;
use crate::paytable::{Charge, Line, Pays};
use crate::seat::{Seat, SeatSet};
use crate::state::{LinkState, Round};

use super::decision::Stop;
use super::eligible::envious;

/// Adds the line's pay to the players who wagered on the hand.
pub(super) fn line(
    state: &LinkState,
    round: &Round,
    recorded: &mut HitRecorded,
    line: &Line,
) -> Result<(), Stop> {
    let charge = state.terms.content().settlement.charge(line.pays);
    match line.pays {
        Pays::Percent { percent, level } => {
            take_percent(state, round, recorded, percent, level, charge)
        }
        Pays::ForOne(odds) => {
            let due = pay_wagers(state, round, recorded, odds, charge)?;
            recorded.charge(state.terms.fixed_book(), Account::House, due);
            Ok(())
        }
        Pays::ForOneOf { odds, level } => {
            let due = pay_wagers(state, round, recorded, odds, charge)?;
            take_fixed(state, recorded, due, level)
        }
    }
}

/// Adds a bonus of the draw to the players who wagered on the hand.
pub(super) fn bonus(
    state: &LinkState,
    round: &Round,
    recorded: &mut HitRecorded,
    odds: u32,
    charge: Charge,
) -> Result<(), Stop> {
    let seats = wagers_on(round, recorded.holder);
    let amount = state.terms.wager.for_one(odds)?;
    let due = pay_each(
        round,
        recorded,
        PayoutKind::Bonus,
        seats.in_turn_order(),
        amount,
        charge,
    )?;
    recorded.charge(state.terms.fixed_book(), Account::House, due);
    Ok(())
}

/// Adds the envy bonus of every other player's wager.
pub(super) fn envy(
    state: &LinkState,
    round: &Round,
    recorded: &mut HitRecorded,
    holder: Seat,
    line: &Line,
) -> Result<(), Stop> {
    let Some(odds) = line.envy else { return Ok(()) };
    let amount = state.terms.wager.for_one(odds)?;
    let charge = state.terms.content().settlement.envy;
    let others = envious(round, holder);
    let due = pay_each(round, recorded, PayoutKind::Envy, others, amount, charge)?;
    recorded.charge(state.terms.fixed_book(), Account::House, due);
    Ok(())
}

/// Takes a percentage of the displayed amount off a level, and restarts a level that was won.
fn take_percent(
    state: &LinkState,
    round: &Round,
    recorded: &mut HitRecorded,
    percent: u8,
    level: usize,
    charge: Charge,
) -> Result<(), Stop> {
    let book = Book::level(level);
    let meter = state.balance(book, Account::Meter);
    let prize = meter.percent_of_displayed(percent);
    let winners = players_of(round, wagers_on(round, recorded.holder));
    let count = u32::try_from(winners.len()).map_err(|_| Stop::Broken("too many winners"))?;
    let each = prize.share_of(count);
    let winners = winners.into_iter();
    let due = pay_each(round, recorded, PayoutKind::Line, winners, each, charge)?;
    recorded.take(book, due);
    let reset = if percent == 100 {
        Some(restart(state, book, &mut recorded.moves)?)
    } else {
        None
    };
    recorded.taken = Some(taken(state, book, Some(percent), reset));
    Ok(())
}

/// Pays fixed odds off a level: up to its displayed amount, the rest from the house, and no reseed (RULES §2.4). All
/// wagers on the dealer's hand are paid from one sum, so that none precedes another.
fn take_fixed(
    state: &LinkState,
    recorded: &mut HitRecorded,
    due: Money,
    level: usize,
) -> Result<(), Stop> {
    let book = Book::level(level);
    let meter = state.balance(book, Account::Meter);
    recorded.moves.extend(fixed(book, due, meter)?);
    recorded.taken = Some(taken(state, book, None, None));
    Ok(())
}

/// Returns the moves of a fixed amount off a level: up to its displayed amount, zero included; the rest from the
/// house.
pub(super) fn fixed(book: Book, due: Money, meter: Money) -> Result<Vec<Move>, Stop> {
    let from_meter = due.min(meter.displayed());
    let from_house = due.minus(from_meter)?;
    let mut moves = vec![Move {
        book,
        from: Account::Meter,
        to: Account::Pending,
        amount: from_meter,
    }];
    if from_house > Money::ZERO {
        moves.push(Move {
            book,
            from: Account::House,
            to: Account::Pending,
            amount: from_house,
        });
    }
    Ok(moves)
}

/// Returns the amount that a hit takes from the balances before it; the balances after it follow from all its moves.
fn taken(state: &LinkState, book: Book, percent: Option<u8>, reset: Option<Reset>) -> Taken {
    let before = state.balance(book, Account::Meter);
    Taken {
        level: book.0,
        percent,
        before,
        after: before,
        reserve_before: state.balance(book, Account::Reserve),
        overflow_before: state.balance(book, Account::Overflow),
        reset,
    }
}

/// Returns the amounts that a won level restarts with, by the link's reserve policy (figure D). Adds the moves that
/// bring them; the overflow comes back.
pub(super) fn restart(state: &LinkState, book: Book, moves: &mut Vec<Move>) -> Result<Reset, Stop> {
    let level = state.terms.content().levels.get(book.index());
    let level = level.ok_or(Stop::Broken("a line of no level"))?;
    let reseed = state.terms.wager.for_one(level.reseed)?;
    let reserve = state.balance(book, Account::Reserve);
    let short_of_reserve = Money::ZERO.max(reseed.minus(reserve)?);
    let (from_house, from_reserve) = match state.terms.reserve_policy {
        ReservePolicy::Add => (reseed, reserve),
        ReservePolicy::GreaterOf => (short_of_reserve, reserve),
        ReservePolicy::FundKeep => (short_of_reserve, reserve.min(reseed)),
    };
    let reset = Reset {
        from_house,
        from_reserve,
        from_overflow: state.balance(book, Account::Overflow),
    };
    for (from, amount) in [
        (Account::House, reset.from_house),
        (Account::Reserve, reset.from_reserve),
        (Account::Overflow, reset.from_overflow),
    ] {
        if amount > Money::ZERO {
            moves.push(Move {
                book,
                from,
                to: Account::Meter,
                amount,
            });
        }
    }
    Ok(reset)
}

/// Returns the seats with a wager on this hand.
fn wagers_on(round: &Round, holder: Holder) -> SeatSet {
    match holder {
        Holder::Seat(seat) => SeatSet::from_iter([seat]),
        Holder::Dealer => round.dealer,
    }
}

/// Returns the players on these seats, each by their first seat in turn order.
fn players_of(round: &Round, seats: SeatSet) -> Vec<Seat> {
    let mut firsts: Vec<Seat> = Vec::new();
    for seat in seats.in_turn_order() {
        if !firsts.iter().any(|first| round.same_player(*first, seat)) {
            firsts.push(seat);
        }
    }
    firsts
}

/// Adds fixed odds: one payout a wager (figure G: a fixed pay is per wager). Returns their sum.
fn pay_wagers(
    state: &LinkState,
    round: &Round,
    recorded: &mut HitRecorded,
    odds: u32,
    charge: Charge,
) -> Result<Money, Stop> {
    let seats = wagers_on(round, recorded.holder).in_turn_order();
    let amount = state.terms.wager.for_one(odds)?;
    pay_each(round, recorded, PayoutKind::Line, seats, amount, charge)
}

/// Adds one payout of `amount` a seat. Returns their sum.
fn pay_each(
    round: &Round,
    recorded: &mut HitRecorded,
    kind: PayoutKind,
    seats: impl Iterator<Item = Seat>,
    amount: Money,
    charge: Charge,
) -> Result<Money, Stop> {
    let mut due = Money::ZERO;
    for seat in seats {
        due = due.plus(amount)?;
        recorded.payouts.push(Payout {
            seat,
            player: round.player(seat).cloned(),
            kind,
            amount,
            charged_to: charge.charged_to,
            handed_over: charge.handed_over,
        });
    }
    Ok(due)
}

impl HitRecorded {
    /// Takes an amount off a level, zero included: 10% of nine cents is a hit.
    fn take(&mut self, book: Book, amount: Money) {
        self.moves.push(Move {
            book,
            from: Account::Meter,
            to: Account::Pending,
            amount,
        });
    }

    /// Charges an amount to an account, if there is one.
    fn charge(&mut self, book: Book, from: Account, amount: Money) {
        if amount > Money::ZERO {
            self.moves.push(Move {
                book,
                from,
                to: Account::Pending,
                amount,
            });
        }
    }
}
