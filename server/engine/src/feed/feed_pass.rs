//! The pass of a feed: a token, or the session of a person. It decides the audience, and the feed ends with it.

use std::time::Duration;

use tokio::time::Instant;

use crate::answer::NotExecuted;
use crate::context::Engine;
use crate::feed::audience::Audience;
use crate::held_credentials::{Held, Standing};

/// Interval at which the pass of a feed is looked up while it can't be confirmed. A revoked or expired token ends the feed,
/// and so does the end of a session.
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

/// The pass of a feed that is open.
pub(super) struct CheckedPass {
    engine: Engine,
    pass: FeedPass,
    /// The token or session, once it was looked up.
    held: Option<Held<()>>,
    /// The time of the last lookup.
    looked_up_at: Option<Instant>,
}

impl CheckedPass {
    /// Returns a pass that was valid a moment ago.
    pub(super) fn new(engine: Engine, pass: FeedPass) -> Self {
        Self {
            engine,
            pass,
            held: None,
            looked_up_at: None,
        }
    }

    /// Returns `true` if the pass is known to have ended.
    pub(super) fn has_ended(&self) -> bool {
        self.standing() == Standing::Ended
    }

    /// Returns `true` if the pass is known to have ended, or [`is_valid`](Self::is_valid) would look it up.
    pub(super) fn is_check_due(&self) -> bool {
        match self.standing() {
            Standing::Valid => false,
            Standing::Ended => true,
            Standing::Unconfirmed => {
                let looked_up_at = self.looked_up_at;
                looked_up_at.is_none_or(|at| at.elapsed() >= TOKEN_EVERY)
            }
        }
    }

    fn standing(&self) -> Standing {
        let held = self.held.as_ref();
        held.map_or(Standing::Unconfirmed, Held::standing)
    }

    /// Returns `true` if the pass is still valid. It is looked up once. Later it is known by the confirmation of what is
    /// held, or looked up again every [`TOKEN_EVERY`] without one. A pass counts as valid during an outage of the database.
    /// A feed is no use of its session: it does not keep it from ending.
    pub(super) async fn is_valid(&mut self) -> bool {
        if self.has_ended() {
            return false;
        }
        if !self.is_check_due() {
            return true;
        }
        let found = self.look_up().await;
        self.looked_up_at = Some(Instant::now());
        match found {
            Ok(Some(held)) => self.held = Some(held),
            Ok(None) => return false,
            Err(_) => {}
        }
        true
    }

    async fn look_up(&self) -> Result<Option<Held<()>>, NotExecuted> {
        match &self.pass {
            FeedPass::Token(token) | FeedPass::Display(token) => {
                let found = self.engine.authenticate(token).await?;
                Ok(found.map(|found| found.with(())))
            }
            FeedPass::Session(secret) => self.engine.access().session_going_on(secret).await,
        }
    }
}
