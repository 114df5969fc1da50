//! Changes of tables' hits, on any node: what a table's stream and a waiting request are told.
//!
//! # Shape
//! A [`Follower`] listens to the same messages as the displays of a link, and returns which table's hits each one
//! concerns. The state itself is read from the link: [`Engine::table_at`](crate::Engine::table_at).
//!
//! # Limits
//! A follower that falls behind by more messages than the channel keeps is told once that any table's hits may have
//! changed.

use std::sync::Arc;

use meterhouse_domain::ids::TableName;
use meterhouse_journal::hit::HitState;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::feed::item::{FeedEvent, FeedItem};
use crate::view::{HitName, Place};

/// A change of one table's hits, or of any table's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitsMoved {
    /// The place of the change in the journal.
    pub place: Place,
    /// The table; none where any table may be concerned.
    pub table: Option<TableName>,
    /// The hit, where its round is void: the table's state no longer has it.
    pub void: Option<HitName>,
}

/// A listener to the hits of one link's tables.
#[derive(Debug)]
pub struct Follower {
    items: broadcast::Receiver<Arc<FeedItem>>,
}

impl HitsMoved {
    /// A change that may concern every table: only the newest state contains it.
    pub const ALL: Self = Self {
        place: Place::end_of(u64::MAX),
        table: None,
        void: None,
    };

    /// Returns what a message of the feed says about a table's hits, if anything.
    pub(crate) fn of(event: &FeedEvent) -> Option<Self> {
        let (place, hit, is_void) = match event {
            FeedEvent::Hit { place, hit, .. } => (place, hit.name(), false),
            FeedEvent::HitChanged {
                place, hit, state, ..
            } => (place, hit.parse().ok()?, *state == Some(HitState::Void)),
            FeedEvent::Paid { place, hit, .. } => (place, hit.parse().ok()?, false),
            FeedEvent::Snapshot { .. }
            | FeedEvent::Meters { .. }
            | FeedEvent::LinkState { .. }
            | FeedEvent::TableState { .. } => return None,
        };
        Some(Self {
            place: *place,
            table: Some(hit.table.clone()),
            void: is_void.then_some(hit),
        })
    }

    /// Checks whether it concerns a table.
    pub fn concerns(&self, table: &TableName) -> bool {
        self.table.as_ref().is_none_or(|moved| moved == table)
    }
}

impl Follower {
    pub(crate) const fn new(items: broadcast::Receiver<Arc<FeedItem>>) -> Self {
        Self { items }
    }

    /// Waits for the next change; returns nothing once the engine has stopped. A dropped wait loses nothing.
    pub async fn next(&mut self) -> Option<HitsMoved> {
        loop {
            match self.items.recv().await {
                Ok(item) => {
                    if let Some(moved) = HitsMoved::of(&item.event) {
                        return Some(moved);
                    }
                }
                Err(RecvError::Lagged(_)) => return Some(HitsMoved::ALL),
                Err(RecvError::Closed) => return None,
            }
        }
    }
}
