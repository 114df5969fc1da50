//! Who sits at a felt: players come, stay a while and go; some hold two boxes, some are not known by name.

use std::collections::BTreeMap;

use rand::RngExt;
use rand::rngs::StdRng;

use crate::chances::{PLAYER_LEAVES, SEAT_TAKEN, SECOND_BOX, UNNAMED};

/// The taken seats of one felt; at least one is.
#[derive(Clone, Debug)]
pub(crate) struct Seating {
    felt: usize,
    seats: u8,
    arrivals: u32,
    taken: BTreeMap<u8, Player>,
}

/// Who sits on a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Player {
    /// Tells players without a name apart.
    arrival: u32,
    name: Option<String>,
}

impl Seating {
    /// A felt that has just opened.
    pub(crate) fn new(rng: &mut StdRng, felt: usize, seats: u8) -> Self {
        let mut seating = Self {
            felt,
            seats,
            arrivals: 0,
            taken: BTreeMap::new(),
        };
        let players = rng.random_range(1..=seats.max(1));
        for _ in 0..players {
            seating.arrive(rng);
        }
        seating
    }

    /// Between two rounds some go and some come.
    pub(crate) fn turn_over(&mut self, rng: &mut StdRng) {
        let mut leaving: Vec<u32> = self.taken.values().map(|player| player.arrival).collect();
        leaving.dedup();
        leaving.retain(|_| PLAYER_LEAVES.happens(rng));
        self.taken
            .retain(|_, player| !leaving.contains(&player.arrival));
        for _ in self.taken.len()..usize::from(self.seats) {
            if SEAT_TAKEN.happens(rng) {
                self.arrive(rng);
            }
        }
        if self.taken.is_empty() {
            self.arrive(rng);
        }
    }

    /// The taken seats, ascending.
    pub(crate) fn seats(&self) -> Vec<u8> {
        self.taken.keys().copied().collect()
    }

    /// Who sits there, if he is known by name.
    pub(crate) fn name(&self, seat: u8) -> Option<&str> {
        self.taken.get(&seat)?.name.as_deref()
    }

    /// Whether one player, known by name, holds both seats: seats without a name are different players.
    pub(crate) fn same_player(&self, one: u8, other: u8) -> bool {
        one == other
            || self
                .name(one)
                .is_some_and(|name| self.name(other) == Some(name))
    }

    /// Somebody sits down on a free seat, sometimes on the next one as well.
    fn arrive(&mut self, rng: &mut StdRng) {
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
            name: named.then(|| format!("p-{}-{}", self.felt + 1, self.arrivals)),
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
    use crate::chances::generator;

    /// In a long evening there is always somebody, nobody sits beside the layout, and somebody holds two boxes.
    #[test]
    fn players_come_and_go() {
        let mut rng = generator(3, "C4P-01");
        let mut seating = Seating::new(&mut rng, 0, 6);
        let (mut full, mut two_boxes, mut most) = (0, 0, 0);
        for _ in 0..2_000 {
            let seats = seating.seats();
            assert!(!seats.is_empty() && seats.iter().all(|seat| (1..=6).contains(seat)));
            full += usize::from(seats.len() == 6);
            two_boxes += usize::from(seats.windows(2).any(|it| seating.same_player(it[0], it[1])));
            most = most.max(seating.arrivals);
            seating.turn_over(&mut rng);
        }
        assert!(
            full > 0 && two_boxes > 0 && most > 20,
            "{full} {two_boxes} {most}"
        );
    }
}
