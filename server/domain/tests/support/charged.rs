//! Paytables with fixed lines that come off the meter, as Caribbean Stud's A, B and E have them (RULES §2.4).

use meterhouse_domain::hand::Hand;
use meterhouse_domain::paytable::{Pays, Paytable};

use super::support::paytables;

/// Returns § 657a.12(e), Paytable A, with four of a kind at 5,000 for 1 and a full house at 100 for 1 off the meter.
pub(crate) fn on_own_hands() -> Paytable {
    charged(paytables::five_card_a())
}

/// Returns the Five Card Hand Bonus, which takes wagers on the dealer's hand too, with the same lines off the meter.
pub(crate) fn on_both_hands() -> Paytable {
    charged(paytables::hand_bonus())
}

fn charged(mut paytable: Paytable) -> Paytable {
    for line in &mut paytable.content.lines {
        let odds = match line.hand {
            Hand::FourOfAKind => 5_000,
            Hand::FullHouse => 100,
            _ => continue,
        };
        line.pays = Pays::ForOneOf { odds, level: 0 };
    }
    paytable
}
