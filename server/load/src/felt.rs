//! One table: which command it sends next, and what was acknowledged.
//!
//! # What order holds
//! A round is a coin-in, now and then a winning hand, and GAME OVER. Where a hand won, GAME OVER waits until the floor
//! has validated and paid it; nothing else waits for anything.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::ask::Given;
use crate::commands::{HANDS, Kind, SEATS_MAX, SEATS_MIN};

/// What hits are drawn from.
const MILLION: u32 = 1_000_000;

/// How far a round is, by what was given a number.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Round {
    /// None is open.
    None,
    /// Locked; whether a hand will win.
    Locked { wins: bool },
    /// A hand won, and is not settled.
    Unsettled,
}

/// What was acknowledged, for the books.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Booked {
    /// Accepted rounds.
    pub(crate) rounds: u64,
    /// Their wagers.
    pub(crate) wagers: u64,
    /// Hits that were keyed.
    pub(crate) hits: u64,
}

/// One table.
#[derive(Debug)]
pub(crate) struct Felt {
    /// Its name.
    pub(crate) name: String,
    /// The place of its link.
    pub(crate) link: usize,
    /// Its controller's.
    pub(crate) token: Arc<str>,
    /// The last number that has an outcome.
    pub(crate) last: u64,
    /// What was acknowledged.
    pub(crate) booked: Booked,
    /// The first outcome of a command whose repeat is under way right behind it.
    pub(crate) first: Option<(u64, Given)>,
    /// The last number that was given to a command.
    given: u64,
    round: Round,
    rng: StdRng,
    hits_per_million: u32,
}

impl Felt {
    /// A table without an open round that goes on behind its last number.
    pub(crate) fn new(
        (link, name): (usize, String),
        token: Arc<str>,
        last: u64,
        seed: u64,
        hits_per_million: u32,
    ) -> Self {
        Self {
            name,
            link,
            token,
            last,
            booked: Booked::default(),
            first: None,
            given: last,
            round: Round::None,
            rng: StdRng::seed_from_u64(seed),
            hits_per_million,
        }
    }

    /// The next command with its number; none while a hit waits, or where no new round is to begin.
    pub(crate) fn next(&mut self, closing: bool) -> Option<(u64, Kind)> {
        let (kind, then) = match self.round {
            Round::None if closing => return None,
            Round::None => {
                let seats = self.rng.random_range(SEATS_MIN..=SEATS_MAX);
                let wins = self.hits_per_million > 0
                    && self.rng.random_ratio(self.hits_per_million, MILLION);
                (Kind::CoinIn { seats }, Round::Locked { wins })
            }
            Round::Locked { wins: false } => (Kind::Close, Round::None),
            Round::Locked { wins: true } => {
                let hands = u8::try_from(HANDS.len()).unwrap_or(u8::MAX);
                let hand = self.rng.random_range(0..hands);
                (Kind::Hit { hand }, Round::Unsettled)
            }
            Round::Unsettled => return None,
        };
        self.round = then;
        self.given += 1;
        Some((self.given, kind))
    }

    /// Nothing is in the way of GAME OVER any more.
    pub(crate) fn settled(&mut self) {
        if self.round == Round::Unsettled {
            self.round = Round::Locked { wins: false };
        }
    }

    /// Books an outcome; `accepted`: it was no refusal.
    pub(crate) fn acknowledge(&mut self, sequence: u64, kind: Kind, accepted: bool) {
        self.last = sequence;
        match kind {
            Kind::CoinIn { seats } if accepted => {
                self.booked.rounds += 1;
                self.booked.wagers += u64::from(seats);
            }
            Kind::Hit { .. } if accepted => self.booked.hits += 1,
            // No hit stands, nobody has to settle it.
            Kind::Hit { .. } => self.settled(),
            Kind::CoinIn { .. } | Kind::Close => {}
        }
    }

    /// Whether it has nothing open and nothing under way.
    pub(crate) fn is_done(&self) -> bool {
        self.round == Round::None && self.last == self.given
    }

    /// Whether the server may expect this number next: neither acknowledged before nor never sent.
    pub(crate) const fn may_expect(&self, next: u64) -> bool {
        next > self.last && next <= self.given + 1
    }
}

#[cfg(test)]
mod tests {
    use super::{Booked, Felt, Kind};

    fn felt(hits_per_million: u32) -> Felt {
        let place = (0, "T1".to_owned());
        Felt::new(place, "token".into(), 6, 1, hits_per_million)
    }

    /// Coin-ins of three to six seats and closes alternate, numbered without a gap.
    #[test]
    fn rounds_alternate() {
        let mut felt = felt(0);
        let mut seen = [0; 7];
        for number in (7..1_007).step_by(2) {
            let Some((sequence, Kind::CoinIn { seats })) = felt.next(false) else {
                panic!("a coin-in");
            };
            assert_eq!(sequence, number);
            seen[usize::from(seats)] += 1;
            assert_eq!(felt.next(true), Some((number + 1, Kind::Close)));
        }
        assert_eq!(felt.next(true), None);
        assert!(seen[..3].iter().all(|it| *it == 0), "{seen:?}");
        assert!(seen[3..].iter().all(|it| *it > 50), "{seen:?}");
        assert!(!felt.is_done());
        assert!(felt.may_expect(7) && felt.may_expect(1_007));
        assert!(!felt.may_expect(6) && !felt.may_expect(1_008));
    }

    /// A winning hand holds GAME OVER up until it is settled, or until it was refused.
    #[test]
    fn a_hit_waits_for_the_floor() {
        let mut felt = felt(1_000_000);
        let (first, coin_in) = felt.next(false).expect("a coin-in");
        let (second, hit) = felt.next(false).expect("a hit");
        assert!(matches!(hit, Kind::Hit { .. }), "{hit:?}");
        assert_eq!(felt.next(false), None);
        felt.acknowledge(first, coin_in, true);
        felt.acknowledge(second, hit, true);
        assert_eq!(felt.next(false), None);
        felt.settled();
        assert_eq!(felt.next(true), Some((9, Kind::Close)));
        felt.acknowledge(9, Kind::Close, true);
        assert!(felt.is_done());
        let booked = felt.booked;
        assert_eq!((booked.rounds, booked.hits), (1, 1));
        assert!((3..=6).contains(&booked.wagers));

        let (coin_in, hit) = (felt.next(false), felt.next(false));
        for (sequence, kind) in coin_in.into_iter().chain(hit) {
            felt.acknowledge(sequence, kind, false);
        }
        assert_eq!(felt.next(true), Some((12, Kind::Close)));
        assert_eq!(felt.booked, Booked { ..booked });
    }
}
