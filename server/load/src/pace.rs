//! When a pit may send its next command: as soon as another one is answered, or at its planned instant.

use std::future::pending;

use crate::alarm::Alarm;
use crate::ask::Ask;
use crate::error::LoadError;
use crate::pit::Pit;
use crate::plan::{Pace, UNDER_WAY_MAX, Way};
use crate::schedule::Schedule;

/// When a pit may send.
#[derive(Debug)]
pub(crate) struct Pacer {
    /// Commands that may be under way.
    most: usize,
    plan: Option<Planned>,
}

/// An open loop.
#[derive(Debug)]
struct Planned {
    schedule: Schedule,
    alarm: Alarm,
    /// For when the alarm is set.
    set_for: Option<u64>,
    /// Whether something else than the plan kept it from sending at the last look.
    is_blocked: bool,
    /// Since when nothing does: the generator alone is to blame for what was due after that and goes late.
    free_since: u64,
}

impl Pacer {
    /// The pace of one pit.
    pub(crate) fn new(pit: &Pit) -> Result<Self, LoadError> {
        let plan = &pit.house.plan;
        let (place, pits) = (pit.place as u64, u64::from(plan.pits().max(1)));
        let share = |all: u32| {
            let all = u64::from(all);
            usize::try_from(all / pits + u64::from(place < all % pits)).unwrap_or(usize::MAX)
        };
        let (most, planned) = match plan.pace {
            Pace::InFlight(count) => (share(count), None),
            Pace::Rate { a_second, burst } => {
                let planned = Planned {
                    schedule: Schedule::new(a_second, burst, place, pits),
                    alarm: Alarm::new()?,
                    set_for: None,
                    is_blocked: false,
                    free_since: 0,
                };
                (share(UNDER_WAY_MAX), Some(planned))
            }
        };
        let most = match plan.way {
            Way::Streams { .. } => most,
            Way::Http { .. } => 1,
        };
        Ok(Self {
            most: most.max(1),
            plan: planned,
        })
    }

    /// What a pit sends now, with so many commands under way.
    pub(crate) fn next(&mut self, pit: &mut Pit, now: u64, under_way: usize) -> Option<Ask> {
        if under_way >= self.most {
            self.blocked();
            return None;
        }
        if let Some(ask) = pit.owed() {
            return Some(ask);
        }
        let Some(plan) = &mut self.plan else {
            return pit.fresh(now);
        };
        if std::mem::take(&mut plan.is_blocked) {
            plan.free_since = now;
        }
        // What was planned and is not sent when it ends is not sent any more, but told.
        if pit.is_closing(now) {
            return pit.fresh(now);
        }
        let due = plan.schedule.due();
        if due > now {
            return None;
        }
        let Some(ask) = pit.fresh(due) else {
            // Every table waits for the floor.
            plan.is_blocked = true;
            return None;
        };
        plan.schedule.advance();
        if due >= pit.house.from.max(plan.free_since) {
            pit.tally.delay.record(now - due);
        }
        Some(ask)
    }

    /// Until the next look nothing can be sent, and the generator is not to blame: it waits for an answer, for room in
    /// a queue, for a connection.
    pub(crate) fn blocked(&mut self) {
        if let Some(plan) = &mut self.plan {
            plan.is_blocked = true;
        }
    }

    /// Sets the alarm for the next planned instant, or for the end.
    pub(crate) fn set_alarm(&mut self, pit: &Pit, now: u64) -> Result<(), LoadError> {
        let Some(plan) = &mut self.plan else {
            return Ok(());
        };
        let until = pit.house.until;
        let next = plan.schedule.due().min(until);
        if next > now && plan.set_for != Some(next) {
            plan.alarm.set(pit.house.time_to(next))?;
            plan.set_for = Some(next);
        }
        Ok(())
    }

    /// Waits for the alarm; for ever in a closed loop.
    pub(crate) async fn rings(&mut self) -> Result<(), LoadError> {
        let Some(plan) = &mut self.plan else {
            return pending().await;
        };
        plan.alarm.rings().await?;
        plan.set_for = None;
        Ok(())
    }

