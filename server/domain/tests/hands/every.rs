//! Every hand of a deck.

use meterhouse_domain::card::Card;

/// Shows every hand of `N` different cards once, its cards in the order of their numbers.
pub(super) fn for_every_hand<const N: usize>(mut see: impl FnMut([Card; N])) {
    let deck: Vec<Card> = Card::all().collect();
    let mut places: [usize; N] = std::array::from_fn(|place| place);
    loop {
        see(places.map(|place| deck[place]));
        // The last card that has room moves one up, and those after it follow it closely.
        let Some(moves) = (0..N).rfind(|at| places[*at] + N - at < deck.len()) else {
            return;
        };
        let start = places[moves] + 1;
        for (step, place) in places[moves..].iter_mut().enumerate() {
            *place = start + step;
        }
    }
}
