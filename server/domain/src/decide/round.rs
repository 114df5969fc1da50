//! Count, fold and GAME OVER.

use crate::command::Holder;
use crate::event::{Event, HitKind};
use crate::ids::TableNo;
use crate::link::{Account, Move};
use crate::money::Money;
use crate::paytable::{FoldAward, HandedOver};
use crate::refusal::{Refusal, RefusalCode};
use crate::seat::{Seat, SeatSet};
use crate::state::{Hit, HitStatus, LinkState, PayoutState, Table};

use super::balance::balanced;
use super::coin_in::{refused, seats_once};
use super::decision::Stop;
use super::hit::book_of;
use super::open_round::open_round;
use super::undo::named;

/// Decides the dealer's count of the chips: before any fold or hit (RULES §5.2). A difference is an exception on the
/// floor's screen, never corrected silently.
pub(super) fn count(table: &Table, chips: u32) -> Result<Event, Stop> {
    let round = open_round(table)?;
    if !round.folded.is_empty() || !round.hits.is_empty() {
        return Err(RefusalCode::CountTooLate.into());
    }
    Ok(Event::ChipsCounted {
        chips,
        accepted: round.own.len() + round.dealer.len(),
    })
}

/// Decides that seats gave up their hands (§ 657a.11(b)): dealt in, not folded yet, none of their hits standing.
pub(super) fn fold(table: &Table, seats: &[Seat]) -> Result<Event, Stop> {
    let round = open_round(table)?;
    let set: SeatSet = seats_once(table, seats.iter().copied())?;
    if set.is_empty() {
        return Err(Refusal::new(RefusalCode::OutOfRange)
            .with("seats", 0)
            .into());
    }
    for seat in set.ascending() {
        if !round.dealt.contains(seat) {
            return Err(refused(RefusalCode::SeatNotDealt, seat));
        }
        if round.folded.contains(seat) {
            return Err(refused(RefusalCode::Folded, seat));
        }
        if round
            .standing_hits()
            .any(|hit| hit.holder == Holder::Seat(seat) && depends_on_hand(table, hit))
        {
            return Err(refused(RefusalCode::AlreadyHit, seat));
        }
    }
    Ok(Event::SeatsFolded { seats: set })
}

/// Checks if a hit can't stay when its hand is given up: a bonus of the draw stays if a fold forfeits nothing.
fn depends_on_hand(table: &Table, hit: &Hit) -> bool {
    match hit.kind {
        HitKind::Line | HitKind::Envy => true,
        HitKind::MagicCard | HitKind::LuckyBonus => table.rules.fold.award == FoldAward::Forfeited,
    }
}

/// Decides GAME OVER: refused while a hit is pending or a slip-paid payout has no document; pays the rest.
pub(super) fn close(state: &LinkState, table: &Table, number: TableNo) -> Result<Event, Stop> {
    let round = open_round(table)?;
    let mut hits = Vec::new();
    let mut moves = Vec::new();
    for hit in round.standing_hits() {
        if !is_settled(hit) {
            return Err(Refusal::new(RefusalCode::HitUnsettled)
                .with("hit", named(state, hit.id(number)))
                .into());
        }
        let unpaid = hit.payouts.iter().filter(|payout| payout.paid.is_none());
        let before = moves.len();
        moves.extend(unpaid.map(|payout| payment(state, hit, payout)));
        if moves.len() > before {
            hits.push(hit.id(number));
        }
    }
    Ok(Event::RoundClosed {
        hits,
        moves: balanced(state, moves)?,
    })
}

/// Checks if only payments from the rack or to a game account are left.
fn is_settled(hit: &Hit) -> bool {
    let documented = |payout: &PayoutState| {
        payout.paid.is_some() || payout.payout.handed_over != HandedOver::Slip
    };
    match hit.status {
        HitStatus::Pending => false,
        HitStatus::ValidatedByRule
        | HitStatus::Validated { .. }
        | HitStatus::Cancelled
        | HitStatus::Rejected { .. }
        | HitStatus::Withdrawn => hit.payouts.iter().all(documented),
    }
}

/// Returns the move pending → paid of the payout's amount.
pub(super) fn payment(state: &LinkState, hit: &Hit, payout: &PayoutState) -> Move {
    Move {
        book: book_of(state, hit, payout.payout.charged_to),
        from: Account::Pending,
        to: Account::Paid,
        amount: Money::ZERO.max(payout.payout.amount),
    }
}
