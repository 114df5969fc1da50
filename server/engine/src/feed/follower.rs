//! Changes of tables' hits, on any node: what a table's stream and a waiting request are told.
//!
//! # Shape
//! A [`Follower`] listens to the same messages as the displays of a link, and returns which table's hits each one
//! concerns. The state itself is read from the link: [`Engine::table_at`].
//!
//! # What bounds it
//! A follower that falls behind by more messages than the channel keeps is told once that any table's hits may have
//! changed. [`Engine::hits_moved`] ends after the time that it is given.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::name::TableName;
use meterhouse_journal::hit::HitState;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

use crate::Engine;
use crate::answer::Denied;
use crate::feed::item::{FeedEvent, FeedItem};
use crate::operations::pipelined::Seated;
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

impl Engine {
    /// Follows the hits of all tables of an attached table's link: every change after the link's present state.
    ///
    /// # Errors
    /// [`Denied`] where the database can't be asked.
    pub async fn follow(&self, table: &Seated) -> Result<Follower, Denied> {
        let (_, follower) = self.inner.feeds.follow(table.link()).await?;
        Ok(follower)
    }

    /// Waits until the hits of a table changed behind a place, for so long at most.
    ///
    /// # Errors
    /// [`Denied`] where too many wait or listen, there is no such table, or the database can't be asked.
    pub async fn hits_moved(
        &self,
        table: &TableName,
        after: Place,
        most: Duration,
    ) -> Result<(), Denied> {
        let feeds = &self.inner.feeds;
        let _room = feeds.room()?;
        let link = self.inner.house.find_table(table).await?.link;
        let (head, mut follower) = feeds.follow(link).await?;
        let missed = feeds.moved(link, after, head).await?;
        if missed.iter().any(|moved| moved.concerns(table)) {
            return Ok(());
        }
        let changed = async {
            while let Some(moved) = follower.next().await {
                if moved.concerns(table) && moved.place > after {
                    break;
                }
            }
        };
        // Whether it changed is in the state, which the caller reads next.
        drop(timeout(most, changed).await);
        Ok(())
    }
}
