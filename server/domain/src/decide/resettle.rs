//! New amounts for later hits, once an earlier one is withdrawn (figure N).
//!
//! # Shape
//! The path of one level is walked twice, with and without the withdrawn hit. Between two hits both walks take the
//! same steps, each of which stops at a ceiling ([`MeterPath`](crate::meter_path::MeterPath)). At a hit each walk
//! pays and restarts by its own balances. The entries are those of the old path reversed, newest first, and those of
//! the new path in order.
//!
//! # Bounds
//! Later hits are those of open rounds and the kept ones of closed rounds; only the state is read.
//!
//! # Cover by the house
//! The new path may have less than was taken from the old one in the meantime (an adjustment, a void round). The
//! house then pays the difference: no balance falls below zero. Paid amounts stay paid.

use crate::change::Resettled;
use crate::event::{HitRecorded, Payout, PayoutKind, Taken};
use crate::ids::{HitId, HitOrder, Sequence, TableNo};
use crate::link::{Account, Book, Move};
use crate::money::Money;
use crate::paytable::ChargedTo;
use crate::seat::Seat;
use crate::state::{Hit, HitStatus, LinkState, PayoutState};

use super::balance::balanced;
use super::decision::Stop;
use super::held::Held;
use super::hit::{book_of, completed};
use super::payouts;
use super::undo::{covered, reversed};

/// A hit of the same level that came after the withdrawn one.
pub(super) struct Later<'a> {
    /// Id of the hit.
    pub(super) id: HitId,
    /// The hit itself.
    pub(super) hit: &'a Hit,
    taken: Taken,
    round: Sequence,
}

/// The effect of withdrawing a hit.
pub(super) struct Withdrawal {
    /// Later hits with new amounts, in their order.
    pub(super) resettled: Vec<Resettled>,
    /// All entries.
    pub(super) moves: Vec<Move>,
}

/// Returns the standing hits that took from the same level after this one, in their order.
pub(super) fn later_hits<'a>(state: &'a LinkState, hit: &Hit) -> Vec<Later<'a>> {
    let Some(level) = hit.taken.map(|taken| taken.level) else {
        return Vec::new();
    };
    let open = (1..).zip(&state.tables).filter_map(|(number, found)| {
        let round = found.round.as_ref()?;
        Some((TableNo(number), round))
    });
    let open = open.flat_map(|(table, round)| {
        let hits = round.hits.iter();
        hits.map(move |hit| (hit.id(table), hit.as_ref(), round.sequence))
    });
    let closed = state
        .closed
        .iter()
        .map(|closed| (closed.id, &closed.hit, closed.round));
    let mut later: Vec<Later<'a>> = open
        .chain(closed)
        .filter(|(_, other, _)| other.order > hit.order && other.stands())
        .filter_map(|(id, hit, round)| {
            let taken = hit.taken.filter(|taken| taken.level == level)?;
            Some(Later {
                id,
                hit,
                taken,
                round,
            })
        })
        .collect();
    later.sort_unstable_by_key(|later| later.hit.order);
    later
}

/// Checks if a later hit of the same level is no longer kept: the source of its pay is then unknown.
pub(super) fn forgot_later(state: &LinkState, hit: &Hit) -> bool {
    let level = hit.taken.map(|taken| usize::from(taken.level));
    let forgotten = level.and_then(|level| state.forgotten.get(level));
    hit.order < forgotten.copied().unwrap_or(HitOrder(0))
}

