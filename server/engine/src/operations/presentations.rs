//! The presentation of links and tables, as people choose it.
//!
//! # Order
//! The newest change counts. A change to what is presented already is a replay.
//!
//! # Limits
//! A change that meets another one is tried [`ATTEMPTS_MAX`] times.

use meterhouse_domain::ids::{LinkId, LinkName, TableName};
use meterhouse_domain::presentation::{DisplayName, LinkPresentation};

use meterhouse_store::PresentedLink;

use crate::answer::{Idempotent, NotExecuted, unavailable};
use crate::clock::now;
use crate::context::Engine;
use crate::own_thread::to_the_end;
use crate::view::Person;

/// Maximum number of attempts of a change.
const ATTEMPTS_MAX: u32 = 3;

impl Engine {
    /// Presents a link in another way, in the name of a person. A replay if it is presented so already.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no link or no theme of this name, or the database refuses.
    pub async fn present_link(
        &self,
        person: &Person,
        link: &LinkName,
        new: LinkPresentation,
    ) -> Result<Idempotent<LinkPresentation>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        for _ in 0..ATTEMPTS_MAX {
            match self.add_presentation(person, id, &new).await? {
                PresentedLink::Added(theme_version) => {
                    return Ok(Idempotent::first(LinkPresentation {
                        theme_version,
                        ..new
                    }));
                }
                PresentedLink::UnknownTheme(theme) => {
                    return Err(NotExecuted::UnknownTheme(theme.to_string()));
                }
                PresentedLink::NotAdded => {}
            }
            let newest = self.context.store.link_presentations(&[id]).await;
            let newest = newest.map_err(unavailable)?.remove(&id);
            if let Some(newest) = newest
                && newest.chooses_as(&new)
            {
                return Ok(Idempotent::repeat(newest));
            }
        }
        Err(NotExecuted::Busy)
    }

    async fn add_presentation(
        &self,
        person: &Person,
        link: LinkId,
        new: &LinkPresentation,
    ) -> Result<PresentedLink, NotExecuted> {
        let (store, new, by) = (
            self.context.store.clone(),
            new.clone(),
            (person.actor, now()),
        );
        let adding = to_the_end(async move || store.present_link(link, by, &new).await);
        let added = adding.await.map_err(|_| NotExecuted::OutcomeUnknown)?;
        added.map_err(unavailable)
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
