//! The schedule of an open loop: each command is due at a fixed time, independently of the outcomes.
//!
//! # Latency
//! Latency is measured from the scheduled time. A command that waited for a stalled server is as late as the players at
//! its table would have seen.

use std::time::Duration;

/// Nanoseconds of a second.
pub(crate) const NANOS: u64 = 1_000_000_000;

/// The schedule of one connection, of several that share a rate.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Schedule {
    /// The rate of all connections together, in commands a second.
    a_second: u64,
    /// The time between two bursts, in nanoseconds. 0 gives each command its own time.
    burst: u64,
    /// The index of this connection, from 0.
    index: u64,
    /// The number of connections.
    connections: u64,
    /// The index of this connection's next command, from 0.
    next: u64,
}

impl Schedule {
    /// Creates the schedule of one connection.
    pub(crate) fn new(a_second: u64, burst: Duration, index: u64, connections: u64) -> Self {
        Self {
            a_second: a_second.max(1),
            burst: nanos(burst),
            index,
            connections,
            next: 0,
        }
    }

    /// Returns the time of the next command, in nanoseconds since the start.
    pub(crate) fn due(&self) -> u64 {
        let number = u128::from(self.next) * u128::from(self.connections) + u128::from(self.index);
        let at = number * u128::from(NANOS) / u128::from(self.a_second);
        let at = u64::try_from(at).unwrap_or(u64::MAX);
        match self.burst {
            0 => at,
            burst => at.div_ceil(burst).saturating_mul(burst),
        }
    }

    /// Returns the number of commands that are due from the next one until the end. Returns 0 if there is no end.
    pub(crate) fn remaining_before(&self, end: u64) -> u64 {
        if end == u64::MAX {
            return 0;
        }
        // With bursts, only commands with a burst before the end count.
        let end = match self.burst {
            0 => end,
            burst => end.saturating_sub(1) / burst * burst + 1,
        };
        // Command n of all connections is due at n / rate. Count those before the end, then this connection's share.
        let all = (u128::from(end) * u128::from(self.a_second)).div_ceil(u128::from(NANOS));
        let own = all
            .saturating_sub(u128::from(self.index))
            .div_ceil(u128::from(self.connections.max(1)));
        u64::try_from(own)
            .unwrap_or(u64::MAX)
            .saturating_sub(self.next)
    }

    /// Moves to the next command.
    pub(crate) const fn advance(&mut self) {
        self.next = self.next.saturating_add(1);
    }
}

/// Returns a duration in nanoseconds.
pub(crate) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{NANOS, Schedule};

    fn all(a_second: u64, burst: Duration, connections: u64, each: usize) -> Vec<u64> {
        let mut instants: Vec<u64> = (0..connections)
            .flat_map(|index| {
                let mut schedule = Schedule::new(a_second, burst, index, connections);
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

    /// Several connections together keep the rate, evenly spread. No two share an instant, and none drifts.
    #[test]
    fn instants_are_evenly_spread() {
        let instants = all(5_000, Duration::ZERO, 7, 5_000);
        for (number, at) in (0_u64..).zip(&instants) {
            assert_eq!(*at, number * 200_000);
        }
        let uneven = all(3, Duration::ZERO, 1, 4);
        assert_eq!(uneven, [0, NANOS / 3, 2 * NANOS / 3, NANOS]);
    }

    #[test]
    fn instants_not_taken_before_the_end_are_counted() {
        let cases = [(5_000, 7, 0), (3, 1, 0), (1_000, 1_000, 0), (5_000, 3, 8)];
        for (a_second, connections, burst) in cases {
            let burst = Duration::from_millis(burst);
            let remaining = (0..connections).map(|index| {
                let mut schedule = Schedule::new(a_second, burst, index, connections);
                while schedule.due() < NANOS {
                    schedule.advance();
                }
                assert_eq!(schedule.remaining_before(NANOS), 0, "{a_second} {index}");
                schedule.remaining_before(2 * NANOS)
            });
            assert_eq!(remaining.sum::<u64>(), a_second, "{a_second} {connections}");
        }
        let endless = Schedule::new(5, Duration::ZERO, 0, 1);
        assert_eq!(endless.remaining_before(u64::MAX), 0);
    }

    /// Bursts keep the rate. All commands are due at a burst, and none before its own time.
    #[test]
    fn bursts_keep_the_rate_and_send_no_command_early() {
        let instants = all(5_000, Duration::from_millis(1), 3, 10);
        assert_eq!(instants[..2], [0, 1_000_000]);
        assert!(
            instants
                .iter()
                .all(|instant| instant.is_multiple_of(1_000_000))
        );
        let first = instants
            .iter()
            .filter(|instant| **instant == 1_000_000)
            .count();
        assert_eq!(first, 5);
    }
}
