//! A connection that has shown no valid token yet, as a handler sees it.

use std::sync::Arc;

use super::admission::Admission;
use super::connection_state::ConnectionState;

/// The connection of a request, if it has shown no valid token yet.
#[derive(Clone)]
pub(crate) struct AnonymousConnection {
    pub(super) state: Arc<ConnectionState>,
    pub(super) admission: Arc<Admission>,
}

impl AnonymousConnection {
    /// Records that the connection has shown a valid token.
    pub(crate) fn mark_authenticated(&self) {
        self.admission.mark_authenticated(&self.state);
    }

    /// Counts the connection among the feeds. Returns `false` if the limit is reached.
    pub(crate) fn count_as_feed(&self) -> bool {
        self.admission.count_as_feed(&self.state)
    }
}
