//! When tables were last heard.
//!
//! # What order or lock holds
//! A note locks its tables' rows in the order of (link, number), so that two nodes never wait for
//! each other in a circle.

use crate::sql::statement::statements;

statements! {
    /// Notes tables that were heard: the latest moment stays, and that one sends heartbeats. What
    /// says nothing new writes nothing.
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

    /// The tables of a link that were ever heard, in the order of their numbers, a page.
    LIST_CONTACTS = "contact.list", "
SELECT link_id, table_no, heard_at, heartbeats FROM table_contact
WHERE link_id = $1 AND table_no > $2 ORDER BY table_no LIMIT $3";
}
