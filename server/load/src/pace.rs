//! The pacer: it allows the next command of a group after an outcome (closed loop), or at its scheduled time (open
//! loop).

use std::future::pending;

use crate::connection_group::ConnectionGroup;
use crate::error::LoadError;
use crate::in_flight::InFlight;
use crate::plan::{IN_FLIGHT_MAX, Pace, Transport};
use crate::schedule::Schedule;
use crate::timer::Timer;

/// The pacer of one group.
#[derive(Debug)]
pub(crate) struct Pacer {
    /// Maximum number of commands in flight.
    in_flight_max: usize,
    open_loop: Option<OpenLoop>,
}

/// The schedule of an open loop.
#[derive(Debug)]
struct OpenLoop {
    schedule: Schedule,
    timer: Timer,
    /// The time for which the timer is set.
    timer_set_for: Option<u64>,
    /// `true` if the last check found another obstacle to sending than the schedule.
    is_blocked: bool,
    /// The time since which no such obstacle exists. A later command that is sent late was delayed by the generator
    /// alone.
    free_since: u64,
}

impl Pacer {
    /// Creates the pacer of a group.
    pub(crate) fn new(group: &ConnectionGroup) -> Result<Self, LoadError> {
        let plan = &group.context.plan;
        let (index, connections) = (group.index as u64, u64::from(plan.connections().max(1)));
        let share = |all: u32| {
            let all = u64::from(all);
            usize::try_from(all / connections + u64::from(index < all % connections))
                .unwrap_or(usize::MAX)
        };
        let (in_flight_max, open_loop) = match plan.pace {
            Pace::InFlight(count) => (share(count), None),
            Pace::Rate { a_second, burst } => {
                let open_loop = OpenLoop {
                    schedule: Schedule::new(a_second, burst, index, connections),
                    timer: Timer::new()?,
                    timer_set_for: None,
                    is_blocked: false,
                    free_since: 0,
                };
                (share(IN_FLIGHT_MAX), Some(open_loop))
            }
        };
        let in_flight_max = match plan.transport {
            Transport::Streams { .. } => in_flight_max,
            Transport::Http { .. } => 1,
        };
        Ok(Self {
            in_flight_max: in_flight_max.max(1),
            open_loop,
        })
    }

    /// Returns the next command to send now, with so many commands in flight.
    pub(crate) fn next(
        &mut self,
        group: &mut ConnectionGroup,
        now: u64,
        in_flight: usize,
    ) -> Option<InFlight> {
        if in_flight >= self.in_flight_max {
            self.mark_blocked();
            return None;
        }
        if let Some(command) = group.next_resend() {
            return Some(command);
        }
        let Some(open_loop) = &mut self.open_loop else {
            return group.next_new(now);
        };
        if std::mem::take(&mut open_loop.is_blocked) {
            open_loop.free_since = now;
        }
        // A command that was scheduled and is unsent at the end is not sent any more, but reported.
        if group.is_closing(now) {
            return group.next_new(now);
        }
        let due = open_loop.schedule.due();
        if due > now {
            return None;
        }
        let Some(command) = group.next_new(due) else {
            // Every table waits for the supervisor.
            open_loop.is_blocked = true;
            return None;
        };
        open_loop.schedule.advance();
        if due >= group.context.measured_from.max(open_loop.free_since) {
            group.counters.delay.record(now - due);
        }
        Some(command)
    }

    /// Records that no command can be sent until the next check, and that the generator is not the cause. The group
    /// waits for an outcome, for room in a queue or for a connection.
    pub(crate) fn mark_blocked(&mut self) {
        if let Some(open_loop) = &mut self.open_loop {
            open_loop.is_blocked = true;
        }
    }

    /// Sets the timer for the next scheduled time, or for the end.
    pub(crate) fn set_timer(&mut self, group: &ConnectionGroup, now: u64) -> Result<(), LoadError> {
        let Some(open_loop) = &mut self.open_loop else {
            return Ok(());
        };
        let until = group.context.measured_until;
        let next = open_loop.schedule.due().min(until);
        if next > now && open_loop.timer_set_for != Some(next) {
            open_loop.timer.set(group.context.time_to(next))?;
            open_loop.timer_set_for = Some(next);
        }
        Ok(())
    }

    /// Waits until the timer expires. Never returns in a closed loop.
    pub(crate) async fn timer_expired(&mut self) -> Result<(), LoadError> {
        let Some(open_loop) = &mut self.open_loop else {
            return pending().await;
        };
        open_loop.timer.expired().await?;
        open_loop.timer_set_for = None;
        Ok(())
    }

