//! Undoing: the hand button pressed again, a supervisor's reject, a void round. Entries are reversed by new ones,
//! nothing is deleted (RULES §5.9, §6).

use crate::command::VoidReason;
use crate::event::Event;
use crate::ids::{HitId, Sequence, TableNo};
use crate::link::{Account, Book, Move, Share};
use crate::money::Money;
use crate::refusal::{Refusal, RefusalCode};
use crate::state::{Hit, HitStatus, LinkState, Round, StandingHit, Table};

use super::balance::{balanced, balances_after};
use super::decision::Stop;
use super::open_round::open_round;

/// Decides that the hand button was pressed again: while the hit is pending or validated by rule.
pub(super) fn cancel(
    state: &LinkState,
    table: &Table,
    sequence: Sequence,
    id: HitId,
) -> Result<Event, Stop> {
    let unknown = || Refusal::new(RefusalCode::NoSuchHit).with("hit", named(state, id));
    if id.sequence >= sequence {
        return Err(unknown().into());
    }
    let round = open_round(table)?;
    if id.sequence < round.sequence {
        let refusal = Refusal::new(RefusalCode::RoundClosed);
        return Err(refusal.with("hit", named(state, id)).into());
    }
    let found = round.hit(id.sequence, id.number).ok_or_else(unknown)?;
    let moves = withdrawn(state, id, found)?;
    Ok(Event::HitCancelled {
        hit: id,
        moves: balanced(state, covered(state, moves)?)?,
    })
}

/// Returns the entries that withdraw a revocable hit, or the reason why it can't be withdrawn.
pub(super) fn withdrawn(state: &LinkState, id: HitId, hit: &Hit) -> Result<Vec<Move>, Stop> {
    revocable(state, id, hit)?;
    no_later_hits(state, hit, &[id])?;
    Ok(reversed(&hit.moves))
}

/// Decides that all wagers of the round go back (§ 657a.13): first its own hits, then its contributions.
pub(super) fn void(
    state: &LinkState,
    table: &Table,
    number: TableNo,
    reason: VoidReason,
) -> Result<Event, Stop> {
    let round = open_round(table)?;
    let own: Vec<&Hit> = round.standing_hits().rev().collect();
    let ids: Vec<HitId> = own.iter().map(|hit| hit.id(number)).collect();
    let mut moves = Vec::new();
    for (hit, id) in own.iter().zip(&ids) {
        revocable(state, *id, hit)?;
        no_later_hits(state, hit, &ids)?;
        moves.extend(reversed(&hit.moves));
    }
    for (share, amount) in state.shares.iter().zip(round.added.amounts()) {
        let over = match share.account {
            Account::Meter => round.over_ceiling(share.book),
            _ => Money::ZERO,
        };
        let kept = amount.minus(over)?;
        for (account, amount) in [(share.account, kept), (Account::Overflow, over)] {
            if amount > Money::ZERO {
                let part = Share {
                    book: share.book,
                    account,
                    amount,
                };
                moves.push(given_back(state, round, &ids, part));
            }
        }
    }
    Ok(Event::RoundVoided {
        reason,
        hits: ids,
        moves: balanced(state, covered(state, moves)?)?,
    })
}

/// Returns the move that gives back one contribution, from the account that it went to. The house gives it once
/// another round's standing hit was paid out of it (figure L).
fn given_back(state: &LinkState, round: &Round, own: &[HitId], part: Share) -> Move {
    let mut since = standing(state, part.book.index())
        .iter()
        .filter(|hit| hit.order > round.order_at_coin_in && !own.contains(&hit.hit));
    let spent = match part.account {
        Account::Reserve => since.any(|hit| hit.took_reserve),
        Account::Overflow => since.any(|hit| hit.took_overflow),
        Account::Players
        | Account::House
        | Account::Meter
        | Account::Pending
        | Account::Paid
        | Account::InTransit => since.next().is_some(),
    };
    let from = if spent { Account::House } else { part.account };
    Move {
        book: part.book,
        from,
        to: Account::Players,
        amount: part.amount,
    }
}

