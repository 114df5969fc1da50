//! The driver of one table: it chooses the table's next command and counts the acknowledged ones.
//!
//! # Order
//! A round is a coin-in, by chance a winning hand, and GAME OVER. After a win, GAME OVER waits until the supervisor has
//! validated and paid the hit. No other command waits.

use std::sync::Arc;

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::commands::{HANDS, Kind, SEATS_MAX, SEATS_MIN};
use crate::in_flight::ReceivedOutcome;

/// The denominator of the rate of hits.
const MILLION: u32 = 1_000_000;

/// The progress of a round, by the commands that were numbered.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Round {
    /// No round is open.
    None,
    /// The bets are locked. `wins` is `true` if a hand will win.
    Locked { wins: bool },
    /// A hand won, and its hit is not settled.
    Unsettled,
}

/// Totals of the acknowledged commands, for the books.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Acknowledged {
    /// Accepted rounds.
    pub(crate) rounds: u64,
    /// Wagers of the accepted rounds.
    pub(crate) wagers: u64,
    /// Accepted hits.
    pub(crate) hits: u64,
}

/// The driver of one table.
#[derive(Debug)]
pub(crate) struct TableDriver {
    pub(crate) name: String,
    /// The index of the link.
    pub(crate) link_index: usize,
    /// The token of the table's controller.
    pub(crate) token: Arc<str>,
    /// The last sequence number that has an outcome.
    pub(crate) last_acknowledged: u64,
    pub(crate) acknowledged: Acknowledged,
    /// The first outcome of a command whose immediate repeat is in flight, with its sequence number.
    pub(crate) first_outcome: Option<(u64, ReceivedOutcome)>,
    /// The last sequence number that was assigned to a command.
    last_assigned: u64,
    round: Round,
    /// The generator of wagers and hits. A small one, because thousands of tables share the processor's cache.
    rng: SmallRng,
    hits_per_million: u32,
}

impl TableDriver {
    /// Creates the driver of a table that has no open round and continues after its last number.
    pub(crate) fn new(
        (link_index, name): (usize, String),
        token: Arc<str>,
        last_acknowledged: u64,
        seed: u64,
        hits_per_million: u32,
    ) -> Self {
        Self {
            name,
            link_index,
            token,
            last_acknowledged,
            acknowledged: Acknowledged::default(),
            first_outcome: None,
            last_assigned: last_acknowledged,
            round: Round::None,
            rng: SmallRng::seed_from_u64(seed),
            hits_per_million,
        }
    }

    /// Returns the next command and its number. Returns `None` while a hit is unsettled, or if no new round is to
    /// start.
    pub(crate) fn next(&mut self, is_closing: bool) -> Option<(u64, Kind)> {
        let (kind, then) = match self.round {
            Round::None if is_closing => return None,
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
        self.last_assigned += 1;
        Some((self.last_assigned, kind))
    }

    /// Allows GAME OVER.
    pub(crate) fn mark_settled(&mut self) {
        if self.round == Round::Unsettled {
            self.round = Round::Locked { wins: false };
        }
    }

    /// Counts an outcome. `accepted` is `false` for a refusal.
    pub(crate) fn acknowledge(&mut self, sequence: u64, kind: Kind, accepted: bool) {
        self.last_acknowledged = sequence;
        match kind {
            Kind::CoinIn { seats } if accepted => {
                self.acknowledged.rounds += 1;
                self.acknowledged.wagers += u64::from(seats);
            }
            Kind::Hit { .. } if accepted => self.acknowledged.hits += 1,
            // A refused hit needs no settlement.
            Kind::Hit { .. } => self.mark_settled(),
            Kind::CoinIn { .. } | Kind::Close => {}
        }
    }

    /// Returns `true` if no round is open and no command is in flight.
    pub(crate) fn is_idle(&self) -> bool {
        self.round == Round::None && self.last_acknowledged == self.last_assigned
    }

    /// Returns `true` if the server may expect this number next: it was not acknowledged, and at most one past the last
    /// sent.
    pub(crate) const fn may_expect(&self, next: u64) -> bool {
        next > self.last_acknowledged && next <= self.last_assigned + 1
    }
}

#[cfg(test)]
mod tests {
    use super::{Acknowledged, Kind, TableDriver};

    fn driver(hits_per_million: u32) -> TableDriver {
        let place = (0, "T1".to_owned());
        TableDriver::new(place, "token".into(), 6, 1, hits_per_million)
    }

    /// A coin-in has three to six seats.
    #[test]
    fn coin_in_and_close_alternate_without_a_gap() {
        let mut table = driver(0);
        let mut seen = [0; 7];
        for number in (7..1_007).step_by(2) {
            let Some((sequence, Kind::CoinIn { seats })) = table.next(false) else {
                panic!("a coin-in");
            };
            assert_eq!(sequence, number);
            seen[usize::from(seats)] += 1;
            assert_eq!(table.next(true), Some((number + 1, Kind::Close)));
        }
        assert_eq!(table.next(true), None);
        assert!(seen[..3].iter().all(|count| *count == 0), "{seen:?}");
        assert!(seen[3..].iter().all(|count| *count > 50), "{seen:?}");
        assert!(!table.is_idle());
        assert!(table.may_expect(7) && table.may_expect(1_007));
        assert!(!table.may_expect(6) && !table.may_expect(1_008));
    }

    #[test]
    fn game_over_waits_until_a_hit_is_settled_or_refused() {
        let mut table = driver(1_000_000);
        let (first, coin_in) = table.next(false).expect("a coin-in");
        let (second, hit) = table.next(false).expect("a hit");
        assert!(matches!(hit, Kind::Hit { .. }), "{hit:?}");
        assert_eq!(table.next(false), None);
        table.acknowledge(first, coin_in, true);
        table.acknowledge(second, hit, true);
        assert_eq!(table.next(false), None);
        table.mark_settled();
        assert_eq!(table.next(true), Some((9, Kind::Close)));
        table.acknowledge(9, Kind::Close, true);
        assert!(table.is_idle());
        let acknowledged = table.acknowledged;
        assert_eq!((acknowledged.rounds, acknowledged.hits), (1, 1));
        assert!((3..=6).contains(&acknowledged.wagers));

        let (coin_in, hit) = (table.next(false), table.next(false));
        for (sequence, kind) in coin_in.into_iter().chain(hit) {
            table.acknowledge(sequence, kind, false);
        }
        assert_eq!(table.next(true), Some((12, Kind::Close)));
        assert_eq!(table.acknowledged, Acknowledged { ..acknowledged });
    }
}
