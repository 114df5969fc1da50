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
    /// Whether nothing was due at the last look: then the generator alone is to blame for what goes late next.
    is_waiting: bool,
    /// The moment at which it had waited for what was due.
    woke_at: Option<u64>,
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
                    is_waiting: false,
                    woke_at: None,
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
            return None;
        }
        if let Some(ask) = pit.owed() {
            return Some(ask);
        }
        let Some(plan) = &mut self.plan else {
            return pit.fresh(now);
        };
        // What was planned and is not sent when it ends is not sent any more, but told.
        if pit.is_closing(now) {
            return pit.fresh(now);
        }
        let due = plan.schedule.due();
        if due > now {
            plan.is_waiting = true;
            return None;
        }
        if std::mem::take(&mut plan.is_waiting) {
            plan.woke_at = Some(now);
        }
        let ask = pit.fresh(due)?;
        plan.schedule.advance();
        if due >= pit.house.from && plan.woke_at == Some(now) {
            pit.tally.delay.record(now - due);
        }
        Some(ask)
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
