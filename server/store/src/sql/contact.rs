//! The last contacts of tables.
//!
//! # Order and locking
//! A note locks its tables' rows in the order of (link, number), so that two nodes never deadlock.

use crate::sql::statement::statements;

statements! {
    /// Records contacts: the latest time stays, and `heartbeats` stays true. A contact with nothing
    /// new writes nothing.
    NOTE_CONTACTS = "contact.note", "
INSERT INTO table_contact (link_id, table_no, heard_at, heartbeats)
SELECT u.link_id, u.table_no, max(u.heard_at), bool_or(u.heartbeats)
FROM UNNEST($1::int[], $2::int[], $3::bigint[], $4::boolean[])
  AS u(link_id, table_no, heard_at, heartbeats)
GROUP BY u.link_id, u.table_no ORDER BY u.link_id, u.table_no
ON CONFLICT ON CONSTRAINT table_contact_pkey DO UPDATE SET
  heard_at = GREATEST(table_contact.heard_at, EXCLUDED.heard_at),
  heartbeats = table_contact.heartbeats OR EXCLUDED.heartbeats
WHERE EXCLUDED.heard_at > table_contact.heard_at
   OR EXCLUDED.heartbeats AND NOT table_contact.heartbeats";

    /// Returns a page of the contacts of all tables, in the order of links and of the tables' numbers.
    LIST_CONTACTS = "contact.list", "
SELECT link_id, table_no, heard_at, heartbeats FROM table_contact
WHERE (link_id, table_no) > ($1, $2) ORDER BY link_id, table_no LIMIT $3";
}