/// Withdraws a hit and gives the later ones the amounts that they have without it.
pub(super) fn withdrawal(
    state: &LinkState,
    hit: &Hit,
    later: &[Later<'_>],
) -> Result<Withdrawal, Stop> {
    let Some(taken) = hit.taken.filter(|_| !later.is_empty()) else {
        let moves = balanced(state, covered(state, given_up(state, hit))?)?;
        let resettled = Vec::new();
        return Ok(Withdrawal { resettled, moves });
    };
    let book = Book(taken.level);
    let mut moves = Vec::new();
    for later_hit in later.iter().rev() {
        moves.extend(reversed(&of_book(&later_hit.hit.moves, book)));
    }
    moves.extend(given_up(state, hit));
    let mut resettled = Vec::new();
    let mut with = Held::found(&taken).after(&hit.moves, book)?;
    let mut without = Held::found(&taken);
    for later_hit in later {
        let found = Held::found(&later_hit.taken);
        let path = (book, later_hit.hit.path.as_deref());
        without = without.carried(path, (with, found), &mut moves)?;
        let again = played_again(state, later_hit, without)?;
        moves.extend(of_book(&again.moves, book));
        without = without.after(&again.moves, book)?;
        with = found.after(&later_hit.hit.moves, book)?;
        resettled.push(again);
    }
    let path = state.paths.get(book.index()).and_then(Option::as_deref);
    without.carried((book, path), (with, Held::now(state, book)), &mut moves)?;
    let moves = balanced(state, moves)?;
    Ok(Withdrawal { resettled, moves })
}

/// Returns the reversed entries of a withdrawn hit; the house takes over the paid part, which stays with the players.
fn given_up(state: &LinkState, hit: &Hit) -> Vec<Move> {
    let mut moves = reversed(&hit.moves);
    let paid = hit.payouts.iter().filter(|payout| payout.paid.is_some());
    moves.extend(paid.map(|payout| Move {
        book: book_of(state, hit, payout.payout.charged_to),
        from: Account::House,
        to: Account::Pending,
        amount: payout.payout.amount,
    }));
    moves
}

/// Returns a later hit with the amounts that it takes and pays from other balances.
fn played_again(state: &LinkState, later: &Later<'_>, held: Held) -> Result<Resettled, Stop> {
    let book = Book(later.taken.level);
    let mut draft = state.clone();
    held.put(&mut draft, book);
    let (payouts, mut moves) = match later.taken.percent {
        // Two people fixed the amount of a late hit: only its payer changes, as with a fixed pay.
        Some(percent) if !later.is_late() => owed_percent(state, later, held.meter, percent)?,
        Some(_) | None => owed_fixed(later, held.meter)?,
    };
    let reset = match later.taken.percent {
        Some(100) => Some(payouts::restart(&draft, book, &mut moves)?),
        Some(_) | None => None,
    };
    let others = later.hit.moves.iter().filter(|entry| entry.book != book);
    moves.extend(others);
    let again = completed(
        &draft,
        HitRecorded {
            order: later.hit.order,
            round: later.round,
            kind: later.hit.kind,
            holder: later.hit.holder,
            hand: later.hit.hand,
            cards: None,
            taken: Some(held.taken(book, later.taken.percent, reset)),
            payouts,
            needs_validation: false,
            moves,
        },
    )?;
    let unpaid = later.hit.payouts.iter().all(|payout| payout.paid.is_none());
    Ok(Resettled {
        hit: later.id,
        taken: again
            .taken
            .ok_or(Stop::Broken("a hit that took nothing any more"))?,
        payouts: again.payouts,
        back_to_pending: unpaid && matches!(later.hit.status, HitStatus::Validated { .. }),
        moves: again.moves,
    })
}

impl Later<'_> {
    /// Checks if the hit was found after GAME OVER: it is named by its round.
    fn is_late(&self) -> bool {
        self.id.sequence == self.round
    }

    /// Checks if any part of the hit is paid.
    pub(super) fn is_paid_in_part(&self) -> bool {
        self.hit.payouts.iter().any(|payout| payout.paid.is_some())
    }
}