/// Returns the moves, and those of the house if a level would fall below zero. Two people took the money off in the
/// meantime, by an adjustment or a correction. Nothing is ever below zero (RULES §7.2).
pub(super) fn covered(state: &LinkState, mut moves: Vec<Move>) -> Result<Vec<Move>, Stop> {
    for (index, balances) in balances_after(state, &moves)?.iter().enumerate() {
        for account in [Account::Meter, Account::Reserve, Account::Overflow] {
            let missing = Money::ZERO.minus(balances.of(account))?;
            if missing > Money::ZERO {
                moves.push(Move {
                    book: Book::level(index),
                    from: Account::House,
                    to: account,
                    amount: missing,
                });
            }
        }
    }
    Ok(moves)
}

impl Round {
    /// Returns the part of its contributions that a ceiling moved to a level's overflow.
    fn over_ceiling(&self, book: Book) -> Money {
        let found = self.over_ceiling.iter().find(|(kept, _)| *kept == book);
        found.map_or(Money::ZERO, |(_, amount)| *amount)
    }
}

/// Refuses a hit that a person has validated, that is paid, or that was undone before.
pub(super) fn revocable(state: &LinkState, id: HitId, hit: &Hit) -> Result<(), Stop> {
    if hit.is_revocable() {
        return Ok(());
    }
    let paid = hit.payouts.iter().any(|payout| payout.paid.is_some());
    let code = if paid {
        RefusalCode::HitPaid
    } else {
        RefusalCode::HitNotPending
    };
    Err(Refusal::new(code)
        .with("hit", named(state, id))
        .with("state", status_name(&hit.status))
        .into())
}

/// Returns the refusal of a hit that is not in a state for it.
pub(super) fn not_pending(state: &LinkState, id: HitId, hit: &Hit) -> Stop {
    Refusal::new(RefusalCode::HitNotPending)
        .with("hit", named(state, id))
        .with("state", status_name(&hit.status))
        .into()
}

/// Refuses while a later hit, not among `own`, took from the same level: its amount depends on this one.
fn no_later_hits(state: &LinkState, hit: &Hit, own: &[HitId]) -> Result<(), Stop> {
    let Some(taken) = hit.taken else {
        return Ok(());
    };
    let later: Vec<String> = standing(state, usize::from(taken.level))
        .iter()
        .filter(|standing| standing.order > hit.order && !own.contains(&standing.hit))
        .map(|standing| named(state, standing.hit))
        .collect();
    if later.is_empty() {
        return Ok(());
    }
    Err(Refusal::new(RefusalCode::LaterHits)
        .with("hits", later.join(" "))
        .into())
}

/// Returns the word for a hit's state on the wire.
pub(super) const fn status_name(status: &HitStatus) -> &'static str {
    match status {
        HitStatus::Pending => "pending",
        HitStatus::ValidatedByRule => "validated_by_rule",
        HitStatus::Validated { .. } => "validated",
        HitStatus::Cancelled => "cancelled",
        HitStatus::Rejected { .. } => "rejected",
        HitStatus::Withdrawn => "withdrawn",
    }
}

/// Returns a hit's name for people: `C4P-07.4713`, `C4P-07.4713.2`.
pub(super) fn named(state: &LinkState, id: HitId) -> String {
    let HitId {
        table,
        sequence,
        number,
    } = id;
    let name = state.table(table).map(|table| table.name.to_string());
    let name = name.unwrap_or_else(|| table.to_string());
    if number == 0 {
        format!("{name}.{sequence}")
    } else {
        format!("{name}.{sequence}.{number}")
    }
}

/// Returns the entries that reverse these, the newest first.
pub(super) fn reversed(moves: &[Move]) -> Vec<Move> {
    moves.iter().rev().map(|entry| entry.reversed()).collect()
}

fn standing(state: &LinkState, level: usize) -> &[StandingHit] {
    state
        .standing
        .get(level)
        .map_or(&[], |hits| hits.as_slice())
}
