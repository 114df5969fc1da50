//! Who listens to a feed, and what of it players may see.
//!
//! # Shape
//! The feed is made for the floor. [`FeedEvent::for_players`] is what a sign says of the same happening: why a hit is no
//! longer won and why a table can't be played is the floor's business (CONFORMANCE 46).

use meterhouse_journal::hit::HitState;

use crate::feed::item::FeedEvent;
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

impl FeedEvent {
    /// Returns what players are told instead, where that differs. A snapshot is made for its audience already.
    pub(crate) fn for_players(&self) -> Option<Self> {
        match self {
            Self::HitChanged {
                place,
                at,
                hit,
                state: Some(state),
                resettled,
            } if !stands(*state) => Some(Self::HitChanged {
                place: *place,
                at: *at,
                hit: hit.clone(),
                state: None,
                resettled: *resettled,
            }),
            Self::TableState {
                place,
                at,
                table,
                status,
            } if status.for_players() != *status => Some(Self::TableState {
                place: *place,
                at: *at,
                table: table.clone(),
                status: status.for_players(),
            }),
            Self::Snapshot { .. }
            | Self::Meters { .. }
            | Self::Hit { .. }
            | Self::HitChanged { .. }
            | Self::Paid { .. }
            | Self::LinkState { .. }
            | Self::TableState { .. } => None,
        }
    }
}

/// Whether a hit is still won.
const fn stands(state: HitState) -> bool {
    match state {
        HitState::Pending | HitState::ValidatedByRule | HitState::Validated | HitState::Paid => {
            true
        }
        HitState::Cancelled | HitState::Rejected | HitState::Void | HitState::Withdrawn => false,
    }
}