/// Returns payouts and level entries of a percentage. An underpaid winner gets a supplement from the meter. An
/// overpaid winner keeps the money, and the house pays the difference into the meter.
fn owed_percent(
    state: &LinkState,
    later: &Later<'_>,
    meter: Money,
    percent: u8,
) -> Result<(Vec<Payout>, Vec<Move>), Stop> {
    let winners = later.hit.payouts.iter();
    let winners = winners.filter(|payout| payout.payout.kind == PayoutKind::Line);
    let count = u32::try_from(winners.clone().count());
    let count = count.map_err(|_| Stop::Broken("too many winners"))?;
    let each = meter.percent_of_displayed(percent).share_of(count);
    let mut payouts: Vec<PayoutState> = later.hit.payouts.clone();
    let mut overpaid = Money::ZERO;
    for winner in winners {
        let seat = winner.payout.seat;
        let mut owed = each;
        for payout in payouts.iter().filter(|payout| is_winners(payout, seat)) {
            owed = owed.minus(
                payout
                    .paid
                    .as_ref()
                    .map_or(Money::ZERO, |_| payout.payout.amount),
            )?;
        }
        if owed < Money::ZERO {
            overpaid = overpaid.minus(owed)?;
            owed = Money::ZERO;
        }
        let mut unpaid = payouts.iter_mut();
        let unpaid = unpaid.find(|payout| is_winners(payout, seat) && payout.paid.is_none());
        if let Some(unpaid) = unpaid {
            unpaid.payout.amount = owed;
        } else if owed > Money::ZERO {
            payouts.push(supplement(state, &winner.payout, owed));
        }
    }
    while payouts
        .pop_if(|payout| is_void_supplement(payout))
        .is_some()
    {}
    let payouts: Vec<Payout> = payouts.into_iter().map(|payout| payout.payout).collect();
    let book = Book(later.taken.level);
    let mut moves = vec![Move {
        book,
        from: Account::Meter,
        to: Account::Pending,
        amount: charged_to_meter(&payouts)?,
    }];
    if overpaid > Money::ZERO {
        moves.push(Move {
            book,
            from: Account::House,
            to: Account::Meter,
            amount: overpaid,
        });
    }
    Ok((payouts, moves))
}

/// Returns the amount that a winner is owed beyond the paid one, documented as the percentage was.
fn supplement(state: &LinkState, line: &Payout, amount: Money) -> PayoutState {
    let charge = state.terms.content().settlement.percent;
    PayoutState {
        payout: Payout {
            kind: PayoutKind::Supplement,
            amount,
            charged_to: charge.charged_to,
            handed_over: charge.handed_over,
            ..line.clone()
        },
        paid: None,
    }
}

/// Checks if a payout is for the line itself, to the winner on this seat.
fn is_winners(payout: &PayoutState, seat: Seat) -> bool {
    let kind = payout.payout.kind;
    payout.payout.seat == seat && matches!(kind, PayoutKind::Line | PayoutKind::Supplement)
}

/// Checks if a supplement is no longer owed.
fn is_void_supplement(payout: &PayoutState) -> bool {
    let kind = payout.payout.kind;
    kind == PayoutKind::Supplement && payout.paid.is_none() && payout.payout.amount == Money::ZERO
}

/// Returns payouts and level entries of a fixed amount: up to the level's displayed amount, the rest from the house.
fn owed_fixed(later: &Later<'_>, meter: Money) -> Result<(Vec<Payout>, Vec<Move>), Stop> {
    let payouts = later.hit.payouts.iter().map(|payout| payout.payout.clone());
    let payouts: Vec<Payout> = payouts.collect();
    let due = charged_to_meter(&payouts)?;
    let moves = payouts::fixed(Book(later.taken.level), due, meter)?;
    Ok((payouts, moves))
}

/// Returns the sum that a level owes.
pub(super) fn charged_to_meter(payouts: &[Payout]) -> Result<Money, Stop> {
    let charged = payouts
        .iter()
        .filter(|payout| payout.charged_to == ChargedTo::Meter);
    let mut due = Money::ZERO;
    for payout in charged {
        due = due.plus(payout.amount)?;
    }
    Ok(due)
}

fn of_book(moves: &[Move], book: Book) -> Vec<Move> {
    moves
        .iter()
        .filter(|entry| entry.book == book)
        .copied()
        .collect()
}
