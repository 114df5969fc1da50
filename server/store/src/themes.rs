//! Themes of the house and their artwork: the newest row of each counts.
//!
//! # Limits
//! At most [`THEMES_MAX`] themes. A picture that no theme has any more is kept for [`UNUSED_ARTWORK_KEPT`], for signs that
//! are loading it, and deleted with the next change after that.
//!
//! # Order and locking
//! Every change takes the lock of themes first. So does a link that chooses a theme of the house, so that a chosen theme
//! is there.

mod rows;

use std::time::Duration;

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_domain::presentation::ThemeName;
use meterhouse_domain::theme::{Artwork, ArtworkKind, DIGEST_BYTES, HouseTheme, OwnTheme};
use sqlx::postgres::PgConnection;

use crate::error::StoreError;
use crate::numbers::bounded;
use crate::rows::RowReader;
use crate::sql::statement::ResultExt as _;
use crate::sql::theme::{
    ADD_ARTWORK, ADD_THEME, ADD_THEME_ARTWORK, ARTWORK, LINKS_OF_THEME, LOCK_THEMES, PRUNE_ARTWORK,
    THEMES, WAS_THEME,
};
use crate::store::Store;

/// Maximum number of themes of a house.
pub const THEMES_MAX: usize = 64;
/// Maximum number of links that a refusal names.
const NAMED_LINKS_MAX: usize = 5;
/// Time for which a picture that no theme has any more is kept.
const UNUSED_ARTWORK_KEPT: Duration = Duration::from_hours(1);

/// The result of a change to a theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangedTheme {
    /// The theme was changed.
    Changed(Box<HouseTheme>),
    /// The theme was so before.
    Before(Box<HouseTheme>),
    /// There is no theme of this name.
    Unknown,
    /// The house has [`THEMES_MAX`] themes.
    TooMany,
}

/// The result of deleting a theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeletedTheme {
    /// The theme was deleted.
    Deleted,
    /// The theme was deleted before.
    Before,
    /// There never was a theme of this name.
    Unknown,
    /// Links present themselves by it: some of them.
    Used(Vec<String>),
}

impl Store {
    /// Returns the themes of the house, by name.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn themes(&self) -> Result<Vec<HouseTheme>, StoreError> {
        let query = sqlx::query(THEMES.sql)
            .bind(None::<String>)
            .bind(bounded(THEMES_MAX, THEMES_MAX));
        let found = self.inner.rows(THEMES, query).await?;
        found.iter().map(rows::theme).collect()
    }

    /// Returns a theme of the house.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn theme(&self, name: &ThemeName) -> Result<Option<HouseTheme>, StoreError> {
        let query = sqlx::query(THEMES.sql)
            .bind(Some(name.to_string()))
            .bind(1_i64);
        let row = self.inner.row(THEMES, query).await?;
        row.as_ref().map(rows::theme).transpose()
    }

    /// Makes or replaces a theme. Its artwork stays.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn put_theme(
        &self,
        name: &ThemeName,
        by: (ActorId, Timestamp),
        look: &OwnTheme,
    ) -> Result<ChangedTheme, StoreError> {
        self.run_tx("theme.put", async |transaction: &mut PgConnection| {
            lock(transaction).await?;
            match find(transaction, name).await? {
                Some(theme) if theme.look == *look => {
                    return Ok(ChangedTheme::Before(Box::new(theme)));
                }
                None if count(transaction).await? >= THEMES_MAX => {
                    return Ok(ChangedTheme::TooMany);
                }
                Some(_) | None => {}
            }
            add(transaction, name, by, Some(look)).await?;
            changed(transaction, name).await
        })
        .await
    }

    /// Deletes a theme with its artwork, unless a link presents itself by it.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn delete_theme(
        &self,
        name: &ThemeName,
        by: (ActorId, Timestamp),
    ) -> Result<DeletedTheme, StoreError> {
        self.run_tx("theme.delete", async |transaction: &mut PgConnection| {
            lock(transaction).await?;
            let Some(theme) = find(transaction, name).await? else {
                let was = was(transaction, name).await?;
                return Ok(if was {
                    DeletedTheme::Before
                } else {
                    DeletedTheme::Unknown
                });
            };
            let links = links_of(transaction, name).await?;
            if !links.is_empty() {
                return Ok(DeletedTheme::Used(links));
            }
            for kind in ArtworkKind::ALL {
                if theme.artwork(*kind).is_some() {
                    give(transaction, (name, *kind), by, None).await?;
                }
            }
            add(transaction, name, by, None).await?;
            prune(transaction, by.1).await?;
            Ok(DeletedTheme::Deleted)
        })
        .await
    }

    /// Gives a theme a picture, or none. `bytes` are those of the picture.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn set_artwork(
        &self,
        (name, kind): (&ThemeName, ArtworkKind),
        by: (ActorId, Timestamp),
        new: Option<&(Artwork, Vec<u8>)>,
    ) -> Result<ChangedTheme, StoreError> {
        self.run_tx("theme.artwork", async |transaction: &mut PgConnection| {
            lock(transaction).await?;
            let Some(theme) = find(transaction, name).await? else {
                return Ok(ChangedTheme::Unknown);
            };
            let digest = |artwork: &Artwork| artwork.digest;
            if theme.artwork(kind).as_ref().map(digest) == new.map(|(artwork, _)| artwork.digest) {
                return Ok(ChangedTheme::Before(Box::new(theme)));
            }
            if let Some((artwork, bytes)) = new {
                keep(transaction, by.1, artwork, bytes).await?;
            }
            give(
                transaction,
                (name, kind),
                by,
                new.map(|(artwork, _)| artwork.digest),
            )
            .await?;
            prune(transaction, by.1).await?;
            changed(transaction, name).await
        })
        .await
    }

    /// Returns the bytes of a picture.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn artwork(&self, digest: [u8; DIGEST_BYTES]) -> Result<Option<Vec<u8>>, StoreError> {
        let query = sqlx::query(ARTWORK.sql).bind(digest.to_vec());
        let row = self.inner.row(ARTWORK, query).await?;
        row.map(|row| RowReader::new(ARTWORK, "artwork", &row).get("bytes"))
            .transpose()
    }
}

