//! The entries of an event, with the names of its link.

use meterhouse_domain::entries::entries;
use meterhouse_domain::event::Event;
use meterhouse_domain::link::Move;

use super::entry::MoveView;
use super::{Amount, Names};

/// The entries of an event.
pub(super) fn moves(names: Names<'_>, event: &Event) -> Vec<MoveView> {
    let shares = names.terms().shares().unwrap_or_default();
    let moves = entries(&shares, event).into_iter();
    moves.map(|it| moved(names, it)).collect()
}

fn moved(names: Names<'_>, it: Move) -> MoveView {
    MoveView {
        book: names.book(it.book).to_owned(),
        from: it.from.name(),
        to: it.to.name(),
        amount: Amount(it.amount),
    }
}
