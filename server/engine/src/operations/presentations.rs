//! The presentation of links and tables, as people choose it.
//!
//! # Order
//! The newest change counts. A change to what is presented already is a replay.
//!
//! # Limits
//! A change that meets another one is tried [`ATTEMPTS_MAX`] times.

use meterhouse_domain::ids::{LinkName, TableName};
use meterhouse_domain::presentation::{DisplayName, LinkPresentation};

use crate::answer::{Idempotent, NotExecuted, unavailable};
use crate::clock::now;
use crate::context::Engine;
use crate::view::Person;

/// Maximum number of attempts of a change.
const ATTEMPTS_MAX: u32 = 3;

impl Engine {
    /// Presents a link in another way, in the name of a person. A replay if it is presented so already.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no link of this name, or the database refuses.
    pub async fn present_link(
        &self,
        person: &Person,
        link: &LinkName,
        new: LinkPresentation,
    ) -> Result<Idempotent<LinkPresentation>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let store = &self.context.store;
        for _ in 0..ATTEMPTS_MAX {
            let added = store.present_link(id, (person.actor, now()), &new).await;
            if added.map_err(unavailable)? {
                return Ok(Idempotent::first(new));
            }
            let newest = store.link_presentations(&[id]).await.map_err(unavailable)?;
            if newest.get(&id) == Some(&new) {
                return Ok(Idempotent::repeat(new));
            }
        }
        Err(NotExecuted::Busy)
    }

    /// Names the pit of a table, in the name of a person. A replay if it has that name already.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no table of this name, or the database refuses.
    pub async fn present_table(
        &self,
        person: &Person,
        table: &TableName,
        pit: Option<DisplayName>,
    ) -> Result<Idempotent<Option<DisplayName>>, NotExecuted> {
        let found = self.context.registry.find_table(table).await?;
        let place = (found.link, found.number);
        let store = &self.context.store;
        for _ in 0..ATTEMPTS_MAX {
            let by = (person.actor, now());
            let added = store.present_table(place, by, pit.as_ref()).await;
            if added.map_err(unavailable)? {
                return Ok(Idempotent::first(pit));
            }
            if store.pit(place.0, place.1).await.map_err(unavailable)? == pit {
                return Ok(Idempotent::repeat(pit));
            }
        }
        Err(NotExecuted::Busy)
    }
}