/// Takes the lock of themes until the transaction ends.
pub(crate) async fn lock(transaction: &mut PgConnection) -> Result<(), StoreError> {
    let locking = sqlx::query(LOCK_THEMES.sql).execute(transaction).await;
    locking.map(drop).in_statement(LOCK_THEMES)
}

/// Returns a theme as the transaction sees it.
pub(crate) async fn find(
    transaction: &mut PgConnection,
    name: &ThemeName,
) -> Result<Option<HouseTheme>, StoreError> {
    let query = sqlx::query(THEMES.sql)
        .bind(Some(name.to_string()))
        .bind(1_i64);
    let row = query
        .fetch_optional(transaction)
        .await
        .in_statement(THEMES)?;
    row.as_ref().map(rows::theme).transpose()
}

async fn changed(
    transaction: &mut PgConnection,
    name: &ThemeName,
) -> Result<ChangedTheme, StoreError> {
    let theme = find(transaction, name).await?;
    Ok(theme.map_or(ChangedTheme::Unknown, |theme| {
        ChangedTheme::Changed(Box::new(theme))
    }))
}

async fn count(transaction: &mut PgConnection) -> Result<usize, StoreError> {
    let query = sqlx::query(THEMES.sql)
        .bind(None::<String>)
        .bind(bounded(THEMES_MAX, THEMES_MAX));
    Ok(query
        .fetch_all(transaction)
        .await
        .in_statement(THEMES)?
        .len())
}

async fn was(transaction: &mut PgConnection, name: &ThemeName) -> Result<bool, StoreError> {
    let query = sqlx::query(WAS_THEME.sql).bind(name.to_string());
    Ok(query
        .fetch_optional(transaction)
        .await
        .in_statement(WAS_THEME)?
        .is_some())
}

async fn links_of(
    transaction: &mut PgConnection,
    name: &ThemeName,
) -> Result<Vec<String>, StoreError> {
    let query = sqlx::query(LINKS_OF_THEME.sql).bind(name.to_string());
    let query = query.bind(bounded(NAMED_LINKS_MAX, NAMED_LINKS_MAX));
    let found = query
        .fetch_all(transaction)
        .await
        .in_statement(LINKS_OF_THEME)?;
    found
        .iter()
        .map(|row| RowReader::new(LINKS_OF_THEME, "link", row).get("name"))
        .collect()
}

async fn add(
    transaction: &mut PgConnection,
    name: &ThemeName,
    (actor, at): (ActorId, Timestamp),
    look: Option<&OwnTheme>,
) -> Result<(), StoreError> {
    let colours = look.map(rows::colours).unwrap_or_default();
    let (names, level_colours) = look.map(rows::levels).unwrap_or_default();
    let adding = sqlx::query(ADD_THEME.sql)
        .bind(name.to_string())
        .bind(actor.0)
        .bind(at.0)
        .bind(look.map(|look| look.base.name()))
        .bind(
            look.and_then(|look| look.name.as_ref())
                .map(ToString::to_string),
        )
        .bind(
            look.and_then(|look| look.locale.as_ref())
                .map(ToString::to_string),
        )
        .bind(look.map(|look| look.currency.name()))
        .bind(colours)
        .bind(names)
        .bind(level_colours)
        .execute(transaction)
        .await;
    adding.map(drop).in_statement(ADD_THEME)
}

async fn keep(
    transaction: &mut PgConnection,
    at: Timestamp,
    artwork: &Artwork,
    bytes: &[u8],
) -> Result<(), StoreError> {
    let keeping = sqlx::query(ADD_ARTWORK.sql)
        .bind(artwork.digest.to_vec())
        .bind(at.0)
        .bind(artwork.width.cast_signed())
        .bind(artwork.height.cast_signed())
        .bind(artwork.brightest.to_string())
        .bind(bytes.to_vec())
        .execute(transaction)
        .await;
    keeping.map(drop).in_statement(ADD_ARTWORK)
}

async fn give(
    transaction: &mut PgConnection,
    (name, kind): (&ThemeName, ArtworkKind),
    (actor, at): (ActorId, Timestamp),
    digest: Option<[u8; DIGEST_BYTES]>,
) -> Result<(), StoreError> {
    let giving = sqlx::query(ADD_THEME_ARTWORK.sql)
        .bind(name.to_string())
        .bind(kind.name())
        .bind(actor.0)
        .bind(at.0)
        .bind(digest.map(|digest| digest.to_vec()))
        .execute(transaction)
        .await;
    giving.map(drop).in_statement(ADD_THEME_ARTWORK)
}

async fn prune(transaction: &mut PgConnection, now: Timestamp) -> Result<(), StoreError> {
    let kept = i64::try_from(UNUSED_ARTWORK_KEPT.as_micros()).unwrap_or(i64::MAX);
    let pruning = sqlx::query(PRUNE_ARTWORK.sql)
        .bind(now.0.saturating_sub(kept))
        .execute(transaction)
        .await;
    pruning.map(drop).in_statement(PRUNE_ARTWORK)
}
