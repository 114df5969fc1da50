//! Changes of tables' hits, on any node, for tables' streams and waiting requests.
//!
//! # Shape
//! A [`Follower`] receives the same messages as the displays of a link, and returns the table of each message about a
//! hit. The state itself is read from the link: [`Engine::table_at`](crate::Engine::table_at).
//!
//! # Limits
//! A follower that falls behind by more messages than the channel keeps gets one message that the hits of any table may
//! have changed.

use meterhouse_domain::hit_name::HitName;
use meterhouse_journal::position::Position;
use std::sync::Arc;

use meterhouse_domain::ids::TableName;
use meterhouse_journal::hit::HitState;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::feed::item::{FeedEvent, FeedItem};

/// A change of one table's hits, or of any table's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitsMoved {
    /// The position of the change in the journal.
    pub position: Position,
    /// The table. Empty if any table's hits may have changed.
    pub table: Option<TableName>,
    /// The hit, if its round is void and the table's state no longer contains the hit.
    pub void: Option<HitName>,
}

/// A receiver of the changes of one link's hits.
#[derive(Debug)]
pub struct Follower {
    items: broadcast::Receiver<Arc<FeedItem>>,
}

impl HitsMoved {
    /// A change that may concern every table. Only the newest state contains it.
    pub const ALL: Self = Self {
        position: Position::behind(u64::MAX),
        table: None,
        void: None,
    };

    /// Returns the change of a table's hits that a message contains, if any.
    pub(crate) fn of(event: &FeedEvent) -> Option<Self> {
        let (position, hit, is_void) = match event {
            FeedEvent::Hit { position, hit, .. } => (position, hit.name(), false),
            FeedEvent::HitChanged {
                position,
                hit,
                state,
                ..
            } => (position, hit.clone(), *state == Some(HitState::Void)),
            FeedEvent::Paid { position, hit, .. } => (position, hit.clone(), false),
            FeedEvent::Snapshot { .. }
            | FeedEvent::Meters { .. }
            | FeedEvent::LinkState { .. }
            | FeedEvent::TableState { .. }
            | FeedEvent::Presentation { .. } => return None,
        };
        Some(Self {
            position: *position,
            table: Some(hit.table.clone()),
            void: is_void.then_some(hit),
        })
    }

    /// Returns `true` if the change concerns the table.
    pub fn concerns(&self, table: &TableName) -> bool {
        self.table.as_ref().is_none_or(|moved| moved == table)
    }
}

impl Follower {
    pub(crate) const fn new(items: broadcast::Receiver<Arc<FeedItem>>) -> Self {
        Self { items }
    }

    /// Waits for the next change. Returns nothing once the engine has stopped. Cancelling the wait loses nothing.
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
