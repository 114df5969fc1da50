//! How links and tables are presented: the newest row of each counts.
//!
//! # Order and locking
//! A change is one statement. Of two changes in the same moment one adds nothing, and is tried again by its caller. A link
//! that chooses a theme of the house looks for it first, under the lock of themes.

use std::collections::HashMap;
use std::sync::Arc;

use meterhouse_domain::ids::{ActorId, LinkId, TableNo, Timestamp};
use meterhouse_domain::presentation::{
    Celebration, ChosenTheme, DisplayName, LinkPresentation, ThemeName,
};
use sqlx::postgres::{PgConnection, PgRow};

use crate::error::StoreError;
use crate::rows::RowReader;
use crate::sql::presentation::{
    LINK_PRESENTATIONS, PRESENT_LINK, PRESENT_TABLE, TABLE_PRESENTATION,
};
use crate::sql::statement::ResultExt as _;
use crate::store::Store;
use crate::themes;

/// The result of presenting a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PresentedLink {
    /// The presentation was added, with the version of a theme of the house.
    Added(Option<Arc<str>>),
    /// The link is presented so already, or another change came first.
    NotAdded,
    /// There is no such theme of the house.
    UnknownTheme(ThemeName),
}

impl Store {
    /// Returns the presentations of these links, of those that have one. A word of a newer release counts as not
    /// chosen.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn link_presentations(
        &self,
        links: &[LinkId],
    ) -> Result<HashMap<LinkId, LinkPresentation>, StoreError> {
        let links: Vec<i32> = links.iter().map(|link| link.0).collect();
        let query = sqlx::query(LINK_PRESENTATIONS.sql).bind(links);
        let rows = self.inner.rows(LINK_PRESENTATIONS, query).await?;
        rows.iter().map(presentation).collect()
    }

    /// Adds a presentation of a link.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn present_link(
        &self,
        link: LinkId,
        by: (ActorId, Timestamp),
        new: &LinkPresentation,
    ) -> Result<PresentedLink, StoreError> {
        self.run_tx(
            "presentation.link",
            async |transaction: &mut PgConnection| {
                let mut version = None;
                if let Some(theme) = new.theme.as_ref().and_then(ChosenTheme::own) {
                    themes::lock(transaction).await?;
                    let Some(found) = themes::find(transaction, theme).await? else {
                        return Ok(PresentedLink::UnknownTheme(theme.clone()));
                    };
                    version = Some(found.version);
                }
                let is_added = add(transaction, link, by, new).await?;
                Ok(if is_added {
                    PresentedLink::Added(version)
                } else {
                    PresentedLink::NotAdded
                })
            },
        )
        .await
    }

    /// Returns the pit of a table, if one is named.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn pit(
        &self,
        link: LinkId,
        table: TableNo,
    ) -> Result<Option<DisplayName>, StoreError> {
        let query = sqlx::query(TABLE_PRESENTATION.sql)
            .bind(link.0)
            .bind(table.0.cast_signed());
        let row = self.inner.row(TABLE_PRESENTATION, query).await?;
        let pit: Option<Result<Option<String>, StoreError>> = row.map(|row| {
            let row = RowReader::new(TABLE_PRESENTATION, "table_presentation", &row);
            row.get("pit")
        });
        Ok(pit.transpose()?.flatten().and_then(|pit| pit.parse().ok()))
    }

    /// Adds a presentation of a table. Returns `false` if it is presented so already, or another change came first.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn present_table(
        &self,
        (link, table): (LinkId, TableNo),
        (actor, at): (ActorId, Timestamp),
        pit: Option<&DisplayName>,
    ) -> Result<bool, StoreError> {
        let query = sqlx::query(PRESENT_TABLE.sql)
            .bind(link.0)
            .bind(table.0.cast_signed())
            .bind(actor.0)
            .bind(at.0)
            .bind(pit.map(ToString::to_string));
        Ok(self.inner.run(PRESENT_TABLE, query).await? == 1)
    }
}

async fn add(
    transaction: &mut PgConnection,
    link: LinkId,
    (actor, at): (ActorId, Timestamp),
    new: &LinkPresentation,
) -> Result<bool, StoreError> {
    let adding = sqlx::query(PRESENT_LINK.sql)
        .bind(link.0)
        .bind(actor.0)
        .bind(at.0)
        .bind(new.name.as_ref().map(ToString::to_string))
        .bind(new.celebration.name())
        .bind(new.theme.as_ref().map(ToString::to_string))
        .bind(new.locale.as_ref().map(ToString::to_string))
        .execute(transaction)
        .await;
    Ok(adding.in_statement(PRESENT_LINK)?.rows_affected() == 1)
}

fn presentation(row: &PgRow) -> Result<(LinkId, LinkPresentation), StoreError> {
    let row = RowReader::new(LINK_PRESENTATIONS, "link_presentation", row);
    let name: Option<String> = row.get("name")?;
    let celebration: String = row.get("celebration")?;
    let theme: Option<String> = row.get("theme")?;
    let locale: Option<String> = row.get("locale")?;
    let version: Option<String> = row.get("theme_version")?;
    let presentation = LinkPresentation {
        name: name.and_then(|name| name.parse().ok()),
        celebration: Celebration::from_name(&celebration).unwrap_or(Celebration::Validation),
        theme: theme.and_then(|theme| theme.parse().ok()),
        theme_version: version.map(Arc::from),
        locale: locale.and_then(|locale| locale.parse().ok()),
    };
    Ok((LinkId(row.get("link_id")?), presentation))
}
