//! The pass of the floor's feed: a token, or the session of a person.

use std::time::Duration;

use tokio::time::Instant;

use crate::context::Engine;

/// Interval at which the pass of a floor's feed is checked. A revoked or expired token ends the feed, and so does the end of
/// a session.
pub const TOKEN_EVERY: Duration = Duration::from_secs(5);

/// The pass with which a caller who may read a link gets the floor's feed.
#[derive(Clone, PartialEq, Eq)]
pub enum FloorPass {
    /// A token.
    Token(String),
    /// The secret of a session.
    Session(String),
}

/// The pass of a feed that is open, and the time of its last check.
pub(super) struct CheckedPass {
    engine: Engine,
    pass: FloorPass,
    checked_at: Instant,
}

impl CheckedPass {
    /// Returns a pass that was valid a moment ago.
    pub(super) fn new(engine: Engine, pass: FloorPass) -> Self {
        Self {
            engine,
            pass,
            checked_at: Instant::now(),
        }
    }

    /// Returns `true` if the pass is still valid, with a query every [`TOKEN_EVERY`]. A pass counts as valid during an
    /// outage of the database. A feed is no use of its session: it does not keep it from ending.
    pub(super) async fn is_valid(&mut self) -> bool {
        if self.checked_at.elapsed() < TOKEN_EVERY {
            return true;
        }
        let is_over = match &self.pass {
            FloorPass::Token(token) => matches!(self.engine.authenticate(token).await, Ok(None)),
            FloorPass::Session(secret) => {
                let goes_on = self.engine.access().session_goes_on(secret).await;
                matches!(goes_on, Ok(false))
            }
        };
        self.checked_at = Instant::now();
        !is_over
    }
}
