//! Who listens to a feed, and what of it players may see.
//!
//! # Shape
//! The feed is made for the floor. [`FeedEvent::for_players`] is what a sign says of the same happening: why a hit is no
//! longer won and why a table can't be played is the floor's business (CONFORMANCE 46).

use crate::stored_rows::stands;
use crate::view::{HitView, LinkView};

/// The audience of a feed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everybody: signs and whoever stands before them.
    Players,
    /// Supervisors, managers and auditors of the link.
    Floor,
}

impl Audience {
    /// Returns a link as this audience sees it.
    pub(crate) fn link(self, link: LinkView) -> LinkView {
        match self {
            Self::Players => link.for_players(),
            Self::Floor => link,
        }
    }

    /// Checks whether this audience sees a hit in a snapshot.
    pub(crate) const fn sees(self, hit: &HitView) -> bool {
        match self {
            Self::Players => stands(hit.row.state),
            Self::Floor => true,
        }
    }
}
