//! What everybody in the house shares: the server, the plan, the books, and the call for a supervisor.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::books::Books;
use crate::client::Client;
use crate::error::SimulatorError;
use crate::plan::{Plan, Tokens};

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
    /// What was done.
    pub(crate) books: Books,
    /// How often those who wait look again.
    pub(crate) look: Duration,
    /// Raised by every dealer who needs a supervisor.
    pub(crate) call: watch::Sender<u64>,
    /// Staged hits: the floor doesn't reject what people came to see.
    spared: Mutex<BTreeSet<String>>,
}

impl World {
    /// A house before it opens.
    pub(crate) fn new(plan: Plan, tokens: Tokens) -> Result<Self, SimulatorError> {
        plan.check()?;
        let look = match u32::try_from(plan.speed) {
            Ok(0) | Err(_) => LOOK_MIN,
            Ok(speed) => Duration::from_secs(1) / speed / LOOKS_PER_ROUND,
        };
        Ok(Self {
            client: Client::new(&plan.base)?,
            plan,
            tokens,
            books: Books::default(),
            look: look.clamp(LOOK_MIN, LOOK_MAX),
            call: watch::Sender::new(0),
            spared: Mutex::new(BTreeSet::new()),
        })
    }

    /// A dealer calls the floor.
    pub(crate) fn call_the_floor(&self) {
        self.call
            .send_modify(|calls| *calls = calls.wrapping_add(1));
    }

    /// This hit is not to be rejected.
    pub(crate) fn spare(&self, hit: String) {
        self.spared
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(hit);
    }

    /// Whether this hit is not to be rejected.
    pub(crate) fn is_spared(&self, hit: &str) -> bool {
        self.spared
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(hit)
    }
}
