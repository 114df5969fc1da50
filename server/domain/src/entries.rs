//! The entries of an event: money from one account of a book to another (RULES §2.2).
//!
//! An event carries its entries. A coin-in instead names one amount a share of the link, because a plain one has to
//! stay a few numbers. Every caller that sums, shows or reverses entries uses this module.

use crate::event::{CoinInAccepted, Event};
use crate::link::{Account, Move, Share};

/// Returns the entries of an event, in their order. `shares` are those of its link.
pub fn entries(shares: &[Share], event: &Event) -> Vec<Move> {
    match event {
        Event::CoinInAccepted(coin_in) => of_coin_in(shares, coin_in).collect(),
        Event::HitRecorded(hit) => hit.moves.clone(),
        Event::RoundSettled { hits, .. } => {
            let moves = hits.iter().flat_map(|hit| hit.moves.iter());
            moves.copied().collect()
        }
        Event::LinkOpened { moves, .. }
        | Event::HitCancelled { moves, .. }
        | Event::HitRejected { moves, .. }
        | Event::PayoutPaid { moves, .. }
        | Event::RoundClosed { moves, .. }
        | Event::RoundVoided { moves, .. }
        | Event::ChangeApproved { moves, .. } => moves.clone(),
        Event::TableJoined(_)
        | Event::ChipsCounted { .. }
        | Event::SeatsFolded { .. }
        | Event::HitValidated { .. }
        | Event::ValuesAccepted { .. }
        | Event::LinkSuspended { .. }
        | Event::LinkResumed
        | Event::LevelDisabled { .. }
        | Event::LevelEnabled { .. }
        | Event::TableLost { .. }
        | Event::TableBack { .. }
        | Event::TableDisabled { .. }
        | Event::TableEnabled { .. }
        | Event::TableLeft { .. }
        | Event::ChangeProposed { .. }
        | Event::ChangeDeclined { .. }
        | Event::LinkFaulted { .. }
        | Event::Refused { .. } => Vec::new(),
    }
}

/// Returns the entries of a coin-in: the wagers' amounts, share by share, and the amounts that a ceiling kept out of
/// the meters.
pub fn of_coin_in<'a>(
    shares: &'a [Share],
    coin_in: &'a CoinInAccepted,
) -> impl Iterator<Item = Move> + 'a {
    let added = shares.iter().zip(coin_in.added.amounts());
    let added = added.map(|(share, amount)| Move {
        book: share.book,
        from: Account::Players,
        to: share.account,
        amount: *amount,
    });
    let over = coin_in.over_ceiling.iter().map(|(book, amount)| Move {
        book: *book,
        from: Account::Meter,
        to: Account::Overflow,
        amount: *amount,
    });
    added.chain(over)
}
