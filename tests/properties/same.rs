//! Whether two commands say the same, as the tests read the wire contract: the order in which seats and
//! wagers are listed means nothing, nor on which of a seat's wagers its player is named.

use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::command::{CoinIn, Settle, SettleWagers, TableCommand, Wager};
use meterhouse_domain::round_wagers::PlayedWagers;
use meterhouse_domain::seat::Seat;

/// Whether a command under an old number is the first one again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Same {
    /// It is.
    Yes,
    /// It is another one.
    No,
    /// It was refused and says the same in other words: a player named on one of his wagers or on both.
    /// Either is right.
    Unsaid,
}

/// Compares a command with the first one under its number, which was accepted or refused.
pub(crate) fn same_content(first: &TableCommand, again: &TableCommand, accepted: bool) -> Same {
    match (first, again) {
        (TableCommand::CoinIn(first), TableCommand::CoinIn(again)) => {
            let meant = meant(first) == meant(again);
            if listed(first) == listed(again) || (accepted && meant) {
                Same::Yes
            } else if meant {
                Same::Unsaid
            } else {
                Same::No
            }
        }
        (TableCommand::Fold { seats: first }, TableCommand::Fold { seats: again }) => {
            truth(sorted(first) == sorted(again))
        }
        (TableCommand::Settle(first), TableCommand::Settle(again)) => {
            let by_seat = |settle: &Settle| {
                let mut seats = settle.seats.clone();
                seats.sort();
                seats
            };
            let beside = |settle: &Settle| (settle.dealer.clone(), settle.community.clone());
            truth(by_seat(first) == by_seat(again) && beside(first) == beside(again))
        }
        (TableCommand::SettleWagers(first), TableCommand::SettleWagers(again)) => {
            truth(asked(first) == asked(again))
        }
        (first, again) => truth(first == again),
    }
}

/// What a table asks for with a round and its fixed wagers, whatever comes of it.
fn asked(settle: &SettleWagers) -> (Settle, PlayedWagers) {
    let mut asked = settle.clone();
    asked.cards.seats.sort();
    asked.wagers.seats.sort_by_key(|it| it.seat);
    for seat in &mut asked.wagers.seats {
        seat.wagers.sort_by_key(|it| it.wager);
    }
    (asked.cards, asked.wagers)
}

const fn truth(same: bool) -> Same {
    if same { Same::Yes } else { Same::No }
}

fn sorted(seats: &[Seat]) -> Vec<Seat> {
    let mut seats = seats.to_vec();
    seats.sort_unstable();
    seats
}

fn listed(coin_in: &CoinIn) -> (Vec<Wager>, Vec<Seat>) {
    let mut wagers = coin_in.wagers.clone();
    wagers.sort_unstable();
    (wagers, sorted(&coin_in.dealt))
}

/// Seats with their wagers, and who sits where.
type Meant = (
    Vec<(Seat, bool, i64)>,
    BTreeMap<Seat, BTreeSet<String>>,
    Vec<Seat>,
);

fn meant(coin_in: &CoinIn) -> Meant {
    let mut wagers = Vec::new();
    let mut names: BTreeMap<Seat, BTreeSet<String>> = BTreeMap::new();
    for wager in &coin_in.wagers {
        let dealer = wager.on == meterhouse_domain::command::WageredHand::Dealer;
        wagers.push((wager.seat, dealer, wager.amount.micros()));
        if let Some(player) = &wager.player {
            let known = names.entry(wager.seat).or_default();
            known.insert(player.as_str().to_owned());
        }
    }
    wagers.sort_unstable();
    (wagers, names, sorted(&coin_in.dealt))
}
