//! The operations that wait for changes of a table's hits.
//!
//! # Limits
//! [`Engine::hits_moved`] ends after the time that it is given.

use std::time::Duration;

use meterhouse_domain::ids::TableName;
use tokio::time::timeout;

use crate::answer::Denied;
use crate::context::Engine;
use crate::feed::follower::Follower;
use crate::operations::pipelined::AttachedTable;
use crate::view::Place;

impl Engine {
    /// Follows the hits of all tables of an attached table's link: every change after the link's present state.
    ///
    /// # Errors
    /// [`Denied`] where the database can't be asked.
    pub async fn follow(&self, table: &AttachedTable) -> Result<Follower, Denied> {
        let (_, follower) = self.context.feeds.follow(table.link()).await?;
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
        let feeds = &self.context.feeds;
        let _permit = feeds.permit()?;
        let link = self.context.registry.find_table(table).await?.link;
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
