//! The pass of a feed: a token, or the session of a person. It decides the audience, and the feed ends with it.

use std::time::Duration;

use tokio::time::Instant;

use crate::context::Engine;
use crate::feed::audience::Audience;

/// Interval at which the pass of a feed is checked. A revoked or expired token ends the feed, and so does the end of a
/// session.
pub const TOKEN_EVERY: Duration = Duration::from_secs(5);

/// The pass with which a caller gets a feed.
#[derive(Clone, PartialEq, Eq)]
pub enum FeedPass {
    /// A token of a caller who may read the link: the floor's feed.
    Token(String),
    /// The secret of the session of a person who may read the link: the floor's feed.
    Session(String),
    /// A token of a display, or of another caller who may not read the link: the players' feed.
    Display(String),
}

impl FeedPass {
    /// Returns the audience of the feed.
    pub(super) const fn audience(&self) -> Audience {
        match self {
            Self::Token(_) | Self::Session(_) => Audience::Floor,
            Self::Display(_) => Audience::Players,
        }
    }
}

/// The pass of a feed that is open, and the time of its last check.
pub(super) struct CheckedPass {
    engine: Engine,
    pass: FeedPass,
    checked_at: Instant,
}

impl CheckedPass {
    /// Returns a pass that was valid a moment ago.
    pub(super) fn new(engine: Engine, pass: FeedPass) -> Self {
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
            FeedPass::Token(token) | FeedPass::Display(token) => {
                matches!(self.engine.authenticate(token).await, Ok(None))
            }
            FeedPass::Session(secret) => {
                let goes_on = self.engine.access().session_goes_on(secret).await;
                matches!(goes_on, Ok(false))
            }
        };
        self.checked_at = Instant::now();
        !is_over
    }
}
