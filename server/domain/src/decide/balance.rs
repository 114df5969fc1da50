//! The books after some moves: no balance below zero.

use crate::link::{Balances, Move};
use crate::state::LinkState;

use super::ceiling;
use super::decision::Stop;

/// The balances of every book after these moves, even below zero.
pub(super) fn balances_after(state: &LinkState, moves: &[Move]) -> Result<Vec<Balances>, Stop> {
    let mut books = state.balances.clone();
    for it in moves {
        let book = books
            .get_mut(it.book.index())
            .ok_or(Stop::Broken("a move in no book"))?;
        *book = book.moved(*it)?;
    }
    Ok(books)
}

/// The moves, if after all of them no balance is out of range or below zero where it may not be.
pub(super) fn balanced(state: &LinkState, moves: Vec<Move>) -> Result<Vec<Move>, Stop> {
    let books = balances_after(state, &moves)?;
    if books.iter().all(Balances::stand) {
        ceiling::kept(state, &books, moves)
    } else {
        Err(Stop::Broken("a balance would fall below zero"))
    }
}
