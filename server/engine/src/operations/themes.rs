//! Themes of the house, as people make them.
//!
//! # Order
//! Each change is one transaction, which runs to its end. The same change again is a replay. Signs learn of a change by the
//! version in the presentation of their link.

use meterhouse_domain::presentation::ThemeName;
use meterhouse_domain::theme::{
    Artwork, ArtworkKind, DIGEST_BYTES, HouseTheme, OwnTheme, low_contrasts,
};
use meterhouse_store::{ChangedTheme, DeletedTheme, Store, StoreError};

use crate::answer::{Idempotent, NotExecuted, unavailable};
use crate::clock::now;
use crate::context::Engine;
use crate::own_thread::to_the_end;
use crate::view::Person;

impl Engine {
    /// Returns the themes of the house, by name.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn themes(&self) -> Result<Vec<HouseTheme>, NotExecuted> {
        self.context.store.themes().await.map_err(unavailable)
    }

    /// Returns a theme of the house.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no theme of this name, or the database can't be queried.
    pub async fn theme(&self, name: &ThemeName) -> Result<HouseTheme, NotExecuted> {
        let found = self.context.store.theme(name).await.map_err(unavailable)?;
        found.ok_or_else(|| NotExecuted::UnknownTheme(name.to_string()))
    }

    /// Makes a theme, or replaces its look. Its artwork stays.
    ///
    /// # Errors
    /// [`NotExecuted`] if texts would not stand out, there are too many themes, or the database refuses.
    pub async fn put_theme(
        &self,
        person: &Person,
        name: &ThemeName,
        look: OwnTheme,
    ) -> Result<Idempotent<HouseTheme>, NotExecuted> {
        let low = low_contrasts(&look).into_iter();
        let low: Vec<_> = low
            .map(|low| (low.field.clone(), low.to_string()))
            .collect();
        if !low.is_empty() {
            return Err(NotExecuted::LowContrast(low));
        }
        let (theme, by) = (name.clone(), (person.actor, now()));
        let change = async move |store: Store| store.put_theme(&theme, by, &look).await;
        self.change_theme(name, change).await
    }

    /// Gives a theme a picture, or none.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no theme of this name, or the database refuses.
    pub async fn set_artwork(
        &self,
        person: &Person,
        (name, kind): (&ThemeName, ArtworkKind),
        new: Option<(Artwork, Vec<u8>)>,
    ) -> Result<Idempotent<HouseTheme>, NotExecuted> {
        let (theme, by) = (name.clone(), (person.actor, now()));
        let change =
            async move |store: Store| store.set_artwork((&theme, kind), by, new.as_ref()).await;
        self.change_theme(name, change).await
    }

    /// Deletes a theme with its artwork. A replay if it was deleted before.
    ///
    /// # Errors
    /// [`NotExecuted`] if there never was such a theme, links use it, or the database refuses.
    pub async fn delete_theme(
        &self,
        person: &Person,
        name: &ThemeName,
    ) -> Result<Idempotent<()>, NotExecuted> {
        let (store, theme, by) = (
            self.context.store.clone(),
            name.clone(),
            (person.actor, now()),
        );
        let deleting = to_the_end(async move || store.delete_theme(&theme, by).await);
        let deleted = deleting.await.map_err(|_| NotExecuted::OutcomeUnknown)?;
        match deleted.map_err(unavailable)? {
            DeletedTheme::Deleted => Ok(Idempotent::first(())),
            DeletedTheme::Before => Ok(Idempotent::repeat(())),
            DeletedTheme::Unknown => Err(NotExecuted::UnknownTheme(name.to_string())),
            DeletedTheme::Used(links) => Err(NotExecuted::ThemeUsed(links.join(", "))),
        }
    }

    /// Returns the bytes of a picture.
    ///
    /// # Errors
    /// [`NotExecuted`] if no theme has it, or the database can't be queried.
    pub async fn artwork(&self, digest: [u8; DIGEST_BYTES]) -> Result<Vec<u8>, NotExecuted> {
        let found = self
            .context
            .store
            .artwork(digest)
            .await
            .map_err(unavailable)?;
        found.ok_or_else(|| NotExecuted::UnknownArtwork(hex::encode(digest)))
    }

    async fn change_theme(
        &self,
        name: &ThemeName,
        change: impl AsyncFnOnce(Store) -> Result<ChangedTheme, StoreError> + Send + 'static,
    ) -> Result<Idempotent<HouseTheme>, NotExecuted> {
        let store = self.context.store.clone();
        let changing = to_the_end(async move || change(store).await);
        let changed = changing.await.map_err(|_| NotExecuted::OutcomeUnknown)?;
        match changed.map_err(unavailable)? {
            ChangedTheme::Changed(theme) => Ok(Idempotent::first(*theme)),
            ChangedTheme::Before(theme) => Ok(Idempotent::repeat(*theme)),
            ChangedTheme::Unknown => Err(NotExecuted::UnknownTheme(name.to_string())),
            ChangedTheme::TooMany => Err(NotExecuted::TooManyThemes),
        }
    }
}
