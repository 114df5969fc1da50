//! The record of commands that were refused before the rules decided on them.

use crate::sql::statement::statements;

statements! {
    /// Stores attempts in their order.
    NOTE_ATTEMPTS = "attempt.note", "
INSERT INTO attempt (at, kind, actor_id, link_id, table_no, sequence, node, detail, suppressed)
SELECT u.at, u.kind, u.actor_id, u.link_id, u.table_no, u.sequence, $7, u.detail, u.suppressed
FROM UNNEST($1::bigint[], $2::smallint[], $3::int[], $4::int[], $5::int[], $6::bigint[], $8::text[], $9::bigint[])
  WITH ORDINALITY AS u(at, kind, actor_id, link_id, table_no, sequence, detail, suppressed, ordinal)
ORDER BY u.ordinal";

    /// Returns a page of attempts before a number, newest first, of one link or of all, in a period.
    LIST_ATTEMPTS = "attempt.list", "
SELECT e.attempt_id, e.at, e.kind, e.link_id, e.sequence, e.node, e.detail, e.suppressed,
       a.name AS actor_name, l.name AS link_name, t.name AS table_name
FROM attempt AS e
LEFT JOIN actor AS a ON a.actor_id = e.actor_id
JOIN link AS l ON l.link_id = e.link_id
LEFT JOIN game_table AS t ON t.link_id = e.link_id AND t.table_no = e.table_no
WHERE e.attempt_id < $1 AND ($2::int IS NULL OR e.link_id = $2) AND e.at >= $3 AND e.at < $4
ORDER BY e.attempt_id DESC LIMIT $5";
}
