//! Waits for changes of a table's hits.
//!
//! # Limits
//! [`Engine::hits_moved`] returns after the given time at the latest.

use meterhouse_journal::position::Position;
use std::time::Duration;

use meterhouse_domain::ids::TableName;
use tokio::time::timeout;

use crate::answer::NotExecuted;
use crate::context::Engine;
use crate::feed::follower::Follower;
use crate::operations::pipelined::AttachedTable;

impl Engine {
    /// Follows the hits of all tables of an attached table's link, from the link's present state on.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn follow(&self, table: &AttachedTable) -> Result<Follower, NotExecuted> {
        let (_, follower) = self.context.feeds.follow(table.link()).await?;
        Ok(follower)
    }

    /// Waits until the hits of a table have changed after a position, at most for the given time.
    ///
    /// # Errors
    /// [`NotExecuted`] if too many callers wait or listen, there is no such table, or the database can't be queried.
    pub async fn hits_moved(
        &self,
        table: &TableName,
        after: Position,
        most: Duration,
    ) -> Result<(), NotExecuted> {
        let feeds = &self.context.feeds;
        let _permit = feeds.displays().permit()?;
        let link = self.context.registry.find_table(table).await?.link;
        let (head, mut follower) = feeds.follow(link).await?;
        let missed = feeds.moved(link, after, head).await?;
        if missed.iter().any(|moved| moved.concerns(table)) {
            return Ok(());
        }
        let changed = async {
            while let Some(moved) = follower.next().await {
                if moved.concerns(table) && moved.position > after {
                    break;
                }
            }
        };
        // The caller reads the state next, with or without a change.
        drop(timeout(most, changed).await);
        Ok(())
    }
}
