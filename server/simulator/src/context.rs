//! The context of a run: the server, the plan, the counters, and the calls for a supervisor.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meterhouse_http_client::Client;
use tokio::sync::watch;

use crate::counters::Counters;
use crate::error::SimulatorError;
use crate::incident_schedule::IncidentSchedule;
use crate::plan::{Gateway, Plan, Tokens};

/// Minimum pause between two polls, used if rounds are not throttled.
const POLL_MIN: Duration = Duration::from_millis(5);
/// Maximum pause between two polls.
const POLL_MAX: Duration = Duration::from_millis(250);
/// Polls in the time of one round, all tables together. A round that waits delays only its own physical table.
const POLLS_PER_ROUND: u32 = 2;

/// The state that all tasks of a run share.
pub(crate) struct RunContext {
    pub(crate) client: Client,
    pub(crate) plan: Plan,
    pub(crate) tokens: Tokens,
    pub(crate) gateway: Gateway,
    pub(crate) counters: Counters,
    /// Pause between two polls.
    pub(crate) poll_interval: Duration,
    /// Incremented by every dealer who needs a supervisor.
    pub(crate) supervisor_calls: watch::Sender<u64>,
    pub(crate) incident_schedule: IncidentSchedule,
    /// Held by an incident while no other incident's hit may be paid from the same level.
    pub(crate) level_lock: tokio::sync::Mutex<()>,
    incidents: Mutex<IncidentState>,
}

/// The state of incidents, behind one lock.
#[derive(Debug, Default)]
struct IncidentState {
    /// Review rules by the hit's name.
    review_rules: BTreeMap<String, ReviewRule>,
    /// Reports of staged incidents, in order of occurrence.
    reports: Vec<String>,
}

/// An exception from the supervisors' usual review of a hit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ReviewRule {
    /// The hit is never rejected: it is staged for viewers.
    ApproveOnly,
    /// The hit is not reviewed.
    Skip,
}

impl RunContext {
    pub(crate) fn new(
        plan: Plan,
        tokens: Tokens,
        gateway: Gateway,
    ) -> Result<Self, SimulatorError> {
        plan.check()?;
        let poll_interval = match u32::try_from(plan.speed) {
            Ok(0) | Err(_) => POLL_MIN,
            Ok(speed) => Duration::from_secs(1) / speed / POLLS_PER_ROUND,
        };
        Ok(Self {
            client: Client::new(&plan.base, None)?,
            incident_schedule: IncidentSchedule::of(&plan),
            plan,
            tokens,
            gateway,
            counters: Counters::default(),
            poll_interval: poll_interval.clamp(POLL_MIN, POLL_MAX),
            supervisor_calls: watch::Sender::new(0),
            level_lock: tokio::sync::Mutex::new(()),
            incidents: Mutex::default(),
        })
    }

    /// Calls the supervisors to a table.
    pub(crate) fn call_supervisors(&self) {
        self.supervisor_calls
            .send_modify(|calls| *calls = calls.wrapping_add(1));
    }

    /// Sets the review rule of a hit.
    pub(crate) fn set_review_rule(&self, hit: String, rule: ReviewRule) {
        self.incidents().review_rules.insert(hit, rule);
    }

    /// Returns the review rule of a hit, or `None` for the usual review.
    pub(crate) fn review_rule(&self, hit: &str) -> Option<ReviewRule> {
        self.incidents().review_rules.get(hit).copied()
    }

    /// Logs a staged incident and keeps it for the summary.
    pub(crate) fn report_incident(&self, round: u64, what: &str) {
        tracing::info!(round, "staged in round {round}: {what}");
        let report = format!("round {round}: {what}");
        self.incidents().reports.push(report);
    }

    /// Returns the reports of all incidents so far, in order of occurrence.
    pub(crate) fn incident_reports(&self) -> Vec<String> {
        self.incidents().reports.clone()
    }

    fn incidents(&self) -> MutexGuard<'_, IncidentState> {
        self.incidents
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
