//! The players who arrive at a physical table and leave. Some players hold two boxes, and some are not known by name.

use std::collections::BTreeMap;

use rand::RngExt;
use rand::rngs::StdRng;

use crate::probabilities::{PLAYER_LEAVES, SEAT_TAKEN, SECOND_BOX, UNNAMED};

/// The taken seats of one physical table, at least one.
#[derive(Clone, Debug)]
pub(crate) struct Seating {
    table_index: usize,
    seats: u8,
    arrivals: u32,
    taken: BTreeMap<u8, Player>,
}

/// A player on one or two seats.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Player {
    /// The number of the arrival, which distinguishes players without a name.
    arrival: u32,
    name: Option<String>,
}

impl Seating {
    /// Returns the seating of a physical table that has just opened.
    pub(crate) fn new(rng: &mut StdRng, table_index: usize, seats: u8) -> Self {
        let mut seating = Self {
            table_index,
            seats,
            arrivals: 0,
            taken: BTreeMap::new(),
        };
        let players = rng.random_range(1..=seats.max(1));
        for _ in 0..players {
            seating.seat_player(rng);
        }
        seating
    }

    /// Replaces some players between two rounds.
    pub(crate) fn replace_players(&mut self, rng: &mut StdRng) {
        let mut leaving: Vec<u32> = self.taken.values().map(|player| player.arrival).collect();
        leaving.dedup();
        leaving.retain(|_| PLAYER_LEAVES.happens(rng));
        self.taken
            .retain(|_, player| !leaving.contains(&player.arrival));
        for _ in self.taken.len()..usize::from(self.seats) {
            if SEAT_TAKEN.happens(rng) {
                self.seat_player(rng);
            }
        }
        if self.taken.is_empty() {
            self.seat_player(rng);
        }
    }

    /// Returns the taken seats, ascending.
    pub(crate) fn seats(&self) -> Vec<u8> {
        self.taken.keys().copied().collect()
    }

    /// Returns the name of the player on a seat, if known.
    pub(crate) fn name(&self, seat: u8) -> Option<&str> {
        self.taken.get(&seat)?.name.as_deref()
    }

    /// Returns `true` if one player, known by name, holds both seats. Players without names count as different.
    pub(crate) fn same_player(&self, first: u8, second: u8) -> bool {
        first == second
            || self
                .name(first)
                .is_some_and(|name| self.name(second) == Some(name))
    }

    /// Seats a new player on a free seat, sometimes on the next seat as well.
    fn seat_player(&mut self, rng: &mut StdRng) {
        let free: Vec<u8> = (1..=self.seats)
            .filter(|seat| !self.taken.contains_key(seat))
            .collect();
        if free.is_empty() {
            return;
        }
        let Some(seat) = free.get(rng.random_range(0..free.len())).copied() else {
            return;
        };
        self.arrivals += 1;
        let two_boxes = SECOND_BOX.happens(rng) && free.contains(&(seat + 1));
        let named = two_boxes || !UNNAMED.happens(rng);
        let player = Player {
            arrival: self.arrivals,
            name: named.then(|| format!("p-{}-{}", self.table_index + 1, self.arrivals)),
        };
        if two_boxes {
            self.taken.insert(seat + 1, player.clone());
        }
        self.taken.insert(seat, player);
    }
}

#[cfg(test)]
mod tests {
    use super::Seating;
    use crate::probabilities::generator;

    /// In many rounds there is always a player, each seat is on the layout, and some player holds two boxes.
    #[test]
    fn players_arrive_and_leave() {
        let mut rng = generator(3, "C4P-01");
        let mut seating = Seating::new(&mut rng, 0, 6);
        let (mut full, mut two_boxes, mut most) = (0, 0, 0);
        for _ in 0..2_000 {
            let seats = seating.seats();
            assert!(!seats.is_empty() && seats.iter().all(|seat| (1..=6).contains(seat)));
            full += usize::from(seats.len() == 6);
            two_boxes += usize::from(
                seats
                    .windows(2)
                    .any(|pair| seating.same_player(pair[0], pair[1])),
            );
            most = most.max(seating.arrivals);
            seating.replace_players(&mut rng);
        }
        assert!(
            full > 0 && two_boxes > 0 && most > 20,
            "{full} {two_boxes} {most}"
        );
    }
}
