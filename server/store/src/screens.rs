//! The screens of the house, and what they showed.
//!
//! # Limits
//! One page has at most [`SCREENS_MAX`] screens or rows. What a screen showed is kept for as long as the caller says.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_domain::money::Money;
use sqlx::postgres::PgRow;

use crate::error::StoreError;
use crate::numbers::{bounded, to_bigint};
use crate::rows::RowReader;
use crate::sql::screen;
use crate::sql::statement::Statement;
use crate::store::Store;

/// Maximum number of screens, or of rows of what one showed, in one page.
pub const SCREENS_MAX: usize = 200;

/// What a screen shows of a link, as it says itself, and the comparison with the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Link.
    pub link: String,
    /// Batch whose amounts they are.
    pub batch: u64,
    /// Levels with their amounts, in the order of the screen.
    pub levels: Vec<(String, Money)>,
    /// `true` if the link never displayed one of them after that batch.
    pub is_different: bool,
    /// `true` if newer amounts were displayed for some time.
    pub is_stale: bool,
}

/// What a screen showed, with its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRow {
    /// What it was.
    pub shown: Shown,
    /// First time.
    pub since: Timestamp,
    /// Last time.
    pub until: Timestamp,
}

/// The moments that decide about a row of what a screen shows.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ShownTimes {
    /// Time of the row.
    pub at: Timestamp,
    /// Time after which the row before has to have ended to be extended.
    pub recent: Timestamp,
    /// Time before which rows are deleted.
    pub kept_since: Timestamp,
}

/// A screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenRow {
    /// Name.
    pub name: String,
    /// Links that it was paired with.
    pub links: Vec<String>,
    /// Time of the pairing.
    pub paired_at: Timestamp,
    /// Name of the person who paired it.
    pub paired_by: String,
    /// What it showed last, of each link of which it has said so.
    pub shown: Vec<ShownRow>,
}

impl Store {
    /// Returns the links of a screen; nothing if the actor is none.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn links_of_screen(&self, actor: ActorId) -> Result<Option<Vec<String>>, StoreError> {
        let statement = screen::LINKS_OF_SCREEN;
        let query = sqlx::query(statement.sql).bind(actor.0);
        let row = self.inner.row(statement, query).await?;
        let links = |row: &PgRow| RowReader::new(statement, "screen", row).get("links");
        row.as_ref().map(links).transpose()
    }

    /// Records what a screen shows, and forgets what is too old.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn note_shown(
        &self,
        actor: ActorId,
        shown: &Shown,
        times: ShownTimes,
    ) -> Result<(), StoreError> {
        let query = |statement: Statement| {
            let levels = shown.levels.iter();
            let (names, amounts): (Vec<String>, Vec<i64>) = levels
                .map(|(name, amount)| (name.clone(), amount.micros()))
                .unzip();
            sqlx::query(statement.sql)
                .bind(actor.0)
                .bind(times.at.0)
                .bind(shown.link.clone())
                .bind(to_bigint(shown.batch))
                .bind(names)
                .bind(amounts)
                .bind(shown.is_different)
                .bind(shown.is_stale)
        };
        let extend = query(screen::EXTEND_SHOWN).bind(times.recent.0);
        if self.inner.run(screen::EXTEND_SHOWN, extend).await? > 0 {
            return Ok(());
        }
        let add = query(screen::ADD_SHOWN);
        self.inner.run(screen::ADD_SHOWN, add).await?;
        let forget = sqlx::query(screen::FORGET_SHOWN.sql).bind(times.kept_since.0);
        self.inner.run(screen::FORGET_SHOWN, forget).await.map(drop)
    }

    /// Returns at most [`SCREENS_MAX`] screens after a name.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn screens(&self, after: &str, limit: usize) -> Result<Vec<ScreenRow>, StoreError> {
        let statement = screen::LIST_SCREENS;
        let query = sqlx::query(statement.sql)
            .bind(after)
            .bind(bounded(limit, SCREENS_MAX));
        let mut screens: Vec<ScreenRow> = Vec::new();
        for row in &self.inner.rows(statement, query).await? {
            let reader = RowReader::new(statement, "screen", row);
            let name: String = reader.get("name")?;
            if screens.last().is_none_or(|last| last.name != name) {
                screens.push(ScreenRow {
                    name,
                    links: reader.get("links")?,
                    paired_at: Timestamp(reader.get("paired_at")?),
                    paired_by: reader.get("paired_by")?,
                    shown: Vec::new(),
                });
            }
            let since: Option<i64> = reader.get("since")?;
            if let (Some(_), Some(last)) = (since, screens.last_mut()) {
                last.shown.push(shown(statement, row)?);
            }
        }
        Ok(screens)
    }

    /// Returns what a screen showed from one moment to another, newest first, at most [`SCREENS_MAX`] rows.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn shown(
        &self,
        name: &str,
        (from, before): (Timestamp, Timestamp),
        limit: usize,
    ) -> Result<Vec<ShownRow>, StoreError> {
        let statement = screen::LIST_SHOWN;
        let query = sqlx::query(statement.sql)
            .bind(name)
            .bind(from.0)
            .bind(before.0)
            .bind(bounded(limit, SCREENS_MAX));
        let rows = self.inner.rows(statement, query).await?;
        rows.iter().map(|row| shown(statement, row)).collect()
    }
}

fn shown(statement: Statement, row: &PgRow) -> Result<ShownRow, StoreError> {
    let row = RowReader::new(statement, "shown", row);
    let levels: Vec<String> = row.get("levels")?;
    let amounts: Vec<i64> = row.get("amounts")?;
    let amounts = amounts.into_iter().map(Money::from_micros);
    Ok(ShownRow {
        shown: Shown {
            link: row.get("link_name")?,
            batch: row.number::<u64, i64>("batch")?,
            levels: levels.into_iter().zip(amounts).collect(),
            is_different: row.get("is_different")?,
            is_stale: row.get("is_stale")?,
        },
        since: Timestamp(row.get("since")?),
        until: Timestamp(row.get("until")?),
    })
}
