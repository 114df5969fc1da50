//! Every hand of a deck.

use meterhouse_domain::card::Card;

/// Passes every hand of `N` different cards once, its cards in the order of their numbers.
pub(super) fn for_every_hand<const N: usize>(mut see: impl FnMut([Card; N])) {
    let deck: Vec<Card> = Card::all().collect();
    let mut indexes: [usize; N] = std::array::from_fn(|index| index);
    loop {
        see(indexes.map(|index| deck[index]));
        // The last card that can move moves one up, and the cards after it follow it closely.
        let Some(moves) = (0..N).rfind(|at| indexes[*at] + N - at < deck.len()) else {
            return;
        };
        let start = indexes[moves] + 1;
        for (step, index) in indexes[moves..].iter_mut().enumerate() {
            *index = start + step;
        }
    }
}
