//! A check of the readiness and its finding.

use std::fmt;
use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::time::Instant;

/// The state of a check, or of the whole server. The worse state is the greater.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckState {
    /// No problem.
    Ok,
    /// The server plays on, and an operator has to act.
    Degraded,
    /// The server can't do its work.
    Failed,
}

/// A readiness check with its finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The stable name.
    pub name: &'static str,
    /// The state.
    pub state: CheckState,
    /// The finding, in a sentence.
    pub detail: String,
}

impl Check {
    /// Returns a check without a problem.
    pub fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        let (state, detail) = (CheckState::Ok, detail.into());
        Self {
            name,
            state,
            detail,
        }
    }

    /// Returns a check on which an operator has to act.
    pub fn degraded(name: &'static str, detail: impl Into<String>) -> Self {
        let state = CheckState::Degraded;
        Self {
            state,
            ..Self::ok(name, detail)
        }
    }

    /// Returns a check that stops the server's work.
    pub fn failed(name: &'static str, detail: impl Into<String>) -> Self {
        let state = CheckState::Failed;
        Self {
            state,
            ..Self::ok(name, detail)
        }
    }
}

/// A check that the program adds to the engine's own, and that returns immediately.
#[derive(Clone)]
pub struct AddedCheck(pub(crate) Arc<dyn Fn() -> Check + Send + Sync>);

impl AddedCheck {
    /// Wraps a function that runs the check.
    pub fn new(look: impl Fn() -> Check + Send + Sync + 'static) -> Self {
        Self(Arc::new(look))
    }
}

impl fmt::Debug for AddedCheck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("AddedCheck")
    }
}

/// The time of the last successful write. The probe under way holds the lock.
pub(crate) type LastWrite = Mutex<Option<Instant>>;