    /// Commands that were planned before the end and never sent.
    pub(crate) fn unsent(&self, pit: &Pit) -> u64 {
        match (&self.plan, pit.house.stop.is_cancelled()) {
            (Some(plan), false) => plan.schedule.left_before(pit.house.until),
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
    use crate::ask::{Answer, Given};
    use crate::felt::Felt;
    use crate::house::House;
    use crate::pit::Pit;
    use crate::plan::tests::plan;
    use crate::plan::{End, Pace, Plan, Way};
    use crate::schedule::NANOS;

    const MILLI: u64 = NANOS / 1_000;

    /// One table for ten seconds, a command each millisecond; where its house is, too.
    fn open_loop(way: Way) -> (Arc<House>, Pit, Pacer) {
        let plan = Plan {
            links: 1,
            tables: 1,
            way,
            pace: Pace::Rate {
                a_second: 1_000,
                burst: Duration::ZERO,
            },
            end: End::After(Duration::from_secs(10)),
            ..plan()
        };
        let (floor, _) = mpsc::channel(1);
        let house = House::new(plan, floor, CancellationToken::new());
        let house = Arc::new(house.expect("a house"));
        let felt = Felt::new((0, "T1".to_owned()), "token".into(), 0, 1, 0);
        let pit = Pit::new(Arc::clone(&house), 0, vec![felt]).expect("a pit");
        let pacer = Pacer::new(&pit).expect("a timer");
        (house, pit, pacer)
    }

    /// A server that answers in half a millisecond, and stands still for a second: from the plan, all that were due
    /// meanwhile waited, and those behind them. Nothing of that is the generator's own delay.
    #[tokio::test]
    async fn a_stall_is_seen_by_all_that_were_due() {
        let (house, mut pit, mut pacer) = open_loop(Way::Http { connections: 1 });
        let stall = 4 * NANOS..5 * NANOS;
        let mut now = 0;
        while now < house.until {
            let Some(ask) = pacer.next(&mut pit, now, 0) else {
                let planned = pacer.plan.as_ref().expect("an open loop");
                now = planned.schedule.due();
                continue;
            };
            // One connection that answers in its order.
            pacer.blocked();
            now = if stall.contains(&now) {
                stall.end
            } else {
                now + MILLI / 2
            };
            let answer = Answer {
                replayed: false,
                refused: None,
            };
            let given = || Given::Body {
                refused: false,
                body: Bytes::new(),
            };
            pit.answered(ask, answer, given, now).expect("in order");
        }
        pit.flush();
        let (latency, _) = house.timeline.finish();
        assert_eq!(latency.count, 10_000);
        assert!(latency.p99 > 800_000, "{latency:?}");
        assert!(latency.p50 < 1_000, "{latency:?}");
        let delay = pit.tally.delay.figures();
        assert!((7_000..9_000).contains(&delay.count), "{delay:?}");
        assert_eq!(delay.max, 0);
    }

    /// What goes late is the generator's delay, whether it had slept before or not; what waited for the server is not.
    #[tokio::test]
    async fn only_the_generators_own_delay_is_told() {
        let way = Way::Streams {
            streams: 1,
            commands_a_message: 1,
        };
        let (_house, mut pit, mut pacer) = open_loop(way);
        let sent = iter::from_fn(|| pacer.next(&mut pit, 5 * MILLI, 0));
        assert_eq!(sent.count(), 6);
        let delay = pit.tally.delay.figures();
        assert_eq!(delay.count, 6);
        assert!(delay.max >= 5_000, "{delay:?}");
        // As many as may be are under way, until eight: two are late by then, and one is due.
        assert!(pacer.next(&mut pit, 6 * MILLI, usize::MAX).is_none());
        let sent = iter::from_fn(|| pacer.next(&mut pit, 8 * MILLI, 0));
        assert_eq!(sent.count(), 3);
        assert_eq!(pit.tally.delay.figures().count, 7);
    }
}
