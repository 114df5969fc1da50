//! The balances after some moves: none may fall below zero.

use crate::link::{Balances, Move};
use crate::state::LinkState;

use super::ceiling;
use super::decision::Stop;

/// Returns the balances of every book after these moves, even below zero.
pub(super) fn balances_after(state: &LinkState, moves: &[Move]) -> Result<Vec<Balances>, Stop> {
    let mut books = state.balances.clone();
    for entry in moves {
        let book = books
            .get_mut(entry.book.index())
            .ok_or(Stop::Broken("a move in no book"))?;
        *book = book.moved(*entry)?;
    }
    Ok(books)
}

/// Returns the moves, if no balance is then out of range or forbiddenly below zero.
pub(super) fn balanced(state: &LinkState, moves: Vec<Move>) -> Result<Vec<Move>, Stop> {
    let books = balances_after(state, &moves)?;
    if books.iter().all(Balances::stand) {
        ceiling::kept(state, &books, moves)
    } else {
        Err(Stop::Broken("a balance would fall below zero"))
    }
}
