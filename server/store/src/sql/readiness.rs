//! The checks that the database can work.

use crate::sql::statement::statements;

statements! {
    /// Writes one row durably: the contact of a table that no link has.
    NOTE_PROBE = "readiness.note_probe", "
INSERT INTO table_contact (link_id, table_no, heard_at, heartbeats) VALUES (0, 1, $1, false)
ON CONFLICT ON CONSTRAINT table_contact_pkey DO UPDATE SET heard_at = EXCLUDED.heard_at";

    /// Makes the database's files grow by a mebibyte. The table is dropped when the statement ends
    /// and never reaches the log.
    EXTEND_FILES = "readiness.extend_files", "
CREATE TEMPORARY TABLE write_probe ON COMMIT DROP AS
SELECT repeat('x', 1900) AS filler FROM generate_series(1, 552)";

    /// Returns the names of faulted links.
    FAULTED_LINKS = "readiness.faulted_links", "
SELECT l.name FROM link_head AS h JOIN link AS l USING (link_id)
WHERE h.status = 2 ORDER BY l.name LIMIT $1";

    /// Returns the month of the newest batch of all links.
    NEWEST_PERIOD = "readiness.newest_period", "SELECT max(period) AS period FROM link_head";
}
