//! What everybody in the house shares: the server, the plan, the books, and the call for a supervisor.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::books::Books;
use crate::client::Client;
use crate::error::SimulatorError;
use crate::plan::{Gateway, Plan, Tokens};
use crate::shift::Shift;

/// The shortest pause between two looks at something, unthrottled.
const LOOK_MIN: Duration = Duration::from_millis(5);
/// The longest pause between two looks at something.
const LOOK_MAX: Duration = Duration::from_millis(250);
/// Looks in the time of one round, all tables together: a round that waits holds up nobody but its own felt.
const LOOKS_PER_ROUND: u32 = 2;

/// What everybody shares.
pub(crate) struct World {
    /// The server.
    pub(crate) client: Client,
    /// What is played.
    pub(crate) plan: Plan,
    /// Who may speak.
    pub(crate) tokens: Tokens,
    /// What the controllers of the tables need.
    pub(crate) gateway: Gateway,
    /// What was done.
    pub(crate) books: Books,
    /// How often those who wait look again.
    pub(crate) look: Duration,
    /// Raised by every dealer who needs a supervisor.
    pub(crate) call: watch::Sender<u64>,
    /// Which incidents come when.
    pub(crate) shift: Shift,
    /// Held by an incident whose hit depends on no other one being paid from the same level meanwhile.
    pub(crate) level_alone: tokio::sync::Mutex<()>,
    inside: Mutex<Inside>,
}

/// What a lock is needed for.
#[derive(Debug, Default)]
struct Inside {
    /// Hits that the floor treats in another way than the rest.
    treatments: BTreeMap<String, Treatment>,
    /// What was staged, for the report.
    notes: Vec<String>,
}

/// How the floor treats a hit that isn't like the rest.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// Not rejected: people came to see it.
    Spared,
    /// Not looked at.
    Held,
}

impl World {
    /// A house before it opens.
    pub(crate) fn new(
        plan: Plan,
        tokens: Tokens,
        gateway: Gateway,
    ) -> Result<Self, SimulatorError> {
        plan.check()?;
        let look = match u32::try_from(plan.speed) {
            Ok(0) | Err(_) => LOOK_MIN,
            Ok(speed) => Duration::from_secs(1) / speed / LOOKS_PER_ROUND,
        };
        Ok(Self {
            client: Client::new(&plan.base)?,
            shift: Shift::of(&plan),
            plan,
            tokens,
            gateway,
            books: Books::default(),
            look: look.clamp(LOOK_MIN, LOOK_MAX),
            call: watch::Sender::new(0),
            level_alone: tokio::sync::Mutex::new(()),
            inside: Mutex::default(),
        })
    }

    /// A dealer calls the floor.
    pub(crate) fn call_the_floor(&self) {
        self.call
            .send_modify(|calls| *calls = calls.wrapping_add(1));
    }

    /// How the floor is to treat a hit.
    pub(crate) fn treat(&self, hit: String, treatment: Treatment) {
        self.inside().treatments.insert(hit, treatment);
    }

    /// How the floor treats a hit; as any other where nothing was said.
    pub(crate) fn treatment(&self, hit: &str) -> Option<Treatment> {
        self.inside().treatments.get(hit).copied()
    }

    /// What was staged, for the report.
    pub(crate) fn note(&self, round: u64, what: &str) {
        tracing::info!(round, "staged in round {round}: {what}");
        self.inside().notes.push(format!("round {round}: {what}"));
    }

    /// Everything that was staged, as it came.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.inside().notes.clone()
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
