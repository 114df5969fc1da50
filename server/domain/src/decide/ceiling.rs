//! Ceilings: an amount that a level may not display goes to its overflow (RULES §2.5, figure P).
//!
//! # Order
//! Once an event, after all its other entries. The overflow comes back at a reset only, and the excess after the
//! reset goes to the overflow again.

use crate::link::{Account, Added, Balances, Book, Move};
use crate::money::Money;
use crate::state::LinkState;

use super::decision::Stop;

/// Returns the moves, and further moves for meters that are then above their ceiling. `after` are the balances after
/// the moves.
pub(super) fn kept(
    state: &LinkState,
    after: &[Balances],
    mut moves: Vec<Move>,
) -> Result<Vec<Move>, Stop> {
    if state.terms.settings.ceilings.is_empty() {
        return Ok(moves);
    }
    for (index, balances) in after.iter().enumerate() {
        let book = Book::level(index);
        if let Some(amount) = over(state, book, balances.of(Account::Meter))? {
            let over = Move {
                book,
                from: Account::Meter,
                to: Account::Overflow,
                amount,
            };
            balances.moved(over)?;
            moves.push(over);
        }
    }
    Ok(moves)
}

/// Returns the amounts that a coin-in adds above ceilings, level by level.
pub(super) fn over_of_coin_in(
    state: &LinkState,
    added: &Added,
) -> Result<Vec<(Book, Money)>, Stop> {
    let mut found = Vec::new();
    for (share, amount) in state.shares.iter().zip(added.amounts()) {
        if share.account != Account::Meter {
            continue;
        }
        let meter = state.balance(share.book, Account::Meter).plus(*amount)?;
        if let Some(over) = over(state, share.book, meter)? {
            state.balance(share.book, Account::Overflow).plus(over)?;
            found.push((share.book, over));
        }
    }
    Ok(found)
}

/// Returns the excess of this meter over the level's ceiling, if there is any.
fn over(state: &LinkState, book: Book, meter: Money) -> Result<Option<Money>, Stop> {
    match state.terms.settings.ceiling(book) {
        Some(ceiling) if meter > ceiling => Ok(Some(meter.minus(ceiling)?)),
        Some(_) | None => Ok(None),
    }
}
