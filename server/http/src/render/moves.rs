//! The entries of an event: money from one account of a book to another.

use meterhouse_domain::event::{CoinInAccepted, Event};
use meterhouse_domain::link::{Account, Move};

use super::entry::MoveView;
use super::{Amount, Names};

/// The entries of an event.
pub(super) fn moves(names: Names<'_>, event: &Event) -> Vec<MoveView> {
    let all = |moves: &[Move]| moves.iter().map(|it| moved(names, *it)).collect();
    match event {
        Event::LinkOpened { moves, .. }
        | Event::HitCancelled { moves, .. }
        | Event::HitRejected { moves, .. }
        | Event::PayoutPaid { moves, .. }
        | Event::RoundClosed { moves, .. }
        | Event::RoundVoided { moves, .. }
        | Event::ChangeApproved { moves, .. } => all(moves),
        Event::HitRecorded(hit) => all(&hit.moves),
        Event::RoundSettled { hits, .. } => {
            let moves = hits.iter().flat_map(|it| it.moves.iter().copied());
            all(&moves.collect::<Vec<_>>())
        }
        Event::CoinInAccepted(it) => all(&of_coin_in(names, it)),
        Event::TableJoined(_)
        | Event::ChipsCounted { .. }
        | Event::SeatsFolded { .. }
        | Event::HitValidated { .. }
        | Event::LinkSuspended { .. }
        | Event::LinkResumed
        | Event::LevelDisabled { .. }
        | Event::LevelEnabled { .. }
        | Event::TableLost { .. }
        | Event::TableBack { .. }
        | Event::ChangeProposed { .. }
        | Event::ChangeDeclined { .. }
        | Event::LinkFaulted { .. }
        | Event::Refused { .. } => Vec::new(),
    }
}

/// A coin-in's follow from the link's shares, and from what a ceiling kept out.
fn of_coin_in(names: Names<'_>, it: &CoinInAccepted) -> Vec<Move> {
    let shares = names.terms().shares().unwrap_or_default();
    let added = shares.iter().zip(it.added.amounts());
    let added = added.map(|(share, amount)| Move {
        book: share.book,
        from: Account::Players,
        to: share.account,
        amount: *amount,
    });
    let over = it.over_ceiling.iter().map(|(book, amount)| Move {
        book: *book,
        from: Account::Meter,
        to: Account::Overflow,
        amount: *amount,
    });
    added.chain(over).collect()
}

fn moved(names: Names<'_>, it: Move) -> MoveView {
    MoveView {
        book: names.book(it.book).to_owned(),
        from: it.from.name(),
        to: it.to.name(),
        amount: Amount(it.amount),
    }
}
