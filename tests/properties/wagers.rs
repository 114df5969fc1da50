//! The coin-ins that are played, right and flawed.

use meterhouse_domain::command::{CoinIn, TableCommand, Wager, WageredHand};
use meterhouse_domain::money::Money;
use meterhouse_domain::seat::Seat;

use crate::commands::{Flaw, Intent};
use crate::play::Game;
use crate::setup::SEATS;

impl Game {
    /// The coin-in that an intent means.
    pub(crate) fn coin_in(&self, intent: &Intent) -> TableCommand {
        let Intent::CoinIn {
            own,
            dealer,
            more,
            names,
            flaw,
        } = *intent
        else {
            return TableCommand::Close;
        };
        let amount = self.world.state.terms.wager;
        let names = if flaw == Flaw::Name { 3 } else { names };
        let wager = |seat: Seat, on| Wager {
            seat,
            on,
            amount,
            player: player(names, seat.0).and_then(|it| it.parse().ok()),
        };
        let offered = self.auditor.sheet.hand_bonus || flaw == Flaw::Dealer;
        let dealer = if offered && flaw != Flaw::Name {
            dealer
        } else {
            0
        };
        let own_wagers = seats_of(own).into_iter();
        let mut wagers: Vec<Wager> = own_wagers.map(|it| wager(it, WageredHand::Own)).collect();
        let dealers = seats_of(dealer).into_iter();
        wagers.extend(dealers.map(|it| wager(it, WageredHand::Dealer)));
        let mut dealt = seats_of(own | dealer | more);
        match flaw {
            Flaw::None | Flaw::Dealer => {}
            Flaw::Amount => {
                let cent = Money::from_micros(amount.micros() + 10_000);
                wagers.iter_mut().take(1).for_each(|it| it.amount = cent);
            }
            Flaw::Layout => wagers.push(wager(Seat(SEATS + 1), WageredHand::Own)),
            Flaw::Twice => wagers.extend(wagers.first().cloned()),
            Flaw::DealtTwice => dealt.extend(dealt.first().copied()),
            Flaw::NotDealt => dealt.clear(),
            Flaw::Empty => wagers.clear(),
            Flaw::Name => {
                let other = wagers.first().map(|it| Wager {
                    on: WageredHand::Dealer,
                    player: "p-other".parse().ok(),
                    ..it.clone()
                });
                wagers.extend(other);
            }
        }
        TableCommand::CoinIn(CoinIn { wagers, dealt })
    }
}

/// Who sits there: nobody named, two pairs of boxes, one pair and a named neighbour, or all by name.
fn player(names: u8, seat: u8) -> Option<String> {
    match (names, seat) {
        (1, 1 | 2) | (2, 2 | 3) => Some("p-a".to_owned()),
        (1, 3 | 4) => Some("p-b".to_owned()),
        (2, 5) => Some("p-c".to_owned()),
        (3, seat) => Some(format!("p-{seat}")),
        _ => None,
    }
}

/// Seats as bits, the lowest for seat 1; the seventh is off the layout.
pub(crate) fn seats_of(bits: u8) -> Vec<Seat> {
    let on = (1..=7).filter(|seat| bits & (1 << (seat - 1)) != 0);
    on.map(Seat).collect()
}
