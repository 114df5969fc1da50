//! The draws of a round: Magic Card and lucky position (§ 657a.12(f)(3)). They are made from random numbers that the
//! caller takes from the operating system's secure generator.
//!
//! # Shape
//! Each draw uses two numbers: the first decides if it is made in this round, the second selects the card or
//! position.
//!
//! # Bounds
//! A number becomes one of n outcomes by the high half of its product with n, never by a remainder. Each outcome has
//! ⌊2^64 ÷ n⌋ of the 2^64 numbers, or one more. No outcome's probability differs from 1 ÷ n by more than 2^-64.

use crate::card::Card;
use crate::command::Holder;
use crate::event::Draws;
use crate::link::LinkTerms;
use crate::seat::Seat;
use crate::state::Table;

/// Random numbers for one coin-in: two for the Magic Card, two for the lucky position.
pub type Entropy = [u64; 4];

/// Number of cards that a Magic Card is drawn from.
const DECK: u32 = 52;

/// Checks if a coin-in of this link needs random numbers.
pub const fn draws_anything(terms: &LinkTerms) -> bool {
    terms.settings.magic_card_one_in.is_some() || terms.settings.lucky_bonus_one_in.is_some()
}

impl Table {
    /// Returns true if the dealer's hand can be wagered on here, by the table's own paytable or else by the link's.
    pub fn takes_dealer_wagers(&self, terms: &LinkTerms) -> bool {
        let of_link = terms.content().bet_on_dealer;
        self.bet_on_dealer.unwrap_or(of_link)
    }
}

/// Draws for a round at a table with so many seats. The card is uniform over the deck. The position is uniform over
/// the layout's seats, and the dealer if the dealer's hand can be wagered on.
pub fn draw(terms: &LinkTerms, seats: u8, dealer: bool, entropy: Entropy) -> Draws {
    let [card_drawn, card, position_drawn, position] = entropy;
    let settings = &terms.settings;
    let magic_card = made(settings.magic_card_one_in, card_drawn).then(|| {
        let index = u8::try_from(below(card, DECK)).unwrap_or(u8::MAX);
        Card::from_index(index)
    });
    let lucky_position = made(settings.lucky_bonus_one_in, position_drawn).then(|| {
        let index = below(position, u32::from(seats) + u32::from(dealer));
        match u8::try_from(index) {
            Ok(index) if index < seats => Some(Holder::Seat(Seat(index + 1))),
            _ => dealer.then_some(Holder::Dealer),
        }
    });
    Draws {
        magic_card: magic_card.flatten(),
        lucky_position: lucky_position.flatten(),
    }
}

/// Returns true if a round of this link at this table can have these draws.
pub(crate) fn offers(terms: &LinkTerms, table: &Table, draws: Draws) -> bool {
    let settings = &terms.settings;
    let card = draws.magic_card.is_none() || settings.magic_card_one_in.is_some();
    let position = match draws.lucky_position {
        None => true,
        Some(Holder::Seat(seat)) => {
            settings.lucky_bonus_one_in.is_some() && (1..=table.seats).contains(&seat.0)
        }
        Some(Holder::Dealer) => {
            settings.lucky_bonus_one_in.is_some() && table.takes_dealer_wagers(terms)
        }
    };
    card && position
}

/// Checks if this number makes a draw that is made in one of so many rounds.
fn made(one_in: Option<u32>, random: u64) -> bool {
    one_in.is_some_and(|rounds| below(random, rounds) == 0)
}

/// Returns one of `count` outcomes, from 0.
fn below(random: u64, count: u32) -> u32 {
    let high = (u128::from(random) * u128::from(count)) >> u64::BITS;
    // The high half is smaller than `count`.
    u32::try_from(high).unwrap_or(0)
}
