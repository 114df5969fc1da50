//! When tables were last heard, by whichever node.
//!
//! # What bounds it
//! [`CONTACTS_MAX`] tables in one statement, either way.
//!
//! # What order or lock holds
//! Nodes may note in any order and more than once: the latest moment stays.

use meterhouse_domain::ids::{LinkId, TableNo, Timestamp};
use sqlx::postgres::{PgBindIterExt as _, PgRow};

use crate::error::StoreError;
use crate::numbers::bounded;
use crate::rows::Of;
use crate::sql::contact::{LIST_CONTACTS, NOTE_CONTACTS};
use crate::store::Store;

/// Tables in one statement.
pub const CONTACTS_MAX: usize = 1_000;

/// That a table was heard.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    /// The link.
    pub link: LinkId,
    /// The table.
    pub table: TableNo,
    /// When, by the clock of the node that heard it.
    pub heard_at: Timestamp,
    /// Whether it ever sent a heartbeat.
    pub heartbeats: bool,
}

impl Store {
    /// Notes tables that were heard; the same one may appear more than once. An older moment than
    /// is noted changes nothing, and who ever sent heartbeats stays one who does.
    ///
    /// # Errors
    /// If the database refuses; what was noted before stays noted.
    pub async fn note_contacts(&self, contacts: &[Contact]) -> Result<(), StoreError> {
        for some in contacts.chunks(CONTACTS_MAX) {
            let query = sqlx::query(NOTE_CONTACTS.sql)
                .bind(some.iter().map(|it| it.link.0).bind_iter())
                .bind(some.iter().map(|it| it.table.0.cast_signed()).bind_iter())
                .bind(some.iter().map(|it| it.heard_at.0).bind_iter())
                .bind(some.iter().map(|it| it.heartbeats).bind_iter());
            self.inner.run(NOTE_CONTACTS, query).await?;
        }
        Ok(())
    }

    /// The tables of a link that were ever heard, in the order of their numbers.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn contacts(&self, link: LinkId) -> Result<Vec<Contact>, StoreError> {
        let mut contacts: Vec<Contact> = Vec::new();
        loop {
            let after = contacts.last().map_or(0, |it| it.table.0.cast_signed());
            let query = sqlx::query(LIST_CONTACTS.sql)
                .bind(link.0)
                .bind(after)
                .bind(bounded(CONTACTS_MAX, CONTACTS_MAX));
            let rows = self.inner.rows(LIST_CONTACTS, query).await?;
            for row in &rows {
                contacts.push(contact(row)?);
            }
            if rows.len() < CONTACTS_MAX {
                return Ok(contacts);
            }
        }
    }
}

fn contact(row: &PgRow) -> Result<Contact, StoreError> {
    let row = Of::new(LIST_CONTACTS, "table_contact", row);
    Ok(Contact {
        link: LinkId(row.get("link_id")?),
        table: TableNo(row.number::<u32, i32>("table_no")?),
        heard_at: Timestamp(row.get("heard_at")?),
        heartbeats: row.get("heartbeats")?,
    })
}