    /// Returns the number of commands that were scheduled before the end and never sent.
    pub(crate) fn unsent(&self, group: &ConnectionGroup) -> u64 {
        match (&self.open_loop, group.context.stop.is_cancelled()) {
            (Some(open_loop), false) => open_loop
                .schedule
                .remaining_before(group.context.measured_until),
            (Some(_), true) | (None, _) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::iter;
    use std::sync::Arc;
    use std::time::Duration;

    use prost::bytes::Bytes;
    use tokio::sync::mpsc;
    use tokio_util::sync::CancellationToken;

    use super::Pacer;
    use crate::connection_group::ConnectionGroup;
    use crate::in_flight::{ReceivedOutcome, Reply};
    use crate::plan::tests::plan;
    use crate::plan::{End, Pace, Plan, Transport};
    use crate::run_context::RunContext;
    use crate::schedule::NANOS;
    use crate::table_driver::TableDriver;

    const MILLI: u64 = NANOS / 1_000;

    /// Creates one table that plays for ten seconds, a command each millisecond, with its context.
    fn open_loop_of(transport: Transport) -> (Arc<RunContext>, ConnectionGroup, Pacer) {
        let plan = Plan {
            links: 1,
            tables: 1,
            transport,
            pace: Pace::Rate {
                a_second: 1_000,
                burst: Duration::ZERO,
            },
            end: End::After(Duration::from_secs(10)),
            ..plan()
        };
        let (floor, _) = mpsc::channel(1);
        let context = RunContext::new(plan, floor, CancellationToken::new());
        let context = Arc::new(context.expect("a context"));
        let table = TableDriver::new((0, "T1".to_owned()), "token".into(), 0, 1, 0);
        let group = ConnectionGroup::new(Arc::clone(&context), 0, vec![table]).expect("a group");
        let pacer = Pacer::new(&group).expect("a timer");
        (context, group, pacer)
    }

    /// The server answers in half a millisecond, and stalls for one second. Measured from the schedule, all commands
    /// due in the stall waited, and those behind them. None of the wait is the generator's own delay.
    #[tokio::test]
    async fn a_stall_adds_latency_to_every_command_due_in_it() {
        let (context, mut group, mut pacer) = open_loop_of(Transport::Http { connections: 1 });
        let stall = 4 * NANOS..5 * NANOS;
        let mut now = 0;
        while now < context.measured_until {
            let Some(command) = pacer.next(&mut group, now, 0) else {
                let open_loop = pacer.open_loop.as_ref().expect("an open loop");
                now = open_loop.schedule.due();
                continue;
            };
            // One connection, which answers in order.
            pacer.mark_blocked();
            now = if stall.contains(&now) {
                stall.end
            } else {
                now + MILLI / 2
            };
            let reply = Reply {
                is_replay: false,
                refusal: None,
            };
            let received = || ReceivedOutcome::Body {
                refused: false,
                body: Bytes::new(),
            };
            group
                .acknowledge(command, reply, received, now)
                .expect("in order");
        }
        group.flush();
        let (latency, _) = context.timeline.finish();
        assert_eq!(latency.count, 10_000);
        assert!(latency.p99 > 800_000, "{latency:?}");
        assert!(latency.p50 < 1_000, "{latency:?}");
        let delay = group.counters.delay.figures();
        assert!((7_000..9_000).contains(&delay.count), "{delay:?}");
        assert_eq!(delay.max, 0);
    }

    /// A late send is the generator's delay, even if the generator did not sleep before. A wait for the server is not.
    #[tokio::test]
    async fn only_delay_of_the_generator_itself_is_reported() {
        let transport = Transport::Streams {
            streams: 1,
            commands_a_message: 1,
        };
        let (_house, mut group, mut pacer) = open_loop_of(transport);
        let sent = iter::from_fn(|| pacer.next(&mut group, 5 * MILLI, 0));
        assert_eq!(sent.count(), 6);
        let delay = group.counters.delay.figures();
        assert_eq!(delay.count, 6);
        assert!(delay.max >= 5_000, "{delay:?}");
        // The maximum is in flight until the eighth millisecond: two commands are late by then, and one is due.
        assert!(pacer.next(&mut group, 6 * MILLI, usize::MAX).is_none());
        let sent = iter::from_fn(|| pacer.next(&mut group, 8 * MILLI, 0));
        assert_eq!(sent.count(), 3);
        assert_eq!(group.counters.delay.figures().count, 7);
    }
}
