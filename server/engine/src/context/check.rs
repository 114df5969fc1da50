//! A check of the readiness and its finding.

use std::fmt;
use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::time::Instant;

/// The state of a check, or of the whole server; the worse is the greater.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckState {
    /// All is well.
    Ok,
    /// The server plays on; an operator has something to do.
    Degraded,
    /// The server can't do its work.
    Failed,
}

/// A check and its finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its stable name.
    pub name: &'static str,
    /// Its state.
    pub state: CheckState,
    /// The finding, in a sentence.
    pub detail: String,
}

impl Check {
    /// A check that found all well.
    pub fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        let (state, detail) = (CheckState::Ok, detail.into());
        Self {
            name,
            state,
            detail,
        }
    }

    /// A check with something for an operator to do.
    pub fn degraded(name: &'static str, detail: impl Into<String>) -> Self {
        let state = CheckState::Degraded;
        Self {
            state,
            ..Self::ok(name, detail)
        }
    }

    /// A check that keeps the server from its work.
    pub fn failed(name: &'static str, detail: impl Into<String>) -> Self {
        let state = CheckState::Failed;
        Self {
            state,
            ..Self::ok(name, detail)
        }
    }
}

/// A check that the program adds to the engine's own: a look at something that is at hand, without waiting.
#[derive(Clone)]
pub struct AddedCheck(pub(crate) Arc<dyn Fn() -> Check + Send + Sync>);

impl AddedCheck {
    /// Adds this look.
    pub fn new(look: impl Fn() -> Check + Send + Sync + 'static) -> Self {
        Self(Arc::new(look))
    }
}

impl fmt::Debug for AddedCheck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("AddedCheck")
    }
}

/// When the last write that worked was made; the lock is held by the one probe under way.
pub(crate) type LastWrite = Mutex<Option<Instant>>;
