//! The audiences of a feed, and the differences between them.
//!
//! # Shape
//! The feed contains what the floor may see. [`FeedEvent::for_players`] is the players' version. Only the floor sees
//! the reason that a hit is no longer won or that a table can't be played (CONFORMANCE 46).

use crate::stored_rows::stands;
use crate::view::{HitView, LinkView};

/// The audience of a feed.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// The public: signs and the players who read them.
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

    /// Returns `true` if this audience sees a hit in a snapshot.
    pub(crate) const fn sees(self, hit: &HitView) -> bool {
        match self {
            Self::Players => stands(hit.row.state),
            Self::Floor => true,
        }
    }
}
