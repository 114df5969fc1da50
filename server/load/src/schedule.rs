//! The plan of an open loop: at which instant each command is due, whatever the answers do.
//!
//! # What latency means
//! It counts from the planned instant. A command that had to wait because the server stood still is as late as the
//! players at that table would have seen it.

use std::time::Duration;

/// Nanoseconds of a second.
pub(crate) const NANOS: u64 = 1_000_000_000;

/// The instants of one of several connections that share a rate.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Schedule {
    /// Commands a second of all connections together.
    a_second: u64,
    /// Every how many nanoseconds; 0: each at its own.
    burst: u64,
    /// This connection's place among all, from 0.
    place: u64,
    /// How many connections there are.
    of: u64,
    /// The next command of this connection, from 0.
    next: u64,
}

impl Schedule {
    /// The schedule of one connection from its first command on.
    pub(crate) fn new(a_second: u64, burst: Duration, place: u64, of: u64) -> Self {
        Self {
            a_second: a_second.max(1),
            burst: nanos(burst),
            place,
            of,
            next: 0,
        }
    }

    /// When the next command is due, in nanoseconds since the beginning.
    pub(crate) fn due(&self) -> u64 {
        let number = u128::from(self.next) * u128::from(self.of) + u128::from(self.place);
        let at = number * u128::from(NANOS) / u128::from(self.a_second);
        let at = u64::try_from(at).unwrap_or(u64::MAX);
        match self.burst {
            0 => at,
            burst => at.div_ceil(burst).saturating_mul(burst),
        }
    }

    /// How many instants there are from the next one on until the end, where there is one.
    pub(crate) fn left_before(&self, end: u64) -> u64 {
        if end == u64::MAX {
            return 0;
        }
        // In bursts: those that have a burst before the end.
        let end = match self.burst {
            0 => end,
            burst => end.saturating_sub(1) / burst * burst + 1,
        };
        // The n-th of all is due at n / rate: those before the end, and of them this connection's.
        let all = (u128::from(end) * u128::from(self.a_second)).div_ceil(u128::from(NANOS));
        let own = all
            .saturating_sub(u128::from(self.place))
            .div_ceil(u128::from(self.of.max(1)));
        u64::try_from(own)
            .unwrap_or(u64::MAX)
            .saturating_sub(self.next)
    }

    /// The next command was taken.
    pub(crate) const fn advance(&mut self) {
        self.next = self.next.saturating_add(1);
    }
}

/// A time as nanoseconds.
pub(crate) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{NANOS, Schedule};

    fn all(a_second: u64, burst: Duration, connections: u64, each: usize) -> Vec<u64> {
        let mut instants: Vec<u64> = (0..connections)
            .flat_map(|place| {
                let mut schedule = Schedule::new(a_second, burst, place, connections);
                let take = move |_| {
                    let due = schedule.due();
                    schedule.advance();
                    due
                };
                (0..each).map(take).collect::<Vec<_>>()
            })
            .collect();
        instants.sort_unstable();
        instants
    }

    /// Several connections together have the rate, evenly spread: no two share an instant, none drifts.
    #[test]
    fn instants_are_evenly_spread() {
        let instants = all(5_000, Duration::ZERO, 7, 5_000);
        for (number, at) in (0_u64..).zip(&instants) {
            assert_eq!(*at, number * 200_000);
        }
        let uneven = all(3, Duration::ZERO, 1, 4);
        assert_eq!(uneven, [0, NANOS / 3, 2 * NANOS / 3, NANOS]);
    }

    /// What was not taken by the end is counted.
    #[test]
    fn what_is_left_is_counted() {
        let ways = [(5_000, 7, 0), (3, 1, 0), (1_000, 1_000, 0), (5_000, 3, 8)];
        for (a_second, of, burst) in ways {
            let burst = Duration::from_millis(burst);
            let left = (0..of).map(|place| {
                let mut schedule = Schedule::new(a_second, burst, place, of);
                while schedule.due() < NANOS {
                    schedule.advance();
                }
                assert_eq!(schedule.left_before(NANOS), 0, "{a_second} {place}");
                schedule.left_before(2 * NANOS)
            });
            assert_eq!(left.sum::<u64>(), a_second, "{a_second} {of}");
        }
        let endless = Schedule::new(5, Duration::ZERO, 0, 1);
        assert_eq!(endless.left_before(u64::MAX), 0);
    }

    /// In bursts: the same rate, all at the bursts' instants, none before its own.
    #[test]
    fn bursts_are_together() {
        let instants = all(5_000, Duration::from_millis(1), 3, 10);
        assert_eq!(instants[..2], [0, 1_000_000]);
        assert!(instants.iter().all(|it| it.is_multiple_of(1_000_000)));
        let first = instants.iter().filter(|it| **it == 1_000_000).count();
        assert_eq!(first, 5);
    }
}
