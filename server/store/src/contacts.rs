//! The last contact of each table with any node.
//!
//! # Limits
//! One statement reads or writes at most [`CONTACTS_MAX`] tables.
//!
//! # Order and locking
//! Nodes may record contacts in any order and repeatedly: the latest time stays.

use meterhouse_domain::ids::{LinkId, TableNo, Timestamp};
use sqlx::postgres::{PgBindIterExt as _, PgRow};

use crate::error::StoreError;
use crate::numbers::bounded;
use crate::rows::RowReader;
use crate::sql::contact::{LIST_CONTACTS, NOTE_CONTACTS};
use crate::store::Store;

/// Maximum number of tables that one statement reads or writes.
pub const CONTACTS_MAX: usize = 1_000;

/// A contact of a table with a node.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    /// Link of the table.
    pub link: LinkId,
    /// Table.
    pub table: TableNo,
    /// Time of the contact, by the clock of the node that received it.
    pub heard_at: Timestamp,
    /// `true` if the table has ever sent a heartbeat.
    pub heartbeats: bool,
}

impl Store {
    /// Records contacts, of which several may be of the same table. An older time than the stored
    /// one changes nothing, and `heartbeats` never returns to `false`.
    ///
    /// # Errors
    /// If the database refuses. Contacts that were recorded before the failure stay recorded.
    pub async fn note_contacts(&self, contacts: &[Contact]) -> Result<(), StoreError> {
        for some in contacts.chunks(CONTACTS_MAX) {
            let query = sqlx::query(NOTE_CONTACTS.sql)
                .bind(some.iter().map(|contact| contact.link.0).bind_iter())
                .bind(
                    some.iter()
                        .map(|contact| contact.table.0.cast_signed())
                        .bind_iter(),
                )
                .bind(some.iter().map(|contact| contact.heard_at.0).bind_iter())
                .bind(some.iter().map(|contact| contact.heartbeats).bind_iter());
            self.inner.run(NOTE_CONTACTS, query).await?;
        }
        Ok(())
    }

    /// Returns the last contacts of all tables, in the order of links and of the tables' numbers.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn contacts(&self) -> Result<Vec<Contact>, StoreError> {
        let mut contacts: Vec<Contact> = Vec::new();
        loop {
            let (link, table) = contacts
                .last()
                .map_or((0, 0), |last| (last.link.0, last.table.0.cast_signed()));
            let query = sqlx::query(LIST_CONTACTS.sql)
                .bind(link)
                .bind(table)
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
    let row = RowReader::new(LIST_CONTACTS, "table_contact", row);
    Ok(Contact {
        link: LinkId(row.get("link_id")?),
        table: TableNo(row.number::<u32, i32>("table_no")?),
        heard_at: Timestamp(row.get("heard_at")?),
        heartbeats: row.get("heartbeats")?,
    })
}
